import { CollisionReport, findSelfCollisions } from '../../../packages/pliant/src/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { createMovingContender, createSetups, type Setup } from '../contenders.ts';
import { AnswerBook, checkFrames, measureFrames } from '../measure.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';
import { type CaseName, createTrack, QUICK_SCALE, type Track } from '../scenes.ts';
import { spotCheck } from '../spot-check.ts';

const MOVING_CASES = ['spring-16k', 'kick'] as const satisfies readonly CaseName[];
const STEPS = 12;
const QUICK_STEPS = 4;
const KICK_STEPS = 3; // each takes seconds: triangles move far between two recorded frames
const SPOT_TRIANGLES = 10;

/** Self-queries over the motion from each frame to the next, 60 per second. */
export const continuous: Bench = {
  name: 'continuous',
  summary: 'self-queries over the motion between consecutive frames',
  cases: MOVING_CASES,
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const name of MOVING_CASES) {
      if (!isWanted(name, options)) continue;
      const outcome = await runCase(name, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes.map((note) => `${name}: ${note}`));
    }
    return { rows, notes };
  },
};

async function runCase(name: CaseName, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const usual = name === 'kick' ? (quick ? 1 : KICK_STEPS) : quick ? QUICK_STEPS : STEPS;
  const frames = 1 + (options.frames ?? usual);
  const track = createTrack(name, { scale: quick ? QUICK_SCALE : 1, frames, consecutive: true });
  if (track === undefined) return { rows: [], notes: ['skipped: no recorded data here (set PLIANT_DATA)'] };
  const steps = track.poses.length - 1;
  log(`${name}: ${track.mesh.triangleCount} triangles, ${steps} steps`);
  const setups = await createSetups(track);
  const answers = new AnswerBook();
  const ours = setups.flatMap((setup) => [
    createMovingContender(setup, track, 'batch'),
    createMovingContender(setup, track, 'depth-first'),
  ]);
  const rounds = options.rounds ?? (name === 'kick' ? (quick ? 1 : 2) : roundsOf(options));
  const [batch, depthFirst, batchTs, depthFirstTs] = measureFrames(ours, steps, rounds, answers);
  const onDemand = setups.map((setup) => createMovingContender(setup, track, 'on-demand'));
  checkFrames(onDemand, steps, answers);
  const busiest = checkBusiestStep(track, setups[0], answers);
  for (const { engine } of setups) engine.dispose();

  const of: CaseResult = { name, isJudged: !quick, pairs: answers.totalPairs, answersAgree: answers.agree };
  const { trianglePairsTested, exactTests } = busiest.counters;
  const rows = [
    createTime(of, 'frame-ms', batch),
    createTime(of, 'frame-ms-depth-first', depthFirst),
    createRatio(of, 'speedup-vs-depth-first', depthFirst, batch),
    createTime(of, 'frame-ms-ts', batchTs),
    createTime(of, 'frame-ms-depth-first-ts', depthFirstTs),
    createRatio(of, 'speedup-vs-depth-first-ts', depthFirstTs, batchTs),
    createRow(of, {
      metric: 'contact-frames',
      better: 'lower',
      value: 100 * answers.contactShare,
      unit: '%',
    }),
  ];
  const notes = [
    `${track.mesh.triangleCount} triangles, ${steps} steps, poses ${track.hash}, ${answers.totalPairs} pairs`,
    `busiest step: ${trianglePairsTested} triangle pairs tested, ${exactTests} undecided by the filter, ${busiest.pairCount} touch`,
    ...answers.disagreements.slice(0, 10).map((line) => `DISAGREES: ${line}`),
  ];
  return { rows, notes };
}

function checkBusiestStep({ mesh, poses }: Track, { body }: Setup, answers: AnswerBook): CollisionReport {
  const step = answers.busiestFrame;
  const report = new CollisionReport();
  body.setMotion(poses[step], poses[step + 1]);
  findSelfCollisions(body, { report, method: 'batch', continuous: true });
  for (const line of spotCheck(mesh, report, SPOT_TRIANGLES, poses[step], poses[step + 1])) {
    answers.disagree(`step ${step}, brute force: ${line}`);
  }
  return report;
}
