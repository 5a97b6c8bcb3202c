import type { PointSource } from '../deform/point-source.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';
import type { Bounds } from './bounds.ts';

/** On-demand queries stop at nodes with fewer triangles than this. */
export const SMALL_NODE = 4;

/** Nodes with ids below this may be asked for; all of them that have SMALL_NODE or more triangles are. */
export function countBoundedNodes({ tree }: ResidentMesh): number {
  let node = tree.nodeCount - 1;
  while (node > 0 && tree.slotCount[node] < SMALL_NODE) node--;
  return node + 1;
}

/**
 * Boxes of points that follow no rule: there is nothing cheaper than looking at every point, so the first
 * question after a change of pose answers all of them, children first.
 */
export class FreeBoxes implements Bounds {
  readonly box: Float64Array;
  readonly boundedNodes: number;
  readonly stride = 6;
  refitted = 0;

  readonly #kernels: Kernels;
  readonly #mesh: ResidentMesh;
  readonly #source: PointSource;
  #epoch = 0;
  #swept = false;
  #wanted = false;

  constructor(kernels: Kernels, mesh: ResidentMesh, source: PointSource) {
    this.#kernels = kernels;
    this.#mesh = mesh;
    this.#source = source;
    this.boundedNodes = countBoundedNodes(mesh);
    this.box = new Float64Array(6 * this.boundedNodes);
  }

  begin(swept: boolean): void {
    this.#wanted = swept && this.#source.hasMotion;
  }

  ensure(): void {
    if (this.#epoch !== this.#source.epoch || this.#swept !== this.#wanted) this.refitAll();
  }

  free(): void {}

  refitAll(): void {
    this.#source.ensureAll(0);
    this.#fit(0, false);
    if (this.#wanted) {
      this.#source.ensureAll(1);
      this.#fit(1, true);
    }
    this.#epoch = this.#source.epoch;
    this.#swept = this.#wanted;
    this.refitted += this.boundedNodes;
  }

  #fit(end: 0 | 1, grow: boolean): void {
    const { tree, corners } = this.#mesh;
    const points = this.#source.address(end) >>> 3; // may allocate, so before the views are read
    const { f64, u32 } = this.#kernels.memory;
    const { box, boundedNodes } = this;
    for (let node = boundedNodes - 1; node >= 0; node--) {
      const o = 6 * node;
      if (!grow) setEmpty(box, o);
      const child = tree.link[node];
      if (child + 1 < boundedNodes) {
        growByBox(box, o, 6 * child);
        growByBox(box, o, 6 * child + 6);
        continue;
      }
      const first = (corners >>> 2) + 3 * tree.firstSlot[node];
      const last = first + 3 * tree.slotCount[node];
      for (let c = first; c < last; c++) growByPoint(box, o, f64, points + 3 * u32[c]);
    }
  }
}

export function setEmpty(box: Float64Array, o: number): void {
  box[o] = box[o + 1] = box[o + 2] = Infinity;
  box[o + 3] = box[o + 4] = box[o + 5] = -Infinity;
}

export function growByBox(box: Float64Array, o: number, r: number): void {
  if (box[r] < box[o]) box[o] = box[r];
  if (box[r + 1] < box[o + 1]) box[o + 1] = box[r + 1];
  if (box[r + 2] < box[o + 2]) box[o + 2] = box[r + 2];
  if (box[r + 3] > box[o + 3]) box[o + 3] = box[r + 3];
  if (box[r + 4] > box[o + 4]) box[o + 4] = box[r + 4];
  if (box[r + 5] > box[o + 5]) box[o + 5] = box[r + 5];
}

export function growByPoint(box: Float64Array, o: number, points: Float64Array, p: number): void {
  const x = points[p],
    y = points[p + 1],
    z = points[p + 2];
  if (x < box[o]) box[o] = x;
  if (y < box[o + 1]) box[o + 1] = y;
  if (z < box[o + 2]) box[o + 2] = z;
  if (x > box[o + 3]) box[o + 3] = x;
  if (y > box[o + 4]) box[o + 4] = y;
  if (z > box[o + 5]) box[o + 5] = z;
}
