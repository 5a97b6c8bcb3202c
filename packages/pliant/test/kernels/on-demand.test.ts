import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlendDeformer } from '../../src/deform/blend.ts';
import { PlacedPoints } from '../../src/deform/placed.ts';
import type { Deformer, MotionEnd, PointSource } from '../../src/deform/point-source.ts';
import { RestShape } from '../../src/deform/rest.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { HandleBoxes } from '../../src/refit/handle-boxes.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { ResidentMesh } from '../../src/tree/resident-mesh.ts';
import { isLeaf, type Tree } from '../../src/tree/tree.ts';
import { grid } from '../arbitraries.ts';
import { byOrder, createTreeCase, type TreeCase, treeCase } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 150;
const JOINTS = 6;
const INFLUENCES = 5;
const MODES = 3;
const ROOM = 30;

const twins = await Twins.create();

interface BodyCase {
  readonly shape: TreeCase;
  /** Numbers that weights and displacements of the vertices are taken from. */
  readonly weights: readonly number[] | undefined;
  readonly displacements: readonly number[] | undefined;
  readonly areNormalised: boolean;
  readonly isPlaced: boolean;
  readonly variant: 'best' | 'two-largest';
  readonly followsFront: boolean;
}

interface PoseCase {
  readonly numbers: readonly number[];
  readonly scale: number;
  readonly isMotion: boolean;
  readonly isSwept: boolean;
  readonly ensuresAll: boolean;
}

const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
  { weight: 4, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(1e6, -1e-6, 1e-12, -0) },
);
const weight = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 0.25) },
  { weight: 1, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
);
const bodyCase: fc.Arbitrary<BodyCase> = fc.record({
  shape: treeCase(40),
  weights: fc.option(fc.array(weight, { minLength: 1, maxLength: 60 }), { nil: undefined, freq: 5 }),
  displacements: fc.option(fc.array(number, { minLength: 1, maxLength: 60 }), { nil: undefined, freq: 2 }),
  areNormalised: fc.boolean(),
  isPlaced: fc.boolean(),
  variant: fc.constantFrom('best', 'two-largest'),
  followsFront: fc.boolean(),
});
const poseCase: fc.Arbitrary<PoseCase> = fc.record({
  numbers: fc.array(number, { minLength: 12, maxLength: 12 * JOINTS }),
  scale: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constantFrom(1e-20, 1e20, 1e25)),
  isMotion: fc.boolean(),
  isSwept: fc.boolean(),
  ensuresAll: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
});

/** A body in the memory of one of the twins. */
class Fixture {
  readonly mesh: ResidentMesh;
  readonly deformer: Deformer;
  readonly placed: PlacedPoints | undefined;
  readonly boxes: HandleBoxes;

  constructor(kernels: Kernels, it: BodyCase) {
    const { mesh, tree } = it.shape;
    const { variant, followsFront } = it;
    this.mesh = new ResidentMesh(kernels, mesh, tree);
    const skin = it.weights && skinOf(it),
      modes = it.displacements && modesOf(it);
    this.deformer =
      skin || modes ? new BlendDeformer(kernels, this.mesh, skin, modes) : new RestShape(this.mesh);
    this.placed = it.isPlaced ? new PlacedPoints(kernels, this.deformer, this.mesh.pointCount) : undefined;
    this.boxes = new HandleBoxes(kernels, this.mesh, this.deformer, this.placed, { variant, followsFront });
  }

  get source(): PointSource {
    return this.placed ?? this.deformer;
  }

  setPose({ numbers, scale, isMotion, ensuresAll }: PoseCase): void {
    const take = (count: number, shift: number) =>
      Array.from({ length: count }, (_, k) => scale * numbers[(k + shift) % numbers.length]);
    if (this.deformer instanceof BlendDeformer) {
      const { skinList, modeList } = this.deformer;
      const pose = (shift: number) => {
        const joints = take(12 * JOINTS, shift),
          modes = take(MODES, shift + 5);
        return skinList && modeList ? { joints, modes } : skinList ? joints : modes;
      };
      if (isMotion) this.deformer.setMotion(pose(0), pose(1));
      else this.deformer.setPose(pose(0));
    }
    if (isMotion && numbers[0] > 0) this.placed?.setMatrices(take(12, 3), take(12, 7));
    else this.placed?.setMatrix(take(12, 3));
    if (ensuresAll) for (const end of [0, 1] as const) this.source.ensureAll(end);
  }

  free(): void {
    this.boxes.free();
    this.placed?.free();
    this.deformer.free();
    this.mesh.free();
  }
}

/** Welded vertices get the same weights. */
function skinOf({ shape: { mesh }, weights, areNormalised }: BodyCase) {
  const joints: number[] = [],
    values: number[] = [];
  for (let source = 0; source < mesh.sourceVertexCount; source++) {
    const v = mesh.weldedVertex[source];
    const own = Array.from(
      { length: INFLUENCES },
      (_, k) => weights![(v * INFLUENCES + k) % weights!.length],
    );
    const sum = own.reduce((total, w) => total + w, 0);
    joints.push(...own.map((_, k) => (v + k * (k + 1)) % JOINTS));
    values.push(...(areNormalised && Math.abs(sum) > 0.1 ? own.map((w) => w / sum) : own));
  }
  return { jointCount: JOINTS, influences: INFLUENCES, joints, weights: values };
}

function modesOf({ shape: { mesh }, displacements: d }: BodyCase) {
  const list: number[] = [];
  for (let mode = 0; mode < MODES; mode++) {
    for (let source = 0; source < mesh.sourceVertexCount; source++) {
      for (let k = 0; k < 3; k++)
        list.push(d![(mode * 7 + 3 * mesh.weldedVertex[source] + mode * k + k) % d!.length]);
    }
  }
  return { count: MODES, displacements: list };
}

/** The same body twice. */
class BodyTwins {
  readonly tree: Tree;
  readonly side: number;
  readonly #wasm: Fixture;
  readonly #ts: Fixture;

  constructor(it: BodyCase) {
    this.tree = it.shape.tree;
    this.#wasm = new Fixture(twins.wasm, it);
    this.#ts = new Fixture(twins.ts, it);
    this.side = this.#wasm.boxes.side;
    expect(this.#ts.boxes.side).toBe(this.side);
  }

  of({ name }: Kernels): Fixture {
    return name === 'wasm' ? this.#wasm : this.#ts;
  }

  pose(it: PoseCase): void {
    twins.run((k) => this.of(k).setPose(it));
    twins.run((k) => this.of(k).boxes.begin(it.isSwept));
  }

  ensure(node: number): Float32Array {
    twins.run((k) => k.ensureBox(this.side, node));
    return this.#wasm.boxes.box.slice(8 * node, 8 * node + 6);
  }

  /** Boxes of the points themselves. Evaluates all, which changes nothing that the kernels look at in this pose. */
  exactBoxes(nodes: readonly number[], isSwept: boolean): number[][] {
    const { mesh, source } = this.#wasm;
    const ends: readonly MotionEnd[] = isSwept ? [0, 1] : [0];
    twins.run((k) => ends.forEach((end) => void this.of(k).source.ensureAll(end)));
    const corners = twins.u32(mesh.corners, 3 * mesh.mesh.triangleCount);
    const poses = ends.map((end) => twins.f64(source.address(end), 3 * mesh.pointCount));
    return nodes.map((node) => {
      const first = 3 * this.tree.firstSlot[node];
      return boxOf(poses, corners.subarray(first, first + 3 * this.tree.slotCount[node]));
    });
  }

  free(): void {
    this.#ts.free();
    this.#wasm.free();
  }
}

function boxOf(poses: readonly Float64Array[], points: Uint32Array): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const pose of poses) {
    for (const p of points) {
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], pose[3 * p + k]);
        box[3 + k] = Math.max(box[3 + k], pose[3 * p + k]);
      }
    }
  }
  return box;
}

/** Works a whole traversal off in pieces of `steps` pairs; returns its leaf pairs. */
function traverse(a: BodyTwins, b: BodyTwins, lists: Lists, steps: number): [number, number][] {
  const { stack, leaves, counts } = lists;
  const self = a === b ? 1 : 0;
  const found: [number, number][] = [];
  twins.run(({ memory }) => void memory.u32.fill(0, stack >>> 2, (stack >>> 2) + 2));
  let depth = self || twins.run((k) => k.testBoxes(a.side, 0, b.side, 0));
  while (depth > 0) {
    const before = depth;
    twins.run((k) => k.descendOnDemand(a.side, b.side, stack, before, leaves, ROOM, steps, self, counts));
    const [after, count] = twins.u32(counts, 2);
    expect(count).toBeLessThanOrEqual(ROOM);
    found.push(...twins.pairs(leaves, count));
    depth = after;
  }
  return found;
}

interface Lists {
  readonly stack: number;
  readonly leaves: number;
  readonly counts: number;
}

/** Last, so that the twins compare everything before. One pair makes way for three at most. */
function placeLists(...bodies: BodyTwins[]): Lists {
  const nodes = bodies.reduce((sum, { tree }) => sum + tree.nodeCount, 0);
  return {
    leaves: twins.reserve(8 * ROOM),
    counts: twins.reserve(16),
    stack: twins.reserve(8 * (2 * nodes + 3)),
  };
}

function leavesOf(tree: Tree): number[] {
  return Array.from({ length: tree.nodeCount }, (_, node) => node).filter((node) => isLeaf(tree, node));
}

function areApart(p: readonly number[], q: readonly number[]): boolean {
  return [0, 1, 2].some((k) => p[k] > q[3 + k] || q[k] > p[3 + k]);
}

/** Leaf pairs that a traversal has to find: those whose triangles' boxes overlap. */
function overlapping(a: BodyTwins, b: BodyTwins, sweptA: boolean, sweptB: boolean): [number, number][] {
  const leavesA = leavesOf(a.tree),
    leavesB = leavesOf(b.tree);
  const boxesA = a.exactBoxes(leavesA, sweptA),
    boxesB = b.exactBoxes(leavesB, sweptB);
  const pairs: [number, number][] = [];
  leavesA.forEach((n, i) => {
    leavesB.forEach((m, j) => {
      if ((a !== b || n < m) && !areApart(boxesA[i], boxesB[j])) pairs.push([n, m]);
    });
  });
  return pairs;
}

/** No pair twice, and none of `expected` missing; order within a pair of leaves of one body is free. */
function expectAll(found: [number, number][], expected: [number, number][], self: boolean): void {
  const key = ([n, m]: [number, number]) => (self && n > m ? `${m} ${n}` : `${n} ${m}`);
  const keys = new Set(found.map(key));
  expect(keys.size).toBe(found.length);
  expect(expected.filter((pair) => !keys.has(key(pair))).sort(byOrder)).toEqual([]);
}

/** Frees the bodies whatever happens: the next case expects empty memory. */
function withBodies(cases: readonly BodyCase[], run: (...bodies: BodyTwins[]) => void): void {
  twins.reset();
  const bodies = cases.map((it) => new BodyTwins(it));
  try {
    run(...bodies);
  } finally {
    for (const body of bodies) body.free();
  }
}

const poseList = fc.array(poseCase, { minLength: 1, maxLength: 3 });

test('placeHandles and ensureBox: the same bytes, around every point below', () => {
  fc.assert(
    fc.property(bodyCase, poseList, fc.array(fc.nat(), { maxLength: 20 }), (it, poses, order) => {
      withBodies([it], (body) => {
        placeLists(body);
        for (const pose of poses) {
          body.pose(pose);
          const nodes = order.map((k) => k % body.tree.nodeCount);
          const boxes = nodes.map((node) => body.ensure(node));
          body.exactBoxes(nodes, pose.isSwept).forEach((exact, i) => {
            for (let k = 0; k < 3; k++) {
              expect(boxes[i][k]).toBeLessThanOrEqual(exact[k]);
              expect(boxes[i][3 + k]).toBeGreaterThanOrEqual(exact[3 + k]);
            }
          });
        }
      });
    }),
    { numRuns: RUNS },
  );
});

const stepCount = fc.constantFrom(5, 20, 100, 1000);

test('descendOnDemand in one body: the same bytes, and every pair of leaves that overlaps once', () => {
  fc.assert(
    fc.property(bodyCase, poseList, stepCount, (it, poses, steps) => {
      withBodies([it], (body) => {
        const lists = placeLists(body);
        for (const pose of poses) {
          body.pose(pose);
          const found = traverse(body, body, lists, steps);
          expectAll(found, overlapping(body, body, pose.isSwept, pose.isSwept), true);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('descendOnDemand between two bodies: the same', () => {
  fc.assert(
    fc.property(bodyCase, bodyCase, poseList, poseList, stepCount, (first, second, posesA, posesB, steps) => {
      withBodies([first, second], (a, b) => {
        const lists = placeLists(a, b);
        for (let k = 0; k < Math.max(posesA.length, posesB.length); k++) {
          const poseA = posesA[k % posesA.length],
            poseB = posesB[k % posesB.length];
          a.pose(poseA);
          b.pose(poseB);
          const found = traverse(a, b, lists, steps);
          expectAll(found, overlapping(a, b, poseA.isSwept, poseB.isSwept), false);
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('boxes that lie lose pairs of leaves, and the checks above notice', () => {
  const mesh = createTriangleMesh(grid(3, 3));
  const it: BodyCase = {
    shape: createTreeCase(mesh, buildTree(mesh)),
    weights: [0.5, 0.25, 0.25, 0, 0],
    displacements: undefined,
    areNormalised: true,
    isPlaced: false,
    variant: 'best',
    followsFront: false,
  };
  const pose = {
    numbers: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
    scale: 1,
    isMotion: false,
    isSwept: false,
    ensuresAll: false,
  };
  withBodies([it, it], (a, b) => {
    const lists = placeLists(a, b);
    for (const origin of [0, 1.5]) {
      a.pose(pose);
      b.pose(pose);
      // The first number of a place, from which the boxes of large nodes are measured.
      twins.run(({ memory }) => void (memory.f64[(a.side >>> 3) + 24] += origin));
      const found = traverse(a, b, lists, 1000);
      const check = () => expectAll(found, overlapping(a, b, false, false), false);
      if (origin === 0) check();
      else expect(check).toThrow();
    }
  });
});
