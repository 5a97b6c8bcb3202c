import { symmetricEigen } from '../../algebra/dense/symmetric-eigen.ts';
import type { WorkingBasis } from './working-basis.ts';

/** How much a fit prefers not to turn: it decides where the points leave a rotation open. */
const RELUCTANCE = 1e-6;

/** x → R x + t, row-major. */
export interface RigidMotion {
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
}

/**
 * The rigid motion that brings points nearest to targets, by squared distances. Where the points do not say how to turn
 * (one point, or all on a line) it turns as little as possible.
 */
export function fitRigidMotion(points: Float64Array, targets: Float64Array, count: number): RigidMotion {
  const p = centroid(points, count),
    s = centroid(targets, count);
  const S = new Float64Array(9); // Σ (target − s)(point − p)ᵀ
  let size = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) S[3 * a + b] += (targets[i + a] - s[a]) * (points[i + b] - p[b]);
      size += (points[i + a] - p[a]) ** 2;
    }
  }
  const stay = RELUCTANCE * size + Number.MIN_VALUE;
  for (let a = 0; a < 3; a++) S[4 * a] += stay;
  const rotation = rotationOf(S);
  const translation = new Float64Array(3);
  for (let a = 0; a < 3; a++) {
    translation[a] = s[a];
    for (let b = 0; b < 3; b++) translation[a] -= rotation[3 * a + b] * p[b];
  }
  return { rotation, translation };
}

/** Moves a whole shape: the global coefficients are places, the others displacements, which only turn. */
export function moveCoefficients(
  { v, groups, columns }: WorkingBasis,
  { rotation: R, translation: t }: RigidMotion,
): void {
  const { f64 } = v;
  const x = v.offset(0),
    y = v.offset(1),
    z = v.offset(2);
  const places = groups[0].group.columns;
  for (let k = 0; k < columns; k++) {
    const a = f64[x + k],
      b = f64[y + k],
      c = f64[z + k];
    const isPlace = k < places ? 1 : 0;
    f64[x + k] = R[0] * a + R[1] * b + R[2] * c + isPlace * t[0];
    f64[y + k] = R[3] * a + R[4] * b + R[5] * c + isPlace * t[1];
    f64[z + k] = R[6] * a + R[7] * b + R[8] * c + isPlace * t[2];
  }
}

/** The same for points, in place. */
export function movePoints(points: Float64Array, { rotation: R, translation: t }: RigidMotion): void {
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i],
      y = points[i + 1],
      z = points[i + 2];
    points[i] = R[0] * x + R[1] * y + R[2] * z + t[0];
    points[i + 1] = R[3] * x + R[4] * y + R[5] * z + t[1];
    points[i + 2] = R[6] * x + R[7] * y + R[8] * z + t[2];
  }
}

function centroid(points: Float64Array, count: number): Float64Array {
  const c = new Float64Array(3);
  for (let i = 0; i < 3 * count; i++) c[i % 3] += points[i] / count;
  return c;
}

/** The rotation R with the largest tr(RᵀS): the largest eigenvector of Davenport's matrix is its quaternion. */
function rotationOf(S: Float64Array): Float64Array {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = S;
  const K = Float64Array.of(
    xx + yy + zz,
    zy - yz,
    xz - zx,
    yx - xy,
    zy - yz,
    xx - yy - zz,
    xy + yx,
    xz + zx,
    xz - zx,
    xy + yx,
    yy - xx - zz,
    yz + zy,
    yx - xy,
    xz + zx,
    yz + zy,
    zz - xx - yy,
  );
  const { values, vectors } = symmetricEigen(K, 4);
  let top = 0;
  for (let k = 1; k < 4; k++) if (values[k] > values[top]) top = k;
  const [w, x, y, z] = vectors.subarray(4 * top, 4 * top + 4);
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}
