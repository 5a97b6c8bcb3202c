import { createEngine } from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { CharacterContender } from '../character-contenders.ts';
import { type CharacterClip, type CharacterScene, readCharacterScene, spread } from '../character-scenes.ts';
import { AnswerBook, type Contender, checkFrames } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';
import { timeOf } from '../stopwatch.ts';

interface CharacterCase {
  readonly name: string;
  readonly file: string;
  readonly step?: number; // every n-th frame
}

const CASES: readonly CharacterCase[] = [
  { name: 'cesium-man', file: 'CesiumMan' },
  { name: 'fox', file: 'Fox' },
  { name: 'kaykit-knight', file: 'KayKit_Knight', step: 5 },
  { name: 'robot-expressive', file: 'RobotExpressive' },
  { name: 'makehuman', file: 'makehuman' },
];
const QUICK_FRAMES = 8;
/** The switch between the two ways may cost this much. */
const NEVER_LOSES = 0.95;
/** Pairs of triangles that brute force may look at in one case: as many frames as that makes, at least one. */
const BRUTE_FORCE = 3e9;
const QUICK_BRUTE_FORCE = 4e8;

/** Every clip of real characters, as `pliant check` asks about them. */
export const characters: Bench = {
  name: 'characters',
  summary:
    'every clip of real characters: whole frames, checked by brute force (needs ../shared/data or PLIANT_DATA)',
  cases: CASES.map(({ name }) => name),
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    for (const one of CASES) if (isWanted(one.name, options)) outcomes.push(await runCase(one, options));
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runCase({ name, file, step }: CharacterCase, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, frames = quick ? QUICK_FRAMES : undefined, log } = options;
  const scene = await readCharacterScene(file, { step, frames });
  if (scene === undefined) return { rows: [], notes: [`${name}: skipped, its file is not here`] };
  const size = `${scene.deforms.length} meshes, ${scene.triangleCount} triangles`;
  log(`${name}: ${size}, ${scene.frames} of ${scene.allFrames} frames`);
  const engine = await createEngine();
  const bodies = scene.createBodies(engine);
  const [depthFirst, batch, onDemand, auto] = (['depth-first', 'batch', 'on-demand', 'auto'] as const).map(
    (method) => new CharacterContender(scene, bodies, method),
  );
  const answers = new AnswerBook();
  const contenders = [depthFirst, batch, onDemand, auto];
  const { times, even } = measureClips(contenders, scene, roundsOf(options), answers);
  const bruteForced = checkByBruteForce(auto, scene, quick, answers);
  engine.dispose();
  return {
    rows: rowsOf(name, scene, times, even, bruteForced, quick, answers),
    notes: notesOf(name, scene, times, answers),
  };
}

/** Milliseconds of each contender in each clip. */
type ClipTimes = readonly Float64Array[];

/** Milliseconds that one contender spends in one clip at least, in every round. */
const LEAST_RUN = 10;
/** Auto and the faster of batch and on demand are often one and the same work: telling them apart takes more rounds. */
const CLOSE_ROUNDS = 4;
const LEAST_CLOSE = 1500; // milliseconds of both, in all these rounds

/**
 * Of depth first, batch, on demand and auto. Of a clip the best round counts. `even` is what all of them reached in
 * equally many rounds: more rounds find better times, so only those may be compared with depth first.
 */
function measureClips(
  contenders: readonly Contender[],
  { clips, frames }: CharacterScene,
  rounds: number,
  answers: AnswerBook,
): { times: ClipTimes; even: ClipTimes } {
  checkFrames(contenders, frames, answers);
  const times = contenders.map(() => new Float64Array(clips.length).fill(Infinity));
  const auto = contenders.length - 1;
  runRounds(
    contenders,
    contenders.map((_, k) => k),
    clips,
    rounds,
    times,
  );
  const even = times.map((list) => list.slice());
  const rival = sum(times[1]) <= sum(times[2]) ? 1 : 2;
  const atOnce = Math.max(2 * LEAST_RUN * clips.length, sum(times[rival]) + sum(times[auto]));
  const more = rounds === 1 ? 1 : Math.max(CLOSE_ROUNDS, Math.ceil(LEAST_CLOSE / atOnce));
  runRounds(contenders, [rival, auto], clips, more, times);
  checkFrames([contenders[auto]], frames, answers);
  return { times, even };
}

/** Clip by clip those who take part take turns, each time beginning with another one. */
function runRounds(
  contenders: readonly Contender[],
  taking: readonly number[],
  clips: readonly CharacterClip[],
  rounds: number,
  times: ClipTimes,
): void {
  for (let round = 0; round < rounds; round++) {
    clips.forEach((clip, c) => {
      for (let turn = 0; turn < taking.length; turn++) {
        const k = taking[(round + c + turn) % taking.length];
        times[k][c] = Math.min(times[k][c], timeClip(contenders[k], clip, times[k][c]));
      }
    });
  }
}

/** `expected`: milliseconds, if known. */
function timeClip(contender: Contender, { firstFrame, frames }: CharacterClip, expected: number): number {
  const repeats = expected < Infinity ? Math.ceil(LEAST_RUN / expected) : 1;
  const elapsed = timeOf(() => {
    for (let k = 0; k < repeats; k++) {
      for (let frame = firstFrame; frame < firstFrame + frames; frame++) contender.run(frame);
    }
  });
  return elapsed / repeats;
}

/** Returns the number of frames: the one with the most pairs, and others spread over all clips. */
function checkByBruteForce(
  contender: CharacterContender,
  { triangleCount, frames }: CharacterScene,
  quick: boolean,
  answers: AnswerBook,
): number {
  const wanted = Math.floor((quick ? QUICK_BRUTE_FORCE : BRUTE_FORCE) / (triangleCount ** 2 / 2));
  const all = Array.from({ length: frames }, (_, frame) => frame);
  const chosen = new Set([answers.busiestFrame, ...spread(all, wanted)]);
  for (const frame of chosen)
    for (const line of contender.compareWithBruteForce(frame)) answers.disagree(line);
  return chosen.size;
}

function rowsOf(
  name: string,
  { frames }: CharacterScene,
  times: ClipTimes,
  even: ClipTimes,
  bruteForced: number,
  quick: boolean,
  answers: AnswerBook,
): Row[] {
  const result: CaseResult = {
    name,
    isJudged: !quick,
    pairs: answers.totalPairs,
    answersAgree: answers.agree,
  };
  const [depthFirst, batch, onDemand, auto] = times.map(sum);
  const count = (metric: string, value: number, unit: string) =>
    createRow(result, { metric, better: 'lower', value, unit });
  return [
    createRatio(result, 'speedup-vs-depth-first', sum(even[0]), sum(even[3])),
    createRatio(result, 'speedup-vs-fastest', Math.min(batch, onDemand), auto, NEVER_LOSES),
    createRatio(result, 'speedup-vs-batch', batch, auto),
    createRow(result, {
      metric: 'worst-clip-vs-fastest',
      better: 'higher',
      value: Math.min(...ratiosOf(times)),
      unit: 'x',
    }),
    createTime(result, 'frame-ms', auto / frames),
    createTime(result, 'frame-ms-depth-first', depthFirst / frames),
    createTime(result, 'frame-ms-batch', batch / frames),
    createTime(result, 'frame-ms-on-demand', onDemand / frames),
    count('contact-frames', 100 * answers.contactShare, '%'),
    count('pairs-per-frame', answers.totalPairs / frames, 'pairs'),
    createRow(result, {
      metric: 'frames-by-brute-force',
      better: 'higher',
      value: bruteForced,
      unit: 'frames',
    }),
  ];
}

/** Of each clip: the faster of batch and on demand, against auto. */
function ratiosOf([, batch, onDemand, auto]: ClipTimes): number[] {
  return Array.from(auto, (time, c) => Math.min(batch[c], onDemand[c]) / time);
}

function notesOf(name: string, scene: CharacterScene, times: ClipTimes, answers: AnswerBook): string[] {
  const { frames, allFrames, clips, triangleCount, deforms } = scene;
  const ratios = ratiosOf(times);
  const worst = ratios.indexOf(Math.min(...ratios));
  const below = ratios.filter((ratio) => ratio < NEVER_LOSES).length;
  return [
    `${name}: ${deforms.length} meshes, ${triangleCount} triangles; ${frames} of ${allFrames} frames of ${clips.length} clips, ${answers.totalPairs} contacts`,
    `${name}: auto is slowest against the better of both in "${clips[worst].name}" (${ratios[worst].toFixed(2)}); ${below} clips are below ${NEVER_LOSES}`,
    ...answers.disagreements.slice(0, 10).map((line) => `${name}: DISAGREES: ${line}`),
  ];
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
