import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import { arrayStore, KernelMemory } from '../../kernels/memory.ts';
import { createTsKernels } from '../../kernels/ts-kernels.ts';
import { runSlices, type SliceOptions } from '../../long-work/in-slices.ts';
import { pause } from '../../long-work/pause.ts';
import type { TaskPool } from '../../long-work/task-pool.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage } from '../types.ts';
import { type BasisGroup, createGroup } from './basis-group.ts';
import { type BasisProblem, GROUP_TASK, GroupSolver } from './basis-problem.ts';
import { NONE } from './farthest-points.ts';
import { GroupMemory } from './group-memory.ts';
import type { Hierarchy } from './hierarchy.ts';
import { createJumpOperator } from './jump-operator.ts';
import { Projections } from './projections.ts';

/** What a basis begins with. @internal */
export interface BasisParts {
  readonly cage: Cage;
  readonly laplacian: SymmetricMatrix;
  readonly hierarchy: Hierarchy;
  /** Default: made when a group has to be computed. */
  readonly operator?: SymmetricMatrix;
  readonly pool?: TaskPool;
  readonly projectionBytes: number;
  /** Default: one in a memory of its own. */
  readonly memory?: GroupMemory;
}

/**
 * Smooth functions on a cage, from global ones to ones that a single vertex stands for. Group 0 is global and always
 * there; others are computed when they are first needed, or before by `prefetch`. Any set of them is linearly
 * independent. Made by `createShapeBasis` or `readShapeBasis`.
 *
 * Positions are W₀ v₀ + Σ W_g v_g, with places v₀ of the global manipulators and displacements v_g: at rest v₀ is
 * where they are and v_g is 0. Affine maps act on v₀, their linear part on v_g.
 */
export class ShapeBasis {
  readonly cage: Cage;
  readonly laplacian: SymmetricMatrix;
  readonly hierarchy: Hierarchy;
  readonly groupCount: number;
  /** Where groups are while something is computed with them. @internal */
  readonly memory: GroupMemory;
  readonly #groups = new Map<number, BasisGroup>();
  readonly #pending = new Map<number, Promise<BasisGroup>>();
  readonly #projections: Projections;
  readonly #pool: TaskPool | undefined;
  readonly #stops = new Set<AbortController>(); // of work under way
  #isDisposed = false;
  #operator: SymmetricMatrix | undefined;
  #problem: BasisProblem | undefined;
  #solver: GroupSolver | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #boxes: Float64Array; // low and high per group, NaN when not known

  /** @internal */
  constructor(parts: BasisParts) {
    const { cage, laplacian, hierarchy, operator, pool, projectionBytes } = parts;
    this.cage = cage;
    this.laplacian = laplacian;
    this.hierarchy = hierarchy;
    this.groupCount = hierarchy.groupCount;
    this.#operator = operator;
    this.#pool = pool;
    this.memory = parts.memory ?? new GroupMemory(createTsKernels(new KernelMemory(arrayStore())));
    this.#projections = new Projections(laplacian, this.memory, projectionBytes);
    this.#boxes = new Float64Array(6 * hierarchy.groupCount).fill(Number.NaN);
  }

  get global(): BasisGroup {
    return this.ensure(0);
  }

  /** How many levels there are, the global one included. */
  get levels(): number {
    return this.hierarchy.levels;
  }

  isReady(id: number): boolean {
    return this.#groups.has(this.#check(id));
  }

  /** Undefined when it has not been computed yet. */
  group(id: number): BasisGroup | undefined {
    return this.#groups.get(this.#check(id));
  }

  /** Computes the group here and now if need be: below level 1 that takes milliseconds. */
  ensure(id: number): BasisGroup {
    return this.group(id) ?? this.#keep(id, this.#readySolver().solve(id));
  }

  /** All of these groups, computed by workers where there are some, else in slices. The numbers are the same. */
  async ensureAsync(
    ids: readonly number[],
    options: Omit<SliceOptions, 'signal'> = {},
  ): Promise<readonly BasisGroup[]> {
    const { onProgress, slice } = options;
    const effort = ids.map((id) => this.#effortOf(this.#check(id)));
    const total = effort.reduce((sum, work) => sum + work, 0);
    const done = new Float64Array(ids.length);
    return Promise.all(
      ids.map(async (id, k) => {
        const report = (share: number) => {
          done[k] = share * effort[k];
          onProgress?.(done.reduce((sum, work) => sum + work, 0) / total);
        };
        const group = await this.#request(id, slice, report);
        report(1);
        return group;
      }),
    );
  }

  /** Begins to compute groups that may soon be needed. What goes wrong will show when they are. */
  prefetch(ids: readonly number[]): void {
    this.ensureAsync(ids.filter((id) => !this.isReady(id))).catch(() => {});
  }

  /** The group of a level whose manipulators lie around a vertex of the cage; −1 when there is none. */
  groupAt(level: number, vertex: number): number {
    const { levels, vertexCount, cell, childGroup } = this.hierarchy;
    if (level === 0) return 0;
    if (!(level > 0 && level < levels)) return -1;
    const node = cell[(level - 1) * vertexCount + vertex];
    const group = node === NONE ? NONE : childGroup[node];
    return group === NONE ? -1 : group;
  }

  levelOf(id: number): number {
    return this.hierarchy.groupLevel[this.#check(id)];
  }

  /** The group to which the node belongs whose children form the group; −1 for the global one. */
  parent(id: number): number {
    const { groupStart, parent, vertex } = this.hierarchy;
    const node = parent[groupStart[this.#check(id)]];
    return node === NONE ? -1 : this.groupAt(this.levelOf(id) - 1, vertex[node]);
  }

  /** The groups that the children of its manipulators form. */
  childGroups(id: number): number[] {
    const { groupStart, childGroup } = this.hierarchy;
    const groups = childGroup.subarray(groupStart[this.#check(id)], groupStart[id + 1]);
    return Array.from(groups).filter((group) => group !== NONE);
  }

  /** The other groups of its level that its region reaches into: those that are likely to be needed next. */
  neighbours(id: number): number[] {
    const { rowStart, row } = this.hierarchy;
    const level = this.levelOf(id);
    const found = new Set<number>();
    for (let i = rowStart[id]; i < rowStart[id + 1]; i++) found.add(this.groupAt(level, row[i]));
    found.delete(id);
    found.delete(-1);
    return [...found].sort((a, b) => a - b);
  }

  /** Per vertex of the cage: which cell it lies in, of this level or the deepest one above; cells are counted from 0. */
  clusters(level: number): Uint32Array {
    const { vertexCount, cell, levels, nodeCount } = this.hierarchy;
    const label = cell.slice(0, vertexCount);
    for (let l = 1; l <= Math.min(level, levels - 1); l++) {
      for (let v = 0; v < vertexCount; v++) {
        const node = cell[l * vertexCount + v];
        if (node !== NONE) label[v] = node;
      }
    }
    const number = new Uint32Array(nodeCount);
    for (let v = 0; v < vertexCount; v++) number[label[v]] = 1;
    for (let node = 0, count = 0; node < nodeCount; node++) if (number[node] === 1) number[node] = count++;
    return label.map((node) => number[node]);
  }

  /** Wₐᵀ L W_b, columns of `a` × columns of `b`, row by row. Kept here: not to be written to. */
  projection(a: number, b: number): Float64Array {
    if (this.#isDisposed) throw disposed();
    return this.#projections.block(this.ensure(a), this.ensure(b));
  }

  /** False proves that Wₐᵀ L W_b is zero. */
  areCoupled(a: number, b: number): boolean {
    const o = this.#boxOf(a),
      p = this.#boxOf(b),
      boxes = this.#boxes;
    for (let k = 0; k < 3; k++) {
      if (boxes[o + k] > boxes[p + 3 + k] || boxes[p + k] > boxes[o + 3 + k]) return false;
    }
    return true;
  }

  /** What the projections take that may be forgotten, in bytes. */
  get projectionBytes(): number {
    return this.#projections.bytes;
  }

  /** The groups that are ready, by number. */
  readyGroups(): BasisGroup[] {
    return [...this.#groups.values()].sort((a, b) => a.id - b.id);
  }

  /** Computes the projections of the large groups that are ready, in slices, so that no step has to wait for them. */
  prepareProjections(options: SliceOptions = {}): Promise<void> {
    return runSlices(this.#projectionSteps(), options);
  }

  /** Takes over weights computed elsewhere. @internal */
  adopt(id: number, weights: Float32Array): BasisGroup {
    return this.group(id) ?? this.#keep(id, weights);
  }

  /** Ends work under way; what was prefetched but is not ready is rejected. */
  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#stops) stop.abort(disposed());
    if (this.#problem !== undefined) this.#pool?.release(this.#problem);
    this.#projections.dispose();
  }

  *#projectionSteps(): Generator<number, void> {
    const large = this.readyGroups().filter(({ level }) => level <= 1);
    for (const share of this.#projections.pin(large, (a, b) => this.areCoupled(a, b))) {
      yield share;
      if (this.#isDisposed) throw disposed();
    }
  }

  #check(id: number): number {
    if (Number.isInteger(id) && id >= 0 && id < this.groupCount) return id;
    throw new InputError('index-out-of-range', `there is no group ${id}; there are ${this.groupCount}`);
  }

  #keep(id: number, weights: Float32Array): BasisGroup {
    const group = createGroup(this.hierarchy, id, weights);
    this.#groups.set(id, group);
    return group;
  }

  #request(id: number, slice: number | undefined, onProgress: (share: number) => void): Promise<BasisGroup> {
    const ready = this.group(id);
    if (ready !== undefined) return Promise.resolve(ready);
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    if (this.#isDisposed) return Promise.reject(disposed());
    const stop = new AbortController(); // one each: hundreds may wait at a time
    const { signal } = stop;
    this.#stops.add(stop);
    let work: Promise<Float32Array>;
    if (this.#pool !== undefined) {
      work = this.#pool.run(GROUP_TASK, id, { shared: this.#readyProblem(), signal, onProgress });
    } else {
      // One after another: they share a memory. Many are shorter than a slice.
      work = this.#queue.then(pause).then(() => {
        const done = this.group(id)?.weights; // asked for meanwhile
        return done ?? runSlices(this.#readySolver().steps(id), { signal, slice, onProgress });
      });
      this.#queue = work.catch(() => {});
    }
    const group = work
      .then((weights) => this.adopt(id, weights))
      .finally(() => {
        this.#pending.delete(id);
        this.#stops.delete(stop);
      });
    this.#pending.set(id, group);
    return group;
  }

  #readyProblem(): BasisProblem {
    const { positions } = this.cage.tetrahedra;
    this.#operator ??= createJumpOperator(this.cage);
    this.#problem ??= { positions, operator: this.#operator, hierarchy: this.hierarchy };
    return this.#problem;
  }

  #readySolver(): GroupSolver {
    this.#solver ??= new GroupSolver(this.#readyProblem());
    return this.#solver;
  }

  /** Factorising takes more than in proportion. */
  #effortOf(id: number): number {
    const { rowStart, groupStart } = this.hierarchy;
    return (rowStart[id + 1] - rowStart[id]) ** 1.5 * (20 + groupStart[id + 1] - groupStart[id]);
  }

  /** Of its rows and everything that L joins to them. */
  #boxOf(id: number): number {
    const o = 6 * this.#check(id),
      boxes = this.#boxes;
    if (!Number.isNaN(boxes[o])) return o;
    const { rowStart, row } = this.hierarchy;
    const { positions } = this.cage.tetrahedra;
    const { start, row: below } = this.laplacian;
    boxes.fill(Infinity, o, o + 3);
    boxes.fill(-Infinity, o + 3, o + 6);
    const grow = (v: number) => {
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Math.min(boxes[o + k], positions[3 * v + k]);
        boxes[o + 3 + k] = Math.max(boxes[o + 3 + k], positions[3 * v + k]);
      }
    };
    // Each pair of L stands in the column of one of its ends, which is enough when both boxes are grown.
    for (let i = rowStart[id]; i < rowStart[id + 1]; i++) {
      grow(row[i]);
      for (let p = start[row[i]]; p < start[row[i] + 1]; p++) grow(below[p]);
    }
    return o;
  }
}

function disposed(): InputError {
  return new InputError('disposed', 'this basis has been disposed of');
}
