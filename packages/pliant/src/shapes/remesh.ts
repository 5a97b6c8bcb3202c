import { HalfEdges } from './half-edges.ts';
import type { Triangles } from './marching-tetrahedra.ts';
import type { PartSurface } from './part-surface.ts';
import { cotangent, distance, doubleArea, normalDot } from './triangle-shape.ts';

/**
 * About `wished` well shaped triangles on the surface, from any closed manifold mesh of it: long edges are split,
 * short ones collapsed, others flipped towards six neighbours per vertex, and vertices moved to the middle of
 * their neighbours along the surface. Edge lengths follow the parts' `detail`.
 */
export function remesh(surface: PartSurface, from: Triangles, wished: number): Triangles {
  const mesh = new HalfEdges(from);
  const guide = new Guide(surface, mesh);
  guide.project();
  guide.project();
  let length = lengthFor(mesh, guide, wished);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    splitLong(mesh, guide, length);
    collapseShort(mesh, guide, length);
    flipToSixNeighbours(mesh);
    relax(mesh, guide, length);
    const ratio = mesh.triangleCount / wished;
    if (round + 1 >= ROUNDS && Math.abs(ratio - 1) < TOLERANCE) break;
    if (round >= 2) length *= Math.sqrt(ratio);
  }
  for (let round = 0; round < 3; round++) {
    flipToDelaunay(mesh);
    relax(mesh, guide, length);
  }
  flipToDelaunay(mesh);
  guide.project();
  guide.project();
  return mesh.finish();
}

const ROUNDS = 8;
const MOST_ROUNDS = 16;
const TOLERANCE = 0.02;
const LONG = 1.36; // from here on edges are split …
const SHORT = 0.78; // … and up to here collapsed
const EDGE_PER_THICKNESS = 1.5;

/** What the surface says at each vertex: its direction, the wished edge length and the longest that is allowed. */
class Guide {
  size: Float64Array;
  most: Float64Array; // the longest edge that keeps thin parts
  normal: Float64Array;
  readonly #surface: PartSurface;
  readonly #mesh: HalfEdges;
  readonly #shares: Float64Array;
  readonly #scratch = new Float64Array(4);

  constructor(surface: PartSurface, mesh: HalfEdges) {
    this.#surface = surface;
    this.#mesh = mesh;
    this.#shares = new Float64Array(surface.partCount);
    this.size = new Float64Array(mesh.vertexCount);
    this.most = new Float64Array(mesh.vertexCount);
    this.normal = new Float64Array(3 * mesh.vertexCount);
  }

  /** Moves every vertex a step towards the surface. */
  project(): void {
    for (let v = 0; v < this.#mesh.vertexCount; v++) if (this.#mesh.first[v] >= 0) this.projectVertex(v);
  }

  projectVertex(v: number): void {
    const { positions } = this.#mesh,
      shares = this.#shares,
      scratch = this.#scratch,
      o = 3 * v;
    const { detail, thickness } = this.#surface;
    if (v >= this.size.length) this.#grow(v);
    this.#surface.evaluate(positions[o], positions[o + 1], positions[o + 2], scratch, shares);
    const squaredGradient = scratch[1] * scratch[1] + scratch[2] * scratch[2] + scratch[3] * scratch[3];
    const step = scratch[0] / Math.max(squaredGradient, 0.1),
      unit = 1 / Math.sqrt(squaredGradient + 1e-30);
    for (let k = 0; k < 3; k++) {
      positions[o + k] -= step * scratch[1 + k];
      this.normal[o + k] = unit * scratch[1 + k];
    }
    let size = 0,
      thick = 0;
    for (let i = 0; i < detail.length; i++) {
      size += detail[i] * shares[i];
      thick += thickness[i] * shares[i];
    }
    this.size[v] = size;
    this.most[v] = EDGE_PER_THICKNESS * thick;
  }

  /** The edge length to aim at, where that of the whole is `length`. */
  aim(v: number, length: number): number {
    return Math.min(length * this.size[v], this.most[v]);
  }

  #grow(v: number): void {
    this.size = longer(this.size, 2 * v);
    this.most = longer(this.most, 2 * v);
    this.normal = longer(this.normal, 6 * v);
  }
}

function longer(old: Float64Array, length: number): Float64Array {
  const more = new Float64Array(length);
  more.set(old);
  return more;
}

/** The edge length at which equilateral triangles of it would cover the surface `wished` times. */
function lengthFor(mesh: HalfEdges, guide: Guide, wished: number): number {
  let area = 0;
  for (let e = 0; e < mesh.edgeCount; e += 3) {
    const a = mesh.origin[e],
      b = mesh.origin[e + 1],
      c = mesh.origin[e + 2];
    const size = (guide.size[a] + guide.size[b] + guide.size[c]) / 3;
    area += doubleArea(mesh.positions, a, b, c) / 2 / (size * size);
  }
  return Math.sqrt(area / (wished * 0.433));
}

function splitLong(mesh: HalfEdges, guide: Guide, length: number): void {
  const end = mesh.edgeCount; // halves wait for the next round
  for (let e = 0; e < end; e++) {
    if (mesh.origin[e] < 0 || mesh.twin[e] < e) continue;
    const a = mesh.origin[e],
      b = mesh.target(e);
    if (relativeLength(mesh, guide, a, b, length) > LONG) guide.projectVertex(mesh.split(e));
  }
}

function collapseShort(mesh: HalfEdges, guide: Guide, length: number): void {
  for (let e = 0; e < mesh.edgeCount; e++) {
    if (mesh.origin[e] < 0) continue;
    const a = mesh.origin[e],
      b = mesh.target(e);
    if (relativeLength(mesh, guide, a, b, length) >= SHORT) continue;
    if (mesh.canCollapse(e) && staysInShape(mesh, guide, e, length)) mesh.collapse(e);
  }
}

/** The length of an edge, compared to that aimed at. */
function relativeLength(mesh: HalfEdges, guide: Guide, a: number, b: number, length: number): number {
  return (2 * distance(mesh.positions, a, b)) / (guide.aim(a, length) + guide.aim(b, length));
}

/** The triangles that a collapse would move keep their direction and get no edge that would be split again. */
function staysInShape(mesh: HalfEdges, guide: Guide, e: number, length: number): boolean {
  const { positions } = mesh;
  const a = mesh.origin[e],
    b = mesh.target(e);
  for (let e1 = mesh.around(e); e1 !== e; e1 = mesh.around(e1)) {
    const u = mesh.target(e1),
      v = mesh.apex(e1);
    if (u === b || v === b) continue;
    if (relativeLength(mesh, guide, u, b, length) > LONG) return false;
    const area = doubleArea(positions, b, u, v);
    if (normalDot(positions, a, u, v, b, u, v) < 0.3 * doubleArea(positions, a, u, v) * area) return false;
    const longest = Math.max(distance(positions, b, u), distance(positions, b, v), distance(positions, u, v));
    if (area < 0.15 * longest * longest) return false; // a sliver
  }
  return true;
}

function flipToSixNeighbours(mesh: HalfEdges): void {
  for (let e = 0; e < mesh.edgeCount; e++) {
    if (mesh.origin[e] < 0 || mesh.twin[e] < e) continue;
    const f = mesh.twin[e];
    const a = mesh.valence(mesh.origin[e]),
      b = mesh.valence(mesh.origin[f]);
    const c = mesh.valence(mesh.apex(e)),
      d = mesh.valence(mesh.apex(f));
    // The sum of (valence − 6)² falls by 2 (a + b − c − d − 2).
    if (a + b - c - d > 2 && canFlip(mesh, e)) mesh.flip(e);
  }
}

/** Flips edges whose opposite angles add up to more than half a turn. */
function flipToDelaunay(mesh: HalfEdges): void {
  const { positions } = mesh;
  for (let e = 0; e < mesh.edgeCount; e++) {
    if (mesh.origin[e] < 0 || mesh.twin[e] < e) continue;
    const a = mesh.origin[e],
      b = mesh.target(e);
    const sum =
      cotangent(positions, a, b, mesh.apex(e)) + cotangent(positions, a, b, mesh.apex(mesh.twin[e]));
    if (sum < -0.05 && canFlip(mesh, e)) mesh.flip(e);
  }
}

/** The two triangles stay in the direction of the two before and are no slivers. */
function canFlip(mesh: HalfEdges, e: number): boolean {
  const { positions } = mesh;
  const a = mesh.origin[e],
    b = mesh.target(e);
  const c = mesh.apex(e),
    d = mesh.apex(mesh.twin[e]);
  if (c === d || mesh.valence(a) <= 4 || mesh.valence(b) <= 4 || mesh.hasEdge(c, d)) return false;
  const area1 = doubleArea(positions, a, b, c),
    area2 = doubleArea(positions, b, a, d);
  const length = Math.sqrt(area1 * area1 + area2 * area2 + 2 * normalDot(positions, a, b, c, b, a, d));
  const across = distance(positions, c, d);
  return isAlike(d, c, a) && isAlike(c, d, b);

  function isAlike(u: number, v: number, w: number): boolean {
    const area = doubleArea(positions, u, v, w);
    const dot = normalDot(positions, u, v, w, a, b, c) + normalDot(positions, u, v, w, b, a, d);
    return dot >= 0.7 * area * length && area >= 0.1 * across * across;
  }
}

/** Vertices go to the middle of the triangles around them, larger ones counting more, and back to the surface. */
function relax(mesh: HalfEdges, guide: Guide, length: number): void {
  const { positions } = mesh;
  const moved = positions.slice(0, 3 * mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (mesh.first[v] < 0) continue;
    let x = 0,
      y = 0,
      z = 0,
      total = 0,
      e = mesh.first[v];
    do {
      const u = mesh.target(e),
        w = mesh.apex(e);
      const size = guide.aim(v, length) + guide.aim(u, length) + guide.aim(w, length);
      const weight = doubleArea(positions, v, u, w) / (size * size);
      total += weight;
      x += weight * (positions[3 * u] + positions[3 * w] - 2 * positions[3 * v]);
      y += weight * (positions[3 * u + 1] + positions[3 * w + 1] - 2 * positions[3 * v + 1]);
      z += weight * (positions[3 * u + 2] + positions[3 * w + 2] - 2 * positions[3 * v + 2]);
      e = mesh.around(e);
    } while (e !== mesh.first[v]);
    const nx = guide.normal[3 * v],
      ny = guide.normal[3 * v + 1],
      nz = guide.normal[3 * v + 2];
    const off = x * nx + y * ny + z * nz;
    const step = 0.8 / (3 * total);
    moved[3 * v] += step * (x - off * nx);
    moved[3 * v + 1] += step * (y - off * ny);
    moved[3 * v + 2] += step * (z - off * nz);
  }
  positions.set(moved);
  guide.project();
}
