import { cos, cosc, sin, sinc } from '../algebra/trigonometry.ts';

/** Bends space so that the y axis becomes a circle of this curvature, towards +x. Lengths on the axis stay. */
export function bendPoint(p: Float64Array, o: number, curvature: number): void {
  const x = p[o],
    y = p[o + 1];
  const a = curvature * y;
  p[o] = x * cos(a) + y * cosc(a);
  p[o + 1] = y * sinc(a) - x * sin(a);
}

/** Turns a vector as `bendPoint` turns the neighbourhood of a point at height `y`. */
export function bendVector(v: Float64Array, o: number, curvature: number, y: number): void {
  const a = curvature * y;
  const c = cos(a),
    s = sin(a);
  const vx = v[o],
    vy = v[o + 1];
  v[o] = vx * c + vy * s;
  v[o + 1] = vy * c - vx * s;
}
