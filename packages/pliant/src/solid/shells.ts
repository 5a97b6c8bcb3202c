import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** With more shells their boxes are not looked through. */
const MOST = 64;

/** Says where another shell may surround a point; built from the boxes of the shells. */
export class ShellBoxes {
  readonly #boxes: Float64Array;
  readonly #count: number;

  constructor({ positions, triangles, component, componentCount }: TriangleMesh) {
    this.#count = componentCount;
    this.#boxes = new Float64Array(6 * componentCount);
    for (let c = 0; c < componentCount; c++) {
      this.#boxes.fill(Infinity, 6 * c, 6 * c + 3);
      this.#boxes.fill(-Infinity, 6 * c + 3, 6 * c + 6);
    }
    for (let i = 0; i < triangles.length; i++) {
      const o = 6 * component[Math.trunc(i / 3)];
      for (let k = 0; k < 3; k++) {
        const x = positions[3 * triangles[i] + k];
        this.#boxes[o + k] = Math.min(this.#boxes[o + k], x);
        this.#boxes[o + 3 + k] = Math.max(this.#boxes[o + 3 + k], x);
      }
    }
  }

  /** False proves that no shell but `own` goes around the point. */
  maySurround(own: number, p: Float64Array): boolean {
    if (this.#count > MOST) return true;
    const b = this.#boxes;
    for (let c = 0, o = 0; c < this.#count; c++, o += 6) {
      if (c === own) continue;
      if (p[0] < b[o] || p[1] < b[o + 1] || p[2] < b[o + 2]) continue;
      if (p[0] <= b[o + 3] && p[1] <= b[o + 4] && p[2] <= b[o + 5]) return true;
    }
    return false;
  }
}
