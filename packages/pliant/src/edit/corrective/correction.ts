import type { Engine } from '../../body/engine.ts';
import { addMorphTarget, type NewMorphTarget } from '../../gltf/add-morph-target.ts';
import type { GltfScene } from '../../gltf/gltf-scene.ts';
import type { ReadGltfOptions } from '../../gltf/read-gltf.ts';
import { readNormals } from '../../gltf/read-normals.ts';
import { runInSlices, type SliceOptions } from '../../long-work/in-slices.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { Pin } from '../controls.ts';
import type { Shape, ShapeState } from '../shape.ts';
import type { Crossings, TouchingPairs } from './crossings.ts';
import { easeAway } from './ease-away.ts';
import { checkPositive } from './find-pose.ts';
import { normalDeltas } from './normal-deltas.ts';
import { rampKeys } from './ramp.ts';
import { blendPoints, type SkinPose } from './skin-pose.ts';
import { weldValues } from './weld-values.ts';

/** Displacements of less than this share of the surface's size are left out: nobody sees them. */
const NOTHING = 1e-5;
/** Steps of the shape at most, and how many of them without improvement are enough. */
const MOST_STEPS = 200;
const PATIENCE = 25;
/** What moves by less in a step, of the size, rests. */
const STILL = 1e-4;

/**
 * Pairs of triangles of the posed mesh that touch; and how many of them do so in the bind pose already, or are of parts
 * that do, which nothing connects. These are left alone.
 */
export interface ContactCount {
  readonly pairs: number;
  readonly atBind: number;
}

export interface CorrectionReport {
  readonly before: ContactCount;
  readonly after: ContactCount;
  /** Vertices of the file that move, and how far the one goes that goes farthest: in the pose, in world units. */
  readonly moved: number;
  readonly furthest: number;
  /** Steps of the shape that were taken. */
  readonly steps: number;
}

/** How far a correction has come, as a value that does not change. */
export interface CorrectionState {
  readonly shape: ShapeState | undefined;
  /** What was eased after the shape had done what it could: displacements in the pose, three per vertex of the file. */
  readonly eased: Float64Array;
}

export interface MorphTargetOptions {
  /** Of the morph target. Default: that of the correction. */
  name?: string;
  /** Seconds over which the weight goes from 0 to 1, and back. Default: that of the correction. */
  ramp?: number;
}

/** All that a correction is made of. @internal */
export interface CorrectionParts {
  readonly engine: Engine;
  readonly ownsEngine: boolean;
  readonly scene: GltfScene;
  readonly mesh: number;
  readonly clip: number;
  readonly time: number;
  readonly ramp: number;
  readonly name: string;
  readonly surface: TriangleMesh;
  readonly crossings: Crossings;
  readonly pose: SkinPose;
  readonly posed: Float64Array; // three per vertex of `surface`
  readonly eased: Float64Array; // without folds
  readonly fixed: Uint8Array; // per vertex of `surface`: its blend cannot be undone
  readonly size: number;
  readonly shape: Shape | undefined;
  readonly hold: Pin | undefined;
  readonly notes: readonly string[];
}

/**
 * A skinned mesh at one time of a clip, on its way to touch itself no more, and to become a morph target that does so.
 * See `createCorrection`.
 */
export class Correction {
  /** Which of the scene's meshes and clips, and when. */
  readonly mesh: number;
  readonly clip: number;
  readonly time: number;
  /** Of the morph target. */
  readonly name: string;
  /**
   * The posed surface, folds eased, as a shape to take hold of: its vertices are those of the file, in world
   * coordinates. Undefined where nothing is left to do for it, or where it could not be made; see `notes`.
   */
  readonly shape: Shape | undefined;
  /** What keeps places where they are that are far from contacts; `remove` it to let all move. */
  readonly hold: Pin | undefined;
  /** What should be known about the result, in words. */
  readonly notes: readonly string[];
  readonly before: ContactCount;

  readonly #parts: CorrectionParts;
  readonly #rest: Float64Array | undefined; // of the shape when it was made
  readonly #extra: Float64Array; // what was eased after the shape had done what it could
  #steps = 0;
  #isDisposed = false;

  /** Use `createCorrection`. @internal */
  constructor(parts: CorrectionParts) {
    const { mesh, clip, time, name, shape, hold, notes, posed, crossings } = parts;
    this.#parts = parts;
    this.mesh = mesh;
    this.clip = clip;
    this.time = time;
    this.name = name;
    this.shape = shape;
    this.hold = hold;
    this.notes = notes;
    this.before = crossings.count(posed);
    this.#rest = shape?.positions.slice();
    this.#extra = new Float64Array(posed.length);
  }

  /** The surface before anything was done, in world coordinates: three numbers per vertex of the file. */
  get posed(): Float64Array {
    return this.#parts.pose.positions.slice();
  }

  /** The corrected surface, in world coordinates: three numbers per vertex of the file. As it will be in the file. */
  get positions(): Float64Array {
    this.#checkAlive();
    return this.#positionsWith(this.#deltas());
  }

  /** Which triangles touch in the file that would be written now. */
  touching(): TouchingPairs {
    const { crossings, surface } = this.#parts;
    return crossings.touching(weldValues(surface, this.positions, 3));
  }

  /** Everything that `resolve` and handles have changed. */
  get state(): CorrectionState {
    this.#checkAlive();
    const { weldedVertex } = this.#parts.surface;
    const eased = new Float64Array(3 * weldedVertex.length);
    for (let v = 0; v < weldedVertex.length; v++) {
      for (let a = 0; a < 3; a++) eased[3 * v + a] = this.#extra[3 * weldedVertex[v] + a];
    }
    return { shape: this.shape?.state, eased };
  }

  /**
   * Goes back to a state of this correction, or of one that was made the same way. Without a state of the shape, that
   * stays as it is. Errors: 'mismatch' for one of another mesh.
   */
  restore({ shape, eased }: CorrectionState): void {
    this.#checkAlive();
    const { surface } = this.#parts;
    checkLength('eased', eased, surface);
    if (shape) this.shape?.restore(shape);
    this.#extra.set(weldValues(surface, eased, 3));
  }

  /**
   * Takes a result from elsewhere: what the shape does not do of the way to these positions, three per vertex of the
   * file in world coordinates, is as if it had been eased. Errors: 'mismatch'.
   */
  adopt(positions: Float64Array): void {
    this.#checkAlive();
    const { surface, fixed } = this.#parts;
    checkLength('positions', positions, surface);
    const wanted = weldValues(surface, positions, 3);
    this.#extra.fill(0);
    const current = this.#current(0);
    for (let i = 0; i < wanted.length; i++) {
      if (fixed[Math.floor(i / 3)] === 0) this.#extra[i] = wanted[i] - current[i];
    }
  }

  /** What would be found in the file that would be written now. */
  report(): CorrectionReport {
    const { positions, before } = this;
    const { posed, surface, crossings } = this.#parts;
    let moved = 0,
      furthest = 0;
    for (let v = 0; v < surface.weldedVertex.length; v++) {
      const o = 3 * surface.weldedVertex[v];
      const way = Math.hypot(
        positions[3 * v] - posed[o],
        positions[3 * v + 1] - posed[o + 1],
        positions[3 * v + 2] - posed[o + 2],
      );
      furthest = Math.max(furthest, way);
      if (way > 0.5 * NOTHING * this.#parts.size) moved++;
    }
    return {
      before,
      after: crossings.count(weldValues(surface, positions, 3)),
      moved,
      furthest,
      steps: this.#steps,
    };
  }

  /**
   * Lets the shape come apart where it touches itself, until it does so no more or nothing improves, and eases what is
   * left. May be called again, after handles were moved for instance. Stopped by the signal it keeps what it has done.
   */
  async resolve(options: SliceOptions = {}): Promise<CorrectionReport> {
    this.#checkAlive();
    const { onProgress } = options;
    await runInSlices(this.#resolveSteps(), options, (share) => onProgress?.(share));
    onProgress?.(1);
    return this.report();
  }

  /** What `addMorphTarget` of `pliant/gltf` adds to the file. `normals`: those of the file, three per vertex. */
  toMorphTarget(normals?: Float64Array, options: MorphTargetOptions = {}): NewMorphTarget {
    this.#checkAlive();
    const { scene, mesh, clip, time, surface, pose, posed } = this.#parts;
    const { name = this.name, ramp = this.#parts.ramp } = options;
    checkPositive('ramp', ramp);
    const { channels } = scene.clips[clip];
    const last = channels.reduce((end, { times }) => Math.max(end, times[times.length - 1]), 0);
    const { triangles } = scene.meshes[mesh];
    const positions = this.#deltas();
    const after = () => weldValues(surface, this.#positionsWith(positions), 3);
    const changed = normals && normalDeltas(surface, triangles, normals, pose, posed, after());
    return {
      mesh,
      name,
      positions,
      ...(changed && { normals: changed }),
      clip,
      ...rampKeys(time, ramp, last),
    };
  }

  /** The file with the correction as a morph target. `bytes` are those that the scene was read from, not gzipped. */
  async writeGlb(bytes: Uint8Array, options: ReadGltfOptions & MorphTargetOptions = {}): Promise<Uint8Array> {
    this.#checkAlive();
    const { scene, mesh } = this.#parts;
    const normals = await readNormals(bytes, scene.name, scene.meshes[mesh], options);
    return addMorphTarget(bytes, scene, this.toMorphTarget(normals, options));
  }

  /** Gives its memory back, and that of the shape. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { shape, crossings, engine, ownsEngine } = this.#parts;
    shape?.dispose();
    crossings.dispose();
    if (ownsEngine) engine.dispose();
  }

  *#resolveSteps(): Generator<number, void> {
    const { crossings, size, shape } = this.#parts;
    const leftOf = () => crossings.findWithMargin(this.#current(), size).length / 2;
    this.#extra.fill(0);
    if (!shape && crossings.find(this.#parts.posed).length === 0) return; // nothing to do
    const first = leftOf();
    let fewest = first,
      left = first,
      idle = 0,
      best = shape?.state;
    for (let step = 0; shape && step < MOST_STEPS && idle < PATIENCE; step++) {
      if (left === 0 && !hasUnmetHandles(shape, STILL * size)) break;
      const { movement } = shape.step();
      this.#steps++;
      left = leftOf();
      const isOnItsWay = movement > STILL * size && hasUnmetHandles(shape, STILL * size);
      idle = left < fewest || isOnItsWay ? 0 : idle + 1;
      if (left <= fewest) best = shape.state;
      fewest = Math.min(fewest, left);
      yield 0.9 * Math.max(step / MOST_STEPS, 1 - left / Math.max(1, first));
    }
    const isFree = shape !== undefined && shape.handles.length + shape.regions.length === 0;
    // What is shown follows the solver in some steps: a state without its blend shows what was solved.
    if (shape) shape.restore({ ...(isFree && left > fewest ? best! : shape.state), blend: undefined });
    const current = this.#current();
    let result = current.slice();
    if (!(yield* this.#ease(result)) && isFree) {
      const alone = this.#parts.eased.slice(); // what the shape has done may be in the way
      yield* this.#ease(alone);
      if (crossings.find(alone).length < crossings.find(result).length) result = alone;
    }
    for (let i = 0; i < result.length; i++) this.#extra[i] = result[i] - current[i];
  }

  *#ease(positions: Float64Array): Generator<number, boolean> {
    const { crossings, size, fixed } = this.#parts;
    const steps = easeAway(crossings, positions, { fixed, size });
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      yield 0.95;
    }
  }

  /** Of the vertices of `surface`, before it is rounded. What moves by next to nothing, of the size, stays. */
  #current(nothing = NOTHING): Float64Array {
    const { eased, posed, surface, fixed, size } = this.#parts;
    const out = posed.slice();
    const way = new Float64Array(3);
    for (let v = 0; v < surface.vertexCount; v++) {
      if (fixed[v] === 1) continue;
      const s = 3 * surface.sourceVertex[v];
      for (let a = 0; a < 3; a++) {
        const i = 3 * v + a;
        way[a] = eased[i] - posed[i] + this.#extra[i];
        if (this.shape) way[a] += this.shape.positions[s + a] - this.#rest![s + a];
      }
      if (!(Math.hypot(way[0], way[1], way[2]) > nothing * size)) continue;
      for (let a = 0; a < 3; a++) out[3 * v + a] += way[a];
    }
    return out;
  }

  /** A⁻¹ times the displacement in the pose, A the blend of each vertex: what the skin then takes there. */
  #deltas(): Float32Array {
    const { posed, surface, pose } = this.#parts;
    const { inverses: m } = pose;
    const current = this.#current();
    const out = new Float32Array(pose.positions.length);
    for (let v = 0; v < out.length / 3; v++) {
      const o = 3 * surface.weldedVertex[v],
        s = 9 * surface.sourceVertex[surface.weldedVertex[v]]; // vertices that are one get one displacement
      const x = current[o] - posed[o],
        y = current[o + 1] - posed[o + 1],
        z = current[o + 2] - posed[o + 2];
      out[3 * v] = m[s] * x + m[s + 1] * y + m[s + 2] * z;
      out[3 * v + 1] = m[s + 3] * x + m[s + 4] * y + m[s + 5] * z;
      out[3 * v + 2] = m[s + 6] * x + m[s + 7] * y + m[s + 8] * z;
    }
    return out;
  }

  #positionsWith(deltas: Float32Array): Float64Array {
    const { morphed, blends } = this.#parts.pose;
    return blendPoints(
      blends,
      morphed.map((x, i) => x + deltas[i]),
    );
  }

  #checkAlive(): void {
    if (this.#isDisposed) throw new InputError('disposed', 'this correction has been disposed of');
  }
}

function checkLength(what: string, values: Float64Array, { sourceVertexCount }: TriangleMesh): void {
  if (values instanceof Float64Array && values.length === 3 * sourceVertexCount) return;
  throw new InputError(
    'mismatch',
    `${what} must have three numbers for each of ${sourceVertexCount} vertices`,
  );
}

/** Whether a handle is farther from its target than `near`. */
function hasUnmetHandles({ handles }: Shape, near: number): boolean {
  return handles.some(({ target, held }) => target.some((x, a) => Math.abs(x - held[a]) > near));
}
