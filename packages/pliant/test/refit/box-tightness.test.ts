import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ceil32, floor32 } from '../../src/algebra/rounding.ts';
import type { BlendDeformer } from '../../src/deform/blend.ts';
import { type Body, createEngine, createTriangleMesh } from '../../src/index.ts';
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

/** Of boxes in float32, 2⁻²³ (Σ|l| + R + 2 Σ cap)(n + 16) of the largest image: with four handles and images up to 20. */
const MARGIN = 1e-3;

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
  readonly local: number[]; // optimum with the box of what each handle moves: lo.xyz negated, hi.xyz
  readonly plain: number[]; // optimum with the box of the node
  readonly two: number[]; // Eq. 11 with it
  readonly hull: number[]; // the largest of all handles
}

/** The six bounds of a node in every way, in float64. Weights are convex. */
function referenceSides(body: Body, node: number, joints: readonly number[]): Sides {
  const { f64 } = body.engine.kernels.memory;
  const rest = body.resident.rest >>> 3;
  const points = pointsOf(body, node);
  const own = points.map((p) => weightsOf(body, p));
  const used = Array.from({ length: JOINTS }, (_, j) => j).filter((j) => own.some((w) => w[j] !== 0));
  const intervals = used.map((j): Interval => {
    const list = own.map((w) => w[j]);
    return { low: Math.min(...list), high: Math.max(...list) };
  });
  const boxes = [...used, -1].map((j) => {
    const moved = points.filter((_, i) => j < 0 || own[i][j] !== 0);
    return [0, 1, 2].map((k) => moved.map((p) => f64[rest + 3 * p + k]));
  });
  const all = boxes.at(-1)!;
  const sides: Sides = { local: [], plain: [], two: [], hull: [] };
  for (const sign of [-1, 1]) {
    for (let axis = 0; axis < 3; axis++) {
      const support = (joint: number, box: number[][]) => {
        const row = joints.slice(12 * joint + 4 * axis, 12 * joint + 4 * axis + 4).map((x) => sign * x);
        return row[3] + Math.max(...corners(box).map((p) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2]));
      };
      const plain = used.map((j) => support(j, all));
      const local = used.map((j, i) => support(j, intervals[i].low === 0 ? boxes[i] : all));
      sides.local.push(solveGreedily(local, intervals));
      sides.plain.push(solveGreedily(plain, intervals));
      sides.two.push(twoLargest(plain, intervals));
      sides.hull.push(Math.max(...plain));
    }
  }
  return sides;
}

function corners(box: number[][]): number[][] {
  return Array.from({ length: 8 }, (_, c) =>
    box.map((list, k) => ((c >>> k) & 1 ? Math.max(...list) : Math.min(...list))),
  );
}

function sidesOf(bounds: { box: ArrayLike<number>; stride: number }, node: number): number[] {
  return Array.from({ length: 6 }, (_, k) => (k < 3 ? -1 : 1) * bounds.box[bounds.stride * node + k]);
}

test('best is the optimum and two-largest is Eq. 11, up to rounding; each is tighter than the next', async () => {
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
          const order = [sides.local[k], sides.plain[k], sides.two[k], sides.hull[k]];
          expect(order.every((x, i) => i === 0 || x > order[i - 1] - 1e-12 * 20)).toBe(true);
          expect(Math.max(Math.abs(b[k] - sides.local[k]), Math.abs(t[k] - sides.two[k]))).toBeLessThan(
            MARGIN,
          );
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
            const entry = (entries >>> 2) + 9 * e;
            if (u32[entry + 8] === JOINTS) f32[entry + 7] = f32[entry + 6] = 0;
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
          const entry = (stored.entries >>> 2) + 9 * e,
            handle = u32[entry + 8];
          for (const p of pointsOf(body, node)) {
            const own = weightsOf(body, p);
            const weight = handle < JOINTS ? own[handle] : own.reduce((left, x) => left - x, 1);
            const [low, cap] = [f32[entry + 6], f32[entry + 7]];
            if (!(low <= weight + 1e-15 && low + cap >= weight - 1e-15)) throw new Error(`weight ${weight}`);
            for (let k = 0; k < 3 && weight !== 0; k++) {
              const x = f64[rest + 3 * p + k] - stored.centre[k];
              if (!(Math.abs(x - f32[entry + k]) <= f32[entry + 3 + k]))
                throw new Error(`point ${p}, axis ${k}`);
            }
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
