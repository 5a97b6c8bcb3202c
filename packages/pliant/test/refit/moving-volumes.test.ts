import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Body, createEngine, createTriangleMesh } from '../../src/index.ts';
import { grid, matrix } from '../arbitraries.ts';
import { createBlendBody, createGridMesh, JOINTS, smoothWeights } from './blend-arbitraries.ts';
import { MOVING_KINDS, type PosePlan } from './moving-bodies.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 12;
const TIMES = 100;
const LONG = { timeout: 1_200_000 };
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 200, endOnFailure: true };

/** Where all points are, at an end of the motion. */
function pointsAt(body: Body, end: 0 | 1, isWorld: boolean): Float64Array {
  const source = isWorld ? body.world : body.deformer;
  source.ensureAll(end);
  const address = source.address(end) >>> 3; // may allocate, so before the views are read
  return body.engine.kernels.memory.f64.slice(address, address + 3 * body.resident.pointCount);
}

/** On the straight way from one end to the other. */
function between(start: Float64Array, end: Float64Array, time: number): Float64Array {
  return start.map((x, k) => {
    const at = x + time * (end[k] - x);
    return Math.min(Math.max(x, end[k]), Math.max(Math.min(x, end[k]), at)); // what rounding adds is not on it
  });
}

/** The first point at any of the times that a node's volume does not hold, as a message. */
function findLeaver(
  body: Body,
  isWorld: boolean,
  at: (time: number) => Float64Array,
  tolerance = 0,
  swept = true,
): string | undefined {
  const { tree, resident, engine } = body;
  const bounds = isWorld ? body.getWorldBounds(true) : body.getLocalBounds(true);
  bounds.begin(swept);
  bounds.refitAll();
  const moments = Array.from({ length: TIMES }, (_, k) => at(k / (TIMES - 1)));
  const { box, stride, boundedNodes } = bounds;
  const { u32 } = engine.kernels.memory;
  for (let node = 0; node < boundedNodes; node++) {
    if (tree.slotCount[node] < 4) continue; // volumes of their own are made when they are asked for
    const first = (resident.corners >>> 2) + 3 * tree.firstSlot[node];
    const points = new Set(u32.subarray(first, first + 3 * tree.slotCount[node]));
    const o = stride * node;
    for (const [k, positions] of moments.entries()) {
      for (const p of points) {
        for (let axis = 0; axis < 3; axis++) {
          const x = positions[3 * p + axis];
          if (box[o + axis] <= x + tolerance && x - tolerance <= box[o + 3 + axis]) continue;
          return `node ${node}, time ${k}/${TIMES - 1}, axis ${axis}: ${x} is outside ${box.slice(o, o + 6)}`;
        }
      }
    }
  }
  return undefined;
}

function findStraightLeaver(body: Body, isWorld: boolean, swept = true): string | undefined {
  const start = pointsAt(body, 0, isWorld),
    end = pointsAt(body, 1, isWorld);
  return findLeaver(body, isWorld, (time) => between(start, end, time), 0, swept);
}

describe.each(MOVING_KINDS)('$name', ({ plan, isLinear }) => {
  test('volumes of a motion hold all points below at 100 times on the way', LONG, async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(plan, matrix, matrix, ({ create, poses: [first, second] }, start, end) => {
        const body = create(engine);
        body.setMotion(first.toPose(first.numbers), second.toPose(second.numbers));
        expect(findStraightLeaver(body, false)).toBeUndefined();
        body.setWorldMotion(start, end);
        expect(findStraightLeaver(body, true)).toBeUndefined();
        body.dispose();
      }),
      { numRuns: RUNS },
    );
  });

  test('… which volumes of its start do not', async () => {
    const engine = await createEngine();
    expect(() =>
      fc.assert(
        fc.property(plan, ({ create, calm: [first, second] }) => {
          const body = create(engine);
          body.setMotion(first.toPose(first.numbers), second.toPose(second.numbers));
          const message = findStraightLeaver(body, false, false);
          body.dispose();
          return message === undefined;
        }),
        CAUGHT,
      ),
    ).toThrow('Property failed');
  });

  test.skipIf(!isLinear)('… as do handles that go straight from one pose to the other', LONG, async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(plan, ({ create, calm: [first, second] }) => {
        const body = create(engine),
          guide = create(engine);
        body.setMotion(first.toPose(first.numbers), second.toPose(second.numbers));
        const at = (time: number) => {
          guide.setPose(first.toPose(mix(first, second, time)));
          return pointsAt(guide, 0, false);
        };
        const size = Math.max(...[0, 0.5, 1].flatMap((time) => [...at(time)].map(Math.abs)));
        expect(findLeaver(body, false, at, 1e-9 * size)).toBeUndefined();
        body.dispose();
        guide.dispose();
      }),
      { numRuns: RUNS },
    );
  });
});

function mix({ numbers: a }: PosePlan, { numbers: b }: PosePlan, share: number): number[] {
  return a.map((x, k) => x + share * (b[k] - x));
}

test('bodies given by their vertices, and rigid ones, hold theirs', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(grid(5, 4));
  const coordinates = fc.array(
    fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -1, max: 1, noNaN: true })),
    {
      minLength: mesh.positions.length,
      maxLength: mesh.positions.length,
    },
  );
  fc.assert(
    fc.property(coordinates, coordinates, matrix, matrix, (first, second, start, end) => {
      const free = engine.createFreeBody(mesh),
        rigid = engine.createRigidBody(mesh);
      free.setMotion(first, second);
      expect(findStraightLeaver(free, false)).toBeUndefined();
      free.setWorldMotion(start, end);
      rigid.setMotion(start, end);
      for (const body of [free, rigid]) {
        expect(findStraightLeaver(body, true)).toBeUndefined();
        body.dispose();
      }
    }),
    { numRuns: RUNS },
  );
});

/** About z, for the joint at 0 and against it for the other ones. */
function turned(angle: number): number[] {
  return Array.from({ length: JOINTS }, (_, j) => {
    const a = j === 0 ? angle : -angle / 2;
    return [Math.cos(a), -Math.sin(a), 0, 0, Math.sin(a), Math.cos(a), 0, 0, 0, 0, 1, 0];
  }).flat();
}

test('joints that turn leave the straight motion by a quarter as much when steps are halved', async () => {
  const engine = await createEngine();
  const mesh = createGridMesh();
  fc.assert(
    fc.property(smoothWeights, fc.double({ min: 0.05, max: 0.4, noNaN: true }), (w, angle) => {
      const body = createBlendBody(engine, 'skin', w, [], {}, mesh);
      const placesAt = (a: number) => {
        body.setPose(turned(a));
        return pointsAt(body, 0, false);
      };
      // The farthest that any point is from where it would be on the chord, at the same time, over all steps.
      const deviation = (steps: number) => {
        let most = 0;
        for (let step = 0; step < steps; step++) {
          const [from, to] = [step, step + 1].map((k) => placesAt((angle * k) / steps));
          for (let k = 1; k < 16; k++) {
            const real = placesAt((angle * (step + k / 16)) / steps);
            const straight = between(from, to, k / 16);
            for (let i = 0; i < real.length; i += 3)
              most = Math.max(most, Math.hypot(real[i] - straight[i], real[i + 1] - straight[i + 1]));
          }
        }
        return most;
      };
      const [whole, halves, quarters] = [1, 2, 4].map(deviation);
      for (const ratio of [whole / halves, halves / quarters]) {
        expect(ratio).toBeGreaterThan(3.8);
        expect(ratio).toBeLessThan(4.2);
      }
      // Turning about the origin at constant speed, a point at distance s is s angle² / 8 off at most.
      const farthest = Math.hypot(8, 6);
      expect(whole).toBeLessThan((farthest * angle ** 2) / 8);
      body.dispose();
    }),
    { numRuns: RUNS },
  );
});
