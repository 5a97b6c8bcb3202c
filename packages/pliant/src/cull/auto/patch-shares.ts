import type { Body } from '../../body/body.ts';
import { unite } from '../../mesh/union-find.ts';
import { isLeaf, ROOT, type Tree } from '../../tree/tree.ts';
import { findTouchingPairs, RestShapeDistances } from '../rest-pairs.ts';
import { readRestSurface } from '../rest-surface.ts';

/** Shares of a body's triangles, from 0 to 1, by the patches that they are in. */
export interface PatchShares {
  /** In patches that hang together. */
  readonly connected: number;
  /** In patches that hardly touch themselves at rest. */
  readonly clear: number;
}

/** The largest patches that get proofs. */
const LARGEST = 1024;
/** As in the certificates: closer is touching, and more of it leaves nothing to prove. */
const TOUCHING = 1e-6;
const EXCEPTION_SHARE = 1 / 32;

/** Whether the rest shape lends itself to proofs: far quicker than preparing them. */
export function measurePatches({ tree, resident }: Body): PatchShares {
  const { firstSlot, slotCount } = tree;
  const { rest, corners } = readRestSurface(resident);
  const distances = new RestShapeDistances(tree, rest, corners);
  const touching = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, EXCEPTION_SHARE);
  const pieces = new PieceCounter(corners, resident.pointCount);
  let connected = 0,
    clear = 0;
  for (const node of listPatches(tree)) {
    const count = slotCount[node];
    if (pieces.count(firstSlot[node], count) === 1) connected += count;
    if (!touching.isCrowded[node] && touching.below[node] <= 2 + EXCEPTION_SHARE * count) clear += count;
  }
  return { connected: connected / slotCount[ROOT], clear: clear / slotCount[ROOT] };
}

function listPatches(tree: Tree): number[] {
  const patches: number[] = [];
  const stack = [ROOT];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (tree.slotCount[node] <= LARGEST || isLeaf(tree, node)) patches.push(node);
    else stack.push(tree.link[node], tree.link[node] + 1);
  }
  return patches;
}

/** Counts the pieces of a range of triangles: those that share a point are one. */
class PieceCounter {
  readonly #corners: Uint32Array;
  readonly #parent: Int32Array; // per point; −1: not seen

  constructor(corners: Uint32Array, pointCount: number) {
    this.#corners = corners;
    this.#parent = new Int32Array(pointCount).fill(-1);
  }

  count(firstSlot: number, slotCount: number): number {
    const corners = this.#corners,
      parent = this.#parent;
    const first = 3 * firstSlot,
      end = 3 * (firstSlot + slotCount);
    let pieces = 0;
    for (let c = first; c < end; c++) {
      if (parent[corners[c]] >= 0) continue;
      parent[corners[c]] = corners[c];
      pieces++;
    }
    for (let c = first; c < end; c += 3) {
      if (unite(parent, corners[c], corners[c + 1])) pieces--;
      if (unite(parent, corners[c], corners[c + 2])) pieces--;
    }
    for (let c = first; c < end; c++) parent[corners[c]] = -1;
    return pieces;
  }
}
