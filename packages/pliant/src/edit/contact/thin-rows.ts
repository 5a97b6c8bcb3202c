import { type ContactRows, TERMS } from './contact-rows.ts';

/** Which rows stay when only so many are wanted in each cell of the shape. */
export class RowThinner {
  #order = new Uint32Array(0);
  #cell = new Float64Array(0);
  #score = new Float64Array(0);

  /**
   * Calls `keep` with the rows that stay, in the order of `rows`: of each cell and obstacle the `perCell` with the
   * highest score, the first of equal ones.
   */
  thin(
    rows: ContactRows,
    cellOf: (vertex: number) => number,
    scoreOf: (row: number) => number,
    obstacleCount: number,
    perCell: number,
    keep: (row: number) => void,
  ): void {
    const { count } = rows;
    if (this.#order.length < count) {
      this.#order = new Uint32Array(2 * count);
      this.#cell = new Float64Array(2 * count);
      this.#score = new Float64Array(2 * count);
    }
    const cell = this.#cell,
      score = this.#score;
    const order = this.#order.subarray(0, count);
    for (let row = 0; row < count; row++) {
      order[row] = row;
      cell[row] = cellOf(rows.vertices[TERMS * row]) * (obstacleCount + 1) + rows.other[row] + 1;
      score[row] = scoreOf(row);
    }
    order.sort((a, b) => cell[a] - cell[b] || score[b] - score[a] || a - b);
    let kept = 0;
    for (let k = 0, inCell = 0; k < count; k++) {
      inCell = k > 0 && cell[order[k]] === cell[order[k - 1]] ? inCell + 1 : 0;
      if (inCell < perCell) order[kept++] = order[k]; // never ahead of what is read
    }
    order.subarray(0, kept).sort();
    for (let k = 0; k < kept; k++) keep(order[k]);
  }
}
