/** Keeps points of a cloth apart that are not neighbours, so that its layers lie on one another instead of mixing. */
export class ClothLayers {
  readonly #columns: number;
  readonly #distance: number;
  readonly #first: Int32Array; // per bucket the first point, −1: none
  readonly #next: Int32Array; // per point the next one of its bucket

  /** `columns`: points in a row. Points closer than `distance`, more than two cells apart in the grid, are pushed. */
  constructor(columns: number, count: number, distance: number) {
    this.#columns = columns;
    this.#distance = distance;
    this.#first = new Int32Array(1 << Math.ceil(Math.log2(2 * count)));
    this.#next = new Int32Array(count);
  }

  push(positions: Float64Array, weight: Float64Array): void {
    const next = this.#next,
      first = this.#first.fill(-1);
    for (let p = 0; p < next.length; p++) {
      const bucket = this.#bucket(
        this.#cell(positions[3 * p]),
        this.#cell(positions[3 * p + 1]),
        this.#cell(positions[3 * p + 2]),
      );
      next[p] = first[bucket];
      first[bucket] = p;
    }
    for (let p = 0; p < next.length; p++) {
      const x = this.#cell(positions[3 * p]),
        y = this.#cell(positions[3 * p + 1]),
        z = this.#cell(positions[3 * p + 2]);
      for (let i = x - 1; i <= x + 1; i++) {
        for (let j = y - 1; j <= y + 1; j++) {
          for (let k = z - 1; k <= z + 1; k++) {
            for (let q = first[this.#bucket(i, j, k)]; q > p; q = next[q]) {
              this.#separate(p, q, positions, weight);
            }
          }
        }
      }
    }
  }

  #separate(p: number, q: number, positions: Float64Array, weight: Float64Array): void {
    const columns = this.#columns;
    const rows = Math.floor(q / columns) - Math.floor(p / columns);
    if (rows <= 2 && Math.abs((q % columns) - (p % columns)) <= 2) return;
    const a = 3 * p,
      b = 3 * q;
    const x = positions[b] - positions[a],
      y = positions[b + 1] - positions[a + 1],
      z = positions[b + 2] - positions[a + 2];
    const square = x * x + y * y + z * z;
    const both = weight[p] + weight[q];
    if (square >= this.#distance * this.#distance || square === 0 || both === 0) return;
    const push = (this.#distance / Math.sqrt(square) - 1) / both;
    const u = weight[p] * push,
      v = weight[q] * push;
    positions[a] -= u * x;
    positions[a + 1] -= u * y;
    positions[a + 2] -= u * z;
    positions[b] += v * x;
    positions[b + 1] += v * y;
    positions[b + 2] += v * z;
  }

  #cell(x: number): number {
    return Math.floor(x / this.#distance);
  }

  #bucket(x: number, y: number, z: number): number {
    const hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    return hash & (this.#first.length - 1);
  }
}
