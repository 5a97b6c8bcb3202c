import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ceil32, floor32 } from '../../src/algebra/rounding.ts';
import type { BlendDeformer } from '../../src/deform/blend.ts';
import { type Body, createEngine, createTriangleMesh } from '../../src/index.ts';
import { DIRECTIONS } from '../../src/refit/blend-readers.ts';
import type { HandleBoxes } from '../../src/refit/handle-boxes.ts';
import {
  convexWeights,
  createBlendBody,
  createGridMesh,
  fileWeights,
  JOINTS,
  MODES,
  negativeWeights,
  smoothWeights,
  tameNumber,
  tameNumbers,
  tamePoses,
  vertexCount,
} from './blend-arbitraries.ts';
import { type Interval, solveGreedily, twoLargest } from './blend-programs.ts';
import { findEscape } from './find-escape.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 40;

/** Of boxes in float32, 2⁻²³ (Σ|l| + R + 2 Σ cap)(n + 16) of the largest image: with four handles and images up to 60. */
const MARGIN = 3e-3;

/** Weights of one point, by handle. */
function weightsOf(body: Body, point: number): number[] {
  const { start, index, value } = (body.deformer as BlendDeformer).skinList!;
  const { u32, f64 } = body.engine.kernels.memory;
  const own = new Array<number>(JOINTS).fill(0);
  for (let k = u32[(start >>> 2) + point]; k < u32[(start >>> 2) + point + 1]; k++)
    own[u32[(index >>> 2) + k]] += f64[(value >>> 3) + k];
  return own;
}

function pointsOf({ tree, resident, engine }: Body, node: number): number[] {
  const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
  return [...new Set(engine.kernels.memory.u32.slice(first, first + 3 * tree.slotCount[node]))];
}

interface Sides {
  readonly points: number[]; // optimum over what each handle moves: lo.xyz negated, hi.xyz
  readonly cube: number[]; // the same with what 26 directions know of it, locally in large nodes
  readonly local: number[]; // with the box of what each handle moves
  readonly plain: number[]; // with the box of the node
  readonly two: number[]; // Eq. 11 with it
  readonly hull: number[]; // the largest of all handles
}

/** The six bounds of a node in every way, in float64. Weights are convex. */
function referenceSides(body: Body, node: number, joints: readonly number[]): Sides {
  const { f64 } = body.engine.kernels.memory;
  const rest = body.resident.rest >>> 3;
  const points = pointsOf(body, node);
  const own = points.map((p) => weightsOf(body, p));
  const at = points.map((p) => [0, 1, 2].map((k) => f64[rest + 3 * p + k]));
  const used = Array.from({ length: JOINTS }, (_, j) => j).filter((j) => own.some((w) => w[j] !== 0));
  const intervals = used.map((j): Interval => {
    const list = own.map((w) => w[j]);
    return { low: Math.min(...list), high: Math.max(...list) };
  });
  const moved = used.map((j) => at.filter((_, i) => own[i][j] !== 0));
  const isLarge = body.tree.slotCount[node] >= 64;
  const sides: Sides = { points: [], cube: [], local: [], plain: [], two: [], hull: [] };
  for (const sign of [-1, 1]) {
    for (let axis = 0; axis < 3; axis++) {
      const each = (support: (row: readonly number[], i: number) => number) =>
        used.map((joint, i) => {
          const row = joints.slice(12 * joint + 4 * axis, 12 * joint + 4 * axis + 4).map((x) => sign * x);
          return row[3] + support(row, i);
        });
      const solve = (support: (row: readonly number[], i: number) => number) =>
        solveGreedily(each(support), intervals);
      const plain = each((row) => reachOf(corners(at), row));
      sides.points.push(solve((row, i) => reachOf(moved[i], row)));
      sides.cube.push(solve((row, i) => cubeReach(isLarge && intervals[i].low === 0 ? moved[i] : at, row)));
      sides.local.push(solve((row, i) => reachOf(corners(moved[i]), row)));
      sides.plain.push(solveGreedily(plain, intervals));
      sides.two.push(twoLargest(plain, intervals));
      sides.hull.push(Math.max(...plain));
    }
  }
  return sides;
}

function reachOf(points: readonly number[][], [x, y, z]: readonly number[]): number {
  return Math.max(...points.map((p) => x * p[0] + y * p[1] + z * p[2]));
}

/** From one axis to the next, by size: what an axis, an edge and a corner of a cube say about a direction. */
function cubeReach(points: readonly number[][], row: readonly number[]): number {
  const order = [0, 1, 2].sort((i, j) => Math.abs(row[j]) - Math.abs(row[i]));
  const direction = [0, 0, 0];
  return order.reduce((sum, axis, k) => {
    direction[axis] = row[axis] < 0 ? -1 : 1;
    const share = Math.abs(row[axis]) - (k < 2 ? Math.abs(row[order[k + 1]]) : 0);
    return sum + share * reachOf(points, direction);
  }, 0);
}

/** Of the box around points. */
function corners(points: readonly number[][]): number[][] {
  return Array.from({ length: 8 }, (_, c) =>
    [0, 1, 2].map((k) => {
      const list = points.map((p) => p[k]);
      return (c >>> k) & 1 ? Math.max(...list) : Math.min(...list);
    }),
  );
}

function sidesOf(bounds: { box: ArrayLike<number>; stride: number }, node: number): number[] {
  return Array.from({ length: 6 }, (_, k) => (k < 3 ? -1 : 1) * bounds.box[bounds.stride * node + k]);
}

test('best is the optimum over 26 directions and two-largest is Eq. 11; each is tighter than the next', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  fc.assert(
    fc.property(fc.oneof(smoothWeights, convexWeights), tamePoses, (w, { joints }) => {
      const best = createBlendBody(engine, 'skin', w, [], {}, mesh),
        two = createBlendBody(engine, 'skin', w, [], { bounds: 'two-largest' }, mesh);
      for (const body of [best, two]) {
        body.setPose(joints);
        body.getLocalBounds(false).begin(false);
      }
      for (let node = 0; node < best.getLocalBounds(false).boundedNodes; node++) {
        if (best.tree.slotCount[node] < 4) continue;
        for (const body of [best, two]) body.getLocalBounds(false).ensure(node);
        const sides = referenceSides(best, node, joints);
        const b = sidesOf(best.getLocalBounds(false), node),
          t = sidesOf(two.getLocalBounds(false), node);
        for (let k = 0; k < 6; k++) {
          const order = [sides.points[k], sides.local[k], sides.plain[k], sides.two[k], sides.hull[k]];
          expect(order.every((x, i) => i === 0 || x > order[i - 1] - 1e-12 * 20)).toBe(true);
          expect(sides.cube[k]).toBeGreaterThan(sides.points[k] - 1e-10);
          expect(sides.cube[k]).toBeLessThan(sides.plain[k] + 1e-10);
          const off = Math.max(Math.abs(b[k] - sides.cube[k]), Math.abs(t[k] - sides.two[k]));
          expect(off).toBeLessThan(MARGIN);
        }
      }
      best.dispose();
      two.dispose();
    }),
    { numRuns: RUNS },
  );
});

test('equal handles: no larger than the transformed box of the node', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  fc.assert(
    fc.property(fc.oneof(smoothWeights, convexWeights), tameNumbers(12), (w, matrix) => {
      const joints = [...matrix, ...matrix, ...matrix, ...matrix];
      const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
      body.setPose(joints);
      const bounds = body.getLocalBounds(false);
      bounds.begin(false);
      bounds.refitAll();
      for (let node = 0; node < bounds.boundedNodes; node++) {
        const { hull } = referenceSides(body, node, joints);
        sidesOf(bounds, node).forEach((x, k) => void expect(x).toBeLessThan(hull[k] + MARGIN));
      }
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});

test('one vertex: a box that is a point, up to rounding', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh({
    positions: Array.from({ length: 15 }, () => [1, 2, 3]).flat(),
    triangles: Array.from({ length: 15 }, (_, k) => k),
    weld: false,
  });
  const own = [0.1, 0.2, 0.3, 0.4];
  fc.assert(
    fc.property(tameNumbers(12 * JOINTS), (joints) => {
      const body = createBlendBody(
        engine,
        'skin',
        Array.from({ length: 15 }, () => own).flat(),
        [],
        {},
        mesh,
      );
      body.setPose(joints);
      const bounds = body.getLocalBounds(false);
      bounds.begin(false);
      bounds.ensure(0);
      const x = body.getLocalPositions();
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(bounds.box[k] - x[k])).toBeLessThan(MARGIN);
        expect(Math.abs(bounds.box[3 + k] - x[k])).toBeLessThan(MARGIN);
      }
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});

test.each(['boxes', 'two-largest', 'sphere', 'sphere-skin'] as const)(
  '%s: sums from 0.9 to 1.8, bytes, shorts and negative weights are held far from the origin, too',
  async (bounds) => {
    const engine = await createEngine();
    const mesh = createGridMesh();
    const far = fc.constantFrom(0, 1e3, -1e6);
    fc.assert(
      fc.property(fc.oneof(fileWeights, negativeWeights), tamePoses, far, (w, { joints }, shift) => {
        const body = createBlendBody(engine, 'skin', w, [], { bounds }, mesh);
        body.setPose(joints.map((x, k) => (k % 4 === 3 ? x + shift : x)));
        expect(findEscape(body, false)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: 3 * RUNS },
    );
  },
);

test('a box that forgets the missing weight is found out', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  expect(() =>
    fc.assert(
      fc.property(fileWeights, tamePoses, (w, { joints }) => {
        const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
        body.setPose(joints);
        const bounds = body.getLocalBounds(false) as HandleBoxes;
        // R of every node, as if the weights of the entries alone had to add up to 1.
        const { f32, u32 } = engine.kernels.memory;
        const { nodes, entries } = bounds.nodes;
        for (let node = 0; node < bounds.boundedNodes; node++) {
          const o = (nodes >>> 2) + 8 * node;
          for (let e = u32[o]; e < u32[o] + u32[o + 1]; e++) {
            const entry = (entries >>> 2) + 4 * e;
            if (u32[entry + 2] === JOINTS) f32[entry] = f32[entry + 1] = 0;
          }
        }
        const message = findEscape(body, false);
        body.dispose();
        return message === undefined;
      }),
      { numRuns: 200 },
    ),
  ).toThrow('Property failed');
});

test('modes of any sign and size are held; weights of 0 bring back the very same boxes', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  const displacements = fc.array(fc.oneof(tameNumber, fc.constant(0)), {
    minLength: MODES * 3 * vertexCount,
    maxLength: MODES * 3 * vertexCount,
  });
  fc.assert(
    fc.property(displacements, tamePoses, fc.constantFrom(1, -1, 1000), (d, { modes }, scale) => {
      for (const bounds of ['boxes', 'sphere'] as const) {
        const body = createBlendBody(engine, 'modes', [], d, { bounds }, mesh);
        const boxes = () => {
          expect(findEscape(body, false)).toBeUndefined();
          const { box, stride, boundedNodes } = body.getLocalBounds(false);
          return Array.from(
            { length: 6 * boundedNodes },
            (_, k) => box[stride * Math.trunc(k / 6) + (k % 6)],
          );
        };
        const still = boxes();
        body.setPose(modes.map((q) => scale * q));
        boxes();
        body.setPose([0, 0, 0]);
        expect(boxes()).toEqual(still);
        body.dispose();
      }
    }),
    { numRuns: RUNS },
  );
});

test('what nodes store in float32 still holds every weight and every point', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  const shift = fc.constantFrom(0, 1e5 + 1 / 3);
  fc.assert(
    fc.property(fc.oneof(convexWeights, negativeWeights), shift, (w, offset) => {
      const moved = createTriangleMesh({
        positions: mesh.positions.map((x) => x / 3 + offset),
        triangles: mesh.triangles,
        weld: false,
      });
      const body = createBlendBody(engine, 'skin', w, [], {}, moved);
      const { nodes: stored, boundedNodes } = body.getLocalBounds(false) as HandleBoxes;
      const { u32, f32, f64 } = engine.kernels.memory;
      const rest = body.resident.rest >>> 3;
      for (let node = 0; node < boundedNodes; node++) {
        const o = (stored.nodes >>> 2) + 8 * node;
        for (let e = u32[o]; e < u32[o] + u32[o + 1]; e++) {
          const entry = (stored.entries >>> 2) + 4 * e,
            table = (stored.tables + u32[entry + 3]) >>> 2,
            handle = u32[entry + 2];
          for (const p of pointsOf(body, node)) {
            const own = weightsOf(body, p);
            const weight = handle < JOINTS ? own[handle] : own.reduce((left, x) => left - x, 1);
            const [low, cap] = [f32[entry], f32[entry + 1]];
            if (!(low <= weight + 1e-15 && low + cap >= weight - 1e-15)) throw new Error(`weight ${weight}`);
            if (weight === 0) continue;
            DIRECTIONS.forEach((n, i) => {
              const reach = n.reduce((sum, x, k) => sum + x * (f64[rest + 3 * p + k] - stored.centre[k]), 0);
              if (!(reach <= f32[table + i] + 1e-10)) throw new Error(`point ${p}, direction ${n}`);
            });
          }
        }
      }
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});

test('floor32 and ceil32 enclose, next to each other; rounding to nearest does not', () => {
  const anyNumber = fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
  fc.assert(
    fc.property(anyNumber, (x) => {
      const [low, high] = [floor32(x), ceil32(x)];
      expect(low <= x && x <= high).toBe(true);
      expect([Math.fround(low), Math.fround(high)]).toEqual([low, high]);
      if (low < x && x < high) expect([low, high]).toContain(Math.fround(x));
    }),
    { numRuns: 5000 },
  );
  expect(() => fc.assert(fc.property(anyNumber, (x) => Math.fround(x) <= x))).toThrow('Property failed');
});
