import type { Body, Engine } from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted } from '../bench.ts';
import { type BodyTargets, measureBodies } from '../body-rows.ts';
import type { BodyTrack, Question } from '../moving-bodies.ts';
import { type CaseResult, createRow, type Row } from '../result.ts';
import { createSceneBodies, createSkinScene, type SkinSceneName, setSceneFrame } from '../skin-scenes.ts';

interface SkinCase {
  readonly name: string;
  readonly scene: SkinSceneName;
  readonly triangles: number; // per character
  readonly question: Question;
  readonly targets: BodyTargets;
}

const CASES: readonly SkinCase[] = [
  {
    name: 'meeting-28k',
    scene: 'meeting',
    triangles: 28_000,
    question: 'all',
    targets: { versusDepthFirst: 20, versusFastest: 4, paper: 50 },
  },
  {
    name: 'meeting-100k',
    scene: 'meeting',
    triangles: 100_000,
    question: 'all',
    targets: { versusDepthFirst: 50, versusFastest: 10 },
  },
  {
    name: 'meeting-28k-first-hit',
    scene: 'meeting',
    triangles: 28_000,
    question: 'first',
    targets: { versusDepthFirst: 40, versusFastest: 12, paper: 37 },
  },
  {
    name: 'through-28k',
    scene: 'through',
    triangles: 28_000,
    question: 'all',
    targets: { versusDepthFirst: 1.5, versusFastest: 0.95, paper: 5.3 },
  },
  {
    name: 'through-28k-first-hit',
    scene: 'through',
    triangles: 28_000,
    question: 'first',
    targets: { versusDepthFirst: 37, versusFastest: 12, paper: 37 },
  },
  {
    name: 'crowd-50',
    scene: 'crowd',
    triangles: 13_400,
    question: 'all',
    targets: { versusDepthFirst: 15, versusFastest: 4, paper: 15 },
  },
  ...[
    { size: '2k', triangles: 1_664, apart: 32, interfering: 3.9 },
    { size: '7k', triangles: 6_656, apart: 126, interfering: 8.34 },
    { size: '27k', triangles: 26_624, apart: 502, interfering: 17.47 },
  ].flatMap(({ size, triangles, apart, interfering }): SkinCase[] => [
    {
      name: `dwarfs-${size}-apart`,
      scene: 'dwarfs-apart',
      triangles,
      question: 'all',
      targets: { paper: apart },
    },
    {
      name: `dwarfs-${size}-interfering`,
      scene: 'dwarfs-interfering',
      triangles,
      question: 'all',
      targets: { paper: interfering },
    },
  ]),
  {
    name: 'dwarfs-106k-apart',
    scene: 'dwarfs-apart',
    triangles: 106_000,
    question: 'all',
    targets: { versusDepthFirst: 500, paper: 1995 },
  },
  {
    name: 'dwarfs-106k-interfering',
    scene: 'dwarfs-interfering',
    triangles: 106_000,
    question: 'all',
    targets: { versusDepthFirst: 15, paper: 32 },
  },
];

const GROWTH = 'growth';
/** Triangles per character: each four times as many as the one before. */
const RESOLUTIONS = [7_000, 28_000, 112_000, 448_000];

/** Two skinned characters, a crowd, and finer and finer meshes, as in Kavan and Žára 2005. */
export const skin: Bench = {
  name: 'skin',
  summary:
    'skinned characters: whole frames against depth-first and batch, and how work grows with resolution',
  cases: [...CASES.map(({ name }) => name), GROWTH],
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    const add = (outcome: BenchOutcome) => {
      rows.push(...outcome.rows);
      notes.push(...outcome.notes);
    };
    for (const one of CASES) if (isWanted(one.name, options)) add(await runCase(one, options));
    if (isWanted(GROWTH, options)) add(await runGrowth(options));
    return { rows, notes };
  },
};

async function runCase(
  { name, scene, triangles, question, targets }: SkinCase,
  options: BenchOptions,
): Promise<BenchOutcome> {
  const track = createTrack(scene, triangles, options);
  return measureBodies(name, track, question, targets, options);
}

/** The same meeting at four resolutions: boxes, tests and vertices must grow more slowly than the mesh. */
async function runGrowth(options: BenchOptions): Promise<BenchOutcome> {
  const rows: Row[] = [],
    notes: string[] = [];
  let first: Row[] | undefined;
  let firstTriangles = 0;
  for (const triangles of RESOLUTIONS) {
    const track = createTrack('meeting', triangles, options);
    const outcome = await measureBodies(
      `${GROWTH}-${Math.round(triangles / 1000)}k`,
      track,
      'all',
      {},
      options,
    );
    rows.push(...outcome.rows);
    notes.push(...outcome.notes);
    if (first === undefined) {
      first = outcome.rows;
      firstTriangles = track.triangleCount;
    } else rows.push(exponentRow(outcome.rows, first, track.triangleCount / firstTriangles, options));
  }
  return { rows, notes };
}

/** e in work ~ triangles^e, against the coarsest: below 1 is sublinear. */
function exponentRow(
  rows: readonly Row[],
  first: readonly Row[],
  growth: number,
  { quick }: BenchOptions,
): Row {
  const { case: name, pairs, answersAgree } = rows[0];
  const of: CaseResult = { name, isJudged: !quick, pairs, answersAgree };
  const workOf = (list: readonly Row[]) =>
    ['volumes-per-frame', 'box-tests-per-frame', 'vertices-per-frame']
      .map((metric) => list.find((row) => row.metric === metric)!.value)
      .reduce((sum, value) => sum + value, 0);
  const value = Math.log(workOf(rows) / workOf(first)) / Math.log(growth);
  return createRow(of, { metric: 'work-growth-exponent', better: 'lower', value, unit: '', target: 0.9 });
}

function createTrack(
  name: SkinSceneName,
  triangles: number,
  { quick, frames, log }: BenchOptions,
): BodyTrack {
  log(`${name}: making characters of ${triangles} triangles`);
  const scene = createSkinScene(name, {
    triangles: quick ? Math.max(1_500, triangles / 10) : triangles,
    frames: frames ?? (quick ? 6 : undefined),
  });
  return {
    triangleCount: scene.triangles,
    frames: scene.frames.length,
    createBodies: (engine: Engine) => createSceneBodies(engine, scene),
    pose: (bodies: readonly Body[], frame: number) => setSceneFrame(bodies, scene, frame),
  };
}
