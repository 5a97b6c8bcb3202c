import type { MotionEnd, PointSource } from '../deform/point-source.ts';
import { CELLS, type Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** 16-bit boxes of all nodes of a body, in one frame. See kernels/boxes.ts. */
export interface QuantisedBoxes {
  /** Where they are; those at the end of a motion are `stride` bytes further on, 0 when there is none. */
  address: number;
  stride: number;
  epoch: number;
  swept: boolean;
  readonly frame: Float64Array; // origin and cells per unit
  source: PointSource | undefined;
  users: number;
  room: number; // how many boxes fit
}

/**
 * The boxes of one body. Asking twice for the same pose and frame costs nothing; a query that runs inside
 * another one and needs a different frame gets boxes of its own.
 */
export class BoxStore {
  /** How many boxes were computed so far; queries report the difference. */
  refitted = 0;
  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #sets: QuantisedBoxes[] = [];

  constructor(kernels: Kernels, mesh: ResidentMesh) {
    this.#kernels = kernels;
    this.#mesh = mesh;
  }

  /** Refitted boxes; give them back with `release`. `scratch` has room for a box per point and a frame. */
  acquire(
    source: PointSource,
    frame: Float64Array,
    swept: boolean,
    scratch: QuantiseScratch,
  ): QuantisedBoxes {
    const sweep = swept && source.hasMotion;
    let set = this.#find(source, frame, sweep);
    if (set !== undefined) {
      set.users++;
      return set;
    }
    set = this.acquireBlank(source, swept);
    this.fit(set, source, frame, swept, scratch);
    return set;
  }

  /** Room for boxes that whoever asks fits, all or those that are needed; nobody else gets these. */
  acquireBlank(source: PointSource, swept: boolean): QuantisedBoxes {
    let set: QuantisedBoxes | undefined;
    for (const candidate of this.#sets) if (candidate.users === 0) set = candidate;
    if (set === undefined) {
      const frame = new Float64Array(6);
      set = { address: 0, stride: 0, room: 0, epoch: 0, swept: false, frame, source: undefined, users: 0 };
      this.#sets.push(set);
    }
    const { nodeCount } = this.#mesh.tree;
    const sweep = swept && source.hasMotion;
    const boxCount = sweep ? 2 * nodeCount : nodeCount;
    if (set.room < boxCount) {
      this.#kernels.memory.free(set.address);
      set.address = set.room = 0; // stays so when there is no room
      set.address = this.#kernels.memory.allocate(16 * boxCount);
      set.room = boxCount;
    }
    set.stride = sweep ? 16 * nodeCount : 0;
    set.source = undefined;
    set.users++;
    return set;
  }

  /** True when these boxes need no refit. */
  holds(source: PointSource, frame: Float64Array, swept: boolean): boolean {
    return this.#find(source, frame, swept && source.hasMotion) !== undefined;
  }

  #find(source: PointSource, frame: Float64Array, sweep: boolean): QuantisedBoxes | undefined {
    for (const set of this.#sets) {
      const isFresh = set.source === source && set.epoch === source.epoch && set.swept === sweep;
      if (isFresh && sameFrame(set.frame, frame)) return set;
    }
    return undefined;
  }

  release(set: QuantisedBoxes): void {
    set.users--;
  }

  free(): void {
    for (const { address } of this.#sets) this.#kernels.memory.free(address);
    this.#sets.length = 0;
  }

  /** Fits all boxes of a blank set. */
  fit(
    set: QuantisedBoxes,
    source: PointSource,
    frame: Float64Array,
    swept: boolean,
    scratch: QuantiseScratch,
  ): void {
    set.frame.set(frame);
    this.#fit(source, 0, set.address, frame, scratch);
    const sweep = swept && source.hasMotion;
    if (sweep) this.#fit(source, 1, set.address + set.stride, frame, scratch);
    set.source = source;
    set.epoch = source.epoch;
    set.swept = sweep;
  }

  #fit(
    source: PointSource,
    end: MotionEnd,
    boxes: number,
    frame: Float64Array,
    scratch: QuantiseScratch,
  ): void {
    const kernels = this.#kernels;
    const { link, corners, pointCount, tree } = this.#mesh;
    source.ensureAll(end);
    const points = source.address(end);
    const vertexBoxes = scratch.vertexBoxes(pointCount);
    const { f64 } = kernels.memory;
    for (let k = 0; k < 6; k++) f64[(scratch.frame >>> 3) + k] = frame[k];
    kernels.quantise(points, pointCount, scratch.frame, vertexBoxes);
    kernels.refit(tree.nodeCount, link, corners, vertexBoxes, boxes);
    this.refitted += tree.nodeCount;
  }
}

export interface QuantiseScratch {
  /** Room for six numbers. */
  readonly frame: number;
  /** Room for this many 16-byte boxes. */
  vertexBoxes(count: number): number;
}

function sameFrame(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 6; k++) if (a[k] !== b[k]) return false;
  return true;
}

/**
 * The frame in which the box `lo.xyz, hi.xyz` fills all cells but the outermost on each side. What lies outside is
 * clamped into those, so that it is not mistaken for something inside. Any frame is sound: an extent that is
 * zero or not finite only makes every box overlap on that axis.
 */
export function setFrame(box: Float64Array, frame: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const lo = box[k],
      extent = box[3 + k] - lo;
    const scale = (CELLS - 3) / extent;
    const usable = scale > 0 && scale < Infinity && lo - 1.5 / scale > -Infinity;
    frame[3 + k] = usable ? scale : 0;
    frame[k] = usable ? lo - 1.5 / scale : 0;
  }
}
