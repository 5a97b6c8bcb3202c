import fc from 'fast-check';
import { LEAF } from '../../src/kernels/kernels.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import type { Tree } from '../../src/tree/tree.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { splitRule } from '../tree/split-rules.ts';

/** Coordinates of every size a body accepts, among them equal ones, denormal ones and both zeros. */
export const coordinate: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: -(2 ** 300), max: 2 ** 300, noNaN: true }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, -0, 5e-324, -5e-324, 1e-300, 2 ** 300, -(2 ** 300), 1 + 2 ** -52),
  },
);

export function points(max: number): fc.Arbitrary<Float64Array> {
  return fc
    .oneof(
      fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: max }),
      fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: max }),
    )
    .map((list) => Float64Array.from(list.flat()));
}

export interface TreeCase {
  readonly mesh: TriangleMesh;
  readonly tree: Tree;
  /** Corners per slot and one number more, as the kernels want them; points are welded vertices. */
  readonly corners: Uint32Array;
  readonly positions: Float64Array;
}

export function createTreeCase(mesh: TriangleMesh, tree: Tree, positions = mesh.positions): TreeCase {
  const corners = new Uint32Array(3 * mesh.triangleCount + 1);
  tree.order.forEach((t, slot) => {
    corners.set(mesh.triangles.subarray(3 * t, 3 * t + 3), 3 * slot);
  });
  corners[3 * mesh.triangleCount] = 0xffffffff;
  return { mesh, tree, corners, positions };
}

/** A mesh with any tree, in rest or posed. */
export function treeCase(maxTriangles = 24): fc.Arbitrary<TreeCase> {
  const soup = fc.tuple(triangleSoup(maxTriangles), splitRule).map(([source, split]) => {
    const mesh = createTriangleMesh(source);
    return createTreeCase(mesh, buildTree(mesh, { split }));
  });
  const grid = fc.tuple(gridWithPose(4), splitRule).map(([{ source, pose }, split]) => {
    const mesh = createTriangleMesh(source);
    return createTreeCase(mesh, buildTree(mesh, { split }), pose);
  });
  return fc.oneof(soup, grid);
}

export function leavesUnder(tree: Tree, node: number): number[] {
  const found: number[] = [];
  const stack = [node];
  while (stack.length > 0) {
    const n = stack.pop()!;
    if (tree.link[n] >= LEAF) found.push(n);
    else stack.push(tree.link[n], tree.link[n] + 1);
  }
  return found;
}

export function byOrder(p: readonly number[], q: readonly number[]): number {
  return p[0] - q[0] || p[1] - q[1];
}
