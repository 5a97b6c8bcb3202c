import type { Body } from '../body/body.ts';
import { growByPoint, setEmpty } from '../refit/aabb-free.ts';
import { HandleBoxes } from '../refit/handle-boxes.ts';
import { PairBuffer } from '../report/pair-buffer.ts';
import { measure } from './batch.ts';
import { measureClassically } from './depth-first.ts';
import type { Job } from './job.ts';
import { Side } from './side.ts';

/**
 * The broad phase: which bodies' world boxes overlap, found by a sweep along the axis on which they are spread most.
 * Bodies with cheap bounds are measured by the volume of their root, the others by all their points; for a classic query
 * all of them by a complete refit. It starts from the order of the last time, which is nearly right for bodies that move.
 */
export class BodySweep {
  /** The lower index first, in order: all of them, or the next ones where there are very many. */
  readonly pairs = new PairBuffer();
  /** The box of all bodies that have a partner; of all bodies where there are very many pairs. */
  readonly region = new Float64Array(6);

  readonly #side = new Side();
  readonly #box = new Float64Array(6);
  #boxes = new Float64Array(0); // 6 per body
  #order = new Uint32Array(0);
  #found = new Float64Array(64); // pairs as single numbers
  #foundCount = 0;
  readonly #mostPairs: number;
  #axis = 0;
  #longest = 0; // of the boxes along the axis
  #hasAll = true;
  #next = 0; // the body whose partners are listed next; none when all pairs are

  constructor(mostPairs = MOST_PAIRS) {
    this.#mostPairs = mostPairs;
  }

  /** Measures all bodies. Their pairs are listed by `listNext`. */
  begin(job: Job, bodies: readonly Body[], continuous: boolean, isClassic: boolean): void {
    this.#makeRoom(bodies.length);
    job.continuous = continuous;
    for (let i = 0; i < bodies.length; i++) this.#measure(job, bodies[i], i, isClassic);
    const axis = widestAxis(this.#boxes);
    sortAlong(this.#order, this.#boxes, axis);
    this.#axis = axis;
    this.#next = -1;
  }

  /** True when the last call of `listNext` listed all pairs at once. */
  get hasAll(): boolean {
    return this.#hasAll;
  }

  /**
   * Puts all pairs, or the next ones, into `pairs`. False when there are none left. Where bodies have millions of pairs
   * in all, those of some bodies at a time: memory does not grow with the number of pairs.
   */
  listNext(): boolean {
    const count = this.#order.length;
    this.pairs.clear();
    if (this.#next < 0) {
      this.#hasAll = this.#findPairs(this.#axis);
      this.#next = this.#hasAll ? count : 0;
      this.#setRegion();
      if (this.#hasAll) this.#takeFound();
      else {
        this.#found = new Float64Array(64); // the list was too long to be kept
        this.#measureLongest();
      }
    }
    while (this.#next < count && this.pairs.count < GROUP) this.#listPartners(this.#next++);
    return this.pairs.count > 0;
  }

  #takeFound(): void {
    const count = this.#order.length;
    const found = this.#found.subarray(0, this.#foundCount).sort();
    for (let k = 0; k < found.length; k++) this.pairs.push(Math.floor(found[k] / count), found[k] % count);
  }

  #setRegion(): void {
    setEmpty(this.region, 0);
    const count = this.#order.length;
    if (!this.#hasAll) for (let i = 0; i < count; i++) this.#growRegion(i);
    for (let k = 0; k < this.#foundCount; k++) {
      this.#growRegion(Math.floor(this.#found[k] / count));
      this.#growRegion(this.#found[k] % count);
    }
  }

  #measureLongest(): void {
    const boxes = this.#boxes;
    this.#longest = 0;
    for (let o = this.#axis; o < boxes.length; o += 6) {
      this.#longest = Math.max(this.#longest, boxes[o + 3] - boxes[o]);
    }
  }

  /** Bodies after i whose boxes overlap that of i, in order. */
  #listPartners(i: number): void {
    const boxes = this.#boxes,
      order = this.#order,
      axis = this.#axis;
    const start = boxes[6 * i + axis] - this.#longest * (1 + 1e-12),
      end = boxes[6 * i + 3 + axis];
    let low = 0;
    for (let high = order.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (boxes[6 * order[middle] + axis] < start) low = middle + 1;
      else high = middle;
    }
    this.#foundCount = 0;
    for (let k = low; k < order.length && boxes[6 * order[k] + axis] <= end; k++) {
      const j = order[k];
      if (j > i && overlap(boxes, 6 * i, 6 * j)) this.#add(j);
    }
    const found = this.#found.subarray(0, this.#foundCount).sort();
    for (let k = 0; k < found.length; k++) this.pairs.push(i, found[k]);
  }

  #makeRoom(count: number): void {
    if (this.#order.length === count) return;
    this.#boxes = new Float64Array(6 * count);
    this.#order = Uint32Array.from({ length: count }, (_, i) => i);
  }

  #measure(job: Job, body: Body, i: number, isClassic: boolean): void {
    const { counters } = job.report;
    const evaluated = body.world.evaluated;
    this.#setBox(job, body, i, isClassic);
    counters.verticesDeformed += body.world.evaluated - evaluated;
  }

  #setBox(job: Job, body: Body, i: number, isClassic: boolean): void {
    const boxes = this.#boxes;
    if (!isClassic && body.hasCheapBounds && body.mesh.triangleCount >= 4) {
      const bounds = body.getWorldBounds(job.continuous);
      bounds.begin(job.continuous);
      const before = bounds.refitted;
      bounds.ensure(0);
      job.report.counters.volumesRefitted += bounds.refitted - before;
      if (bounds instanceof HandleBoxes) body.world.evaluated += bounds.takeEvaluated();
      for (let k = 0; k < 6; k++) boxes[6 * i + k] = bounds.box[k];
      return;
    }
    const side = this.#side;
    side.body = body;
    side.mesh = body.resident;
    side.source = body.world;
    if (isClassic) measureClassically(job, side, this.#box);
    else measure(job, side, this.#box);
    boxes.set(this.#box, 6 * i);
  }

  /** False when there are too many to be listed at once. */
  #findPairs(axis: number): boolean {
    const boxes = this.#boxes,
      order = this.#order;
    this.#foundCount = 0;
    for (let k = 0; k < order.length; k++) {
      const i = order[k],
        end = boxes[6 * i + 3 + axis];
      for (let l = k + 1; l < order.length && boxes[6 * order[l] + axis] <= end; l++) {
        const j = order[l];
        if (!overlap(boxes, 6 * i, 6 * j)) continue;
        if (this.#foundCount === this.#mostPairs) {
          this.#foundCount = 0;
          return false;
        }
        this.#add(Math.min(i, j) * order.length + Math.max(i, j));
      }
    }
    return true;
  }

  #add(pair: number): void {
    if (this.#foundCount === this.#found.length) {
      const larger = new Float64Array(2 * this.#foundCount);
      larger.set(this.#found);
      this.#found = larger;
    }
    this.#found[this.#foundCount++] = pair;
  }

  #growRegion(body: number): void {
    growByPoint(this.region, 0, this.#boxes, 6 * body);
    growByPoint(this.region, 0, this.#boxes, 6 * body + 3);
  }
}

/** More pairs of bodies than this are not listed at once. */
const MOST_PAIRS = 1 << 21;
/** Pairs to have before they are worked off. */
const GROUP = 1 << 10;

/** By insertion: little to do where the order is nearly right, too much where it is not. */
function sortAlong(order: Uint32Array, boxes: Float64Array, axis: number): void {
  let moves = 0;
  for (let k = 1; k < order.length; k++) {
    const body = order[k],
      start = boxes[6 * body + axis];
    let l = k;
    while (l > 0 && comesAfter(boxes, axis, order[l - 1], body, start)) {
      order[l] = order[l - 1];
      l--;
    }
    order[l] = body;
    moves += k - l;
    if (moves <= MOST_MOVES * order.length) continue;
    order.sort((i, j) => boxes[6 * i + axis] - boxes[6 * j + axis] || i - j);
    return;
  }
}

const MOST_MOVES = 8; // per body

function comesAfter(boxes: Float64Array, axis: number, i: number, body: number, start: number): boolean {
  const other = boxes[6 * i + axis];
  return other > start || (other === start && i > body);
}

function widestAxis(boxes: Float64Array): number {
  let widest = 0,
    most = -Infinity;
  for (let axis = 0; axis < 3; axis++) {
    let lo = Infinity,
      hi = -Infinity;
    for (let o = axis; o < boxes.length; o += 6) {
      lo = Math.min(lo, boxes[o]);
      hi = Math.max(hi, boxes[o]);
    }
    if (!(hi - lo > most)) continue;
    most = hi - lo;
    widest = axis;
  }
  return widest;
}

function overlap(boxes: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (boxes[a + k] > boxes[b + 3 + k] || boxes[b + k] > boxes[a + 3 + k]) return false;
  }
  return true;
}
