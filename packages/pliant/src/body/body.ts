import { type Certificate, checkCertificates } from '../cull/certificate.ts';
import type { BlendPose } from '../deform/blend.ts';
import { checkDeformer } from '../deform/check-deformer.ts';
import type { MeshlessPose } from '../deform/meshless.ts';
import { PlacedPoints } from '../deform/placed.ts';
import { type Deformer, hasHandles, type PointSource } from '../deform/point-source.ts';
import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { FreeBoxes } from '../refit/aabb-free.ts';
import { PlacedBoxes } from '../refit/aabb-placed.ts';
import type { Bounds } from '../refit/bounds.ts';
import { type BoundsName, checkBounds, createHandleBounds } from '../refit/choose-bounds.ts';
import { BoxStore } from '../refit/quantised-boxes.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Tree } from '../tree/tree.ts';
import { type Effort, effortOf } from './effort.ts';
import type { Engine } from './engine.ts';
import { Forecast } from './forecast.ts';

/**
 * Positions of vertices or control points, a matrix, joint matrices or mode weights; both of the last for a body
 * with a skin and modes; displacements and gradients of nodes for a meshless one.
 */
export type Pose = ArrayLike<number> | BlendPose | MeshlessPose;

interface Extent {
  source: PointSource | undefined;
  epoch: number;
  swept: boolean;
  /** At both ends of a motion. */
  readonly ends: [number[], number[]];
}

/** @internal Boxes of all nodes in kernel memory, and the pose they are of. */
export interface Boxes64 {
  readonly address: number;
  source: PointSource;
  epoch: number; // 0: of none
  swept: boolean;
}

/**
 * A mesh that moves: what users hold. Self-queries are answered in the body's own coordinates, before its world
 * matrix; queries between bodies in world coordinates.
 */
export class Body {
  readonly engine: Engine;
  readonly name: string;
  readonly mesh: TriangleMesh;
  /** @internal */ readonly resident: ResidentMesh;
  /** @internal Points in the body's own coordinates. */ readonly deformer: Deformer;
  /** @internal */ readonly boxStore: BoxStore;
  /** @internal What to expect of the next query: for all pairs, and for the first hit. */
  readonly forecasts: readonly [Forecast, Forecast] = [new Forecast(), new Forecast()];
  /** @internal The last first hit: of which body it was, and the two slots. It is likely to be one again. */
  readonly lastHit: { other: WeakRef<Body> | undefined; slot: number; otherSlot: number } = {
    other: undefined,
    slot: 0,
    otherSlot: 0,
  };
  /** @internal The box of all points when it was last measured. */
  readonly extent: Extent = {
    source: undefined,
    epoch: 0,
    swept: false,
    ends: [
      [0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ],
  };

  #placed: PlacedPoints | undefined;
  readonly #bounds: BoundsName;
  readonly #localBounds: (Bounds | undefined)[] = [undefined, undefined];
  readonly #worldBounds: (Bounds | undefined)[] = [undefined, undefined];
  readonly #idleBoxes64: Boxes64[] = [];
  #certificates: readonly Certificate[] = [];
  #adopted: Set<{ dispose(): void }> | undefined; // certificates with kernel memory
  #culling = '';
  #queries = 0;
  #disposed = false;

  /** Use `engine.create…Body`. Throws InputError for what is not a deformer of this mesh, and for bad bounds. */
  constructor(
    engine: Engine,
    resident: ResidentMesh,
    deformer: Deformer,
    name = resident.mesh.name,
    bounds: BoundsName = 'auto',
  ) {
    checkDeformer(deformer, resident.pointCount);
    checkBounds(engine.kernels, resident, deformer, bounds);
    this.engine = engine;
    this.resident = resident;
    this.mesh = resident.mesh;
    this.deformer = deformer;
    this.name = name;
    this.#bounds = bounds;
    this.boxStore = new BoxStore(engine.kernels, resident);
    this.effort = effortOf(resident, deformer);
    if (this.#isRigid) this.#placed = this.#createPlacement();
  }

  get tree(): Tree {
    return this.resident.tree;
  }

  /** Copies a pose; what it is made of depends on the kind of body, see the engine's create functions. */
  setPose(pose: Pose): void {
    this.#checkIdle();
    if (this.#isRigid) this.#placed!.setMatrix(pose);
    else this.deformer.setPose(pose);
  }

  /** Two poses for continuous queries: every vertex goes straight from the first to the second. */
  setMotion(start: Pose, end: Pose): void {
    this.#checkIdle();
    if (this.#isRigid) this.#placed!.setMatrices(start, end);
    else this.deformer.setMotion(start, end);
  }

  /**
   * The same from where the body is, which is the end of its last motion or its last pose: step by step. A free body has
   * then less to copy, and its energy certificates have less to sum.
   */
  moveTo(end: Pose): void {
    this.#checkIdle();
    if (this.#isRigid) this.#placed!.moveTo(end);
    else this.deformer.moveTo(end);
  }

  /** Where a deforming body stands in the world. For a rigid body this is its pose. */
  setWorldMatrix(matrix: ArrayLike<number>): void {
    this.#checkIdle();
    this.#placed ??= this.#createPlacement();
    this.#placed.setMatrix(matrix);
  }

  /** The same for a motion; combines with the motion of the shape. */
  setWorldMotion(start: ArrayLike<number>, end: ArrayLike<number>): void {
    this.#checkIdle();
    this.#placed ??= this.#createPlacement();
    this.#placed.setMatrices(start, end);
  }

  /** World positions of the welded vertices, as queries between bodies see them. */
  getPositions(out = new Float64Array(3 * this.mesh.vertexCount)): Float64Array {
    return this.#copyPoints(this.world, out);
  }

  /** The same in the body's own coordinates, as self-queries see them. */
  getLocalPositions(out = new Float64Array(3 * this.mesh.vertexCount)): Float64Array {
    return this.#copyPoints(this.deformer, out);
  }

  /** Proofs that self-queries try before volumes are compared, unless they are given others. */
  get certificates(): readonly Certificate[] {
    return this.#certificates;
  }

  /**
   * Cheapest first. The answers stay the same. `reason` says why these: reports repeat it. Certificates that were set
   * before keep their memory, so that they can be set again, until they or the body are disposed of.
   */
  setCertificates(certificates: readonly Certificate[], reason = ''): void {
    this.#checkIdle();
    checkCertificates(certificates, this);
    this.#certificates = [...certificates];
    this.#culling = String(reason);
  }

  /** @internal A certificate of this body that holds kernel memory: it is disposed of with the body. */
  adopt(certificate: { dispose(): void }): void {
    this.#adopted ??= new Set();
    this.#adopted.add(certificate);
  }

  /** @internal A certificate is being disposed of: the body does without. */
  abandon(certificate: Certificate): void {
    if (this.#disposed || this.engine.isDisposed) return;
    this.#checkIdle();
    this.#adopted?.delete(certificate as { dispose(): void });
    if (this.#certificates.includes(certificate)) {
      this.#certificates = this.#certificates.filter((other) => other !== certificate);
    }
  }

  /** Why it has these certificates, or none: what `setCertificates` was told. */
  get culling(): string {
    return this.#culling;
  }

  /** Builds what self-queries would otherwise build when first asked. */
  prepare(): this {
    this.checkUsable();
    void this.resident.front;
    return this;
  }

  /** Frees the memory of the body and of the certificates that were prepared for it. Using them afterwards throws. */
  dispose(): void {
    if (this.#disposed) return;
    if (!this.engine.isDisposed) {
      this.#checkIdle();
      for (const certificate of this.#adopted ?? []) certificate.dispose();
    }
    this.#disposed = true;
    if (this.engine.isDisposed) return;
    this.boxStore.free();
    for (const bounds of [...this.#localBounds, ...this.#worldBounds]) bounds?.free();
    this.#placed?.free();
    this.deformer.free();
    for (const { address } of this.#idleBoxes64) this.engine.kernels.memory.free(address);
    this.engine.release(this.resident);
  }

  /** @internal Points in world coordinates. */
  get world(): PointSource {
    return this.#placed ?? this.deformer;
  }

  /** @internal Volumes for one pose, or for the whole motion: a query about one may run inside a query about the other. */
  getLocalBounds(swept: boolean): Bounds {
    const k = swept ? 1 : 0;
    this.#localBounds[k] ??= this.#createBounds();
    return this.#localBounds[k];
  }

  /** @internal */
  getWorldBounds(swept: boolean): Bounds {
    if (this.#placed === undefined) return this.getLocalBounds(swept);
    const k = swept ? 1 : 0;
    this.#worldBounds[k] ??= hasHandles(this.deformer)
      ? createHandleBounds(this.engine.kernels, this.resident, this.deformer, this.#placed, this.#bounds)
      : new PlacedBoxes(this.getLocalBounds(swept) as FreeBoxes, this.#placed);
    return this.#worldBounds[k];
  }

  /** @internal What queries cost. */
  readonly effort: Effort;

  /** @internal True when a box costs less than looking at every point below it: handles are declared. */
  get hasCheapBounds(): boolean {
    return this.deformer.handles !== undefined;
  }

  /** @internal f64 boxes of all nodes, for the depth-first method; those of the same pose when there are such. */
  borrowBoxes64(source: PointSource, swept: boolean): Boxes64 {
    const idle = this.#idleBoxes64;
    for (let k = 0; k < idle.length; k++) {
      const boxes = idle[k];
      if (boxes.source !== source || boxes.epoch !== source.epoch || boxes.swept !== swept) continue;
      idle[k] = idle[idle.length - 1];
      idle.pop();
      return boxes;
    }
    const boxes = idle.pop() ?? {
      address: this.engine.kernels.memory.allocate(48 * this.tree.nodeCount),
      source,
      epoch: 0,
      swept,
    };
    boxes.source = source;
    boxes.swept = swept;
    boxes.epoch = 0; // to be filled
    return boxes;
  }

  /** @internal */
  returnBoxes64(boxes: Boxes64): void {
    this.#idleBoxes64.push(boxes);
  }

  /** @internal Throws where a query on this body makes no sense. */
  checkUsable(): void {
    const called = this.name ? `body "${this.name}"` : 'this body';
    if (this.#disposed) throw new InputError('disposed', `${called} has been disposed of`);
    if (this.engine.isDisposed)
      throw new InputError('disposed', `the engine of ${called} has been disposed of`);
  }

  /** @internal A query uses this body from now on: its pose must not change. */
  enterQuery(): void {
    this.#queries++;
    this.engine.queries++;
  }

  /** @internal */
  leaveQuery(): void {
    this.#queries--;
    this.engine.queries--;
  }

  #checkIdle(): void {
    this.checkUsable();
    if (this.#queries > 0) throw new InputError('busy', 'a body cannot change while a query is using it');
  }

  #createBounds(): Bounds {
    const { deformer, resident } = this;
    const { kernels } = this.engine;
    if (hasHandles(deformer)) return createHandleBounds(kernels, resident, deformer, undefined, this.#bounds);
    return new FreeBoxes(kernels, resident, deformer);
  }

  /** True when the points stay at rest: the pose is the world matrix. */
  get #isRigid(): boolean {
    return this.deformer.handles?.kind === 'rest';
  }

  #createPlacement(): PlacedPoints {
    return new PlacedPoints(this.engine.kernels, this.deformer, this.resident.pointCount);
  }

  #copyPoints(source: PointSource, out: Float64Array): Float64Array {
    this.checkUsable();
    if (!(out instanceof Float64Array) || out.length !== 3 * this.mesh.vertexCount) {
      throw new InputError(
        'wrong-length',
        `out must be a Float64Array of ${3 * this.mesh.vertexCount} numbers`,
      );
    }
    source.ensureAll(0);
    const points = source.address(0) >>> 3; // may allocate, so before the view is read
    const { f64 } = this.engine.kernels.memory;
    const { vertexOfPoint } = this.resident;
    out.set(this.mesh.positions); // vertices without a triangle stay where they are at rest
    for (let p = 0; p < vertexOfPoint.length; p++) {
      const v = 3 * vertexOfPoint[p];
      out[v] = f64[points + 3 * p];
      out[v + 1] = f64[points + 3 * p + 1];
      out[v + 2] = f64[points + 3 * p + 2];
    }
    return out;
  }

  /** @internal */
  static isBody(value: object): value is Body {
    return #disposed in value;
  }
}

/** True for what an engine made, however it looks. */
export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && Body.isBody(value);
}

/** Throws InputError for what no engine made, and for what has been disposed of. `what` names it in the message. */
export function checkBody(what: string, body: Body): void {
  if (!isBody(body)) {
    throw new InputError('wrong-type', `${what} must be a body made by an engine, not ${describe(body)}`);
  }
  body.checkUsable();
}
