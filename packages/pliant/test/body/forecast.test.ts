import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Forecast } from '../../src/body/forecast.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findAnyCollision,
  findCollisions,
} from '../../src/index.ts';
import { createBumpyBall } from '../../src/shapes/index.ts';

let round = 1;

/** How many rounds pass without a try. */
function countSkips(forecast: Forecast): number {
  let skips = 0;
  for (; forecast.expectsMuch && skips < 1000; skips++) forecast.skip(++round);
  return skips;
}

describe('a forecast', () => {
  test('expects little at first, and has all patience', () => {
    const forecast = new Forecast();
    expect([forecast.expectsMuch, forecast.patience]).toEqual([false, 1]);
    forecast.skip(++round);
    expect([forecast.expectsMuch, forecast.patience]).toEqual([false, 1]);
  });

  test('waits for 2 rounds after a wrong choice, then for twice as many each time, and for 256 at most', () => {
    const forecast = new Forecast();
    const waits = Array.from({ length: 10 }, () => {
      forecast.noteMuch(++round);
      expect([forecast.expectsMuch, forecast.patience]).toEqual([true, 0.5]);
      return countSkips(forecast);
    });
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
  });

  test('one good try, and all is forgiven', () => {
    const forecast = new Forecast();
    for (let k = 0; k < 5; k++) forecast.noteMuch(++round);
    countSkips(forecast);
    forecast.noteLittle(++round);
    expect([forecast.expectsMuch, forecast.patience]).toEqual([false, 1]);
    forecast.noteMuch(++round);
    expect(countSkips(forecast)).toBe(2);
  });

  test('tries at least once in 257 rounds, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (tries) => {
        const forecast = new Forecast();
        for (const isCalm of tries) {
          expect(countSkips(forecast)).toBeLessThanOrEqual(256);
          if (isCalm) forecast.noteLittle(++round);
          else forecast.noteMuch(++round);
        }
      }),
    );
  });
});

test('a round counts once, and its failure is not forgiven by a partner who needed little', () => {
  const forecast = new Forecast();
  forecast.noteMuch(++round);
  forecast.noteMuch(round);
  forecast.noteLittle(round);
  expect(forecast.patience).toBe(0.5);
  forecast.skip(++round);
  forecast.skip(round);
  expect(forecast.expectsMuch).toBe(true);
  forecast.skip(++round);
  expect(forecast.expectsMuch).toBe(false);
});

const FEW = 'few nodes expected',
  TOO_MANY = 'this query looked at many nodes',
  LAST = 'the last query looked at many nodes';

/** Two balls, one inside the other so that they cross everywhere, or far apart. */
async function createBalls() {
  const engine = await createEngine();
  const mesh = createTriangleMesh(createBumpyBall({ triangles: 4000 }).source);
  const [a, b] = [engine.createRigidBody(mesh), engine.createRigidBody(mesh)];
  const put = (x: number) => b.setPose([0, -1, 0, x, 1, 0, 0, 0.01, 0, 0, 1, 0.02]);
  return { a, b, put };
}

const reasonOf = (a: Body, b: Body) => findCollisions(a, b).reason;

describe('what queries make of it', () => {
  test('bodies that touch all over: tries become rare', async () => {
    const { a, b, put } = await createBalls();
    put(0);
    const reasons = Array.from({ length: 17 }, () => reasonOf(a, b));
    const wait = (count: number) => Array.from({ length: count }, () => LAST);
    expect(reasons).toEqual([TOO_MANY, ...wait(2), TOO_MANY, ...wait(4), TOO_MANY, ...wait(8)]);
  });

  test('… and when they come apart, the next try notices', async () => {
    const { a, b, put } = await createBalls();
    put(0);
    expect(reasonOf(a, b)).toBe(TOO_MANY);
    put(9);
    expect(Array.from({ length: 5 }, () => reasonOf(a, b))).toEqual([LAST, LAST, FEW, FEW, FEW]);
    put(0);
    expect(Array.from({ length: 4 }, () => reasonOf(a, b))).toEqual([TOO_MANY, LAST, LAST, TOO_MANY]);
  });

  test('all pairs and the first hit have forecasts of their own', async () => {
    const { a, b, put } = await createBalls();
    const report = new CollisionReport();
    put(0);
    expect(reasonOf(a, b)).toBe(TOO_MANY);
    expect(findAnyCollision(a, b, { report })).toBeDefined();
    expect(report.reason).toBe(FEW);
    expect(reasonOf(a, b)).toBe(LAST);
  });

  test('a method that is asked for teaches nothing', async () => {
    const { a, b, put } = await createBalls();
    put(0);
    for (let k = 0; k < 3; k++)
      expect(findCollisions(a, b, { method: 'on-demand' }).reason).toBe('asked for');
    expect(a.forecasts[0].expectsMuch).toBe(false);
    expect(reasonOf(a, b)).toBe(TOO_MANY);
  });
});
