/** Boxes by cells of a uniform grid: which may hold a point, and which are near it. */
export class BoxGrid {
  readonly #low = new Float64Array(3);
  readonly #cells = new Uint32Array(3); // per axis
  readonly #size: number; // of a cell
  readonly #start: Uint32Array; // per cell, and one more
  readonly #list: Uint32Array;
  readonly #seenAt: Uint32Array; // per box: the last search that met it
  #search = 0;

  /** `boxes`: lo and hi, six numbers each; about `perCell` of them in every cell if they lie evenly. */
  constructor(boxes: Float64Array, perCell: number) {
    const count = boxes.length / 6;
    const high = new Float64Array(3).fill(-Infinity);
    this.#low.fill(Infinity);
    for (let o = 0; o < boxes.length; o += 6) {
      for (let k = 0; k < 3; k++) {
        this.#low[k] = Math.min(this.#low[k], boxes[o + k]);
        high[k] = Math.max(high[k], boxes[o + 3 + k]);
      }
    }
    const extent = high.map((x, k) => x - this.#low[k]);
    this.#size = chooseCellSize(extent, Math.max(1, count / perCell));
    for (let k = 0; k < 3; k++) this.#cells[k] = Math.max(1, Math.ceil(extent[k] / this.#size));
    const [nx, ny, nz] = this.#cells;
    this.#start = new Uint32Array(nx * ny * nz + 1);
    for (let i = 0; i < count; i++) this.#visitCells(boxes, 6 * i, (cell) => this.#start[cell + 1]++);
    for (let c = 0; c < nx * ny * nz; c++) this.#start[c + 1] += this.#start[c];
    this.#list = new Uint32Array(this.#start[nx * ny * nz]);
    const next = this.#start.slice();
    for (let i = 0; i < count; i++) {
      this.#visitCells(boxes, 6 * i, (cell) => {
        this.#list[next[cell]++] = i;
      });
    }
    this.#seenAt = new Uint32Array(count);
  }

  /** Every box that may hold the point, in rising order. */
  visitAt(x: number, y: number, z: number, visit: (box: number) => void): void {
    const cell = this.#cellOf(this.#step(x, 0), this.#step(y, 1), this.#step(z, 2));
    for (let i = this.#start[cell]; i < this.#start[cell + 1]; i++) visit(this.#list[i]);
  }

  /**
   * Boxes in growing distance of their cells, each once, until no cell left can be nearer than the square root of
   * what `visit` returned last.
   */
  visitNear(x: number, y: number, z: number, visit: (box: number) => number): void {
    const i = this.#step(x, 0),
      j = this.#step(y, 1),
      k = this.#step(z, 2);
    const [nx, ny, nz] = this.#cells;
    const rings = Math.max(i, j, k, nx - 1 - i, ny - 1 - j, nz - 1 - k);
    let squared = Infinity;
    this.#search++;
    for (let ring = 0; ring <= rings; ring++) {
      const reach = Math.max(0, ring - 1) * this.#size; // cells of this ring are at least that far away
      if (reach * reach > squared) return;
      squared = this.#visitRing(i, j, k, ring, squared, visit);
    }
  }

  #visitRing(
    i: number,
    j: number,
    k: number,
    ring: number,
    before: number,
    visit: (box: number) => number,
  ): number {
    const [nx, ny, nz] = this.#cells;
    let squared = before;
    for (let c = Math.max(0, k - ring); c <= Math.min(nz - 1, k + ring); c++) {
      for (let b = Math.max(0, j - ring); b <= Math.min(ny - 1, j + ring); b++) {
        const isFace = Math.abs(c - k) === ring || Math.abs(b - j) === ring;
        const step = isFace || ring === 0 ? 1 : 2 * ring; // else only the two ends of the row
        for (let a = i - ring; a <= i + ring; a += step) {
          if (a >= 0 && a < nx) squared = this.#visitCell(this.#cellOf(a, b, c), squared, visit);
        }
      }
    }
    return squared;
  }

  #visitCell(cell: number, before: number, visit: (box: number) => number): number {
    let squared = before;
    for (let i = this.#start[cell]; i < this.#start[cell + 1]; i++) {
      const box = this.#list[i];
      if (this.#seenAt[box] === this.#search) continue;
      this.#seenAt[box] = this.#search;
      squared = visit(box);
    }
    return squared;
  }

  #visitCells(boxes: Float64Array, o: number, visit: (cell: number) => void): void {
    const i1 = this.#step(boxes[o + 3], 0),
      j1 = this.#step(boxes[o + 4], 1),
      k1 = this.#step(boxes[o + 5], 2);
    for (let k = this.#step(boxes[o + 2], 2); k <= k1; k++) {
      for (let j = this.#step(boxes[o + 1], 1); j <= j1; j++) {
        for (let i = this.#step(boxes[o], 0); i <= i1; i++) visit(this.#cellOf(i, j, k));
      }
    }
  }

  /** The cell's number along an axis; points outside belong to the cells at the border. */
  #step(x: number, axis: number): number {
    const step = Math.floor((x - this.#low[axis]) / this.#size);
    return Math.min(this.#cells[axis] - 1, Math.max(0, step));
  }

  #cellOf(i: number, j: number, k: number): number {
    return i + this.#cells[0] * (j + this.#cells[1] * k);
  }
}

/** About `wanted` cells in all, by halving from one cell on; flat directions take none. */
function chooseCellSize(extent: Float64Array, wanted: number): number {
  let size = Math.max(extent[0], extent[1], extent[2]);
  if (size === 0) return 1;
  const cells = (s: number) => extent.reduce((product, e) => product * Math.max(1, Math.ceil(e / s)), 1);
  while (cells(size / 1.25) <= wanted) size /= 1.25;
  return size;
}
