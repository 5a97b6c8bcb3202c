import type { ThreadPool } from '../body/engine.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { TraversalScratch } from '../kernels/scratch.ts';
import { createSharedKernels } from '../kernels/wasm-kernels.ts';
import { INNER_FRONT, LEAF_FRONT, PENDING, stepBatch } from '../query/batch.ts';
import type { Job } from '../query/job.ts';
import type { Side } from '../query/side.ts';
import type { PairBuffer } from '../report/pair-buffer.ts';
import { type PieceStates, PoolThread } from './pool-thread.ts';
import { startWorker, type ThreadWorker } from './start-worker.ts';
import {
  CONTROL_WORDS,
  GENERATION,
  isDone,
  isOpen,
  isTaken,
  MAIL_HEAD_WORDS,
  MAIL_ROOM,
  MAIN_THREAD,
  PIECE,
  PIECE_COUNT,
  PIECE_STATE,
  PIECE_WORDS,
  PIECES,
  QUERY,
  STOP,
  type ThreadStart,
} from './thread-protocol.ts';
import { type FoundPair, type SharedSide, ThreadWork, writeQuery } from './thread-work.ts';

/** Front pairs that a thread takes at a time: some tens of microseconds of work. */
const FRONT_PIECE = 1 << 14;
/** Queries with fewer front pairs are done before another thread is awake. */
const SMALLEST_FRONT = 1 << 16;
/** Node pairs to collect before they are dealt out, and how many a thread takes at a time. */
const MOST_NODE_PAIRS = 1 << 10;
const NODE_PIECE = 8;
const PIECE_ROOM = 1 << 16;
/** How often the main thread looks for what has been done before it looks at the clock, … */
const SPINS = 256;
/** Milliseconds between two looks at whether the other threads still live. */
const LOOK_EVERY = 5;

/**
 * Threads that share one memory. A query is cut into pieces which the threads, this one among them, take one after
 * the other; what they find is the same whoever finds it. This thread never sleeps: it does its share and then
 * waits for at most one piece. Threads may end at any time: their pieces are done by this one, and later queries are
 * shared by those that are left.
 */
export class SharedThreadPool implements ThreadPool {
  readonly kernels: Kernels;
  readonly #raw: WebAssembly.Memory;
  readonly #control: number;
  readonly #pieces: number;
  readonly #work: ThreadWork;
  readonly #states: PieceStates;
  readonly #found: FoundPair = (a, b, time) => this.#job!.add(a, b, time);
  #threads: PoolThread[];
  #job: Job | undefined;
  #generation = 0;
  #count = 0; // pieces of the query under way
  #lookedAt = 0;

  private constructor(kernels: Kernels, raw: WebAssembly.Memory, threads: PoolThread[], control: number) {
    this.kernels = kernels;
    this.#raw = raw;
    this.#threads = threads;
    this.#control = control >>> 2;
    this.#pieces = kernels.memory.allocate(4 * PIECE_WORDS * PIECE_ROOM);
    this.#work = new ThreadWork(kernels, new TraversalScratch(kernels.memory), this.#found);
    this.#states = this.#createStates();
  }

  /** Starts `threads` − 1 workers and waits until all of them are there. */
  static async create(threads: number, createWorker?: () => ThreadWorker): Promise<SharedThreadPool> {
    const { kernels, module, raw } = await createSharedKernels();
    const { memory } = kernels;
    const control = memory.allocate(4 * CONTROL_WORDS);
    memory.u32.fill(0, control >>> 2, (control >>> 2) + CONTROL_WORDS);
    const others: PoolThread[] = [];
    try {
      for (let k = 1; k < threads; k++) {
        const mail = memory.allocate(4 * (MAIL_HEAD_WORDS + 4 * MAIL_ROOM));
        const { stackRoom, leafRoom, stack, block, leaves, hits, unsure, counts } = new TraversalScratch(
          memory,
        );
        const scratch = { stackRoom, leafRoom, stack, block, leaves, hits, unsure, counts };
        const start: ThreadStart = { module, memory: raw, control, mail, thread: k, scratch };
        const thread = new PoolThread(memory, k, mail);
        thread.attach(await startWorker(start, () => thread.end(), createWorker));
        others.push(thread);
      }
    } catch (error) {
      for (const thread of others) thread.retire();
      throw error;
    }
    return new SharedThreadPool(kernels, raw, others, control);
  }

  /** How many threads there are, this one included. */
  get threads(): number {
    let count = 1;
    for (const thread of this.#threads) if (thread.runs) count++;
    return count;
  }

  /** Works off what a batch job has to read. False when it is too little to share: the job does it alone. */
  run(untyped: unknown): boolean {
    const job = untyped as Job;
    if (this.#job !== undefined) return false; // a query inside a query stays on this thread
    if (2 * job.reserve > this.#work.scratch.stackRoom) return false; // a very deep tree
    this.#dropEnded();
    if (this.#threads.length === 0) return false;
    const count = job.isSelf ? this.#cutFronts(job) : this.#cutNodePairs(job);
    if (count === 0) return false;
    this.#job = job;
    this.#count = count;
    try {
      this.#publish(job);
      this.#takePart();
      this.#collect();
    } catch (error) {
      this.#abandon();
      throw error;
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
    for (const thread of this.#threads) thread.retire();
    this.#threads = [];
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
    const o = this.#addressOf(piece);
    u32[o] = kind;
    u32[o + 1] = from;
    u32[o + 2] = to;
  }

  #publish(job: Job): void {
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
    for (const thread of this.#threads) thread.begin();
    const words = memory.i32;
    this.#generation = (Atomics.load(words, this.#control + GENERATION) + 1) | 0;
    const open = isOpen(this.#generation);
    for (let k = 0; k < this.#count; k++) Atomics.store(words, this.#addressOf(k) + PIECE_STATE, open);
    Atomics.store(words, this.#control + PIECE, 0);
    Atomics.store(words, this.#control + PIECE_COUNT, this.#count);
    Atomics.add(words, this.#control + GENERATION, 1);
    Atomics.notify(words, this.#control + GENERATION);
    this.#work.begin(query);
  }

  #takePart(): void {
    const { memory } = this.kernels;
    for (;;) {
      const piece = Atomics.add(memory.i32, this.#control + PIECE, 1);
      if (piece >= this.#count) return;
      this.#take(piece, isOpen(this.#generation));
      this.#emptyFullBoxes();
    }
  }

  /** Does a piece that is in `state`; somebody else may have been quicker. */
  #take(piece: number, state: number): void {
    const { i32, u32 } = this.kernels.memory;
    const o = this.#addressOf(piece);
    const taken = isTaken(this.#generation, MAIN_THREAD);
    if (Atomics.compareExchange(i32, o + PIECE_STATE, state, taken) !== state) return;
    this.#work.run(u32[o], u32[o + 1], u32[o + 2]);
    Atomics.store(this.kernels.memory.i32, o + PIECE_STATE, isDone(this.#generation, MAIN_THREAD));
  }

  /** Waits for the others, takes over what they found, and does what they have left undone. */
  #collect(): void {
    this.#waitForOthers(true);
    for (const thread of this.#threads) {
      thread.empty(this.#states, this.#found);
      this.#addCounters(thread);
    }
    for (let piece = 0; piece < this.#count; piece++) {
      for (let state = this.#stateOf(piece); !this.#isDone(state); state = this.#stateOf(piece)) {
        this.#take(piece, state);
      }
    }
    const { nodePairsTested, trianglePairsTested, exactTests } = this.#work.counters;
    addCounters(this.#job!.counters, nodePairsTested, trianglePairsTested, exactTests);
  }

  /** Until every thread has finished the query, or is known to have ended. `isWanted`: what they found counts. */
  #waitForOthers(isWanted: boolean): void {
    this.#lookedAt = performance.now();
    for (let spins = 1; !this.#haveFinished(); spins++) {
      this.#emptyFullBoxes(isWanted ? this.#found : ignore);
      if (spins % SPINS === 0) this.#lookAfterOthers(isWanted);
    }
  }

  #haveFinished(): boolean {
    for (const thread of this.#threads) if (!thread.hasFinished(this.#generation)) return false;
    return true;
  }

  #lookAfterOthers(isWanted: boolean): void {
    const now = performance.now();
    const elapsed = now - this.#lookedAt;
    if (elapsed < LOOK_EVERY) return;
    this.#lookedAt = now;
    const isLost = (thread: PoolThread) => !thread.hasFinished(this.#generation) && thread.isLost(elapsed);
    const lost = this.#threads.filter(isLost);
    if (lost.length === 0) return;
    this.#threads = this.#threads.filter((thread) => !lost.includes(thread));
    for (const thread of lost) {
      thread.retire();
      if (!isWanted) continue;
      thread.salvage(this.#states, this.#found);
      this.#addCounters(thread);
    }
  }

  /** After an error on this thread: the others must not be in the middle of this query when the next one begins. */
  #abandon(): void {
    Atomics.store(this.kernels.memory.i32, this.#control + PIECE, this.#count);
    this.#waitForOthers(false);
  }

  /** Threads of which it is known that they have ended; others are found out while they are waited for. */
  #dropEnded(): void {
    for (let k = this.#threads.length - 1; k >= 0; k--) {
      if (this.#threads[k].hasEnded) this.#threads.splice(k, 1)[0].retire();
    }
  }

  #emptyFullBoxes(found = this.#found): void {
    for (const thread of this.#threads) thread.emptyIfFull(this.#states, found);
  }

  #addCounters({ counters: [nodePairs, trianglePairs, exact] }: PoolThread): void {
    addCounters(this.#job!.counters, nodePairs, trianglePairs, exact);
  }

  #addressOf(piece: number): number {
    return (this.#pieces >>> 2) + PIECE_WORDS * piece;
  }

  #stateOf(piece: number): number {
    return Atomics.load(this.kernels.memory.i32, this.#addressOf(piece) + PIECE_STATE);
  }

  /** By this thread or one that has not been retired. */
  #isDone(state: number): boolean {
    if (state === isDone(this.#generation, MAIN_THREAD)) return true;
    for (const { number } of this.#threads) if (state === isDone(this.#generation, number)) return true;
    return false;
  }

  #createStates(): PieceStates {
    return {
      countDone: (thread) => {
        const done = isDone(this.#generation, thread);
        let count = 0;
        for (let k = 0; k < this.#count; k++) if (this.#stateOf(k) === done) count++;
        return count;
      },
      adopt: (thread) => {
        const { i32 } = this.kernels.memory;
        const done = isDone(this.#generation, thread);
        const ours = isDone(this.#generation, MAIN_THREAD);
        for (let k = 0; k < this.#count; k++) {
          if (this.#stateOf(k) === done) Atomics.store(i32, this.#addressOf(k) + PIECE_STATE, ours);
        }
      },
      takenBy: (thread) => {
        const taken = isTaken(this.#generation, thread);
        for (let k = 0; k < this.#count; k++) if (this.#stateOf(k) === taken) return k;
        return undefined;
      },
      reopen: (piece, thread) => {
        const taken = isTaken(this.#generation, thread);
        const { i32 } = this.kernels.memory;
        const o = this.#addressOf(piece) + PIECE_STATE;
        return Atomics.compareExchange(i32, o, taken, isOpen(this.#generation)) === taken;
      },
      isDoneBy: (piece, thread) => this.#stateOf(piece) === isDone(this.#generation, thread),
    };
  }
}

function ignore(): void {}

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
