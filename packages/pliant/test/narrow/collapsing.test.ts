import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContactScratch } from '../../src/narrow/continuous-scratch.ts';
import { movingTrianglesTime } from '../../src/narrow/moving-triangles.ts';
import { areSameTimes, latticeStep, realStep, type Step, uniformSteps } from './continuous-cases.ts';

const TRIANGLES = 18; // coordinates of two triangles
const FIRST = 9; // of them those of the first triangle

type Collapse = (x: number, y: number, z: number) => readonly [number, number, number];

const POINT = [0.25, 0.5, -1] as const;
const COLLAPSES: Record<string, Collapse> = {
  'to a point': () => POINT,
  'to a line': (x) => [x, 2 * x, -x],
  'to a plane': (x, y) => [grid(x), grid(y), grid(x) - 2 * grid(y)], // exactly
  'to a few units in the last place': (x, y, z) => [tiny(x), tiny(y), tiny(z)],
  'to noise around a point': (x, y, z) => [0.25 + noise(x, y), noise(y, z) - 1, noise(z, x)],
  'to a plane across an axis': (x, _y, z) => [x, 1, z],
};
const grid = (x: number) => Math.round(x * 2 ** 20) / 2 ** 20;
const tiny = (x: number) => 0.25 + 1e-16 * x;
const noise = (x: number, y: number) => 1e-9 * (((77.7 * x + 33.3 * y) % 1) - 0.5);
const WHEN = ['start', 'end', 'both'] as const;
const WHICH = ['first', 'both'] as const;

/** The triangles of a step, one or both of them collapsed at its start, its end or throughout. */
function collapsed(
  { start, end }: Step,
  collapse: Collapse,
  when: (typeof WHEN)[number],
  which: string,
): Step {
  const apply = (points: Float64Array) => {
    const out = points.slice();
    for (let o = 0; o < (which === 'first' ? FIRST : TRIANGLES); o += 3) {
      out.set(collapse(points[o], points[o + 1], points[o + 2]), o);
    }
    return out;
  };
  return { start: when === 'end' ? start : apply(start), end: when === 'start' ? end : apply(end) };
}

function timeOf({ start, end }: Step, scratch = createContactScratch()): number {
  return movingTrianglesTime(start, end, 0, 3, 6, start, end, 9, 12, 15, scratch);
}

/** All arithmetic exact, every feature tested, nothing left out. */
function exactTimeOf(step: Step): number {
  const scratch = createContactScratch();
  scratch.exactOnly = true;
  return timeOf(step, scratch);
}

const steps = fc.oneof(
  latticeStep(TRIANGLES, 3),
  latticeStep(TRIANGLES, 1),
  realStep(1, TRIANGLES),
  realStep(0.01, TRIANGLES),
);

describe.each(Object.entries(COLLAPSES))('triangles that collapse %s', (_, collapse) => {
  test.each(WHEN.flatMap((when) => WHICH.map((which) => [when, which] as const)))(
    'at the %s, %s of them: the same answer as exact arithmetic',
    (when, which) => {
      fc.assert(
        fc.property(steps, (step) => {
          const tested = collapsed(step, collapse, when, which);
          expect(areSameTimes(timeOf(tested), exactTimeOf(tested))).toBe(true);
        }),
        { numRuns: 60 },
      );
    },
  );
});

/** All collapses but the one to a few units in the last place, whose points lie on common lines and planes: some need exact arithmetic. */
const GENERAL = Object.entries(COLLAPSES).filter(([name]) => !name.includes('last place'));

test.each(GENERAL)('a step that ends %s needs no exact continuous test', (_, collapse) => {
  for (const which of WHICH) {
    const scratch = createContactScratch();
    for (const step of uniformSteps(500, 1, TRIANGLES))
      timeOf(collapsed(step, collapse, 'end', which), scratch);
    expect(scratch.exactFallbacks / 500).toBeLessThan(0.02);
  }
});

test.each([1, 2])(
  'a triangle with %i different corners throughout has no other features tested',
  (corners) => {
    const scratch = createContactScratch();
    for (const { start, end } of uniformSteps(500, 1, TRIANGLES)) {
      for (const points of [start, end]) {
        for (let k = corners; k < 3; k++) points.copyWithin(3 * k, 0, 3);
      }
      const step = { start, end };
      expect(areSameTimes(timeOf(step, scratch), exactTimeOf(step))).toBe(true);
    }
    expect(scratch.exactFallbacks).toBe(0);
  },
);

test('triangles that shrink to one point touch at the end, or when they are scaled copies that touch before', () => {
  fc.assert(
    fc.property(realStep(1, TRIANGLES), (step) => {
      const time = timeOf(collapsed(step, () => POINT, 'end', 'both'));
      expect([0, 1]).toContain(time);
    }),
    { numRuns: 300 },
  );
});
