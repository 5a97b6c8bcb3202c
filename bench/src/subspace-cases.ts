import { readBlendPoints } from '../../packages/pliant/src/cull/blend-points.ts';
import { createModeShapes, MetricScaling } from '../../packages/pliant/src/cull/subspace/mode-shapes.ts';
import type { ModeShapes } from '../../packages/pliant/src/cull/subspace/pair-radius.ts';
import type { SubspaceBall } from '../../packages/pliant/src/cull/subspace/subspace-certificate.ts';
import { BlendDeformer } from '../../packages/pliant/src/deform/blend.ts';
import type { Body } from '../../packages/pliant/src/index.ts';
import { LEAF } from '../../packages/pliant/src/kernels/kernels.ts';
import { ROOT } from '../../packages/pliant/src/tree/tree.ts';
import type { KMeansTree } from './trees/k-means-tree.ts';
import type { PaperRadii } from './trees/paper-radii.ts';

/** What certificates of a modal body are made from, around the rest pose and with M = I. */
export function modeShapesOf({ engine, resident, deformer }: Body): ModeShapes {
  if (!(deformer instanceof BlendDeformer)) throw new TypeError('this body has no modes');
  const points = readBlendPoints(engine.kernels.memory, resident, deformer);
  const { modeCount } = deformer;
  return createModeShapes(points, new MetricScaling(modeCount, undefined), new Float64Array(modeCount));
}

/** The slot of each triangle. */
export function slotsOf({ tree }: Body): Uint32Array {
  const slots = new Uint32Array(tree.order.length);
  for (let s = 0; s < slots.length; s++) slots[tree.order[s]] = s;
  return slots;
}

/**
 * Where radii of two trees over the same triangles contradict each other: what is under one node and under another one
 * as well cannot touch earlier there than here. Each node is held against the smallest one of the other tree that has all
 * its triangles.
 */
export function findContradictions(
  body: Body,
  ours: SubspaceBall,
  tree: KMeansTree,
  paper: PaperRadii,
): string[] {
  const lines: string[] = [];
  const slots = slotsOf(body);
  const { link, order, firstSlot, slotCount, nodeCount } = body.tree;
  const spans = spansOf(tree);
  const paperSlots = new Uint32Array(order.length);
  for (let s = 0; s < order.length; s++) paperSlots[tree.order[s]] = s;

  for (let node = 0; node < tree.nodeCount; node++) {
    const [low, high] = rangeOf(tree.order.subarray(spans[2 * node], spans[2 * node + 1]), slots);
    let around = ROOT;
    while (link[around] < LEAF) {
      const child = [link[around], link[around] + 1].find(
        (c) => low >= firstSlot[c] && high < firstSlot[c] + slotCount[c],
      );
      if (child === undefined) break;
      around = child;
    }
    if (ours.lower[around] > paper.upper[node]) lines.push(`our node ${around}, the paper's ${node}`);
  }
  for (let node = 0; node < nodeCount; node++) {
    const [low, high] = rangeOf(
      order.subarray(firstSlot[node], firstSlot[node] + slotCount[node]),
      paperSlots,
    );
    let around = ROOT;
    for (;;) {
      const first = tree.firstChild[around];
      let child = first;
      while (
        child < first + tree.childCount[around] &&
        !(low >= spans[2 * child] && high < spans[2 * child + 1])
      )
        child++;
      if (child === first + tree.childCount[around]) break;
      around = child;
    }
    if (paper.lower[around] > ours.upper[node]) lines.push(`the paper's node ${around}, ours ${node}`);
  }
  return lines;
}

/** First slot and end of each node. */
function spansOf({ nodeCount, firstChild, childCount }: KMeansTree): Uint32Array {
  const spans = new Uint32Array(2 * nodeCount);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const first = firstChild[node],
      last = first + childCount[node] - 1;
    spans[2 * node] = childCount[node] === 0 ? first : spans[2 * first];
    spans[2 * node + 1] = childCount[node] === 0 ? first + 1 : spans[2 * last + 1];
  }
  return spans;
}

function rangeOf(triangles: Uint32Array, slots: Uint32Array): [number, number] {
  let low = slots.length,
    high = 0;
  for (const t of triangles) {
    low = Math.min(low, slots[t]);
    high = Math.max(high, slots[t]);
  }
  return [low, high];
}
