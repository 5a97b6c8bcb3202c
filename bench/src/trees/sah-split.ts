import type { TriangleMesh } from '../../../packages/pliant/src/mesh/triangle-mesh.ts';
import type { SplitInput, SplitRule } from '../../../packages/pliant/src/tree/build-tree.ts';
import { splitAtMedian } from '../../../packages/pliant/src/tree/median-split.ts';

const BINS = 16;

/**
 * The surface-area heuristic with bins, down to one triangle per leaf: of 15 planes on each axis the one with the
 * smallest (triangles × surface of their box) on both sides together. Wald 2007.
 */
export function createSahSplit(mesh: TriangleMesh): SplitRule {
  const boxes = triangleBoxes(mesh);
  const bins = new Bins();
  return (input, first, count) => {
    const plane = bins.findPlane(input, boxes, first, count);
    return plane === undefined ? splitAtMedian(input, first, count) : partition(input, first, count, plane);
  };
}

interface Plane {
  readonly axis: number;
  readonly origin: number;
  readonly scale: number;
  /** Triangles in bins below this go to the first child. */
  readonly bin: number;
}

class Bins {
  readonly #counts = new Uint32Array(BINS);
  readonly #boxes = new Float64Array(6 * BINS);
  readonly #lowerCosts = new Float64Array(BINS);
  readonly #box = new Float64Array(6);

  /** Undefined when all centroids lie in one bin on every axis. */
  findPlane(input: SplitInput, boxes: Float64Array, first: number, count: number): Plane | undefined {
    let best: Plane | undefined;
    let bestCost = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const [origin, scale] = rangeOf(input, axis, first, count);
      if (!(scale < Infinity)) continue;
      this.#fill(input, boxes, axis, origin, scale, first, count);
      const [bin, cost] = this.#cheapest(count);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { axis, origin, scale, bin };
    }
    return best;
  }

  #fill(
    { order, centroids }: SplitInput,
    boxes: Float64Array,
    axis: number,
    origin: number,
    scale: number,
    first: number,
    count: number,
  ): void {
    this.#counts.fill(0);
    for (let k = 0; k < BINS; k++) setEmpty(this.#boxes, 6 * k);
    for (let s = first; s < first + count; s++) {
      const bin = binOf(centroids[3 * order[s] + axis], origin, scale);
      this.#counts[bin]++;
      growBox(this.#boxes, 6 * bin, boxes, 6 * order[s]);
    }
  }

  /** The first bin of the second child, and the cost of that plane. */
  #cheapest(count: number): [number, number] {
    const box = this.#box;
    let below = 0;
    setEmpty(box, 0);
    for (let k = 0; k < BINS - 1; k++) {
      below += this.#counts[k];
      growBox(box, 0, this.#boxes, 6 * k);
      this.#lowerCosts[k + 1] = below === 0 ? Infinity : below * surface(box);
    }
    let bestBin = 0,
      bestCost = Infinity,
      above = 0;
    setEmpty(box, 0);
    for (let k = BINS - 1; k > 0; k--) {
      above += this.#counts[k];
      growBox(box, 0, this.#boxes, 6 * k);
      if (above === 0 || above === count) continue;
      const cost = this.#lowerCosts[k] + above * surface(box);
      if (cost >= bestCost) continue;
      bestCost = cost;
      bestBin = k;
    }
    return [bestBin, bestCost];
  }
}

function partition({ order, centroids }: SplitInput, first: number, count: number, plane: Plane): number {
  const { axis, origin, scale, bin } = plane;
  let i = first,
    j = first + count - 1;
  while (i <= j) {
    if (binOf(centroids[3 * order[i] + axis], origin, scale) < bin) {
      i++;
      continue;
    }
    const t = order[i];
    order[i] = order[j];
    order[j--] = t;
  }
  return i - first;
}

function binOf(x: number, origin: number, scale: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor((x - origin) * scale)));
}

/** Origin and bins per unit. */
function rangeOf(
  { order, centroids }: SplitInput,
  axis: number,
  first: number,
  count: number,
): [number, number] {
  let lo = Infinity,
    hi = -Infinity;
  for (let s = first; s < first + count; s++) {
    const x = centroids[3 * order[s] + axis];
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  return [lo, BINS / (hi - lo)];
}

function triangleBoxes({ triangles, positions, triangleCount }: TriangleMesh): Float64Array {
  const boxes = new Float64Array(6 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    setEmpty(boxes, 6 * t);
    for (let k = 0; k < 3; k++) growPoint(boxes, 6 * t, positions, 3 * triangles[3 * t + k]);
  }
  return boxes;
}

function setEmpty(box: Float64Array, o: number): void {
  box[o] = box[o + 1] = box[o + 2] = Infinity;
  box[o + 3] = box[o + 4] = box[o + 5] = -Infinity;
}

function growPoint(box: Float64Array, o: number, points: Float64Array, p: number): void {
  for (let k = 0; k < 3; k++) {
    box[o + k] = Math.min(box[o + k], points[p + k]);
    box[o + 3 + k] = Math.max(box[o + 3 + k], points[p + k]);
  }
}

function growBox(box: Float64Array, o: number, other: Float64Array, r: number): void {
  for (let k = 0; k < 3; k++) {
    box[o + k] = Math.min(box[o + k], other[r + k]);
    box[o + 3 + k] = Math.max(box[o + 3 + k], other[r + 3 + k]);
  }
}

function surface(box: Float64Array): number {
  const x = box[3] - box[0],
    y = box[4] - box[1],
    z = box[5] - box[2];
  return x >= 0 ? x * y + y * z + z * x : 0;
}
