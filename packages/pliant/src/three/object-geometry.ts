import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Mesh, SkinnedMesh } from 'three';
import type { Modes, Skin } from '../deform/blend-data.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh, type VertexAttribute } from '../mesh/triangle-mesh.ts';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** A geometry in the library's terms. Vertices are those of the geometry; equal ones that move alike are one. */
export interface ObjectGeometry {
  readonly mesh: TriangleMesh;
  readonly skin?: Skin;
  readonly modes?: Modes;
}

/** Reads positions, triangles, joints and morph targets once; later changes of the geometry are not seen. */
export function readGeometry(object: Mesh): ObjectGeometry {
  const { geometry } = object;
  const where = object.name ? `object "${object.name}"` : 'the object';
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
  const triangles = readTriangles(geometry, position.count);
  const mesh = createTriangleMesh({ name: object.name, positions, triangles, attributes });
  return { mesh, skin, modes };
}

export function isSkinned(object: Mesh): object is SkinnedMesh {
  return 'isSkinnedMesh' in object;
}

const INFLUENCES = 4; // what three.js draws

/** Interleaved and integer attributes included. */
function readVectors(attribute: Attribute): Float64Array {
  const vectors = new Float64Array(3 * attribute.count);
  for (let v = 0; v < attribute.count; v++) {
    vectors[3 * v] = attribute.getX(v);
    vectors[3 * v + 1] = attribute.getY(v);
    vectors[3 * v + 2] = attribute.getZ(v);
  }
  return vectors;
}

/** Whole triangles of the index, or of the vertices in order. */
function readTriangles({ index }: BufferGeometry, vertexCount: number): Uint32Array {
  const length = index ? index.count : vertexCount;
  const triangles = new Uint32Array(length - (length % 3));
  for (let k = 0; k < triangles.length; k++) triangles[k] = index ? index.getX(k) : k;
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
