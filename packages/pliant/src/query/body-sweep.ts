import type { Body } from '../body/body.ts';
import { growByPoint, setEmpty } from '../refit/aabb-free.ts';
import { PairBuffer } from '../report/pair-buffer.ts';
import { measure } from './batch.ts';
import { measureClassically } from './depth-first.ts';
import { type Job, Side } from './job.ts';

/**
 * The broad phase: which bodies' world boxes overlap, found by a sweep along the axis on which they are spread most.
 * Bodies with cheap bounds are measured by the volume of their root, the others by all their points; for a classic query
 * all of them by a complete refit.
 */
export class BodySweep {
  /** The lower index first, in order. */
  readonly pairs = new PairBuffer();
  /** The box of all bodies that have a partner. */
  readonly region = new Float64Array(6);

  constructor(job: Job, bodies: readonly Body[], continuous: boolean, isClassic: boolean) {
    const boxes = measureBodies(job, bodies, continuous, isClassic);
    const axis = widestAxis(boxes);
    const order = bodies.map((_, i) => i).sort((i, j) => boxes[6 * i + axis] - boxes[6 * j + axis] || i - j);
    const found: number[] = [];
    for (let k = 0; k < order.length; k++) {
      const i = order[k];
      for (let l = k + 1; l < order.length && boxes[6 * order[l] + axis] <= boxes[6 * i + 3 + axis]; l++) {
        const j = order[l];
        if (overlap(boxes, 6 * i, 6 * j)) found.push(Math.min(i, j) * bodies.length + Math.max(i, j));
      }
    }
    found.sort((s, t) => s - t);
    setEmpty(this.region, 0);
    for (const key of found) {
      const i = Math.floor(key / bodies.length),
        j = key % bodies.length;
      this.pairs.push(i, j);
      for (const o of [6 * i, 6 * j]) {
        growByPoint(this.region, 0, boxes, o);
        growByPoint(this.region, 0, boxes, o + 3);
      }
    }
  }
}

function measureBodies(
  job: Job,
  bodies: readonly Body[],
  continuous: boolean,
  isClassic: boolean,
): Float64Array {
  const boxes = new Float64Array(6 * bodies.length);
  const box = new Float64Array(6);
  const side = new Side();
  job.continuous = continuous;
  bodies.forEach((body, i) => {
    if (!isClassic && body.hasCheapBounds && body.mesh.triangleCount >= 4) {
      const bounds = body.getWorldBounds(continuous);
      bounds.begin(continuous);
      bounds.ensure(0);
      boxes.set(bounds.box.subarray(0, 6), 6 * i);
      return;
    }
    side.body = body;
    side.mesh = body.resident;
    side.source = body.world;
    if (isClassic) measureClassically(job, side, box);
    else measure(job, side, box);
    boxes.set(box, 6 * i);
  });
  return boxes;
}

function widestAxis(boxes: Float64Array): number {
  const spread = [0, 1, 2].map((axis) => {
    let lo = Infinity,
      hi = -Infinity;
    for (let o = axis; o < boxes.length; o += 6) {
      lo = Math.min(lo, boxes[o]);
      hi = Math.max(hi, boxes[o]);
    }
    return hi - lo;
  });
  return spread.indexOf(Math.max(...spread));
}

function overlap(boxes: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (boxes[a + k] > boxes[b + 3 + k] || boxes[b + k] > boxes[a + 3 + k]) return false;
  }
  return true;
}
