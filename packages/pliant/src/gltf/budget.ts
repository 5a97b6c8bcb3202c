import type { JsonCheck } from './json-check.ts';

const MOST = 2 ** 31;
const HARMLESS = 2 ** 26; // a bomb this small does no harm
const RATIO = 256; // compressed, sparse and shared data unpack to far less

/**
 * Bytes that may be set aside while reading one file. Accessors need no bytes in the file (sparse ones), or share
 * them, so a small file can ask for any amount: everything is asked for here before it is allocated.
 */
export class Budget {
  readonly limit: number;
  #left: number;
  readonly #check: JsonCheck;

  constructor(check: JsonCheck, fileBytes: number, maxBytes = MOST) {
    this.#check = check;
    this.limit = Math.min(maxBytes, Math.max(HARMLESS, RATIO * fileBytes));
    this.#left = this.limit;
  }

  take(bytes: number, what: string): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    this.#check.fail(
      'too-large',
      `${what} needs ${bytes} bytes; with what came before, above the limit of ${this.limit}`,
    );
  }
}
