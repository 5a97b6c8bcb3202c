import type { Character } from '../../src/shapes/character.ts';

/** Vertices moved by joint matrices, in plain loops. */
export function posedPositions({ mesh, skin }: Character, matrices: Float64Array): Float64Array {
  const p = mesh.positions;
  const out = new Float64Array(p.length);
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (let k = 4 * v; k < 4 * v + 4; k++) {
      const w = skin.weights[k];
      for (let r = 0; r < 3; r++) {
        const o = 12 * skin.joints[k] + 4 * r;
        const x = matrices[o] * p[3 * v] + matrices[o + 1] * p[3 * v + 1] + matrices[o + 2] * p[3 * v + 2];
        out[3 * v + r] += w * (x + matrices[o + 3]);
      }
    }
  }
  return out;
}

export function volume(p: Float64Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}
