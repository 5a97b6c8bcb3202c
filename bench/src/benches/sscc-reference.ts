import {
  prepareSubspaceCertificate,
  type SubspaceCertificate,
} from '../../../packages/pliant/src/cull/index.ts';
import { createEngine, createTriangleMesh } from '../../../packages/pliant/src/index.ts';
import { createBumpyBall, createSpring, createTorusKnot } from '../../../packages/pliant/src/shapes/index.ts';
import type { Shape } from '../../../packages/pliant/src/shapes/shape.ts';
import { smoothModes } from '../../../packages/pliant/test/cull/subspace/smooth-modes.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted } from '../bench.ts';
import { type CaseResult, createRatio, createRow, createTime } from '../result.ts';
import { timeOf } from '../stopwatch.ts';
import { findContradictions, modeShapesOf, slotsOf } from '../subspace-cases.ts';
import { buildKMeansTree } from '../trees/k-means-tree.ts';
import { findPaperRadii, type PaperRadii } from '../trees/paper-radii.ts';

const MODES = 20;
/** Evaluations for one pair of triangles: far more would change little but the time. */
const MOST = 1000;

const CASES: Record<string, (triangles: number) => Shape> = {
  spring: (triangles) => createSpring({ triangles, turns: 3 }),
  'torus-knot': (triangles) => createTorusKnot({ triangles }),
  'bumpy-ball': (triangles) => createBumpyBall({ triangles }),
};

/** Radii of subspace certificates by the paper's own precomputation and by ours, for the same bodies. */
export const ssccReference: Bench = {
  name: 'sscc-reference',
  summary: "subspace certificates: the paper's precomputation, its formulas corrected, beside ours",
  cases: Object.keys(CASES),
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const name of Object.keys(CASES))
      if (isWanted(name, options)) outcomes.push(await runCase(name, options));
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runCase(name: string, { quick, log }: BenchOptions): Promise<BenchOutcome> {
  const mesh = createTriangleMesh(CASES[name](quick ? 300 : 1500).source);
  const modes = quick ? 6 : MODES;
  log(`${name}: ${mesh.triangleCount} triangles, ${modes} modes`);
  const engine = await createEngine();
  const body = engine.createModalBody(mesh, smoothModes(mesh, modes));
  let certificate!: SubspaceCertificate;
  const ourMs = timeOf(() => void (certificate = prepareSubspaceCertificate(body)));
  const ours = certificate.balls[0];
  const shapes = modeShapesOf(body),
    slots = slotsOf(body);
  const tree = buildKMeansTree(mesh);
  const ask = (most: number) => findPaperRadii(shapes, tree, slots, { reach: ours.limit, most });
  let paper!: PaperRadii;
  const paperMs = timeOf(() => void (paper = ask(quick ? 100 : MOST)));
  const contradictions = findContradictions(body, ours, tree, paper);
  engine.dispose();

  const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: contradictions.length === 0 };
  const radius = (metric: string, value: number, better: 'higher' | 'lower' = 'higher') =>
    createRow(of, { metric, better, value, unit: '' });
  const count = (metric: string, value: number) =>
    createRow(of, { metric, better: 'lower', value, unit: 'count' });
  const rows = [
    radius('paper-root', paper.lower[0]),
    radius('paper-root-upper', finite(paper.upper[0]), 'lower'),
    radius('ours-root', ours.lower[0]),
    radius('ours-root-upper', finite(ours.upper[0]), 'lower'),
    createRatio(of, 'root-ratio', ours.lower[0], paper.lower[0]),
    createRatio(of, 'paper-root-tightness', paper.lower[0], Math.min(paper.upper[0], ours.upper[0])),
    createRatio(of, 'ours-root-tightness', ours.lower[0], Math.min(paper.upper[0], ours.upper[0]), 0.95),
    count('paper-evaluations', paper.evaluations),
    count('ours-evaluations', ours.evaluations),
    count('paper-capped-pairs', paper.cappedPairs),
    count('ours-capped-pairs', ours.cappedPairs),
    createTime(of, 'paper-ms', paperMs),
    createTime(of, 'ours-ms', ourMs),
    createRatio(of, 'speedup', paperMs, ourMs),
  ];
  const notes = [
    `${name}: ${mesh.triangleCount} triangles, ${modes} modes, radii up to ${ours.limit.toPrecision(3)}; at most ${quick ? 100 : MOST} evaluations for a pair of triangles of the paper's`,
    `${name}: our times include radii and planes of pairs of nodes, the paper's are of nodes alone`,
    ...contradictions.slice(0, 10).map((line) => `${name}: CONTRADICTS: ${line}`),
  ];
  return { rows, notes };
}

/** For a table: 0 when nothing was found. */
function finite(value: number): number {
  return value < Infinity ? value : 0;
}
