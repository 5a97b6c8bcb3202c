import { cosTurns, sinTurns } from '../algebra/trigonometry.ts';

/*
 * Closed tubes: rings of `sides` vertices around the points of a closed curve. Vertex numbers are
 * ring · sides + side.
 */

/** Rings and sides (even, or 3) for about `triangles` triangles, two per ring and side, nearly square. */
export function tubeResolution(
  triangles: number,
  length: number,
  radius: number,
): { rings: number; sides: number } {
  const sides = Math.max(3, 2 * Math.round(Math.sqrt((triangles * Math.PI * radius) / length) / 2));
  return { rings: Math.max(3, Math.round(triangles / (2 * sides))), sides };
}

/** Outward triangles, the last ring joined to the first. */
export function tubeTriangles(rings: number, sides: number): Uint32Array {
  const triangles = new Uint32Array(6 * rings * sides);
  let o = 0;
  for (let ring = 0; ring < rings; ring++) {
    const next = (ring + 1) % rings;
    for (let side = 0; side < sides; side++) {
      const a = ring * sides + side,
        b = ring * sides + ((side + 1) % sides);
      const c = next * sides + side,
        d = next * sides + ((side + 1) % sides);
      triangles[o++] = a;
      triangles[o++] = b;
      triangles[o++] = d;
      triangles[o++] = a;
      triangles[o++] = d;
      triangles[o++] = c;
    }
  }
  return triangles;
}

/** cos and sin of each side's angle, two numbers per side. */
export function circle(sides: number): Float64Array {
  const table = new Float64Array(2 * sides);
  for (let side = 0; side < sides; side++) {
    table[2 * side] = cosTurns(side / sides);
    table[2 * side + 1] = sinTurns(side / sides);
  }
  return table;
}

/**
 * Places every ring at right angles to the closed curve through `centers`. `normals` need be neither
 * normalised nor exactly perpendicular; they fix how far a ring is turned around the curve.
 */
export function sweepTube(
  centers: Float64Array,
  normals: Float64Array,
  radius: number,
  directions: Float64Array,
  out: Float64Array,
): void {
  const rings = centers.length / 3;
  let o = 0;
  for (let ring = 0; ring < rings; ring++) {
    const i = 3 * ring,
      before = 3 * ((ring + rings - 1) % rings),
      after = 3 * ((ring + 1) % rings);
    let tx = centers[after] - centers[before];
    let ty = centers[after + 1] - centers[before + 1];
    let tz = centers[after + 2] - centers[before + 2];
    const t = Math.sqrt(tx * tx + ty * ty + tz * tz);
    tx /= t;
    ty /= t;
    tz /= t;
    const along = normals[i] * tx + normals[i + 1] * ty + normals[i + 2] * tz;
    let nx = normals[i] - along * tx;
    let ny = normals[i + 1] - along * ty;
    let nz = normals[i + 2] - along * tz;
    const n = Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx /= n;
    ny /= n;
    nz /= n;
    const bx = ty * nz - tz * ny,
      by = tz * nx - tx * nz,
      bz = tx * ny - ty * nx;
    for (let d = 0; d < directions.length; d += 2) {
      const u = radius * directions[d],
        v = radius * directions[d + 1];
      out[o++] = centers[i] + u * nx + v * bx;
      out[o++] = centers[i + 1] + u * ny + v * by;
      out[o++] = centers[i + 2] + u * nz + v * bz;
    }
  }
}

/** Length of a closed curve given by parameter in [0, 1). */
export function curveLength(curve: (u: number, out: Float64Array) => void, samples: number): number {
  return cumulativeLengths(curve, samples)[samples];
}

/** `count` parameters of a closed curve, equally far apart along it. */
export function equidistantParameters(
  curve: (u: number, out: Float64Array) => void,
  count: number,
): Float64Array {
  const samples = 16 * count;
  const lengths = cumulativeLengths(curve, samples);
  const parameters = new Float64Array(count);
  let s = 0;
  for (let i = 0; i < count; i++) {
    const wanted = (lengths[samples] * i) / count;
    while (lengths[s + 1] <= wanted) s++;
    parameters[i] = (s + (wanted - lengths[s]) / (lengths[s + 1] - lengths[s])) / samples;
  }
  return parameters;
}

function cumulativeLengths(curve: (u: number, out: Float64Array) => void, samples: number): Float64Array {
  const lengths = new Float64Array(samples + 1);
  const p = new Float64Array(3),
    q = new Float64Array(3);
  curve(0, p);
  for (let s = 1; s <= samples; s++) {
    curve(s === samples ? 0 : s / samples, q);
    const x = q[0] - p[0],
      y = q[1] - p[1],
      z = q[2] - p[2];
    lengths[s] = lengths[s - 1] + Math.sqrt(x * x + y * y + z * z);
    p.set(q);
  }
  return lengths;
}
