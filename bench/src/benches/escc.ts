import { type EnergyCertificate, prepareEnergyCertificate } from '../../../packages/pliant/src/cull/index.ts';
import { createEngine } from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { ENERGY_SCENES, type EnergySceneName, type SceneMaker } from '../energy-scenes.ts';
import { EnergyContender, EnergyStage, measureLevels, timeEnergies } from '../energy-tracks.ts';
import { AnswerBook, checkFrames, measureTracks } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';

interface EnergyCase {
  readonly scene: EnergySceneName;
  /** Against depth-first. */
  readonly must?: number;
  readonly aim?: number;
  readonly paper?: number;
  readonly continuous?: boolean;
  /** Least speedup against the fastest way without certificates. */
  readonly fastest: number;
  /** Frames and rounds of scenes that take long. */
  readonly frames?: number;
  readonly rounds?: number;
  /** Only when it is asked for by name. */
  readonly isLong?: boolean;
}

/** Never slower than this, in the mean over a scene. */
const NEVER_BELOW = 0.95;
/** Smooth motion at 50k triangles and more. */
const SMOOTH = 1.5;
/** Nanoseconds per triangle. */
const MOST_PER_TRIANGLE = 22;

const CASES: Readonly<Record<string, EnergyCase>> = {
  'flowing-cloth-51k': { scene: 'flowing-cloth-51k', must: 12, aim: 25, paper: 19.1, fastest: SMOOTH },
  'waves-51k': { scene: 'waves-51k', fastest: NEVER_BELOW },
  'dragon-77k': { scene: 'dragon-77k', must: 12, aim: 30, paper: 26.1, fastest: SMOOTH },
  'spring-16k': { scene: 'spring-16k', must: 12, aim: 30, paper: 25.6, fastest: NEVER_BELOW },
  'bodies-16': { scene: 'bodies-16', must: 10, aim: 18, paper: 15.3, fastest: NEVER_BELOW, frames: 24 },
  'flag-13k': { scene: 'flag-13k', must: 8, aim: 10, paper: 8.3, fastest: NEVER_BELOW },
  'ball-smooth-54k': { scene: 'ball-smooth-54k', must: 4.2, aim: 6, paper: 4.2, fastest: SMOOTH },
  'ball-noisy-54k': { scene: 'ball-noisy-54k', must: 3.3, aim: 4, paper: 3.3, fastest: NEVER_BELOW },
  'ball-spiky-54k': { scene: 'ball-spiky-54k', must: 2, aim: 2.5, paper: 2, fastest: NEVER_BELOW },
  'cloth-on-ball-20k': {
    scene: 'cloth-on-ball-20k',
    must: 4.5,
    aim: 5.4,
    paper: 4.5,
    fastest: NEVER_BELOW,
  },
  'snake-18k': { scene: 'snake-18k', must: 9, aim: 10.8, paper: 9, fastest: NEVER_BELOW },
  'dancer-14k': { scene: 'dancer-14k', must: 5.7, aim: 6.8, paper: 5.7, fastest: NEVER_BELOW },
  'cat-41k': { scene: 'cat-41k', must: 4.1, aim: 4.9, paper: 4.1, fastest: NEVER_BELOW },
  'crumple-25k': { scene: 'crumple-25k', must: 0.95, aim: 1.4, paper: 1.4, fastest: NEVER_BELOW },
  kick: { scene: 'kick', fastest: NEVER_BELOW },
  tshirt: { scene: 'tshirt', fastest: NEVER_BELOW },
  'cesium-man': { scene: 'cesium-man', fastest: NEVER_BELOW },
  'cloth-on-ball-continuous': {
    scene: 'cloth-on-ball-20k',
    must: 4.9,
    aim: 6,
    paper: 4.9,
    continuous: true,
    fastest: 4.9 / 2,
    frames: 24,
  },
  'dragon-continuous': {
    scene: 'dragon-77k',
    must: 20,
    aim: 32,
    paper: 29.3,
    continuous: true,
    fastest: 20 / 2,
  },
  'tentacle-ball-1m': {
    scene: 'tentacle-ball-1m',
    must: 6,
    aim: 14,
    paper: 11.5,
    fastest: SMOOTH,
    frames: 12,
    rounds: 2,
    isLong: true,
  },
};

/** The same motion of a cloth, with more and more triangles. */
const SCALING = 'scaling';
const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/** Energy certificates (Zheng & James 2012) on scenes like those of the paper, of whose motion only vertices are known. */
export const escc: Bench = {
  name: 'escc',
  summary: 'energy certificates: self-queries of free deformations against depth-first and our fastest way',
  cases: [...Object.keys(CASES), SCALING],
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const [name, one] of Object.entries(CASES)) {
      if (one.isLong && (options.quick || options.only !== name)) continue;
      if (isWanted(name, options)) outcomes.push(await runCase(name, one, options));
    }
    if (options.only === SCALING) outcomes.push(await runScaling(options));
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

const QUICK = { scale: 0.1, frames: 8 };

async function runCase(name: string, one: EnergyCase, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const create: SceneMaker = ENERGY_SCENES[one.scene];
  const frames = options.frames ?? one.frames;
  const track = await create(quick ? QUICK : { frames });
  if (track === undefined) return { rows: [], notes: [`${name}: the recorded data is not here`] };
  const engine = await createEngine();
  try {
    const stage = new EnergyStage(engine, track, one.continuous ?? false);
    log(`${name}: ${stage.plain.length} × ${track.mesh.triangleCount} triangles, preparing`);
    const start = performance.now();
    const first = prepareEnergyCertificate(stage.connected[0]);
    const preparation = performance.now() - start;
    const certificates = stage.connected.map((body, k) => (k === 0 ? first : first.forBody(body)));
    log(`${name}: ${track.frames.length} frames`);
    const rounds = options.rounds ?? one.rounds ?? roundsOf(options);
    return { rows: measureCase(name, one, stage, certificates, { rounds, quick, preparation }), notes: [] };
  } finally {
    engine.dispose();
  }
}

async function runScaling({ quick, rounds = 3, log }: BenchOptions): Promise<BenchOutcome> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const create: SceneMaker = ENERGY_SCENES['flowing-cloth-51k'];
    const track = (await create({ frames: 16, scale: (quick ? 0.05 : 1) * (size / 51_200) }))!;
    const engine = await createEngine();
    const stage = new EnergyStage(engine, track, false);
    log(`${SCALING}: ${track.mesh.triangleCount} triangles, preparing`);
    const start = performance.now();
    const certificates = [prepareEnergyCertificate(stage.connected[0])];
    const preparation = performance.now() - start;
    const answers = new AnswerBook();
    const [depthFirst, batch, mine] = measureTracks(
      [
        new EnergyContender('depth-first', stage, stage.plain, 'depth-first'),
        new EnergyContender('batch', stage, stage.plain, 'batch'),
        new EnergyContender('energy', stage, stage.connected, 'auto', certificates),
      ],
      stage.frameCount,
      rounds,
      answers,
    );
    const { totalPairs: pairs, agree: answersAgree } = answers;
    const of: CaseResult = { name: SCALING, isJudged: false, pairs, answersAgree };
    const name = `${size / 1000}k`;
    rows.push(
      createRatio(of, `speedup-vs-depth-first-${name}`, depthFirst, mine),
      createRatio(of, `speedup-vs-batch-${name}`, batch, mine),
      createTime(of, `frame-ms-${name}`, mine),
      createTime(of, `certificate-ms-${name}`, preparation),
    );
    engine.dispose();
  }
  return { rows, notes: [] };
}

interface Circumstances {
  readonly rounds: number;
  readonly quick: boolean;
  readonly preparation: number; // milliseconds
}

function measureCase(
  name: string,
  { must, paper, fastest: leastOfFastest }: EnergyCase,
  stage: EnergyStage,
  certificates: readonly EnergyCertificate[],
  { rounds, quick, preparation }: Circumstances,
): Row[] {
  const plain = new EnergyContender('batch', stage, stage.plain, 'batch');
  const culled = new EnergyContender('energy', stage, stage.connected, 'auto', certificates);
  const contenders = [
    new EnergyContender('depth-first', stage, stage.plain, 'depth-first'),
    plain,
    new EnergyContender('batch, connected tree', stage, stage.connected, 'batch'),
    culled,
  ];
  const answers = new AnswerBook();
  const frames = stage.frameCount;
  const [depthFirst, batch, connected, mine] = measureTracks(contenders, frames, rounds, answers);
  const fastest = Math.min(batch, connected);
  plain.forget();
  culled.forget();
  checkFrames([plain, culled], frames, answers);
  const triangles = stage.track.mesh.triangleCount * stage.plain.length;
  const of: CaseResult = {
    name,
    isJudged: !quick,
    pairs: answers.totalPairs,
    answersAgree: answers.agree,
  };
  const count = (metric: string, value: number, unit: string, target?: number) =>
    createRow(of, { metric, better: 'lower', value, unit, target });
  const { bytes } = certificates[0];
  const costs = timeEnergies(stage, certificates, Math.min(rounds, 3));
  return [
    createRow(of, {
      metric: 'speedup-vs-depth-first',
      better: 'higher',
      value: depthFirst / mine,
      unit: 'x',
      target: must,
      paper,
    }),
    createRatio(of, 'speedup-vs-fastest', fastest, mine, leastOfFastest),
    count(
      'energy-pass-ns',
      costs.energies + costs.proofs / (stage.continuous ? 2 : 1), // of a motion that goes on only the end is summed
      'ns',
      MOST_PER_TRIANGLE,
    ),
    ...Object.entries(costs).map(([part, value]) => count(`cost-${part}-ns`, value, 'ns')),
    createTime(of, 'frame-ms', mine),
    createTime(of, 'frame-ms-depth-first', depthFirst),
    createTime(of, 'frame-ms-fastest', fastest),
    createTime(of, 'frame-ms-connected', connected),
    count('contact-frames', 100 * answers.contactShare, '%'),
    count('culling-difficulty', plain.trianglePairs / frames / triangles, 'tests'),
    count('left-to-test', (100 * culled.nodePairs) / Math.max(1, plain.nodePairs), '%'),
    ...measureLevels(stage, certificates).map(({ triangles: size, share }) =>
      createRow(of, {
        metric: `cleared-patches-of-${size}`,
        better: 'higher',
        value: 100 * share,
        unit: '%',
      }),
    ),
    count('certificate-mb', bytes / 2 ** 20, 'MB'),
    createTime(of, 'certificate-ms', preparation),
  ];
}
