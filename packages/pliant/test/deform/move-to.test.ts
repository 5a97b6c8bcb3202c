import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Body, createEngine, createTriangleMesh, type Engine, type Pose } from '../../src/index.ts';
import { createRandom } from '../../src/shapes/random.ts';
import { grid } from '../arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 40;
const source = grid(3, 3);
const mesh = createTriangleMesh(source);
const count = mesh.vertexCount;
const some = (seed: number, length: number) => {
  const random = createRandom(seed);
  return Array.from({ length }, () => 4 * random() - 2);
};
const ends = Array.from({ length: count }, (_, v) => [v % 3, (v + 1) % 3]).flat();
const halves = new Array(2 * count).fill(0.5);
const modes = { count: 2, displacements: some(1, 6 * count) };
const skin = { jointCount: 3, influences: 2, joints: ends, weights: halves };

interface Kind {
  readonly name: string;
  readonly create: (engine: Engine) => Body;
  readonly pose: (seed: number) => Pose;
}

const KINDS: Kind[] = [
  { name: 'free', create: (engine) => engine.createFreeBody(mesh), pose: (seed) => some(seed, 3 * count) },
  { name: 'rigid', create: (engine) => engine.createRigidBody(mesh), pose: (seed) => some(seed, 12) },
  {
    name: 'skinned',
    create: (engine) => engine.createSkinnedBody(mesh, skin, { modes }),
    pose: (seed) => ({ joints: some(seed, 36), modes: some(seed + 1, 2) }),
  },
  {
    name: 'modal',
    create: (engine) => engine.createModalBody(mesh, modes),
    pose: (seed) => some(seed, 2),
  },
  {
    name: 'meshless',
    create: (engine) =>
      engine.createMeshlessBody(mesh, {
        nodePositions: some(2, 9),
        influences: 2,
        nodes: ends,
        weights: halves,
      }),
    pose: (seed) => ({ displacements: some(seed, 9), gradients: some(seed + 1, 27) }),
  },
  {
    name: 'embedded',
    create: (engine) =>
      engine.createEmbeddedBody(mesh, {
        controlPositions: some(2, 9),
        influences: 2,
        controls: ends,
        weights: halves,
      }),
    pose: (seed) => some(seed, 9),
  },
];

/** Where points are at the start and at the end. */
function bothEnds({ world, engine, resident }: Body): number[][] {
  return ([0, 1] as const).map((end) => {
    world.ensureAll(end);
    const o = world.address(end) >>> 3; // may allocate, so before the view is read
    return [...engine.kernels.memory.f64.subarray(o, o + 3 * resident.pointCount)];
  });
}

const step = fc.record({ how: fc.constantFrom('moveTo', 'moveTo', 'setPose', 'setMotion'), seed: fc.nat() });

describe.each(KINDS)('moveTo of a $name body', ({ create, pose }) => {
  test('goes on from where it is, whatever came before', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(fc.nat(), fc.array(step, { minLength: 1, maxLength: 6 }), (first, steps) => {
        const body = create(engine),
          other = create(engine);
        body.setPose(pose(first));
        let last = pose(first);
        for (const { how, seed } of steps) {
          const next = pose(seed);
          if (how === 'setPose') {
            body.setPose(next);
            other.setPose(next);
          } else if (how === 'setMotion') {
            body.setMotion(pose(seed + 7), next);
            other.setMotion(pose(seed + 7), next);
          } else {
            body.moveTo(next);
            other.setMotion(last, next);
          }
          last = next;
          expect(bothEnds(body)).toEqual(bothEnds(other));
        }
        body.dispose();
        other.dispose();
      }),
      { numRuns: RUNS },
    );
  });

  test('starts at rest when it has had no pose', async () => {
    const engine = await createEngine();
    const body = create(engine);
    const [rest] = bothEnds(body);
    body.moveTo(pose(3));
    const [start, end] = bothEnds(body);
    expect(start).toEqual(rest);
    body.setPose(pose(3));
    expect(end).toEqual(bothEnds(body)[0]);
  });
});
