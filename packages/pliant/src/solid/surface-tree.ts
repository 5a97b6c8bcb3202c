import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { buildTree } from '../tree/build-tree.ts';
import { firstChild, isLeaf, type Tree, triangleOfLeaf } from '../tree/tree.ts';

/** The tree over a mesh at rest with the box of every node: lo and hi, six numbers each. */
export interface SurfaceTree {
  readonly mesh: TriangleMesh;
  readonly tree: Tree;
  readonly boxes: Float64Array;
}

/** More than any walk that keeps one sibling per level needs: the tree is balanced. */
export const STACK_SIZE = 128;

export function createSurfaceTree(mesh: TriangleMesh): SurfaceTree {
  const tree = buildTree(mesh);
  const boxes = new Float64Array(6 * tree.nodeCount);
  for (let node = tree.nodeCount - 1; node >= 0; node--) {
    const o = 6 * node;
    if (isLeaf(tree, node)) setTriangleBox(mesh, triangleOfLeaf(tree, node), boxes, o);
    else {
      const c = 6 * firstChild(tree, node);
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Math.min(boxes[c + k], boxes[c + 6 + k]);
        boxes[o + 3 + k] = Math.max(boxes[c + 3 + k], boxes[c + 9 + k]);
      }
    }
  }
  return { mesh, tree, boxes };
}

function setTriangleBox(
  { positions, triangles }: TriangleMesh,
  t: number,
  out: Float64Array,
  o: number,
): void {
  const a = 3 * triangles[3 * t],
    b = 3 * triangles[3 * t + 1],
    c = 3 * triangles[3 * t + 2];
  for (let k = 0; k < 3; k++) {
    out[o + k] = Math.min(positions[a + k], positions[b + k], positions[c + k]);
    out[o + 3 + k] = Math.max(positions[a + k], positions[b + k], positions[c + k]);
  }
}
