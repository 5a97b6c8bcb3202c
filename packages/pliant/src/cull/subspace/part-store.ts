import { describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { type BallHash, readPart, type StoredPart, writePart, writeReach } from './part-bytes.ts';
import type { RadiusPart } from './radius-parts.ts';
import type { Reach } from './reach.ts';

/** Work that can be stored while it goes on, and taken up again. */
export interface PartOptions {
  /**
   * Told the bytes of every part of the work as soon as it is done, in no particular order. Stored, and handed in as
   * `parts`, they let an interrupted preparation go on where it was.
   */
  onPart?: (part: Uint8Array) => void;
  /**
   * What `onPart` was told before, in any order; none needs to be missing or there. Parts of another body or of other
   * options are refused with 'mismatch', damaged ones with 'syntax', those of another version with 'unsupported'.
   */
  parts?: Iterable<Uint8Array>;
}

/** The stored parts of one centre, and where new ones go. */
export class BallParts {
  reach: Reach | undefined;
  readonly #hash: BallHash | undefined; // undefined: nobody wants to know
  readonly #onPart: ((part: Uint8Array) => void) | undefined;
  readonly #parts = new Map<number, RadiusPart>();

  constructor(hash?: BallHash, onPart?: (part: Uint8Array) => void) {
    this.#hash = hash;
    this.#onPart = onPart;
  }

  get(index: number): RadiusPart | undefined {
    return this.#parts.get(index);
  }

  known(): Iterable<[number, RadiusPart]> {
    return this.#parts;
  }

  add({ index, part, isWhole }: StoredPart): void {
    const { radius: cap, evaluations, cappedPairs, givenUp } = part;
    if (index === undefined) this.reach = { cap, isWhole, evaluations, cappedPairs, givenUp };
    else this.#parts.set(index, part);
  }

  keep(index: number, part: RadiusPart): void {
    if (this.#hash !== undefined) this.#onPart?.(writePart(this.#hash, index, part));
  }

  keepReach(reach: Reach): void {
    if (this.#hash !== undefined) this.#onPart?.(writeReach(this.#hash, reach));
  }
}

/** Of each centre. `hashes` is only asked when parts come in or go out. */
export function openParts(
  { onPart, parts }: PartOptions,
  count: number,
  hashes: () => readonly BallHash[],
): BallParts[] {
  if (onPart !== undefined && typeof onPart !== 'function') {
    throw new InputError('bad-option', `onPart must be a function, not ${describe(onPart)}`);
  }
  if (onPart === undefined && parts === undefined) {
    return Array.from({ length: count }, () => new BallParts());
  }
  const known = hashes();
  const stores = known.map((hash) => new BallParts(hash, onPart));
  if (parts === undefined) return stores;
  if (typeof parts !== 'object' || parts === null || !(Symbol.iterator in parts)) {
    throw new InputError('bad-option', `parts must be a list of bytes, not ${describe(parts)}`);
  }
  let k = 0;
  for (const bytes of parts) {
    const where = `parts[${k++}]`;
    if (!(bytes instanceof Uint8Array)) {
      throw new InputError('wrong-type', `${where} must be a Uint8Array, not ${describe(bytes)}`);
    }
    const stored = readPart(bytes, where);
    const ball = known.indexOf(stored.hash);
    if (ball < 0) throw new InputError('mismatch', `${where} belongs to another body or to other options`);
    stores[ball].add(stored);
  }
  return stores;
}
