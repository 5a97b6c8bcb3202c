import { HEADER, ITEM, PATCH } from '../../../src/cull/energy/energy-layout.ts';
import { NONE } from '../../../src/cull/energy/energy-patches.ts';
import type { EnergyCertificate } from '../../../src/cull/index.ts';

export type Sums = 'exact' | 'loose';

/** What a certificate has in kernel memory. Grams are places in memory.f64; views are taken anew, memory may grow. */
export class ProgramView {
  readonly #certificate: EnergyCertificate;
  readonly #items: number;
  readonly #header: number;
  readonly #patchCount: number;

  constructor(certificate: EnergyCertificate) {
    const { header, items, patchCount } = certificate.program.layout;
    this.#certificate = certificate;
    this.#header = header >>> 2;
    this.#items = items;
    this.#patchCount = patchCount;
  }

  /** Items with a proof by energies. */
  get energyItems(): number[] {
    return this.#listItems((item) => this.limitOf(item) > 0);
  }

  /** Items with an outline. */
  get outlineItems(): number[] {
    return this.#listItems((item) => this.#memory.u32[this.#outlineAt(item) + 1] > 0);
  }

  /** Outlines are tried for all patches, as if they had served all of them. */
  preferOutlines(): void {
    const { u8, u32 } = this.#memory;
    const ways = u32[this.#header + HEADER.ways];
    u8.fill(1, ways, ways + u32[this.#header + HEADER.smallCount]);
  }

  /** Items get the outline of another one. */
  exchangeOutlines(items: readonly number[], other: number): void {
    const { u32 } = this.#memory;
    const o = this.#outlineAt(other);
    for (const item of items) u32.set(u32.slice(o, o + 2), this.#outlineAt(item));
  }

  /** Of this pose: every patch is taken for flat, in a direction of its own. */
  flattenCones(axisOf: (patch: number) => readonly number[]): void {
    const { u32, f32 } = this.#memory;
    const cones = u32[this.#header + HEADER.cones] >>> 2,
      stamps = u32[this.#header + HEADER.coneStamps] >>> 2;
    for (let k = 0; k < u32[this.#header + HEADER.smallCount]; k++) {
      f32.set([...axisOf(k), 0], cones + 4 * k);
      u32[stamps + k] = u32[this.#header + HEADER.stamp];
    }
  }

  /** Of small patches: axis and sine, or undefined where there is none in this pose. */
  listCones(): (number[] | undefined)[] {
    const { u32, f32 } = this.#memory;
    const cones = u32[this.#header + HEADER.cones] >>> 2,
      stamps = u32[this.#header + HEADER.coneStamps] >>> 2;
    return Array.from({ length: u32[this.#header + HEADER.smallCount] }, (_, k) => {
      const cone = [...f32.subarray(cones + 4 * k, cones + 4 * k + 4)];
      return u32[stamps + k] !== u32[this.#header + HEADER.stamp] || cone[3] > 1 ? undefined : cone;
    });
  }

  /** Of a small patch in this pose, or at an end of a motion: lo.xyz, hi.xyz. */
  boxOf(patch: number, end: 0 | 1 = 0): number[] {
    const { u32, f64 } = this.#memory;
    const o = (u32[this.#header + HEADER.boxes + end] >>> 3) + 6 * patch;
    return [...f64.subarray(o, o + 6)];
  }

  /** Proofs that reach further than they should. */
  scaleLimits(by: number): void {
    const { f64 } = this.#memory;
    for (let k = 0; k < this.#certificate.program.itemCount; k++) {
      f64[this.#limitAt(k, 'exact')] *= by;
      f64[this.#limitAt(k, 'loose')] *= by;
    }
  }

  setLimit(item: number, root: number): void {
    const { f64 } = this.#memory;
    for (const sums of ['exact', 'loose'] as const) {
      if (f64[this.#limitAt(item, sums)] > 0) f64[this.#limitAt(item, sums)] = root;
    }
  }

  /** Rounding is taken for nothing: it is of Lx, of LX and of Grams. */
  forgetRounding(): void {
    const { f64 } = this.#memory;
    for (let k = 0; k < this.#certificate.program.itemCount; k++) {
      for (const sums of ['exact', 'loose'] as const) {
        const o = this.#limitAt(k, sums);
        f64.fill(0, o + 1, o + 4);
      }
    }
  }

  /** No loose Grams, so that exact ones are there. */
  useExact(): void {
    const { f64 } = this.#memory;
    for (let k = 0; k < this.#certificate.program.itemCount; k++) f64[this.#limitAt(k, 'loose')] = 0;
  }

  gramOf(patch: number): number {
    return this.#gramsAt('exact', 0) + 16 * patch;
  }

  looseOf(patch: number): number {
    return this.#gramsAt('loose', 0) + 16 * patch;
  }

  /** Of an item that has just been tested. */
  gramOfItem(item: number): number {
    return this.gramsOfItem(item, 'exact')[0];
  }

  /** The same at both ends of a motion; none of a kind that it does without. */
  gramsOfItem(item: number, sums: Sums): number[] {
    const { f64, u32 } = this.#memory;
    if (f64[this.#limitAt(item, sums)] === 0) return [];
    const [patch, other] = this.patchesOf(item);
    const ends = u32[this.#header + HEADER.swept] === 1 ? [0, 1] : [0];
    return ends.map(
      (end) => this.#gramsAt(sums, end) + 16 * (other === undefined ? patch : this.#patchCount),
    );
  }

  /** True when energies of the start are those of the last end. */
  get goesOn(): boolean {
    return this.#memory.u32[this.#header + HEADER.known] !== NONE;
  }

  /** One patch, or two. */
  patchesOf(item: number): number[] {
    const o = (this.#items + ITEM * item) >>> 2;
    return [...this.#memory.u32.subarray(o, o + 2)].filter((patch) => patch !== NONE);
  }

  /** Small patches that an item's energies are summed from. */
  smallPatchesOf(item: number): number[] {
    const { u32 } = this.#memory;
    const table = u32[this.#header + HEADER.patches] >>> 2;
    const below = (patch: number): number[] => {
      const o = table + (PATCH >>> 2) * patch;
      return u32[o] === NONE ? [patch] : [...below(u32[o]), ...below(u32[o + 1])];
    };
    return this.patchesOf(item).flatMap(below);
  }

  /** √ℰ of an item. */
  limitOf(item: number): number {
    return this.#memory.f64[this.#limitAt(item, 'exact')];
  }

  /** The square of √ℰ that is left when an item has just been tested with an A of these squares: rounding is taken off. */
  limitAfterRounding(item: number, squares: number): number {
    const { f64 } = this.#memory;
    const [patch, other] = this.patchesOf(item);
    const k = other === undefined ? patch : this.#patchCount;
    const trace = (o: number, ...at: number[]) => at.reduce((sum, c) => sum + f64[o + c], 0);
    const o = this.#limitAt(item, 'exact');
    const [limit, perReach, rest, perSize] = f64.subarray(o, o + 4);
    const sizes = trace(this.#limitAt(item, 'loose'), 4, 7, 9) + squares * trace(this.looseOf(k), 0, 3, 7);
    const root = limit - Math.sqrt(squares) * perReach * f64[this.gramOf(k) + 2] - rest;
    return Math.max(0, root) ** 2 - perSize * sizes - 4 * Math.sqrt(sizes) * rest;
  }

  /** Small patches whose boxes are needed. */
  listMarked(): number[] {
    const { u8, u32 } = this.#memory;
    const first = u32[this.#header + HEADER.marks],
      count = u32[this.#header + HEADER.smallCount];
    return [...u8.subarray(first, first + count)].flatMap((mark, k) => (mark ? [k] : []));
  }

  get #memory() {
    return this.#certificate.body.engine.kernels.memory;
  }

  #gramsAt(sums: Sums, end: number): number {
    return this.#memory.u32[this.#header + (sums === 'exact' ? HEADER.grams : HEADER.loose) + end] >>> 3;
  }

  #listItems(isOne: (item: number) => boolean): number[] {
    return Array.from({ length: this.#certificate.program.itemCount }, (_, item) => item).filter(isOne);
  }

  #outlineAt(item: number): number {
    return ((this.#items + ITEM * item) >>> 2) + 52;
  }

  #limitAt(item: number, sums: Sums): number {
    return ((this.#items + ITEM * item) >>> 3) + (sums === 'exact' ? 6 : 16);
  }
}
