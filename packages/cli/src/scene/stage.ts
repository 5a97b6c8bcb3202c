import {
  type Body,
  type BodyOptions,
  createTriangleMesh,
  type Engine,
  InputError,
  type TriangleMesh,
} from 'pliant';
import type { MeshPose, PartMesh, Scene, SceneMesh } from './scene.ts';

export type ActorOptions = Pick<BodyOptions, 'bounds' | 'split'>;

/** A mesh of the scene as a body that can be posed. */
export class Actor {
  readonly mesh: SceneMesh;
  readonly index: number; // of the mesh in the scene
  readonly #options: ActorOptions;
  #engine: Engine;
  #shape: TriangleMesh;
  #body: Body;
  #refined: Body | undefined; // see `#bodyFor`

  constructor(
    engine: Engine,
    mesh: SceneMesh,
    index: number,
    shape: TriangleMesh,
    options: ActorOptions = {},
  ) {
    this.#engine = engine;
    this.#options = { ...options, bounds: boundsFor(mesh, options.bounds) };
    this.mesh = mesh;
    this.index = index;
    this.#shape = shape;
    this.#body = createBody(engine, mesh, shape, this.#options);
  }

  /** The one to ask about the pose that was set last. */
  get body(): Body {
    return this.#refined ?? this.#body;
  }

  pose(pose: MeshPose): void {
    const body = this.#bodyFor(pose.positions);
    if (this.mesh.kind === 'rigid') body.setPose(pose.world);
    else body.setPose(shapePose(pose));
    if (this.mesh.kind === 'modal') body.setWorldMatrix(pose.world);
  }

  move(start: MeshPose, end: MeshPose): void {
    const body = this.#bodyFor(start.positions, end.positions);
    if (this.mesh.kind === 'rigid') body.setMotion(start.world, end.world);
    else body.setMotion(shapePose(start), shapePose(end));
    if (this.mesh.kind === 'modal') body.setWorldMotion(start.world, end.world);
  }

  /** World positions of every source vertex. */
  positions(): Float64Array {
    const { body } = this;
    const { weldedVertex } = body.mesh;
    const welded = body.getPositions();
    const positions = new Float64Array(3 * weldedVertex.length);
    for (let v = 0; v < weldedVertex.length; v++) {
      const o = 3 * weldedVertex[v];
      positions[3 * v] = welded[o];
      positions[3 * v + 1] = welded[o + 1];
      positions[3 * v + 2] = welded[o + 2];
    }
    return positions;
  }

  /**
   * Vertices that are one at rest are one in every frame, except where a frame of a sequence takes them apart: that
   * frame gets a body of its own in which they are two.
   */
  #bodyFor(...frames: readonly (Float64Array | undefined)[]): Body {
    this.#refined?.dispose();
    this.#refined = undefined;
    const given = frames.filter((frame) => frame !== undefined);
    if (given.every((frame) => isWhole(this.#shape, frame))) return this.#body;
    const attributes = given.map((data) => ({ data, itemSize: 3, name: 'the frame' }));
    this.#refined = createBody(
      this.#engine,
      this.mesh,
      createTriangleMesh({ ...sourceOf(this.mesh), attributes }),
      { bounds: this.#options.bounds }, // of this frame only: a tree that is quickly built
    );
    return this.#refined;
  }
}

/** The actors of a scene; meshes without triangles have none. `connected`: meshes whose trees have connected patches. */
export function createActors(
  engine: Engine,
  scene: Scene,
  bounds?: BodyOptions['bounds'],
  connected?: ReadonlySet<number>,
): Actor[] {
  const shapes = new Map<Float64Array, { mesh: PartMesh; shape: TriangleMesh }[]>();
  return scene.meshes.flatMap((mesh, index) => {
    if (mesh.triangles.length === 0) return [];
    const known = shapes.get(mesh.positions) ?? [];
    shapes.set(mesh.positions, known);
    let found = known.find((other) => haveSameData(other.mesh, mesh));
    if (found === undefined) known.push((found = { mesh, shape: createShape(scene, mesh) }));
    const split = connected?.has(index) ? 'connected' : undefined;
    return [new Actor(engine, mesh, index, found.shape, { bounds, split })];
  });
}

/** The mesh behind a scene mesh, with messages that name the file. */
export function createShape(scene: Scene, mesh: SceneMesh): TriangleMesh {
  try {
    return createTriangleMesh({ ...sourceOf(mesh), attributes: mesh.attributes });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.code, `${scene.parts[mesh.part].path}: ${error.message}`);
  }
}

function sourceOf({ name, positions, triangles }: PartMesh) {
  return { name, positions, triangles };
}

/** One mesh shown by several nodes comes as the same arrays. */
function haveSameData(a: PartMesh, b: PartMesh): boolean {
  return (
    a.triangles === b.triangles &&
    a.modes?.displacements === b.modes?.displacements &&
    (a.skin === undefined) === (b.skin === undefined)
  );
}

/** Not every mesh can have all volumes: one that is given vertex by vertex none, one without a skin not those of skins. */
function boundsFor({ kind }: SceneMesh, bounds: BodyOptions['bounds']): BodyOptions['bounds'] {
  return kind === 'free' || (bounds === 'sphere-skin' && kind !== 'skinned') ? 'auto' : bounds;
}

function createBody(
  engine: Engine,
  mesh: SceneMesh,
  shape: TriangleMesh,
  { bounds, split }: ActorOptions,
): Body {
  const { kind, skin, modes, name } = mesh;
  if (kind === 'free') return engine.createFreeBody(shape, { name, split });
  if (kind === 'skinned') return engine.createSkinnedBody(shape, skin!, { name, modes, bounds, split });
  if (kind === 'modal') return engine.createModalBody(shape, modes!, { name, bounds, split });
  return engine.createRigidBody(shape, { name, bounds });
}

function shapePose({ joints, weights, positions }: MeshPose) {
  if (positions) return positions;
  return joints && weights ? { joints, modes: weights } : (joints ?? weights)!;
}

/** True when all source vertices that were welded have the same position in this frame. */
function isWhole({ weldedVertex, sourceVertex, vertexCount }: TriangleMesh, frame: Float64Array): boolean {
  if (vertexCount === weldedVertex.length) return true;
  for (let v = 0; v < weldedVertex.length; v++) {
    const o = 3 * sourceVertex[weldedVertex[v]];
    if (frame[3 * v] !== frame[o] || frame[3 * v + 1] !== frame[o + 1] || frame[3 * v + 2] !== frame[o + 2]) {
      return false;
    }
  }
  return true;
}
