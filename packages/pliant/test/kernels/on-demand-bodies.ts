import fc from 'fast-check';
import { expect } from 'vitest';
import { BlendDeformer } from '../../src/deform/blend.ts';
import { PlacedPoints } from '../../src/deform/placed.ts';
import type { HandledDeformer, MotionEnd, PointSource } from '../../src/deform/point-source.ts';
import { RestShape } from '../../src/deform/rest.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { HandleBoxes } from '../../src/refit/handle-boxes.ts';
import { ResidentMesh } from '../../src/tree/resident-mesh.ts';
import { isLeaf, type Tree } from '../../src/tree/tree.ts';
import { type TreeCase, treeCase } from './kernel-cases.ts';
import { Twins } from './twins.ts';

const JOINTS = 6;
const INFLUENCES = 5;
const MODES = 3;

export const twins = await Twins.create();

export interface BodyCase {
  readonly shape: TreeCase;
  /** Numbers that weights and displacements of the vertices are taken from. */
  readonly weights: readonly number[] | undefined;
  readonly displacements: readonly number[] | undefined;
  readonly areNormalised: boolean;
  readonly isPlaced: boolean;
  readonly variant: 'best' | 'two-largest';
  readonly followsFront: boolean;
}

export interface PoseCase {
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
export const bodyCase: fc.Arbitrary<BodyCase> = fc.record({
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
  readonly deformer: HandledDeformer;
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
export class BodyTwins {
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

export function leavesOf(tree: Tree): number[] {
  return Array.from({ length: tree.nodeCount }, (_, node) => node).filter((node) => isLeaf(tree, node));
}

export function areApart(p: readonly number[], q: readonly number[]): boolean {
  return [0, 1, 2].some((k) => p[k] > q[3 + k] || q[k] > p[3 + k]);
}

/** Frees the bodies whatever happens: the next case expects empty memory. */
export function withBodies(cases: readonly BodyCase[], run: (...bodies: BodyTwins[]) => void): void {
  twins.reset();
  const bodies = cases.map((it) => new BodyTwins(it));
  try {
    run(...bodies);
  } finally {
    for (const body of bodies) body.free();
  }
}

export const poseList = fc.array(poseCase, { minLength: 1, maxLength: 3 });
