import type { Kernels } from '../../kernels/kernels.ts';
import type { ResidentEnergy } from '../arap/energy.ts';
import { ReducedClusters } from '../arap/reduced-clusters.ts';
import type { SpokeEnergy } from '../arap/spoke-energy.ts';
import type { FunctionGroup } from '../basis/group-memory.ts';
import type { KernelRows } from './kernel-rows.ts';
import type { ReducedSystem } from './reduced-system.ts';

/** Fits rotations to a shape p = U v, and gives Uᵀb. */
export interface LocalStep {
  /** Three rows into `out`; returns the energy of the shape as it is. */
  run(out: KernelRows): number;
  /** Does what it would do when a group is first in use. */
  prepare(group: FunctionGroup): void;
  dispose(): void;
}

/** With a rotation for every vertex or tetrahedron: positions are at `p`, and the right-hand side goes to `b`. */
export function createFullStep(
  energy: ResidentEnergy,
  { basis }: ReducedSystem,
  p: number,
  b: number,
): LocalStep {
  return {
    run(out) {
      const before = energy.rhsAt(p, b);
      basis.project(b, out);
      return before;
    },
    prepare() {},
    dispose() {},
  };
}

/** With a rotation for each cluster of vertices: what it costs does not depend on the number of vertices. */
export class ClusteredStep implements LocalStep {
  readonly #clusters: ReducedClusters;
  readonly #system: ReducedSystem;
  readonly #atRest: number;

  /** The shape is at rest when this is made. */
  constructor(kernels: Kernels, energy: SpokeEnergy, labels: Uint32Array, system: ReducedSystem) {
    this.#clusters = new ReducedClusters(kernels, energy, labels);
    this.#system = system;
    this.#atRest = this.#fit() - system.quadratic() / 2;
  }

  run(out: KernelRows): number {
    const { basis } = this.#system;
    const fitted = this.#fit();
    out.reserve(3, basis.columns);
    for (let axis = 0; axis < 3; axis++) {
      out.f64.fill(0, out.offset(axis), out.offset(axis) + basis.columns);
    }
    for (const { group, first } of basis.groups) {
      this.#clusters.scatter(group.id, out.address + 8 * first, out.stride);
    }
    return this.#system.quadratic() / 2 - fitted + this.#atRest;
  }

  prepare(group: FunctionGroup): void {
    if (!this.#clusters.has(group.id)) this.#clusters.add(group.id, group);
  }

  dispose(): void {
    this.#clusters.dispose();
  }

  /** Groups stay prepared once they have been in use. */
  #fit(): number {
    const { groups, v } = this.#system.basis;
    const clusters = this.#clusters;
    for (const { group } of groups) this.prepare(group);
    clusters.begin();
    for (const { group, first } of groups) clusters.gather(group.id, v.address + 8 * first, v.stride);
    return clusters.fit();
  }
}
