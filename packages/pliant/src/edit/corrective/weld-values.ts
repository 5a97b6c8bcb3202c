import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';

/** Of `size` numbers per vertex of the file those of the vertices of `surface`. */
export function weldValues({ sourceVertex }: TriangleMesh, values: Float64Array, size: number): Float64Array {
  const out = new Float64Array(size * sourceVertex.length);
  for (let v = 0; v < sourceVertex.length; v++) {
    const from = size * sourceVertex[v];
    out.set(values.subarray(from, from + size), size * v);
  }
  return out;
}
