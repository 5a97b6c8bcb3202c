import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createClusterBlock, type WeightGroup } from './cluster-blocks.ts';
import { MATRIX_BYTES, MATRIX_NUMBERS, SCRATCH_BYTES } from './scratch.ts';
import type { Spokes } from './spokes.ts';

/** Vertices whose rotations stand for all, and by how much each counts. */
export interface RotationSamples {
  readonly vertices: Uint32Array;
  readonly weights: Float64Array;
  /** Of each, three rows of as many numbers as there are columns: its part of Uᵀ b is weight · R times these. */
  readonly blocks: Float64Array;
  readonly columns: number;
}

export interface CubatureOptions {
  /** Coefficients of shapes to learn from: three rows of as many numbers as there are columns. */
  readonly training: readonly Float64Array[];
  /** Vertices to choose from. */
  readonly candidates: Uint32Array;
  /** How many to choose, at most; fewer when more would not help. At least three times the columns. */
  readonly count: number;
}

/** Equations at rest count so much more than those of other shapes, before they are met exactly. */
const REST_WEIGHT = 300;
/** Vertices that come in at once. */
const BATCH = 8;
/** Weights that are less are 0. */
const NOTHING = 1e-14;
const REGULARISATION = 1e-10,
  REST_REGULARISATION = 1e-14;
/** Rounds in which the rest shape is met: one would do, if no weight became negative. */
const REST_ROUNDS = 4;
const LEAST_CHANGE = 0.1;

/**
 * Cubature of rotations (after An, Kim and James 2008), to be compared with clusters: a few vertices with weights that
 * are not negative, chosen greedily so that Σ weight · B_i R_iᵀ is Uᵀ b for shapes to learn from. One thing is demanded
 * beyond that: with all rotations 1 the sum has to be right, else the rest shape would not stay as it is. As all terms
 * turn alike, rigid motions are then right as well. It is, but for what the rounding of float32 weights has broken.
 */
export function chooseRotationSamples(
  kernels: Kernels,
  spokes: Spokes,
  group: WeightGroup,
  { training, candidates, count }: CubatureOptions,
): RotationSamples {
  const { columns } = group;
  if (!(count >= 3 * columns && candidates.length >= count)) {
    throw new InputError(
      'bad-option',
      `${count} samples of ${candidates.length} candidates: there must be at least ${3 * columns}`,
    );
  }
  const others = candidates.length; // one cluster for all that is no candidate
  const labels = new Uint32Array(spokes.start.length - 1).fill(others);
  candidates.forEach((v, k) => {
    labels[v] = k;
  });
  const { clusters, blocks: all } = createClusterBlock(spokes, labels, group);
  const size = 3 * columns;
  const blocks = new Float64Array(candidates.length * size); // by candidate
  clusters.forEach((cluster, k) => {
    if (cluster < others) blocks.set(all.subarray(k * size, (k + 1) * size), cluster * size);
  });
  const total = new Float64Array(size); // Σ B_i over all vertices
  for (let i = 0; i < all.length; i++) total[i % size] += all[i];

  const normal = new NormalEquations(candidates.length);
  normal.add(blocks, total, size, REST_WEIGHT);
  const every = createClusterBlock(
    spokes,
    Uint32Array.from(labels, (_, v) => v),
    group,
  ).blocks;
  for (const v of training) {
    const rows = turned(kernels, blocks, columns, v),
      target = new Float64Array(size);
    const terms = turned(kernels, every, columns, v);
    for (let i = 0; i < terms.length; i++) target[i % size] += terms[i];
    normal.add(rows, target, size, 1);
  }
  const weights = meetRest(chooseGreedily(normal, count), blocks, total, size);
  const chosen = Uint32Array.from(candidates.keys()).filter((k) => weights[k] > 0);
  const kept = new Float64Array(chosen.length * size);
  chosen.forEach((k, i) => {
    kept.set(blocks.subarray(k * size, (k + 1) * size), i * size);
  });
  return {
    vertices: chosen.map((k) => candidates[k]),
    weights: Float64Array.from(chosen, (k) => weights[k]),
    blocks: kept,
    columns,
  };
}

/** Uᵀ b by samples, three rows of numbers. */
export function sampleRotations(kernels: Kernels, samples: RotationSamples, v: Float64Array): Float64Array {
  const { weights, blocks, columns } = samples;
  const size = 3 * columns;
  const out = new Float64Array(size);
  const terms = turned(kernels, blocks, columns, v);
  for (let i = 0; i < terms.length; i++) out[i % size] += weights[Math.trunc(i / size)] * terms[i];
  return out;
}

/** R_i B_i of every block, where R_i is fitted to v B_iᵀ. */
function turned(kernels: Kernels, blocks: Float64Array, columns: number, v: Float64Array): Float64Array {
  const size = 3 * columns,
    count = blocks.length / size;
  const { memory } = kernels;
  const matrices = memory.allocate(MATRIX_BYTES * count),
    rotations = memory.allocate(MATRIX_BYTES * count),
    scratch = memory.allocate(SCRATCH_BYTES);
  const { f64 } = memory;
  f64.fill(0, matrices >>> 3, (matrices >>> 3) + MATRIX_NUMBERS * count);
  f64.fill(0, rotations >>> 3, (rotations >>> 3) + MATRIX_NUMBERS * count);
  for (let k = 0; k < count; k++) {
    const R = (rotations >>> 3) + MATRIX_NUMBERS * k,
      M = (matrices >>> 3) + MATRIX_NUMBERS * k;
    f64[R] = f64[R + 3] = f64[R + 8] = 1;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        let sum = 0;
        for (let c = 0; c < columns; c++)
          sum += v[row * columns + c] * blocks[k * size + column * columns + c];
        f64[M + placeOf(row, column)] = sum;
      }
    }
  }
  withExtra(kernels).fitMatrices(count, matrices, rotations, scratch);
  const out = new Float64Array(blocks.length);
  for (let k = 0; k < count; k++) {
    const R = (rotations >>> 3) + MATRIX_NUMBERS * k;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const factor = f64[R + placeOf(row, column)];
        for (let c = 0; c < columns; c++) {
          out[k * size + row * columns + c] += factor * blocks[k * size + column * columns + c];
        }
      }
    }
  }
  for (const address of [matrices, rotations, scratch]) memory.free(address);
  return out;
}

function placeOf(row: number, column: number): number {
  return row < 2 ? 2 * column + row : 6 + column;
}

/** AᵀA and Aᵀb of equations that come in blocks; the columns of A are candidates, by rows here. */
class NormalEquations {
  readonly size: number;
  readonly matrix: Float64Array;
  readonly right: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.matrix = new Float64Array(size * size);
    this.right = new Float64Array(size);
  }

  add(rows: Float64Array, target: Float64Array, length: number, weight: number): void {
    const scale = weight * weight;
    for (let i = 0; i < this.size; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k < length; k++) sum += rows[i * length + k] * rows[j * length + k];
        this.matrix[i * this.size + j] += scale * sum;
        if (j < i) this.matrix[j * this.size + i] += scale * sum;
      }
      let sum = 0;
      for (let k = 0; k < length; k++) sum += rows[i * length + k] * target[k];
      this.right[i] += scale * sum;
    }
  }
}

/** Least squares with unknowns that are not negative, by active sets (Lawson and Hanson), some at a time. */
function chooseGreedily({ size, matrix, right }: NormalEquations, count: number): Float64Array {
  const x = new Float64Array(size);
  let passive: number[] = [];
  const tried = new Uint8Array(size);
  while (passive.length < count) {
    const slope = right.map((value, i) => {
      let sum = value;
      for (const j of passive) sum -= matrix[i * size + j] * x[j];
      return sum;
    });
    const free = Array.from(x.keys()).filter((i) => tried[i] === 0 && slope[i] > 0);
    free.sort((a, b) => slope[b] - slope[a] || a - b);
    const coming = free.slice(0, Math.min(BATCH, count - passive.length));
    if (coming.length === 0) break;
    for (const i of coming) tried[i] = 1;
    passive.push(...coming);
    for (;;) {
      const z = solvePart(matrix, right, size, passive);
      let step = 1;
      passive.forEach((i, k) => {
        if (z[k] <= 0) step = Math.min(step, x[i] / (x[i] - z[k]));
      });
      passive.forEach((i, k) => {
        x[i] += step * (z[k] - x[i]);
      });
      if (step === 1) break;
      passive = passive.filter((i, k) => {
        const stays = x[i] > NOTHING || z[k] > 0;
        if (!stays) x[i] = 0;
        return stays;
      });
    }
  }
  return x;
}

function solvePart(
  matrix: Float64Array,
  right: Float64Array,
  size: number,
  passive: readonly number[],
): Float64Array {
  const n = passive.length;
  const part = new Float64Array(n * n);
  let trace = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) part[i * n + j] = matrix[passive[i] * size + passive[j]];
    trace += part[i * n + i];
  }
  for (let i = 0; i < n; i++) part[i * n + i] += (REGULARISATION * trace) / n;
  if (!factorInPlace(part, n)) throw new InputError('singular', 'samples depend on one another');
  const z = Float64Array.from(passive, (i) => right[i]);
  solveInPlace(part, n, z);
  return z;
}

/** Changes weights as little as possible, relative to what they are, until the sum at rest is exact. */
function meetRest(
  weights: Float64Array,
  blocks: Float64Array,
  total: Float64Array,
  size: number,
): Float64Array {
  const chosen = Array.from(weights.keys()).filter((k) => weights[k] > 0);
  const x = weights.slice();
  for (let round = 0; round < REST_ROUNDS; round++) {
    const miss = total.slice();
    const system = new Float64Array(size * size);
    for (const k of chosen) {
      for (let i = 0; i < size; i++) {
        const b = blocks[k * size + i];
        miss[i] -= x[k] * b;
        for (let j = 0; j <= i; j++) system[i * size + j] += x[k] * b * blocks[k * size + j];
      }
    }
    let trace = 0;
    for (let i = 0; i < size; i++) trace += system[i * size + i];
    // Columns that no rotation changes, constants, have nothing on their diagonal.
    for (let i = 0; i < size; i++)
      system[i * size + i] += REST_REGULARISATION * (system[i * size + i] + trace);
    if (!factorInPlace(system, size)) throw new InputError('singular', 'too few samples for the rest shape');
    solveInPlace(system, size, miss);
    for (const k of chosen) {
      let change = 0;
      for (let i = 0; i < size; i++) change += blocks[k * size + i] * miss[i];
      x[k] *= Math.max(LEAST_CHANGE, 1 + change);
    }
  }
  return x;
}
