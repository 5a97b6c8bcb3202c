import type { BufferGeometry, Mesh, SkinnedMesh } from 'three';
import type { Modes, Skin } from '../deform/blend-data.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh, type VertexAttribute } from '../mesh/triangle-mesh.ts';
import { drawnTriangles } from './drawn-triangles.ts';
import type { Attribute } from './geometry-watch.ts';

/** A geometry in the library's terms. Vertices are those of the geometry; equal ones that move alike are one. */
export interface ObjectGeometry {
  readonly mesh: TriangleMesh;
  /** Where in the index, or without one in the vertices, the corners of each triangle begin. */
  readonly firstCorners: Uint32Array;
  readonly skin?: Skin;
  readonly modes?: Modes;
}

export interface ReadOptions {
  /** True leaves joints and morph targets out: every vertex is posed by itself. */
  readonly isDynamic: boolean;
  readonly weld: boolean | undefined;
  /** Names the object in messages. */
  readonly where: string;
}

/** Reads positions, the triangles that are drawn, joints and morph targets. */
export function readGeometry(object: Mesh, { isDynamic, weld, where }: ReadOptions): ObjectGeometry {
  const { geometry } = object;
  const position = geometry.getAttribute('position') as Attribute | undefined;
  if (position === undefined || position.count === 0) {
    throw new InputError('empty', `${where}: its geometry has no positions`);
  }
  const positions = readVectors(position);
  const skin = isSkinned(object) ? readSkin(object, position.count, where) : undefined;
  const modes = readModes(geometry, positions);
  const attributes: VertexAttribute[] = [];
  if (skin) {
    attributes.push({ name: 'joints', itemSize: INFLUENCES, data: skin.joints as Float64Array });
    attributes.push({ name: 'weights', itemSize: INFLUENCES, data: skin.weights as Float64Array });
  }
  for (let target = 0; target < (modes?.count ?? 0); target++) {
    const data = modes!.displacements.slice(target * positions.length, (target + 1) * positions.length);
    attributes.push({ name: `morph target ${target}`, itemSize: 3, data });
  }
  const firstCorners = drawnTriangles(object, position.count);
  if (firstCorners.length === 0) {
    const why = Array.isArray(object.material) ? 'drawRange, groups and' : 'drawRange and';
    throw new InputError('empty', `${where}: three.js draws no triangle of it, see its ${why} index`);
  }
  const triangles = readTriangles(geometry, firstCorners);
  const mesh = createTriangleMesh({ name: object.name, positions, triangles, attributes, weld });
  return isDynamic ? { mesh, firstCorners } : { mesh, firstCorners, skin, modes };
}

export function isSkinned(object: Mesh): object is SkinnedMesh {
  return 'isSkinnedMesh' in object;
}

const INFLUENCES = 4; // what three.js draws

/** Interleaved and integer attributes included. */
export function readVectors(
  attribute: Attribute,
  vectors: Float64Array = new Float64Array(3 * attribute.count),
): Float64Array {
  for (let v = 0; v < attribute.count; v++) {
    vectors[3 * v] = attribute.getX(v);
    vectors[3 * v + 1] = attribute.getY(v);
    vectors[3 * v + 2] = attribute.getZ(v);
  }
  return vectors;
}

function readTriangles({ index }: BufferGeometry, firstCorners: Uint32Array): Uint32Array {
  const triangles = new Uint32Array(3 * firstCorners.length);
  for (let k = 0; k < triangles.length; k++) {
    const corner = firstCorners[Math.trunc(k / 3)] + (k % 3);
    triangles[k] = index ? index.getX(corner) : corner;
  }
  return triangles;
}

/** Joints of each vertex in ascending order, so that vertices which list them differently are still equal. */
function readSkin(object: SkinnedMesh, vertexCount: number, where: string): Skin {
  const { geometry, skeleton } = object;
  const index = geometry.getAttribute('skinIndex') as Attribute | undefined;
  const weight = geometry.getAttribute('skinWeight') as Attribute | undefined;
  if (index === undefined || weight === undefined || skeleton === undefined) {
    throw new InputError('mismatch', `${where}: a skinned mesh needs skinIndex, skinWeight and a skeleton`);
  }
  const joints = new Float64Array(INFLUENCES * vertexCount);
  const weights = new Float64Array(INFLUENCES * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    let found = 0;
    for (let k = 0; k < INFLUENCES; k++) {
      const w = weight.getComponent(v, k);
      if (w !== 0) found = insert(joints, weights, INFLUENCES * v, found, index.getComponent(v, k), w);
    }
  }
  return { jointCount: skeleton.bones.length, influences: INFLUENCES, joints, weights };
}

/** Keeps joints[o…] sorted; weights of a joint that is listed twice are added. Returns how many there are. */
function insert(
  joints: Float64Array,
  weights: Float64Array,
  o: number,
  count: number,
  joint: number,
  weight: number,
): number {
  let k = count;
  while (k > 0 && joints[o + k - 1] > joint) k--;
  if (k > 0 && joints[o + k - 1] === joint) {
    weights[o + k - 1] += weight;
    return count;
  }
  for (let m = count; m > k; m--) {
    joints[o + m] = joints[o + m - 1];
    weights[o + m] = weights[o + m - 1];
  }
  joints[o + k] = joint;
  weights[o + k] = weight;
  return count + 1;
}

/** Morph targets as displacements; three.js also knows them as whole shapes. */
function readModes(geometry: BufferGeometry, positions: Float64Array): Modes | undefined {
  const targets = geometry.morphAttributes.position as Attribute[] | undefined;
  if (targets === undefined || targets.length === 0) return undefined;
  const displacements = new Float64Array(targets.length * positions.length);
  targets.forEach((target, t) => {
    const values = readVectors(target);
    for (let k = 0; k < positions.length; k++) {
      displacements[t * positions.length + k] = geometry.morphTargetsRelative
        ? values[k]
        : values[k] - positions[k];
    }
  });
  return { count: targets.length, displacements };
}
