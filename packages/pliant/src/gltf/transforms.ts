/** Row-major 3×4 matrices and three.js's way from and to translation, rotation (x, y, z, w) and scale. */
export interface NodeTransforms {
  readonly translation: Float64Array; // 3 per node
  readonly rotation: Float64Array; // 4 per node
  readonly scale: Float64Array; // 3 per node
  readonly matrix: Float64Array; // 12 per node
}

/** out[n] = translation · rotation · scale of node n. A rotation of another length than 1 is used as it is. */
export function composeMatrix(
  { translation, rotation, scale }: NodeTransforms,
  n: number,
  out: Float64Array,
): void {
  const t = 3 * n;
  const r = 4 * n;
  const o = 12 * n;
  const x = rotation[r],
    y = rotation[r + 1],
    z = rotation[r + 2],
    w = rotation[r + 3];
  const x2 = x + x,
    y2 = y + y,
    z2 = z + z;
  const xx = x * x2,
    xy = x * y2,
    xz = x * z2,
    yy = y * y2,
    yz = y * z2,
    zz = z * z2,
    wx = w * x2,
    wy = w * y2,
    wz = w * z2;
  const sx = scale[t],
    sy = scale[t + 1],
    sz = scale[t + 2];
  out[o] = (1 - (yy + zz)) * sx;
  out[o + 1] = (xy - wz) * sy;
  out[o + 2] = (xz + wy) * sz;
  out[o + 3] = translation[t];
  out[o + 4] = (xy + wz) * sx;
  out[o + 5] = (1 - (xx + zz)) * sy;
  out[o + 6] = (yz - wx) * sz;
  out[o + 7] = translation[t + 1];
  out[o + 8] = (xz - wy) * sx;
  out[o + 9] = (yz + wx) * sy;
  out[o + 10] = (1 - (xx + yy)) * sz;
  out[o + 11] = translation[t + 2];
}

/**
 * The transform of a node that has a matrix, for the case that a clip moves a part of it. A mirror goes to the
 * x scale; shear, which glTF does not allow, is lost here (but not from the matrix).
 */
export function decomposeMatrix({ translation, rotation, scale, matrix }: NodeTransforms, n: number): void {
  const m = matrix.subarray(12 * n, 12 * n + 12);
  translation.set([m[3], m[7], m[11]], 3 * n);
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[1] * (m[4] * m[10] - m[6] * m[8]) +
    m[2] * (m[4] * m[9] - m[5] * m[8]);
  if (determinant === 0) {
    scale.set([1, 1, 1], 3 * n);
    rotation.set([0, 0, 0, 1], 4 * n);
    return;
  }
  const sx = Math.sign(determinant) * lengthOf(m[0], m[4], m[8]);
  const sy = lengthOf(m[1], m[5], m[9]);
  const sz = lengthOf(m[2], m[6], m[10]);
  scale.set([sx, sy, sz], 3 * n);
  setRotation(
    rotation,
    4 * n,
    [m[0] / sx, m[1] / sy, m[2] / sz],
    [m[4] / sx, m[5] / sy, m[6] / sz],
    [m[8] / sx, m[9] / sy, m[10] / sz],
  );
}

/** As three.js computes it, where squares are in range. Math.hypot differs between engines. */
function lengthOf(x: number, y: number, z: number): number {
  const square = x * x + y * y + z * z;
  if (square > 1e-290 && square < Infinity) return Math.sqrt(square);
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return most > 0 ? most * Math.sqrt((x / most) ** 2 + (y / most) ** 2 + (z / most) ** 2) : 0;
}

type Row = readonly [number, number, number];

/** The quaternion of a rotation matrix, dividing by its largest component. */
function setRotation(out: Float64Array, o: number, a: Row, b: Row, c: Row): void {
  const trace = a[0] + b[1] + c[2];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    out.set([(c[1] - b[2]) / s, (a[2] - c[0]) / s, (b[0] - a[1]) / s, s / 4], o);
  } else if (a[0] > b[1] && a[0] > c[2]) {
    const s = 2 * Math.sqrt(1 + a[0] - b[1] - c[2]);
    out.set([s / 4, (a[1] + b[0]) / s, (a[2] + c[0]) / s, (c[1] - b[2]) / s], o);
  } else if (b[1] > c[2]) {
    const s = 2 * Math.sqrt(1 + b[1] - a[0] - c[2]);
    out.set([(a[1] + b[0]) / s, s / 4, (b[2] + c[1]) / s, (a[2] - c[0]) / s], o);
  } else {
    const s = 2 * Math.sqrt(1 + c[2] - a[0] - b[1]);
    out.set([(a[2] + c[0]) / s, (b[2] + c[1]) / s, s / 4, (b[0] - a[1]) / s], o);
  }
}

/** glTF's 16 numbers by columns; the last row, 0 0 0 1, is dropped. */
export function fromColumns(columns: ArrayLike<number>, c: number, out: Float64Array, o: number): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) out[o + 4 * row + column] = columns[c + 4 * column + row];
  }
}

/** out = a · b; out may be neither. */
export function multiplyMatrices(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  out: Float64Array,
  o: number,
): void {
  for (let row = 0; row < 12; row += 4) {
    const x = a[i + row],
      y = a[i + row + 1],
      z = a[i + row + 2];
    out[o + row] = x * b[j] + y * b[j + 4] + z * b[j + 8];
    out[o + row + 1] = x * b[j + 1] + y * b[j + 5] + z * b[j + 9];
    out[o + row + 2] = x * b[j + 2] + y * b[j + 6] + z * b[j + 10];
    out[o + row + 3] = x * b[j + 3] + y * b[j + 7] + z * b[j + 11] + a[i + row + 3];
  }
}
