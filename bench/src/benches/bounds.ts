import type { BlendDeformer } from '../../../packages/pliant/src/deform/blend.ts';
import {
  type Body,
  type BoundsName,
  createEngine,
  createTriangleMesh,
  type Engine,
  type MeshlessPose,
  type Pose,
} from '../../../packages/pliant/src/index.ts';
import { createHandleBounds } from '../../../packages/pliant/src/refit/choose-bounds.ts';
import { HandleBoxes } from '../../../packages/pliant/src/refit/handle-boxes.ts';
import { createBrain, createMan } from '../../../packages/pliant/src/shapes/index.ts';
import {
  createCrowdScene,
  createHangingScene,
  createSurfaceWeights,
  type SoftScene,
  sampleNodes,
} from '../../../packages/pliant/src/simulate/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { readBlendTracks } from '../blend-tracks.ts';
import { type CaseResult, createRow, notCompared, type Row } from '../result.ts';
import { bestTimeOf } from '../stopwatch.ts';
import { measureTightness, Tightness } from '../tightness.ts';

const SKINS: Readonly<Record<string, readonly [file: string, mesh: string]>> = {
  'cesium-man': ['CesiumMan', ''],
  'kaykit-knight': ['KayKit_Knight', 'Knight_Body'],
  fox: ['Fox', ''],
  makehuman: ['makehuman', ''],
};
const SOFT: Readonly<Record<string, readonly [scene: 'hanging' | 'brain', nodes: number]>> = {
  'hanging-65': ['hanging', 65],
  'hanging-115': ['hanging', 115],
  'hanging-509': ['hanging', 509],
  'brain-65': ['brain', 65],
  'brain-509': ['brain', 509],
};
const COSTS: Readonly<Record<string, number>> = { 'cost-65': 65, 'cost-225': 225, 'cost-509': 509 };
const CASES = [...Object.keys(SKINS), 'man', ...Object.keys(SOFT), ...Object.keys(COSTS)];

const FRAMES = 12;
const QUICK_FRAMES = 2;
const VERTICES = [3_500, 10_000, 30_000, 40_000, 145_000];
const LEAST_VERTICES = 1_000; // of a quick run: more than there are nodes
const GROWTH_FROM = 10_000;
/** Nanoseconds per node of the largest mesh in Table 1. */
const PAPER_COSTS: Readonly<Record<number, number>> = { 65: 277, 225: 204, 509: 196 };
/** What figure 5 of Steinemann et al. shows of the root, on average and at most. */
const PAPER_ROOT = 1.5;
const PAPER_LARGEST_ROOT = 2.2;

/** Volumes computed from handles against the best possible ones, and what one costs. */
export const bounds: Bench = {
  name: 'bounds',
  summary:
    'volumes on demand against the best possible: how much larger, how much cheaper (../shared/data or PLIANT_DATA)',
  cases: CASES,
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const name of CASES) {
      if (!isWanted(name, options)) continue;
      options.log(name);
      if (name in COSTS) outcomes.push(await runCost(name, COSTS[name], options));
      else outcomes.push(await runTightness(name, options));
    }
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

/** A body of a case and the poses it goes through. */
interface Track {
  readonly poses: readonly Pose[];
  create(engine: Engine): Body;
}

async function runTightness(name: string, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES } = options;
  const tracks = name in SKINS ? await readSkin(...SKINS[name], frames) : [createTrack(name, frames, quick)];
  if (tracks === undefined) return { rows: [], notes: [`${name}: skipped, its file is not here`] };
  const isSoft = name in SOFT;
  const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: notCompared() };
  const rows: Row[] = [],
    notes: string[] = [];
  const variants: BoundsName[] = [
    'boxes',
    'two-largest',
    'sphere',
    ...(isSoft ? [] : (['sphere-skin'] as const)),
  ];
  for (const variant of variants) {
    const tightness = new Tightness();
    for (const { poses, create } of tracks) {
      const engine = await createEngine();
      measureTightness(create(engine), variant, poses, tightness);
      engine.dispose();
    }
    const isDefault = variant === 'boxes';
    const add = (metric: string, value: number, target?: number, paper?: number) =>
      rows.push(
        createRow(of, { metric: `${metric}-${variant}`, better: 'lower', value, unit: 'x', target, paper }),
      );
    add('mean', tightness.mean, isDefault ? 1.25 : undefined);
    const isPapers = variant === 'two-largest' && name.startsWith('brain');
    add('root', tightness.root, isDefault ? 1.3 : undefined, isPapers ? PAPER_ROOT : undefined);
    add('largest-root', tightness.largestRoot, undefined, isPapers ? PAPER_LARGEST_ROOT : undefined);
    tightness.levels.forEach((value, level) => {
      add(`level-${level}`, value);
    });
    const levels = tightness.levels.map((x) => x.toFixed(2)).join(' ');
    notes.push(`${name}, ${variant}, ${tightness.nodes} nodes, by level: ${levels}`);
  }
  return { rows, notes };
}

async function readSkin(file: string, part: string, frames: number): Promise<Track[] | undefined> {
  const tracks = await readBlendTracks(file, frames);
  return tracks
    ?.filter(({ name }) => part === '' || name === part)
    .map(({ mesh, skin, poses }) => ({ poses, create: (engine) => engine.createSkinnedBody(mesh, skin) }));
}

function createTrack(name: string, frames: number, quick: boolean): Track {
  if (name === 'man') {
    const { mesh, skin, walk, walkDuration } = createMan(quick ? { triangles: 2000 } : {});
    const poses = Array.from({ length: frames }, (_, k) => walk((k / frames) * walkDuration).slice());
    return { poses, create: (engine) => engine.createSkinnedBody(mesh, skin) };
  }
  const [kind, nodes] = SOFT[name];
  const options = { nodes, ...(quick ? { triangles: 2000 } : {}) };
  const scene =
    kind === 'hanging'
      ? createHangingScene({ count: 2, ...options })
      : createCrowdScene({ count: 4, ...options });
  const { mesh, meshless } = scene.bodies[0];
  const poses = record(scene, frames);
  return { poses, create: (engine) => engine.createMeshlessBody(mesh, meshless) };
}

/** The first body, spread over three seconds. */
function record(scene: SoftScene, frames: number): MeshlessPose[] {
  const steps = Math.max(1, Math.round(180 / frames));
  return Array.from({ length: frames }, () => {
    for (let step = 0; step < steps; step++) scene.step(1 / 60);
    const { displacements, gradients } = scene.bodies[0].pose;
    return {
      displacements: Float64Array.from(displacements as ArrayLike<number>),
      gradients: Float64Array.from(gradients as ArrayLike<number>),
    };
  });
}

/** One box around a whole brain, as in Table 1 of the paper, and the best box, for which every vertex is deformed. */
async function runCost(name: string, nodes: number, options: BenchOptions): Promise<BenchOutcome> {
  const { quick } = options;
  const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: notCompared() };
  const rows: Row[] = [];
  const costs: number[] = [];
  for (const vertices of VERTICES) {
    const engine = await createEngine();
    const mesh = createTriangleMesh(
      createBrain({ triangles: 2 * (quick ? Math.max(LEAST_VERTICES, vertices / 10) : vertices) }).source,
    );
    const sample = sampleNodes(mesh, { count: nodes, seed: 1 });
    const body = engine.createMeshlessBody(
      mesh,
      createSurfaceWeights(mesh, sample.positions, { influences: 8 }),
    );
    const rounds = 3 * roundsOf(options);
    const size = `${String(vertices / 1000).replace('.', '-')}k`; // 3-5k: metrics have no dots
    const boxes = timeRoot(body, 'boxes', rounds);
    const best = timeBest(body, rounds);
    costs.push(boxes);
    const add = (metric: string, value: number, unit: string, target?: number, paper?: number) =>
      rows.push(
        createRow(of, { metric, better: unit === 'x' ? 'higher' : 'lower', value, unit, target, paper }),
      );
    add(`box-ns-per-handle-${size}`, (1e6 * boxes) / nodes, 'ns', 100, PAPER_COSTS[nodes]);
    add(`sphere-ns-per-handle-${size}`, (1e6 * timeRoot(body, 'sphere', rounds)) / nodes, 'ns');
    add(`any-box-ns-per-handle-${size}`, timeAll(body, rounds), 'ns');
    add(`best-box-vs-box-${size}`, best / boxes, 'x');
    engine.dispose();
  }
  const growth = costs[costs.length - 1] / costs[VERTICES.indexOf(GROWTH_FROM)];
  rows.push(createRow(of, { metric: 'growth', better: 'lower', value: growth, unit: 'x', target: 1.5 }));
  return {
    rows,
    notes: [
      `${name}: growth is the cost of a box of 145k vertices over that of 10k. A box includes putting all handles in ` +
        'place, once per pose; "any box" is a box of every node, divided by all their handles.',
    ],
  };
}

const REPEATS = 64;

/** Milliseconds for the box of the root, in a new pose each time. */
function timeRoot({ engine, resident, deformer }: Body, name: BoundsName, rounds: number): number {
  const blend = deformer as BlendDeformer;
  const volumes = createHandleBounds(engine.kernels, resident, blend, undefined, name);
  const time = bestTimeOf(rounds, () => {
    for (let k = 0; k < REPEATS; k++) {
      blend.epoch++;
      volumes.begin(false);
      volumes.ensure(0);
    }
  });
  volumes.free();
  return time / REPEATS;
}

/** Nanoseconds per handle of a box, over all nodes. */
function timeAll({ engine, resident, deformer }: Body, rounds: number): number {
  const blend = deformer as BlendDeformer;
  const volumes = new HandleBoxes(engine.kernels, resident, blend, undefined, { followsFront: false });
  const time = bestTimeOf(rounds, () => {
    blend.epoch++;
    volumes.begin(false);
    volumes.refitAll();
  });
  const { entryCount } = volumes.nodes;
  volumes.free();
  return (1e6 * time) / entryCount;
}

/** Milliseconds for all vertices and the box around them. */
function timeBest({ engine, resident, deformer }: Body, rounds: number): number {
  const { kernels } = engine;
  const blend = deformer as BlendDeformer;
  const out = kernels.memory.allocate(48);
  const time = bestTimeOf(rounds, () => {
    blend.epoch++;
    blend.ensureAll(0);
    kernels.pointBounds(blend.address(0), resident.pointCount, out);
  });
  kernels.memory.free(out);
  return time;
}
