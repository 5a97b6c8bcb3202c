import { type BenchOptions, type BenchOutcome, roundsOf } from './bench.ts';
import { AnswerBook, checkFrames, measureTracks } from './measure.ts';
import { BodyStage, type BodyTrack, type Question } from './moving-bodies.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from './result.ts';

/** What must be reached, and what the paper printed; see the issue this answers. */
export interface BodyTargets {
  readonly versusDepthFirst?: number;
  readonly versusFastest?: number;
  readonly paper?: number;
}

/** The switch between the two ways may cost this much. */
const NEVER_LOSES = 0.95;

/**
 * One question about moving bodies: the automatic choice against the papers' baseline (every vertex deformed, every box
 * refitted bottom-up, depth first) and against our own batch path, on the same frames, in the same kernels.
 */
export async function measureBodies(
  name: string,
  track: BodyTrack,
  question: Question,
  targets: BodyTargets,
  options: BenchOptions,
): Promise<BenchOutcome> {
  const { quick, log } = options;
  log(`${name}: ${track.triangleCount} triangles, ${track.frames} frames, ${question}`);
  const stage = await BodyStage.create(track);
  const answers = new AnswerBook();
  try {
    const auto = stage.createContender('auto', question);
    const contenders = [
      stage.createContender('depth-first', question),
      stage.createContender('batch', question),
      auto,
      stage.createContender('on-demand', question),
    ];
    const [depthFirst, batch, mine, onDemand] = measureTracks(
      contenders,
      track.frames,
      roundsOf(options),
      answers,
    );
    const work = countWork(auto, track.frames);
    checkFrames([auto], track.frames, answers);
    const result: CaseResult = {
      name,
      isJudged: !quick,
      pairs: question === 'all' ? answers.totalPairs : null,
      answersAgree: answers.agree,
    };
    const rows: Row[] = [
      createRow(result, {
        metric: 'speedup-vs-depth-first',
        better: 'higher',
        value: depthFirst / mine,
        unit: 'x',
        target: targets.versusDepthFirst,
        paper: targets.paper,
      }),
      createRatio(result, 'speedup-vs-fastest', batch, mine, targets.versusFastest ?? NEVER_LOSES),
      createTime(result, 'frame-ms', mine),
      createTime(result, 'frame-ms-depth-first', depthFirst),
      createTime(result, 'frame-ms-batch', batch),
      createTime(result, 'frame-ms-on-demand', onDemand),
      count(result, 'contact-frames', 100 * answers.contactShare, '%'),
      count(result, 'pairs-per-frame', answers.totalPairs / track.frames, 'pairs'),
      count(result, 'on-demand-frames', work.onDemandShare, '%'),
      count(result, 'volumes-per-frame', work.volumes, 'boxes'),
      count(result, 'box-tests-per-frame', work.tests, 'tests'),
      count(result, 'vertices-per-frame', work.vertices, 'vertices'),
    ];
    return { rows, notes: [...answers.disagreements.map((line) => `${name}: ${line}`)] };
  } finally {
    stage.dispose();
  }
}

function count(of: CaseResult, metric: string, value: number, unit: string): Row {
  return createRow(of, { metric, better: 'lower', value, unit });
}

interface Work {
  readonly volumes: number;
  readonly tests: number;
  readonly vertices: number;
  readonly onDemandShare: number;
}

/** Means over the frames. */
function countWork(contender: ReturnType<BodyStage['createContender']>, frames: number): Work {
  let volumes = 0,
    tests = 0,
    vertices = 0,
    onDemand = 0;
  for (let frame = 0; frame < frames; frame++) {
    contender.run(frame);
    const { counters, method } = contender.report;
    volumes += counters.volumesRefitted;
    tests += counters.nodePairsTested;
    vertices += counters.verticesDeformed;
    if (method === 'on-demand') onDemand++;
  }
  return {
    volumes: volumes / frames,
    tests: tests / frames,
    vertices: vertices / frames,
    onDemandShare: (100 * onDemand) / frames,
  };
}
