import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContactScratch } from '../../src/narrow/continuous-scratch.ts';
import { movingTrianglesTime } from '../../src/narrow/moving-triangles.ts';
import { trianglesIntersect } from '../../src/narrow/triangle-triangle.ts';
import {
  areSameTimes,
  coplanarStep,
  latticeStep,
  perturbed,
  realStep,
  reorder,
  type Step,
  uniformSteps,
  wildStep,
} from './continuous-cases.ts';
import { oracleContact } from './continuous-oracle.ts';

const TRIANGLES = 18; // coordinates of two triangles

describe('movingTrianglesTime', () => {
  test('agrees with the oracle on lattice cases', () => {
    fc.assert(fc.property(latticePairs(), agreesWithOracle(timeOf)), { numRuns: 600 });
  });

  test('the oracle notices an answer that forgets the edges or the start', () => {
    const onlyLater = (step: Step) => (timeOf(step) === 0 ? Infinity : timeOf(step));
    const onlyVertices = (step: Step) => featureTime(step, 'vf');
    for (const lie of [onlyLater, onlyVertices]) {
      const check = fc.property(latticePairs(), agreesWithOracle(lie));
      expect(() => fc.assert(check, { numRuns: 1000 })).toThrow('Counterexample');
    }
  });

  test('a pair that intersects at a sampled time is reported no later', () => {
    fc.assert(
      fc.property(fc.oneof(latticePairs(), realStep(1, TRIANGLES).map(roundToGrid)), (step) => {
        const time = timeOf(step);
        for (let k = 0; k <= 16; k++) {
          const at = step.start.map((x, i) => x + (step.end[i] - x) * (k / 16)); // exact
          if (trianglesIntersect(at, 0, 3, 6, at, 9, 12, 15)) expect(time).toBeLessThanOrEqual(k / 16);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('floating point and exact arithmetic give one answer', () => {
    const cases: [fc.Arbitrary<Step>, number][] = [
      [latticePairs(), 300],
      [perturbed(latticePairs(), 2 ** -50), 300],
      [realStep(1, TRIANGLES), 500],
      [wildStep(TRIANGLES), 6],
    ];
    for (const [steps, numRuns] of cases) {
      const check = fc.property(steps, (step) => areSameTimes(timeOf(step), timeOf(step, true)));
      fc.assert(check, { numRuns });
    }
  });

  test('which triangle comes first and how its corners are named does not matter', () => {
    const orders = [
      [3, 4, 5, 0, 1, 2],
      [1, 2, 0, 3, 4, 5],
      [1, 0, 2, 5, 4, 3],
    ];
    const steps = fc.oneof(latticePairs(), realStep(1, TRIANGLES));
    fc.assert(
      fc.property(steps, fc.constantFrom(...orders), (step, order) =>
        areSameTimes(timeOf(step), timeOf(reorder(step, order))),
      ),
      { numRuns: 1500 },
    );
  });

  test('generic pairs need no exact arithmetic', () => {
    const scratch = createContactScratch();
    let touching = 0;
    for (const { start, end } of uniformSteps(2000, 1, TRIANGLES)) {
      if (movingTrianglesTime(start, end, 0, 3, 6, start, end, 9, 12, 15, scratch) <= 1) touching++;
    }
    expect(touching).toBeGreaterThan(500);
    expect(touching).toBeLessThan(1900);
    expect(scratch.exactFallbacks).toBe(0);
  });

  test('corners are found at their offsets in the two bodies', () => {
    const a = Float64Array.from([9, 9, 9, 0, 0, 0, 4, 0, 0, 0, 4, 0]);
    const startB = Float64Array.from([1, 1, 3, 1, 1, 5, 2, 1, 5]);
    const endB = startB.map((x, i) => (i % 3 === 2 ? x - 4 : x));
    const time = movingTrianglesTime(a, a, 3, 6, 9, startB, endB, 3, 0, 6, createContactScratch());
    expect(0.75 - time).toBeGreaterThanOrEqual(0);
    expect(0.75 - time).toBeLessThanOrEqual(2 ** -40);
  });
});

function latticePairs(): fc.Arbitrary<Step> {
  return fc.oneof(latticeStep(TRIANGLES, 3), latticeStep(TRIANGLES, 1), coplanarStep(TRIANGLES, 2));
}

/** To multiples of 2⁻⁴⁰, so that positions at sixteenths are exact. */
function roundToGrid({ start, end }: Step): Step {
  const round = (x: number) => Math.round(x * 2 ** 40) / 2 ** 40;
  return { start: start.map(round), end: end.map(round) };
}

function timeOf({ start, end }: Step, exactOnly = false): number {
  const scratch = createContactScratch();
  scratch.exactOnly = exactOnly;
  return movingTrianglesTime(start, end, 0, 3, 6, start, end, 9, 12, 15, scratch);
}

function agreesWithOracle(time: (step: Step) => number) {
  return (step: Step) => {
    const isStart = trianglesIntersect(step.start, 0, 3, 6, step.start, 9, 12, 15);
    const expected = isStart ? 0 : Math.min(featureTime(step, 'vf'), featureTime(step, 'ee'));
    expect(areSameTimes(time(step), expected)).toBe(true);
  };
}

const FACES = [
  [0, 3, 4, 5],
  [1, 3, 4, 5],
  [2, 3, 4, 5],
  [3, 0, 1, 2],
  [4, 0, 1, 2],
  [5, 0, 1, 2],
];
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
].flatMap((a) =>
  [
    [3, 4],
    [4, 5],
    [5, 3],
  ].map((b) => [...a, ...b]),
);

/** The oracle's first contact over all features of one kind, rounded to float64. */
function featureTime(step: Step, kind: 'vf' | 'ee'): number {
  const times = (kind === 'vf' ? FACES : EDGES).map((order) => {
    const { start, end } = reorder(step, order);
    const { touches, time, bits } = oracleContact(kind, start, end);
    return touches ? Number(time >> (bits - 60n)) / 2 ** 60 : Infinity;
  });
  return Math.min(...times);
}
