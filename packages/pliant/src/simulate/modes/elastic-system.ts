import {
  addScaled,
  multiply,
  repeatForAxes,
  type SymmetricMatrix,
  SymmetricMatrixBuilder,
} from '../../algebra/sparse/index.ts';
import { runSteps } from '../../long-work/in-slices.ts';
import {
  checkArray,
  checkLength,
  checkMade,
  checkNumbers,
  checkObject,
  describe,
  type NumberArray,
} from '../../mesh/check-input.ts';
import { checkTetrahedralMesh } from '../../mesh/check-mesh.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { checkMaterial, lameConstants, type Material } from '../material.ts';
import { type TetrahedronShapes, tetrahedronShapes } from './tetrahedron-shapes.ts';

export interface ElasticSystemOptions {
  material: Material;
  /** Vertices that cannot move. Default: none. */
  fixed?: NumberArray;
  /**
   * How much of each tetrahedron is there, more than 0: its stiffness and its mass are scaled by it. The fill
   * fractions of a lattice. Default: all of it.
   */
  weights?: NumberArray;
  /** 'consistent' with the elements, or 'lumped' at the vertices. Default: 'consistent'. */
  mass?: 'consistent' | 'lumped';
}

/**
 * Stiffness and mass of linear elastic tetrahedra. The unknowns are x, y, z of the vertices that can move; those of
 * no tetrahedron stay where they are, like fixed ones.
 */
export interface ElasticSystem {
  readonly mesh: TetrahedralMesh;
  readonly material: Material;
  readonly shapes: TetrahedronShapes;
  readonly weights: Float64Array; // per tetrahedron
  /** The vertices that can move. */
  readonly freeVertices: Uint32Array;
  /** Per vertex: its place in `freeVertices`, or −1. */
  readonly freeIndex: Int32Array;
  /** 3 × free vertices. */
  readonly size: number;
  readonly stiffness: SymmetricMatrix;
  readonly mass: SymmetricMatrix;
  /** The same for one axis: masses of the free vertices. */
  readonly vertexMass: SymmetricMatrix;
  /** Of all tetrahedra, fixed vertices included. */
  readonly totalMass: number;
}

/** Errors: 'singular' for a flat or inverted tetrahedron, 'bad-option', 'out-of-range', 'index-out-of-range'. */
export function createElasticSystem(mesh: TetrahedralMesh, options: ElasticSystemOptions): ElasticSystem {
  return runSteps(elasticSystemSteps(mesh, options), {});
}

/** Tetrahedra that are summed in one step. */
const STEP = 4096;

/** The same in steps that yield the share that is done. */
export function* elasticSystemSteps(
  mesh: TetrahedralMesh,
  options: ElasticSystemOptions,
): Generator<number, ElasticSystem> {
  checkTetrahedralMesh(mesh, 'tetrahedra');
  checkObject('options', options);
  const { material, fixed = [], weights, mass = 'consistent' } = options;
  checkMaterial(material);
  if (mass !== 'consistent' && mass !== 'lumped') {
    throw new InputError('bad-option', `mass must be 'consistent' or 'lumped', not ${describe(mass)}`);
  }
  const filled = readWeights(mesh, weights);
  const shapes = tetrahedronShapes(mesh);
  yield 0.1;
  const { freeVertices, freeIndex } = listFree(mesh, fixed);
  const parts = { mesh, material, shapes, weights: filled, freeVertices, freeIndex };
  let totalMass = 0;
  for (let t = 0; t < mesh.tetrahedronCount; t++)
    totalMass += material.density * filled[t] * shapes.volumes[t];
  const vertexMass = assembleMass(parts, mass === 'lumped');
  yield 0.3;
  const stiffness = yield* assembleStiffness(parts);
  return {
    ...parts,
    size: 3 * freeVertices.length,
    stiffness,
    mass: repeatForAxes(vertexMass, 3),
    vertexMass,
    totalMass,
  };
}

/** K + σM. */
export function shiftedStiffness({ stiffness, mass }: ElasticSystem, shift: number): SymmetricMatrix {
  return addScaled(stiffness, mass, shift);
}

/** y = M x for `columns` vectors: three axes at a time, twice as fast as the whole matrix. */
export function multiplyMass(
  { vertexMass, size }: ElasticSystem,
  x: Float64Array,
  y: Float64Array,
  columns = 1,
): void {
  const { start, row, value } = vertexMass;
  y.fill(0, 0, columns * size);
  for (let base = 0; base < columns * size; base += size) {
    for (let j = 0, o = base; j < vertexMass.size; j++, o += 3) {
      const a = x[o],
        b = x[o + 1],
        c = x[o + 2];
      const end = start[j + 1];
      let p = start[j];
      let u = value[p] * a,
        v = value[p] * b,
        w = value[p] * c;
      for (p++; p < end; p++) {
        const i = base + 3 * row[p],
          m = value[p];
        y[i] += m * a;
        y[i + 1] += m * b;
        y[i + 2] += m * c;
        u += m * x[i];
        v += m * x[i + 1];
        w += m * x[i + 2];
      }
      y[o] += u;
      y[o + 1] += v;
      y[o + 2] += w;
    }
  }
}

/** Displacements of all vertices from those that can move, `columns` sets one after another. */
export function spreadToVertices(system: ElasticSystem, free: Float64Array, columns = 1): Float64Array {
  const { mesh, freeVertices, size } = system;
  const stride = 3 * mesh.vertexCount;
  const out = new Float64Array(columns * stride);
  for (let c = 0; c < columns; c++) {
    for (let k = 0; k < freeVertices.length; k++) {
      const to = c * stride + 3 * freeVertices[k],
        from = c * size + 3 * k;
      out[to] = free[from];
      out[to + 1] = free[from + 1];
      out[to + 2] = free[from + 2];
    }
  }
  return out;
}

/** The other way round. What fixed vertices have is left out. */
export function gatherFree(system: ElasticSystem, vectors: NumberArray, columns = 1): Float64Array {
  const { mesh, freeVertices, size } = system;
  const stride = 3 * mesh.vertexCount;
  checkLength('vectors', vectors, columns * stride);
  const out = new Float64Array(columns * size);
  for (let c = 0; c < columns; c++) {
    for (let i = 0; i < size; i++) {
      out[c * size + i] = vectors[c * stride + 3 * freeVertices[Math.trunc(i / 3)] + (i % 3)];
    }
  }
  return out;
}

/** UᵀKU and UᵀMU of `columns` sets of displacements of all vertices; column-major. */
export function reduceSystem(
  system: ElasticSystem,
  vectors: NumberArray,
  columns: number,
): { stiffness: Float64Array; mass: Float64Array } {
  checkMade('system', system, 'createElasticSystem', 'mesh', 'stiffness', 'mass');
  checkArray('vectors', vectors);
  const free = gatherFree(system, vectors, columns);
  return { stiffness: reduce(system.stiffness, free, columns), mass: reduce(system.mass, free, columns) };
}

function reduce(matrix: SymmetricMatrix, vectors: Float64Array, columns: number): Float64Array {
  const { size } = matrix;
  const image = new Float64Array(size);
  const out = new Float64Array(columns * columns);
  for (let j = 0; j < columns; j++) {
    multiply(matrix, vectors.subarray(j * size, (j + 1) * size), image);
    for (let i = 0; i <= j; i++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += vectors[i * size + k] * image[k];
      out[j * columns + i] = out[i * columns + j] = sum;
    }
  }
  return out;
}

type Parts = Pick<ElasticSystem, 'mesh' | 'material' | 'shapes' | 'weights' | 'freeVertices' | 'freeIndex'>;

/** Block (a, b) of an element: V (λ g_a g_bᵀ + μ g_b g_aᵀ + μ (g_a · g_b) I). */
function* assembleStiffness({
  mesh,
  material,
  shapes,
  weights,
  freeVertices,
  freeIndex,
}: Parts): Generator<number, SymmetricMatrix> {
  const { tetrahedra, tetrahedronCount } = mesh;
  const { lambda, mu } = lameConstants(material);
  const { volumes, gradients: g } = shapes;
  const builder = new SymmetricMatrixBuilder(3 * freeVertices.length, {
    blockSize: 3,
    expected: 10 * tetrahedronCount + freeVertices.length,
  });
  const block = new Float64Array(9);
  for (let t = 0; t < tetrahedronCount; t++) {
    const volume = weights[t] * volumes[t];
    for (let a = 0; a < 4; a++) {
      const i = freeIndex[tetrahedra[4 * t + a]];
      for (let b = 0; b <= a && i >= 0; b++) {
        const j = freeIndex[tetrahedra[4 * t + b]];
        if (j < 0) continue;
        const p = 12 * t + 3 * a,
          q = 12 * t + 3 * b;
        const shear = mu * volume * (g[p] * g[q] + g[p + 1] * g[q + 1] + g[p + 2] * g[q + 2]);
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            block[3 * r + c] = volume * (lambda * g[p + r] * g[q + c] + mu * g[p + c] * g[q + r]);
          }
          block[4 * r] += shear;
        }
        builder.addBlock(i, j, block);
      }
    }
    if ((t + 1) % STEP === 0) yield 0.3 + (0.4 * t) / tetrahedronCount;
  }
  return builder.build();
}

function assembleMass(parts: Parts, isLumped: boolean): SymmetricMatrix {
  const { mesh, material, shapes, weights, freeVertices, freeIndex } = parts;
  const { tetrahedra, tetrahedronCount } = mesh;
  const builder = new SymmetricMatrixBuilder(freeVertices.length, {
    expected: (isLumped ? 4 : 10) * tetrahedronCount + freeVertices.length,
  });
  for (let t = 0; t < tetrahedronCount; t++) {
    const share = (material.density * weights[t] * shapes.volumes[t]) / 20;
    for (let a = 0; a < 4; a++) {
      const i = freeIndex[tetrahedra[4 * t + a]];
      if (i < 0) continue;
      builder.add(i, i, isLumped ? 5 * share : 2 * share);
      for (let b = 0; b < a && !isLumped; b++) {
        const j = freeIndex[tetrahedra[4 * t + b]];
        if (j >= 0) builder.add(i, j, share);
      }
    }
  }
  return builder.build();
}

function readWeights({ tetrahedronCount }: TetrahedralMesh, weights: unknown): Float64Array {
  if (weights === undefined) return new Float64Array(tetrahedronCount).fill(1);
  checkNumbers('weights', weights, tetrahedronCount);
  const read = Float64Array.from(weights as ArrayLike<number>);
  const wrong = read.findIndex((weight) => !(weight > 0));
  if (wrong >= 0) {
    throw new InputError(
      'out-of-range',
      `weights[${wrong}] is ${read[wrong]}; tetrahedra without weight have to go`,
    );
  }
  return read;
}

function listFree(
  { vertexCount, tetrahedra }: TetrahedralMesh,
  fixed: NumberArray,
): { freeVertices: Uint32Array; freeIndex: Int32Array } {
  checkNumbers('fixed', fixed);
  const freeIndex = new Int32Array(vertexCount).fill(-1);
  for (let k = 0; k < tetrahedra.length; k++) freeIndex[tetrahedra[k]] = 0;
  for (let k = 0; k < fixed.length; k++) {
    const v = fixed[k];
    if (!(Number.isInteger(v) && v >= 0 && v < vertexCount)) {
      throw new InputError(
        'index-out-of-range',
        `fixed[${k}] is ${v}, but the mesh has ${vertexCount} vertices`,
      );
    }
    freeIndex[v] = -1;
  }
  const freeVertices = Uint32Array.from(freeIndex.keys()).filter((v) => freeIndex[v] === 0);
  if (freeVertices.length === 0) throw new InputError('empty', 'all vertices are fixed');
  freeVertices.forEach((v, k) => {
    freeIndex[v] = k;
  });
  return { freeVertices, freeIndex };
}
