import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckOptions } from '../../../packages/cli/src/frames/check-options.ts';
import { FrameChecker, type FrameResult } from '../../../packages/cli/src/frames/frame-checker.ts';
import { FramePlan } from '../../../packages/cli/src/frames/frame-plan.ts';
import type { PartInput } from '../../../packages/cli/src/scene/inputs.ts';
import { openScene } from '../../../packages/cli/src/scene/open-scene.ts';
import type { Scene } from '../../../packages/cli/src/scene/scene.ts';
import { createShape } from '../../../packages/cli/src/scene/stage.ts';
import { finishHash, mixHash } from '../../../packages/pliant/src/mesh/hash.ts';
import { ThreeModel } from '../../../packages/pliant/test/gltf/three-model.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { type CheckConfiguration, keyOf, type PeerMesh, ThreeCheck } from '../peers/three-check.ts';
import { type CaseResult, createRatio, createRow, type Row } from '../result.ts';
import { bestTimeOf, timeOf, timeOfAsync } from '../stopwatch.ts';

interface CheckCase {
  readonly name: string;
  readonly input: (data: string) => PartInput;
  readonly fps: number;
  readonly mostFrames: number; // evenly spread over all
}

const CASES: readonly CheckCase[] = [
  {
    name: 'kick',
    input: (data) => ({
      kind: 'cached',
      path: join(data, 'sequences/kick_unfixed.obj'),
      cache: join(data, 'sequences/kick_unfixed.pc2'),
    }),
    fps: 30,
    mostFrames: 60,
  },
  {
    name: 'cesium-man-120fps',
    input: (data) => ({ kind: 'gltf', path: join(data, 'skinned/CesiumMan.glb') }),
    fps: 120,
    mostFrames: 241, // all
  },
  {
    name: 'kaykit-knight',
    input: (data) => ({ kind: 'gltf', path: join(data, 'skinned/KayKit_Knight.glb') }),
    fps: 30,
    mostFrames: 40,
  },
];
const QUICK_FRAMES = 4;
const TARGET = 10;

/** What the command does with a file, beside the same written with three.js and three-mesh-bvh. */
export const check: Bench = {
  name: 'check',
  summary: 'whole frames of `pliant check` on real files (needs ../shared/data or PLIANT_DATA)',
  cases: CASES.map(({ name }) => name),
  async run(options) {
    const data = process.env.PLIANT_DATA ?? resolve('../shared/data');
    const outcomes: BenchOutcome[] = [];
    for (const one of CASES) {
      if (isWanted(one.name, options)) outcomes.push(await runCase(one, data, options));
    }
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runCase(one: CheckCase, data: string, options: BenchOptions): Promise<BenchOutcome> {
  const { name, fps, mostFrames } = one;
  const { quick, frames: wanted = quick ? QUICK_FRAMES : mostFrames, log } = options;
  const input = one.input(data);
  const paths = input.kind === 'cached' ? [input.path, input.cache] : 'path' in input ? [input.path] : [];
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) return { rows: [], notes: [`${name}: skipped, there is no ${missing}`] };

  const scene = await openScene([input]);
  const settings = settingsFor(fps, 'auto');
  const plan = new FramePlan(scene, settings);
  const frames = spread(plan.allFrames, wanted);
  const { triangleCount } = scene;
  log(
    `${name}: ${scene.meshes.length} meshes, ${triangleCount} triangles, ${frames.length} of ${plan.allFrames} frames`,
  );
  const peer = await createPeer(scene, input, plan, frames);
  log(`${name}: three-mesh-bvh: ${describe(peer.configuration)}`);
  const checker = await FrameChecker.create(scene, plan, settings);
  const { ours, theirs, results, peerKeys } = await measure(checker, peer, frames, roundsOf(options));
  checker.dispose();
  const answersAgree = await isConfirmed(scene, plan, settingsFor(fps, 'depth-first'), frames, results);

  const pairs = sum(results.map(({ count }) => count));
  const peerPairs = sum(peerKeys.map(({ length }) => length));
  const common = sum(results.map((result, f) => commonPairs(result, peerKeys[f], triangleCount)));
  const of: CaseResult = { name, isJudged: !quick, pairs, answersAgree };
  const rows = [
    createRatio(of, 'speedup-vs-three-mesh-bvh', theirs, ours, TARGET),
    rate(of, 'frames-per-second', ours),
    rate(of, 'frames-per-second-three-mesh-bvh', theirs),
    contacts(of, 'contacts', pairs),
    contacts(of, 'contacts-three-mesh-bvh', peerPairs),
  ];
  const notes = [
    `${name}: ${frames.length} of ${plan.allFrames} frames of ${plan.clips.length} clips, ${scene.meshes.length} meshes, ${triangleCount} triangles`,
    `${name}: three-mesh-bvh: ${describe(peer.configuration)}; ${common} pairs are found by both`,
  ];
  if (!answersAgree) notes.push(`${name}: DISAGREES: auto and depth-first find different pairs`);
  return { rows, notes };
}

function settingsFor(fps: number, method: CheckOptions['method']): CheckOptions {
  return { clips: [], fps, continuous: false, scope: 'all', adjacent: false, method, ignore: [] };
}

/** Milliseconds per frame of both, who take turns; of each frame the fastest round counts. */
async function measure(checker: FrameChecker, peer: Peer, frames: readonly number[], rounds: number) {
  const ours = new Float64Array(frames.length).fill(Infinity);
  const theirs = ours.slice();
  const results: FrameResult[] = [];
  const peerKeys: Float64Array[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let f = 0; f < frames.length; f++) {
      const elapsed = await timeOfAsync(async () => void (results[f] = (await checker.check(frames[f]))!));
      ours[f] = Math.min(ours[f], elapsed);
    }
    for (let f = 0; f < frames.length; f++) {
      const elapsed = timeOf(() => void (peerKeys[f] = peer.run(f)));
      theirs[f] = Math.min(theirs[f], elapsed);
    }
  }
  return { ours: mean(ours), theirs: mean(theirs), results, peerKeys };
}

/** Another of our methods finds the same pairs. */
async function isConfirmed(
  scene: Scene,
  plan: FramePlan,
  settings: CheckOptions,
  frames: readonly number[],
  results: readonly FrameResult[],
): Promise<boolean> {
  const checker = await FrameChecker.create(scene, plan, settings);
  let isSame = true;
  for (let f = 0; f < frames.length; f++) {
    isSame &&= hashPairs((await checker.check(frames[f]))!) === hashPairs(results[f]);
  }
  checker.dispose();
  return isSame;
}

function hashPairs({ pairs }: FrameResult): number {
  return finishHash(pairs.reduce(mixHash, mixHash(0, pairs.length)));
}

interface Peer {
  readonly configuration: CheckConfiguration;
  /** Poses the scene as in the f-th of the frames and checks it. */
  run(f: number): Float64Array;
}

/** Three.js with the same file and the fastest of several trees on a frame in the middle. */
async function createPeer(
  scene: Scene,
  input: PartInput,
  plan: FramePlan,
  frames: readonly number[],
): Promise<Peer> {
  const moments = frames.map((frame) => plan.frame(frame).start[0]);
  const model = input.kind === 'gltf' ? await ThreeModel.load(readFileSync(input.path)) : undefined;
  model?.pose(moments[0].clip, moments[0].time ?? 0);
  const meshes = scene.meshes.map((mesh): PeerMesh => {
    const { weldedVertex, sourceVertex } = createShape(scene, mesh);
    return {
      index: mesh.triangles.map((v) => sourceVertex[weldedVertex[v]]),
      positions: Float32Array.from(mesh.positions),
      objects: model?.primitives(mesh.node!),
      firstTriangle: mesh.firstTriangle,
    };
  });
  const written: Float32Array[][] = [];
  if (!model) {
    for (const moment of moments) {
      const poses = await scene.parts[0].poses(moment);
      written.push(poses.map(({ positions }) => Float32Array.from(positions!)));
    }
  }
  const create = (configuration: CheckConfiguration): Peer => {
    const three = new ThreeCheck(meshes, scene.triangleCount, configuration);
    const run = (f: number) => {
      model?.pose(moments[f].clip, moments[f].time ?? 0);
      return three.run(written[f] ?? []);
    };
    return { configuration, run };
  };
  return chooseFastest(create, Math.floor(frames.length / 2));
}

function chooseFastest(create: (configuration: CheckConfiguration) => Peer, f: number): Peer {
  let best: { peer: Peer; time: number } | undefined;
  for (const strategy of ['center', 'average', 'sah'] as const) {
    for (const leafSize of LEAF_SIZES) {
      const peer = create({ strategy, leafSize });
      peer.run(0);
      const time = bestTimeOf(2, () => peer.run(f));
      if (best === undefined || time < best.time) best = { peer, time };
    }
  }
  return best!.peer;
}

const LEAF_SIZES = [1, 2, 5];

function describe({ strategy, leafSize }: CheckConfiguration): string {
  return `${strategy}, leaf size ${leafSize}`;
}

/** How many pairs both found. */
function commonPairs({ pairs }: FrameResult, keys: Float64Array, triangleCount: number): number {
  const theirs = new Set(keys);
  let count = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    if (theirs.has(keyOf(pairs[k], pairs[k + 1], triangleCount))) count++;
  }
  return count;
}

/** At most `wanted` of `count` frames, the first one among them. */
function spread(count: number, wanted: number): number[] {
  const taken = Math.min(count, wanted);
  return Array.from({ length: taken }, (_, k) => Math.floor((k * count) / taken));
}

function rate(of: CaseResult, metric: string, milliseconds: number): Row {
  return createRow(of, { metric, better: 'higher', value: 1000 / milliseconds, unit: '1/s' });
}

function contacts(of: CaseResult, metric: string, value: number): Row {
  return createRow(of, { metric, better: 'lower', value, unit: 'pairs' });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
