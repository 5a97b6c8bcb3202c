import { CollisionReport, findAllCollisions, findSelfCollisions } from 'pliant';
import type { Cast } from '../scenes/scene.ts';
import type { Measured } from './protocol.ts';

/** A method with bodies of its own, and how long it takes for a frame: posing, refitting and finding the pairs. */
export class Contender {
  readonly cast: Cast;
  readonly report = new CollisionReport();
  readonly #method: 'auto' | 'depth-first';
  readonly #self: boolean;

  constructor(cast: Cast, method: 'auto' | 'depth-first', self: boolean) {
    this.cast = cast;
    this.#method = method;
    this.#self = self;
  }

  run(): Measured {
    const { report } = this;
    const options = { method: this.#method, report };
    const start = performance.now();
    this.cast.pose();
    const { bodies } = this.cast;
    if (bodies.length === 1) findSelfCollisions(bodies[0], options);
    else findAllCollisions(bodies, { ...options, self: this.#self });
    const milliseconds = performance.now() - start;
    const { method, reason, counters } = report;
    return { milliseconds, method, reason, counters: { ...counters } };
  }

  dispose(): void {
    for (const body of this.cast.bodies) body.dispose();
  }
}

/** True when two reports name the same pairs of the same bodies. */
export function haveSamePairs(a: CollisionReport, b: CollisionReport): boolean {
  if (a.pairCount !== b.pairCount) return false;
  for (let k = 0; k < 2 * a.pairCount; k++) {
    if (a.pairs[k] !== b.pairs[k] || a.bodies?.[k] !== b.bodies?.[k]) return false;
  }
  return true;
}

/** Pairs with ids that count over all meshes, lower id first, sorted: as `pliant check` lists them. */
export function globalPairs(report: CollisionReport, firstTriangle: readonly number[]): Uint32Array {
  const { pairs, bodies, pairCount } = report;
  const ids = firstTriangle.at(-1)!; // of all meshes together
  const keys = new Float64Array(pairCount);
  for (let k = 0; k < pairCount; k++) {
    const a = firstTriangle[bodies ? bodies[2 * k] : 0] + pairs[2 * k],
      b = firstTriangle[bodies ? bodies[2 * k + 1] : 0] + pairs[2 * k + 1];
    keys[k] = Math.min(a, b) * ids + Math.max(a, b); // below 2^53
  }
  keys.sort();
  const sorted = new Uint32Array(2 * pairCount);
  for (let k = 0; k < pairCount; k++) {
    sorted[2 * k] = Math.floor(keys[k] / ids);
    sorted[2 * k + 1] = keys[k] % ids;
  }
  return sorted;
}
