import { instantiate } from '../kernels/wasm-kernels.ts';
import {
  BUSY,
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
import { readQuery, ThreadWork } from './thread-work.ts';

/** How often to look for work before going to sleep: some tens of microseconds. */
const SPINS = 3000;

/** The life of a worker thread: waits for queries and does its share of each, until told to stop. */
export function serveThread(start: ThreadStart): void {
  const kernels = instantiate(start.module, start.memory);
  const control = start.control >>> 2,
    mail = start.mail >>> 2;
  const mailbox = new Mailbox(start.memory, mail);
  const work = new ThreadWork(kernels, start.scratch, (a, b, time) => mailbox.put(a, b, time));
  let seen = 0;
  for (;;) {
    const words = new Int32Array(start.memory.buffer);
    for (let k = 0; k < SPINS && Atomics.load(words, control + GENERATION) === seen; k++);
    Atomics.wait(words, control + GENERATION, seen);
    seen = Atomics.load(words, control + GENERATION);
    if (Atomics.load(words, control + STOP) === 1) return;
    try {
      kernels.memory.refresh();
      mailbox.open();
      work.begin(readQuery(kernels.memory.u32, control + QUERY));
      const { u32 } = kernels.memory;
      const count = Atomics.load(words, control + PIECE_COUNT),
        pieces = u32[control + PIECES] >>> 2;
      for (;;) {
        const piece = Atomics.add(words, control + PIECE, 1);
        if (piece >= count) break;
        const o = pieces + 3 * piece;
        work.run(u32[o], u32[o + 1], u32[o + 2]);
      }
      const { nodePairsTested, trianglePairsTested, exactTests } = work.counters;
      words[mail + MAIL_NODE_PAIRS] = nodePairsTested;
      words[mail + MAIL_TRIANGLE_PAIRS] = trianglePairsTested;
      words[mail + MAIL_EXACT] = exactTests;
    } catch {
      Atomics.store(words, mail + MAIL_STATE, FAILED);
    }
    Atomics.sub(words, control + BUSY, 1);
  }
}

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
}
