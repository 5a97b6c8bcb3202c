import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type BccGrid, SLABS, TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import { TriangleClipper } from './clip-triangle.ts';
import { GrowableFloats, GrowableInts } from './growable.ts';

/** The tetrahedra that the surface passes, and which triangles pass each: its entries. */
export interface SurfaceCells {
  readonly count: number;
  readonly tetrahedron: Int32Array; // per cell, rising
  readonly start: Uint32Array; // the entries of cell s are start[s] … start[s + 1) − 1, by rising triangle
  readonly triangle: Int32Array; // per entry
  readonly faces: Uint8Array; // per entry: bit k when it reaches face k
  readonly area: Float32Array; // per entry: of the triangle's part in the cell, in squares of the cube's side
  readonly blockOf: Int32Array; // per cube: its block, or −1 when the surface passes none of its tetrahedra
  readonly blockCount: number;
  readonly cellOf: Int32Array; // 12 per block: the cell, or −1
}

/** Tetrahedra are this much larger for all decisions, in barycentric coordinates: 1e-7 of the cube's side. */
export const REACH = Math.SQRT2 * 1e-7;
/** The most entries; each takes 30 bytes in all. */
const ENTRY_LIMIT = 2 ** 25;
/** Triangles between two reports. */
const BATCH = 1024;

/** `mesh` is in cubes of the grid. Yields the share done. */
export function* findSurfaceCells(mesh: TriangleMesh, grid: BccGrid): Generator<number, SurfaceCells> {
  const finder = new CellFinder(mesh, grid);
  for (let t = 0; t < mesh.triangleCount; t++) {
    finder.add(t);
    if (t % BATCH === 0) yield t / mesh.triangleCount;
  }
  return finder.finish();
}

class CellFinder {
  readonly #mesh: TriangleMesh;
  readonly #grid: BccGrid;
  readonly #clipper = new TriangleClipper();
  readonly #tetrahedra = new GrowableInts();
  readonly #triangles = new GrowableInts();
  readonly #faces = new GrowableInts();
  readonly #areas = new GrowableFloats();
  readonly #low = new Float64Array(SLABS);
  readonly #high = new Float64Array(SLABS);
  readonly #box = new Float64Array(6);
  readonly #plane = new Float64Array(4);
  readonly #areaVector = new Float64Array(3);
  #triangle = 0;

  constructor(mesh: TriangleMesh, grid: BccGrid) {
    this.#mesh = mesh;
    this.#grid = grid;
  }

  add(t: number): void {
    this.#triangle = t;
    this.#measure(t);
    if (this.#isInOne()) {
      const { positions: p, triangles } = this.#mesh;
      const a = 3 * triangles[3 * t];
      this.#test(this.#grid.locate(p[a], p[a + 1], p[a + 2]));
      return;
    }
    const box = this.#box;
    for (let axis = 0; axis < 3; axis++) {
      const x = axis === 0 ? 0.5 : 0,
        y = axis === 1 ? 0.5 : 0,
        z = axis === 2 ? 0.5 : 0;
      this.#visit(
        axis,
        Math.floor(box[0] - x),
        Math.floor(box[1] - y),
        Math.floor(box[2] - z),
        Math.floor(box[3] - x),
        Math.floor(box[4] - y),
        Math.floor(box[5] - z),
      );
    }
  }

  /** Box and slabs of the triangle, a little enlarged, and its plane. */
  #measure(t: number): void {
    const { positions: p, triangles } = this.#mesh;
    const low = this.#low.fill(Infinity),
      high = this.#high.fill(-Infinity),
      box = this.#box;
    for (let k = 0; k < 3; k++) {
      box[k] = Infinity;
      box[3 + k] = -Infinity;
    }
    for (let i = 3 * t; i < 3 * t + 3; i++) {
      const x = p[3 * triangles[i]],
        y = p[3 * triangles[i] + 1],
        z = p[3 * triangles[i] + 2];
      stretch(low, high, 0, x + y);
      stretch(low, high, 1, y + z);
      stretch(low, high, 2, z + x);
      stretch(low, high, 3, x - y);
      stretch(low, high, 4, y - z);
      stretch(low, high, 5, z - x);
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], p[3 * triangles[i] + k] - REACH);
        box[3 + k] = Math.max(box[3 + k], p[3 * triangles[i] + k] + REACH);
      }
    }
    this.#setPlane(t);
  }

  #isInOne(): boolean {
    for (let i = 0; i < SLABS; i++) if (Math.floor(this.#low[i]) !== Math.floor(this.#high[i])) return false;
    return true;
  }

  #setPlane(t: number): void {
    const { positions: p, triangles } = this.#mesh;
    const a = 3 * triangles[3 * t],
      b = 3 * triangles[3 * t + 1],
      c = 3 * triangles[3 * t + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const n = this.#plane;
    n[0] = uy * vz - uz * vy;
    n[1] = uz * vx - ux * vz;
    n[2] = ux * vy - uy * vx;
    n[3] = n[0] * p[a] + n[1] * p[a + 1] + n[2] * p[a + 2];
  }

  /** Halves a range of cubes until few are left, dropping halves that the triangle's plane misses. */
  #visit(axis: number, i0: number, j0: number, k0: number, i1: number, j1: number, k1: number): void {
    const ni = i1 - i0 + 1,
      nj = j1 - j0 + 1,
      nk = k1 - k0 + 1;
    if (ni * nj * nk <= 8) {
      for (let k = k0; k <= k1; k++) {
        for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) this.#testFour(axis, i, j, k);
      }
      return;
    }
    const n = this.#plane;
    const shift = 0.5 * n[axis];
    const middle = 0.5 * (n[0] * (i0 + i1 + 1) + n[1] * (j0 + j1 + 1) + n[2] * (k0 + k1 + 1)) + shift;
    const reach = 0.5 * (Math.abs(n[0]) * ni + Math.abs(n[1]) * nj + Math.abs(n[2]) * nk);
    if (Math.abs(middle - n[3]) > reach * (1 + 1e-6) + 1e-9 * Math.abs(n[3])) return;
    if (ni >= nj && ni >= nk) {
      const half = (i0 + i1) >> 1;
      this.#visit(axis, i0, j0, k0, half, j1, k1);
      this.#visit(axis, half + 1, j0, k0, i1, j1, k1);
    } else if (nj >= nk) {
      const half = (j0 + j1) >> 1;
      this.#visit(axis, i0, j0, k0, i1, half, k1);
      this.#visit(axis, i0, half + 1, k0, i1, j1, k1);
    } else {
      const half = (k0 + k1) >> 1;
      this.#visit(axis, i0, j0, k0, i1, j1, half);
      this.#visit(axis, i0, j0, half + 1, i1, j1, k1);
    }
  }

  #testFour(axis: number, i: number, j: number, k: number): void {
    const { slab } = this.#grid.tables;
    const first = TETRAHEDRA_PER_CUBE * this.#grid.cubeAt(i, j, k) + 4 * axis;
    for (let edge = 0; edge < 4; edge++) {
      const o = SLABS * (4 * axis + edge);
      if (
        this.#meets(0, i + j + slab[o]) &&
        this.#meets(1, j + k + slab[o + 1]) &&
        this.#meets(2, k + i + slab[o + 2]) &&
        this.#meets(3, i - j + slab[o + 3]) &&
        this.#meets(4, j - k + slab[o + 4]) &&
        this.#meets(5, k - i + slab[o + 5])
      ) {
        this.#test(first + edge);
      }
    }
  }

  #meets(i: number, from: number): boolean {
    return from <= this.#high[i] && from + 1 >= this.#low[i];
  }

  #test(tetrahedron: number): void {
    const { positions, triangles } = this.#mesh;
    const t = this.#triangle;
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    const { base, tables } = this.#grid;
    this.#grid.setBase(cube);
    const isHit = this.#clipper.clip(
      tables.form,
      16 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube),
      positions,
      3 * triangles[3 * t],
      3 * triangles[3 * t + 1],
      3 * triangles[3 * t + 2],
      base[0],
      base[1],
      base[2],
      REACH,
    );
    if (!isHit) return;
    this.#clipper.setAreaVector(this.#areaVector);
    const [x, y, z] = this.#areaVector;
    if (this.#tetrahedra.length >= ENTRY_LIMIT) {
      throw new InputError(
        'too-large',
        `the surface passes more than ${ENTRY_LIMIT} tetrahedra of the lattice, each triangle counted: choose larger cells`,
      );
    }
    this.#tetrahedra.push(tetrahedron);
    this.#triangles.push(t);
    this.#faces.push(this.#clipper.faces);
    this.#areas.push(Math.sqrt(x * x + y * y + z * z) / 2);
  }

  /** Sorts the entries by tetrahedron; triangles come rising already. */
  finish(): SurfaceCells {
    const entries = this.#tetrahedra.length;
    const { blockOf, blockCount, cellOf, tetrahedron } = this.#numberCells();
    const start = new Uint32Array(tetrahedron.length + 1);
    const cellOfEntry = new Int32Array(entries);
    for (let e = 0; e < entries; e++) {
      const t = this.#tetrahedra.values[e];
      const cube = Math.trunc(t / TETRAHEDRA_PER_CUBE);
      cellOfEntry[e] = cellOf[TETRAHEDRA_PER_CUBE * blockOf[cube] + t - TETRAHEDRA_PER_CUBE * cube];
      start[cellOfEntry[e] + 1]++;
    }
    for (let s = 0; s < tetrahedron.length; s++) start[s + 1] += start[s];
    const next = start.slice(0, tetrahedron.length);
    const triangle = new Int32Array(entries),
      faces = new Uint8Array(entries),
      area = new Float32Array(entries);
    for (let e = 0; e < entries; e++) {
      const to = next[cellOfEntry[e]]++;
      triangle[to] = this.#triangles.values[e];
      faces[to] = this.#faces.values[e];
      area[to] = this.#areas.values[e];
    }
    return {
      count: tetrahedron.length,
      tetrahedron,
      start,
      triangle,
      faces,
      area,
      blockOf,
      blockCount,
      cellOf,
    };
  }

  #numberCells(): Pick<SurfaceCells, 'blockOf' | 'blockCount' | 'cellOf' | 'tetrahedron'> {
    const { values, length } = this.#tetrahedra;
    const blockOf = new Int32Array(this.#grid.cubeCount).fill(-1);
    for (let e = 0; e < length; e++) blockOf[Math.trunc(values[e] / TETRAHEDRA_PER_CUBE)] = 0;
    let blockCount = 0;
    for (let c = 0; c < blockOf.length; c++) if (blockOf[c] === 0) blockOf[c] = blockCount++;
    const cellOf = new Int32Array(TETRAHEDRA_PER_CUBE * blockCount).fill(-1);
    for (let e = 0; e < length; e++) {
      const cube = Math.trunc(values[e] / TETRAHEDRA_PER_CUBE);
      cellOf[TETRAHEDRA_PER_CUBE * blockOf[cube] + values[e] - TETRAHEDRA_PER_CUBE * cube] = 0;
    }
    const tetrahedra = new GrowableInts();
    for (let c = 0; c < blockOf.length; c++) {
      if (blockOf[c] < 0) continue;
      for (let i = 0; i < TETRAHEDRA_PER_CUBE; i++) {
        if (cellOf[TETRAHEDRA_PER_CUBE * blockOf[c] + i] < 0) continue;
        cellOf[TETRAHEDRA_PER_CUBE * blockOf[c] + i] = tetrahedra.length;
        tetrahedra.push(TETRAHEDRA_PER_CUBE * c + i);
      }
    }
    return { blockOf, blockCount, cellOf, tetrahedron: tetrahedra.toArray() };
  }
}

function stretch(low: Float64Array, high: Float64Array, i: number, x: number): void {
  if (x - 2 * REACH < low[i]) low[i] = x - 2 * REACH;
  if (x + 2 * REACH > high[i]) high[i] = x + 2 * REACH;
}
