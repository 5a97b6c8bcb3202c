import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/**
 * What a lattice with cubes of side a has vertices of, roughly. A lattice point is a vertex when one of its tetrahedra
 * meets the solid: when it lies in the solid enlarged by their union, a rhombic dodecahedron with support h. There are
 * two points per cube, and the enlarged volume is V + a ∫ h(n) dA + a² C. C comes from curvature and narrow gaps: it
 * is learnt from a first lattice.
 */
export interface VertexForecast {
  readonly volume: number;
  readonly support: number;
  readonly curvature: number;
}

export function predictVertices({ volume, support, curvature }: VertexForecast, cell: number): number {
  return (2 * (volume + cell * (support + cell * curvature))) / cell ** 3;
}

/** Explains a count that was found. */
export function learnCurvature(forecast: VertexForecast, cell: number, vertices: number): VertexForecast {
  const { volume, support } = forecast;
  return { volume, support, curvature: ((vertices * cell ** 3) / 2 - volume - cell * support) / cell ** 2 };
}

/** ∫ h(n) dA of the surface, h(n) = max(|x|, |y|, |z|, (|x| + |y| + |z|)/2). */
export function supportOf({ positions: p, triangles }: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const nx = Math.abs(uy * vz - uz * vy),
      ny = Math.abs(uz * vx - ux * vz),
      nz = Math.abs(ux * vy - uy * vx);
    sum += Math.max(nx, ny, nz, (nx + ny + nz) / 2) / 2;
  }
  return sum;
}

/** The largest cell for which at least `wanted` vertices are predicted. */
export function chooseCell(forecast: VertexForecast, wanted: number): number {
  let low = 1e-6,
    high = 64;
  for (let i = 0; i < 100; i++) {
    const cell = Math.sqrt(low * high);
    if (predictVertices(forecast, cell) > wanted) low = cell;
    else high = cell;
  }
  return high;
}
