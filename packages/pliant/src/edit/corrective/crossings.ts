import type { Body } from '../../body/body.ts';
import type { Engine } from '../../body/engine.ts';
import { createTriangleMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { findSelfCollisions } from '../../query/self-collisions.ts';
import { CollisionReport } from '../../report/collision-report.ts';

/** Triangles this many edges apart, or fewer, that cross are a fold of the surface. */
const FOLD = 6;
/** What is apart stays apart when every vertex moves by so much of the surface's size: more than float32 rounds. */
const MARGIN = 2e-6;
const SHAKES = 2;

/** Pairs of triangles that touch. */
export interface TouchingPairs {
  /** Two ids each, those of the file. */
  readonly pairs: Uint32Array;
  /** Per pair: 1 when it touches in the bind pose already, or is of parts that do. */
  readonly atBind: Uint8Array;
}

/** Which triangles of a posed surface cross, exactly, and which of them do so in the bind pose already. */
export class Crossings {
  readonly mesh: TriangleMesh;
  /** Vertices that share an edge with v: neighbours[start[v]] to neighbours[start[v + 1]]. */
  readonly start: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly #body: Body;
  readonly #report = new CollisionReport();
  readonly #atBind = new Set<number>();
  readonly #partsAtBind = new Set<number>(); // pairs of parts that nothing connects, of which triangles are in #atBind
  readonly #nearAtBind = new Set<number>(); // within the margin
  readonly #shaken: Float64Array;

  /** `mesh` is at rest in the bind pose, whose own contacts are left alone. */
  constructor(engine: Engine, mesh: TriangleMesh) {
    const { positions, triangles, vertexCount, name } = mesh;
    this.mesh = mesh;
    this.#body = engine.createFreeBody(createTriangleMesh({ positions, triangles, name, weld: false }));
    this.#shaken = new Float64Array(positions.length);
    const { start, neighbours } = findNeighbours(mesh, vertexCount);
    this.start = start;
    this.neighbours = neighbours;
    this.#note(positions, this.#atBind, this.#partsAtBind);
    const size = sizeOf(positions);
    for (let seed = 1; seed <= SHAKES; seed++)
      this.#note(this.#shake(positions, size, seed), this.#nearAtBind);
  }

  /** All pairs that touch, as `pliant check` counts them; and those of them that do in the bind pose, or whose parts do. */
  count(positions: Float64Array): { pairs: number; atBind: number } {
    const { pairs, pairCount } = this.#find(positions);
    let atBind = 0;
    for (let k = 0; k < pairCount; k++) {
      if (this.#isAtBind(pairs[2 * k], pairs[2 * k + 1])) atBind++;
    }
    return { pairs: pairCount, atBind };
  }

  /** The pairs themselves. */
  touching(positions: Float64Array): TouchingPairs {
    const { pairs, pairCount } = this.#find(positions);
    const atBind = Uint8Array.from({ length: pairCount }, (_, k) =>
      this.#isAtBind(pairs[2 * k], pairs[2 * k + 1]) ? 1 : 0,
    );
    return { pairs: pairs.slice(0, 2 * pairCount), atBind };
  }

  /** Triangles that cross, two after two, those of the bind pose left out. */
  find(positions: Float64Array): number[] {
    const { pairs, pairCount } = this.#find(positions);
    const found: number[] = [];
    for (let k = 0; k < pairCount; k++) {
      const i = pairs[2 * k],
        j = pairs[2 * k + 1];
      if (!this.#isAtBind(i, j)) found.push(i, j);
    }
    return found;
  }

  /** The same; where nothing crosses, what would if vertices moved a little. `size` is that of the surface. */
  findWithMargin(positions: Float64Array, size: number): number[] {
    const found = this.find(positions);
    for (let seed = 1; seed <= SHAKES && found.length === 0; seed++) {
      const near = this.find(this.#shake(positions, size, seed));
      for (let k = 0; k < near.length; k += 2) {
        if (!this.#nearAtBind.has(this.#key(near[k], near[k + 1]))) found.push(near[k], near[k + 1]);
      }
    }
    return found;
  }

  /** Of pairs those that are near each other along the surface, too. */
  folds(pairs: readonly number[]): number[] {
    const out: number[] = [];
    for (let k = 0; k < pairs.length; k += 2) {
      if (this.#areNear(pairs[k], pairs[k + 1])) out.push(pairs[k], pairs[k + 1]);
    }
    return out;
  }

  dispose(): void {
    this.#body.dispose();
  }

  #note(positions: Float64Array, into: Set<number>, parts?: Set<number>): void {
    const { pairs, pairCount } = this.#find(positions);
    for (let k = 0; k < pairCount; k++) {
      into.add(this.#key(pairs[2 * k], pairs[2 * k + 1]));
      parts?.add(this.#partKey(pairs[2 * k], pairs[2 * k + 1]));
    }
  }

  /** Parts that go through one another in the bind pose, such as a belt, slide in other poses: that is meant. */
  #isAtBind(i: number, j: number): boolean {
    const { component } = this.mesh;
    if (this.#atBind.size === 0) return false;
    if (component[i] === component[j]) return this.#atBind.has(this.#key(i, j));
    return this.#partsAtBind.has(this.#partKey(i, j));
  }

  #partKey(i: number, j: number): number {
    const { component, componentCount } = this.mesh;
    const low = Math.min(component[i], component[j]),
      high = Math.max(component[i], component[j]);
    return low * componentCount + high;
  }

  #shake(positions: Float64Array, size: number, seed: number): Float64Array {
    const shaken = this.#shaken;
    for (let i = 0; i < shaken.length; i++) shaken[i] = positions[i] + MARGIN * size * noise(i, seed);
    return shaken;
  }

  #find(positions: Float64Array): CollisionReport {
    this.#body.setPose(positions);
    return findSelfCollisions(this.#body, { report: this.#report });
  }

  #key(i: number, j: number): number {
    return i * this.mesh.triangleCount + j;
  }

  #areNear(i: number, j: number): boolean {
    const { triangles } = this.mesh;
    const goal = new Set(triangles.subarray(3 * j, 3 * j + 3));
    const met = new Set(triangles.subarray(3 * i, 3 * i + 3));
    let front = [...met];
    for (let ring = 0; ring <= FOLD; ring++) {
      if (front.some((v) => goal.has(v))) return true;
      const next: number[] = [];
      for (const v of front) {
        for (const w of this.neighbours.subarray(this.start[v], this.start[v + 1])) {
          if (met.has(w)) continue;
          met.add(w);
          next.push(w);
        }
      }
      front = next;
    }
    return false;
  }
}

function findNeighbours({ triangles, adjacency }: TriangleMesh, vertexCount: number) {
  const start = new Uint32Array(vertexCount + 1);
  const list: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const around = new Set<number>();
    for (let e = adjacency.start[v]; e < adjacency.start[v + 1]; e++) {
      for (let c = 3 * adjacency.list[e]; c < 3 * adjacency.list[e] + 3; c++) around.add(triangles[c]);
    }
    around.delete(v);
    list.push(...around);
    start[v + 1] = list.length;
  }
  return { start, neighbours: Uint32Array.from(list) };
}

/** The longest side of the box around points. */
export function sizeOf(positions: Float64Array): number {
  let size = 0;
  for (let a = 0; a < 3; a++) {
    let low = Infinity,
      high = -Infinity;
    for (let i = a; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    size = Math.max(size, high - low);
  }
  return size;
}

/** From −1 to 1, the same for the same numbers. */
function noise(i: number, seed: number): number {
  let h = Math.imul(i + 0x9e3779b9 * seed, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) | 0) / 2 ** 31;
}
