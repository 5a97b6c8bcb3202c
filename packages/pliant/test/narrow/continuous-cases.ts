import fc from 'fast-check';
import { createContactScratch, loadPoint } from '../../src/narrow/continuous-scratch.ts';
import { findEdgeEdgeContact } from '../../src/narrow/edge-edge.ts';
import { findVertexFaceContact } from '../../src/narrow/vertex-face.ts';

export interface Step {
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** The step in which each of the points goes from `start` to `start + move`. */
function step(start: readonly number[], move: readonly number[]): Step {
  return { start: Float64Array.from(start), end: Float64Array.from(start, (x, i) => x + move[i]) };
}

function vector(length: number, element: fc.Arbitrary<number>): fc.Arbitrary<number[]> {
  return fc.array(element, { minLength: length, maxLength: length });
}

/** Small integers: many contacts, touches, parallels and points that coincide. */
export function latticeStep(count = 12, size = 3): fc.Arbitrary<Step> {
  const coordinate = fc.integer({ min: -size, max: size });
  return fc.tuple(vector(count, coordinate), vector(count, coordinate)).map(([a, b]) => step(a, b));
}

/** Everything in the plane 2x + y = z at every time. */
export function coplanarStep(count = 12, size = 3): fc.Arbitrary<Step> {
  return latticeStep(count, size).map(({ start, end }) => ({ start: flatten(start), end: flatten(end) }));
}

function flatten(x: Float64Array): Float64Array {
  return x.map((_, i) => (i % 3 === 2 ? 2 * x[i - 2] + x[i - 1] : x[i]));
}

/** Everything on the line (1, -1, 2) s at every time. */
export function collinearStep(): fc.Arbitrary<Step> {
  const onLine = (x: Float64Array) => x.map((_, i) => x[i - (i % 3)] * [1, -1, 2][i % 3]);
  return latticeStep().map(({ start, end }) => ({ start: onLine(start), end: onLine(end) }));
}

/** One point may be a copy of another, at the start, at the end or at both: degenerate features. */
export function degenerateStep(): fc.Arbitrary<Step> {
  const choice = fc.record({
    step: latticeStep(),
    to: fc.integer({ min: 0, max: 3 }),
    from: fc.integer({ min: 0, max: 3 }),
    when: fc.constantFrom('start', 'end', 'both'),
  });
  return choice.map(({ step: { start, end }, to, from, when }) => {
    if (when !== 'end') start.copyWithin(3 * to, 3 * from, 3 * from + 3);
    if (when !== 'start') end.copyWithin(3 * to, 3 * from, 3 * from + 3);
    return { start, end };
  });
}

/** Coordinates anywhere in the unit cube, moves up to `size`. */
export function realStep(size: number, count = 12): fc.Arbitrary<Step> {
  const coordinate = fc.double({ min: 0, max: 1, noNaN: true });
  const move = fc.double({ min: -size, max: size, noNaN: true });
  return fc.tuple(vector(count, coordinate), vector(count, move)).map(([a, b]) => step(a, b));
}

/** A lattice step of which some coordinates are off by a few `unit`s. */
export function perturbed(steps: fc.Arbitrary<Step>, unit: number): fc.Arbitrary<Step> {
  const noise = vector(24, fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 })));
  return fc.tuple(steps, noise).map(([{ start, end }, n]) => ({
    start: start.map((x, i) => x + n[i % 12] * unit),
    end: end.map((x, i) => x + n[12 + (i % 12)] * unit),
  }));
}

/** All of the lattice cases above. */
export function latticeCases(): fc.Arbitrary<Step> {
  return fc.oneof(latticeStep(), coplanarStep(), collinearStep(), degenerateStep(), latticeStep(12, 1));
}

export type Kind = 'vf' | 'ee';

/** The internal test with counters: what vertexFaceContact and edgeEdgeContact do, exactly if asked. */
export function contactOf(kind: Kind, { start, end }: Step, exactOnly = false) {
  const scratch = createContactScratch();
  scratch.exactOnly = exactOnly;
  for (let slot = 0; slot < 4; slot++) loadPoint(scratch, slot, start, end, 3 * slot);
  const find = kind === 'vf' ? findVertexFaceContact : findEdgeEdgeContact;
  const touches = find(scratch, 0, 1, 2, 3);
  return { touches, time: scratch.time[0], usedExact: scratch.exactFallbacks > 0 };
}

/** The points of a step in another order. */
export function reorder({ start, end }: Step, order: readonly number[]): Step {
  const pick = (x: Float64Array) => Float64Array.from(order.flatMap((p) => [...x.subarray(3 * p, 3 * p + 3)]));
  return { start: pick(start), end: pick(end) };
}

/** Axis i times scale[i]. */
export function scaled({ start, end }: Step, scale: readonly number[]): Step {
  const times = (x: Float64Array) => x.map((value, i) => value * scale[i % 3]);
  return { start: times(start), end: times(end) };
}

/** Two lower bounds of the same first contact. */
export function areSameTimes(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 2 ** -40;
}
