import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { gridTriangles } from '../shapes/grid-triangles.ts';
import { checkCount } from '../shapes/shape.ts';
import { ClothBody } from './cloth-body.ts';

/**
 * A cloth seen through a uniform cubic spline, `factor` cells for each of its own: what is coarse moves a surface of any
 * resolution, which is smoother than its points. Beyond the border the grid goes on straight, so that flat cloth stays
 * as it is.
 */
export class ClothSurface {
  readonly columns: number;
  readonly rows: number;
  /** Three numbers per vertex, row after row. */
  readonly positions: Float64Array;
  /** Two per cell. */
  readonly triangles: Uint32Array;
  readonly #factor: number;
  readonly #weights: Float64Array; // four per place within a cell
  readonly #between: Float64Array; // fine along columns, coarse along rows

  constructor(cloth: ClothBody, factor: number) {
    checkCloth(cloth);
    checkCount('factor', factor, 1, 256);
    const { columns, rows } = cloth;
    this.#factor = factor;
    this.columns = columns * factor;
    this.rows = rows * factor;
    this.positions = new Float64Array(3 * (this.columns + 1) * (this.rows + 1));
    this.triangles = gridTriangles(this.columns, this.rows);
    this.#between = new Float64Array(3 * (this.columns + 1) * (rows + 1));
    this.#weights = new Float64Array(4 * factor + 4);
    for (let k = 0; k <= factor; k++) {
      const t = k / factor,
        s = 1 - t;
      const before = (s * s * s) / 6,
        left = (4 - 6 * t * t + 3 * t * t * t) / 6,
        after = (t * t * t) / 6;
      this.#weights.set([before, left, 1 - before - left - after, after], 4 * k);
    }
    this.follow(cloth);
  }

  /** Goes where the cloth is: this one, or another one of the same size. */
  follow(cloth: ClothBody): void {
    checkCloth(cloth);
    const { columns, rows, positions } = cloth;
    if (columns * this.#factor !== this.columns || rows * this.#factor !== this.rows) {
      throw new InputError('mismatch', `this cloth has ${columns} × ${rows} cells, another one was expected`);
    }
    const wide = 3 * (this.columns + 1);
    for (let r = 0; r <= rows; r++) {
      this.#refine(positions, 3 * r * (columns + 1), 3, columns, this.#between, r * wide, 3);
    }
    for (let c = 0; c <= this.columns; c++) {
      this.#refine(this.#between, 3 * c, wide, rows, this.positions, 3 * c, wide);
    }
  }

  /** One line of points, `step` numbers apart, into another. */
  #refine(
    from: Float64Array,
    first: number,
    step: number,
    cells: number,
    to: Float64Array,
    out: number,
    outStep: number,
  ): void {
    const factor = this.#factor,
      weights = this.#weights;
    for (let cell = 0; cell < cells; cell++) {
      const b = first + step * cell,
        c = b + step;
      const isFirst = cell === 0,
        isLast = cell === cells - 1;
      const a = isFirst ? b : b - step,
        d = isLast ? c : c + step;
      for (let k = 0; k <= (isLast ? factor : factor - 1); k++) {
        const o = out + outStep * (factor * cell + k),
          w = 4 * k;
        for (let x = 0; x < 3; x++) {
          const p = isFirst ? 2 * from[b + x] - from[c + x] : from[a + x],
            q = isLast ? 2 * from[c + x] - from[b + x] : from[d + x];
          to[o + x] =
            weights[w] * p + weights[w + 1] * from[b + x] + weights[w + 2] * from[c + x] + weights[w + 3] * q;
        }
      }
    }
  }
}

function checkCloth(cloth: unknown): void {
  if (cloth instanceof ClothBody) return;
  throw new InputError('wrong-type', `cloth must be a ClothBody, not ${describe(cloth)}`);
}
