import { prepareSubspaceCertificate } from '../../../../packages/pliant/src/cull/index.ts';
import { createEngine, createTriangleMesh } from '../../../../packages/pliant/src/index.ts';
import { createSpring } from '../../../../packages/pliant/src/shapes/spring.ts';
import {
  computeModes,
  createDropModel,
  reduceSystem,
  scaleByDisplacement,
  scaleByEnergy,
  surfaceModes,
} from '../../../../packages/pliant/src/simulate/index.ts';
import { createLattice } from '../../../../packages/pliant/src/solid/index.ts';
import { isLeaf } from '../../../../packages/pliant/src/tree/tree.ts';
import { type BenchOptions, type BenchOutcome, roundsOf } from '../../bench.ts';
import { AnswerBook, type Contender } from '../../measure.ts';
import { type CaseResult, createRow, createTime, notCompared, type Series } from '../../result.ts';
import { timeOf } from '../../stopwatch.ts';
import { createDropTrack } from '../../subspace-scenes.ts';
import { SubspaceStage } from '../../subspace-tracks.ts';

const EVERY = 3;
const FALL = { bodies: 16, triangles: 15_000, modeCount: 30, seconds: 5, every: EVERY, substeps: 32 };
const QUICK_FALL = {
  bodies: 4,
  triangles: 2500,
  latticeVertices: 800,
  modeCount: 12,
  seconds: 1,
  every: EVERY,
};
const RATE = 60;
/** Of what the traditional way takes. */
const CALM = 0.1;

/** SSCC, figures 1 and 12: rabbits fall on their ears, each frame timed by itself. */
export async function measureOverTime(options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const name = 'rabbits-over-time';
  const engine = await createEngine();
  const { track, certificate } = await createDropTrack(engine, { ...(quick ? QUICK_FALL : FALL), log });
  const stage = new SubspaceStage(engine, track);
  for (const body of stage.bodies) body.setCertificates([certificate.forBody(body)]);
  const plain = { certificates: [] };
  const contenders = {
    certificate: stage.createContender('certificate', 'auto'),
    traditional: stage.createContender('depth-first', 'depth-first', plain),
    fastest: stage.createContender('fastest', 'batch', plain),
  };
  const answers = new AnswerBook();
  const times = timeFrames(Object.values(contenders), track.frames.length, roundsOf(options), answers);
  engine.dispose();
  const [mine, traditional] = times;
  const of: CaseResult = { name, isJudged: !quick, pairs: answers.totalPairs, answersAgree: answers.agree };
  const x = track.frames.map((_, k) => (EVERY * k) / RATE);
  const calm = mine.filter((ms, k) => ms < CALM * traditional[k]).length / mine.length;
  return {
    rows: [
      createTime(of, 'traditional-mean-ms', mean(traditional)),
      createRow(of, {
        metric: 'traditional-spread',
        better: 'lower',
        value: Math.max(...traditional) / Math.min(...traditional),
        unit: 'x',
      }),
      createTime(of, 'certificate-mean-ms', mean(mine)),
      createTime(of, 'certificate-median-ms', median(mine)),
      createTime(of, 'certificate-max-ms', Math.max(...mine)),
      createRow(of, { metric: 'calm-frames', better: 'higher', value: 100 * calm, unit: '%' }),
    ],
    notes: answers.disagreements.map((line) => `${name}: ${line}`),
    series: Object.keys(contenders).map((each, k) => ({
      case: name,
      name: each,
      unit: 'ms',
      x,
      y: times[k],
    })),
  };
}

/** The best of some rounds, frame by frame. They take turns, after a round that warms up. */
function timeFrames(
  contenders: readonly Contender[],
  frames: number,
  rounds: number,
  answers: AnswerBook,
): number[][] {
  const best = contenders.map(() => new Array<number>(frames).fill(Infinity));
  for (let round = 0; round <= rounds; round++) {
    contenders.forEach((contender, k) => {
      for (let frame = 0; frame < frames; frame++) {
        const elapsed = timeOf(() => contender.run(frame));
        if (round > 0) best[k][frame] = Math.min(best[k][frame], elapsed);
        answers.note(contender, frame);
      }
    });
  }
  return best;
}

/** SSCC, figure 7: radii of nodes, level by level, over that of the whole rabbit. */
export async function measureRadii({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const name = 'rabbit-radii';
  const size = quick
    ? { triangles: 2500, latticeVertices: 800, modeCount: 12 }
    : { triangles: 15_000, modeCount: 30 };
  const { model, energy } = await createDropModel(size);
  const engine = await createEngine();
  const body = engine.createModalBody(model.surface, model.surfaceModes);
  log(`${name}: preparing`);
  const { lower, limit } = prepareSubspaceCertificate(body, { metric: energy.matrix, effort: quick ? 8 : 24 })
    .balls[0];
  const { tree } = body;
  const whole = lower[0];
  const shares = { least: 0, tenth: 0.1, median: 0.5 };
  const levels: Record<string, number>[] = [];
  for (let level = 0; level + 1 < tree.levelStart.length; level++) {
    const radii: number[] = [];
    for (let node = tree.levelStart[level]; node < tree.levelStart[level + 1]; node++) {
      if (!isLeaf(tree, node)) radii.push(Math.min(lower[node], limit) / whole);
    }
    if (radii.length === 0) break;
    levels.push(
      Object.fromEntries(Object.entries(shares).map(([key, share]) => [key, quantile(radii, share)])),
    );
  }
  engine.dispose();
  const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: notCompared(whole > 0) };
  const x = levels.map((_, level) => level);
  const series = (which: string, y: number[]): Series => ({ case: name, name: which, unit: 'x', x, y });
  const reach = limit / whole;
  return {
    rows: levels.flatMap((values, level) =>
      Object.entries(values).map(([key, value]) =>
        createRow(of, { metric: `${key}-level-${level}`, better: 'higher', value, unit: 'x' }),
      ),
    ),
    notes: [`${name}: nothing is looked for beyond ${reach.toPrecision(3)} times the radius of the whole`],
    series: [
      ...Object.keys(shares).map((key) =>
        series(
          key,
          levels.map((values) => values[key]),
        ),
      ),
      series(
        'reach',
        x.map(() => reach),
      ),
    ],
  };
}

const RANKS = [5, 10, 20, 30, 40];
const QUICK_RANKS = [5, 10, 20];
const SPRING = { triangles: 4000, turns: 6, latticeVertices: 4000 };
const QUICK_SPRING = { triangles: 1600, turns: 4, latticeVertices: 1000 };
const MATERIAL = { young: 2e10, poisson: 0.3, density: 7800 };
const LEAST_FILL = 1e-3;

/** SSCC, figure 9: how far the first mode alone may go, by the number of modes and by what poses are measured with. */
export async function measureRanks({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const name = 'spring-ranks';
  const { triangles, turns, latticeVertices } = quick ? QUICK_SPRING : SPRING;
  const ranks = quick ? QUICK_RANKS : RANKS;
  const surface = createTriangleMesh(createSpring({ triangles, turns }).source);
  const lattice = createLattice(surface, { vertices: latticeVertices });
  const weights = lattice.fill.map((share) => Math.max(share, LEAST_FILL));
  const modes = await computeModes(lattice.tetrahedra, {
    material: MATERIAL,
    weights,
    count: Math.max(...ranks),
  });
  const scalings = { energy: [] as number[], displacement: [] as number[] };
  for (const rank of ranks) {
    log(`${name}: ${rank} modes`);
    const vectors = modes.vectors.subarray(0, 3 * lattice.tetrahedra.vertexCount * rank);
    const onSurface = surfaceModes(vectors, lattice.embedding);
    const { stiffness } = reduceSystem(modes.system, vectors, rank);
    const metrics = {
      energy: scaleByEnergy(stiffness, rank),
      displacement: scaleByDisplacement(vectors, rank),
    };
    for (const key of ['energy', 'displacement'] as const) {
      const engine = await createEngine();
      const body = engine.createModalBody(surface, onSurface);
      const { matrix } = metrics[key];
      const metric = matrix.map((value) => value / matrix[0]); // then a radius is a weight of the first mode
      scalings[key].push(prepareSubspaceCertificate(body, { metric, effort: 1 }).balls[0].lower[0]);
      engine.dispose();
    }
  }
  const of: CaseResult = {
    name,
    isJudged: !quick,
    pairs: null,
    answersAgree: notCompared(scalings.energy.every((r) => r > 0)),
  };
  const entries = Object.entries(scalings).map(([key, radii]) => ({
    key,
    y: radii.map((r) => r / radii[0]),
  }));
  return {
    rows: entries.flatMap(({ key, y }) =>
      ranks.map((rank, k) =>
        createRow(of, { metric: `${key}-${rank}`, better: 'higher', value: y[k], unit: 'x' }),
      ),
    ),
    notes: [],
    series: entries.map(({ key, y }) => ({ case: name, name: key, unit: 'x', x: [...ranks], y })),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Of an even number of values the lower one of the two in the middle. */
function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}
