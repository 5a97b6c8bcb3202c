import type { BlendHandles } from '../deform/handles.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { BallNodes } from './ball-nodes.ts';
import { findCorners } from './weight-corners.ts';

/**
 * The joint sets below every node and the corners of their weights (Kavan & Žára 2005, §4.2). An entry is a joint set
 * of a node.
 */
export interface JointSets {
  readonly entryStart: Uint32Array; // per node, and one more
  readonly set: Uint32Array; // per entry
  readonly setStart: Uint32Array; // per set, and one more
  readonly member: Uint32Array; // handles of the sets
  readonly cornerStart: Uint32Array; // per entry, and one more
  readonly corners: Float64Array; // as many weights per corner as the set has members
  readonly mostMembers: number; // of a set
  readonly mostCorners: number; // of a node
}

export function shareJointSets(
  kernels: Kernels,
  mesh: ResidentMesh,
  blend: BlendHandles,
  nodes: BallNodes,
): JointSets {
  const { parts } = blend.lists;
  let part = parts.get(PART) as JointSetPart | undefined;
  if (part === undefined) {
    part = { sets: prepareJointSets(kernels, mesh, blend, nodes), free: () => {} };
    parts.set(PART, part);
  }
  return part.sets;
}

const PART = 'joint sets';

interface JointSetPart {
  readonly sets: JointSets;
  free(): void;
}

function prepareJointSets(
  kernels: Kernels,
  mesh: ResidentMesh,
  blend: BlendHandles,
  { boundedNodes, hasPhantom }: BallNodes,
): JointSets {
  const points = new PointSets(kernels, mesh, blend, hasPhantom);
  const { setStart } = points;
  const low = new Float64Array(points.members.length),
    high = new Float64Array(points.members.length);
  const stamps = new Uint32Array(setStart.length);
  const entryStart = new Uint32Array(boundedNodes + 1);
  const set: number[] = [],
    cornerStart: number[] = [0],
    corners: number[] = [];
  const { u32 } = kernels.memory;
  const { tree } = mesh;
  let mostCorners = 0;
  for (let node = 0; node < boundedNodes; node++) {
    const first = (mesh.corners >>> 2) + 3 * tree.firstSlot[node];
    for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
      const s = points.setOf[u32[c]];
      const isNew = stamps[s] !== node + 1;
      if (isNew) set.push(s);
      stamps[s] = node + 1;
      for (let k = setStart[s], w = points.weightStart[u32[c]]; k < setStart[s + 1]; k++, w++) {
        low[k] = isNew ? points.weights[w] : Math.min(low[k], points.weights[w]);
        high[k] = isNew ? points.weights[w] : Math.max(high[k], points.weights[w]);
      }
    }
    entryStart[node + 1] = set.length;
    let count = 0;
    for (let e = entryStart[node]; e < set.length; e++) {
      const s = set[e];
      count += findCorners(low, high, setStart[s], setStart[s + 1] - setStart[s], corners);
      cornerStart.push(corners.length);
    }
    mostCorners = Math.max(mostCorners, count);
  }
  return {
    entryStart,
    set: Uint32Array.from(set),
    setStart: Uint32Array.from(setStart),
    member: Uint32Array.from(points.members),
    cornerStart: Uint32Array.from(cornerStart),
    corners: Float64Array.from(corners),
    mostMembers: points.mostMembers,
    mostCorners,
  };
}

/** The joint set of every point, and its weights in the order of the set. */
class PointSets {
  readonly setOf: Uint32Array;
  readonly weightStart: Uint32Array;
  readonly weights: number[] = [];
  readonly setStart: number[] = [0];
  readonly members: number[] = [];
  mostMembers = 1;

  constructor({ memory }: Kernels, { pointCount }: ResidentMesh, blend: BlendHandles, hasPhantom: boolean) {
    this.setOf = new Uint32Array(pointCount);
    this.weightStart = new Uint32Array(pointCount);
    const { start, index, value } = blend.skinList!;
    const { u32, f64 } = memory;
    const known = new Map<string, number>();
    for (let point = 0; point < pointCount; point++) {
      // A joint that is listed twice counts once, with the sum of its weights; the phantom stands for what is missing.
      const own = new Map<number, number>();
      let missing = 1;
      for (let k = u32[(start >>> 2) + point]; k < u32[(start >>> 2) + point + 1]; k++) {
        const handle = u32[(index >>> 2) + k],
          w = f64[(value >>> 3) + k];
        own.set(handle, (own.get(handle) ?? 0) + w);
        missing -= w;
      }
      if (hasPhantom && missing !== 0) own.set(blend.jointCount, missing);
      const joints = [...own.keys()].sort((a, b) => a - b);
      this.weightStart[point] = this.weights.length;
      this.weights.push(...joints.map((joint) => own.get(joint)!));
      const key = joints.join();
      let id = known.get(key);
      if (id === undefined) {
        id = known.size;
        known.set(key, id);
        this.members.push(...joints);
        this.setStart.push(this.members.length);
        this.mostMembers = Math.max(this.mostMembers, joints.length);
      }
      this.setOf[point] = id;
    }
  }
}
