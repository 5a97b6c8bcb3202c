import type { Accessor, ElementArray } from './accessors.ts';
import type { JsonCheck } from './json-check.ts';

/** Decoded elements, read as float64. */
export class Elements {
  readonly #check: JsonCheck;
  readonly #arrays: ReadonlyMap<number, ElementArray>;
  readonly #doubles = new Map<number, Float64Array>();

  constructor(check: JsonCheck, arrays: ReadonlyMap<number, ElementArray>) {
    this.#check = check;
    this.#arrays = arrays;
  }

  raw(accessor: Accessor): ElementArray {
    return this.#arrays.get(accessor.index)!;
  }

  /** All numbers of the accessor, finite; the same array for everyone who asks. */
  doubles(accessor: Accessor, where: string): Float64Array {
    let doubles = this.#doubles.get(accessor.index);
    if (doubles === undefined) {
      doubles = new Float64Array(accessor.count * accessor.size);
      this.copy(accessor, where, doubles, 0);
      this.#doubles.set(accessor.index, doubles);
    }
    return doubles;
  }

  /** Writes all numbers to `out`; normalised integers become fractions. */
  copy(accessor: Accessor, where: string, out: Float64Array, offset: number): void {
    const raw = this.raw(accessor);
    if (!accessor.normalized) out.set(raw, offset);
    else normalise(raw, out, offset);
    if (!(raw instanceof Float32Array)) return;
    for (let i = 0; i < raw.length; i++) {
      if (Number.isFinite(raw[i])) continue;
      const element = Math.floor(i / accessor.size);
      const component = accessor.size > 1 ? `, component ${i % accessor.size},` : '';
      this.#check.fail('not-finite', `${where}: element ${element}${component} is ${raw[i]}`);
    }
  }
}

/** c / 255 and the like; of a signed type the lowest value counts as the second lowest, −1. */
function normalise(raw: ElementArray, out: Float64Array, offset: number): void {
  const isSigned = raw instanceof Int8Array || raw instanceof Int16Array;
  const one = 2 ** (8 * raw.BYTES_PER_ELEMENT - (isSigned ? 1 : 0)) - 1;
  for (let i = 0; i < raw.length; i++) out[offset + i] = Math.max(raw[i] / one, -1);
}
