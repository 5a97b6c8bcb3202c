import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { FunctionGroup, GroupMemory, PlacedGroup } from '../basis/group-memory.ts';
import { KernelRows } from './kernel-rows.ts';

/** A group in use: its columns are [first, first + group.columns) of the basis. */
export interface ActiveGroup {
  readonly group: FunctionGroup;
  first: number;
}

interface HeldGroup extends ActiveGroup {
  readonly placed: PlacedGroup;
}

/**
 * The functions U that a shape is made of just now, p = U v: groups one after the other, the first of which has all
 * vertices and stays. Coefficients v are three rows, one per axis.
 */
export class WorkingBasis {
  readonly vertexCount: number;
  /** Three rows of `columns`. */
  readonly v: KernelRows;
  readonly #kernels: AllKernels;
  readonly #memory: GroupMemory;
  readonly #groups: HeldGroup[] = [];
  readonly #byId = new Map<number, HeldGroup>();
  #columns = 0;
  // Which groups a vertex has a row in, as linked lists; the first group is left out.
  readonly #head: Int32Array;
  #next = new Int32Array(1024);
  #groupOf = new Int32Array(1024);
  #rowOf = new Int32Array(1024);
  #entries = 0;

  constructor(memory: GroupMemory, global: FunctionGroup) {
    const { kernels } = memory;
    this.#kernels = kernels;
    this.#memory = memory;
    this.vertexCount = global.rows.length;
    this.v = new KernelRows(kernels.memory);
    this.#head = new Int32Array(this.vertexCount).fill(-1);
    this.add(global);
  }

  get columns(): number {
    return this.#columns;
  }

  get groups(): readonly ActiveGroup[] {
    return this.#groups;
  }

  has(id: number): boolean {
    return this.#byId.has(id);
  }

  get(id: number): ActiveGroup | undefined {
    return this.#byId.get(id);
  }

  /** Appends a group with coefficients of 0. */
  add(group: FunctionGroup): ActiveGroup {
    const isGlobal = this.#groups.length === 0;
    const held = { group, first: this.#columns, placed: this.#memory.hold(group) };
    this.#groups.push(held);
    this.#byId.set(group.id, held);
    this.#columns += group.columns;
    this.v.reserve(3, this.#columns);
    const { f64 } = this.v;
    for (let axis = 0; axis < 3; axis++) {
      const o = this.v.offset(axis);
      f64.fill(0, o + held.first, o + this.#columns);
    }
    if (!isGlobal) this.#list(this.#groups.length - 1);
    return held;
  }

  /** Takes groups away, and gives their columns as [first, count), ascending. */
  remove(ids: ReadonlySet<number>): [number, number][] {
    const ranges: [number, number][] = [];
    const kept: HeldGroup[] = [];
    const { f64 } = this.v;
    let columns = 0;
    this.#groups.forEach((held, k) => {
      const { group, first } = held;
      if (k > 0 && ids.has(group.id)) {
        ranges.push([first, group.columns]);
        this.#byId.delete(group.id);
        this.#memory.release(group.id);
        return;
      }
      for (let axis = 0; columns < first && axis < 3; axis++) {
        const o = this.v.offset(axis);
        f64.copyWithin(o + columns, o + first, o + first + group.columns);
      }
      held.first = columns;
      columns += group.columns;
      kept.push(held);
    });
    if (ranges.length === 0) return ranges;
    this.#groups.splice(0, this.#groups.length, ...kept);
    this.#columns = columns;
    this.#head.fill(-1);
    this.#entries = 0;
    for (let k = 1; k < kept.length; k++) this.#list(k);
    return ranges;
  }

  /** p = U v at all vertices: three f64 each at an address in kernel memory. */
  gather(p: number, v: KernelRows = this.v): void {
    this.#groups.forEach(({ group, first, placed }, k) => {
      this.#kernels.gatherGroup(
        placed.rows,
        group.rows.length,
        placed.weights,
        group.columns,
        v.address + 8 * first,
        v.stride,
        p,
        k === 0 ? 0 : 1,
      );
    });
  }

  /** out = Uᵀ b: three rows. */
  project(b: number, out: KernelRows): void {
    out.reserve(3, this.#columns);
    const { f64 } = out;
    for (let axis = 0; axis < 3; axis++) {
      const o = out.offset(axis);
      f64.fill(0, o, o + this.#columns);
    }
    for (const { group, first, placed } of this.#groups) {
      this.#kernels.projectGroup(
        placed.rows,
        group.rows.length,
        placed.weights,
        group.columns,
        b,
        out.address + 8 * first,
        out.stride,
      );
    }
  }

  /** Adds `weight` times the row of U at a vertex, from column `from` on, to numbers that begin at `f64[out]`. */
  addRow(vertex: number, weight: number, from: number, f64: Float64Array, out: number): void {
    const global = this.#groups[0];
    this.#addGroupRow(global, vertex, weight, from, f64, out);
    for (let e = this.#head[vertex]; e >= 0; e = this.#next[e]) {
      this.#addGroupRow(this.#groups[this.#groupOf[e]], this.#rowOf[e], weight, from, f64, out);
    }
  }

  dispose(): void {
    for (const { group } of this.#groups) this.#memory.release(group.id);
    this.#groups.length = 0;
    this.v.dispose();
  }

  #addGroupRow(
    { group, first }: ActiveGroup,
    row: number,
    weight: number,
    from: number,
    f64: Float64Array,
    out: number,
  ): void {
    const { columns, weights } = group;
    if (first + columns <= from) return;
    for (let k = Math.max(0, from - first), w = row * columns; k < columns; k++) {
      f64[out + first + k] += weight * weights[w + k];
    }
  }

  #list(index: number): void {
    const { rows } = this.#groups[index].group;
    if (this.#entries + rows.length > this.#next.length) this.#growLists(this.#entries + rows.length);
    for (let row = 0; row < rows.length; row++) {
      const e = this.#entries++,
        vertex = rows[row];
      this.#groupOf[e] = index;
      this.#rowOf[e] = row;
      this.#next[e] = this.#head[vertex];
      this.#head[vertex] = e;
    }
  }

  #growLists(least: number): void {
    const larger = (before: Int32Array) => {
      const after = new Int32Array(Math.max(least, 2 * before.length));
      after.set(before);
      return after;
    };
    this.#next = larger(this.#next);
    this.#groupOf = larger(this.#groupOf);
    this.#rowOf = larger(this.#rowOf);
  }
}
