import type { BallNodes } from './ball-nodes.ts';
import type { PlacedHandles } from './placed-handles.ts';
import type { BallRule } from './sphere-bounds.ts';

/**
 * Balls without corners (BOUNDS §2, "Sphere"): the centre of the rest ball goes to Σ w_j T_j c, whose extremes on the
 * three axes are linear programs over the weights, solved by their dual
 *
 *     max { Σ δ_j b_j : 0 ≤ δ_j ≤ cap_j, Σ δ_j = R } = min over λ of λR + Σ cap_j max(b_j − λ, 0)
 *
 * The ball stands in the middle of these extremes. Its radius is half their diagonal, and that of the rest ball
 * stretched by the largest singular value of any handle.
 */
export class BlendBalls implements BallRule {
  readonly #nodes: BallNodes;
  readonly #images: Float64Array; // of the centre, per entry: all x, all y, all z
  readonly #room: number;

  constructor(nodes: BallNodes) {
    this.#nodes = nodes;
    this.#room = nodes.mostEntries;
    this.#images = new Float64Array(3 * nodes.mostEntries);
  }

  fit(node: number, rest: Float64Array, { matrices, stretch }: PlacedHandles, out: Float64Array): void {
    const { entryStart, handle, largestWeightSum } = this.#nodes;
    const images = this.#images,
      room = this.#room;
    const first = entryStart[node],
      count = entryStart[node + 1] - first;
    const x = rest[0],
      y = rest[1],
      z = rest[2];
    let most = 0;
    for (let k = 0; k < count; k++) {
      const j = handle[first + k],
        m = 12 * j;
      images[k] = matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3];
      images[room + k] = matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7];
      images[2 * room + k] =
        matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11];
      if (stretch[j] > most) most = stretch[j];
    }
    let diagonal = 0;
    for (let axis = 0; axis < 3; axis++) {
      const up = this.#extreme(node, first, count, axis * room, 1),
        down = this.#extreme(node, first, count, axis * room, -1);
      out[axis] = (up - down) / 2;
      diagonal += ((up + down) / 2) * ((up + down) / 2);
    }
    out[3] = Math.sqrt(diagonal) + rest[3] * most * largestWeightSum;
  }

  /** The largest Σ w_j b_j, or for sign −1 the largest Σ −w_j b_j. */
  #extreme(node: number, first: number, count: number, from: number, sign: number): number {
    const { low, cap, rest } = this.#nodes;
    const b = this.#images;
    if (count === 1) return sign * b[from];
    let lambda = -Infinity,
      sum = 0;
    for (let k = 0; k < count; k++) {
      lambda = Math.max(lambda, sign * b[from + k]);
      sum += low[first + k] * sign * b[from + k];
    }
    // Down to where the caps of those at least as large reach R.
    for (;;) {
      let used = 0,
        next = -Infinity;
      for (let k = 0; k < count; k++) {
        const value = sign * b[from + k];
        if (value >= lambda) used += cap[first + k];
        else if (value > next) next = value;
      }
      if (!(used < rest[node]) || next === -Infinity) break;
      lambda = next;
    }
    sum += lambda * rest[node];
    for (let k = 0; k < count; k++) {
      const excess = sign * b[from + k] - lambda;
      if (excess > 0) sum += cap[first + k] * excess;
    }
    return sum;
  }
}
