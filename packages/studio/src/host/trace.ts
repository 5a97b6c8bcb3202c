import type { Body, Tree } from 'pliant';
import { type FrameTrace, MOST_BOXES } from './protocol.ts';
import { staticFront } from './trace-front.ts';

const DEEPEST = 63; // levels below are shown as this one

/** A body's tree with the boxes of this frame, and how far the walk came. */
interface TracedBody {
  readonly body: Body;
  readonly tree: Tree;
  readonly level: Uint8Array; // of each node
  readonly boxes: Float64Array; // six per node, in the world
  readonly isVisited: Uint8Array; // per node
}

export interface TracedMesh {
  readonly index: Uint32Array; // three drawn vertices per triangle
  readonly firstVertex: number;
}

/**
 * Repeats the walk of the traditional method down the trees of a frame, to show where it went: which boxes it looked
 * at, and at which level it could turn round. Not measured. Within one body every walk comes to the pairs of nodes that
 * share a vertex, and to those just beside them: they are looked at in every frame, so only what lies below is shown.
 */
export function traceFrame(
  bodies: readonly Body[],
  self: boolean,
  meshes: readonly TracedMesh[],
): FrameTrace {
  const traced = bodies.map(prepare);
  let pairs = 0;
  for (let a = 0; a < traced.length; a++) {
    if (self || traced.length === 1) pairs += walkWithin(traced[a]);
    for (let b = a + 1; b < traced.length; b++) {
      if (areApart(traced[a].boxes, 0, traced[b].boxes, 0)) continue; // sorted out before any tree is opened
      pairs += walk(traced[a], traced[b], [0, 0], 0);
    }
  }
  return { pairs, ...collectBoxes(traced), ...sortTriangles(traced, meshes) };
}

function prepare(body: Body): TracedBody {
  const { tree } = body;
  const { nodeCount, levelStart } = tree;
  const level = new Uint8Array(nodeCount);
  for (let l = 0; l + 1 < levelStart.length; l++) {
    level.fill(Math.min(l, DEEPEST), levelStart[l], levelStart[l + 1]);
  }
  const boxes = fitBoxes(body, body.getPositions());
  return { body, tree, level, boxes, isVisited: new Uint8Array(nodeCount) };
}

function fitBoxes({ tree, mesh }: Body, points: Float64Array): Float64Array {
  const { nodeCount, slotCount, firstSlot, order, link } = tree;
  const boxes = new Float64Array(6 * nodeCount);
  for (let node = nodeCount - 1; node >= 0; node--) {
    const o = 6 * node;
    if (slotCount[node] === 1) {
      const t = 3 * order[firstSlot[node]];
      for (let axis = 0; axis < 3; axis++) {
        const a = points[3 * mesh.triangles[t] + axis],
          b = points[3 * mesh.triangles[t + 1] + axis],
          c = points[3 * mesh.triangles[t + 2] + axis];
        boxes[o + axis] = Math.min(a, b, c);
        boxes[o + 3 + axis] = Math.max(a, b, c);
      }
    } else {
      const l = 6 * link[node],
        r = l + 6;
      for (let axis = 0; axis < 3; axis++) {
        boxes[o + axis] = Math.min(boxes[l + axis], boxes[r + axis]);
        boxes[o + 3 + axis] = Math.max(boxes[l + 3 + axis], boxes[r + 3 + axis]);
      }
    }
  }
  return boxes;
}

/** As a self-query does: in the body's own coordinates. */
function walkWithin(traced: TracedBody): number {
  const own = { ...traced, boxes: fitBoxes(traced.body, traced.body.getLocalPositions()) };
  const front = staticFront(traced.body);
  let pairs = 0;
  for (let k = 0; k < front.length; k += 2) pairs += walk(own, own, [front[k], front[k + 1]], 1);
  return pairs;
}

/**
 * From a pair of nodes downwards, both opened at once as far as they are no leaves. Returns how many pairs were looked
 * at, without the first `unshown` of them.
 */
function walk(a: TracedBody, b: TracedBody, stack: number[], unshown: number): number {
  let pairs = -unshown;
  while (stack.length > 0) {
    const m = stack.pop()!,
      n = stack.pop()!;
    if (++pairs > 0) a.isVisited[n] = b.isVisited[m] = 1;
    if (areApart(a.boxes, 6 * n, b.boxes, 6 * m)) continue;
    const isLeafN = a.tree.slotCount[n] === 1,
      isLeafM = b.tree.slotCount[m] === 1;
    if (isLeafN && isLeafM) continue;
    const firstN = isLeafN ? n : a.tree.link[n],
      firstM = isLeafM ? m : b.tree.link[m];
    for (let c = firstN; c <= (isLeafN ? n : firstN + 1); c++) {
      for (let d = firstM; d <= (isLeafM ? m : firstM + 1); d++) stack.push(c, d);
    }
  }
  return pairs;
}

function areApart(A: Float64Array, a: number, B: Float64Array, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (A[a + axis] > B[b + axis + 3] || B[b + axis] > A[a + axis + 3]) return true;
  }
  return false;
}

/** Of all bodies, larger boxes first when there are too many. */
function collectBoxes(traced: readonly TracedBody[]): Pick<FrameTrace, 'boxes' | 'boxesLeftOut'> {
  const boxes: number[] = [];
  let leftOut = 0;
  for (let l = 0; l <= DEEPEST; l++) {
    for (const { tree, level, boxes: from, isVisited } of traced) {
      const first = tree.levelStart[l] ?? tree.nodeCount;
      for (let node = first; node < tree.nodeCount && level[node] === l; node++) {
        if (isVisited[node] === 0) continue;
        if (boxes.length >= 7 * MOST_BOXES) leftOut++;
        else for (let k = 0; k < 7; k++) boxes.push(k < 6 ? from[6 * node + k] : l);
      }
    }
  }
  return { boxes: Float32Array.from(boxes), boxesLeftOut: leftOut };
}

/** Every triangle belongs to the deepest node above it that was looked at. */
function sortTriangles(
  traced: readonly TracedBody[],
  meshes: readonly TracedMesh[],
): Pick<FrameTrace, 'index' | 'levelStart'> {
  const classes = traced.map(classesOf);
  const levelStart = new Uint32Array(DEEPEST + 3);
  for (const classOf of classes) for (const k of classOf) levelStart[k + 1] += 3;
  for (let k = 1; k < levelStart.length; k++) levelStart[k] += levelStart[k - 1];
  const next = levelStart.slice();
  const index = new Uint32Array(levelStart.at(-1)!);
  classes.forEach((classOf, b) => {
    const { index: from, firstVertex } = meshes[b];
    for (let t = 0; t < classOf.length; t++) {
      let o = next[classOf[t]];
      next[classOf[t]] += 3;
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) index[o++] = firstVertex + from[corner];
    }
  });
  return { index, levelStart };
}

/** Per triangle: 0 where the walk did not come, else 1 + level. */
function classesOf({ tree, level, isVisited }: TracedBody): Uint8Array {
  const reached = new Uint8Array(tree.nodeCount);
  const classOf = new Uint8Array(tree.order.length);
  for (let node = 0; node < tree.nodeCount; node++) {
    if (isVisited[node] === 1) reached[node] = 1 + level[node];
    if (tree.slotCount[node] === 1) classOf[tree.order[tree.firstSlot[node]]] = reached[node];
    else reached[tree.link[node]] = reached[tree.link[node] + 1] = reached[node];
  }
  return classOf;
}
