import type { Cage } from '../types.ts';
import { createTetrahedronNeighbours, type TetrahedronNeighbours } from './tetrahedron-neighbours.ts';

/** A way between two tetrahedra is sought among so many. */
const MOST = 4096;

/** Shortest ways between tetrahedra through faces; found once for each pair. */
export class TetrahedronLinks {
  readonly #cage: Cage;
  readonly #neighbours: TetrahedronNeighbours;
  readonly #ways = new Map<number, readonly number[]>();
  readonly #cameFrom: Int32Array; // −1: not met
  readonly #queue: number[] = [];

  constructor(cage: Cage) {
    this.#cage = cage;
    this.#neighbours = createTetrahedronNeighbours(cage);
    this.#cameFrom = new Int32Array(cage.tetrahedra.tetrahedronCount).fill(-1);
  }

  /** Adds what lies between s and t, unless they share a vertex; nothing when there is no way, or only a long one. */
  addBetween(s: number, t: number, out: Set<number>): void {
    if (this.#shareVertex(s, t)) return;
    const low = Math.min(s, t),
      high = Math.max(s, t);
    const key = low * this.#cameFrom.length + high;
    let way = this.#ways.get(key);
    if (way === undefined) {
      way = this.#search(low, high);
      this.#ways.set(key, way);
    }
    for (const tetrahedron of way) out.add(tetrahedron);
  }

  #shareVertex(s: number, t: number): boolean {
    const { tetrahedra } = this.#cage.tetrahedra;
    for (let i = 4 * s; i < 4 * s + 4; i++) {
      for (let j = 4 * t; j < 4 * t + 4; j++) if (tetrahedra[i] === tetrahedra[j]) return true;
    }
    return false;
  }

  #search(s: number, t: number): number[] {
    const { start, list } = this.#neighbours;
    const queue = this.#queue,
      from = this.#cameFrom;
    const way: number[] = [];
    queue.length = 0;
    queue.push(s);
    from[s] = s;
    for (let head = 0; head < queue.length && queue.length < MOST && from[t] < 0; head++) {
      for (let e = start[queue[head]]; e < start[queue[head] + 1]; e++) {
        if (from[list[e]] >= 0) continue;
        from[list[e]] = queue[head];
        queue.push(list[e]);
      }
    }
    if (from[t] >= 0) for (let at = from[t]; at !== s; at = from[at]) way.push(at);
    for (const tetrahedron of queue) from[tetrahedron] = -1;
    return way;
  }
}
