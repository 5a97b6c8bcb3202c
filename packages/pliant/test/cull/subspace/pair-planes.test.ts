import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareSubspaceCertificate, type SubspaceCertificate } from '../../../src/cull/index.ts';
import { PLANE_HEAD, planeStride } from '../../../src/cull/subspace/pair-planes.ts';
import { type Body, createEngine, findSelfCollisions } from '../../../src/index.ts';
import { direction, modalCase } from './modal-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 20;
const engine = await createEngine();
const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });
type Gauge = 'ball' | 'one-sided' | 'box';

/** Pairs of nodes that their plane keeps apart, as the kernel reckons; of modes with the unit metric. */
function pairsApart(certificate: SubspaceCertificate, q: Float64Array, gauge: number, lie = 1): number[] {
  const { pairs } = certificate.balls[0];
  const stride = planeStride(q.length);
  return Array.from(pairs.a.keys()).filter((k) => {
    const o = k * stride;
    let sum = pairs.planes[o] - lie * pairs.planes[o + 1] * gauge;
    for (let m = 0; m < q.length; m++) sum += pairs.planes[o + PLANE_HEAD + m] * q[m];
    return sum > 0;
  });
}

/** How many triangles under one node touch some under the other. */
function touching(body: Body, pairs: readonly (readonly [number, number])[], a: number, b: number): number {
  const { order, firstSlot, slotCount } = body.tree;
  const below = (node: number) => new Set(order.subarray(firstSlot[node], firstSlot[node] + slotCount[node]));
  const [first, second] = [below(a), below(b)];
  return pairs.filter(([i, j]) => (first.has(i) && second.has(j)) || (first.has(j) && second.has(i))).length;
}

/** Contacts under pairs of nodes that a plane keeps apart, over poses of many sizes. */
function countMissed(lie: number, runs: number): { missed: number; proved: number } {
  let missed = 0,
    proved = 0;
  fc.assert(
    fc.property(
      modalCase,
      numbers,
      fc.constantFrom<Gauge>('ball', 'one-sided', 'box'),
      ({ mesh, modes }, random, gauge) => {
        const body = engine.createModalBody(mesh, modes);
        const certificate = prepareSubspaceCertificate(body, { gauge, reach: 3 });
        for (let k = 0; k < 4; k++) {
          const q = Float64Array.from(direction(modes.count, random, 5 * k)).map(
            (x) => (gauge === 'ball' ? x : Math.abs(x)) * (0.2 + 0.6 * k),
          );
          body.setPose(q);
          const size = certificate.gaugeOfPose();
          const apart = pairsApart(certificate, q, size, lie);
          proved += apart.length;
          const { a, b } = certificate.balls[0].pairs;
          const pairs = findSelfCollisions(body, { method: 'brute-force' }).sortedPairs();
          for (const place of apart) missed += touching(body, pairs, a[place], b[place]);
        }
        body.dispose();
      },
    ),
    { numRuns: runs, seed: 7 },
  );
  return { missed, proved };
}

test('nothing touches across a plane that is between two nodes, far beyond all radii', () => {
  const { missed, proved } = countMissed(1, RUNS);
  expect(proved).toBeGreaterThan(50);
  expect(missed).toBe(0);
});

test('a plane that knows less of how differently points move would miss contacts', () => {
  expect(countMissed(-1, 20).missed).toBeGreaterThan(0);
});
