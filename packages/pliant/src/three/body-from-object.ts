import type { InstancedMesh, Mesh, Object3D, SkinnedMesh } from 'three';
import type { Body } from '../body/body.ts';
import type { BodyOptions, Engine } from '../body/engine.ts';
import { InputError } from '../mesh/input-error.ts';
import { multiplyRows, writeRows } from './matrices.ts';
import { isSkinned, type ObjectGeometry, readGeometry } from './object-geometry.ts';

/** An object of three.js as bodies of an engine. */
export interface ObjectBody {
  readonly object: Object3D;
  /** One; of an InstancedMesh one per instance, in order. */
  readonly bodies: readonly Body[];
  /** The first of them. */
  readonly body: Body;
  /**
   * Takes over the pose the object has now: its world matrix, bones, morph weights and instance matrices. World
   * matrices must be up to date, as they are after rendering or after `scene.updateMatrixWorld()`.
   */
  update(): void;
  /** Frees the bodies; the object is left alone. */
  dispose(): void;
}

/**
 * A Mesh, SkinnedMesh or InstancedMesh, with or without morph targets. Triangle ids are those of its geometry. Queries
 * between bodies are answered in world coordinates, those within a body in the object's own.
 */
export function bodyFromObject3D(engine: Engine, object: Object3D, options: BodyOptions = {}): ObjectBody {
  if (!isMesh(object)) {
    const what = object?.type ? `this is a ${object.type}` : 'this is none';
    throw new InputError('unsupported', `bodies are made of Mesh, SkinnedMesh or InstancedMesh; ${what}`);
  }
  const geometry = readGeometry(object);
  const create = () => createBody(engine, geometry, { name: object.name, ...options });
  const bodies = Array.from({ length: isInstanced(object) ? object.count : 1 }, create);
  const update = createUpdate(object, geometry, bodies);
  update();
  return {
    object,
    bodies,
    body: bodies[0],
    update,
    dispose: () => {
      for (const body of bodies) body.dispose();
    },
  };
}

function createBody(engine: Engine, { mesh, skin, modes }: ObjectGeometry, options: BodyOptions): Body {
  if (skin) return engine.createSkinnedBody(mesh, skin, { ...options, modes });
  if (modes) return engine.createModalBody(mesh, modes, options);
  return engine.createRigidBody(mesh, options);
}

function createUpdate(object: Mesh, { skin, modes }: ObjectGeometry, bodies: readonly Body[]): () => void {
  const world = new Float64Array(12);
  const placed = new Float64Array(12);
  const scratch = Array.from({ length: 5 }, () => new Float64Array(12));
  const joints = new Float64Array(12 * (skin?.jointCount ?? 0));
  const weights = new Float64Array(modes?.count ?? 0);
  return () => {
    writeRows(object.matrixWorld, world);
    if (modes) readWeights(object, weights);
    if (skin && isSkinned(object)) {
      readJoints(object, scratch, joints);
      bodies[0].setPose(modes ? { joints, modes: weights } : joints);
    } else if (modes) for (const body of bodies) body.setPose(weights);
    for (let k = 0; k < bodies.length; k++) {
      const matrix = isInstanced(object) ? instanceRows(object, k, world, scratch[0], placed) : world;
      if (skin || modes) bodies[k].setWorldMatrix(matrix);
      else bodies[k].setPose(matrix);
    }
  };
}

function readWeights({ morphTargetInfluences = [] }: Mesh, out: Float64Array): void {
  for (let k = 0; k < out.length; k++) out[k] = morphTargetInfluences[k] ?? 0;
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

function isMesh(object: Object3D | undefined | null): object is Mesh {
  return typeof object === 'object' && object !== null && 'isMesh' in object;
}

function isInstanced(object: Object3D): object is InstancedMesh {
  return 'isInstancedMesh' in object;
}
