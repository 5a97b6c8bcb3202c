import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitRigidMotion } from '../../../src/edit/reduced/rigid-fit.ts';
import { generator } from './random-system.ts';

const number = fc.double({ min: -3, max: 3, noNaN: true });

function rotationAbout(axis: number[], angle: number): number[] {
  const length = Math.hypot(...axis) || 1;
  const [x, y, z] = axis.map((a) => a / length);
  const c = Math.cos(angle),
    s = Math.sin(angle),
    t = 1 - c;
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
  ];
}

test('a rigid motion is found again from what it did to points', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.tuple(number, number, number),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (seed, shift, angle) => {
        const random = generator(seed);
        const R = rotationAbout([random(), random(), 0.1 + random() ** 2], angle);
        const points = Float64Array.from({ length: 15 }, random);
        const targets = points.map((_, i) => {
          const o = i - (i % 3),
            a = i % 3;
          return (
            R[3 * a] * points[o] + R[3 * a + 1] * points[o + 1] + R[3 * a + 2] * points[o + 2] + shift[a]
          );
        });
        const { rotation, translation } = fitRigidMotion(points, targets, 5);
        rotation.forEach((x, k) => {
          expect(x).toBeCloseTo(R[k], 3);
        });
        translation.forEach((x, k) => {
          expect(x).toBeCloseTo(shift[k], 3);
        });
      },
    ),
  );
});

test('what points leave open is not turned', () => {
  const one = fitRigidMotion(Float64Array.of(1, 2, 3), Float64Array.of(4, 4, 4), 1);
  expect([...one.rotation]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect([...one.translation]).toEqual([3, 2, 1]);
  // A quarter turn of a line about z, which could have spun about itself.
  const { rotation } = fitRigidMotion(
    Float64Array.of(-1, 0, 0, 1, 0, 0),
    Float64Array.of(0, -1, 0, 0, 1, 0),
    2,
  );
  [0, -1, 0, 1, 0, 0, 0, 0, 1].forEach((x, k) => {
    expect(rotation[k]).toBeCloseTo(x, 4);
  });
});
