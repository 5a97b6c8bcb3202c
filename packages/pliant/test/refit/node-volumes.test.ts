import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Body, createEngine } from '../../src/index.ts';
import {
  convexWeights,
  createBlendBody,
  createGridMesh,
  JOINTS,
  MODES,
  tameNumbers,
  tamePoses,
  vertexCount,
} from './blend-arbitraries.ts';
import { handle, MOVING_KINDS, POSES } from './moving-bodies.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 12;
const LONG = { timeout: 1_200_000 };
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 200, endOnFailure: true };

const order = fc.array(fc.nat(), { minLength: 1, maxLength: 30 });
const place = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

/** Asks for some nodes, one after the other; the first point of their triangles outside, as a message. */
function findStray(
  body: Body,
  nodes: readonly number[],
  [u, v]: readonly [number, number],
  begin = true,
): string | undefined {
  const { tree, resident, deformer, engine } = body;
  const bounds = body.getLocalBounds(false);
  if (begin) bounds.begin(false);
  const asked = nodes.map((k) => k % bounds.boundedNodes).filter((node) => tree.slotCount[node] >= 4);
  const boxes = asked.map((node) => {
    bounds.ensure(node);
    return bounds.box.slice(bounds.stride * node, bounds.stride * node + 6);
  });
  deformer.ensureAll(0); // afterwards: volumes must not rely on it
  const points = deformer.address(0) >>> 3;
  const { f64, u32 } = engine.kernels.memory;
  const shares = [Math.min(u, v), Math.abs(u - v), 1 - Math.max(u, v)];
  for (const [i, node] of asked.entries()) {
    const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
    for (let c = first; c < first + 3 * tree.slotCount[node]; c += 3) {
      for (let k = 0; k < 3; k++) {
        const corners = [0, 1, 2].map((e) => f64[points + 3 * u32[c + e] + k]);
        const inside = corners.reduce((sum, x, e) => sum + shares[e] * x, 0);
        const between = Math.min(Math.max(inside, Math.min(...corners)), Math.max(...corners)); // without rounding
        for (const x of [...corners, between]) {
          if (boxes[i][k] <= x && x <= boxes[i][3 + k]) continue;
          return `node ${node}, axis ${k}: ${x} is outside ${boxes[i]}`;
        }
      }
    }
  }
  return undefined;
}

describe.each(MOVING_KINDS)('$name', ({ plan }) => {
  test(
    'nodes asked for in any order, pose after pose, hold every point of their triangles',
    LONG,
    async () => {
      const engine = await createEngine();
      fc.assert(
        fc.property(
          plan,
          fc.array(order, { minLength: 2 * POSES, maxLength: 2 * POSES }),
          place,
          ({ create, poses, calm }, orders, at) => {
            const body = create(engine);
            [...poses, ...calm].forEach(({ numbers, toPose }, k) => {
              body.setPose(toPose(numbers));
              expect(findStray(body, orders[k], at)).toBeUndefined();
            });
            body.dispose();
          },
        ),
        { numRuns: RUNS },
      );
    },
  );

  test('volumes that a new pose leaves as they were are found out', async () => {
    const engine = await createEngine();
    expect(() =>
      fc.assert(
        fc.property(plan, order, place, ({ create, calm: [first, second] }, nodes, at) => {
          const body = create(engine);
          body.setPose(first.toPose(first.numbers));
          expect(findStray(body, nodes, at)).toBeUndefined();
          body.setPose(second.toPose(second.numbers));
          const message = findStray(body, nodes, at, false); // without `begin`, as if nothing had moved
          body.dispose();
          return message === undefined;
        }),
        CAUGHT,
      ),
    ).toThrow('Property failed');
  });
});

test('one joint that moves takes everything along that it has a share in', LONG, async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  const check = (isNoticed: boolean) =>
    fc.property(
      convexWeights,
      tamePoses,
      fc.nat(JOINTS - 1),
      handle,
      order,
      (w, { joints }, joint, moved, nodes) => {
        for (const bounds of ['boxes', 'two-largest', 'sphere', 'sphere-skin'] as const) {
          const body = createBlendBody(engine, 'skin', w, [], { bounds }, mesh);
          body.setPose(joints);
          expect(findStray(body, nodes, [0.3, 0.6])).toBeUndefined();
          body.setPose(joints.map((x, k) => (Math.trunc(k / 12) === joint ? moved[k % 12] : x)));
          const message = findStray(body, nodes, [0.3, 0.6], isNoticed);
          body.dispose();
          if (message !== undefined) return false;
        }
        return true;
      },
    );
  fc.assert(check(true), { numRuns: RUNS });
  expect(() => fc.assert(check(false), CAUGHT)).toThrow('Property failed');
});

test('modes at 0 leave the volumes of a skin as they are without them', LONG, async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  const displacements = tameNumbers(MODES * 3 * vertexCount);
  fc.assert(
    fc.property(convexWeights, displacements, tamePoses, (w, d, { joints }) => {
      for (const bounds of ['boxes', 'two-largest', 'sphere', 'sphere-skin'] as const) {
        const plain = createBlendBody(engine, 'skin', w, [], { bounds }, mesh),
          morphed = createBlendBody(engine, 'skin-modes', w, d, { bounds }, mesh);
        plain.setPose(joints);
        morphed.setPose({ joints, modes: new Array(MODES).fill(0) });
        const [expected, found] = [plain, morphed].map((body) => {
          const boxes = body.getLocalBounds(false);
          boxes.begin(false);
          boxes.refitAll();
          const length = boxes.stride * boxes.boundedNodes;
          return Array.from(boxes.box.slice(0, length)).filter((_, k) => k % boxes.stride < 6);
        });
        const most = found.reduce((sofar, x, k) => Math.max(sofar, Math.abs(x - expected[k])), 0);
        expect(most).toBeLessThan(bounds === 'boxes' || bounds === 'two-largest' ? 1e-3 : 1e-10); // the margin of three more terms
        plain.dispose();
        morphed.dispose();
      }
    }),
    { numRuns: RUNS },
  );
});
