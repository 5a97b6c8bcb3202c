import type { CollisionReport } from '../../report/collision-report.ts';
import type { ContactBody } from './contact-body.ts';
import type { Contact, ContactList } from './contact-list.ts';
import { crossingShare, mapToRest } from './surface-map.ts';

/** Two triangle ids in one number, sorted by the first. */
const SECOND = 2 ** 26;
/** How often a point is mapped to rest anew through the triangle that came out closest. */
const REFINEMENTS = 2;
/** Depths below this share of the size are rounding. */
const NEGLIGIBLE = 1e-12;

/**
 * From touching triangles to penetrating points. Vertices of the reported triangles are mapped into the rest shape of
 * the other body, in the coordinates of the triangle they meet, and there their distance to the surface is looked up:
 * the material distance of Hirota et al. 2000, which has one value even where a deformed body overlaps itself. From
 * vertices inside, the search goes on to their neighbours, so deep penetrations are found as well. Edges that pierce
 * the other body with both ends outside count with the middle of the piece inside.
 */
export class SurfaceContacts {
  readonly #list: ContactList;
  #packed = new Float64Array(256);
  #stack = new Uint32Array(512); // vertex and seed triangle, two by two
  #search = 0;

  constructor(list: ContactList) {
    this.#list = list;
  }

  /** Adds the contacts of all pairs in a report of `findAllCollisions` on the bodies' colliders. */
  add(report: CollisionReport, bodies: readonly ContactBody[], friction: number): void {
    const owners = report.bodies!;
    for (let from = 0, to = 0; from < report.pairCount; from = to) {
      const a = owners[2 * from],
        b = owners[2 * from + 1];
      while (to < report.pairCount && owners[2 * to] === a && owners[2 * to + 1] === b) to++;
      this.#addPairs(report.pairs, from, to, bodies[a], bodies[b], friction);
    }
  }

  #addPairs(
    pairs: Uint32Array,
    from: number,
    to: number,
    a: ContactBody,
    b: ContactBody,
    friction: number,
  ): void {
    const count = to - from;
    if (this.#packed.length < 2 * count) this.#packed = new Float64Array(4 * count);
    this.#pack(pairs, from, count, 0, 1, 0);
    if (a === b) {
      this.#pack(pairs, from, count, 1, 0, count);
      this.#searchInside(this.#packed.subarray(0, 2 * count).sort(), a, b, friction);
      return;
    }
    this.#searchInside(this.#packed.subarray(0, count).sort(), a, b, friction);
    this.#pack(pairs, from, count, 1, 0, 0);
    this.#searchInside(this.#packed.subarray(0, count).sort(), b, a, friction);
  }

  /** Each pair as one number, its id at place `first` before the other. */
  #pack(
    pairs: Uint32Array,
    from: number,
    count: number,
    first: number,
    second: number,
    offset: number,
  ): void {
    for (let k = 0, o = 2 * from; k < count; k++, o += 2) {
      this.#packed[offset + k] = pairs[o + first] * SECOND + pairs[o + second];
    }
  }

  /** Points of `a` inside `b`; pairs are of a triangle of a and one of b. */
  #searchInside(packed: Float64Array, a: ContactBody, b: ContactBody, friction: number): void {
    const { triangles } = a.shape.model.surface;
    this.#search++;
    for (let k = 0; k < packed.length; k++) {
      const i = Math.trunc(packed[k] / SECOND),
        j = packed[k] % SECOND;
      for (let corner = 3 * i; corner < 3 * i + 3; corner++)
        this.#flood(triangles[corner], j, a, b, friction);
    }
    for (let from = 0, to = 0; from < packed.length; from = to) {
      const i = Math.trunc(packed[from] / SECOND);
      while (to < packed.length && Math.trunc(packed[to] / SECOND) === i) to++;
      for (let corner = 0; corner < 3; corner++) {
        const p = triangles[3 * i + corner],
          q = triangles[3 * i + ((corner + 1) % 3)];
        // An edge runs the other way in the other triangle: this way it is looked at once.
        if (p < q) this.#addEdge(p, q, packed, from, to, a, b, friction);
      }
    }
  }

  /** A vertex and, when it is inside, those around it. */
  #flood(vertex: number, triangle: number, a: ContactBody, b: ContactBody, friction: number): void {
    const { adjacency, triangles } = a.shape.model.surface;
    let top = 0;
    top = this.#push(vertex, triangle, top, a);
    while (top > 0) {
      const seed = this.#stack[--top],
        v = this.#stack[--top];
      if (!this.#addPoint(v, v, 0, seed, a, b, friction)) continue;
      a.inside[v] = this.#search;
      const next = b.shape.distance.triangle;
      for (let i = adjacency.start[v]; i < adjacency.start[v + 1]; i++) {
        const t = 3 * adjacency.list[i];
        for (let corner = t; corner < t + 3; corner++) top = this.#push(triangles[corner], next, top, a);
      }
    }
  }

  #push(vertex: number, triangle: number, top: number, a: ContactBody): number {
    if (a.seen[vertex] === this.#search) return top;
    a.seen[vertex] = this.#search;
    if (top + 2 > this.#stack.length) {
      const larger = new Uint32Array(2 * this.#stack.length);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[top] = vertex;
    this.#stack[top + 1] = triangle;
    return top + 2;
  }

  #addEdge(
    p: number,
    q: number,
    packed: Float64Array,
    from: number,
    to: number,
    a: ContactBody,
    b: ContactBody,
    friction: number,
  ): void {
    if (to - from < 2 || a.inside[p] === this.#search || a.inside[q] === this.#search) return;
    let low = Infinity,
      high = -Infinity,
      triangle = 0;
    a.ensure(p);
    a.ensure(q);
    for (let k = from; k < to; k++) {
      const j = packed[k] % SECOND;
      const t = crossingShare(a.positions, 3 * p, 3 * q, b, j);
      if (t < 0) continue;
      if (t < low) {
        low = t;
        triangle = j;
      }
      high = Math.max(high, t);
    }
    if (high > low) this.#addPoint(p, q, (low + high) / 2, triangle, a, b, friction);
  }

  /** Adds a point of a when it is inside b; `triangle` of b is one near it. */
  #addPoint(
    vertex0: number,
    vertex1: number,
    share: number,
    triangle: number,
    a: ContactBody,
    b: ContactBody,
    friction: number,
  ): boolean {
    const contact = this.#list.add();
    contact.a = a;
    contact.b = b;
    contact.partner = b.index;
    contact.friction = friction;
    contact.vertex0 = vertex0;
    contact.vertex1 = vertex1;
    contact.share = share;
    a.ensure(vertex0);
    a.ensure(vertex1);
    const p = a.positions;
    for (let k = 0; k < 3; k++) {
      contact.point[k] = (1 - share) * p[3 * vertex0 + k] + share * p[3 * vertex1 + k];
    }
    if (isInside(contact, b, triangle)) return true;
    this.#list.drop();
    return false;
  }
}

/** Finds depth, normal and closest point; false when the point is outside. */
function isInside(contact: Contact, b: ContactBody, near: number): boolean {
  const { distance, model } = b.shape;
  const { point, normal, weights } = contact;
  const rest = normal; // free until the end
  let triangle = near;
  for (let round = 0; round < REFINEMENTS; round++) {
    if (!mapToRest(b, triangle, point, rest)) return false;
    distance.find(rest[0], rest[1], rest[2]);
    if (!(distance.depth > NEGLIGIBLE * model.size)) return false;
    if (contact.a === b && isOwn(contact, distance.triangle)) return false;
    if (distance.triangle === triangle) break;
    triangle = distance.triangle;
  }
  contact.triangle = distance.triangle;
  weights.set(distance.weights);
  // Where the closest point is now; the way there is the way out.
  const t = 3 * distance.triangle;
  const { triangles } = model.surface;
  const x = b.positions;
  let squared = 0;
  for (let corner = t; corner < t + 3; corner++) b.ensure(triangles[corner]);
  for (let k = 0; k < 3; k++) {
    const closest =
      weights[0] * x[3 * triangles[t] + k] +
      weights[1] * x[3 * triangles[t + 1] + k] +
      weights[2] * x[3 * triangles[t + 2] + k];
    normal[k] = closest - point[k];
    squared += normal[k] * normal[k];
  }
  contact.depth = Math.sqrt(squared);
  if (!(contact.depth > NEGLIGIBLE * model.size)) return false;
  for (let k = 0; k < 3; k++) normal[k] /= contact.depth;
  return true;
}

/** True when a triangle has a corner that is, or neighbours, an end of the point's edge: its own surroundings. */
function isOwn({ a, vertex0, vertex1 }: Contact, triangle: number): boolean {
  const { triangles } = a.shape.model.surface;
  for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
    const v = triangles[corner];
    if (areNeighbours(a, vertex0, v) || (vertex1 !== vertex0 && areNeighbours(a, vertex1, v))) return true;
  }
  return false;
}

function areNeighbours(body: ContactBody, v: number, w: number): boolean {
  const { triangles, adjacency } = body.shape.model.surface;
  for (let i = adjacency.start[v]; i < adjacency.start[v + 1]; i++) {
    const t = 3 * adjacency.list[i];
    if (triangles[t] === w || triangles[t + 1] === w || triangles[t + 2] === w) return true;
  }
  return false;
}
