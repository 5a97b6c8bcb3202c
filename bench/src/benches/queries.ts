import { cosTurns, sinTurns } from '../../../packages/pliant/src/algebra/trigonometry.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAllCollisions,
  findAnyCollision,
  findClosePairs,
  findCollisions,
  findNearest,
  type Method,
  type Nearest,
} from '../../../packages/pliant/src/index.ts';
import { createBumpyBall } from '../../../packages/pliant/src/shapes/bumpy-ball.ts';
import { createRandom } from '../../../packages/pliant/src/shapes/random.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { createContender, KERNELS, type KernelName } from '../contenders.ts';
import { hashPoses } from '../hash.ts';
import { AnswerBook, type Contender, measureFrames } from '../measure.ts';
import { type CaseResult, createRow, createTime, type Row } from '../result.ts';
import { QUICK_SCALE } from '../scenes.ts';

const QUERY_CASES = ['rigid-pair-15k', 'rigid-many-50'] as const;
const METHODS: readonly ('auto' | Method)[] = ['auto', 'batch', 'on-demand', 'depth-first'];
const FRAMES = 24;
const QUICK_FRAMES = 8;
const BODIES = 50;
const CLOSE = 0.01; // of a ball of radius 1

/** Bodies that keep their shape: two that barely touch, and fifty. */
export const queries: Bench = {
  name: 'queries',
  summary: 'two rigid bodies (all pairs, first hit, nearest, close pairs) and fifty of them',
  cases: QUERY_CASES,
  async run(options) {
    const outcomes: BenchOutcome[] = [];
    if (isWanted('rigid-pair-15k', options)) outcomes.push(await runPair(options));
    if (isWanted('rigid-many-50', options)) outcomes.push(await runMany(options));
    return { rows: outcomes.flatMap(({ rows }) => rows), notes: outcomes.flatMap(({ notes }) => notes) };
  },
};

async function runPair(options: BenchOptions): Promise<BenchOutcome> {
  const name = 'rigid-pair-15k';
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES, log } = options;
  const scale = quick ? QUICK_SCALE : 1;
  const meshes = [1, 2].map((seed) =>
    createTriangleMesh(createBumpyBall({ triangles: 15_000 * scale, seed }).source),
  );
  const poses = Array.from({ length: frames }, (_, k) => approach(k / frames));
  log(`${name}: ${meshes[0].triangleCount} and ${meshes[1].triangleCount} triangles, ${frames} frames`);

  const groups = [new Group(), new Group(), new Group(), new Group()];
  const [all, hits, distances, close] = groups;
  const engines: Engine[] = [];
  for (const kernels of KERNELS) {
    const engine = await createEngine({ kernels });
    engines.push(engine);
    const [a, b] = meshes.map((mesh) => engine.createRigidBody(mesh));
    const ts = suffix(kernels);
    for (const method of METHODS) {
      const query = createContender(`${method} (${kernels})`, (frame, report) => {
        b.setPose(poses[frame]);
        findCollisions(a, b, { method, report });
      });
      all.add(`frame-ms-${method}${ts}`, query);
      hits.add(`first-hit-ms-${method}${ts}`, firstHit(a, b, poses, method, kernels));
    }
    distances.add(`nearest-ms${ts}`, nearest(a, b, poses, kernels));
    const closePairs = createContender(`close pairs (${kernels})`, (frame, report) => {
      b.setPose(poses[frame]);
      findClosePairs(a, b, CLOSE, { report });
    });
    close.add(`close-pairs-ms${ts}`, closePairs);
  }
  for (const group of groups) group.measure(frames, roundsOf(options));
  for (const engine of engines) engine.dispose();
  checkConsistency(all.answers, hits.answers, distances.answers);
  const books = groups.map(({ answers }) => answers);
  const answersAgree = books.every(({ agree }) => agree);
  const of: CaseResult = { name, isJudged: !quick, pairs: all.answers.totalPairs, answersAgree };
  const rows = [...groups.flatMap((group) => group.rows(of)), contactRow(of, all.answers)];
  return { rows, notes: describe(name, poses, books) };
}

/** Contenders that answer the same question, and what they are called in the figures. */
class Group {
  readonly answers = new AnswerBook();
  readonly #contenders: Contender[] = [];
  readonly #metrics: string[] = [];
  #times: number[] = [];

  add(metric: string, contender: Contender): void {
    this.#metrics.push(metric);
    this.#contenders.push(contender);
  }

  measure(frames: number, rounds: number): void {
    this.#times = measureFrames(this.#contenders, frames, rounds, this.answers);
  }

  rows(of: CaseResult): Row[] {
    return this.#metrics.map((metric, k) => createTime(of, metric, this.#times[k]));
  }
}

async function runMany(options: BenchOptions): Promise<BenchOutcome> {
  const name = 'rigid-many-50';
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES, log } = options;
  const mesh = createTriangleMesh(createBumpyBall({ triangles: quick ? 180 : 1_280 }).source);
  const poses = Array.from({ length: frames }, (_, k) => swarm(k / frames));
  log(`${name}: ${BODIES} bodies of ${mesh.triangleCount} triangles, ${frames} frames`);
  const group = new Group();
  const engines: Engine[] = [];
  for (const kernels of KERNELS) {
    const engine = await createEngine({ kernels });
    engines.push(engine);
    const bodies = Array.from({ length: BODIES }, () => engine.createRigidBody(mesh));
    for (const method of METHODS) {
      group.add(
        `frame-ms-${method}${suffix(kernels)}`,
        createContender(`${method} (${kernels})`, (frame, report) => {
          bodies.forEach((body, k) => void body.setPose(poses[frame].subarray(12 * k, 12 * k + 12)));
          findAllCollisions(bodies, { method, report });
        }),
      );
    }
  }
  group.measure(frames, roundsOf(options));
  for (const engine of engines) engine.dispose();
  const { answers } = group;
  const of: CaseResult = { name, isJudged: !quick, pairs: answers.totalPairs, answersAgree: answers.agree };
  return { rows: [...group.rows(of), contactRow(of, answers)], notes: describe(name, poses, [answers]) };
}

/** Whether there is a hit does not depend on the method; which one does. */
function firstHit(
  a: Body,
  b: Body,
  poses: readonly Float64Array[],
  method: 'auto' | Method,
  kernels: KernelName,
): Contender {
  let isHit = false;
  return {
    name: `first hit, ${method} (${kernels})`,
    run(frame) {
      b.setPose(poses[frame]);
      isHit = findAnyCollision(a, b, { method }) !== undefined;
    },
    answer: () => ({ hash: +isHit, pairs: +isHit }),
  };
}

function nearest(a: Body, b: Body, poses: readonly Float64Array[], kernels: KernelName): Contender {
  let found: Nearest | undefined;
  return {
    name: `nearest (${kernels})`,
    run(frame) {
      b.setPose(poses[frame]);
      found = findNearest(a, b);
    },
    answer() {
      const { distance, triangles } = found!;
      const hash = Number.parseInt(hashPoses([Float64Array.of(distance, ...(triangles ?? []))]), 16);
      return { hash, pairs: +(distance === 0) };
    },
  };
}

/** A pair touches, a first hit exists and the distance is 0 in the same frames. */
function checkConsistency(all: AnswerBook, hits: AnswerBook, distances: AnswerBook): void {
  all.pairs.forEach((count, frame) => {
    if (+(count > 0) !== hits.pairs[frame]) hits.disagree(`frame ${frame}: first hit and all pairs differ`);
    if (+(count > 0) !== distances.pairs[frame])
      distances.disagree(`frame ${frame}: distance and all pairs differ`);
  });
}

/** A ball that comes near, barely touches and leaves again, turning; a row-major 3×4 matrix. */
function approach(time: number): Float64Array {
  return placement(2.35 - 0.4 * sinTurns(time / 2), 0.3, 0.1, time / 3);
}

/** Fifty placements: balls that circle around seeded places, at times through one another. */
function swarm(time: number): Float64Array {
  const random = createRandom(11);
  const matrices = new Float64Array(12 * BODIES);
  for (let k = 0; k < BODIES; k++) {
    const x = 11 * random(),
      y = 11 * random(),
      z = 11 * random(),
      phase = random();
    const turn = time + phase;
    matrices.set(placement(x + cosTurns(turn), y + sinTurns(turn), z, turn / 2), 12 * k);
  }
  return matrices;
}

function placement(x: number, y: number, z: number, turn: number): Float64Array {
  const c = cosTurns(turn),
    s = sinTurns(turn);
  return Float64Array.of(c, -s, 0, x, s, c, 0, y, 0, 0, 1, z);
}

function suffix(kernels: KernelName): '' | '-ts' {
  return kernels === 'ts' ? '-ts' : '';
}

function contactRow(of: CaseResult, answers: AnswerBook): Row {
  return createRow(of, {
    metric: 'contact-frames',
    better: 'lower',
    value: 100 * answers.contactShare,
    unit: '%',
  });
}

function describe(name: string, poses: readonly Float64Array[], books: readonly AnswerBook[]): string[] {
  const lines = books.flatMap(({ disagreements }) => disagreements.slice(0, 5));
  return [
    `${name}: ${poses.length} frames, poses ${hashPoses(poses)}, ${books[0].totalPairs} pairs`,
    ...lines.map((line) => `${name}: DISAGREES: ${line}`),
  ];
}
