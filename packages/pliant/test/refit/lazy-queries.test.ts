import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Body,
  type CollisionReport,
  createEngine,
  type Engine,
  findAnyCollision,
  findCollisions,
  findSelfCollisions,
  type Tree,
} from '../../src/index.ts';
import { HandleBoxes } from '../../src/refit/handle-boxes.ts';
import { SphereBounds } from '../../src/refit/sphere-bounds.ts';
import { pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import {
  convexWeights,
  createBlendBody,
  createGridMesh,
  fileWeights,
  smoothWeights,
  tamePoses,
} from './blend-arbitraries.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 8;
const LONG = { timeout: 1_200_000 };
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 300, endOnFailure: true };
const METHODS = ['on-demand', 'auto', 'batch', 'depth-first'] as const;
const SHIFT = [1, 0, 0, 0.5, 0, 1, 0, 0.25, 0, 0, 1, 0.125];

type Pair = readonly [number, number];

/** What is asked about a pose, one after the other, and in which way. */
const question = fc.record({
  ask: fc.constantFrom('self', 'pair', 'turned', 'first', 'stopped'),
  method: fc.constantFrom(...METHODS),
  budget: fc.nat(150),
});
const scene = fc.record({
  w: fc.oneof(smoothWeights, convexWeights, fileWeights),
  bounds: fc.constantFrom('boxes', 'two-largest', 'sphere', 'sphere-skin'),
  poses: fc.array(
    fc.record({ pose: tamePoses, questions: fc.array(question, { minLength: 1, maxLength: 6 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});

interface Lies {
  /** Told about each body when it is made. */
  body?: (body: Body) => void;
  /** Told about each report before it is looked at. */
  report?: (report: CollisionReport) => void;
}

/** Whatever was asked before, and whichever way: the answer is that of brute force. */
function property(engine: Engine, { body: lie, report: change }: Lies = {}) {
  const mesh = createGridMesh();
  return fc.property(scene, ({ w, bounds, poses }) => {
    const [a, b] = [0, 1].map(() => createBlendBody(engine, 'skin', w, [], { bounds }, mesh));
    try {
      b.setWorldMatrix(SHIFT);
      for (const body of [a, b]) lie?.(body);
      for (const { pose, questions } of poses) {
        a.setPose(pose.joints);
        b.setPose(pose.joints.toReversed());
        const self = selfPairs(mesh, a.getLocalPositions()),
          pair = pairsBetween(mesh, a.getPositions(), mesh, b.getPositions());
        for (const body of [a, b]) body.setPose(body === a ? pose.joints : pose.joints.toReversed()); // forgets points
        for (const { ask, method, budget } of questions) {
          if (ask === 'self') expect(findSelfCollisions(a, { method }).sortedPairs()).toEqual(self);
          else if (ask === 'pair') expect(findCollisions(a, b, { method }).sortedPairs()).toEqual(pair);
          else if (ask === 'turned') {
            const found = findCollisions(b, a, { method }).sortedPairs();
            expect(found.map(([i, j]) => [j, i]).sort(byOrder)).toEqual(pair);
          } else if (ask === 'first') {
            expect(findAnyCollision(a, b, { method }) === undefined).toBe(pair.length === 0);
          } else {
            const report = findCollisions(a, b, { method, budget: { nodePairs: budget } });
            change?.(report);
            expect(hiddenPairs(report, pair, a.tree, b.tree)).toEqual([]);
          }
        }
      }
    } finally {
      a.dispose();
      b.dispose();
    }
  });
}

function byOrder(p: readonly number[], q: readonly number[]): number {
  return p[0] - q[0] || p[1] - q[1];
}

/** True pairs that are neither found nor below an unresolved pair of nodes, and found ones that are not true. */
function hiddenPairs(report: CollisionReport, truth: readonly Pair[], treeA: Tree, treeB: Tree): Pair[] {
  const found = new Set(report.sortedPairs().map(String));
  const known = new Set(truth.map(String));
  const { data, count } = report.unresolved;
  const isBelow = ({ firstSlot, slotCount, order }: Tree, node: number, triangle: number) => {
    const slot = order.indexOf(triangle) - firstSlot[node];
    return slot >= 0 && slot < slotCount[node];
  };
  const hidden = truth.filter(([i, j]) => {
    if (found.has(`${i},${j}`)) return false;
    for (let k = 0; k < count; k++)
      if (isBelow(treeA, data[2 * k], i) && isBelow(treeB, data[2 * k + 1], j)) return false;
    return true;
  });
  return [...hidden, ...report.sortedPairs().filter((pair) => !known.has(String(pair)))];
}

test('lazy, with a full refit and changing between them: always what brute force finds', LONG, async () => {
  fc.assert(property(await createEngine()), { numRuns: RUNS });
});

test('volumes that forget how much weights vary make that fail', async () => {
  const body = (it: Body) => {
    for (const bounds of [it.getLocalBounds(false), it.getWorldBounds(false)]) {
      if (!(bounds instanceof HandleBoxes)) continue;
      const { entries, entryCount } = bounds.nodes;
      const { f32 } = it.engine.kernels.memory;
      for (let e = 0; e < entryCount; e++) f32[(entries >>> 2) + 4 * e + 1] = 0; // cap
    }
  };
  expect(await outcomeOf({ body })).toContain('Property failed');
});

test('balls that are too small make that fail', async () => {
  const body = (it: Body) => {
    for (const bounds of [it.getLocalBounds(false), it.getWorldBounds(false)]) {
      if (!(bounds instanceof SphereBounds)) continue;
      const { ensure } = bounds;
      bounds.ensure = (node) => {
        ensure.call(bounds, node);
        bounds.ball[4 * node + 3] *= 0.5;
      };
    }
  };
  expect(await outcomeOf({ body })).toContain('Property failed');
});

test('volumes of the last pose make that fail', async () => {
  const body = (it: Body) => {
    for (const bounds of [it.getLocalBounds(false), it.getWorldBounds(false)]) {
      const { begin } = bounds;
      let isFirst = true;
      bounds.begin = (swept) => {
        if (isFirst) begin.call(bounds, swept);
        isFirst = false;
      };
    }
  };
  expect(await outcomeOf({ body })).toContain('Property failed');
});

test('an interrupted query that does not say what it left out makes that fail', async () => {
  expect(await outcomeOf({ report: ({ unresolved }) => unresolved.clear() })).toContain('Property failed');
});

test('… as does one that names a part of it', async () => {
  const report = ({ unresolved }: CollisionReport) => {
    unresolved.count = Math.max(0, unresolved.count - 1);
  };
  expect(await outcomeOf({ report })).toContain('Property failed');
});

async function outcomeOf(lies: Lies): Promise<string> {
  const engine = await createEngine();
  try {
    fc.assert(property(engine, lies), CAUGHT);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was noticed';
}
