import type { Handles } from '../deform/handles.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import { countBoundedNodes, SMALL_NODE } from './aabb-free.ts';
import { HandleReader, ModeReader } from './blend-readers.ts';
import { BallFinder } from './enclosing-ball.ts';

/** A node with a larger share of its parent's radius than this is opened without a look (Kavan & Žára 2005, §3.1). */
const COLLAPSE = 0.6;

/**
 * What nodes have to know of their points to be bounded by balls under any pose: the smallest ball at rest, per handle
 * that moves any of them the least weight and how much more it can be, and per mode the box of the displacements.
 * Shared by all bodies of a mesh with the same weights.
 */
export interface BallNodes {
  readonly boundedNodes: number;
  readonly ball: Float64Array; // four numbers per node: centre, radius
  /** 1 for a node that is hardly smaller than the one above it. */
  readonly isSkipped: Uint8Array;
  readonly entryStart: Uint32Array; // per node, and one more
  readonly handle: Uint32Array; // per entry
  readonly low: Float64Array;
  readonly cap: Float64Array;
  readonly rest: Float64Array; // per node: 1 − Σ low
  readonly modeStart: Uint32Array; // per node, and one more
  readonly mode: Uint32Array; // per mode entry
  readonly modeBox: Float64Array; // centre, half size
  readonly mostEntries: number; // of one node
  /** True when weights do not add up to 1 somewhere: the handle after the last then stands for what is missing, at 0. */
  readonly hasPhantom: boolean;
  readonly largestCoordinate: number;
  readonly largestDisplacement: Float64Array; // per mode
  /** The largest Σ|w| of a point, and the largest Σ|l| + 2 |R| of a node. */
  readonly largestWeightSum: number;
  readonly largestFactor: number;
}

export function shareBallNodes(kernels: Kernels, mesh: ResidentMesh, handles: Handles): BallNodes {
  const { parts } = handles.lists ?? mesh;
  let part = parts.get(PART) as BallPart | undefined;
  if (part === undefined) {
    part = { nodes: prepareBallNodes(kernels, mesh, handles), free: () => {} };
    parts.set(PART, part);
  }
  return part.nodes;
}

const PART = 'balls';

interface BallPart {
  readonly nodes: BallNodes;
  free(): void;
}

function prepareBallNodes(kernels: Kernels, mesh: ResidentMesh, affine: Handles): BallNodes {
  const { tree } = mesh;
  const { memory } = kernels;
  const boundedNodes = countBoundedNodes(mesh);
  const handles = new HandleReader(memory, mesh, affine.skinList, affine.lists ? affine.jointCount : 1),
    modes = new ModeReader(memory, mesh, affine.modeList);
  const entryEnd = new Uint32Array(boundedNodes),
    modeEnd = new Uint32Array(boundedNodes);
  const entryFirst = new Uint32Array(boundedNodes),
    modeFirst = new Uint32Array(boundedNodes);
  for (let node = boundedNodes - 1; node >= 0; node--) {
    const child = tree.link[node];
    entryFirst[node] = handles.list.length;
    modeFirst[node] = modes.list.length;
    if (child + 1 < boundedNodes) {
      handles.merge(entryFirst[child], entryEnd[child], entryFirst[child + 1], entryEnd[child + 1]);
      modes.merge(modeFirst[child], modeEnd[child], modeFirst[child + 1], modeEnd[child + 1]);
    } else {
      handles.read(tree.firstSlot[node], tree.slotCount[node]);
      modes.read(tree.firstSlot[node], tree.slotCount[node]);
    }
    entryEnd[node] = handles.list.length;
    modeEnd[node] = modes.list.length;
  }
  const ball = findBalls(kernels, mesh, boundedNodes);
  return {
    boundedNodes,
    ball,
    isSkipped: findSkipped(mesh, ball, boundedNodes),
    ...orderEntries(handles, entryFirst, entryEnd),
    ...orderModes(modes, modeFirst, modeEnd),
    hasPhantom: handles.hasPhantom,
    largestCoordinate: largestCoordinate(kernels, mesh),
    largestDisplacement: modes.largest(affine.modeCount),
    largestWeightSum: handles.largestWeightSum,
  };
}

/** The smallest ball around the points of every node. */
function findBalls({ memory }: Kernels, mesh: ResidentMesh, boundedNodes: number): Float64Array {
  const { tree, corners } = mesh;
  const rest = mesh.rest >>> 3; // may allocate, so before the views are read
  const { u32, f64 } = memory;
  const finder = new BallFinder();
  const ball = new Float64Array(4 * boundedNodes);
  const points = new Uint32Array(mesh.pointCount),
    stamps = new Uint32Array(mesh.pointCount);
  for (let node = 0; node < boundedNodes; node++) {
    const first = (corners >>> 2) + 3 * tree.firstSlot[node];
    let count = 0;
    for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
      if (stamps[u32[c]] === node + 1) continue;
      stamps[u32[c]] = node + 1;
      points[count++] = u32[c];
    }
    finder.find(f64, rest, points, count);
    ball.set(finder.ball, 4 * node);
  }
  return ball;
}

/**
 * Collapses the binary tree: children that are hardly smaller than their parent make way for their own children, which
 * are compared with the same parent again.
 */
function findSkipped({ tree }: ResidentMesh, ball: Float64Array, boundedNodes: number): Uint8Array {
  const isSkipped = new Uint8Array(boundedNodes);
  const above = new Float64Array(boundedNodes); // radius of the next node above that stays
  for (let node = 0; node < boundedNodes; node++) {
    const isInner = node > 0 && tree.slotCount[node] >= SMALL_NODE;
    if (isInner && ball[4 * node + 3] > COLLAPSE * above[node]) isSkipped[node] = 1;
    const child = tree.link[node];
    if (child + 1 >= boundedNodes) continue;
    above[child] = above[child + 1] = isSkipped[node] === 1 ? above[node] : ball[4 * node + 3];
  }
  return isSkipped;
}

/** Entries by ascending node. */
function orderEntries({ list, low, high }: HandleReader, first: Uint32Array, end: Uint32Array) {
  const entryStart = new Uint32Array(first.length + 1);
  const handle = new Uint32Array(list.length);
  const lows = new Float64Array(list.length),
    cap = new Float64Array(list.length),
    rest = new Float64Array(first.length);
  let next = 0,
    mostEntries = 1,
    largestFactor = 1;
  for (let node = 0; node < first.length; node++) {
    let left = 1,
      size = 0;
    for (let k = first[node]; k < end[node]; k++, next++) {
      handle[next] = list.id[k];
      lows[next] = low[k];
      cap[next] = high[k] - low[k];
      left -= low[k];
      size += Math.abs(low[k]);
    }
    rest[node] = left;
    entryStart[node + 1] = next;
    mostEntries = Math.max(mostEntries, end[node] - first[node]);
    largestFactor = Math.max(largestFactor, size + 2 * Math.abs(left));
  }
  return { entryStart, handle, low: lows, cap, rest, mostEntries, largestFactor };
}

function orderModes({ list }: ModeReader, first: Uint32Array, end: Uint32Array) {
  const modeStart = new Uint32Array(first.length + 1);
  const mode = new Uint32Array(list.length),
    modeBox = new Float64Array(6 * list.length);
  let next = 0;
  for (let node = 0; node < first.length; node++) {
    for (let k = first[node]; k < end[node]; k++, next++) {
      mode[next] = list.id[k];
      for (let axis = 0; axis < 3; axis++) {
        const lo = list.data[6 * k + axis],
          hi = list.data[6 * k + 3 + axis];
        modeBox[6 * next + axis] = (lo + hi) / 2;
        modeBox[6 * next + 3 + axis] = ((hi - lo) / 2) * (1 + 2 ** -50);
      }
    }
    modeStart[node + 1] = next;
  }
  return { modeStart, mode, modeBox };
}

function largestCoordinate({ memory }: Kernels, mesh: ResidentMesh): number {
  const rest = mesh.rest >>> 3;
  let largest = 0;
  for (let k = rest; k < rest + 3 * mesh.pointCount; k++)
    largest = Math.max(largest, Math.abs(memory.f64[k]));
  return largest;
}
