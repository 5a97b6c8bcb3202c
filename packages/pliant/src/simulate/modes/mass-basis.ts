import { combineColumns, dot, scaleColumn } from '../../algebra/dense/columns.ts';
import { runSteps } from '../../long-work/in-slices.ts';
import { checkMade, checkNumbers, checkObject, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { type ElasticSystem, multiplyMass } from './elastic-system.ts';

/** An inner product of displacements: xᵀ M y. */
export interface MassProduct {
  /** Numbers per vector: three per vertex. */
  readonly size: number;
  /** y = M x. */
  apply(x: Float64Array, y: Float64Array): void;
}

/** Errors: 'wrong-type'. */
export function checkProduct(product: MassProduct): void {
  checkObject('product', product);
  if (Number.isInteger(product.size) && typeof product.apply === 'function') return;
  throw new InputError('wrong-type', 'product must come from vertexMasses or systemMass');
}

/** One mass per vertex. Errors: 'out-of-range' for one below 0, or when all are 0. */
export function vertexMasses(masses: NumberArray): MassProduct {
  checkNumbers('masses', masses);
  const own = Float64Array.from(masses);
  const wrong = own.findIndex((mass) => mass < 0);
  if (wrong >= 0) throw new InputError('out-of-range', `masses[${wrong}] is ${own[wrong]}, below 0`);
  if (!own.some((mass) => mass > 0)) throw new InputError('out-of-range', 'all masses are 0');
  return {
    size: 3 * own.length,
    apply(x, y) {
      for (let v = 0; v < own.length; v++) {
        y[3 * v] = own[v] * x[3 * v];
        y[3 * v + 1] = own[v] * x[3 * v + 1];
        y[3 * v + 2] = own[v] * x[3 * v + 2];
      }
    },
  };
}

/** The mass of a system, for displacements of all its vertices. Fixed ones have none. */
export function systemMass(system: ElasticSystem): MassProduct {
  checkMade('system', system, 'createElasticSystem', 'mesh', 'freeVertices', 'mass');
  const { mesh, freeVertices, size } = system;
  const from = new Float64Array(size),
    to = new Float64Array(size);
  return {
    size: 3 * mesh.vertexCount,
    apply(x, y) {
      freeVertices.forEach((v, k) => {
        for (let axis = 0; axis < 3; axis++) from[3 * k + axis] = x[3 * v + axis];
      });
      multiplyMass(system, from, to);
      y.fill(0);
      freeVertices.forEach((v, k) => {
        for (let axis = 0; axis < 3; axis++) y[3 * v + axis] = to[3 * k + axis];
      });
    },
  };
}

/** X = Q R with QᵀMQ = I. */
export interface MassFactors {
  /** Columns of Q: fewer than of X where some depend on those before them. */
  readonly rank: number;
  readonly q: Float64Array;
  /** rank × columns. */
  readonly r: Float64Array;
  /** Per column of Q: the column of X that it comes from. */
  readonly source: Uint32Array;
}

/** Gram–Schmidt in the inner product of M, each column twice. What keeps less than `dependent` of its length is lost. */
export function massOrthonormalise(
  product: MassProduct,
  vectors: Float64Array,
  columns: number,
  dependent = 1e-10,
): MassFactors {
  return runSteps(orthonormaliseSteps(product, vectors, columns, dependent), {});
}

/** The same in steps that yield the share that is done. */
export function* orthonormaliseSteps(
  product: MassProduct,
  vectors: Float64Array,
  columns: number,
  dependent: number,
): Generator<number, MassFactors> {
  const { size } = product;
  const q = new Float64Array(size * columns);
  const coefficients: Float64Array[] = [];
  const source: number[] = [];
  const image = new Float64Array(size);
  const products = new Float64Array(columns);
  for (let k = 0; k < columns; k++) {
    const rank = source.length;
    const column = q.subarray(rank * size, (rank + 1) * size);
    column.set(vectors.subarray(k * size, (k + 1) * size));
    const own = new Float64Array(columns);
    coefficients.push(own);
    product.apply(column, image);
    const whole = lengthOf(size, column, image);
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < rank; j++) own[j] += products[j] = dot(size, q, j * size, image, 0);
      combineColumns(q, size, rank, products, 0, column, 0, -1);
      product.apply(column, image);
    }
    const left = lengthOf(size, column, image);
    if (left > dependent * whole) {
      own[rank] = left;
      scaleColumn(size, 1 / left, column, 0);
      source.push(k);
    } else column.fill(0);
    yield ((k + 1) / columns) ** 2; // each column is compared with all before it
  }
  const rank = source.length;
  const r = new Float64Array(rank * columns);
  coefficients.forEach((own, k) => {
    r.set(own.subarray(0, rank), k * rank);
  });
  return { rank, q: q.slice(0, rank * size), r, source: Uint32Array.from(source) };
}

function lengthOf(size: number, x: Float64Array, image: Float64Array): number {
  return Math.sqrt(Math.max(0, dot(size, x, 0, image, 0)));
}
