/* Measures of triangles given as three vertices of a position array. */

export function doubleArea(p: Float64Array, a: number, b: number, c: number): number {
  return Math.sqrt(normalDot(p, a, b, c, a, b, c));
}

/** The normals of (a, b, c) and (d, e, f), each as long as twice the area, multiplied. */
export function normalDot(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): number {
  return (
    cross(p, a, b, c, 1, 2) * cross(p, d, e, f, 1, 2) +
    cross(p, a, b, c, 2, 0) * cross(p, d, e, f, 2, 0) +
    cross(p, a, b, c, 0, 1) * cross(p, d, e, f, 0, 1)
  );
}

/** Of the angle at c. */
export function cotangent(p: Float64Array, a: number, b: number, c: number): number {
  const o = 3 * a,
    q = 3 * b,
    r = 3 * c;
  const dot =
    (p[o] - p[r]) * (p[q] - p[r]) +
    (p[o + 1] - p[r + 1]) * (p[q + 1] - p[r + 1]) +
    (p[o + 2] - p[r + 2]) * (p[q + 2] - p[r + 2]);
  return dot / (doubleArea(p, a, b, c) + 1e-300);
}

export function distance(p: Float64Array, a: number, b: number): number {
  const x = p[3 * a] - p[3 * b],
    y = p[3 * a + 1] - p[3 * b + 1],
    z = p[3 * a + 2] - p[3 * b + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** One coordinate of the normal. */
function cross(p: Float64Array, a: number, b: number, c: number, i: number, j: number): number {
  const o = 3 * a;
  return (
    (p[3 * b + i] - p[o + i]) * (p[3 * c + j] - p[o + j]) -
    (p[3 * b + j] - p[o + j]) * (p[3 * c + i] - p[o + i])
  );
}
