import type { Kernels } from '../kernels/kernels.ts';
import { instantiate } from '../kernels/wasm-kernels.ts';
import {
  FULL,
  GENERATION,
  isDone,
  isOpen,
  isTaken,
  MAIL_BEAT,
  MAIL_BEGIN,
  MAIL_BEGIN_COUNTERS,
  MAIL_COUNT,
  MAIL_COUNTERS,
  MAIL_FINISHED,
  MAIL_GONE,
  MAIL_HEAD_WORDS,
  MAIL_PIECE,
  MAIL_RETIRED,
  MAIL_ROOM,
  MAIL_STATE,
  OPEN,
  PIECE,
  PIECE_COUNT,
  PIECE_STATE,
  PIECE_WORDS,
  PIECES,
  QUERY,
  STOP,
  type ThreadStart,
} from './thread-protocol.ts';
import { readQuery, ThreadWork } from './thread-work.ts';

/** How often to look for work before going to sleep: some tens of microseconds. */
const SPINS = 3000;

/**
 * The life of a worker thread: waits for queries and does its share of each, until told to stop. `onReady` is called
 * once it can work.
 */
export function serveThread(start: ThreadStart, onReady: () => void): void {
  const thread = new ServingThread(start, instantiate(start.module, start.memory));
  onReady();
  try {
    while (thread.serve());
  } finally {
    Atomics.store(new Int32Array(start.memory.buffer), (start.mail >>> 2) + MAIL_GONE, 1);
  }
}

class ServingThread {
  readonly #start: ThreadStart;
  readonly #kernels: Kernels;
  readonly #control: number;
  readonly #mail: number;
  readonly #mailbox: Mailbox;
  readonly #work: ThreadWork;
  #generation = 0;

  constructor(start: ThreadStart, kernels: Kernels) {
    this.#start = start;
    this.#kernels = kernels;
    this.#control = start.control >>> 2;
    this.#mail = start.mail >>> 2;
    this.#mailbox = new Mailbox(start.memory, this.#mail);
    this.#work = new ThreadWork(
      kernels,
      start.scratch,
      (a, b, time) => this.#mailbox.put(a, b, time),
      () => this.#mailbox.beat(),
    );
  }

  /** Waits for one query and does its share. False when it is to end. */
  serve(): boolean {
    const words = new Int32Array(this.#start.memory.buffer);
    const seen = this.#generation;
    for (let k = 0; k < SPINS && Atomics.load(words, this.#control + GENERATION) === seen; k++);
    Atomics.wait(words, this.#control + GENERATION, seen);
    this.#generation = Atomics.load(words, this.#control + GENERATION);
    if (Atomics.load(words, this.#control + STOP) === 1) return false;
    if (this.#begin()) {
      const count = Atomics.load(words, this.#control + PIECE_COUNT);
      for (;;) {
        if (Atomics.load(words, this.#mail + MAIL_RETIRED) === 1) return false;
        const piece = Atomics.add(words, this.#control + PIECE, 1);
        if (piece >= count) break;
        this.#take(piece);
      }
    }
    Atomics.store(words, this.#mail + MAIL_FINISHED, this.#generation);
    return true;
  }

  /** False when there is no memory for it: then the others do it without this thread. */
  #begin(): boolean {
    try {
      this.#kernels.memory.refresh();
      this.#mailbox.open();
      this.#work.begin(readQuery(this.#kernels.memory.u32, this.#control + QUERY));
      return true;
    } catch {
      return false;
    }
  }

  #take(piece: number): void {
    const { i32: words, u32 } = this.#kernels.memory; // as large as it was when the query was published
    const { thread } = this.#start;
    const { counters } = this.#work;
    const o = (u32[this.#control + PIECES] >>> 2) + PIECE_WORDS * piece;
    const open = isOpen(this.#generation),
      taken = isTaken(this.#generation, thread);
    this.#mailbox.begin(piece, counters);
    if (Atomics.compareExchange(words, o + PIECE_STATE, open, taken) !== open) return;
    let isWhole = false;
    try {
      this.#work.run(u32[o], u32[o + 1], u32[o + 2]);
      this.#mailbox.end(counters);
      isWhole = true;
    } catch {
      this.#mailbox.drop(counters);
    }
    // What has failed here is left to the main thread, which fails with the reason or does it.
    const next = isWhole ? isDone(this.#generation, thread) : open;
    if (Atomics.compareExchange(words, o + PIECE_STATE, taken, next) !== taken) this.#mailbox.drop(counters);
  }
}

type PieceCounters = Pick<ThreadWork['counters'], 'nodePairsTested' | 'trianglePairsTested' | 'exactTests'>;

class Mailbox {
  readonly #memory: WebAssembly.Memory;
  readonly #head: number;
  #words!: Int32Array;
  #times!: Float64Array;

  constructor(memory: WebAssembly.Memory, head: number) {
    this.#memory = memory;
    this.#head = head;
  }

  open(): void {
    this.#words = new Int32Array(this.#memory.buffer);
    this.#times = new Float64Array(this.#memory.buffer);
  }

  /** Before a piece is taken: from here on its pairs follow. */
  begin(piece: number, counters: PieceCounters): void {
    const words = this.#words;
    words[this.#head + MAIL_PIECE] = piece;
    words[this.#head + MAIL_BEGIN] = words[this.#head + MAIL_COUNT];
    this.#write(MAIL_BEGIN_COUNTERS, counters);
  }

  end(counters: PieceCounters): void {
    this.#write(MAIL_COUNTERS, counters);
  }

  /** The piece under way counts for nothing. */
  drop(counters: PieceCounters): void {
    const words = this.#words;
    const from = this.#head + MAIL_BEGIN_COUNTERS;
    counters.nodePairsTested = words[from];
    counters.trianglePairsTested = words[from + 1];
    counters.exactTests = words[from + 2];
    words[this.#head + MAIL_COUNT] = words[this.#head + MAIL_BEGIN];
    this.end(counters);
  }

  /** Says that this thread gets on; throws when nobody waits for it any longer. */
  beat(): void {
    const words = this.#words;
    words[this.#head + MAIL_BEAT]++;
    if (Atomics.load(words, this.#head + MAIL_RETIRED) === 1) throw new Error('this thread is retired');
  }

  put(slotA: number, slotB: number, time: number): void {
    const words = this.#words;
    if (words[this.#head + MAIL_COUNT] === MAIL_ROOM) {
      Atomics.store(words, this.#head + MAIL_STATE, FULL);
      Atomics.wait(words, this.#head + MAIL_STATE, FULL);
      if (Atomics.load(words, this.#head + MAIL_STATE) !== OPEN) throw new Error('the main thread is gone');
    }
    const o = this.#head + MAIL_HEAD_WORDS + 4 * words[this.#head + MAIL_COUNT]++;
    words[o] = slotA;
    words[o + 1] = slotB;
    this.#times[(o + 2) >>> 1] = time;
  }

  #write(to: number, { nodePairsTested, trianglePairsTested, exactTests }: PieceCounters): void {
    const words = this.#words;
    words[this.#head + to] = nodePairsTested;
    words[this.#head + to + 1] = trianglePairsTested;
    words[this.#head + to + 2] = exactTests;
  }
}
