import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { checkLength } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createClusterBlock, type WeightGroup } from './cluster-blocks.ts';
import { MATRIX_BYTES, MATRIX_NUMBERS, resetRotations, SCRATCH_BYTES } from './scratch.ts';
import type { SpokeEnergy } from './spoke-energy.ts';

interface PlacedBlock {
  readonly clusters: Uint32Array;
  readonly columns: number;
  readonly blocks: number; // 3 × clusters rows of `columns` f64
  readonly products: number; // 3 × (3 × clusters) f64
}

/** Places in a matrix of the kernels: row, then column. */
const PLACE = [
  [0, 2, 4],
  [1, 3, 5],
  [6, 7, 8],
] as const;

/**
 * The local step of a shape p = U v whose clusters of vertices share rotations, without a look at the vertices: matrices
 * from coefficients, rotations from matrices, Uᵀ b from rotations. What it costs depends on columns and clusters alone.
 */
export class ReducedClusters {
  readonly clusterCount: number;
  readonly #kernels: AllKernels;
  readonly #energy: SpokeEnergy;
  readonly #labels: Uint32Array;
  readonly #groups = new Map<number, PlacedBlock>();
  readonly #matrices: number;
  readonly #rotations: number;
  readonly #scratch: number;

  /** `labels` names the cluster of each vertex of the cage. */
  constructor(kernels: Kernels, energy: SpokeEnergy, labels: Uint32Array) {
    checkLength('labels', labels, energy.laplacian.size);
    const { memory } = kernels;
    this.clusterCount = labels.reduce((most, label) => Math.max(most, label), 0) + 1;
    this.#kernels = withExtra(kernels);
    this.#energy = energy;
    this.#labels = labels.slice();
    this.#matrices = memory.allocate(MATRIX_BYTES * this.clusterCount);
    this.#rotations = memory.allocate(MATRIX_BYTES * this.clusterCount);
    this.#scratch = memory.allocate(SCRATCH_BYTES);
    this.reset();
  }

  /** Prepares a group of functions; slow, once for each. */
  add(id: number, group: WeightGroup): void {
    if (this.#groups.has(id)) throw new InputError('bad-option', `group ${id} is there already`);
    const { clusters, columns, blocks } = createClusterBlock(this.#energy.spokes, this.#labels, group);
    const { memory } = this.#kernels;
    const address = memory.allocate(blocks.byteLength + 16);
    const products = memory.allocate(72 * clusters.length + 16);
    memory.f64.set(blocks, address >>> 3);
    this.#groups.set(id, { clusters, columns, blocks: address, products });
  }

  remove(id: number): void {
    const placed = this.#groups.get(id);
    if (!placed) return;
    this.#kernels.memory.free(placed.blocks);
    this.#kernels.memory.free(placed.products);
    this.#groups.delete(id);
  }

  has(id: number): boolean {
    return this.#groups.has(id);
  }

  /** Before `fit`: forgets the coefficients of the last time. */
  begin(): void {
    const first = this.#matrices >>> 3;
    this.#kernels.memory.f64.fill(0, first, first + MATRIX_NUMBERS * this.clusterCount);
  }

  /** Takes the coefficients of a group into account: three rows of f64 in kernel memory, `stride` numbers apart. */
  gather(id: number, v: number, stride: number): void {
    const { clusters, columns, blocks, products } = this.#placed(id);
    const width = 3 * clusters.length;
    this.#kernels.multiplyRows(v, stride, 3, blocks, columns, width, columns, 0, products, width);
    const { f64 } = this.#kernels.memory;
    for (let k = 0; k < clusters.length; k++) {
      const o = (this.#matrices >>> 3) + MATRIX_NUMBERS * clusters[k];
      for (let row = 0; row < 3; row++) {
        const from = (products >>> 3) + row * width + 3 * k;
        for (let column = 0; column < 3; column++) f64[o + PLACE[row][column]] += f64[from + column];
      }
    }
  }

  /** Fits the rotations. Returns tr(vᵀ Uᵀ b): the energy is ½ tr(vᵀ UᵀLU v) less that, and a constant. */
  fit(): number {
    const kernels = this.#kernels;
    kernels.fitMatrices(this.clusterCount, this.#matrices, this.#rotations, this.#scratch);
    const { f64 } = kernels.memory;
    let sum = 0;
    for (let k = 1; k <= this.clusterCount; k++) sum += f64[(this.#rotations >>> 3) + MATRIX_NUMBERS * k - 1];
    return sum;
  }

  /** Adds the group's part of Uᵀ b to three rows of f64 in kernel memory. */
  scatter(id: number, out: number, stride: number): void {
    const { clusters, columns, blocks, products } = this.#placed(id);
    const width = 3 * clusters.length;
    const { f64 } = this.#kernels.memory;
    for (let k = 0; k < clusters.length; k++) {
      const R = (this.#rotations >>> 3) + MATRIX_NUMBERS * clusters[k];
      for (let row = 0; row < 3; row++) {
        const to = (products >>> 3) + row * width + 3 * k;
        for (let column = 0; column < 3; column++) f64[to + column] = f64[R + PLACE[row][column]];
      }
    }
    this.#kernels.combineRows(products, width, 3, blocks, columns, width, columns, out, stride);
  }

  /** Every rotation becomes 1. */
  reset(): void {
    resetRotations(this.#kernels.memory.f64, this.#rotations, this.clusterCount);
  }

  dispose(): void {
    for (const id of [...this.#groups.keys()]) this.remove(id);
    for (const address of [this.#matrices, this.#rotations, this.#scratch])
      this.#kernels.memory.free(address);
  }

  #placed(id: number): PlacedBlock {
    const placed = this.#groups.get(id);
    if (placed) return placed;
    throw new InputError('index-out-of-range', `group ${id} has not been added`);
  }
}
