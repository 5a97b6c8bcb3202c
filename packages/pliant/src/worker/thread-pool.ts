import type { ThreadPool } from '../body/engine.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { TraversalScratch } from '../kernels/scratch.ts';
import { createSharedKernels } from '../kernels/wasm-kernels.ts';
import { InputError } from '../mesh/input-error.ts';
import { INNER_FRONT, LEAF_FRONT, PENDING, stepBatch } from '../query/batch.ts';
import type { Job } from '../query/job.ts';
import type { Side } from '../query/side.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import { nodeModule, type WorkerThreads } from './node-module.ts';
import {
  BUSY,
  CONTROL_WORDS,
  FAILED,
  FULL,
  GENERATION,
  MAIL_COUNT,
  MAIL_EXACT,
  MAIL_HEAD_WORDS,
  MAIL_NODE_PAIRS,
  MAIL_ROOM,
  MAIL_STATE,
  MAIL_TRIANGLE_PAIRS,
  OPEN,
  PIECE,
  PIECE_COUNT,
  PIECES,
  QUERY,
  STOP,
  type ThreadStart,
} from './thread-protocol.ts';
import { type SharedSide, ThreadWork, writeQuery } from './thread-work.ts';

/** A worker of the platform or of the caller's own making, running dist/pool.worker.js. */
export interface ThreadWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

/** Front pairs that a thread takes at a time: some tens of microseconds of work. */
const FRONT_PIECE = 1 << 14;
/** Queries with fewer front pairs are done before another thread is awake. */
const SMALLEST_FRONT = 1 << 16;
/** Node pairs to collect before they are dealt out, and how many a thread takes at a time. */
const MOST_NODE_PAIRS = 1 << 10;
const NODE_PIECE = 8;
const PIECE_ROOM = 1 << 16;

/**
 * Threads that share one memory. A query is cut into pieces which the threads, this one among them, take one after
 * the other; what they find is the same whoever finds it. This thread never sleeps: it does its share and then
 * waits for at most one piece.
 */
export class SharedThreadPool implements ThreadPool {
  readonly threads: number;
  readonly kernels: Kernels;
  readonly #raw: WebAssembly.Memory;
  readonly #workers: ThreadWorker[];
  readonly #control: number;
  readonly #mail: number[];
  readonly #pieces: number;
  readonly #work: ThreadWork;
  #job: Job | undefined;

  private constructor(
    kernels: Kernels,
    raw: WebAssembly.Memory,
    workers: ThreadWorker[],
    control: number,
    mail: number[],
  ) {
    this.kernels = kernels;
    this.#raw = raw;
    this.#workers = workers;
    this.#control = control >>> 2;
    this.#mail = mail;
    this.threads = workers.length + 1;
    this.#pieces = kernels.memory.allocate(12 * PIECE_ROOM);
    this.#work = new ThreadWork(kernels, new TraversalScratch(kernels.memory), (a, b, time) =>
      this.#job!.add(a, b, time),
    );
  }

  /** Starts `threads` − 1 workers and waits until all of them are there. */
  static async create(threads: number, createWorker?: () => ThreadWorker): Promise<SharedThreadPool> {
    const { kernels, module, raw } = await createSharedKernels();
    const { memory } = kernels;
    const control = memory.allocate(4 * CONTROL_WORDS);
    memory.u32.fill(0, control >>> 2, (control >>> 2) + CONTROL_WORDS);
    const mail: number[] = [],
      workers: ThreadWorker[] = [];
    try {
      for (let k = 1; k < threads; k++) {
        mail.push(memory.allocate(4 * (MAIL_HEAD_WORDS + 4 * MAIL_ROOM)));
        const { stackRoom, leafRoom, stack, block, leaves, hits, unsure, counts } = new TraversalScratch(
          memory,
        );
        const scratch = { stackRoom, leafRoom, stack, block, leaves, hits, unsure, counts };
        const start: ThreadStart = { module, memory: raw, control, mail: mail[k - 1], scratch };
        workers.push(await startWorker(start, createWorker));
      }
    } catch (error) {
      for (const worker of workers) worker.terminate();
      throw error;
    }
    return new SharedThreadPool(kernels, raw, workers, control, mail);
  }

  /** Works off what a batch job has to read. False when it is too little to share: the job does it alone. */
  run(untyped: unknown): boolean {
    const job = untyped as Job;
    if (this.#job !== undefined) return false; // a query inside a query stays on this thread
    if (2 * job.reserve > this.#work.scratch.stackRoom) return false; // a very deep tree
    const count = job.isSelf ? this.#cutFronts(job) : this.#cutNodePairs(job);
    if (count === 0) return false;
    this.#job = job;
    try {
      this.#publish(job, count);
      this.#takePart(count);
      this.#collect();
    } finally {
      this.#job = undefined;
    }
    return true;
  }

  dispose(): void {
    const words = new Int32Array(this.#raw.buffer);
    Atomics.store(words, this.#control + STOP, 1);
    Atomics.add(words, this.#control + GENERATION, 1);
    Atomics.notify(words, this.#control + GENERATION);
    for (const worker of this.#workers) worker.terminate();
  }

  #cutFronts(job: Job): number {
    const { innerRanges, leafRanges } = job;
    let total = 0;
    for (const { data, count } of [innerRanges, leafRanges]) {
      for (let r = 0; r < count; r++) total += data[2 * r + 1] - data[2 * r];
    }
    if (total < SMALLEST_FRONT || total / FRONT_PIECE + innerRanges.count + leafRanges.count > PIECE_ROOM)
      return 0;
    if (job.pending.count > 0) return 0;
    const cut = this.#cut(innerRanges, INNER_FRONT, 0);
    const count = this.#cut(leafRanges, LEAF_FRONT, cut);
    innerRanges.clear();
    leafRanges.clear();
    return count;
  }

  #cut({ data, count }: PairBuffer, kind: number, first: number): number {
    let piece = first;
    for (let r = 0; r < count; r++) {
      for (let from = data[2 * r]; from < data[2 * r + 1]; from += FRONT_PIECE) {
        this.#setPiece(piece++, kind, from, Math.min(from + FRONT_PIECE, data[2 * r + 1]));
      }
    }
    return piece;
  }

  /** Goes down from the roots on this thread until there is something to deal out. */
  #cutNodePairs(job: Job): number {
    while (job.depth < MOST_NODE_PAIRS) if (!stepBatch(job)) return 0;
    const { stack } = job.scratch;
    let piece = 0;
    for (let k = 0; k < job.depth; k += NODE_PIECE) {
      this.#setPiece(piece++, PENDING, stack + 8 * k, stack + 8 * Math.min(k + NODE_PIECE, job.depth));
    }
    job.depth = 0; // the pairs stay where they are until the next step of this job
    return piece;
  }

  #setPiece(piece: number, kind: number, from: number, to: number): void {
    const { u32 } = this.kernels.memory;
    const o = (this.#pieces >>> 2) + 3 * piece;
    u32[o] = kind;
    u32[o + 1] = from;
    u32[o + 2] = to;
  }

  #publish(job: Job, count: number): void {
    const { memory } = this.kernels;
    const { inner, leaf, isCoarse } = job.isSelf ? job.a.mesh.front : NO_FRONT;
    const query = {
      isSelf: job.isSelf,
      continuous: job.continuous,
      a: shareSide(job, job.a),
      b: shareSide(job, job.b),
      innerFront: inner.address,
      leafFront: leaf.address,
      isCoarse,
      reserve: job.reserve,
    };
    writeQuery(memory.u32, this.#control + QUERY, query);
    memory.u32[this.#control + PIECES] = this.#pieces;
    for (const address of this.#mail) memory.i32.fill(0, address >>> 2, (address >>> 2) + MAIL_HEAD_WORDS);
    const words = memory.i32;
    Atomics.store(words, this.#control + PIECE, 0);
    Atomics.store(words, this.#control + PIECE_COUNT, count);
    Atomics.store(words, this.#control + BUSY, this.#workers.length);
    Atomics.add(words, this.#control + GENERATION, 1);
    Atomics.notify(words, this.#control + GENERATION);
    this.#work.begin(query);
  }

  #takePart(count: number): void {
    const { memory } = this.kernels;
    for (;;) {
      const piece = Atomics.add(memory.i32, this.#control + PIECE, 1);
      if (piece >= count) return;
      const o = (this.#pieces >>> 2) + 3 * piece;
      this.#work.run(memory.u32[o], memory.u32[o + 1], memory.u32[o + 2]);
      this.#emptyFullBoxes();
    }
  }

  /** Waits for the others and takes over what they found. */
  #collect(): void {
    const { counters } = this.#job!;
    const { i32 } = this.kernels.memory;
    while (Atomics.load(i32, this.#control + BUSY) > 0) this.#emptyFullBoxes();
    addCounters(
      counters,
      this.#work.counters.nodePairsTested,
      this.#work.counters.trianglePairsTested,
      this.#work.counters.exactTests,
    );
    for (const address of this.#mail) {
      const head = address >>> 2;
      if (Atomics.load(i32, head + MAIL_STATE) === FAILED) throw new Error('a worker thread failed');
      this.#empty(head);
      addCounters(
        counters,
        i32[head + MAIL_NODE_PAIRS],
        i32[head + MAIL_TRIANGLE_PAIRS],
        i32[head + MAIL_EXACT],
      );
    }
  }

  #emptyFullBoxes(): void {
    const { i32 } = this.kernels.memory;
    for (const address of this.#mail) {
      const head = address >>> 2;
      if (Atomics.load(i32, head + MAIL_STATE) !== FULL) continue;
      this.#empty(head);
      Atomics.store(i32, head + MAIL_STATE, OPEN);
      Atomics.notify(i32, head + MAIL_STATE);
    }
  }

  #empty(head: number): void {
    const { i32, u32, f64 } = this.kernels.memory;
    for (let k = 0; k < i32[head + MAIL_COUNT]; k++) {
      const o = head + MAIL_HEAD_WORDS + 4 * k;
      this.#job!.add(u32[o], u32[o + 1], f64[(o + 2) >>> 1]);
    }
    i32[head + MAIL_COUNT] = 0;
  }
}

const NO_FRONT = { inner: { address: 0 }, leaf: { address: 0 }, isCoarse: false };

function shareSide(job: Job, { mesh, source, boxes }: Side): SharedSide {
  const { link, corners, pointCount } = mesh;
  const start = source.address(0);
  const end = job.continuous ? source.address(1) : start;
  return { link, corners, pointCount, boxes: boxes!.address, stride: boxes!.stride, start, end };
}

function addCounters(to: Job['counters'], nodePairs: number, trianglePairs: number, exact: number): void {
  to.nodePairsTested += nodePairs;
  to.trianglePairsTested += trianglePairs;
  to.exactTests += exact;
}

async function startWorker(start: ThreadStart, createWorker?: () => ThreadWorker): Promise<ThreadWorker> {
  const worker = createWorker ? createWorker() : createPlatformWorker();
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(new InputError('unsupported', `a worker did not start: ${String(error)}`));
    const listener = worker as unknown as {
      on?: (event: string, then: (value: unknown) => void) => void;
      onmessage?: () => void;
      onerror?: (error: unknown) => void;
    };
    if (listener.on) {
      listener.on('message', () => resolve());
      listener.on('error', fail);
    } else {
      listener.onmessage = () => resolve();
      listener.onerror = (event) => fail((event as { message?: string }).message ?? event);
    }
    worker.postMessage(start);
  });
  (worker as unknown as { unref?: () => void }).unref?.(); // does not keep a Node process alive
  return worker;
}

function createPlatformWorker(): ThreadWorker {
  if (typeof Worker === 'function') {
    return new Worker(new URL('./pool.worker.js', import.meta.url), { type: 'module' });
  }
  const threads = nodeModule<WorkerThreads>('node:worker_threads');
  if (!threads) throw new InputError('unsupported', 'there are no workers here');
  return new threads.Worker(new URL('./pool.worker.js', import.meta.url));
}
