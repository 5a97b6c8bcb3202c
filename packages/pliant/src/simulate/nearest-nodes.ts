/** The nodes nearest to a point, in growing distance; of equally far ones the first. Tries them all: there are few. */
export class NearestNodes {
  readonly indices: Uint32Array;
  readonly squaredDistances: Float64Array;
  readonly #positions: Float64Array;

  constructor(positions: Float64Array, count: number) {
    const found = Math.min(count, positions.length / 3);
    this.indices = new Uint32Array(found);
    this.squaredDistances = new Float64Array(found);
    this.#positions = positions;
  }

  find(x: number, y: number, z: number): void {
    const p = this.#positions;
    const { indices, squaredDistances } = this;
    const last = indices.length - 1;
    squaredDistances.fill(Infinity);
    for (let j = 0, o = 0; o < p.length; j++, o += 3) {
      const dx = p[o] - x,
        dy = p[o + 1] - y,
        dz = p[o + 2] - z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (!(squared < squaredDistances[last])) continue;
      let k = last;
      for (; k > 0 && squared < squaredDistances[k - 1]; k--) {
        squaredDistances[k] = squaredDistances[k - 1];
        indices[k] = indices[k - 1];
      }
      squaredDistances[k] = squared;
      indices[k] = j;
    }
  }
}
