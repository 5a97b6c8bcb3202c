import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANE_HEAD, planeStride } from '../../src/cull/subspace/pair-planes.ts';
import { PairRecords } from '../../src/cull/subspace/pair-records.ts';
import type { PairTree } from '../../src/cull/subspace/pair-tree.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;
const TOO_MANY = 0xffffffff;
const PLANE_GAUGE = 5; // a word of a pose
const twins = await Twins.create();

interface PoseCase {
  readonly gauge: number;
  readonly planeGauge: number;
  readonly ends: readonly Float64Array[]; // one, or two of a motion
}

interface PairCase {
  readonly pairs: PairTree;
  readonly pose: PoseCase;
}

const value = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e-12, -1e6) },
);
const array = (count: number, number: fc.Arbitrary<number>) =>
  fc.array(number, { minLength: count, maxLength: count });

/** Pairs in the order in which they are opened: what belongs to each is behind it. Half of the planes nearly touch. */
const pairCase = (modes: number): fc.Arbitrary<PairCase> =>
  fc.integer({ min: 1, max: 60 }).chain((count) =>
    fc
      .record({
        radius: array(count, fc.float({ min: 0, max: 2, noNaN: true })),
        sizes: array(count, fc.integer({ min: 1, max: 8 })),
        gaps: array(count, fc.constantFrom(-Infinity, 0.25, 1, 3)),
        spreads: array(count, fc.constantFrom(0, 0.1, 1)),
        rows: array(count * modes, value),
        ends: fc.array(array(modes, value), { minLength: 1, maxLength: 2 }),
        near: array(count, fc.double({ min: -1e-4, max: 1e-4, noNaN: true })),
        gauge: fc.float({ min: 0, max: 2, noNaN: true }),
        planeGauge: fc.float({ min: 0, max: 2, noNaN: true }),
      })
      .map(({ radius, sizes, gaps, spreads, rows, ends, near, gauge, planeGauge }) => {
        const next = sizes.map((size, k) => Math.min(count, k + size));
        // Nested: nothing goes on beyond the end of what it belongs to.
        for (let k = 0; k < count; k++) {
          for (let i = k + 1; i < next[k]; i++) next[i] = Math.min(next[i], next[k]);
        }
        const stride = planeStride(modes);
        const planes = new Float32Array(count * stride);
        for (let k = 0; k < count; k++) {
          const o = k * stride;
          planes.set(rows.slice(k * modes, (k + 1) * modes), o + PLANE_HEAD);
          planes[o] = gaps[k];
          planes[o + 1] = spreads[k];
          const isNear = k % 2 === 0 && gaps[k] > 0;
          if (isNear) planes[o] -= (1 - near[k]) * sumOf(planes, o, ends[0], planeGauge);
          if (isNear && !(planes[o] > 0)) planes[o] = gaps[k];
        }
        const pairs: PairTree = {
          a: Uint32Array.from(next.keys()),
          b: Uint32Array.from(next.keys(), (k) => 1000 + k),
          radius: Float32Array.from(radius),
          next: Uint32Array.from(next),
          planes,
          exceptions: new Uint32Array(0),
          exceptionAt: new Uint32Array(0),
        };
        return { pairs, pose: { gauge, planeGauge, ends: ends.map((q) => Float64Array.from(q)) } };
      }),
  );

/** In double precision: what has to be positive for a plane to be between two nodes. */
function sumOf(planes: Float32Array, o: number, q: ArrayLike<number>, gauge: number): number {
  let sum = planes[o] - planes[o + 1] * gauge;
  for (let m = 0; m < q.length; m++) sum += planes[o + PLANE_HEAD + m] * q[m];
  return sum;
}

/** Beyond what rows and poses of 16 bits leave out. */
function toleranceOf(planes: Float32Array, o: number, q: Float64Array, gauge: number): number {
  const row = planes.subarray(o + PLANE_HEAD, o + PLANE_HEAD + q.length);
  const sizes = row.reduce((sum, x) => sum + Math.abs(x), 0),
    largest = q.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return 2e-5 * (q.length + 4) * (sizes * largest + planes[o + 1] * gauge + planes[o]) + 1e-25;
}

/** Pairs without parts that are open when planes keep apart what is `margin` tolerances beyond them. */
function openPairs(
  { pairs, pose: { gauge, planeGauge, ends } }: PairCase,
  modes: number,
  margin: number,
): number[] {
  const { planes, next, radius } = pairs;
  const open: number[] = [];
  for (let k = 0; k < next.length; ) {
    const o = k * planeStride(modes);
    const isApart =
      planes[o] > 0 &&
      ends.every((q) => sumOf(planes, o, q, planeGauge) > margin * toleranceOf(planes, o, q, planeGauge));
    if (gauge < radius[k] || isApart) k = next[k];
    else {
      // One with too many parts is looked at whole.
      const partCount = countParts(next, k);
      if (partCount === 0 || partCount > 4) open.push(k);
      k = partCount > 4 ? next[k] : k + 1;
    }
  }
  return open;
}

function countParts(next: Uint32Array, k: number): number {
  let count = 0;
  for (let part = k + 1; part < next[k]; part = next[part]) count++;
  return count;
}

interface ListOptions {
  readonly most?: number;
  readonly room?: number;
  /** Leaves nothing for what rounding has left out. */
  readonly lies?: boolean;
}

function listOpen({ pairs, pose }: PairCase, modes: number, options: ListOptions = {}) {
  const { most = 64, room = 200, lies = false } = options;
  twins.reset();
  const records = [twins.wasm, twins.ts].map(({ memory }) => new PairRecords(memory, pairs, modes));
  const { tree, poseBytes } = records[0];
  expect(records[1].tree).toBe(tree);
  try {
    const at = twins.reserve(poseBytes);
    const [queue, out, places] = [4 * (room + 16), 8 * most, 4 * (most + 4)].map((bytes) =>
      twins.reserve(bytes),
    );
    twins.run(({ name, memory }) => {
      memory.f32[at >>> 2] = pose.gauge;
      memory.f32[(at >>> 2) + PLANE_GAUGE] = pose.planeGauge;
      pose.ends.forEach((q, end) => {
        records[name === 'wasm' ? 0 : 1].putPose(memory, at, end as 0 | 1, q);
        if (lies) memory.f32[(at >>> 2) + 2 + 2 * end] = 0;
      });
    });
    const found = twins.run(
      (k) => k.listOpen(tree, at, pose.ends.length, most, room, queue, out, places) >>> 0,
    );
    const nodes = twins.pairs(out, found === TOO_MANY ? 0 : found);
    return { found, open: nodes.map(([a]) => a).sort((i, j) => i - j), nodes };
  } finally {
    for (const [k, kernels] of [twins.wasm, twins.ts].entries()) records[k].free(kernels.memory);
  }
}

const modeCount = fc.constantFrom(1, 2, 7, 8, 20, 33);

/** How many open pairs are missing, over cases of which many are close to call. */
function countMissing(lies: boolean, seed?: number): number {
  let missing = 0;
  fc.assert(
    fc.property(modeCount, fc.gen(), (modes, g) => {
      const it = g(pairCase, modes);
      const open = new Set(listOpen(it, modes, { lies }).open);
      missing += openPairs(it, modes, 0).filter((k) => !open.has(k)).length;
    }),
    { numRuns: RUNS, seed },
  );
  return missing;
}

test('the same pairs in both, all of those that neither radius nor plane rules out', () => {
  expect(countMissing(false)).toBe(0);
});

test('rows and poses that are believed to be exact would miss some', () => {
  expect(countMissing(true, 3)).toBeGreaterThan(0);
});

test('pairs that a plane rules out by more than rounding are not listed', () => {
  fc.assert(
    fc.property(modeCount, fc.gen(), (modes, g) => {
      const it = g(pairCase, modes);
      const { open, nodes } = listOpen(it, modes);
      const expected = new Set(openPairs(it, modes, 1));
      expect(open.filter((k) => !expected.has(k))).toEqual([]);
      for (const [a, b] of nodes) expect(b).toBe(1000 + a);
    }),
    { numRuns: RUNS },
  );
});

test('gives up when there are more than it may list or look at', () => {
  const count = 9;
  const pairs: PairTree = {
    a: Uint32Array.from({ length: count }, (_, k) => k),
    b: Uint32Array.from({ length: count }, (_, k) => 1000 + k),
    radius: new Float32Array(count),
    next: Uint32Array.of(9, 5, 3, 4, 5, 9, 7, 8, 9), // two parts of three parts each
    planes: new Float32Array(count * planeStride(1)).fill(-Infinity),
    exceptions: new Uint32Array(0),
    exceptionAt: new Uint32Array(0),
  };
  const it = { pairs, pose: { gauge: 1, planeGauge: 1, ends: [Float64Array.of(1)] } };
  expect(listOpen(it, 1, { most: 6, room: 9 }).open).toEqual([2, 3, 4, 6, 7, 8]);
  expect(listOpen(it, 1, { most: 5, room: 9 }).found).toBe(TOO_MANY);
  expect(listOpen(it, 1, { most: 6, room: 8 }).found).toBe(TOO_MANY);
});
