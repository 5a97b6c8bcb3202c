import { transformPoint } from '../../deform/matrix.ts';
import type { GltfMesh, GltfScene } from '../../gltf/gltf-scene.ts';
import { createPoser, type Poser } from '../../gltf/poser.ts';
import { weldAttributes } from '../../gltf/weld-attributes.ts';
import { createTriangleMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';

/** A blend that turns a direction into one this much shorter than its longest is too flat to be undone. */
const FLAT = 1e-3;

/** A skinned mesh in one pose: where its vertices are, and what takes each of them there. */
export interface SkinPose {
  /** With the morph targets of the pose, before the skin: three per vertex of the file. */
  readonly morphed: Float64Array;
  /** In world coordinates: three per vertex of the file. */
  readonly positions: Float64Array;
  /** Σ w T, twelve per vertex of the file: row-major 3×4. */
  readonly blends: Float64Array;
  /** The inverse of the linear part, nine per vertex; zeros where there is none that could be relied on. */
  readonly inverses: Float64Array;
  /** Vertices of the file whose blend is too flat to be undone. */
  readonly singular: readonly number[];
}

/** The bind pose; vertices that every pose keeps together are one. */
export function surfaceOf(mesh: GltfMesh): TriangleMesh {
  const { positions, triangles, name } = mesh;
  return createTriangleMesh({ positions, triangles, name, attributes: weldAttributes(mesh) });
}

/** Where mesh `m` of the scene is at a time of a clip. The mesh has a skin. */
export function poseSkin(scene: GltfScene, m: number, clip: number, time: number): SkinPose {
  const { morphed, blends, positions } = moveSkin(scene, m, createPoser(scene), clip, time);
  const count = morphed.length / 3;
  const inverses = new Float64Array(9 * count);
  const singular: number[] = [];
  for (let v = 0; v < count; v++) {
    if (!invertBlend(blends, 12 * v, inverses, 9 * v)) singular.push(v);
  }
  return { morphed, positions, blends, inverses, singular };
}

/** The same without inverses, by a poser of the scene. */
export function moveSkin(
  { meshes }: GltfScene,
  m: number,
  poser: Poser,
  clip: number,
  time: number,
): Pick<SkinPose, 'morphed' | 'positions' | 'blends'> {
  poser.pose(clip, time);
  const morphed = morphedPositions(meshes[m], poser, m);
  const blends = blendMatrices(meshes[m], poser, m);
  return { morphed, blends, positions: blendPoints(blends, morphed) };
}

/** Each point by its own matrix, three numbers and twelve per vertex of the file. */
export function blendPoints(blends: Float64Array, points: Float64Array): Float64Array {
  const out = new Float64Array(points.length);
  for (let o = 0; o < out.length; o += 3) transformPoint(blends.subarray(4 * o), points, o, out, o);
  return out;
}

function morphedPositions({ positions, morphs }: GltfMesh, poser: Poser, m: number): Float64Array {
  const out = positions.slice();
  if (morphs === undefined) return out;
  const weights = new Float64Array(morphs.count);
  poser.morphWeights(m, weights);
  for (let target = 0; target < morphs.count; target++) {
    if (weights[target] === 0) continue;
    const o = target * out.length;
    for (let i = 0; i < out.length; i++) out[i] += weights[target] * morphs.deltas[o + i];
  }
  return out;
}

function blendMatrices({ skin, positions }: GltfMesh, poser: Poser, m: number): Float64Array {
  const { joints, influences, jointIndex, weights } = skin!;
  const matrices = new Float64Array(12 * joints.length);
  poser.jointMatrices(m, matrices);
  const blends = new Float64Array(4 * positions.length);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const o = 12 * Math.floor(i / influences),
      j = 12 * jointIndex[i];
    for (let k = 0; k < 12; k++) blends[o + k] += weights[i] * matrices[j + k];
  }
  return blends;
}

/** False, and zeros, when the linear part is nearly singular: 1/|A⁻¹| is at most its smallest stretch, |A| its largest. */
function invertBlend(m: Float64Array, o: number, out: Float64Array, q: number): boolean {
  const a = m[o],
    b = m[o + 1],
    c = m[o + 2];
  const d = m[o + 4],
    e = m[o + 5],
    f = m[o + 6];
  const g = m[o + 8],
    h = m[o + 9],
    i = m[o + 10];
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const s = 1 / determinant;
  out[q] = s * (e * i - f * h);
  out[q + 1] = s * (c * h - b * i);
  out[q + 2] = s * (b * f - c * e);
  out[q + 3] = s * (f * g - d * i);
  out[q + 4] = s * (a * i - c * g);
  out[q + 5] = s * (c * d - a * f);
  out[q + 6] = s * (d * h - e * g);
  out[q + 7] = s * (b * g - a * h);
  out[q + 8] = s * (a * e - b * d);
  let inverse = 0;
  for (let k = q; k < q + 9; k++) inverse += out[k] * out[k];
  const size = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
  if (Math.sqrt(inverse * size) < 1 / FLAT) return true;
  out.fill(0, q, q + 9);
  return false;
}
