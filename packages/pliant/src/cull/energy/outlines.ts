import { LEAST_CORNERS } from '../../kernels/ts/polygon.ts';
import { writeNormal } from '../../mesh/triangle-normal.ts';
import type { Tree } from '../../tree/tree.ts';
import { type EnergyPatches, NEAR } from './energy-patches.ts';
import type { FrontPairs } from './front-pairs.ts';

/** What tests of outlines go by, see kernels/outline.ts. */
export interface Outlines {
  /** Per node and per pair of the front: which outline it has, or −1. */
  readonly ofNode: Int32Array;
  readonly ofPair: Int32Array;
  readonly start: Uint32Array; // of outline k: start[k] … start[k + 1]
  /** Of each node that is made of small patches: the first one and the one after the last. */
  readonly partsOf: Uint32Array;
  /** Handed over once: they are long, and go to kernel memory. */
  readonly takeLists: () => OutlineLists;
}

export interface OutlineLists {
  /** Corners of outlines one after the other: addresses relative to the first point of all. */
  readonly corners: Uint32Array;
  /**
   * Of small patches one after the other: addresses of their points (u32, an even number of them), and triangles, four u16
   * each: which of these points, times the bytes of each, and 0. The last triangle comes up to four times: there are whole
   * groups of four.
   */
  readonly faces: Uint32Array;
  readonly firstFace: Uint32Array; // where those of each begin, and the end of all
}

/** At rest normals must be this far from where they would fail: what is not smooth at rest seldom becomes so. */
const REST_SLACK = 0.1;

/** Outlines of all nodes down to small patches, and of pairs of the front, that face one way at rest; or none. */
export function listOutlines(
  tree: Tree,
  rest: Float64Array,
  corners: Uint32Array,
  patches: EnergyPatches,
  pairs: FrontPairs,
  isWanted: boolean,
): Outlines {
  const maker = new OutlineMaker(tree, rest, corners, patches);
  const ofNode = new Int32Array(tree.nodeCount).fill(-1);
  for (let node = 0; node < tree.nodeCount; node++) {
    if (isWanted && maker.isMadeOfParts(node)) ofNode[node] = maker.add(node, node);
  }
  const ofPair = new Int32Array(pairs.count).fill(-1);
  for (let k = 0; k < pairs.count && isWanted; k++) ofPair[k] = maker.add(pairs.a[k], pairs.b[k]);
  let lists: OutlineLists | undefined = {
    corners: Uint32Array.from(maker.corners),
    ...listFaces(tree, corners, patches),
  };
  const takeLists = () => {
    if (lists === undefined) throw new RangeError('lists of outlines have been handed over');
    const taken = lists;
    lists = undefined;
    return taken;
  };
  return { ofNode, ofPair, start: Uint32Array.from(maker.start), partsOf: maker.partsOf, takeLists };
}

function listFaces(tree: Tree, corners: Uint32Array, patches: EnergyPatches): Omit<OutlineLists, 'corners'> {
  const view = new DataView(patches.rows);
  const faces: number[] = [],
    firstFace: number[] = [];
  const place = new Map<number, number>();
  for (let k = 0; k < patches.smallCount; k++) {
    firstFace.push(faces.length);
    place.clear();
    for (let i = 0; i < patches.rowCounts[k]; i++) {
      const address = view.getUint32(patches.rowStart[k] + 4 * i, true);
      place.set(address / POINT, NEAR * i);
      faces.push(address);
    }
    if (patches.rowCounts[k] % 2 === 1) faces.push(0);
    const first = tree.firstSlot[patches.node[k]],
      count = tree.slotCount[patches.node[k]];
    for (let i = 0; i < FACES * Math.ceil(count / FACES); i++) {
      const o = 3 * (first + Math.min(i, count - 1));
      const [a, b, c] = [0, 1, 2].map((corner) => place.get(corners[o + corner])!);
      faces.push(a + b * 0x10000, c);
    }
  }
  firstFace.push(faces.length);
  return { faces: Uint32Array.from(faces), firstFace: Uint32Array.from(firstFace) };
}

const FACES = 4; // in a group
const POINT = 24; // bytes

class OutlineMaker {
  readonly start: number[] = [0];
  readonly corners: number[] = [];
  readonly partsOf: Uint32Array;
  readonly #tree: Tree;
  readonly #corners: Uint32Array;
  /** Per edge of a triangle: the slot across it; −1: none. Where that cannot be said, its triangle is in no outline. */
  readonly #across: Int32Array;
  readonly #isOdd: Uint8Array; // per slot
  readonly #axis: Float64Array; // of small patches: three each
  readonly #sine: Float64Array; // more than 1: none
  readonly #edges: readonly number[][]; // of small patches, those with another one across or none
  readonly #next: Int32Array; // per point: the next one on the outline, −1: it is not on it

  constructor(tree: Tree, rest: Float64Array, corners: Uint32Array, patches: EnergyPatches) {
    this.#tree = tree;
    this.#corners = corners;
    const { across, isOdd } = findAcross(corners, rest.length / 3);
    this.#across = across;
    this.#isOdd = isOdd;
    this.#next = new Int32Array(rest.length / 3).fill(-1);
    this.#axis = new Float64Array(3 * patches.smallCount);
    this.#sine = new Float64Array(patches.smallCount);
    const smallNodes = patches.node.subarray(0, patches.smallCount);
    this.partsOf = partsOfNodes(tree, smallNodes);
    this.#edges = Array.from(smallNodes, (node, k) => {
      this.#fitCone(node, k, rest);
      return this.#edgesOf(node);
    });
  }

  /** True for small patches, and for what is above them. */
  isMadeOfParts(node: number): boolean {
    return this.partsOf[2 * node] < this.partsOf[2 * node + 1];
  }

  /** Which one it is; −1: what is below these nodes does not face one way, or has more than one outline. */
  add(a: number, b: number): number {
    if (!this.isMadeOfParts(a) || !this.isMadeOfParts(b)) return -1;
    if (!this.#facesOneWay(a === b ? [a] : [a, b])) return -1;
    const points = this.#findOutline(a, b);
    if (points === undefined || points.length < LEAST_CORNERS) return -1;
    for (const point of points) this.corners.push(POINT * point);
    return this.start.push(this.corners.length) - 2;
  }

  #facesOneWay(nodes: readonly number[]): boolean {
    const sum = [0, 0, 0];
    const parts = nodes.flatMap((node) => {
      const [from, to] = this.partsOf.subarray(2 * node, 2 * node + 2);
      return Array.from({ length: to - from }, (_, k) => from + k);
    });
    for (const k of parts) {
      if (this.#sine[k] > 1) return false;
      for (let c = 0; c < 3; c++) sum[c] += this.#axis[3 * k + c];
    }
    const size = Math.hypot(...sum);
    const cosine = (k: number) =>
      this.#axis[3 * k] * sum[0] + this.#axis[3 * k + 1] * sum[1] + this.#axis[3 * k + 2] * sum[2];
    return parts.every((k) => cosine(k) > size * (this.#sine[k] + REST_SLACK));
  }

  /** Points of the only closed line around two nodes. */
  #findOutline(a: number, b: number): number[] | undefined {
    const { firstSlot, slotCount } = this.#tree;
    const isIn = (slot: number) =>
      (slot >= firstSlot[a] && slot < firstSlot[a] + slotCount[a]) ||
      (slot >= firstSlot[b] && slot < firstSlot[b] + slotCount[b]);
    const next = this.#next;
    const points: number[] = [];
    let isOne = true;
    for (const node of a === b ? [a] : [a, b]) {
      for (let k = this.partsOf[2 * node]; k < this.partsOf[2 * node + 1]; k++) {
        for (const edge of this.#edges[k]) {
          if (this.#across[edge] >= 0 && isIn(this.#across[edge])) continue;
          const from = this.#corners[edge];
          if (next[from] >= 0)
            isOne = false; // it comes here twice
          else points.push(from);
          next[from] = this.#corners[edge % 3 === 2 ? edge - 2 : edge + 1];
        }
      }
    }
    const outline: number[] = [];
    if (isOne && points.length > 0) {
      for (let point = points[0]; outline.length < points.length; point = next[point]) {
        outline.push(point);
        if (next[point] === points[0]) break;
      }
    }
    for (const point of points) next[point] = -1;
    return isOne && outline.length === points.length ? outline : undefined;
  }

  /** As in kernels/outline.ts, but for rounding. */
  #fitCone(node: number, k: number, rest: Float64Array): void {
    const { firstSlot, slotCount } = this.#tree;
    const first = firstSlot[node],
      end = first + slotCount[node];
    this.#sine[k] = 2;
    const normals = new Float64Array(3 * slotCount[node]);
    const sum = [0, 0, 0];
    for (let slot = first; slot < end; slot++) {
      if (this.#isOdd[slot]) return;
      const [a, b, c] = this.#corners.subarray(3 * slot, 3 * slot + 3);
      const o = 3 * (slot - first);
      writeNormal(rest, 3 * a, 3 * b, 3 * c, normals, o);
      for (let axis = 0; axis < 3; axis++) sum[axis] += normals[o + axis];
    }
    const size = Math.hypot(...sum);
    let least = 1;
    for (let o = 0; o < normals.length; o += 3) {
      const [x, y, z] = normals.subarray(o, o + 3);
      const cosine = (x * sum[0] + y * sum[1] + z * sum[2]) / (size * Math.sqrt(x * x + y * y + z * z));
      if (!(cosine >= least)) least = cosine;
    }
    if (!(least > 0)) return;
    this.#axis.set([sum[0] / size, sum[1] / size, sum[2] / size], 3 * k);
    this.#sine[k] = Math.sqrt(1 - least * least);
  }

  #edgesOf(node: number): number[] {
    const { firstSlot, slotCount } = this.#tree;
    const first = firstSlot[node],
      end = first + slotCount[node];
    const edges: number[] = [];
    for (let edge = 3 * first; edge < 3 * end; edge++) {
      if (!(this.#across[edge] >= first && this.#across[edge] < end)) edges.push(edge);
    }
    return edges;
  }
}

/**
 * Across each edge, the triangle that has it the other way round. A triangle is odd when it has a corner twice, or an
 * edge that another one has in the same direction.
 */
function findAcross(corners: Uint32Array, pointCount: number): { across: Int32Array; isOdd: Uint8Array } {
  const across = new Int32Array(corners.length).fill(-1);
  const isOdd = new Uint8Array(corners.length / 3);
  const edgeAt = new Map<number, number>(); // by its two ends
  for (let edge = 0; edge < corners.length; edge++) {
    const slot = Math.floor(edge / 3);
    const from = corners[edge],
      to = corners[edge % 3 === 2 ? edge - 2 : edge + 1];
    const same = edgeAt.get(from * pointCount + to);
    if (from === to) isOdd[slot] = 1;
    if (same !== undefined) isOdd[slot] = isOdd[Math.floor(same / 3)] = 1;
    else edgeAt.set(from * pointCount + to, edge);
    const other = edgeAt.get(to * pointCount + from);
    if (other === undefined || from === to) continue;
    across[edge] = Math.floor(other / 3);
    across[other] = slot;
  }
  return { across, isOdd };
}

/** Small patches are in the order of their slots, so that those below a node are a range. */
function partsOfNodes(tree: Tree, smallNodes: Uint32Array): Uint32Array {
  const { firstSlot, slotCount, nodeCount } = tree;
  const firstPart = new Int32Array(tree.order.length + 1).fill(-1); // that begins at a slot
  smallNodes.forEach((node, k) => {
    firstPart[firstSlot[node]] = k;
  });
  firstPart[tree.order.length] = smallNodes.length;
  const parts = new Uint32Array(2 * nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    const from = firstPart[firstSlot[node]],
      to = firstPart[firstSlot[node] + slotCount[node]];
    if (from >= 0 && to > from) parts.set([from, to], 2 * node);
  }
  return parts;
}
