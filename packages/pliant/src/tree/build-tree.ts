import { LEAF } from '../kernels/kernels.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { createConnectedSplit } from './connected-split.ts';
import { splitAtMedian } from './median-split.ts';
import type { Tree } from './tree.ts';

/**
 * Permutes `order[first … first + count)` and returns how many of them go to the first child: at least one and
 * fewer than count. `count` is at least two.
 */
export type SplitRule = (input: SplitInput, first: number, count: number) => number;

export interface SplitInput {
  readonly mesh: TriangleMesh;
  readonly centroids: Float64Array; // 3 per triangle
  readonly order: Uint32Array;
}

export interface TreeOptions {
  /**
   * How a node is divided. `median`: near the median of the longest side, which makes a heap: the shallowest tree.
   * `connected`: into connected patches, about as large; energy certificates speak of no others, and
   * subspace certificates reach much further. Default: median, and connected for bodies moved by modes alone.
   */
  split?: SplitRule | 'median' | 'connected';
  /** Positions that decide the splits, 3 per welded vertex. Default: the rest positions. */
  positions?: Float64Array;
}

/** Builds the tree from the root down, one level after the other. */
export function buildTree(mesh: TriangleMesh, options: TreeOptions = {}): Tree {
  const { positions = mesh.positions } = options;
  const split = splitRuleOf(mesh, options.split);
  const { triangleCount } = mesh;
  const nodeCount = 2 * triangleCount - 1;
  const link = new Uint32Array(nodeCount);
  const firstSlot = new Uint32Array(nodeCount);
  const slotCount = new Uint32Array(nodeCount);
  const order = Uint32Array.from({ length: triangleCount }, (_, t) => t);
  const input = { mesh, centroids: triangleCentroids(mesh, positions), order };
  const levelStart = [0];

  slotCount[0] = triangleCount;
  let free = 1; // the next node to hand out
  let levelEnd = 1;
  for (let node = 0; node < nodeCount; node++) {
    if (node === levelEnd) {
      levelStart.push(node);
      levelEnd = free;
    }
    const first = firstSlot[node],
      count = slotCount[node];
    if (count === 1) {
      link[node] = (LEAF | first) >>> 0;
      continue;
    }
    const left = split(input, first, count);
    if (!(Number.isInteger(left) && left >= 1 && left < count)) {
      throw new InputError(
        'bad-option',
        `the split rule gave ${typeof left === 'number' ? left : typeof left} of ${count} triangles to the first child`,
      );
    }
    link[node] = free;
    firstSlot[free] = first;
    slotCount[free] = left;
    firstSlot[free + 1] = first + left;
    slotCount[free + 1] = count - left;
    free += 2;
  }
  levelStart.push(nodeCount);
  checkOrder(order);
  return { nodeCount, link, firstSlot, slotCount, order, levelStart: Uint32Array.from(levelStart) };
}

function splitRuleOf(mesh: TriangleMesh, split: TreeOptions['split'] = 'median'): SplitRule {
  if (split === 'connected') return createConnectedSplit(mesh);
  return split === 'median' ? splitAtMedian : split;
}

/** A split rule may only permute. */
function checkOrder(order: Uint32Array): void {
  const seen = new Uint8Array(order.length);
  for (const t of order) {
    if (t >= order.length || seen[t] === 1) {
      throw new InputError('bad-option', `the split rule lost or repeated triangles, such as ${t}`);
    }
    seen[t] = 1;
  }
}

function triangleCentroids(mesh: TriangleMesh, positions: Float64Array): Float64Array {
  const { triangles, triangleCount } = mesh;
  const centroids = new Float64Array(3 * triangleCount);
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    // Scaled before adding, so that coordinates near the largest float64 do not overflow.
    centroids[t] = positions[a] / 3 + positions[b] / 3 + positions[c] / 3;
    centroids[t + 1] = positions[a + 1] / 3 + positions[b + 1] / 3 + positions[c + 1] / 3;
    centroids[t + 2] = positions[a + 2] / 3 + positions[b + 2] / 3 + positions[c + 2] / 3;
  }
  return centroids;
}
