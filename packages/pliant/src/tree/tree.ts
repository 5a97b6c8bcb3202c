import { LEAF, SLOT } from '../kernels/kernels.ts';

/**
 * A binary tree over triangles, one per leaf. Topology only; volumes live in refit/.
 *
 * Nodes are in level order: the root is 0, levels are contiguous and the two children of a node are adjacent,
 * so a child always follows its parent and walking backwards meets children first. The triangles under a node
 * are a range of `order`; a position in `order` is called a slot.
 */
export interface Tree {
  readonly nodeCount: number;
  readonly link: Uint32Array; // inner node: its first child; leaf: LEAF | slot
  readonly firstSlot: Uint32Array;
  readonly slotCount: Uint32Array;
  readonly order: Uint32Array; // slot -> triangle
  readonly levelStart: Uint32Array; // first node of each level, and nodeCount at the end
}

export const ROOT = 0;

export function isLeaf(tree: Tree, node: number): boolean {
  return tree.link[node] >= LEAF;
}

/** The first child of an inner node; the second is the next node. */
export function firstChild(tree: Tree, node: number): number {
  return tree.link[node];
}

/** The leaf of a slot, found from the root. */
export function leafOfSlot({ link, firstSlot }: Tree, slot: number): number {
  let node = ROOT;
  while (link[node] < LEAF) node = slot < firstSlot[link[node] + 1] ? link[node] : link[node] + 1;
  return node;
}

/** The triangle of a leaf. */
export function triangleOfLeaf(tree: Tree, leaf: number): number {
  return tree.order[tree.link[leaf] & SLOT];
}
