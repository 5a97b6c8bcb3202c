import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnergyCertificate, prepareEnergyCertificate } from '../../../src/cull/index.ts';
import { createEngine, type Engine, type TriangleMesh } from '../../../src/index.ts';
import { writeNormal } from '../../../src/mesh/triangle-normal.ts';
import { amount, deform, randomNumbers, resized, roughSheet, smallMesh } from './energy-cases.ts';
import { type Posed, posed, withBody } from './outline-cases.ts';
import { ProgramView } from './program-view.ts';

// Boxes and cones of small patches are made in float32. Nothing is left over for that here: they hold what they should in
// float64, where float32 alone would not do.
const RUNS = process.env.PLIANT_FULL ? 500 : 30;
const SIZES = { maxTriangles: 30, minTriangles: 8 };

/** Turned somehow, and elsewhere: so that every coordinate is rounded. */
function moved(pose: Float64Array, seed: number, distance: number): Float64Array {
  const next = randomNumbers(seed);
  const q = [next(), next(), next(), next() + 1.5];
  const [x, y, z, w] = q.map((value) => value / Math.hypot(...q));
  const place = [distance * next(), distance * next(), distance * next()];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return pose.map((_, k) => {
    const p = pose.subarray(k - (k % 3), k - (k % 3) + 3);
    return rows[k % 3].reduce((sum, value, i) => sum + value * p[i], place[k % 3]);
  });
}

/** Every second row of a sheet is pushed against the one before, to a distance of `width`: slivers, some of them steep. */
function squeezed({ positions }: TriangleMesh, width: number, seed: number): Float64Array {
  const next = randomNumbers(seed);
  const pose = positions.slice();
  for (let o = 0; o < pose.length; o += 3) {
    const row = Math.round(positions[o + 1]);
    pose[o + 1] = row % 2 === 0 ? row : row - 1 + width;
    pose[o + 2] = 0.2 * width * next();
  }
  return pose;
}

/** The sine of the angle between two directions; Infinity when it is not acute. */
function sineBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const size = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2]);
  if (!(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0)) return Infinity;
  return Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]) / size;
}

describe.each(['wasm', 'ts'] as const)('%s kernels', (kernels) => {
  test('boxes of patches have all their points in them, to the last bit', async () => {
    const engine = await createEngine({ kernels });
    const far = fc.constantFrom(0, 1, 1e3, 1e7, 1e12);
    const pose = fc.record({ seed: fc.nat(), size: amount, distance: far });
    fc.assert(
      fc.property(
        smallMesh,
        pose,
        pose,
        fc.boolean(),
        fc.boolean(),
        (mesh, first, last, continuous, cones) => {
          const body = engine.createFreeBody(mesh, { split: 'connected' });
          const certificate = prepareEnergyCertificate(body, SIZES);
          const view = new ProgramView(certificate);
          if (cones) view.preferOutlines();
          const poses = [first, last].map(({ seed, size, distance }) =>
            moved(deform(mesh, seed, size), seed, distance),
          );
          if (continuous) body.setMotion(poses[0], poses[1]);
          else body.setPose(poses[0]);
          certificate.begin(continuous);
          certificate.survey();
          const { firstSlot, slotCount, order } = body.tree;
          certificate.program.smallNodes.forEach((node, patch) => {
            for (const end of continuous ? ([0, 1] as const) : ([0] as const)) {
              const box = view.boxOf(patch, end);
              for (const t of order.subarray(firstSlot[node], firstSlot[node] + slotCount[node])) {
                for (const v of mesh.triangles.subarray(3 * t, 3 * t + 3)) {
                  for (let k = 0; k < 3; k++) {
                    const x = poses[end][3 * v + k];
                    if (!(box[k] <= x && x <= box[3 + k])) expect([box[k], x, box[3 + k]]).toBe('in order');
                  }
                }
              }
            }
          });
          body.dispose();
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('cones have all normals in them, also those of slivers', async () => {
    const engine = await createEngine({ kernels });
    const mesh = roughSheet(6, 6, 0, 1);
    const width = fc.double({ min: -16, max: -3, noNaN: true }).map((power) => 2 ** power);
    let held = 0;
    withBody(engine, mesh, (body) => {
      const certificate = prepareEnergyCertificate(body, SIZES);
      fc.assert(
        fc.property(width, fc.nat(), fc.nat(), fc.boolean(), (size, seed, turn, continuous) => {
          const poses = [0, 1].map((k) => moved(squeezed(mesh, size, seed + k), turn, 1));
          held += countCones(certificate, poses, continuous);
        }),
        { numRuns: 4 * RUNS },
      );
    });
    expect(held).toBeGreaterThan(10 * RUNS);
  });
});

// Squares of normals are out of the range of float32 where meshes are very small, or very large.
test.each([1e-12, 1e-9, 3e-8, 1e-4, 1, 1e5, 1e9, 1e13])('… at size %s', async (size) => {
  const engines = [await createEngine({ kernels: 'wasm' }), await createEngine({ kernels: 'ts' })];
  let held = 0;
  const check = ({ mesh, poses }: Posed, continuous: boolean, engine: Engine) =>
    withBody(engine, resized(mesh, size), (body) => {
      const certificate = prepareEnergyCertificate(body, SIZES);
      const scaled = poses.map((pose) => pose.map((x) => size * x));
      held += countCones(certificate, scaled, continuous);
    });
  fc.assert(fc.property(posed, fc.boolean(), fc.constantFrom(...engines), check), { numRuns: RUNS });
  expect(held).toBeGreaterThan(size < 1e-9 ? -1 : RUNS);
});

/** Cones of a pose, or of the motion between two: each has all normals of its patch in it, on the way as well. */
function countCones(
  certificate: EnergyCertificate,
  [start, end]: readonly Float64Array[],
  continuous: boolean,
): number {
  const { body } = certificate;
  const view = new ProgramView(certificate);
  if (continuous) body.setMotion(start, end);
  else body.setPose(start);
  certificate.begin(continuous);
  view.preferOutlines();
  certificate.survey();
  const { triangles } = body.mesh;
  const { firstSlot, slotCount, order } = body.tree;
  const normal = new Float64Array(3);
  let held = 0;
  view.listCones().forEach((cone, patch) => {
    if (cone === undefined) return;
    held++;
    const node = certificate.program.smallNodes[patch];
    for (let time = 0; time <= 1; time += continuous ? 0.125 : 2) {
      const pose = start.map((x, k) => x + time * (end[k] - x));
      for (const t of order.subarray(firstSlot[node], firstSlot[node] + slotCount[node])) {
        const [a, b, c] = triangles.subarray(3 * t, 3 * t + 3);
        writeNormal(pose, 3 * a, 3 * b, 3 * c, normal);
        expect(sineBetween(cone, normal)).toBeLessThanOrEqual(cone[3]);
      }
    }
  });
  return held;
}
