import { cosTurns, sinTurns } from '../../../packages/pliant/src/algebra/trigonometry.ts';
import { type Body, createTriangleMesh, type Engine } from '../../../packages/pliant/src/index.ts';
import { createBumpyBall } from '../../../packages/pliant/src/shapes/bumpy-ball.ts';
import { createRandom } from '../../../packages/pliant/src/shapes/random.ts';
import { type Bench, type BenchOptions, isWanted } from '../bench.ts';
import { type BodyTargets, measureBodies } from '../body-rows.ts';
import type { BodyTrack, Question } from '../moving-bodies.ts';
import type { Row } from '../result.ts';

const FRAMES = 48;
const QUICK_FRAMES = 6;

interface ModalCase {
  readonly name: string;
  readonly triangles: number; // per body
  readonly modes: number;
  readonly question: Question;
  readonly targets: BodyTargets;
}

const CASES: readonly ModalCase[] = [
  { name: 'modes-8-16k', triangles: 16_000, modes: 8, question: 'all', targets: {} },
  { name: 'modes-32-16k', triangles: 16_000, modes: 32, question: 'all', targets: {} },
  { name: 'modes-32-64k', triangles: 64_000, modes: 32, question: 'all', targets: {} },
  { name: 'modes-32-64k-first-hit', triangles: 64_000, modes: 32, question: 'first', targets: {} },
];

/** Bodies deformed by u = Uq, bounded as in a BD-tree: two wobbling balls that brush against each other. */
export const modes: Bench = {
  name: 'modes',
  summary: 'bodies deformed by modes: whole frames against depth-first and batch',
  cases: CASES.map(({ name }) => name),
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const one of CASES) {
      if (!isWanted(one.name, options)) continue;
      const track = createTrack(one, options);
      const outcome = await measureBodies(one.name, track, one.question, one.targets, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes);
    }
    return { rows, notes };
  },
};

function createTrack({ triangles, modes: count }: ModalCase, options: BenchOptions): BodyTrack {
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES } = options;
  const shape = createBumpyBall({ triangles: quick ? triangles / 10 : triangles });
  const mesh = createTriangleMesh(shape.source);
  const data = { count, displacements: createWaves(shape.source.positions, count) };
  const poses = Array.from({ length: frames }, (_, k) => [weightsAt(k, count, 1), weightsAt(k, count, 2)]);
  const places = Array.from({ length: frames }, (_, k) => {
    const x = 2.16 + 0.12 * cosTurns(k / 40);
    return [1, 0, 0, x, 0, 1, 0, 0.3, 0, 0, 1, 0.2];
  });
  return {
    triangleCount: 2 * mesh.triangleCount,
    frames,
    createBodies: (engine: Engine) => [
      engine.createModalBody(mesh, data),
      engine.createModalBody(mesh, data),
    ],
    pose(bodies: readonly Body[], frame: number) {
      bodies[0].setPose(poses[frame][0]);
      bodies[1].setPose(poses[frame][1]);
      bodies[1].setWorldMatrix(places[frame]);
    },
  };
}

/** Smooth displacements: waves in space, shorter and lower from mode to mode. */
function createWaves(rest: ArrayLike<number>, count: number): Float64Array {
  const random = createRandom(7);
  const displacements = new Float64Array(count * rest.length);
  for (let m = 0; m < count; m++) {
    const frequency = 0.15 * (1 + m / 6);
    const [kx, ky, kz, dx, dy, dz] = Array.from({ length: 6 }, () => 2 * random() - 1);
    const phase = random();
    for (let o = 0; o < rest.length; o += 3) {
      const wave =
        sinTurns(frequency * (kx * rest[o] + ky * rest[o + 1] + kz * rest[o + 2]) + phase) / (1 + m / 4);
      displacements[m * rest.length + o] = dx * wave;
      displacements[m * rest.length + o + 1] = dy * wave;
      displacements[m * rest.length + o + 2] = dz * wave;
    }
  }
  return displacements;
}

function weightsAt(frame: number, count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: count }, (_, m) => {
    const speed = 0.5 + random(),
      phase = random();
    return 0.12 * sinTurns((frame / 60) * speed * (1 + m / 8) + phase);
  });
}
