import type { Mesh, Object3D } from 'three';
import type { Body } from '../body/body.ts';
import type { BodyOptions, Engine } from '../body/engine.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { type Attribute, GeometryWatch } from './geometry-watch.ts';
import { type ObjectGeometry, readGeometry } from './object-geometry.ts';
import { createPoser, isInstanced } from './object-pose.ts';

export interface ObjectBodyOptions extends BodyOptions {
  /**
   * True follows the vertices of a geometry that is changed: positions and morph targets are read anew in every
   * `update`, and the pose of a body is the position of every vertex. False reads the geometry once; `update` throws
   * InputError 'mismatch' when it has changed since. Default: true when the usage of the position attribute is another
   * one than StaticDrawUsage, which is what three.js starts with.
   */
  dynamic?: boolean;
  /** False keeps vertices of the geometry apart that are equal at first, see `TriangleMeshSource.weld`. Default: true. */
  weld?: boolean;
}

/** An object of three.js as bodies of an engine. */
export interface ObjectBody {
  readonly object: Object3D;
  /** One; of an InstancedMesh one per instance that is drawn, in order. `update` follows its `count`. */
  readonly bodies: readonly Body[];
  /** The first of them. Throws InputError when an InstancedMesh has a `count` of 0. */
  readonly body: Body;
  /**
   * Where in the index of the geometry, or without one in its vertices, the corners of each triangle of a body begin:
   * three times the triangle, unless `drawRange` or groups leave some out.
   */
  readonly firstCorners: Uint32Array;
  /**
   * Takes over the pose the object has now: its world matrix, bones, morph weights and instance matrices, and with
   * `dynamic` its vertices. World matrices must be up to date, as they are after rendering or after
   * `scene.updateMatrixWorld()`. Throws InputError when the geometry has changed in a way that is not followed.
   */
  update(): void;
  /** Frees the bodies; the object is left alone. */
  dispose(): void;
}

/**
 * A Mesh, SkinnedMesh or InstancedMesh, with or without morph targets, as bodies: the triangles that three.js draws, by
 * `drawRange` and groups. It does not matter whether object and materials are visible, and children are left aside.
 * Queries between bodies are answered in world coordinates, those within a body in the object's own. What only a shader
 * does to vertices, such as a displacement map, is not seen.
 */
export function bodyFromObject3D(
  engine: Engine,
  object: Object3D,
  options: ObjectBodyOptions = {},
): ObjectBody {
  checkMesh(object);
  checkOptions(options);
  const { weld, dynamic = isChanging(object), ...bodyOptions } = options;
  const where = nameOf(object);
  const geometry = readGeometry(object, { isDynamic: dynamic, weld, where });
  const watch = new GeometryWatch(object, where, dynamic);
  const pose = createPoser(object, geometry, where, dynamic);
  const create = () => createBody(engine, geometry, { name: object.name, ...bodyOptions }, dynamic);
  const bodies: Body[] = [];
  const update = () => {
    watch.check();
    const count = isInstanced(object) ? object.count : 1;
    while (bodies.length > count) bodies.pop()!.dispose();
    while (bodies.length < count) bodies.push(create());
    pose(bodies);
  };
  const dispose = () => {
    for (const body of bodies) body.dispose();
  };
  try {
    update();
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    object,
    bodies,
    get body() {
      if (bodies.length > 0) return bodies[0];
      throw new InputError('empty', `${where} has no instances: its count is 0`);
    },
    firstCorners: geometry.firstCorners,
    update,
    dispose,
  };
}

function createBody(
  engine: Engine,
  { mesh, skin, modes }: ObjectGeometry,
  options: BodyOptions,
  isDynamic: boolean,
): Body {
  if (isDynamic) return engine.createFreeBody(mesh, options);
  if (skin) return engine.createSkinnedBody(mesh, skin, { ...options, modes });
  if (modes) return engine.createModalBody(mesh, modes, options);
  return engine.createRigidBody(mesh, options);
}

function checkMesh(object: Object3D): asserts object is Mesh {
  if (typeof object !== 'object' || object === null || !('isMesh' in object)) {
    const what = object?.type ? `this is a ${object.type}` : 'this is none';
    throw new InputError('unsupported', `bodies are made of Mesh, SkinnedMesh or InstancedMesh; ${what}`);
  }
  const { geometry } = object as Mesh;
  if ('isBatchedMesh' in object) {
    refuse(
      object,
      'a BatchedMesh holds many objects in one geometry: make bodies from meshes of these objects',
    );
  }
  if ('isInstancedBufferGeometry' in geometry) {
    refuse(object, `a shader places the instances of its ${geometry.type}: use an InstancedMesh`);
  }
  const position = geometry.getAttribute('position');
  if (position !== undefined && !(position.itemSize >= 3 && 'getX' in position)) {
    refuse(object, 'its positions must be an attribute of three numbers per vertex that can be read');
  }
}

function refuse(object: Object3D, problem: string): never {
  throw new InputError('unsupported', `${nameOf(object)}: ${problem}`);
}

function checkOptions(options: ObjectBodyOptions): void {
  checkObject('options', options);
  for (const name of ['dynamic', 'weld'] as const) {
    const value: unknown = options[name];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new InputError('bad-option', `${name} must be true or false, not ${describe(value)}`);
  }
}

function nameOf(object: Object3D): string {
  return object.name ? `object "${object.name}"` : 'the object';
}

const STATIC_DRAW_USAGE = 35044; // of WebGL and three.js

function isChanging({ geometry }: Mesh): boolean {
  const position = geometry.getAttribute('position') as Attribute | undefined;
  if (position === undefined) return false;
  const { usage } = 'data' in position ? position.data : position;
  return usage !== undefined && usage !== STATIC_DRAW_USAGE;
}
