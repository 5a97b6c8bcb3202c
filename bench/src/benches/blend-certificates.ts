import { type BlendCertificate, prepareBlendCertificate } from '../../../packages/pliant/src/cull/index.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  type Engine,
  findSelfCollisions,
  type Method,
  type SelfCollisionOptions,
} from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import {
  BLEND_TRACKS,
  type BlendTrack,
  type BlendTrackName,
  createBentCylinder,
  createBlendBody,
  createBlendTracks,
} from '../blend-tracks.ts';
import { createContender } from '../contenders.ts';
import { AnswerBook, checkFrames, measureFrames } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime } from '../result.ts';
import { timeOf } from '../stopwatch.ts';

const FRAMES: Record<BlendTrackName, number> = {
  'cesium-man': 48,
  makehuman: 200,
  'kaykit-knight': 152,
  'bent-cylinder': 100,
};
const QUICK_FRAMES = 8;
/** On demand with certificates takes long: it is asked about this many frames. */
const ON_DEMAND_FRAMES = 8;
/** Degrees that the smaller cylinder is bent by, one per frame. */
const BEND = 60;

/** Self-queries of skinned bodies with proofs from their weights and without. */
export const certificates: Bench = {
  name: 'certificates',
  summary:
    'blend certificates on characters: what they prove, what they save (needs ../shared/data or PLIANT_DATA)',
  cases: BLEND_TRACKS,
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const name of BLEND_TRACKS) if (isWanted(name, options)) outcomes.push(await runCase(name, options));
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runCase(name: BlendTrackName, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES[name], log } = options;
  const tracks = await createBlendTracks(name, frames);
  if (tracks === undefined) return { rows: [], notes: [`${name}: skipped, its file is not here`] };
  const figures = createFigures();
  for (const track of tracks) {
    log(`${name}: ${track.name}, ${track.mesh.triangleCount} triangles, ${frames} frames`);
    const engine = await createEngine();
    measureTrack(engine, track, roundsOf(options), figures);
    engine.dispose();
  }
  const { triangles, disagreements, covered, coveredAll } = figures;
  const of: CaseResult = {
    name,
    isJudged: !quick,
    pairs: figures.pairs,
    answersAgree: disagreements.length === 0,
  };
  const percent = (metric: string, value: number) =>
    createRow(of, { metric, better: 'higher', value: (100 * value) / (triangles * frames), unit: '%' });
  const rows = [
    percent('triangles-under-certified-nodes', coveredAll),
    percent('triangles-under-certified-nodes-by-default', covered),
    createTime(of, 'prepare-ms', figures.prepare),
    createRow(of, {
      metric: 'certificate-bytes',
      better: 'lower',
      value: figures.bytes / triangles,
      unit: 'B/tri',
    }),
    createTime(of, 'batch-ms', figures.batch[0]),
    createTime(of, 'batch-ms-certified', figures.batch[1]),
    createRatio(of, 'batch-speedup', figures.batch[0], figures.batch[1]),
    createRatio(of, 'batch-tests-ratio', figures.batchTests[0], figures.batchTests[1]),
    createTime(of, 'on-demand-ms', figures.onDemand[0]),
    createTime(of, 'on-demand-ms-certified', figures.onDemand[1]),
    createRatio(of, 'on-demand-speedup', figures.onDemand[0], figures.onDemand[1]),
    createRatio(of, 'on-demand-tests-ratio', figures.onDemandTests[0], figures.onDemandTests[1]),
    createRow(of, {
      metric: 'lost-contacts',
      better: 'lower',
      value: figures.lost,
      unit: 'pairs',
      target: 0,
    }),
  ];
  if (name === 'bent-cylinder') {
    const value = await measureWholeProof();
    rows.push(
      createRow(of, { metric: 'whole-mesh-certified-up-to', better: 'higher', value, unit: 'degrees' }),
    );
  }
  const notes = [`${name}: ${tracks.length} skinned meshes, ${triangles} triangles, ${frames} frames`];
  return {
    rows,
    notes: [...notes, ...disagreements.slice(0, 10).map((line) => `${name}: DISAGREES: ${line}`)],
  };
}

/** Sums over the meshes of a case; pairs of numbers are without and with certificates. */
function createFigures() {
  return {
    triangles: 0,
    pairs: 0,
    lost: 0,
    prepare: 0,
    bytes: 0,
    covered: 0, // triangles, summed over frames
    coveredAll: 0,
    batch: [0, 0],
    batchTests: [0, 0],
    onDemand: [0, 0],
    onDemandTests: [0, 0],
    disagreements: [] as string[],
  };
}

function measureTrack(
  engine: Engine,
  track: BlendTrack,
  rounds: number,
  figures: ReturnType<typeof createFigures>,
): void {
  const { poses, mesh } = track;
  const body = createBlendBody(engine, track).prepare();
  let certificate!: BlendCertificate;
  figures.prepare += timeOf(() => void (certificate = prepareBlendCertificate(body)));
  figures.bytes += certificate.bytes;
  figures.triangles += mesh.triangleCount;
  figures.covered += measureCover(body, certificate, poses);
  figures.coveredAll += measureCover(body, prepareBlendCertificate(body, { smallest: 2 }), poses);

  const answers = new AnswerBook();
  const ask = (method: Method, options: SelfCollisionOptions) =>
    createContender(`${method}${options.certificates ? ', certified' : ''}`, (frame, report) => {
      body.setPose(poses[frame]);
      findSelfCollisions(body, { method, report, ...options });
    });
  const certified = { certificates: [certificate] };
  const batch = [ask('batch', {}), ask('batch', certified)];
  const onDemand = [ask('on-demand', {}), ask('on-demand', certified)];
  addTo(figures.batch, measureFrames(batch, poses.length, rounds, answers));
  addTo(figures.onDemand, measureFrames(onDemand, Math.min(ON_DEMAND_FRAMES, poses.length), rounds, answers));
  checkFrames([ask('depth-first', {})], poses.length, answers);
  for (const k of [0, 1]) {
    const options = k === 0 ? {} : certified;
    figures.batchTests[k] += countTests(body, poses, { method: 'batch', ...options });
    const few = poses.slice(0, ON_DEMAND_FRAMES);
    figures.onDemandTests[k] += countTests(body, few, { method: 'on-demand', ...options });
  }
  figures.pairs += answers.totalPairs;
  figures.lost += countLost(body, poses, certified);
  figures.disagreements.push(...answers.disagreements.map((line) => `${track.name}: ${line}`));
}

/** Triangles under nodes that hold, the largest ones first, summed over all poses. */
function measureCover(body: Body, certificate: BlendCertificate, poses: readonly Float64Array[]): number {
  const { slotCount, link } = body.tree;
  let covered = 0;
  for (const pose of poses) {
    body.setPose(pose);
    certificate.begin(false);
    const stack = [0];
    while (stack.length > 0) {
      const node = stack.pop()!;
      const patch = certificate.patchOfNode[node];
      if (patch >= 0 && certificate.proof.holds(patch, false)) covered += slotCount[node];
      else if (slotCount[node] > 1) stack.push(link[node], link[node] + 1);
    }
  }
  return covered;
}

function countTests(body: Body, poses: readonly Float64Array[], options: SelfCollisionOptions): number {
  const report = new CollisionReport();
  let tests = 0;
  for (const pose of poses) {
    body.setPose(pose);
    findSelfCollisions(body, { ...options, report });
    tests += report.counters.nodePairsTested + report.counters.trianglePairsTested;
  }
  return tests;
}

/** Pairs that a query without certificates finds and one with them does not. */
function countLost(body: Body, poses: readonly Float64Array[], certified: SelfCollisionOptions): number {
  let lost = 0;
  for (const pose of poses) {
    body.setPose(pose);
    const found = new Set(
      findSelfCollisions(body, { method: 'batch', ...certified })
        .sortedPairs()
        .map(String),
    );
    for (const pair of findSelfCollisions(body, { method: 'batch' }).sortedPairs()) {
      if (!found.has(String(pair))) lost++;
    }
  }
  return lost;
}

/** How far a cylinder can be bent, in degrees, while one proof covers all of it. */
async function measureWholeProof(): Promise<number> {
  const engine = await createEngine();
  const track = createBentCylinder(BEND, 24, 48, BEND);
  const body = createBlendBody(engine, track);
  const certificate = prepareBlendCertificate(body, { largest: Infinity });
  let degrees = 0;
  for (const pose of track.poses) {
    body.setPose(pose);
    certificate.begin(false);
    if (!certificate.proof.holds(certificate.patchOfNode[0], false)) break;
    degrees++;
  }
  engine.dispose();
  return degrees;
}

function addTo(sums: number[], values: readonly number[]): void {
  for (let k = 0; k < sums.length; k++) sums[k] += values[k];
}
