import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAF } from '../../src/kernels/kernels.ts';
import { createContactScratch } from '../../src/narrow/continuous-scratch.ts';
import { movingTrianglesTime } from '../../src/narrow/moving-triangles.ts';
import {
  coplanarStep,
  latticeStep,
  perturbed,
  realStep,
  type Step,
  wildStep,
} from '../narrow/continuous-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 20_000 : 800;
const TRIANGLES = 18; // coordinates of two triangles
const twins = await Twins.create();

/** Two triangles that come close, turn about each other, or pass. */
const closeStep: fc.Arbitrary<Step> = fc
  .record({
    step: realStep(1, TRIANGLES),
    gap: fc.constantFrom(0, 1e-12, 1e-6, 1e-3, 0.1, 1),
    turn: fc.double({ min: -2, max: 2, noNaN: true }),
  })
  .map(({ step, gap, turn }) => {
    const flat = (x: number, k: number) => (k % 3 === 2 ? 1e-3 * x + (k < 9 ? 0 : gap) : x);
    const start = step.start.map(flat);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const end = start.map((value, k) => {
      const [x, , z] = start.subarray(k - (k % 3), k - (k % 3) + 3);
      return [c * x - s * z, value, s * x + c * z][k % 3] + 0.1 * step.end[k % 3];
    });
    return { start, end };
  });

const steps = fc.oneof(
  latticeStep(TRIANGLES, 3),
  coplanarStep(TRIANGLES, 2),
  perturbed(latticeStep(TRIANGLES, 1), 2 ** -51),
  perturbed(coplanarStep(TRIANGLES, 2), 2 ** -51),
  realStep(1, TRIANGLES),
  closeStep,
);
const scaled = fc
  .tuple(steps, fc.constantFrom(1, 1, 1, 2 ** -1060, 2 ** -1030, 2 ** -520, 2 ** 299))
  .map(([{ start, end }, by]) => ({ start: start.map((x) => by * x), end: end.map((x) => by * x) }));

function timeOf({ start, end }: Step): number {
  const scratch = createContactScratch();
  scratch.exactOnly = true;
  return movingTrianglesTime(start, end, 0, 3, 6, start, end, 9, 12, 15, scratch);
}

/** Keeps what may touch of all pairs of some triangles, in a shuffled order. */
function drop(start: Float64Array, end: Float64Array, pairs: readonly (readonly number[])[], levels: number) {
  twins.reset();
  const count = start.length / 9;
  const slot = (leaf: number) => count - 1 - leaf;
  const points = [twins.place(start), twins.place(end)] as const;
  const corners = twins.place(Uint32Array.from({ length: 3 * count }, (_, k) => k)),
    link = twins.place(Uint32Array.from({ length: count }, (_, leaf) => LEAF + slot(leaf)));
  const side = [link, corners, ...points] as const;
  const at = twins.place(Uint32Array.from(pairs.flatMap(([a, b]) => [slot(a), slot(b)]))),
    room = twins.reserve(216 + 4 * 288);
  const kept = twins.run((k) => k.dropSeparated(at, pairs.length, ...side, ...side, levels, room));
  const list = [...twins.wasm.memory.u32.subarray(at >>> 2, (at >>> 2) + 2 * kept)].map(slot);
  return Array.from({ length: kept }, (_, k) => list.slice(2 * k, 2 * k + 2));
}

const isSeparated = ({ start, end }: Step, levels: number) => drop(start, end, [[0, 1]], levels).length === 0;

test('triangles that a direction separates never touch, nor those that one separates in each part of a motion', () => {
  const counts = [0, 0, 0, 0];
  let touching = 0;
  fc.assert(
    fc.property(scaled, (step) => {
      const levels = counts.map((_, level) => isSeparated(step, level));
      if (levels[3]) expect(timeOf(step)).toBe(Infinity);
      else touching += Number(timeOf(step) <= 1);
      levels.forEach((isProved, level) => {
        counts[level] += Number(isProved);
        if (isProved) expect(levels[3]).toBe(true);
      });
    }),
    { numRuns: RUNS },
  );
  expect(counts[0]).toBeGreaterThan(RUNS / 10);
  expect(counts[1]).toBeGreaterThan(1.02 * counts[0]);
  expect(counts[2]).toBeGreaterThan(counts[1]);
  expect(touching).toBeGreaterThan(RUNS / 10);
});

const whole = fc.integer({ min: -(2 ** 24), max: 2 ** 24 });
const vector = fc.tuple(whole, whole, whole);

/** A corner of one triangle lies in the other one, at the start or at the end, and no number is rounded to say so. */
const touchingStep: fc.Arbitrary<Step> = fc
  .record({
    corner: vector,
    edges: fc.tuple(vector, vector),
    place: fc.tuple(fc.nat(128), fc.nat(128)),
    others: fc.tuple(vector, vector, vector, vector),
    apart: vector,
    touchesAtEnd: fc.boolean(),
    size: fc.constantFrom(1, 1, 2 ** -374, 2 ** -377, 2 ** -379),
  })
  .map(({ corner, edges: [e, f], place: [i, j], others, apart, touchesAtEnd, size }) => {
    const normal = [0, 1, 2].map((k) => {
      const [p, q] = [(k + 1) % 3, (k + 2) % 3];
      return BigInt(e[p]) * BigInt(f[q]) - BigInt(e[q]) * BigInt(f[p]);
    });
    const above = (v: readonly number[]) => {
      const side = v.reduce((sum, x, k) => sum + BigInt(x) * normal[k], 0n);
      return side < 0n ? v.map((x) => -x) : v;
    };
    const plus = (p: readonly number[], v: readonly number[]) => p.map((x, k) => x + v[k]);
    const contact = corner.map((x, k) => x + (i * e[k] + j * f[k]) / 256);
    const first = [corner, plus(corner, e), plus(corner, f)];
    const second = (k: number) => [
      contact,
      plus(contact, above(others[k])),
      plus(contact, above(others[k + 1])),
    ];
    const touching = Float64Array.from([...first, ...second(0)].flat(), (x) => size * x);
    const distant = [...first, ...second(2).map((p) => plus(p, above(apart)))];
    const other = Float64Array.from(distant.flat(), (x) => size * x);
    return touchesAtEnd ? { start: other, end: touching } : { start: touching, end: other };
  });

test('triangles that only just touch are never separated', () => {
  let sides = 0;
  fc.assert(
    fc.property(touchingStep, fc.nat(3), fc.boolean(), (step, levels, swaps) => {
      const { start, end } = step;
      expect(drop(start, end, [swaps ? [1, 0] : [0, 1]], levels)).toHaveLength(1);
      const raised = [start, end].map((points) =>
        points.map((x, k) => (k % 3 === 2 && k > 8 ? x + 2 ** 27 : x)),
      );
      sides += Number(isSeparated({ start: raised[0], end: raised[1] }, levels));
    }),
    { numRuns: 4 * RUNS },
  );
  expect(sides).toBeGreaterThan(RUNS); // next to it they are
});

test('numbers out of range prove nothing wrong', () => {
  fc.assert(
    fc.property(wildStep(TRIANGLES), fc.nat(3), (step, levels) => {
      if (isSeparated(step, levels)) expect(timeOf(step)).toBe(Infinity);
    }),
    { numRuns: Math.ceil(RUNS / 50) },
  );
});

test('lists keep what may touch, in order', () => {
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat())),
      fc.nat(3),
      (list, picks, levels) => {
        const count = 2 * list.length;
        const of = (end: 'start' | 'end') => Float64Array.from(list.flatMap((step) => [...step[end]]));
        const pairs = picks.map(([a, b]) => [a % count, b % count]);
        const kept = drop(of('start'), of('end'), pairs, levels);
        const alone = pairs.filter((pair) => drop(of('start'), of('end'), [pair], levels).length === 1);
        expect(kept).toEqual(alone);
      },
    ),
    { numRuns: Math.ceil(RUNS / 20) },
  );
});
