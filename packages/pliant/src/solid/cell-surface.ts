import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type BccGrid, TETRAHEDRA_PER_CUBE } from './bcc-grid.ts';
import { TriangleClipper } from './clip-triangle.ts';
import { REACH, type SurfaceCells } from './surface-cells.ts';

/** The winding number of the whole surface at a point in cubes of the grid, to 0.1. */
export type WindingAt = (x: number, y: number, z: number) => number;

/** The surface as one cell after another sees it; all coordinates in cubes of the grid. */
export class CellSurface {
  readonly mesh: TriangleMesh;
  readonly grid: BccGrid;
  readonly cells: SurfaceCells;
  readonly clipper = new TriangleClipper();
  /** Of the entry last clipped: its middle and twice its area times its normal. */
  readonly middle = new Float64Array(3);
  readonly areaVector = new Float64Array(3);
  #form = 0;
  #bx = 0;
  #by = 0;
  #bz = 0;

  constructor(mesh: TriangleMesh, grid: BccGrid, cells: SurfaceCells) {
    this.mesh = mesh;
    this.grid = grid;
    this.cells = cells;
  }

  /** Turns to a cell. */
  enter(cell: number): void {
    const tetrahedron = this.cells.tetrahedron[cell];
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    this.grid.setBase(cube);
    this.#form = 16 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube);
    [this.#bx, this.#by, this.#bz] = this.grid.base;
  }

  /** Clips a triangle of the cell; its polygon stays in `clipper`. */
  clip(triangle: number): boolean {
    const { triangles, positions } = this.mesh;
    return this.clipper.clip(
      this.grid.tables.form,
      this.#form,
      positions,
      3 * triangles[3 * triangle],
      3 * triangles[3 * triangle + 1],
      3 * triangles[3 * triangle + 2],
      this.#bx,
      this.#by,
      this.#bz,
      REACH,
    );
  }

  /** Hands the whole triangle to `clipper`, from the low corner of the cell's cube. */
  takeWhole(triangle: number): void {
    const { triangles, positions } = this.mesh;
    this.clipper.start(
      positions,
      3 * triangles[3 * triangle],
      3 * triangles[3 * triangle + 1],
      3 * triangles[3 * triangle + 2],
      this.#bx,
      this.#by,
      this.#bz,
    );
  }

  /** Clips and measures. */
  sample(triangle: number): void {
    this.clip(triangle);
    this.clipper.setAreaVector(this.areaVector);
    this.clipper.setMiddle(this.middle);
    this.middle[0] += this.#bx;
    this.middle[1] += this.#by;
    this.middle[2] += this.#bz;
  }

  holdsVertex(v: number): boolean {
    for (let k = 0; k < 4; k++) if (this.#coordinate(k, 3 * v) < -REACH) return false;
    return true;
  }

  meetsEdge(u: number, v: number): boolean {
    let low = 0,
      high = 1;
    for (let k = 0; k < 4; k++) {
      const a = this.#coordinate(k, 3 * u) + REACH,
        b = this.#coordinate(k, 3 * v) + REACH;
      if (a < 0 && b < 0) return false;
      if (a < 0) low = Math.max(low, a / (a - b));
      else if (b < 0) high = Math.min(high, a / (a - b));
    }
    return low <= high;
  }

  #coordinate(k: number, o: number): number {
    const { positions } = this.mesh;
    const { form } = this.grid.tables;
    const f = this.#form + 4 * k;
    return (
      form[f] +
      form[f + 1] * (positions[o] - this.#bx) +
      form[f + 2] * (positions[o + 1] - this.#by) +
      form[f + 3] * (positions[o + 2] - this.#bz)
    );
  }
}
