import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  prepareSubspaceCertificateAsync,
  type SubspaceCertificate,
} from '../../../packages/pliant/src/cull/index.ts';
import {
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
} from '../../../packages/pliant/src/index.ts';
import { createRabbit } from '../../../packages/pliant/src/shapes/rabbit.ts';
import { subdivide } from '../../../packages/pliant/src/shapes/subdivide.ts';
import { createDropModel, rehearseDrop } from '../../../packages/pliant/src/simulate/index.ts';
import { createTaskPool } from '../../../packages/pliant/src/worker/create-task-pool.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { AnswerBook, checkFrames, measureTracks } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';
import { timeOf, timeOfAsync } from '../stopwatch.ts';
import {
  createDrivenTrack,
  createDropTrack,
  createSpringTrack,
  type DropTrackOptions,
  type SimulatedTrack,
} from '../subspace-scenes.ts';
import { type SubspaceContender, SubspaceStage } from '../subspace-tracks.ts';
import { NormalConeCertificate } from '../trees/normal-cones.ts';

interface Targets {
  /** Against depth-first; a quarter of it is asked for against our fastest way without certificates. */
  readonly must: number;
  readonly paper: number;
  /** Against normal cones. */
  readonly cones?: { readonly must: number; readonly paper: number };
}

interface SceneCase {
  readonly name: string;
  readonly targets: Targets;
  readonly continuous?: boolean;
  create(engine: Engine, quick: boolean, options: BenchOptions): Promise<SimulatedTrack>;
}

const drop =
  (full: DropTrackOptions, quick: DropTrackOptions) =>
  (engine: Engine, isQuick: boolean, { log }: BenchOptions) =>
    createDropTrack(engine, { ...full, ...(isQuick ? quick : {}), log });

const QUICK = { triangles: 2500, latticeVertices: 800, modeCount: 12, seconds: 1, every: 6 };

const RABBITS: DropTrackOptions = {
  bodies: 16,
  triangles: 15_000,
  modeCount: 30,
  seconds: 5,
  every: 3,
  substeps: 32, // with 16 they sink into each other when they land, and some stay there
};
const DRAGON: DropTrackOptions = {
  shape: 'dragon',
  bodies: 1,
  triangles: 77_000,
  latticeVertices: 6000,
  seconds: 4,
  every: 2,
};

const SCENES: readonly SceneCase[] = [
  {
    name: 'spring-audio',
    targets: { must: 127, paper: 127, cones: { must: 100, paper: 128 } },
    create: (engine, quick, { log }) => createSpringTrack(engine, { quick, log, how: 'swaying' }),
  },
  {
    // As in the paper it falls on the floor, bounces and clatters; coils of ours seldom meet then.
    name: 'spring-drop',
    targets: { must: 127, paper: 127, cones: { must: 100, paper: 128 } },
    create: (engine, quick, { log }) => createSpringTrack(engine, { quick, log }),
  },
  {
    // What contact of all coils at once costs. The bar is our own.
    name: 'spring-upright',
    targets: { must: 48, paper: 127 },
    create: (engine, quick, { log }) => createSpringTrack(engine, { quick, log, how: 'upright' }),
  },
  {
    name: 'bodies-16',
    targets: { must: 29, paper: 29.1, cones: { must: 15, paper: 15.3 } },
    create: drop(RABBITS, { ...QUICK, bodies: 4 }),
  },
  {
    name: 'bodies-128',
    targets: { must: 15, paper: 14.9 },
    create: drop({ ...RABBITS, bodies: 128, seconds: 1.5, every: 6, substeps: 8 }, { ...QUICK, bodies: 20 }),
  },
  {
    name: 'dragon-nonlinear',
    targets: { must: 15.6, paper: 15.6 },
    create: drop({ ...DRAGON, modeCount: 30 }, { ...QUICK, bodies: 1 }),
  },
  {
    name: 'dragon-polynomial',
    targets: { must: 103, paper: 103 },
    create: (engine, quick, { log }) =>
      createDrivenTrack(engine, {
        triangles: quick ? 2500 : 77_000,
        latticeVertices: quick ? 800 : 6000,
        seconds: quick ? 2 : 12,
        amplitude: 1.13,
        log,
      }),
  },
  {
    name: 'bodies-16-continuous',
    targets: { must: 31.6, paper: 31.6 },
    continuous: true,
    create: drop({ ...RABBITS, every: 12 }, { ...QUICK, bodies: 4 }),
  },
];

const OTHERS = { 'cost-at-rest': runCostAtRest, preparation: runPreparation } as const;

/** Subspace certificates (Barbič & James 2010) on stand-ins for the scenes of the paper. */
export const sscc: Bench = {
  name: 'sscc',
  summary:
    'subspace certificates: self-queries of simulated bodies against depth-first, our fastest way and normal cones',
  cases: [...SCENES.map(({ name }) => name), ...Object.keys(OTHERS)],
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const one of SCENES) if (isWanted(one.name, options)) outcomes.push(await runScene(one, options));
    for (const [name, run] of Object.entries(OTHERS)) {
      if (isWanted(name, options)) outcomes.push(await run(options));
    }
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runScene(
  { name, targets, continuous = false, create }: SceneCase,
  options: BenchOptions,
): Promise<BenchOutcome> {
  const { quick, log } = options;
  const engine = await createEngine();
  try {
    log(`${name}: simulating`);
    const scene = await create(engine, quick, options);
    const { track, certificate } = scene;
    const stage = new SubspaceStage(engine, track);
    for (const body of stage.bodies) body.setCertificates([certificate.forBody(body)]);
    const frames = track.frames.length;
    log(`${name}: ${stage.bodies.length} × ${track.mesh.triangleCount} triangles, ${frames} frames`);
    const plain = { certificates: [], continuous };
    const culled = stage.createContender('certificate', 'auto', { continuous });
    const contenders = [
      stage.createContender('depth-first', 'depth-first', plain),
      stage.createContender('fastest', 'batch', plain),
      culled,
    ];
    const answers = new AnswerBook();
    const [depthFirst, fastest, mine] = measureTracks(contenders, frames, roundsOf(options), answers);
    culled.forget();
    checkFrames([culled], frames, answers);
    const of: CaseResult = {
      name,
      isJudged: !quick,
      pairs: answers.totalPairs,
      answersAgree: answers.agree,
    };
    const rows: Row[] = [
      createRow(of, {
        metric: 'speedup-vs-depth-first',
        better: 'higher',
        value: depthFirst / mine,
        unit: 'x',
        target: targets.must,
        paper: targets.paper,
      }),
      createRatio(of, 'speedup-vs-fastest', fastest, mine, targets.must / 4),
      ...(targets.cones && !continuous ? coneRows(of, stage, mine, options, targets.cones) : []),
      createTime(of, 'frame-ms', mine),
      createTime(of, 'frame-ms-depth-first', depthFirst),
      createTime(of, 'frame-ms-fastest', fastest),
      ...(scene.stepMs > 0
        ? simulationRows(of, scene, stage.bodies.length, { mine, depthFirst, fastest })
        : [createTime(of, 'certificate-ms', scene.preparation.certificate)]),
      ...countRows(of, culled, mine, answers),
    ];
    return { rows, notes: answers.disagreements.map((line) => `${name}: ${line}`) };
  } finally {
    engine.dispose();
  }
}

/** Ways to go through the tree with normal cones: the paper's, and our fastest, of which a quarter is asked for. */
const CONE_WAYS = [
  { metric: 'speedup-vs-normal-cones', method: 'depth-first', share: 1 },
  { metric: 'speedup-vs-normal-cones-fastest', method: 'batch', share: 1 / 4 },
] as const;

/** Normal cones miss contacts, so they are timed and not compared. */
function coneRows(
  of: CaseResult,
  stage: SubspaceStage,
  mine: number,
  options: BenchOptions,
  { must, paper }: { must: number; paper: number },
): Row[] {
  const cones = stage.bodies.map((body) => new NormalConeCertificate(body));
  const bodies = stage.bodies;
  const contenders = CONE_WAYS.map(({ method }) => ({
    name: `normal cones, ${method}`,
    run: (frame: number) => {
      const poses = stage.track.frames[frame];
      for (let k = 0; k < bodies.length; k++) {
        bodies[k].setPose(poses[k]);
        findSelfCollisions(bodies[k], { method, certificates: [cones[k]] });
      }
    },
    answer: () => undefined,
  }));
  const frames = stage.track.frames.length;
  const times = measureTracks(contenders, frames, roundsOf(options), new AnswerBook());
  return CONE_WAYS.map(({ metric, share }, k) =>
    createRow(of, {
      metric,
      better: 'higher',
      value: times[k] / mine,
      unit: 'x',
      target: share * must,
      ...(share === 1 ? { paper } : {}),
    }),
  );
}

/** What the whole simulation gains: its own time with certificates, with the queries replaced. */
function simulationRows(
  of: CaseResult,
  { stepMs, preparation, deepestPercent }: SimulatedTrack,
  bodies: number,
  { mine, depthFirst, fastest }: { mine: number; depthFirst: number; fastest: number },
): Row[] {
  const others = Math.max(0, stepMs - mine);
  return [
    createTime(of, 'step-ms', stepMs),
    createTime(of, 'step-ms-without-self', others),
    createRow(of, {
      metric: 'simulation-speedup',
      better: 'higher',
      value: (others + depthFirst) / (others + mine),
      unit: 'x',
    }),
    createRatio(of, 'simulation-speedup-vs-fastest', others + fastest, others + mine),
    ...(deepestPercent === undefined
      ? []
      : [
          createRow(of, {
            metric: 'deepest-in-last-second',
            better: 'lower',
            value: deepestPercent,
            unit: '%',
          }),
        ]),
    createTime(of, 'certificate-ms', preparation.certificate),
    createTime(of, 'query-us', (1000 * mine) / bodies),
  ].map((row) => (row.metric === 'query-us' ? { ...row, unit: 'µs' } : row));
}

function countRows(
  of: CaseResult,
  { queries, tests, cleared }: SubspaceContender,
  mine: number,
  answers: AnswerBook,
): Row[] {
  const count = (metric: string, value: number, unit: string) =>
    createRow(of, { metric, better: 'lower', value, unit });
  const frames = answers.pairs.length;
  return [
    count('contact-frames', 100 * answers.contactShare, '%'),
    count('queries-cleared-at-once', (100 * cleared) / queries, '%'),
    count('box-tests-per-query', tests / queries, 'tests'),
    count('ns-per-visited-node', (1e6 * mine * frames) / Math.max(1, tests), 'ns'),
  ];
}

const REST_SIZES = [15_000, 60_000, 240_000];

/** A pose that the certificate of the whole body clears costs the same whatever the size of the mesh. */
async function runCostAtRest(options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const rows: Row[] = [];
  const base = createTriangleMesh(createRabbit({ triangles: quick ? 2500 : REST_SIZES[0] }).source);
  let mesh = base;
  for (const size of quick ? REST_SIZES.slice(0, 2) : REST_SIZES) {
    if (mesh !== base || size > REST_SIZES[0]) mesh = subdivideMesh(mesh);
    const engine = await createEngine();
    log(`cost-at-rest: ${mesh.triangleCount} triangles`);
    const count = 30;
    const displacements = createWaves(mesh.positions, count);
    const body = engine.createModalBody(mesh, { count, displacements });
    // Only the root matters, so little more than its radius is looked for.
    const certificate = await prepareSubspaceCertificateAsync(body, { reach: REACH_AT_REST });
    const time = timeAtRest(body, certificate);
    const isCleared =
      findSelfCollisions(body, { certificates: [certificate] }).counters.nodePairsTested === 0;
    const of: CaseResult = {
      name: 'cost-at-rest',
      isJudged: !quick,
      pairs: null,
      answersAgree: isCleared && findSelfCollisions(body, { certificates: [] }).pairCount === 0,
    };
    rows.push(
      createRow(of, {
        metric: `query-us-${Math.round(mesh.triangleCount / 1000)}k`,
        better: 'lower',
        value: 1000 * time,
        unit: 'µs',
      }),
    );
    engine.dispose();
  }
  return { rows, notes: [] };
}

const REACH_AT_REST = 1e-3;
const REST_QUERIES = 20_000;

function timeAtRest(body: ReturnType<Engine['createModalBody']>, certificate: SubspaceCertificate): number {
  const report = findSelfCollisions(body, { certificates: [certificate] });
  const options = { certificates: [certificate], report };
  const pose = new Float64Array(30);
  const run = () => {
    for (let k = 0; k < REST_QUERIES; k++) {
      pose[0] = 1e-9 * (k % 7);
      body.setPose(pose);
      findSelfCollisions(body, options);
    }
  };
  run();
  return Math.min(timeOf(run), timeOf(run), timeOf(run)) / REST_QUERIES;
}

function subdivideMesh(mesh: ReturnType<typeof createTriangleMesh>): ReturnType<typeof createTriangleMesh> {
  const { positions, triangles } = subdivide({ positions: mesh.positions, triangles: mesh.triangles });
  return createTriangleMesh({ positions, triangles });
}

/** Smooth displacements, longer and weaker waves first. */
function createWaves(rest: ArrayLike<number>, count: number): Float64Array {
  const out = new Float64Array(count * rest.length);
  for (let m = 0; m < count; m++) {
    const axis = m % 3,
      wave = 1 + Math.trunc(m / 3);
    for (let o = 0; o < rest.length; o += 3) {
      const x = rest[o + ((axis + 1) % 3)];
      out[m * rest.length + o + axis] = Math.sin(wave * x + m) / wave;
    }
  }
  return out;
}

/** Of the built library, which the bench's own bundle does not hold. */
class TaskWorker extends Worker {
  constructor() {
    const beside = dirname(fileURLToPath(import.meta.url));
    super(join(beside, '../../packages/pliant/dist/task.worker.js'));
  }
}

/** How long certificates take to prepare, on one thread and with two workers. */
async function runPreparation(options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const rows: Row[] = [];
  const rabbit = {
    name: 'rabbit-15k',
    shape: 'rabbit',
    triangles: quick ? 2500 : 15_000,
    must: 60_000,
  } as const;
  const dragon = { name: 'dragon-77k', shape: 'dragon', triangles: 77_000, must: 20 * 60_000 } as const;
  const cases = quick ? [rabbit] : [rabbit, dragon];
  for (const { name, shape, triangles, must } of cases) {
    const engine = await createEngine();
    log(`preparation: ${name}`);
    const drop = await createDropModel({ shape, triangles, modeCount: quick ? 12 : 30 });
    const metric = await rehearseDrop(engine, drop);
    const { model } = drop;
    const body = engine.createModalBody(model.surface, model.surfaceModes);
    const radii: number[] = [];
    const prepare = async (pool?: Awaited<ReturnType<typeof createTaskPool>>) => {
      const certificate = await prepareSubspaceCertificateAsync(body, { metric, ...(pool ? { pool } : {}) });
      radii.push(certificate.balls[0].lower[0]);
    };
    const alone = await timeOfAsync(() => prepare());
    const pool = await createTaskPool({ threads: 2, createWorker: () => new TaskWorker() });
    const start = performance.now();
    await prepare(pool);
    const together = performance.now() - start;
    log(
      `preparation: ${name}: ${(alone / 1000).toFixed(1)} s, ${(together / 1000).toFixed(1)} s with two workers`,
    );
    pool.dispose();
    engine.dispose();
    const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: radii[0] === radii[1] };
    rows.push(
      createRow(of, { metric: 'certificate-ms', better: 'lower', value: alone, unit: 'ms', target: must }),
      createRatio(of, 'speedup-of-two-workers', alone, together, 1.7),
    );
  }
  return { rows, notes: [] };
}
