import {
  type EnergyCertificate,
  prepareEnergyCertificate,
} from '../../../../packages/pliant/src/cull/index.ts';
import { type Body, createEngine } from '../../../../packages/pliant/src/index.ts';
import { isLeaf, ROOT } from '../../../../packages/pliant/src/tree/tree.ts';
import { type BenchOptions, type BenchOutcome, roundsOf } from '../../bench.ts';
import { ENERGY_SCENES, type EnergySceneName } from '../../energy-scenes.ts';
import { EnergyContender, EnergyStage } from '../../energy-tracks.ts';
import { AnswerBook, checkFrames, measureTracks } from '../../measure.ts';
import { type CaseResult, createRow, createTime, type Row, type Series } from '../../result.ts';

/** ESCC, figure 9: a motion that bends little and one that bends much. */
const MOTIONS = {
  smooth: { scene: 'dragon-77k', scale: 0.3 },
  violent: { scene: 'cloth-on-ball-20k', scale: 1 },
} as const;
const LARGEST = [64, 128, 256, 512, 1024];
const QUICK_LARGEST = [64, 128, 512];
const LEAST_PATCH = 32; // triangles: smaller nodes never have proofs of their own
const FRAMES = 24;
const QUICK_FRAMES = 6;

/** Frames with proofs for patches of up to so many triangles: the more nodes have one, the more energies are summed. */
export async function measureCover(options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const name = 'cover';
  const rows: Row[] = [],
    series: Series[] = [],
    notes: string[] = [];
  for (const [motion, { scene, scale }] of Object.entries(MOTIONS)) {
    const x: number[] = [],
      y: number[] = [];
    for (const largest of quick ? QUICK_LARGEST : LARGEST) {
      log(`${name}: ${motion}, patches of up to ${largest}`);
      const track = (await ENERGY_SCENES[scene]({
        scale: quick ? scale / 5 : scale,
        frames: quick ? QUICK_FRAMES : FRAMES,
      }))!;
      const engine = await createEngine();
      const stage = new EnergyStage(engine, track, false);
      const certificate = prepareEnergyCertificate(stage.connected[0], { maxTriangles: largest });
      const contenders = [
        new EnergyContender('batch', stage, stage.plain, 'batch'),
        new EnergyContender('energy', stage, stage.connected, 'auto', [certificate]),
      ];
      const answers = new AnswerBook();
      const [, ms] = measureTracks(contenders, stage.frameCount, roundsOf(options), answers);
      const of: CaseResult = {
        name,
        isJudged: !quick,
        pairs: answers.totalPairs,
        answersAgree: answers.agree,
      };
      const cover = coverOf(stage.connected[0], certificate);
      rows.push(createTime(of, `${motion}-ms-up-to-${largest}`, ms));
      rows.push(
        createRow(of, {
          metric: `${motion}-cover-up-to-${largest}`,
          better: 'higher',
          value: cover,
          unit: '%',
        }),
      );
      notes.push(...answers.disagreements.map((line) => `${name}: ${line}`));
      x.push(cover);
      y.push(ms);
      engine.dispose();
    }
    series.push({ case: name, name: `${motion} (${scene})`, unit: 'ms', x, y });
  }
  return { rows, notes, series };
}

/** Percent of the nodes that are large enough. */
function coverOf({ tree }: Body, certificate: EnergyCertificate): number {
  let all = 0,
    covered = 0;
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.slotCount[node] < LEAST_PATCH) continue;
    all++;
    if (certificate.hasProof(node)) covered++;
  }
  return (100 * covered) / all;
}

/** ESCC, figure 11. */
const SCENES: Readonly<Record<string, EnergySceneName>> = {
  flag: 'flag-13k',
  dragon: 'dragon-77k',
  'cloth-on-ball': 'cloth-on-ball-20k',
  cat: 'cat-41k',
  crumple: 'crumple-25k',
};
const SCALE = 0.5;
const QUICK_SCALE = 0.1;

/** In every frame: triangle tests that find nothing, over proofs that hold. The certificate never rests here. */
export async function measureConservativeness({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const name = 'conservativeness';
  const rows: Row[] = [],
    series: Series[] = [],
    notes: string[] = [];
  for (const [short, scene] of Object.entries(SCENES)) {
    log(`${name}: ${scene}`);
    const size = { scale: quick ? QUICK_SCALE : SCALE, frames: quick ? QUICK_FRAMES : 2 * FRAMES };
    const track = (await ENERGY_SCENES[scene](size))!;
    const engine = await createEngine();
    const stage = new EnergyStage(engine, track, false);
    const [body] = stage.connected;
    const certificate = prepareEnergyCertificate(body);
    const plain = new EnergyContender('batch', stage, stage.plain, 'batch');
    const culled = new EnergyContender('energy', stage, stage.connected, 'auto', [certificate]);
    const answers = new AnswerBook();
    checkFrames([plain], stage.frameCount, answers);
    const ratios: number[] = [];
    for (let frame = 0; frame < stage.frameCount; frame++) {
      certificate.rouse();
      culled.forget();
      culled.run(frame);
      answers.note(culled, frame);
      const needless = culled.trianglePairs - culled.answer().pairs;
      ratios.push(needless / Math.max(1, countProofs(stage, body, certificate, frame)));
    }
    const of: CaseResult = { name, isJudged: !quick, pairs: answers.totalPairs, answersAgree: answers.agree };
    const value = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    rows.push(createRow(of, { metric: short, better: 'lower', value, unit: '' }));
    notes.push(...answers.disagreements.map((line) => `${name}: ${line}`));
    series.push({
      case: name,
      name: short,
      unit: '',
      x: ratios.map((_, k) => k / (ratios.length - 1)),
      y: ratios,
    });
    engine.dispose();
  }
  return { rows, notes, series };
}

/** Nodes whose proof holds and that are under no other such node. */
function countProofs(stage: EnergyStage, body: Body, certificate: EnergyCertificate, frame: number): number {
  const { tree } = body;
  stage.setFrame(body, 0, frame);
  certificate.rouse();
  certificate.begin(false);
  const stack = [ROOT];
  let count = 0;
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (certificate.hasProof(node) && certificate.clears(node, node)) count++;
    else if (!isLeaf(tree, node)) stack.push(tree.link[node], tree.link[node] + 1);
  }
  return count;
}
