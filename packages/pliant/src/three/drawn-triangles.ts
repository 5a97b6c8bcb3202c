import type { Mesh } from 'three';

/**
 * Where in the index (or, without one, in the vertices) the three corners of each triangle begin that three.js draws:
 * those within `drawRange`, and with a list of materials within any group. A triangle of several groups is there once.
 */
export function drawnTriangles({ geometry, material }: Mesh, vertexCount: number): Uint32Array {
  const { index, drawRange, groups } = geometry;
  const length = index ? index.count : vertexCount;
  const everything = [{ start: 0, count: Infinity }];
  const seen = new Set<number>();
  for (const { start, count } of Array.isArray(material) ? groups : everything) {
    const first = Math.max(0, start, drawRange.start);
    const end = Math.min(length, start + count, drawRange.start + drawRange.count);
    for (let corner = first; corner + 3 <= end; corner += 3) seen.add(corner);
  }
  return Uint32Array.from(seen);
}
