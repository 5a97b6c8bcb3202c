import type { FrameChecker, FrameResult } from '../frames/frame-checker.ts';
import type { FramePlan, PlannedFrame } from '../frames/frame-plan.ts';
import { chooseShownFrames, shownFramesLimit } from '../html/choose-shown-frames.ts';
import type {
  ReportData,
  ReportFact,
  ReportFrame,
  ReportMesh,
  ReportPose,
  ReportRegionPair,
  ReportShownFrame,
  ReportState,
} from '../html/report-data.ts';
import { meshIndexOf } from '../output/run-summary.ts';
import type { MeshPose, Scene, SceneMesh } from '../scene/scene.ts';
import { reportRegions } from './mesh-regions.ts';

interface RegionCount {
  frames: number;
  pairs: number;
  readonly firstFrame: number;
  lastFrame: number;
}

const KEPT = 48e6; // bytes of pairs

/**
 * Gathers what the HTML report shows. Pairs are counted, and kept as far as they fit; which frames get a picture is
 * clear only at the end, and those whose pairs were not kept are asked again.
 */
export class ReportCollector {
  readonly #scene: Scene;
  readonly #meshes: ReportMesh[];
  readonly #firstRegion: number[] = [0]; // of each mesh among all
  readonly #frames: ReportFrame[] = [];
  readonly #numbers: number[] = []; // of each frame in the plan
  readonly #hits: Uint32Array;
  readonly #hitAt: Uint32Array; // the last frame, plus one, in which a triangle was hit
  readonly #regionPairs = new Map<number, RegionCount>();
  readonly #kept: Uint32Array[] = []; // pairs of the first frames
  #keptBytes = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#meshes = scene.meshes.map(reportMesh);
    for (const { regions } of this.#meshes) {
      this.#firstRegion.push(this.#firstRegion.at(-1)! + regions.names.length);
    }
    this.#hits = new Uint32Array(scene.triangleCount);
    this.#hitAt = new Uint32Array(scene.triangleCount);
  }

  add({ index, clip, time }: PlannedFrame, { frame, pairs, count }: FrameResult): void {
    const number = this.#frames.length;
    this.#frames.push({ index, clip: clip ?? '', time, count });
    this.#numbers.push(frame);
    if (this.#kept.length === number && this.#keptBytes < KEPT) {
      this.#kept.push(pairs.slice()); // the page paints all of them and lists some
      this.#keptBytes += this.#kept[number].byteLength + 64;
    }
    for (let k = 0; k < pairs.length; k += 2) {
      const [i, j] = [pairs[k], pairs[k + 1]];
      this.#hit(i, number);
      this.#hit(j, number);
      this.#countRegions(i, j, number);
    }
  }

  async finish(
    checker: FrameChecker,
    plan: FramePlan,
    files: readonly string[],
    state: ReportState,
    settings: readonly ReportFact[],
    timings: readonly ReportFact[],
  ): Promise<ReportData> {
    return {
      title: `${files[0]} – contacts`,
      files,
      state,
      settings,
      timings,
      clips: plan.clips.map(({ name }) => name ?? ''),
      meshes: this.#meshes,
      frames: this.#frames,
      shown: await this.#show(checker),
      regionPairs: this.#listRegionPairs(),
      hits: this.#hits,
    };
  }

  #hit(triangle: number, number: number): void {
    if (this.#hitAt[triangle] === number + 1) return;
    this.#hitAt[triangle] = number + 1;
    this.#hits[triangle]++;
  }

  #countRegions(i: number, j: number, number: number): void {
    const a = this.#regionOf(i),
      b = this.#regionOf(j);
    const regionCount = this.#firstRegion.at(-1)!;
    const key = Math.min(a, b) * regionCount + Math.max(a, b);
    let found = this.#regionPairs.get(key);
    if (found === undefined) {
      this.#regionPairs.set(key, (found = { frames: 0, pairs: 0, firstFrame: number, lastFrame: -1 }));
    }
    found.pairs++;
    if (found.lastFrame !== number) found.frames++;
    found.lastFrame = number;
  }

  #regionOf(triangle: number): number {
    const mesh = meshIndexOf(this.#scene.meshes, triangle);
    const { regions, firstTriangle } = this.#meshes[mesh];
    return this.#firstRegion[mesh] + regions.ofTriangle[triangle - firstTriangle];
  }

  #listRegionPairs(): ReportRegionPair[] {
    const regionCount = this.#firstRegion.at(-1)!;
    const reference = (region: number) => {
      let mesh = 0;
      while (this.#firstRegion[mesh + 1] <= region) mesh++;
      return [mesh, region - this.#firstRegion[mesh]] as const;
    };
    return [...this.#regionPairs].map(([key, { frames, pairs, firstFrame }]) => ({
      a: reference(Math.floor(key / regionCount)),
      b: reference(key % regionCount),
      frames,
      pairs,
      firstFrame,
    }));
  }

  async #show(checker: FrameChecker): Promise<ReportShownFrame[]> {
    const isPointCache = this.#scene.meshes.some(({ kind }) => kind === 'free');
    const limit = shownFramesLimit(this.#meshes, isPointCache);
    const shown: ReportShownFrame[] = [];
    for (const frame of chooseShownFrames(this.#frames, limit)) {
      const { count } = this.#frames[frame];
      const pairs = this.#kept[frame] ?? (await checker.check(this.#numbers[frame]))!.pairs;
      const poses = (await checker.posesOf(this.#numbers[frame])).map(reportPose);
      shown.push({ frame, pairs, truncated: 2 * count > pairs.length, poses });
    }
    return shown;
  }
}

function reportMesh(mesh: SceneMesh, index: number): ReportMesh {
  const { name, node, firstTriangle, positions, triangles, skin, modes } = mesh;
  return {
    name,
    node: node ?? index,
    firstTriangle,
    triangleCount: triangles.length / 3,
    positions: Float32Array.from(positions),
    triangles,
    regions: reportRegions(mesh),
    skin: skin && {
      influences: skin.influences,
      joints: Uint16Array.from(skin.joints),
      weights: Float32Array.from(skin.weights),
      jointNames: skin.jointNames,
    },
    morphs: modes && { count: modes.count, deltas: Float32Array.from(modes.displacements) },
  };
}

function reportPose({ world, joints, weights, positions }: MeshPose): ReportPose {
  return {
    world: Float32Array.from(world),
    joints: joints && Float32Array.from(joints),
    morphWeights: weights && Float32Array.from(weights),
    positions: positions && Float32Array.from(positions),
  };
}
