import { findComponents } from '../mesh/components.ts';

/** A solid as a function that is negative inside, continuous, and changes by at most `slope` per unit of length. */
export interface Solid {
  readonly value: (x: number, y: number, z: number) => number;
  readonly slope: number;
  /** A box that holds it: lo, then hi. */
  readonly box: readonly number[];
  /** The largest lattice step at which all its parts keep their form. */
  readonly coarsest: number;
}

export interface SurfaceMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

/**
 * About `triangles` triangles, as long as the lattice stays fine enough for the solid. The solid is taken to be a ball
 * in form: where the lattice just misses a narrow gap and makes a handle of it, a slightly finer one is tried.
 */
export function meshSolid(solid: Solid, triangles: number): SurfaceMesh {
  let step = solid.coarsest;
  let mesh = polygonise(solid, step);
  for (let k = 0; k < ADJUSTMENTS; k++) {
    const have = mesh.triangles.length / 3;
    const next = Math.min(solid.coarsest, step * Math.sqrt(have / triangles));
    if (next === step || Math.abs(have - triangles) <= CLOSE_ENOUGH * triangles) break;
    step = next;
    mesh = polygonise(solid, step);
  }
  for (let k = 0; k < REFINEMENTS && !isBall(mesh); k++) {
    step *= FINER;
    mesh = polygonise(solid, step);
  }
  return mesh;
}

const ADJUSTMENTS = 4;
const CLOSE_ENOUGH = 0.01;
const REFINEMENTS = 40;
const FINER = 0.98;

/** One closed surface without handles: vertices − edges + triangles = 2. */
function isBall({ positions, triangles }: SurfaceMesh): boolean {
  const vertexCount = positions.length / 3;
  if (vertexCount - triangles.length / 6 !== 2) return false;
  return findComponents(triangles, vertexCount).componentCount === 1;
}

/**
 * The surface of a solid in the tetrahedra of a body-centred cubic lattice. Within each one it is a triangle or two,
 * so it is closed, manifold and free of self-contact, however coarse. Vertices keep away from the ends of their
 * lattice edges, lest triangles get too small.
 */
export function polygonise(solid: Solid, step: number): SurfaceMesh {
  const lattice = new Lattice(solid, step);
  const [nx, ny, nz] = lattice.cells;
  for (let k = 0; k < nz; k += BLOCK) {
    for (let j = 0; j < ny; j += BLOCK) {
      for (let i = 0; i < nx; i += BLOCK) {
        if (lattice.mayCross(i, j, k)) visitBlock(lattice, i, j, k);
      }
    }
  }
  return { positions: Float64Array.from(lattice.positions), triangles: Uint32Array.from(lattice.triangles) };
}

const BLOCK = 6; // cells that are looked at together
const MARGIN = 2; // empty cells around the solid
const NEAREST_TO_END = 0.08; // of an edge

/** The corners of a face of a cell, in turning order, as steps along the two other axes. */
const FACE = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

function visitBlock(lattice: Lattice, i0: number, j0: number, k0: number): void {
  const [nx, ny, nz] = lattice.cells;
  for (let k = k0; k < Math.min(k0 + BLOCK, nz); k++) {
    for (let j = j0; j < Math.min(j0 + BLOCK, ny); j++) {
      for (let i = i0; i < Math.min(i0 + BLOCK, nx); i++) visitCell(lattice, 2 * i + 1, 2 * j + 1, 2 * k + 1);
    }
  }
}

/**
 * Points have whole coordinates in half steps: even ones are corners of cells, odd ones centres. The tetrahedra
 * between two neighbouring centres each hold one edge of the face between them.
 */
function visitCell(lattice: Lattice, x: number, y: number, z: number): void {
  const centre = lattice.point(x, y, z);
  for (let axis = 0; axis < 3; axis++) {
    const at = [x, y, z];
    at[axis] += 2;
    const next = lattice.point(at[0], at[1], at[2]);
    at[axis] -= 1;
    const u = (axis + 1) % 3,
      v = (axis + 2) % 3;
    const corners = FACE.map(([du, dv]) => {
      const corner = [...at];
      corner[u] += du;
      corner[v] += dv;
      return lattice.point(corner[0], corner[1], corner[2]);
    });
    for (let c = 0; c < 4; c++) cutTetrahedron(lattice, centre, next, corners[c], corners[(c + 1) % 4]);
  }
}

/** Triangles between the inside and the outside corners of a positively turned tetrahedron, facing outwards. */
function cutTetrahedron(lattice: Lattice, a: Point, b: Point, c: Point, d: Point): void {
  const inside = +(a.value < 0) + 2 * +(b.value < 0) + 4 * +(c.value < 0) + 8 * +(d.value < 0);
  if (inside === 0 || inside === 15) return;
  const flip = inside > 7; // the same with inside and outside exchanged
  const which = flip ? 15 - inside : inside;
  if (which === 1) lattice.addCap(flip, a, b, c, d);
  else if (which === 2) lattice.addCap(flip, b, a, d, c);
  else if (which === 4) lattice.addCap(flip, c, d, a, b);
  else if (which === 7) lattice.addCap(!flip, d, c, b, a);
  else if (which === 3) lattice.addBand(flip, a, b, c, d);
  else if (which === 5) lattice.addBand(flip, a, c, d, b);
  else lattice.addBand(flip, b, c, a, d);
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly value: number;
}

class Lattice {
  readonly cells: readonly number[];
  readonly positions: number[] = [];
  readonly triangles: number[] = [];
  readonly #solid: Solid;
  readonly #step: number;
  readonly #low: readonly number[];
  readonly #points = new Map<number, Point>();
  readonly #vertices = new Map<number, number>();

  constructor(solid: Solid, step: number) {
    const { box } = solid;
    this.#solid = solid;
    this.#step = step;
    this.cells = [0, 1, 2].map((k) => Math.ceil((box[3 + k] - box[k]) / step) + 2 * MARGIN);
    // Centred, so that mirrored solids have mirrored lattices.
    this.#low = [0, 1, 2].map((k) => (box[k] + box[3 + k] - this.cells[k] * step) / 2);
  }

  /** False when the surface cannot come near a block of cells. */
  mayCross(i: number, j: number, k: number): boolean {
    const half = (BLOCK * this.#step) / 2;
    const [x, y, z] = [i, j, k].map((n, axis) => this.#low[axis] + n * this.#step + half);
    const reach = 1.75 * (half + this.#step); // to the corners of the block and one cell more
    return Math.abs(this.#solid.value(x, y, z)) <= this.#solid.slope * reach;
  }

  point(x: number, y: number, z: number): Point {
    const [nx, ny] = this.cells;
    const key = x + (2 * nx + 3) * (y + (2 * ny + 3) * z);
    let point = this.#points.get(key);
    if (point === undefined) {
      point = { x, y, z, value: this.#solid.value(this.#at(x, 0), this.#at(y, 1), this.#at(z, 2)) };
      this.#points.set(key, point);
    }
    return point;
  }

  /** Around the first point. */
  addCap(flip: boolean, a: Point, b: Point, c: Point, d: Point): void {
    this.#addTriangle(flip, this.#vertex(a, b), this.#vertex(a, c), this.#vertex(a, d));
  }

  /** Between the first two points and the last two. */
  addBand(flip: boolean, a: Point, b: Point, c: Point, d: Point): void {
    const ac = this.#vertex(a, c),
      ad = this.#vertex(a, d),
      bd = this.#vertex(b, d),
      bc = this.#vertex(b, c);
    this.#addTriangle(flip, ac, ad, bd);
    this.#addTriangle(flip, ac, bd, bc);
  }

  #addTriangle(flip: boolean, a: number, b: number, c: number): void {
    if (flip) this.triangles.push(a, c, b);
    else this.triangles.push(a, b, c);
  }

  /** Where the surface cuts an edge; no two edges have the same middle. */
  #vertex(a: Point, b: Point): number {
    const [nx, ny] = this.cells;
    const key = a.x + b.x + (4 * nx + 6) * (a.y + b.y + (4 * ny + 6) * (a.z + b.z));
    const known = this.#vertices.get(key);
    if (known !== undefined) return known;
    const cut = a.value / (a.value - b.value);
    const t = Math.min(1 - NEAREST_TO_END, Math.max(NEAREST_TO_END, cut));
    const vertex = this.positions.length / 3;
    this.positions.push(
      this.#at(a.x + t * (b.x - a.x), 0),
      this.#at(a.y + t * (b.y - a.y), 1),
      this.#at(a.z + t * (b.z - a.z), 2),
    );
    this.#vertices.set(key, vertex);
    return vertex;
  }

  #at(halfSteps: number, axis: number): number {
    return this.#low[axis] + (halfSteps * this.#step) / 2;
  }
}
