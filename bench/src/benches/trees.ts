import {
  type Body,
  createEngine,
  type Engine,
  findSelfCollisions,
} from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { createContender } from '../contenders.ts';
import { hashReport } from '../hash.ts';
import { AnswerBook, type Contender, measureFrames } from '../measure.ts';
import { type CaseResult, createRow, createTime, type Row } from '../result.ts';
import { type CaseName, createTrack, QUICK_SCALE, type Track } from '../scenes.ts';
import { timeOf } from '../stopwatch.ts';
import { KMeansQuery } from '../trees/k-means-query.ts';
import { buildKMeansTree, type KMeansTree } from '../trees/k-means-tree.ts';
import { createSahSplit } from '../trees/sah-split.ts';

const TREE_CASES = ['spring-16k', 'ball-15k', 'cloth-51k', 'kick'] as const satisfies readonly CaseName[];
const FRAMES = 12;
const QUICK_FRAMES = 8;

/** Our median tree beside the papers' trees, all in TypeScript on the same frames. */
export const trees: Bench = {
  name: 'trees',
  summary: "our median tree against the papers' SAH and 4-ary k-means trees, in TypeScript",
  cases: TREE_CASES,
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const name of TREE_CASES) {
      if (!isWanted(name, options)) continue;
      const outcome = await runCase(name, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes.map((note) => `${name}: ${note}`));
    }
    return { rows, notes };
  },
};

/** Somebody with a tree. */
interface TreeContender extends Contender {
  readonly tree: string;
  readonly nodeCount: number;
  readonly buildMs: number;
  /** Node pairs looked at so far. */
  boxTests: number;
}

async function runCase(name: CaseName, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES, log } = options;
  const track = createTrack(name, { scale: quick ? QUICK_SCALE : 1, frames });
  if (track === undefined) return { rows: [], notes: ['skipped: no recorded data here (set PLIANT_DATA)'] };
  const frameCount = track.poses.length;
  log(`${name}: ${track.mesh.triangleCount} triangles, ${frameCount} frames`);
  const engine = await createEngine({ kernels: 'ts' });
  const [median, medianMs] = timed(() => engine.createFreeBody(track.mesh));
  const [sah, sahMs] = timed(() => createSahBody(engine, track));
  const contenders = [
    createBinary('median', median, medianMs, track, 'depth-first'),
    createBinary('sah', sah, sahMs, track, 'depth-first'),
    createKMeans(track),
    createBinary('median', median.prepare(), medianMs, track, 'batch'),
    createBinary('sah', sah.prepare(), sahMs, track, 'batch'),
  ];
  const rounds = roundsOf(options);
  const answers = new AnswerBook();
  const times = measureFrames(contenders, frameCount, rounds, answers);
  engine.dispose();

  const of: CaseResult = { name, isJudged: !quick, pairs: answers.totalPairs, answersAgree: answers.agree };
  const count = (metric: string, value: number) =>
    createRow(of, { metric, better: 'lower', value, unit: 'count' });
  const rows = contenders.flatMap(({ tree, nodeCount, buildMs, boxTests }, k) => {
    const isBatch = k > 2;
    const method = isBatch ? 'batch' : 'depth-first';
    const own = [
      createTime(of, `frame-ms-${method}-${tree}`, times[k]),
      count(`box-tests-${method}-${tree}`, Math.round(boxTests / (rounds * frameCount))),
    ];
    if (!isBatch) own.push(count(`nodes-${tree}`, nodeCount), createTime(of, `build-ms-${tree}`, buildMs));
    return own;
  });
  const notes = [
    `${track.mesh.triangleCount} triangles, ${frameCount} frames, poses ${track.hash}, ${answers.totalPairs} pairs; box tests are per frame`,
    ...answers.disagreements.slice(0, 10).map((line) => `DISAGREES: ${line}`),
  ];
  return { rows, notes };
}

function createSahBody(engine: Engine, { mesh }: Track): Body {
  return engine.createFreeBody(mesh, { split: createSahSplit(mesh) });
}

function createBinary(
  tree: string,
  body: Body,
  buildMs: number,
  track: Track,
  method: 'batch' | 'depth-first',
): TreeContender {
  const { nodeCount } = body.tree;
  const contender: TreeContender = {
    ...createContender(`${tree} (${method})`, (frame, report) => {
      body.setPose(track.poses[frame]);
      findSelfCollisions(body, { method, report });
      contender.boxTests += report.counters.nodePairsTested;
    }),
    tree,
    nodeCount,
    buildMs,
    boxTests: 0,
  };
  return contender;
}

function createKMeans(track: Track): TreeContender {
  const [tree, buildMs] = timed((): KMeansTree => buildKMeansTree(track.mesh));
  const query = new KMeansQuery(track.mesh, tree);
  const contender: TreeContender = {
    name: '4-ary k-means (depth-first)',
    tree: 'k-means',
    nodeCount: tree.nodeCount,
    buildMs,
    boxTests: 0,
    run(frame) {
      query.run(track.poses[frame]);
      contender.boxTests += query.boxTests;
    },
    answer: () => ({ hash: hashReport(query.report), pairs: query.report.pairCount }),
  };
  return contender;
}

function timed<T>(make: () => T): [T, number] {
  let made: T | undefined;
  const ms = timeOf(() => {
    made = make();
  });
  return [made as T, ms];
}
