import { finishHash, mixHash } from './hash.ts';

type Numbers = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

const LANES = 4;

/**
 * 128 bits that tell whether data is still what something was made from: different for arrays that differ in any bit,
 * in length or in type, the same on every machine. Not meant against forgery.
 */
export class ContentHash {
  readonly #lanes = Uint32Array.from({ length: LANES }, (_, k) => Math.imul(k + 1, 0x9e3779b1));

  /** −0 counts as 0: both are the same place. */
  addNumbers(values: Numbers): this {
    this.#addWord(values.length);
    this.#addWord(values.BYTES_PER_ELEMENT);
    if (values instanceof Float64Array || values instanceof Float32Array) {
      const one = new Float64Array(1),
        words = new Uint32Array(one.buffer);
      for (let k = 0; k < values.length; k++) {
        one[0] = values[k] + 0;
        const low = words[0];
        this.#addWord(low);
        this.#addWord(words[1]);
      }
    } else for (let k = 0; k < values.length; k++) this.#addWord(values[k]);
    return this;
  }

  addText(text: string): this {
    return this.addNumbers(new TextEncoder().encode(text));
  }

  /** 32 hexadecimal digits. */
  finish(): string {
    let sum = 0;
    for (const lane of this.#lanes) sum = mixHash(sum, lane);
    return Array.from(this.#lanes, (lane, k) =>
      (finishHash(lane ^ Math.imul(sum, 2 * k + 1)) >>> 0).toString(16).padStart(8, '0'),
    ).join('');
  }

  /** Each lane sees every word, in its own way. */
  #addWord(word: number): void {
    const lanes = this.#lanes;
    for (let k = 0; k < LANES; k++) lanes[k] = mixHash(lanes[k], word ^ Math.imul(k, 0x85ebca6b));
  }
}
