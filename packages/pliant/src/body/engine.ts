import { BlendDeformer } from '../deform/blend.ts';
import type { Modes, Skin } from '../deform/blend-data.ts';
import { EmbeddedDeformer, type Embedding } from '../deform/embedded.ts';
import { FreeDeformer } from '../deform/free.ts';
import { type Meshless, MeshlessDeformer } from '../deform/meshless.ts';
import type { Deformer } from '../deform/point-source.ts';
import { RestShape } from '../deform/rest.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { checkCoordinates, checkObject, describe } from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import type { BoundsName } from '../refit/choose-bounds.ts';
import { buildTree, type TreeOptions } from '../tree/build-tree.ts';
import { ResidentMesh } from '../tree/resident-mesh.ts';
import { Body } from './body.ts';

/** Threads that can take over the traversal of a large query. */
export interface ThreadPool {
  readonly threads: number;
  /** True when the job's lists have been worked off; false when it has to do that alone. */
  run(job: unknown): boolean;
  dispose(): void;
}

export interface BodyOptions extends TreeOptions {
  /** Appears in reports and messages. Default: the mesh's name. */
  name?: string;
  /**
   * Volumes that on-demand queries compute around parts of the body from its handles; the answers are the same. For
   * comparison: 'auto' takes the fastest. Bodies whose pose is the position of every vertex have no choice.
   * - `boxes`: boxes of what each handle moves, blended with the best weights.
   * - `two-largest`: boxes of whole nodes and the two largest supports (Steinemann, Otaduy & Gross 2007, Eq. 11).
   * - `sphere`: balls, from the extremes of the blended centre on three axes.
   * - `sphere-skin`: balls, from joint sets and the corners of their weights (Kavan & Žára 2005); for skins with at
   *   most eight joints per vertex.
   *
   * Default: 'auto', which is `boxes`.
   */
  bounds?: BoundsName;
}

/** Owns the memory in which bodies live and queries work. */
export class Engine {
  readonly kernels: Kernels;
  /** @internal */ readonly pool: ThreadPool | undefined;
  readonly #meshes = new Map<TriangleMesh, ResidentMesh>();
  readonly #connectedMeshes = new Map<TriangleMesh, ResidentMesh>(); // with trees of connected patches
  /** @internal Working memory of queries that are not running; several may run inside one another. */
  readonly idleJobs: { free(): void }[] = [];
  /** @internal Bodies that queries under way are using. */
  queries = 0;
  #bodies = 0;
  #disposed = false;

  /** Use `createEngine`. */
  constructor(kernels: Kernels, pool?: ThreadPool) {
    this.kernels = kernels;
    this.pool = pool;
  }

  /** How many threads share a large query; fewer than asked for once a worker has ended. */
  get threads(): number {
    return this.pool?.threads ?? 1;
  }

  /** A body whose pose is the position of every vertex. */
  createFreeBody(mesh: TriangleMesh, options: BodyOptions = {}): Body {
    return this.createBody(mesh, options, (resident) => new FreeDeformer(this.kernels, resident));
  }

  /** A body that keeps its shape. Its pose is a row-major 3×4 matrix. */
  createRigidBody(mesh: TriangleMesh, options: BodyOptions = {}): Body {
    return this.createBody(mesh, options, (resident) => new RestShape(resident));
  }

  /**
   * A body moved by joints: its pose is a row-major 3×4 matrix per joint, joint world times inverse bind. With
   * `modes`, morph targets applied before the skin, it is `{ joints, modes }`.
   */
  createSkinnedBody(mesh: TriangleMesh, skin: Skin, options: BodyOptions & { modes?: Modes } = {}): Body {
    return this.createBody(
      mesh,
      options,
      (resident) => new BlendDeformer(this.kernels, resident, skin, options.modes),
    );
  }

  /**
   * A body moved by weighted displacements, u = Uq: morph targets or modes. Its pose is one weight per mode. Its tree
   * has connected patches by default: a node that takes in two coils of a spring says little about either.
   */
  createModalBody(mesh: TriangleMesh, modes: Modes, options: BodyOptions = {}): Body {
    checkObject('options', options);
    return this.createBody(
      mesh,
      { ...options, split: options.split ?? 'connected' },
      (resident) => new BlendDeformer(this.kernels, resident, undefined, modes),
    );
  }

  /**
   * A body carried by the nodes of a point-based simulation. Its pose is `{ displacements, gradients }` of the nodes;
   * at first they are all at rest.
   */
  createMeshlessBody(mesh: TriangleMesh, meshless: Meshless, options: BodyOptions = {}): Body {
    return this.createBody(
      mesh,
      options,
      (resident) => new MeshlessDeformer(this.kernels, resident, meshless),
    );
  }

  /** A body inside tetrahedra or a cage, see `embedInTetrahedra`. Its pose is the position of every control point. */
  createEmbeddedBody(mesh: TriangleMesh, embedding: Embedding, options: BodyOptions = {}): Body {
    return this.createBody(
      mesh,
      options,
      (resident) => new EmbeddedDeformer(this.kernels, resident, embedding),
    );
  }

  /** @internal A body moved by any deformer; what `createDeformer` returns is checked by Body's constructor. */
  createBody(
    mesh: TriangleMesh,
    options: BodyOptions,
    createDeformer: (resident: ResidentMesh) => Deformer,
  ): Body {
    const resident = this.#place(mesh, options);
    let deformer: Deformer | undefined;
    try {
      deformer = createDeformer(resident);
      return this.#register(new Body(this, resident, deformer, options.name, options.bounds));
    } catch (error) {
      if (typeof deformer?.free === 'function') deformer.free(); // what is no deformer may have none
      this.#bodies++;
      this.release(resident);
      throw error;
    }
  }

  /** Frees everything. Bodies that still exist can no longer be used. */
  dispose(): void {
    if (this.#disposed) return;
    if (this.queries > 0)
      throw new InputError('busy', 'an engine cannot be disposed of while a query is running');
    this.#disposed = true;
    this.pool?.dispose();
    for (const job of this.idleJobs) job.free();
    this.idleJobs.length = 0;
    for (const meshes of [this.#meshes, this.#connectedMeshes]) {
      for (const resident of meshes.values()) resident.free();
      meshes.clear();
    }
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** How many bodies are alive, and the bytes of kernel memory in use. */
  get usage(): { bodies: number; bytes: number } {
    return { bodies: this.#bodies, bytes: this.kernels.memory.bytesInUse };
  }

  /** @internal A body is gone; its mesh goes with the last one that uses it. */
  release(resident: ResidentMesh): void {
    if (this.#disposed) return;
    this.#bodies--;
    if (--resident.users > 0) return;
    resident.free();
    for (const meshes of [this.#meshes, this.#connectedMeshes]) {
      if (meshes.get(resident.mesh) === resident) meshes.delete(resident.mesh);
    }
  }

  #register(body: Body): Body {
    this.#bodies++;
    return body;
  }

  /** Bodies of one mesh share tree and front, unless they ask for a tree of their own. */
  #place(mesh: TriangleMesh, options: BodyOptions): ResidentMesh {
    if (this.#disposed) throw new InputError('disposed', 'this engine has been disposed of');
    checkTriangleMesh(mesh);
    checkBodyOptions(mesh, options);
    const meshes = options.split === 'connected' ? this.#connectedMeshes : this.#meshes;
    const isUsual = typeof options.split !== 'function' && options.positions === undefined;
    let resident = isUsual ? meshes.get(mesh) : undefined;
    if (resident === undefined) {
      resident = new ResidentMesh(this.kernels, mesh, buildTree(mesh, options));
      if (isUsual) meshes.set(mesh, resident);
    }
    resident.users++;
    return resident;
  }
}

function checkBodyOptions(mesh: TriangleMesh, options: BodyOptions): void {
  checkObject('options', options);
  const { name, split, positions } = options;
  if (name !== undefined && typeof name !== 'string') {
    throw new InputError('wrong-type', `name must be a string, not ${describe(name)}`);
  }
  const isRule = split === undefined || split === 'median' || split === 'connected';
  if (!isRule && typeof split !== 'function') {
    throw new InputError(
      'bad-option',
      `split must be a function, median or connected, not ${describe(split)}`,
    );
  }
  if (positions !== undefined) checkCoordinates('positions', positions, 3 * mesh.vertexCount);
}
