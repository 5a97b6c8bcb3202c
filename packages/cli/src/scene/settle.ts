import type { GltfScene } from 'pliant/gltf';
import type { PartMesh } from './scene.ts';

/**
 * A mesh whose node never moves, in world coordinates: the same numbers then serve contacts within the mesh, contacts
 * between meshes and `bake`. Without this the first would be found in the mesh's own coordinates, and triangles that
 * only just touch there may miss each other by a rounding in the world. Vertices are still compared by where they
 * are in the file.
 */
export function settle(mesh: PartMesh, matrix: Float64Array): PartMesh {
  const { positions, attributes, modes } = mesh;
  return {
    ...mesh,
    positions: transformed(positions, matrix, 1),
    attributes: [...attributes, { name: 'positions in the file', itemSize: 3, data: positions }],
    modes: modes && {
      ...modes,
      displacements: transformed(modes.displacements as Float64Array, matrix, 0),
    },
    unsettled: mesh,
  };
}

/** Per mesh: can it be settled? Its node and those above it stand still in every clip, and no other node shows it. */
export function findSettled({ nodes, meshes, clips }: GltfScene): boolean[] {
  const moves = new Uint8Array(nodes.parent.length);
  for (const { channels } of clips)
    for (const { node, path } of channels) moves[node] |= +(path !== 'weights');
  for (const node of nodes.order) if (nodes.parent[node] >= 0) moves[node] |= moves[nodes.parent[node]];
  const uses = new Map<number, number>();
  for (const { mesh } of meshes) uses.set(mesh, (uses.get(mesh) ?? 0) + 1);
  return meshes.map(({ node, mesh, skin }) => !skin && moves[node] === 0 && uses.get(mesh) === 1);
}

/** Points for `w` = 1, directions for 0. */
function transformed(vectors: Float64Array, m: Float64Array, w: 0 | 1): Float64Array {
  const out = new Float64Array(vectors.length);
  for (let o = 0; o < vectors.length; o += 3) {
    const x = vectors[o],
      y = vectors[o + 1],
      z = vectors[o + 2];
    out[o] = m[0] * x + m[1] * y + m[2] * z + w * m[3];
    out[o + 1] = m[4] * x + m[5] * y + m[6] * z + w * m[7];
    out[o + 2] = m[8] * x + m[9] * y + m[10] * z + w * m[11];
  }
  return out;
}
