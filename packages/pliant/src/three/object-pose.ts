import { type InstancedMesh, type Mesh, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import type { Body } from '../body/body.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { Attribute } from './geometry-watch.ts';
import { multiplyRows, writeRows } from './matrices.ts';
import { isSkinned, type ObjectGeometry, readVectors } from './object-geometry.ts';

/** Gives bodies the pose that their object has now. */
export type Poser = (bodies: readonly Body[]) => void;

export function createPoser(
  object: Mesh,
  geometry: ObjectGeometry,
  where: string,
  isDynamic: boolean,
): Poser {
  const shape = isDynamic
    ? createVertexPoser(object, geometry.mesh, where)
    : createHandlePoser(object, geometry);
  const world = new Float64Array(12);
  const own = new Float64Array(12);
  const placed = new Float64Array(12);
  const isRigid = !isDynamic && geometry.skin === undefined && geometry.modes === undefined;
  return (bodies) => {
    shape(bodies);
    writeRows(object.matrixWorld, world);
    for (let k = 0; k < bodies.length; k++) {
      const matrix = isInstanced(object) ? instanceRows(object, k, world, own, placed) : world;
      if (isRigid) bodies[k].setPose(matrix);
      else bodies[k].setWorldMatrix(matrix);
    }
  };
}

export function isInstanced(object: Object3D): object is InstancedMesh {
  return 'isInstancedMesh' in object;
}

/** Poses by bones and morph weights. */
function createHandlePoser(object: Mesh, { skin, modes }: ObjectGeometry): Poser {
  const scratch = Array.from({ length: 5 }, () => new Float64Array(12));
  const joints = new Float64Array(12 * (skin?.jointCount ?? 0));
  const weights = new Float64Array(modes?.count ?? 0);
  return (bodies) => {
    if (modes) readWeights(object, weights);
    if (skin && isSkinned(object)) {
      readJoints(object, scratch, joints);
      bodies[0].setPose(modes ? { joints, modes: weights } : joints);
    } else if (modes) {
      for (let k = 0; k < bodies.length; k++) {
        if (isInstanced(object) && object.morphTexture) readInstanceWeights(object, k, weights);
        bodies[k].setPose(weights);
      }
    }
  };
}

/** Poses by the position of every vertex, as three.js computes it from attributes, morph targets and bones. */
function createVertexPoser(object: Mesh, mesh: TriangleMesh, where: string): Poser {
  const pose = new Float64Array(3 * mesh.sourceVertexCount);
  const point = new Vector3();
  return (bodies) => {
    if (isInstanced(object) && object.morphTexture) {
      throw new InputError(
        'unsupported',
        `${where}: morph targets per instance cannot be followed with { dynamic: true }`,
      );
    }
    readVertices(object, pose, point);
    checkWelded(mesh, pose, where);
    for (let k = 0; k < bodies.length; k++) bodies[k].setPose(pose);
  };
}

function readVertices(object: Mesh, out: Float64Array, point: Vector3): void {
  const position = object.geometry.getAttribute('position') as Attribute;
  const isPlain = !isSkinned(object) && object.geometry.morphAttributes.position === undefined;
  if (isPlain) {
    readVectors(position, out);
    return;
  }
  for (let v = 0; v < position.count; v++) {
    object.getVertexPosition(v, point);
    out[3 * v] = point.x;
    out[3 * v + 1] = point.y;
    out[3 * v + 2] = point.z;
  }
}

/** Throws InputError for vertices that the body takes for one and that are no longer in one place. */
function checkWelded({ weldedVertex, sourceVertex }: TriangleMesh, pose: Float64Array, where: string): void {
  for (let v = 0; v < weldedVertex.length; v++) {
    const first = sourceVertex[weldedVertex[v]];
    if (first === v) continue;
    let isOne = true;
    for (let axis = 0; axis < 3; axis++) isOne &&= pose[3 * v + axis] === pose[3 * first + axis];
    if (isOne) continue;
    throw new InputError(
      'mismatch',
      `${where}: vertices ${first} and ${v} were in one place and have come apart; make the body with { weld: false }`,
    );
  }
}

function readWeights({ morphTargetInfluences = [] }: Mesh, out: Float64Array): void {
  for (let k = 0; k < out.length; k++) out[k] = morphTargetInfluences[k] ?? 0;
}

function readInstanceWeights({ morphTexture }: InstancedMesh, instance: number, out: Float64Array): void {
  const { data } = morphTexture!.source.data as { data: Float32Array };
  const o = instance * (out.length + 1) + 1; // behind the weight of the rest shape
  for (let k = 0; k < out.length; k++) out[k] = data[o + k];
}

/** Bone by bone what the vertex shader applies, in float64: to bind space, along the bone, back to the object. */
function readJoints(object: SkinnedMesh, scratch: readonly Float64Array[], out: Float64Array): void {
  const { bindMatrix, bindMatrixInverse, skeleton } = object;
  const [bind, back, world, inverse, moved] = scratch;
  writeRows(bindMatrix, bind);
  writeRows(bindMatrixInverse, back);
  for (let j = 0; j < skeleton.bones.length; j++) {
    writeRows(skeleton.bones[j].matrixWorld, world);
    writeRows(skeleton.boneInverses[j], inverse);
    multiplyRows(world, inverse, moved, 0);
    multiplyRows(moved, bind, world, 0);
    multiplyRows(back, world, out, 12 * j);
  }
}

function instanceRows(
  { instanceMatrix: { array } }: InstancedMesh,
  instance: number,
  world: Float64Array,
  own: Float64Array,
  out: Float64Array,
): Float64Array {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      own[4 * row + column] = array[16 * instance + 4 * column + row];
    }
  }
  multiplyRows(world, own, out, 0);
  return out;
}
