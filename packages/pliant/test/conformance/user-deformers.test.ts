import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareCertificates } from '../../src/cull/index.ts';
import { FreeDeformer } from '../../src/deform/free.ts';
import { REST_HANDLES } from '../../src/deform/handles.ts';
import type { Deformer } from '../../src/deform/point-source.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findClosePairs,
  findCollisionsAsync,
  findNearest,
  findSelfClosePairs,
  findSelfCollisions,
  findSelfCollisionsAsync,
  findSelfNearest,
  InputError,
  type TriangleMesh,
} from '../../src/index.ts';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';
import { foldedPairs, pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import { closestPair, measureAll } from '../oracles/distances.ts';
import { bodyPlan, createBody, KERNELS } from './scenes.ts';
import { UserDeformer } from './user-deformer.ts';

// Self, pair, first hit, all methods and motions: see the rows `user` and `user-placed` of queries.test.ts.

const userBody = fc.constantFrom('user' as const, 'user-placed' as const).chain((kind) => bodyPlan({ kind }));

describe.each(KERNELS)('%s kernels, a deformer without handles', (kernels) => {
  test('distances, asynchronous queries and folds agree with brute force', async () => {
    const engine = await createEngine({ kernels });
    const scene = fc.tuple(
      userBody,
      bodyPlan({ triangles: 10, side: 3 }),
      fc.double({ min: 0, max: 2, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(scene, async ([first, second, reach]) => {
        const [a, b] = [createBody(engine, first), createBody(engine, second)];
        const within = measureAll(first.mesh, first.local[0], first.mesh, first.local[0]);
        const between = measureAll(first.mesh, first.world[0], second.mesh, second.world[0]);
        expect(found(findSelfNearest(a))).toEqual(closestPair(within) ?? [Infinity]);
        expect(found(findNearest(a, b))).toEqual(closestPair(between) ?? [Infinity]);
        const isNear = ([, , distance]: readonly number[]) => distance <= reach;
        expect(findSelfClosePairs(a, reach).sortedPairs()).toEqual(
          within.filter(isNear).map(([i, j]) => [i, j]),
        );
        expect(findClosePairs(a, b, reach).sortedPairs()).toEqual(
          between.filter(isNear).map(([i, j]) => [i, j]),
        );

        const self = selfPairs(first.mesh, first.local[0]);
        expect((await findSelfCollisionsAsync(a, { slice: 0.01 })).sortedPairs()).toEqual(self);
        expect((await findCollisionsAsync(a, b, { slice: 0.01 })).sortedPairs()).toEqual(
          pairsBetween(first.mesh, first.world[0], second.mesh, second.world[0]),
        );
        const folded = [...self, ...foldedPairs(first.mesh, first.local[0])].sort(
          (p, q) => p[0] - q[0] || p[1] - q[1],
        );
        expect(findSelfCollisions(a, { adjacent: true }).sortedPairs()).toEqual(folded);
        a.dispose();
        b.dispose();
      }),
      { numRuns: process.env.PLIANT_FULL ? 400 : 15 },
    );
    expect(engine.usage.bodies).toBe(0);
    engine.dispose();
  });
});

test('certificates chosen for a deformer without handles are those of free vertices, and change no answer', async () => {
  const { engine, mesh, poseAt, body } = await createKnot(600);
  const { kind, certificates } = prepareCertificates(body, { kind: 'energy' });
  expect(kind).toBe('energy');
  body.setCertificates(certificates);
  for (const time of [0, 0.4, 0.8, 1]) {
    body.setPose(poseAt(time));
    expect(findSelfCollisions(body).sortedPairs()).toEqual(selfPairs(mesh, body.getLocalPositions()));
  }
  for (const kind of ['blend', 'subspace', 'reduced-energy'] as const) {
    expect(() => prepareCertificates(body, { kind })).toThrow(InputError);
  }
  engine.dispose();
});

test('threads find what one thread finds', async () => {
  // Node cannot start a worker from TypeScript, so this looks at the built library.
  const built = (await import(
    new URL('../../dist/index.js', import.meta.url).href
  )) as typeof import('../../src/index.ts');
  const answers: number[][][] = [];
  for (const threads of [1, 3]) {
    const { engine, body, poseAt } = await createKnot(24_000, await built.createEngine({ threads }), built);
    body.setPose(poseAt(0.9));
    answers.push(built.findSelfCollisions(body).sortedPairs());
    body.setMotion(poseAt(0.85), poseAt(0.9));
    answers.push(built.findSelfCollisions(body, { continuous: true }).sortedPairs());
    engine.dispose();
  }
  const { engine, body, poseAt } = await createKnot(24_000);
  body.setPose(poseAt(0.9));
  const expected = findSelfCollisions(body, { method: 'depth-first' }).sortedPairs();
  expect(expected.length).toBeGreaterThan(50);
  expect(answers[0]).toEqual(expected);
  expect(answers[2]).toEqual(expected);
  expect(answers[3]).toEqual(answers[1]);
  engine.dispose();
});

describe("Body's constructor", () => {
  const good = ({ kernels }: Engine, body: Body) => new FreeDeformer(kernels, body.resident);
  const withMember = (name: string, value: unknown) => (engine: Engine, body: Body) =>
    Object.defineProperty(good(engine, body), name, { value, configurable: true }) as Deformer;

  test.each([
    ['null', () => null as never, 'a body needs a deformer, not null'],
    ['an empty object', () => ({}) as never, 'setPose must be a function'],
    ['no setMotion', withMember('setMotion', undefined), 'setMotion must be a function, not undefined'],
    ['no ensurePoint', withMember('ensurePoint', 7), 'ensurePoint must be a function, not the number 7'],
    ['an epoch of 0', withMember('epoch', 0), 'epoch must be a positive integer'],
    ['no hasMotion', withMember('hasMotion', undefined), 'hasMotion must be true or false'],
    [
      'too few points',
      withMember('pointCount', 2),
      'its pointCount is the number 2, and the mesh has 4 points',
    ],
    ['unknown handles', withMember('handles', { ...REST_HANDLES, kind: 'knots' }), 'unknown kind, "knots"'],
    [
      'handles that are null',
      withMember('handles', null),
      'handles must be an object or undefined, not null',
    ],
    ['handles without lists', withMember('handles', { ...REST_HANDLES, kind: 'skin' }), 'kind "skin"'],
  ])('refuses a deformer with %s', async (_, create, message) => {
    const engine = await createEngine();
    const mesh = createTriangleMesh({
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      triangles: [0, 1, 2, 0, 1, 3],
    });
    const body = engine.createRigidBody(mesh);
    const before = engine.usage.bodies;
    const attempt = () => engine.createBody(mesh, {}, () => create(engine, body));
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
    expect(engine.usage.bodies).toBe(before);
    engine.dispose();
  });
});

function found({ triangles, distance }: { triangles?: readonly number[]; distance: number }): number[] {
  return [...(triangles ?? []), distance];
}

interface Library {
  createTriangleMesh: typeof createTriangleMesh;
}

async function createKnot(triangles: number, given?: Engine, library: Library = { createTriangleMesh }) {
  const engine = given ?? (await createEngine());
  const shape = createTorusKnot({ triangles });
  const mesh: TriangleMesh = library.createTriangleMesh(shape.source);
  const body = engine.createBody(mesh, {}, (resident) => new UserDeformer(engine.kernels, resident));
  const poseAt = (time: number) => {
    const pose = new Float64Array(shape.source.positions.length);
    shape.deform(time, pose);
    return pose;
  };
  return { engine, mesh, body, poseAt };
}
