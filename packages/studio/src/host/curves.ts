import { type Body, type CollisionReport, intersectionSegment } from 'pliant';

/** Where the triangles of each pair cut each other, in world coordinates: two points per segment. */
export function intersectionCurves(
  report: CollisionReport,
  bodies: readonly Body[],
  most: number,
): Float32Array {
  const { pairs, bodies: bodyOf, pairCount } = report;
  const points = new Map<Body, Float64Array>();
  const pointsOf = (body: Body) => {
    let found = points.get(body);
    if (found === undefined) points.set(body, (found = body.getPositions()));
    return found;
  };
  const count = Math.min(pairCount, most);
  const segments = new Float32Array(6 * count);
  const corners = new Float64Array(18);
  let length = 0;
  for (let k = 0; k < count; k++) {
    const a = bodies[bodyOf ? bodyOf[2 * k] : 0],
      b = bodies[bodyOf ? bodyOf[2 * k + 1] : 0];
    const s = a.mesh.triangles,
      t = b.mesh.triangles,
      i = 3 * pairs[2 * k],
      j = 3 * pairs[2 * k + 1];
    const found = intersectionSegment(
      pointsOf(a),
      3 * s[i],
      3 * s[i + 1],
      3 * s[i + 2],
      pointsOf(b),
      3 * t[j],
      3 * t[j + 1],
      3 * t[j + 2],
      corners,
    );
    if (found < 2) continue; // a point has no length
    for (let c = 0; c < 6; c++) segments[length++] = corners[c];
  }
  return segments.slice(0, length);
}
