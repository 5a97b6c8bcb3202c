import { type ContactRows, TERMS, VERTEX_OBSTACLE } from './contact-rows.ts';
import type { PlacedObstacle } from './obstacle.ts';

/** Rows of vertices against obstacles. */
export class ObstacleContacts {
  obstacles: readonly PlacedObstacle[] = [];
  readonly #vertexCount: number;
  readonly #normal = new Float64Array(3);
  readonly #box = new Float64Array(6);

  constructor(vertexCount: number) {
    this.#vertexCount = vertexCount;
  }

  /** Self-contacts of vertices have their own number, those with obstacles follow. */
  keyOf(vertex: number, obstacle: number): number {
    return (obstacle + 1) * this.#vertexCount + vertex;
  }

  /** Adds a row, whatever the distance is, and returns that. */
  addRow(rows: ContactRows, positions: Float64Array, v: number, obstacle: number, margin: number): number {
    const n = this.#normal;
    const x = positions[3 * v],
      y = positions[3 * v + 1],
      z = positions[3 * v + 2];
    const gap = this.obstacles[obstacle].distance(x, y, z, n);
    const row = rows.add();
    rows.kind[row] = VERTEX_OBSTACLE;
    rows.terms[row] = 1;
    rows.vertices[TERMS * row] = v;
    rows.weights[TERMS * row] = 1;
    for (let k = 1; k < TERMS; k++) {
      rows.vertices[TERMS * row + k] = v;
      rows.weights[TERMS * row + k] = 0;
    }
    for (let k = 0; k < 3; k++) rows.normal[3 * row + k] = n[k];
    // The obstacle is replaced by the plane at its nearest point.
    rows.offset[row] = n[0] * x + n[1] * y + n[2] * z - gap + margin;
    rows.depth[row] = -gap;
    rows.key[row] = this.keyOf(v, obstacle);
    rows.other[row] = obstacle;
    rows.triangle[row] = -1;
    rows.turn[row] = 0;
    return gap;
  }

  /** Calls `found` for each vertex that is closer than `within` to an obstacle. */
  visitClose(
    positions: Float64Array,
    within: number,
    found: (vertex: number, obstacle: number) => void,
  ): void {
    const n = this.#normal,
      box = this.#box;
    for (let o = 0; o < this.obstacles.length; o++) {
      const obstacle = this.obstacles[o];
      obstacle.box(within, box);
      for (let v = 0, p = 0; v < this.#vertexCount; v++, p += 3) {
        const x = positions[p],
          y = positions[p + 1],
          z = positions[p + 2];
        if (x < box[0] || x > box[3] || y < box[1] || y > box[4] || z < box[2] || z > box[5]) continue;
        if (obstacle.distance(x, y, z, n) < within) found(v, o);
      }
    }
  }

  /**
   * Moves a point out of all obstacles, to `margin` from them where that can be done: several in turn, a few times.
   * True when it moved.
   */
  pushOut(point: Float64Array, margin: number): boolean {
    const n = this.#normal;
    let moved = false;
    for (let round = 0; round < PUSH_ROUNDS; round++) {
      let isOut = true;
      for (const obstacle of this.obstacles) {
        const short = margin - obstacle.distance(point[0], point[1], point[2], n);
        if (!(short > 1e-12)) continue;
        for (let k = 0; k < 3; k++) point[k] += short * n[k];
        isOut = false;
        moved = true;
      }
      if (isOut) break;
    }
    return moved;
  }
}

const PUSH_ROUNDS = 16;
