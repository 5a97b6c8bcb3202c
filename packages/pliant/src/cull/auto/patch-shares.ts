import type { Body } from '../../body/body.ts';
import { isLeaf, ROOT, type Tree } from '../../tree/tree.ts';
import { findTouchingPairs, RestShapeDistances } from '../rest-pairs.ts';

/** Shares of a body's triangles, from 0 to 1, by the patches that they are in. */
export interface PatchShares {
  /** In patches that hang together. */
  readonly connected: number;
  /** In patches that hardly touch themselves at rest. */
  readonly clear: number;
}

/** The largest patches that get proofs. */
const LARGEST = 512;
/** As in the certificates: closer is touching, and more of it leaves nothing to prove. */
const TOUCHING = 1e-6;
const EXCEPTION_SHARE = 1 / 32;

/** Whether the rest shape lends itself to proofs: far quicker than preparing them. */
export function measurePatches({ tree, resident, mesh }: Body): PatchShares {
  const { order, firstSlot, slotCount } = tree;
  const { pointCount, vertexOfPoint } = resident;
  const rest = new Float64Array(3 * pointCount);
  const pointOfVertex = new Uint32Array(mesh.vertexCount);
  for (let p = 0; p < pointCount; p++) {
    pointOfVertex[vertexOfPoint[p]] = p;
    for (let k = 0; k < 3; k++) rest[3 * p + k] = mesh.positions[3 * vertexOfPoint[p] + k];
  }
  const corners = new Uint32Array(3 * order.length);
  for (let c = 0; c < corners.length; c++) {
    corners[c] = pointOfVertex[mesh.triangles[3 * order[Math.floor(c / 3)] + (c % 3)]];
  }
  const distances = new RestShapeDistances(tree, rest, corners);
  const touching = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, EXCEPTION_SHARE);
  const pieces = new PieceCounter(corners, pointCount);
  let connected = 0,
    clear = 0;
  for (const node of listPatches(tree)) {
    const count = slotCount[node];
    if (pieces.count(firstSlot[node], count) === 1) connected += count;
    if (!touching.isCrowded[node] && touching.below[node] <= 2 + EXCEPTION_SHARE * count) clear += count;
  }
  return { connected: connected / order.length, clear: clear / order.length };
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
      pieces -= this.#join(corners[c], corners[c + 1]) + this.#join(corners[c], corners[c + 2]);
    }
    for (let c = first; c < end; c++) parent[corners[c]] = -1;
    return pieces;
  }

  /** 1 when they were two pieces. */
  #join(p: number, q: number): number {
    const a = this.#rootOf(p),
      b = this.#rootOf(q);
    if (a === b) return 0;
    this.#parent[b] = a;
    return 1;
  }

  #rootOf(point: number): number {
    const parent = this.#parent;
    let p = point;
    while (parent[p] !== p) p = parent[p] = parent[parent[p]];
    return p;
  }
}
