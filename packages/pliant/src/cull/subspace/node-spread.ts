import { ceil32 } from '../../algebra/rounding.ts';
import type { Tree } from '../../tree/tree.ts';
import { type GaugeKind, supportNorm } from './gauge.ts';
import { LEAST_GAP, type ModeShapes, THICKNESS } from './pair-radius.ts';

/**
 * Where the points under each node are and how differently modes move them, axis by axis: a box at rest, and the modes
 * of all points within `radius` of `centre`. From two of these follows below which gauge the nodes cannot meet.
 */
export class NodeSpread {
  readonly boxes: Float64Array; // 6 per node: lo, hi
  readonly #kind: GaugeKind;
  readonly #modeCount: number;
  readonly #centre: Float32Array; // 3 × modeCount per node
  readonly #radius: Float32Array; // 3 per node
  readonly #leastGap: number;
  readonly #thickness: number;

  constructor(tree: Tree, shapes: ModeShapes, kind: GaugeKind) {
    const { nodeCount } = tree;
    const { modeCount } = shapes;
    this.#kind = kind;
    this.#modeCount = modeCount;
    this.#leastGap = LEAST_GAP * shapes.largest;
    this.#thickness = THICKNESS * shapes.largest;
    this.boxes = new Float64Array(6 * nodeCount);
    this.#centre = new Float32Array(3 * modeCount * nodeCount);
    this.#radius = new Float32Array(3 * nodeCount);
    for (let node = 0; node < nodeCount; node++) this.#fit(tree, shapes, node);
  }

  #fit({ firstSlot, slotCount }: Tree, { rest, rows, corners }: ModeShapes, node: number): void {
    const { boxes } = this;
    const length = 3 * this.#modeCount,
      o = length * node;
    const lows = new Float64Array(length).fill(Infinity),
      highs = new Float64Array(length).fill(-Infinity);
    const box = boxes.subarray(6 * node, 6 * node + 6);
    box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    const first = 3 * firstSlot[node],
      last = first + 3 * slotCount[node];
    for (let c = first; c < last; c++) {
      const point = corners[c];
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], rest[3 * point + k]);
        box[3 + k] = Math.max(box[3 + k], rest[3 * point + k]);
      }
      for (let k = 0, p = point * length; k < length; k++, p++) {
        if (rows[p] < lows[k]) lows[k] = rows[p];
        if (rows[p] > highs[k]) highs[k] = rows[p];
      }
    }
    for (let k = 0; k < length; k++) this.#centre[o + k] = (lows[k] + highs[k]) / 2;
    for (let c = first; c < last; c++) {
      for (let axis = 0; axis < 3; axis++) {
        const distance = this.#distance(rows, corners[c] * length + axis * this.#modeCount, node, axis);
        if (distance > this.#radius[3 * node + axis]) this.#radius[3 * node + axis] = ceil32(distance);
      }
    }
  }

  #distance(rows: Float64Array, from: number, node: number, axis: number): number {
    const r = this.#modeCount,
      o = (3 * node + axis) * r;
    let squares = 0,
      sizes = 0;
    for (let m = 0; m < r; m++) {
      const d = rows[from + m] - this.#centre[o + m];
      squares += d * d;
      sizes += Math.abs(d);
    }
    return supportNorm(this.#kind, squares, sizes) * (1 + 1e-12);
  }

  /** No pose of a smaller gauge lets triangles under the two nodes meet. */
  bound(a: number, b: number): number {
    const { boxes } = this;
    let best = 0;
    for (let axis = 0; axis < 3; axis++) {
      const above = boxes[6 * a + axis] - boxes[6 * b + 3 + axis],
        below = boxes[6 * b + axis] - boxes[6 * a + 3 + axis];
      const gap = Math.max(above, below);
      if (!(gap > this.#leastGap)) continue;
      const closing =
        this.#support(a, b, axis, above > below ? 1 : -1) +
        this.#radius[3 * a + axis] +
        this.#radius[3 * b + axis];
      const ratio = (gap - this.#thickness) / (closing * (1 + 1e-12));
      if (ratio > best) best = ratio;
    }
    return best;
  }

  /** Support against direction `sign` · axis of the difference of the centres. */
  #support(a: number, b: number, axis: number, sign: number): number {
    const r = this.#modeCount,
      centre = this.#centre;
    const i = (3 * a + axis) * r,
      j = (3 * b + axis) * r;
    let sum = 0;
    if (this.#kind === 'ball') {
      for (let m = 0; m < r; m++) {
        const d = centre[i + m] - centre[j + m];
        sum += d * d;
      }
      return Math.sqrt(sum);
    }
    for (let m = 0; m < r; m++) {
      const d = sign * (centre[j + m] - centre[i + m]);
      if (d > 0) sum += this.#kind === 'box' ? d : d * d;
    }
    return this.#kind === 'box' ? sum : Math.sqrt(sum);
  }
}
