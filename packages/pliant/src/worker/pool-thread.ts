import type { KernelMemory } from '../kernels/memory.ts';
import { livenessOf, type ThreadWorker } from './start-worker.ts';
import {
  FULL,
  MAIL_BEAT,
  MAIL_BEGIN,
  MAIL_BEGIN_COUNTERS,
  MAIL_COUNT,
  MAIL_COUNTERS,
  MAIL_FINISHED,
  MAIL_GONE,
  MAIL_HEAD_WORDS,
  MAIL_PIECE,
  MAIL_QUERY_WORDS,
  MAIL_RETIRED,
  MAIL_STATE,
  OPEN,
} from './thread-protocol.ts';
import type { FoundPair } from './thread-work.ts';

/** Milliseconds without any progress after which a thread counts as ended, where the platform cannot tell. */
const SILENCE = 10_000;
/** What one look can add to that: a machine that was asleep says nothing about a thread. */
const LONGEST_LOOK = 50;

const NO_PIECE = -1;

/** One worker thread as the main thread sees it: its mailbox, and whether it still lives. */
export class PoolThread {
  readonly number: number;
  /** Counters of what this thread has done of the query: node pairs, triangle pairs, exact tests. */
  readonly counters = new Int32Array(3);
  readonly #memory: KernelMemory;
  readonly #head: number;
  readonly #held = new PairList(); // of the piece `#heldPiece`, which filled the mailbox before it was done
  #worker: ThreadWorker | undefined;
  #isAlive: (() => boolean) | undefined;
  #hasEnded = false;
  #heldPiece = NO_PIECE;
  #beat = 0;
  #silence = 0;

  constructor(memory: KernelMemory, number: number, mail: number) {
    this.#memory = memory;
    this.number = number;
    this.#head = mail >>> 2;
    memory.i32.fill(0, this.#head, this.#head + MAIL_HEAD_WORDS);
  }

  attach(worker: ThreadWorker): void {
    this.#worker = worker;
    this.#isAlive = livenessOf(worker);
  }

  /** The platform has said so. */
  end(): void {
    this.#hasEnded = true;
  }

  /** True once it has been told that the thread runs no more; asks nobody. */
  get hasEnded(): boolean {
    return this.#hasEnded || Atomics.load(this.#memory.i32, this.#head + MAIL_GONE) === 1;
  }

  get runs(): boolean {
    return !this.hasEnded && (this.#isAlive === undefined || this.#isAlive());
  }

  /** From now on nothing of what this thread does counts. */
  retire(): void {
    this.#hasEnded = true;
    Atomics.store(this.#memory.i32, this.#head + MAIL_RETIRED, 1);
    this.#worker?.terminate();
  }

  begin(): void {
    this.#memory.i32.fill(0, this.#head, this.#head + MAIL_QUERY_WORDS);
    this.#heldPiece = NO_PIECE;
    this.#held.count = 0;
    this.#beat = this.#silence = 0;
  }

  hasFinished(generation: number): boolean {
    return Atomics.load(this.#memory.i32, this.#head + MAIL_FINISHED) === generation;
  }

  /** Whether it is to be given up, `milliseconds` after the last look. */
  isLost(milliseconds: number): boolean {
    if (!this.runs) return true;
    if (this.#isAlive !== undefined) return false;
    const beat = Atomics.load(this.#memory.i32, this.#head + MAIL_BEAT);
    this.#silence = beat === this.#beat ? this.#silence + Math.min(milliseconds, LONGEST_LOOK) : 0;
    this.#beat = beat;
    return this.#silence >= SILENCE;
  }

  /** Takes over what is in a full box, so that the thread can go on. */
  emptyIfFull(states: PieceStates, found: FoundPair): void {
    const { i32 } = this.#memory;
    const head = this.#head;
    if (Atomics.load(i32, head + MAIL_STATE) !== FULL) return;
    const piece = i32[head + MAIL_PIECE];
    if (piece !== this.#heldPiece) this.#release(states, found);
    this.#read(0, i32[head + MAIL_BEGIN], found);
    this.#heldPiece = piece;
    this.#read(i32[head + MAIL_BEGIN], i32[head + MAIL_COUNT], this.#held.add);
    i32[head + MAIL_COUNT] = i32[head + MAIL_BEGIN] = 0;
    Atomics.store(i32, head + MAIL_STATE, OPEN);
    Atomics.notify(i32, head + MAIL_STATE);
  }

  /** Takes over everything, of a thread that has finished. */
  empty(states: PieceStates, found: FoundPair): void {
    const { i32 } = this.#memory;
    this.#release(states, found);
    this.#read(0, i32[this.#head + MAIL_COUNT], found);
    for (let k = 0; k < 3; k++) this.counters[k] = i32[this.#head + MAIL_COUNTERS + k];
  }

  /**
   * Takes over the pieces that a retired thread has done. The one it was in the middle of is open again. Some threads
   * take a moment to end, so this waits until the thread stands still for one look.
   */
  salvage(states: PieceStates, found: FoundPair): void {
    const { i32 } = this.#memory;
    const head = this.#head;
    for (;;) {
      const piece = states.takenBy(this.number);
      const done = states.countDone(this.number);
      const isWithin = piece !== undefined;
      const count = Atomics.load(i32, head + (isWithin ? MAIL_BEGIN : MAIL_COUNT));
      if (states.takenBy(this.number) !== piece || states.countDone(this.number) !== done) continue;
      if (isWithin && !states.reopen(piece, this.number)) continue;
      this.#release(states, found);
      this.#read(0, count, found);
      const from = head + (isWithin ? MAIL_BEGIN_COUNTERS : MAIL_COUNTERS);
      for (let k = 0; k < 3; k++) this.counters[k] = i32[from + k];
      states.adopt(this.number);
      return;
    }
  }

  /** Pairs that were held back until their piece is done. */
  #release(states: PieceStates, found: FoundPair): void {
    if (this.#heldPiece !== NO_PIECE && states.isDoneBy(this.#heldPiece, this.number)) this.#held.tell(found);
    this.#heldPiece = NO_PIECE;
    this.#held.count = 0;
  }

  #read(from: number, to: number, found: FoundPair): void {
    const { u32, f64 } = this.#memory;
    for (let k = from; k < to; k++) {
      const o = this.#head + MAIL_HEAD_WORDS + 4 * k;
      found(u32[o], u32[o + 1], f64[(o + 2) >>> 1]);
    }
  }
}

/** Whose the pieces of the query under way are. */
export interface PieceStates {
  /** The piece that a thread is in the middle of: there is at most one. */
  takenBy(thread: number): number | undefined;
  /** False when the thread no longer has it. */
  reopen(piece: number, thread: number): boolean;
  isDoneBy(piece: number, thread: number): boolean;
  countDone(thread: number): number;
  /** What the thread has done so far counts as done by the main thread; what it does later does not count. */
  adopt(thread: number): void;
}

class PairList {
  count = 0;
  #data = new Float64Array(3 * 64);

  readonly add: FoundPair = (slotA, slotB, time) => {
    const o = 3 * this.count++;
    if (o === this.#data.length) {
      const larger = new Float64Array(2 * o);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[o] = slotA;
    this.#data[o + 1] = slotB;
    this.#data[o + 2] = time;
  };

  tell(found: FoundPair): void {
    const { count } = this;
    for (let k = 0; k < count; k++) found(this.#data[3 * k], this.#data[3 * k + 1], this.#data[3 * k + 2]);
  }
}
