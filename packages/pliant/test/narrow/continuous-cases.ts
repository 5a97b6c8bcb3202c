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

/** Coordinates with 52 bits anywhere in the unit cube, moves up to `size`. */
export function realStep(size: number, count = 12): fc.Arbitrary<Step> {
  const coordinate = fc.integer({ min: 0, max: 2 ** 52 }).map((n) => n / 2 ** 52);
  const move = fc.integer({ min: -(2 ** 52), max: 2 ** 52 }).map((n) => (n / 2 ** 52) * size);
  return fc.tuple(vector(count, coordinate), vector(count, move)).map(([a, b]) => step(a, b));
}

/** Seeded steps without fast-check's liking for special numbers: nothing about them is degenerate. */
export function* uniformSteps(count: number, size: number, coordinates = 12): Generator<Step> {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647; // Park and Miller
  for (let i = 0; i < count; i++) {
    const start = Array.from({ length: coordinates }, random);
    yield step(
      start,
      start.map(() => size * (random() - 0.5)),
    );
  }
}

/** Any finite coordinates, from subnormal to 1e308. */
export function wildStep(count = 12): fc.Arbitrary<Step> {
  const coordinates = vector(count, fc.double({ noNaN: true, noDefaultInfinity: true }));
  return fc.tuple(coordinates, coordinates).map(([a, b]) => ({
    start: Float64Array.from(a),
    end: Float64Array.from(b),
  }));
}

/**
 * A contact at a known time, and it alone. The features translate rigidly, with velocities `move` of the
 * first and zero of the second, so f is linear in t. At `time` a point of the first lies at the given place
 * of the second. All numbers are short binary fractions: nothing is rounded.
 */
export interface KnownContact {
  readonly kind: Kind;
  readonly time: number;
  /** Four points at the time of contact; the first feature is one point (vf) or two (ee). */
  readonly points: readonly number[];
  readonly move: readonly number[];
  /** In the plane of contact, away from the second feature; only if the contact is on its boundary. */
  readonly away: readonly number[];
}

/** The step of a known contact, with the first feature displaced by `distance` times `away`. */
export function stepOf({ kind, time, points, move, away }: KnownContact, distance: number): Step {
  const firstCount = kind === 'vf' ? 3 : 6;
  const at = (t: number) =>
    Float64Array.from(points, (x, i) =>
      i < firstCount ? x + (t - time) * move[i % 3] + distance * away[i % 3] : x,
    );
  return { start: at(0), end: at(1) };
}

/** A contact on the boundary of the second feature: in an edge of the face, or at an end of the edge. */
export function knownBoundaryContact(kind: Kind): fc.Arbitrary<KnownContact> {
  const point = fc.tuple(small, small, small);
  const choice = fc.record({
    a: point,
    b: point,
    c: point,
    move: point,
    place: fc.integer({ min: 0, max: 8 }),
    time: fc.integer({ min: 0, max: 16 }).map((n) => n / 16),
  });
  return choice
    .filter(({ a, b, c, move }) => dot(move, cross(minus(b, a), minus(c, a))) !== 0)
    .map(({ a, b, c, move, place, time }) => {
      const w = place / 8;
      const touching = a.map((x, i) => x + w * (b[i] - x)); // on the edge ab
      if (kind === 'vf') {
        return { kind, time, points: [...touching, ...a, ...b, ...c], move, away: minus(touching, c) };
      }
      const beyond = touching.map((x, i) => 2 * x - c[i]); // the edge from there away from c
      return { kind, time, points: [...touching, ...beyond, ...a, ...b], move, away: minus(touching, c) };
    });
}

const small = fc.integer({ min: -8, max: 8 });

function minus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((x, i) => x - b[i]);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** A lattice step of which some coordinates are off by a few `unit`s. */
export function perturbed(steps: fc.Arbitrary<Step>, unit: number): fc.Arbitrary<Step> {
  const noise = vector(36, fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 })));
  return fc.tuple(steps, noise).map(([{ start, end }, n]) => ({
    start: start.map((x, i) => x + n[i] * unit),
    end: end.map((x, i) => x + n[18 + i] * unit),
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
  const pick = (x: Float64Array) =>
    Float64Array.from(order.flatMap((p) => [...x.subarray(3 * p, 3 * p + 3)]));
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
