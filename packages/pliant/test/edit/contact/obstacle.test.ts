import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/body/engine.ts';
import { ContactFinder } from '../../../src/edit/contact/contact-finder.ts';
import { checkObstacle, placeObstacle, type ShapeObstacle } from '../../../src/edit/contact/obstacle.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createDistanceField, SignedDistances } from '../../../src/solid/distance-field.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { ball, box, meshOf } from '../../solid/meshes.ts';
import { poseCage, twoBalls } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;
/** A turn about z by the angle of 3-4-5, and a shift. */
const MATRIX = [0.6, -0.8, 0, 1, 0.8, 0.6, 0, 2, 0, 0, 1, 3];
const number = fc.double({ min: -4, max: 4, noNaN: true });
const point = fc.tuple(number, number, number);
const boxMesh = meshOf(box([-0.5, -1, -1.5], [0.5, 1, 1.5]));

const OBSTACLES: [string, ShapeObstacle, (x: readonly number[]) => number][] = [
  ['plane', { kind: 'plane', normal: [0, 3, 4], offset: 0.5 }, ([, y, z]) => 0.6 * y + 0.8 * z - 0.5],
  [
    'sphere',
    { kind: 'sphere', centre: [1, 2, 3], radius: 2 },
    ([x, y, z]) => Math.hypot(x - 1, y - 2, z - 3) - 2,
  ],
  [
    'capsule',
    { kind: 'capsule', a: [0, 0, -1], b: [0, 0, 2], radius: 0.5 },
    ([x, y, z]) => Math.hypot(x, y, z - Math.min(2, Math.max(-1, z))) - 0.5,
  ],
  [
    'box',
    { kind: 'box', halfSize: [0.5, 1, 1.5], matrix: MATRIX },
    (() => {
      const exact = new SignedDistances(boxMesh);
      return ([x, y, z]: readonly number[]) => {
        const u = x - 1,
          v = y - 2;
        return exact.at(0.6 * u + 0.8 * v, -0.8 * u + 0.6 * v, z - 3);
      };
    })(),
  ],
];

describe.each(OBSTACLES)('%s', (_, obstacle, exact) => {
  test('distance and the way out, in the coordinates of a cage', () => {
    const centre = [1, -2, 0.5],
      scale = 3;
    const placed = placeObstacle(obstacle, centre, scale);
    const n = new Float64Array(3),
      bounds = new Float64Array(6);
    placed.box(0.1, bounds);
    fc.assert(
      fc.property(point, (world) => {
        const x = world.map((w, k) => (w - centre[k]) / scale);
        const distance = placed.distance(x[0], x[1], x[2], n);
        expect(distance).toBeCloseTo(exact(world) / scale, 9);
        expect(Math.hypot(...n)).toBeCloseTo(1, 9);
        const step = 1e-4; // one step out is that much further out, but at ridges inside
        const out = placed.distance(
          ...(x.map((v, k) => v + step * n[k]) as [number, number, number]),
          n.slice(),
        );
        expect(out - distance).toBeLessThanOrEqual(step * (1 + 1e-6));
        if (distance > 0) expect(out - distance).toBeCloseTo(step, 7);
        if (distance < 0.1)
          for (let k = 0; k < 3; k++) {
            expect(x[k]).toBeGreaterThanOrEqual(bounds[k] - 1e-12);
            expect(x[k]).toBeLessThanOrEqual(bounds[3 + k] + 1e-12);
          }
      }),
      { numRuns: RUNS },
    );
  });
});

test('mesh: as near as its field is', () => {
  const mesh = meshOf(ball(8, 1));
  const exact = new SignedDistances(mesh);
  const placed = placeObstacle(
    { kind: 'mesh', field: createDistanceField(mesh, { resolution: 24 }) },
    [0, 0, 0],
    2,
  );
  const n = new Float64Array(3);
  fc.assert(
    fc.property(fc.tuple(number, number, number), ([x, y, z]) => {
      const [u, v, w] = [x, y, z].map((c) => Math.round(c * 2 ** 20) / 2 ** 22);
      const distance = placed.distance(u / 2, v / 2, w / 2, n);
      expect(Math.abs(2 * distance - exact.at(u, v, w))).toBeLessThan(0.05);
      const length = Math.hypot(u, v, w);
      if (length > 0.3) expect((n[0] * u + n[1] * v + n[2] * w) / length).toBeGreaterThan(0.9);
    }),
    { numRuns: RUNS },
  );
});

describe('rows against obstacles', () => {
  let engine: Engine, cage: Cage;
  beforeAll(async () => {
    engine = await createEngine();
    cage = twoBalls();
  });

  const shifted = (dz: number) => poseCage(cage, (x, y, z) => [x, y, z + dz]);
  /** In the coordinates of the cage the floor is at −0.25. */
  const floor = (): ShapeObstacle => ({
    kind: 'plane',
    normal: [0, 0, 1],
    offset: cage.centre[2] - 0.25 * cage.scale,
  });

  test('hold every vertex that is inside, as the plane of the nearest point', () => {
    const finder = new ContactFinder(engine, cage, { obstacles: [floor()], margin: 0.01 });
    const pose = shifted(-0.1);
    const rows = finder.find(pose.positions, pose.controls);
    const inside = Array.from({ length: cage.surface.vertexCount }, (_, v) => v).filter(
      (v) => pose.positions[3 * v + 2] < -0.25,
    );
    expect(inside.length).toBeGreaterThan(3);
    expect(rows.toArray().map(({ point: { vertices } }) => vertices[0])).toEqual(inside);
    for (const [k, { depth, offset, normal, other }] of rows.toArray().entries()) {
      expect(normal).toEqual([0, 0, 1]);
      expect(other).toBe(0);
      expect(offset).toBeCloseTo(-0.24, 12);
      expect(rows.slack(k, pose.positions)).toBeCloseTo(-depth - 0.01, 12);
    }
    expect(finder.maxDepth).toBeCloseTo(0.1 + 0.25 * (1 / 1.1) - 0.25, 2);
  });

  test('last while they press, and follow an obstacle that moves', () => {
    const finder = new ContactFinder(engine, cage, { obstacles: [floor()], margin: 0.01 });
    const pose = shifted(-0.1);
    const first = finder.find(pose.positions, pose.controls);
    const keys = first.toArray().map(({ key }) => key);
    finder.noteMultipliers(new Float64Array(first.count).fill(-1));
    finder.setObstacles([{ ...floor(), offset: cage.centre[2] - 0.33 * cage.scale } as ShapeObstacle]);
    const again = finder.find(pose.positions, pose.controls).toArray();
    expect(again.map(({ key }) => key)).toEqual(keys.filter((key) => again.some((row) => row.key === key)));
    expect(again.length).toBeGreaterThan(0);
    for (const { offset } of again) expect(offset).toBeCloseTo(-0.32, 12);
    finder.setObstacles([]);
    expect(finder.find(pose.positions, pose.controls).count).toBe(0);
  });

  test('by band: candidates are there before they touch', () => {
    const finder = new ContactFinder(engine, cage, { obstacles: [floor()], margin: 0.01, rule: 'band' });
    const pose = shifted(-0.01);
    const rows = finder.find(pose.positions, pose.controls);
    expect(finder.maxDepth).toBe(0);
    expect(rows.count).toBeGreaterThan(0);
    for (const { depth } of rows.toArray()) expect(depth).toBeGreaterThan(-0.03);
  });
});

describe('obstacles that cannot be', () => {
  const bad: [string, unknown, string][] = [
    ['no kind', {}, 'obstacles[1].kind'],
    ['a normal of 0', { kind: 'plane', normal: [0, 0, 0], offset: 0 }, 'normal is 0'],
    ['a radius below 0', { kind: 'sphere', centre: [0, 0, 0], radius: -1 }, 'radius'],
    ['a centre of NaN', { kind: 'sphere', centre: [0, Number.NaN, 0], radius: 1 }, 'centre[1] is NaN'],
    ['no end', { kind: 'capsule', a: [0, 0, 0], radius: 1 }, '.b must be'],
    [
      'a matrix that scales',
      { kind: 'box', halfSize: [1, 1, 1], matrix: [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] },
      'matrix',
    ],
    ['no field', { kind: 'mesh', field: {} }, 'createDistanceField'],
  ];
  test.each(bad)('%s', (_, obstacle, message) => {
    expect(() => checkObstacle('obstacles[1]', obstacle as ShapeObstacle)).toThrow(message);
  });
});
