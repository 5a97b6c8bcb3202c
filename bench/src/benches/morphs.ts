import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { clearedShare } from '../../../packages/cli/src/frames/cleared-share.ts';
import {
  type GaugeKind,
  prepareSubspaceCertificate,
  type SubspaceCertificate,
} from '../../../packages/pliant/src/cull/index.ts';
import { readGltf, weldAttributes } from '../../../packages/pliant/src/gltf/index.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
} from '../../../packages/pliant/src/index.ts';
import { writeSubspaceCertificate } from '../../../packages/pliant/src/io/index.ts';
import { createRandom } from '../../../packages/pliant/src/shapes/random.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { hashReport } from '../hash.ts';
import { AnswerBook, type Contender, measureFrames } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';
import { timeOf } from '../stopwatch.ts';

const FILES = {
  'ict-face-10': 'morph/ict-face-10.glb', // touches itself at rest: lips and eyelids
  makehuman: 'skinned/makehuman.glb', // its targets alone, without the skin
} as const;
type CaseName = keyof typeof FILES;

const GAUGES: readonly GaugeKind[] = ['ball', 'one-sided', 'box'];
/** Lengths of weights for ball and one-sided, the largest weight for the box. Four targets at 1 have a length of 2. */
const REACH: Readonly<Record<CaseName, Readonly<Record<GaugeKind, number>>>> = {
  'ict-face-10': { ball: 2, 'one-sided': 2, box: 1 },
  makehuman: { ball: 0.5, 'one-sided': 1, box: 0.5 }, // whole bodies change: further takes minutes and proves little
};
const QUICK_REACH = 0.1; // of it
/** How many targets are in use at once, each with a weight from 0 to 1. */
const ACTIVE = [1, 4, 16];
const POSES = 100;
const QUICK_POSES = 10;

/** Faces and bodies with morph targets: what subspace certificates of each gauge prove, and what that saves. */
export const morphs: Bench = {
  name: 'morphs',
  summary:
    'subspace certificates of morph targets by gauge: share culled (needs ../shared/data or PLIANT_DATA)',
  cases: Object.keys(FILES),
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const name of Object.keys(FILES) as CaseName[]) {
      if (isWanted(name, options)) outcomes.push(await runCase(name, options));
    }
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

interface Prepared {
  readonly gauge: GaugeKind;
  readonly certificate: SubspaceCertificate;
  readonly ms: number;
}

async function runCase(name: CaseName, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log, frames = quick ? QUICK_POSES : POSES } = options;
  const path = join(process.env.PLIANT_DATA ?? resolve('../shared/data'), FILES[name]);
  if (!existsSync(path)) return { rows: [], notes: [`${name}: skipped, ${FILES[name]} is not here`] };
  const engine = await createEngine();
  try {
    const { body, count } = await openTargets(engine, path);
    const prepared = GAUGES.map((gauge): Prepared => {
      log(`${name}: preparing ${gauge}, ${body.mesh.triangleCount} triangles, ${count} targets`);
      return prepare(body, gauge, REACH[name][gauge] * (quick ? QUICK_REACH : 1.001));
    });
    const rows: Row[] = [],
      notes: string[] = [];
    const asked = { answersAgree: true, pairs: 0 };
    for (const active of ACTIVE.filter((_, k) => k === 0 || ACTIVE[k - 1] < count)) {
      const most = Math.min(active, count);
      log(`${name}: ${most} active, ${frames} poses`);
      const poses = createPoses(count, most, frames);
      const found = measure(body, prepared, poses, roundsOf(options));
      const of: CaseResult = { name, isJudged: !quick, ...found.answers };
      asked.answersAgree &&= found.answers.answersAgree;
      asked.pairs += found.answers.pairs;
      rows.push(...found.rowsFor(of, `${active}-active`));
      notes.push(
        `${name}, ${most} of ${count} targets: ${(100 * found.contactShare).toFixed(0)} % of the poses touch`,
        ...found.disagreements.slice(0, 5).map((line) => `${name}: DISAGREES: ${line}`),
      );
    }
    const of: CaseResult = { name, isJudged: !quick, ...asked };
    const head = prepared.flatMap((each) => rowsOf(of, each));
    notes.unshift(...prepared.map((each) => describe(name, each)));
    return { rows: [...head, ...rows], notes };
  } finally {
    engine.dispose();
  }
}

/** The first mesh of a file, moved by its morph targets alone. */
async function openTargets(engine: Engine, path: string): Promise<{ body: Body; count: number }> {
  const scene = await readGltf(readFileSync(path), basename(path));
  const found = scene.meshes.find(({ morphs: targets }) => targets !== undefined)!;
  const { positions, triangles, morphs: targets } = found;
  const attributes = weldAttributes({ ...found, skin: undefined });
  const mesh = createTriangleMesh({ positions, triangles, attributes });
  const { count, deltas } = targets!;
  return { body: engine.createModalBody(mesh, { count, displacements: deltas }), count };
}

function prepare(body: Body, gauge: GaugeKind, reach: number): Prepared {
  let certificate: SubspaceCertificate | undefined;
  const ms = timeOf(() => {
    certificate = prepareSubspaceCertificate(body, { gauge, reach, ignoreRestContacts: true });
  });
  return { gauge, certificate: certificate!, ms };
}

/** `active` targets at random, each with a weight from 0 to 1. */
function createPoses(count: number, active: number, frames: number): Float64Array[] {
  const random = createRandom(active);
  return Array.from({ length: frames }, () => {
    const pose = new Float64Array(count);
    const order = Array.from({ length: count }, (_, m) => m);
    for (let k = 0; k < active; k++) {
      const pick = k + Math.floor(random() * (count - k));
      [order[k], order[pick]] = [order[pick], order[k]];
      pose[order[k]] = random();
    }
    return pose;
  });
}

function measure(body: Body, prepared: readonly Prepared[], poses: readonly Float64Array[], rounds: number) {
  const answers = new AnswerBook();
  const without = createContender(body, 'without', [], poses);
  const contenders = prepared.map(({ gauge, certificate }) =>
    createContender(body, gauge, [certificate], poses),
  );
  const [plain, ...times] = measureFrames([without, ...contenders], poses.length, rounds, answers);
  const shares = prepared.map(({ certificate }) => {
    const cleared = poses.map((pose) => {
      body.setPose(pose);
      return clearedShare([certificate], body.tree, false);
    });
    const sum = cleared.reduce((total, share) => total + share, 0);
    return { nodes: sum / poses.length, poses: cleared.filter((share) => share === 1).length / poses.length };
  });
  const percent = (of: CaseResult, metric: string, share: number) =>
    createRow(of, { metric, better: 'higher', value: 100 * share, unit: '%' });
  return {
    answers: { answersAgree: answers.agree, pairs: answers.totalPairs },
    disagreements: answers.disagreements,
    contactShare: answers.contactShare,
    rowsFor: (of: CaseResult, what: string) =>
      prepared.flatMap(({ gauge }, g) => [
        percent(of, `nodes-culled-${gauge}-${what}`, shares[g].nodes),
        percent(of, `poses-culled-${gauge}-${what}`, shares[g].poses),
        createRatio(of, `tests-ratio-${gauge}-${what}`, without.tests, Math.max(1, contenders[g].tests)),
        createRatio(of, `speedup-${gauge}-${what}`, plain, times[g]),
      ]),
  };
}

function createContender(
  body: Body,
  name: string,
  certificates: readonly SubspaceCertificate[],
  poses: readonly Float64Array[],
): Contender & { readonly tests: number } {
  const report = new CollisionReport();
  let tests = 0;
  return {
    name,
    get tests() {
      return tests;
    },
    run(frame) {
      body.setPose(poses[frame]);
      findSelfCollisions(body, { certificates, report });
    },
    answer() {
      tests += report.counters.nodePairsTested;
      return { hash: hashReport(report), pairs: report.pairCount };
    },
  };
}

function rowsOf(of: CaseResult, { gauge, certificate, ms }: Prepared): Row[] {
  const { length } = writeSubspaceCertificate(certificate);
  return [
    createTime(of, `prepare-ms-${gauge}`, ms),
    createRow(of, { metric: `file-bytes-${gauge}`, better: 'lower', value: length, unit: 'B' }),
  ];
}

function describe(name: string, { gauge, certificate, ms }: Prepared): string {
  const [{ lower, limit, pairs, cappedPairs }] = certificate.balls;
  const radius = `whole body free up to ${lower[0].toPrecision(3)}, known up to ${limit.toPrecision(3)}`;
  return `${name}, ${gauge}: ${(ms / 1000).toFixed(1)} s; ${radius}; ${pairs.a.length} pairs of nodes, ${cappedPairs} capped`;
}
