import { beforeEach, describe, expect, test } from 'vitest';
import {
  createEngine,
  createTriangleMesh,
  findCollisions,
  findSelfCollisions,
  InputError,
} from '../../src/index.ts';
import { BODIES, POSES } from './bad-input-rows.ts';
import { type Any, createWorld, IDENTITY, POSE, silent, type World, withAt } from './bad-input-world.ts';
import { ENGINES, OPTIONS } from './bad-option-rows.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('each kind of bad input is an InputError with a code and an address, and changes nothing', () => {
  describe.each([
    ['poses', POSES],
    ['bodies', BODIES],
    ['options', OPTIONS],
    ['engines', ENGINES],
  ])('%s', (_, rows) => {
    test.each(rows)('%s', (_name, action, code, message) => {
      const { engine, free, rigid } = world;
      const before = { bodies: engine.usage.bodies, free: free.getPositions(), rigid: rigid.getPositions() };
      const error = thrownBy(() => action(world));
      expect(error).toBeInstanceOf(InputError);
      expect({ code: (error as InputError).code, message: (error as InputError).message }).toEqual({
        code,
        message: expect.stringMatching(message),
      });
      if (engine.isDisposed) return;
      expect(engine.usage.bodies).toBe(before.bodies);
      expect(free.getPositions()).toEqual(before.free);
      expect(rigid.getPositions()).toEqual(before.rigid);
      // Still usable: nobody is left waiting.
      free.setPose(POSE);
      rigid.setPose(IDENTITY);
      expect(findCollisions(free, rigid).pairCount).toBeGreaterThan(0);
    });
  });

  test.each([
    [null, 'wrong-type', /options/],
    [{ kernels: 'gpu' }, 'bad-option', /kernels.*gpu/],
    [{ kernels: null }, 'bad-option', /kernels/],
    [{ kernels: Object.create(null) }, 'bad-option', /kernels/],
    [{ threads: 0 }, 'bad-option', /threads.*0/],
    [{ threads: 1.5 }, 'bad-option', /threads/],
    [{ threads: '2' }, 'bad-option', /threads/],
  ])('createEngine(%o)', async (options, code, message) => {
    const error = await createEngine(options as Any).catch((e) => e);
    expect(error).toBeInstanceOf(InputError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});

describe('a pose that is refused leaves the body as it was', () => {
  test('a matrix with a number that is too large, after good ones', () => {
    const { rigid } = world;
    rigid.setPose([2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1]);
    expect(() => rigid.setPose(withAt([3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0], 11, 1e100))).toThrow(InputError);
    expect(rigid.getPositions().slice(0, 6)).toEqual(Float64Array.of(1, 1, 1, 3, 1, 1));
  });

  test('a motion whose start is refused', () => {
    const { rigid } = world;
    rigid.setMotion(IDENTITY, [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(() => rigid.setMotion(withAt([9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0], 11, 1e100), IDENTITY)).toThrow(
      InputError,
    );
    expect(rigid.getPositions()).toEqual(POSE);
  });

  test('a world matrix that is refused', () => {
    const { free } = world;
    free.setWorldMatrix([1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(() => free.setWorldMatrix(withAt([7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 11, 1e100))).toThrow(
      InputError,
    );
    expect(free.getPositions()[0]).toBe(5);
  });

  test('the caller may change or reuse its array', () => {
    const { free } = world;
    const pose = POSE.slice();
    free.setPose(pose);
    pose.fill(9);
    expect(free.getPositions()).toEqual(POSE);
  });
});

describe('a certificate that throws', () => {
  test.each(['begin', 'clears', 'exceptions'] as const)(
    'in %s: the error comes through, and the body is free again',
    (where) => {
      const { rigid } = world;
      const bang = () => {
        throw new Error('bang');
      };
      const certificate = { ...silent(rigid), clears: () => true, [where]: bang };
      for (const method of ['batch', 'on-demand'] as const) {
        expect(() => findSelfCollisions(rigid, { method, certificates: [certificate] })).toThrow('bang');
        rigid.setPose(IDENTITY);
        expect(findSelfCollisions(rigid, { method }).state).toBe('complete');
      }
    },
  );
});

test('matrices and coordinates that are legal apart are not too large together', () => {
  const { engine } = world;
  // 2^290 · 2^290 = 2^580: products of three such differences overflow, so the exact answer must not use them.
  const s = 2 ** 290;
  const a = createTriangleMesh({ positions: [0, 0, 0, s, 0, 0, 0, s, 0], triangles: [0, 1, 2] });
  const b = createTriangleMesh({
    positions: [s / 4, s / 4, -s, s / 4, s / 4, s, s, s, s],
    triangles: [0, 1, 2],
  });
  const [p, q] = [engine.createRigidBody(a), engine.createRigidBody(b)];
  const scaled = IDENTITY.map((x) => x * s);
  let answer: number | string;
  try {
    p.setPose(scaled);
    q.setPose(scaled);
    answer = findCollisions(p, q).pairCount;
  } catch (error) {
    answer = (error as InputError).code;
  }
  expect([1, 'out-of-range']).toContain(answer); // they touch, or it is refused; not: they are apart
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
