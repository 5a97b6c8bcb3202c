import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBlendPoints } from '../../../src/cull/blend-points.ts';
import type { GaugeKind } from '../../../src/cull/subspace/gauge.ts';
import { createModeShapes, MetricScaling } from '../../../src/cull/subspace/mode-shapes.ts';
import { createSpread, fitSpread, NodeSpread } from '../../../src/cull/subspace/node-spread.ts';
import { PairRadius } from '../../../src/cull/subspace/pair-radius.ts';
import { PairSearch } from '../../../src/cull/subspace/pair-search.ts';
import { DOWN, nodesUnder } from '../../../src/cull/subspace/radius-parts.ts';
import type { SpreadProblem } from '../../../src/cull/subspace/radius-problem.ts';
import type { BlendDeformer } from '../../../src/deform/blend.ts';
import { createEngine, type Engine } from '../../../src/index.ts';
import { type ModalCase, modalCase } from './modal-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 5;
const engine = await createEngine();

function problemOf(on: Engine, { mesh, modes }: ModalCase, kind: GaugeKind): SpreadProblem {
  const body = on.createModalBody(mesh, modes);
  const { tree, resident, deformer } = body;
  const points = readBlendPoints(on.kernels.memory, resident, deformer as BlendDeformer);
  const scaling = new MetricScaling(modes.count, undefined);
  const shapes = createModeShapes(points, scaling, new Float64Array(modes.count));
  const spread = createSpread(tree, shapes);
  const problem = { tree, shapes, spread, kind };
  for (const _ of fitSpread(problem, nodesUnder(tree, 0).reverse()));
  body.dispose();
  return problem;
}

/** Per pair of slots: the gauge of a pose in which they meet; Infinity for neighbours. */
function meetings({ shapes, kind }: SpreadProblem): Float64Array {
  const { corners } = shapes;
  const slots = corners.length / 3;
  const pair = new PairRadius(shapes, kind);
  const gauges = new Float64Array(slots * slots).fill(Infinity);
  for (let s = 0; s < slots; s++) {
    for (let t = 0; t < s; t++) {
      const own = corners.subarray(3 * s, 3 * s + 3),
        other = corners.subarray(3 * t, 3 * t + 3);
      if (own.some((point) => other.includes(point))) continue;
      pair.load(s, t);
      if (pair.touchAtRest()) gauges[s * slots + t] = gauges[t * slots + s] = 0;
      else {
        pair.search(Infinity, 0.9);
        gauges[s * slots + t] = gauges[t * slots + s] = pair.upper;
      }
    }
  }
  return gauges;
}

/** With `DOWN` for `factor`, what certificates make of a bound: it and the poses that touch are known up to rounding. */
function expectNoneBelow(problem: SpreadProblem, factor: number): void {
  const { tree, shapes, spread, kind } = problem;
  const { firstSlot, slotCount, nodeCount } = tree;
  const bounds = new NodeSpread(spread, shapes, kind);
  const pair = new PairRadius(shapes, kind);
  const slots = shapes.corners.length / 3;
  const gauges = meetings(problem);
  const way = new Float64Array(3);
  for (let a = 0; a < nodeCount; a++) {
    for (let b = 0; b < a; b++) {
      const bound = factor * bounds.bound(a, b);
      if (bound === 0) continue;
      for (let s = firstSlot[a]; s < firstSlot[a] + slotCount[a]; s++) {
        for (let t = firstSlot[b]; t < firstSlot[b] + slotCount[b]; t++) {
          expect(bound).toBeLessThanOrEqual(gauges[s * slots + t]);
        }
      }
      if (slotCount[a] > 1 || slotCount[b] > 1) continue;
      const [s, t] = [firstSlot[a], firstSlot[b]];
      for (let k = 0; k < 3; k++) {
        way[k] = shapes.rest[3 * shapes.corners[3 * s] + k] - shapes.rest[3 * shapes.corners[3 * t] + k];
      }
      bounds.direct(a, b, way);
      expect(factor * pair.estimate(s, t, way)).toBeLessThanOrEqual(gauges[s * slots + t]);
    }
  }
}

test.each(['ball', 'one-sided', 'box'] as const)(
  'no pair of triangles meets below the bound of nodes that hold them, nor below their estimate: %s',
  (kind) => {
    fc.assert(
      fc.property(modalCase, (it) => expectNoneBelow(problemOf(engine, it, kind), DOWN)),
      { numRuns: RUNS },
    );
  },
);

test.each([1e-40, 1e-80, 1e-150])(
  'modes that move things in one direction only, but for %d of it',
  (tiny) => {
    const flat = modalCase.map(({ mesh, modes }) => ({
      mesh,
      modes: {
        count: modes.count,
        displacements: Float64Array.from(modes.displacements, (x, k) => (k % 3 === 1 ? x : tiny * x)),
      },
    }));
    fc.assert(
      fc.property(flat, (it) => expectNoneBelow(problemOf(engine, it, 'ball'), DOWN)),
      { numRuns: RUNS },
    );
  },
);

test('a bound that is too large is found out', () => {
  const lie = fc.property(modalCase, (it) => expectNoneBelow(problemOf(engine, it, 'ball'), 1.1));
  expect(() => fc.assert(lie, { numRuns: 500, endOnFailure: true })).toThrow();
});

test('parts of the whole are searched apart: the least of them is the whole', () => {
  fc.assert(
    fc.property(modalCase, (it) => {
      const problem = problemOf(engine, it, 'ball');
      const search = new PairSearch({ ...problem, ignored: new Float64Array(0) });
      const least = Math.sqrt(0.91);
      const child = problem.tree.link[0];
      search.search(0, 0, Infinity, least);
      const { lower, upper } = search;
      const found: number[] = [];
      for (const [a, b] of [
        [child, child],
        [child + 1, child + 1],
        [child, child + 1],
      ]) {
        search.search(a, b, Infinity, least);
        found.push(search.lower);
        expect(search.upper).toBeGreaterThanOrEqual(DOWN * lower);
      }
      expect(DOWN * Math.min(...found)).toBeLessThanOrEqual(upper);
    }),
    { numRuns: 4 * RUNS },
  );
});
