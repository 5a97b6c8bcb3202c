import { type Engine, InputError } from 'pliant';
import { giveWay } from '../scenes/give-way.ts';
import type { ControlValues, FrameFacts, SceneRequest, Stage } from '../scenes/scene.ts';
import { type Contender, globalPairs, haveSamePairs } from './contender.ts';
import { intersectionCurves } from './curves.ts';
import { DrawnMesh } from './drawn-mesh.ts';
import {
  type FrameResult,
  type FrameWants,
  MOST_PAIRS,
  type OpenedScene,
  type ShownFacts,
  type SpareBuffers,
} from './protocol.ts';
import { type TracedMesh, traceFrame } from './trace.ts';

const WARM_UP = 6; // frames
const OUTLINE = 3000; // points per frame
const TURN = 40; // milliseconds before others get a turn on this thread

/** What a frame may be given beside its number. */
export interface FrameWork extends Pick<SceneRequest, 'onProgress' | 'signal'> {
  readonly spare?: SpareBuffers;
}

/** A stage with its two contenders, and how it is drawn. */
export class Show {
  readonly stage: Stage;
  readonly pliant: Contender;
  /** First triangle of each mesh, and the number of all triangles at the end. */
  readonly firstTriangle: readonly number[];
  readonly #engine: Engine;
  readonly #traditional: Contender;
  readonly #drawn: readonly DrawnMesh[];
  readonly #placed: readonly TracedMesh[];
  readonly #vertexCount: number;
  readonly #outline: number[] = [];
  #turn = 0;
  #at = { clip: 0, frame: -1 }; // where the stage stands

  constructor(engine: Engine, stage: Stage, pliant: Contender, traditional: Contender) {
    this.#engine = engine;
    this.stage = stage;
    this.pliant = pliant;
    this.#traditional = traditional;
    this.#drawn = stage.meshes.map((mesh) => new DrawnMesh(mesh));
    const firstTriangle = [0];
    const placed: TracedMesh[] = [];
    let firstVertex = 0;
    for (const { index, vertexCount } of this.#drawn) {
      placed.push({ index, firstVertex });
      firstVertex += vertexCount;
      firstTriangle.push(firstTriangle.at(-1)! + index.length / 3);
    }
    this.firstTriangle = firstTriangle;
    this.#placed = placed;
    this.#vertexCount = firstVertex;
  }

  describe(id: string, values: ControlValues): OpenedScene {
    const { stage } = this;
    const index = new Uint32Array(3 * this.firstTriangle.at(-1)!);
    const tones = new Uint8Array(this.#vertexCount);
    this.#placed.forEach(({ index: from, firstVertex }, m) => {
      const o = 3 * this.firstTriangle[m];
      for (let corner = 0; corner < from.length; corner++) index[o + corner] = firstVertex + from[corner];
      tones.fill(stage.meshes[m].tone, firstVertex, firstVertex + this.#drawn[m].vertexCount);
    });
    return {
      id,
      values,
      files: stage.files,
      clips: stage.clips.map(({ name, frameCount }) => ({ name, frameCount })),
      fps: stage.fps,
      outlook: stage.outlook ?? [0.55, 0.35, 1],
      floats: stage.floats ?? false,
      margin: stage.margin ?? 1.08,
      follows: stage.follows ?? false,
      notes: stage.notes,
      kernels: this.#engine.kernels.name,
      meshes: stage.meshes.map(({ name }, m) => ({
        name,
        firstTriangle: this.firstTriangle[m],
        triangleCount: this.firstTriangle[m + 1] - this.firstTriangle[m],
      })),
      index,
      tones,
      vertexCount: this.#vertexCount,
      outline: Float32Array.from(this.#outline),
      legend: stage.legend ?? [],
      sound: stage.sound,
      levels: Math.max(...this.pliant.cast.bodies.map(({ tree }) => tree.levelStart.length - 1)),
    };
  }

  /** Some queries that nobody sees: the first ones are slow for both methods. Also measures how far things go. */
  async warmUp(signal?: AbortSignal): Promise<void> {
    const { frameCount } = this.stage.clips[0];
    for (let k = 0; k < WARM_UP; k++) {
      await giveWay(signal);
      const isEndless = frameCount === Number.POSITIVE_INFINITY;
      await this.goTo(0, isEndless ? 0 : Math.floor((k * frameCount) / WARM_UP));
      this.pliant.run();
      this.#traditional.run();
      if (!this.stage.isEntered && (k === 0 || !this.stage.follows)) this.#addOutline();
    }
    this.#outline.push(...(this.stage.corners ?? []));
    this.pliant.cast.tell?.();
  }

  /** A clip and a frame that exist, for any whole numbers. */
  nearestFrame(clip: number, frame: number): { clip: number; frame: number } {
    const { clips } = this.stage;
    const nearest = Math.max(0, Math.min(clip, clips.length - 1));
    const { frameCount } = clips[nearest];
    return {
      clip: nearest,
      frame: Number.isFinite(frameCount) ? wrap(frame, frameCount) : Math.max(0, frame),
    };
  }

  /** Poses the stage. A simulation gets there frame by frame, and gives way to other messages on a long way. */
  async goTo(clip: number, frame: number, { onProgress, signal }: FrameWork = {}): Promise<void> {
    const { stage } = this;
    if (stage.clips[clip].frameCount === Number.POSITIVE_INFINITY) {
      const isAhead = this.#at.clip === clip && this.#at.frame <= frame;
      let turn = performance.now();
      for (let k = isAhead ? this.#at.frame + 1 : 0; k < frame; k++) {
        await stage.goTo(clip, k);
        this.#at = { clip, frame: k };
        if (performance.now() - turn < TURN) continue;
        onProgress?.(`Simulating up to frame ${frame}`, k / frame);
        await giveWay(signal);
        turn = performance.now();
      }
    }
    await stage.goTo(clip, frame);
    this.#at = { clip, frame };
  }

  /** Poses the scene and lets both methods answer; who goes first changes from frame to frame. */
  async frame(clip: number, frame: number, wants: FrameWants, work: FrameWork = {}): Promise<FrameResult> {
    const { stage, pliant } = this;
    if (stage.clips[clip] === undefined) throw new InputError('out-of-range', `there is no clip ${clip}`);
    await this.goTo(clip, frame, work);
    const isPliantFirst = this.#turn++ % 2 === 0;
    const first = (isPliantFirst ? pliant : this.#traditional).run();
    const second = (isPliantFirst ? this.#traditional : pliant).run();
    const { report, cast } = pliant;
    const all = globalPairs(report, this.firstTriangle);
    const facts = cast.tell?.();
    return {
      clip,
      frame,
      time: timeOf(stage, clip, frame),
      ...this.#drawShapes(work.spare),
      pliant: isPliantFirst ? first : second,
      traditional: isPliantFirst ? second : first,
      agree: haveSamePairs(report, this.#traditional.report),
      pairCount: report.pairCount,
      pairs: all.slice(0, 2 * MOST_PAIRS),
      touching: this.#touchingIndex(all, facts),
      curves: wants.curves ? intersectionCurves(report, cast.bodies, MOST_PAIRS) : undefined,
      trace: wants.trace ? traceFrame(cast.bodies, stage.self, this.#placed) : undefined,
      facts: facts && this.#shownFacts(facts),
    };
  }

  dispose(): void {
    this.pliant.dispose();
    this.#traditional.dispose();
    this.stage.dispose?.();
  }

  /** A tone per body or per triangle becomes one per vertex. */
  #shownFacts({ rows, tones: ofMesh, triangleTones, legend, gauge, strikes }: FrameFacts): ShownFacts {
    if (ofMesh === undefined) return { rows, legend, gauge, strikes };
    const tones = new Uint8Array(this.#vertexCount);
    this.#placed.forEach(({ firstVertex }, m) => {
      tones.fill(ofMesh[m], firstVertex, firstVertex + this.#drawn[m].vertexCount);
    });
    for (const { mesh, tones: ofTriangle } of triangleTones ?? []) {
      const { index, firstVertex } = this.#placed[mesh];
      for (let corner = 0; corner < index.length; corner++) {
        tones[firstVertex + index[corner]] = ofTriangle[Math.floor(corner / 3)];
      }
    }
    return { rows, legend, gauge, strikes, tones };
  }

  #addOutline(): void {
    const { bodies } = this.pliant.cast;
    for (const body of bodies) {
      const points = body.getPositions();
      const step = 3 * Math.max(1, Math.floor((points.length * bodies.length) / OUTLINE / 3));
      for (let o = 0; o < points.length; o += step)
        this.#outline.push(points[o], points[o + 1], points[o + 2]);
    }
  }

  #drawShapes(spare: SpareBuffers | undefined): SpareBuffers {
    const fits = spare?.positions.length === 3 * this.#vertexCount;
    const positions = fits ? spare.positions : new Float32Array(3 * this.#vertexCount);
    const normals = fits ? spare.normals : new Int16Array(4 * this.#vertexCount);
    this.pliant.cast.bodies.forEach((body, m) => {
      this.#drawn[m].write(body, this.#placed[m].firstVertex, positions, normals);
    });
    return { positions, normals };
  }

  /** Vertices of the triangles in any pair, and of those that are lit anyway, each triangle once. */
  #touchingIndex(pairs: Uint32Array, facts: FrameFacts | undefined): Uint32Array {
    const touching = new Set(pairs);
    for (const { mesh, triangles } of facts?.lit ?? []) {
      for (const triangle of triangles) touching.add(this.firstTriangle[mesh] + triangle);
    }
    const triangles = [...touching].sort((a, b) => a - b);
    const index = new Uint32Array(3 * triangles.length);
    let mesh = 0;
    triangles.forEach((id, k) => {
      while (id >= this.firstTriangle[mesh + 1]) mesh++;
      const { index: from, firstVertex } = this.#placed[mesh];
      const corner = 3 * (id - this.firstTriangle[mesh]);
      for (let c = 0; c < 3; c++) index[3 * k + c] = firstVertex + from[corner + c];
    });
    return index;
  }
}

export function timeOf({ clips, fps }: Stage, clip: number, frame: number): number {
  return clips[clip].times?.[frame] ?? frame / fps;
}

function wrap(frame: number, count: number): number {
  return ((frame % count) + count) % count;
}
