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
  /** The lower index first, in order. */
  readonly pairs = new PairBuffer();
  /** The box of all bodies that have a partner. */
  readonly region = new Float64Array(6);

  readonly #side = new Side();
  readonly #box = new Float64Array(6);
  #boxes = new Float64Array(0); // 6 per body
  #order = new Uint32Array(0);
  #found = new Float64Array(64); // pairs as single numbers
  #foundCount = 0;

  run(job: Job, bodies: readonly Body[], continuous: boolean, isClassic: boolean): void {
    this.#makeRoom(bodies.length);
    job.continuous = continuous;
    for (let i = 0; i < bodies.length; i++) this.#measure(job, bodies[i], i, isClassic);
    const axis = widestAxis(this.#boxes);
    sortAlong(this.#order, this.#boxes, axis);
    this.#findPairs(axis);
    setEmpty(this.region, 0);
    this.pairs.clear();
    const found = this.#found.subarray(0, this.#foundCount).sort();
    for (let k = 0; k < found.length; k++) {
      const i = Math.floor(found[k] / bodies.length),
        j = found[k] % bodies.length;
      this.pairs.push(i, j);
      this.#growRegion(i);
      this.#growRegion(j);
    }
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

  #findPairs(axis: number): void {
    const boxes = this.#boxes,
      order = this.#order;
    this.#foundCount = 0;
    for (let k = 0; k < order.length; k++) {
      const i = order[k],
        end = boxes[6 * i + 3 + axis];
      for (let l = k + 1; l < order.length && boxes[6 * order[l] + axis] <= end; l++) {
        const j = order[l];
        if (overlap(boxes, 6 * i, 6 * j)) this.#add(Math.min(i, j) * order.length + Math.max(i, j));
      }
    }
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
