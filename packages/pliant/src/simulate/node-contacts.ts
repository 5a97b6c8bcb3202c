import { checkMade, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkOption } from '../shapes/shape.ts';
import type { ElasticBody } from './elastic-body.ts';

export interface NodeContactOptions {
  /** Share of an overlap that is undone in one step. Default: 0.3. */
  push?: number;
}

/**
 * Keeps bodies apart: where nodes of two bodies come closer than both contact radii together, impulses along their
 * connection stop them and push them apart. Rough, since the nodes stand for the surface, but stable and cheap. The
 * order of bodies and nodes decides the order of impulses, so the result is always the same.
 */
export class NodeContacts {
  /** Pairs of nodes pushed apart by the last call of `separate`. */
  count = 0;
  readonly #bodies: readonly ElasticBody[];
  readonly #push: number;
  readonly #size: number; // of a cell: the farthest contact
  readonly #bodyOf: Uint32Array;
  readonly #nodeOf: Uint32Array;
  readonly #places: Float64Array; // 3 per node of all bodies
  readonly #cells: Int32Array; // 3 per node
  readonly #start: Uint32Array; // per bucket, and one more
  readonly #list: Uint32Array;
  readonly #mask: number;

  constructor(bodies: readonly ElasticBody[], options: NodeContactOptions = {}) {
    checkObject('options', options);
    const { push = 0.3 } = options;
    checkOption('push', push, 0, 1);
    if (!Array.isArray(bodies)) {
      throw new InputError('wrong-type', `bodies must be a list, not ${describe(bodies)}`);
    }
    bodies.forEach((body, b) => {
      checkMade(`bodies[${b}]`, body, 'new ElasticBody', 'nodeCount', 'contactRadius');
    });
    if (bodies.length === 0) throw new InputError('empty', 'there are no bodies');
    const total = bodies.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
    this.#bodies = bodies;
    this.#push = push;
    this.#size = Math.max(2 * Math.max(...bodies.map(({ contactRadius }) => contactRadius)), 1e-150);
    this.#bodyOf = new Uint32Array(total);
    this.#nodeOf = new Uint32Array(total);
    let next = 0;
    bodies.forEach(({ nodeCount }, b) => {
      for (let i = 0; i < nodeCount; i++, next++) {
        this.#bodyOf[next] = b;
        this.#nodeOf[next] = i;
      }
    });
    this.#places = new Float64Array(3 * total);
    this.#cells = new Int32Array(3 * total);
    let buckets = 16;
    while (buckets < 2 * total) buckets *= 2;
    this.#mask = buckets - 1;
    this.#start = new Uint32Array(buckets + 1);
    this.#list = new Uint32Array(total);
  }

  /** Changes velocities; call it before the bodies' steps of `seconds`. */
  separate(seconds: number): void {
    this.#sortNodes();
    this.count = 0;
    for (let a = 0; a < this.#list.length; a++) {
      const i = this.#cells[3 * a],
        j = this.#cells[3 * a + 1],
        k = this.#cells[3 * a + 2];
      for (let dk = -1; dk <= 1; dk++) {
        for (let dj = -1; dj <= 1; dj++) {
          for (let di = -1; di <= 1; di++) this.#separateFrom(a, i + di, j + dj, k + dk, seconds);
        }
      }
    }
  }

  /** A node and all later ones of other bodies in a cell. */
  #separateFrom(a: number, i: number, j: number, k: number, seconds: number): void {
    const bucket = this.#bucketOf(i, j, k);
    const cells = this.#cells;
    for (let e = this.#start[bucket]; e < this.#start[bucket + 1]; e++) {
      const b = this.#list[e];
      if (b <= a || this.#bodyOf[a] === this.#bodyOf[b]) continue;
      if (cells[3 * b] !== i || cells[3 * b + 1] !== j || cells[3 * b + 2] !== k) continue;
      this.#separatePair(a, b, seconds);
    }
  }

  #separatePair(a: number, b: number, seconds: number): void {
    const p = this.#places;
    const first = this.#bodies[this.#bodyOf[a]],
      second = this.#bodies[this.#bodyOf[b]];
    const dx = p[3 * a] - p[3 * b],
      dy = p[3 * a + 1] - p[3 * b + 1],
      dz = p[3 * a + 2] - p[3 * b + 2];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const overlap = first.contactRadius + second.contactRadius - distance;
    if (overlap <= 0 || distance === 0) return;
    const m = this.#nodeOf[a],
      n = this.#nodeOf[b];
    const inverseA = first.isPinned(m) ? 0 : 1 / first.model.masses[m],
      inverseB = second.isPinned(n) ? 0 : 1 / second.model.masses[n];
    if (inverseA + inverseB === 0) return;
    this.count++;
    const nx = dx / distance,
      ny = dy / distance,
      nz = dz / distance;
    const v = first.velocities,
      w = second.velocities;
    const parting =
      (v[3 * m] - w[3 * n]) * nx + (v[3 * m + 1] - w[3 * n + 1]) * ny + (v[3 * m + 2] - w[3 * n + 2]) * nz;
    const wanted = (this.#push * overlap) / seconds;
    if (parting >= wanted) return;
    const impulse = (wanted - parting) / (inverseA + inverseB);
    first.addImpulse(m, impulse * nx, impulse * ny, impulse * nz);
    second.addImpulse(n, -impulse * nx, -impulse * ny, -impulse * nz);
  }

  /** Counting sort of the nodes by buckets of their cells. */
  #sortNodes(): void {
    const places = this.#places,
      cells = this.#cells;
    const start = this.#start.fill(0);
    for (let a = 0; a < this.#list.length; a++) {
      const { model, displacements } = this.#bodies[this.#bodyOf[a]];
      for (let k = 0, o = 3 * this.#nodeOf[a]; k < 3; k++) {
        places[3 * a + k] = model.positions[o + k] + displacements[o + k];
        cells[3 * a + k] = Math.floor(places[3 * a + k] / this.#size);
      }
      start[this.#bucketOf(cells[3 * a], cells[3 * a + 1], cells[3 * a + 2]) + 1]++;
    }
    for (let bucket = 0; bucket <= this.#mask; bucket++) start[bucket + 1] += start[bucket];
    for (let a = this.#list.length - 1; a >= 0; a--) {
      const bucket = this.#bucketOf(cells[3 * a], cells[3 * a + 1], cells[3 * a + 2]);
      this.#list[--start[bucket + 1]] = a;
    }
    // Each start now stands one place late: bucket's own first entry is in start[bucket + 1].
    for (let bucket = 0; bucket <= this.#mask; bucket++) start[bucket] = start[bucket + 1];
    start[this.#mask + 1] = this.#list.length;
  }

  #bucketOf(i: number, j: number, k: number): number {
    return (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & this.#mask;
  }
}
