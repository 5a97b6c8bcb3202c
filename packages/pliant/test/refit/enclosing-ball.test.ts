import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BallFinder } from '../../src/refit/enclosing-ball.ts';

const coordinate = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(1e-9, -1e3),
);
const pointList = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 12 });

function find(points: readonly (readonly number[])[]): Float64Array {
  const finder = new BallFinder();
  finder.find(
    Float64Array.from(points.flat()),
    0,
    points.map((_, k) => k),
    points.length,
  );
  return finder.ball;
}

function radiusAbout(points: readonly (readonly number[])[], centre: ArrayLike<number>): number {
  return Math.max(...points.map((p) => Math.hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2])));
}

test('the ball holds every point, and no other centre does better', () => {
  fc.assert(
    fc.property(pointList, fc.array(coordinate, { minLength: 3, maxLength: 3 }), (points, other) => {
      const ball = find(points);
      const scale = 1 + Math.max(...points.flat().map(Math.abs));
      expect(radiusAbout(points, ball)).toBeLessThanOrEqual(ball[3]);
      // Downhill from anywhere: steps towards the farthest point, shorter each time.
      let centre = [...other];
      for (let k = 1; k < 300; k++) {
        const far = points.reduce((best, p) =>
          radiusAbout([p], centre) > radiusAbout([best], centre) ? p : best,
        );
        centre = centre.map((x, i) => x + (far[i] - x) / (k + 1));
      }
      expect(ball[3]).toBeLessThanOrEqual(radiusAbout(points, centre) + 1e-6 * scale);
    }),
    { numRuns: process.env.PLIANT_FULL ? 20_000 : 500 },
  );
});

test('two, three and four points on the boundary', () => {
  expect(
    [
      ...find([
        [0, 0, 0],
        [2, 0, 0],
        [1, 0.5, 0],
      ]),
    ].map(round),
  ).toEqual([1, 0, 0, 1]);
  const triangle = find([
    [1, 0, 0],
    [-0.5, Math.sqrt(0.75), 0],
    [-0.5, -Math.sqrt(0.75), 0],
    [0, 0, 0.1],
  ]);
  expect([...triangle].map(round)).toEqual([0, 0, 0, 1]);
  const corners = [
    [1, 1, 1],
    [1, -1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
    [0, 0, 0.9],
  ];
  expect([...find(corners)].map(round)).toEqual([0, 0, 0, round(Math.sqrt(3))]);
});

function round(x: number): number {
  return Math.round(x * 1e9) / 1e9 + 0;
}
