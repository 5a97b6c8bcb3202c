import type { Triangles } from './marching-tetrahedra.ts';

/**
 * A closed manifold triangle mesh under change. Half-edge 3t + k of triangle t starts at its corner k and runs to
 * the next corner. Edges are split, collapsed and flipped one at a time; each keeps the mesh closed and manifold.
 */
export class HalfEdges {
  positions: Float64Array;
  vertexCount: number;
  edgeCount: number; // half-edges, those of removed triangles included
  removedTriangles = 0;
  origin: Int32Array; // vertex a half-edge starts at; −1: removed
  twin: Int32Array;
  first: Int32Array; // a half-edge that starts at the vertex; −1: removed

  constructor({ positions, triangles }: Triangles) {
    this.positions = positions.slice();
    this.vertexCount = positions.length / 3;
    this.edgeCount = triangles.length;
    this.origin = Int32Array.from(triangles);
    this.twin = matchTwins(triangles, this.vertexCount);
    this.first = new Int32Array(this.vertexCount);
    for (let e = 0; e < this.edgeCount; e++) this.first[this.origin[e]] = e;
  }

  get triangleCount(): number {
    return this.edgeCount / 3 - this.removedTriangles;
  }

  next(e: number): number {
    return e % 3 === 2 ? e - 2 : e + 1;
  }

  previous(e: number): number {
    return e % 3 === 0 ? e + 2 : e - 1;
  }

  target(e: number): number {
    return this.origin[this.next(e)];
  }

  /** The corner opposite to the edge. */
  apex(e: number): number {
    return this.origin[this.previous(e)];
  }

  /** The next half-edge around the vertex that `e` starts at. */
  around(e: number): number {
    return this.twin[this.previous(e)];
  }

  valence(v: number): number {
    const start = this.first[v];
    let count = 0,
      e = start;
    do {
      count++;
      e = this.around(e);
    } while (e !== start);
    return count;
  }

  hasEdge(u: number, v: number): boolean {
    const start = this.first[u];
    let e = start;
    do {
      if (this.target(e) === v) return true;
      e = this.around(e);
    } while (e !== start);
    return false;
  }

  /** A vertex in the middle of the edge; both triangles are halved. Returns the vertex. */
  split(e: number): number {
    const f = this.twin[e];
    const a = this.origin[e],
      b = this.origin[f];
    const c = this.apex(e),
      d = this.apex(f);
    const m = this.#addVertex(a, b);
    const eNext = this.next(e),
      fPrevious = this.previous(f);
    const x = this.#addTriangle(m, b, c),
      y = this.#addTriangle(m, d, b);
    // e: a → m, its triangle becomes (a, m, c); f: m → a, its triangle (m, a, d).
    const bc = this.twin[eNext],
      db = this.twin[fPrevious];
    this.origin[eNext] = m;
    this.origin[f] = m;
    this.#link(e, f);
    this.#link(x, y + 2);
    this.#link(x + 1, bc);
    this.#link(x + 2, eNext);
    this.#link(y, fPrevious);
    this.#link(y + 1, db);
    this.first[m] = x;
    this.first[b] = x + 1;
    this.first[c] = x + 2;
    this.first[d] = y + 1;
    this.first[a] = e;
    return m;
  }

  /** True when moving the start of `e` onto its end keeps the mesh manifold. */
  canCollapse(e: number): boolean {
    const f = this.twin[e];
    const a = this.origin[e],
      b = this.origin[f];
    const c = this.apex(e),
      d = this.apex(f);
    if (c === d || this.valence(c) <= 4 || this.valence(d) <= 4) return false;
    let e1 = e;
    do {
      const v = this.target(e1);
      if (v !== b && v !== c && v !== d && this.hasEdge(v, b)) return false; // a common neighbour more
      e1 = this.around(e1);
    } while (e1 !== e);
    return this.valence(a) + this.valence(b) >= 8;
  }

  /** Removes the start of `e` and the triangles on both sides of it. */
  collapse(e: number): void {
    const f = this.twin[e];
    const a = this.origin[e],
      b = this.origin[f];
    const c = this.apex(e),
      d = this.apex(f);
    let e1 = e;
    do {
      const after = this.around(e1);
      this.origin[e1] = b;
      e1 = after;
    } while (e1 !== e);
    const bc = this.twin[this.next(e)],
      ca = this.twin[this.previous(e)];
    const ad = this.twin[this.next(f)],
      db = this.twin[this.previous(f)];
    this.#link(bc, ca);
    this.#link(ad, db);
    this.first[a] = -1;
    this.first[b] = ca;
    this.first[c] = bc;
    this.first[d] = ad;
    this.#removeTriangle(e);
    this.#removeTriangle(f);
  }

  /** Turns the edge inside its two triangles: it then joins their opposite corners. */
  flip(e: number): void {
    const f = this.twin[e];
    const eNext = this.next(e),
      ePrevious = this.previous(e);
    const fNext = this.next(f),
      fPrevious = this.previous(f);
    const a = this.origin[e],
      b = this.origin[f];
    const c = this.origin[ePrevious],
      d = this.origin[fPrevious];
    const bc = this.twin[eNext],
      ca = this.twin[ePrevious];
    const ad = this.twin[fNext],
      db = this.twin[fPrevious];
    // (a, b, c) and (b, a, d) become (d, c, a) and (c, d, b).
    this.origin[e] = d;
    this.origin[eNext] = c;
    this.origin[ePrevious] = a;
    this.origin[f] = c;
    this.origin[fNext] = d;
    this.origin[fPrevious] = b;
    this.#link(eNext, ca);
    this.#link(ePrevious, ad);
    this.#link(fNext, db);
    this.#link(fPrevious, bc);
    this.first[a] = ePrevious;
    this.first[b] = fPrevious;
    this.first[c] = f;
    this.first[d] = e;
  }

  /** The vertices and triangles that are left, numbered anew. */
  finish(): Triangles {
    const id = new Int32Array(this.vertexCount).fill(-1);
    const triangles = new Uint32Array(3 * this.triangleCount);
    const positions: number[] = [];
    let used = 0,
      o = 0;
    for (let e = 0; e < this.edgeCount; e++) {
      const v = this.origin[e];
      if (v < 0) continue;
      if (id[v] < 0) {
        id[v] = used++;
        positions.push(this.positions[3 * v], this.positions[3 * v + 1], this.positions[3 * v + 2]);
      }
      triangles[o++] = id[v];
    }
    return { positions: Float64Array.from(positions), triangles };
  }

  #link(e: number, f: number): void {
    this.twin[e] = f;
    this.twin[f] = e;
  }

  #addVertex(a: number, b: number): number {
    const m = this.vertexCount++;
    if (3 * m >= this.positions.length) {
      this.positions = grown(this.positions, Float64Array);
      this.first = grown(this.first, Int32Array);
    }
    for (let k = 0; k < 3; k++) {
      this.positions[3 * m + k] = (this.positions[3 * a + k] + this.positions[3 * b + k]) / 2;
    }
    return m;
  }

  #addTriangle(a: number, b: number, c: number): number {
    const e = this.edgeCount;
    this.edgeCount += 3;
    if (this.edgeCount > this.origin.length) {
      this.origin = grown(this.origin, Int32Array);
      this.twin = grown(this.twin, Int32Array);
    }
    this.origin[e] = a;
    this.origin[e + 1] = b;
    this.origin[e + 2] = c;
    return e;
  }

  #removeTriangle(e: number): void {
    const start = e - (e % 3);
    this.origin.fill(-1, start, start + 3);
    this.removedTriangles++;
  }
}

function grown<T extends Float64Array | Int32Array>(old: T, kind: new (length: number) => T): T {
  const more = new kind(3 * Math.ceil((old.length + 32) / 2));
  more.set(old);
  return more;
}

/** Each edge of a closed manifold mesh has exactly two half-edges, which run in opposite directions. */
function matchTwins(triangles: Uint32Array, vertexCount: number): Int32Array {
  const twin = new Int32Array(triangles.length);
  const open = new Map<number, number>();
  for (let e = 0; e < triangles.length; e++) {
    const a = triangles[e],
      b = triangles[e % 3 === 2 ? e - 2 : e + 1];
    const other = open.get(b * vertexCount + a);
    if (other === undefined) open.set(a * vertexCount + b, e);
    else {
      open.delete(b * vertexCount + a);
      twin[e] = other;
      twin[other] = e;
    }
  }
  return twin;
}
