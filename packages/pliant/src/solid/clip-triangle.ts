/** What a triangle and a tetrahedron of the lattice have in common: a polygon of at most seven corners. */
export class TriangleClipper {
  /** x, y, z per corner, from the low corner of the tetrahedron's cube. */
  polygon = new Float64Array(24);
  count = 0;
  /** Bit k: the polygon reaches face k. */
  faces = 0;
  #other = new Float64Array(24);

  /**
   * Keeps λ_k ≥ −reach for the four forms from `form[f]` on. The corners a, b, c are offsets into `points`, taken
   * from (bx, by, bz). Returns false when nothing is left.
   */
  clip(
    form: Float64Array,
    f: number,
    points: Float64Array,
    a: number,
    b: number,
    c: number,
    bx: number,
    by: number,
    bz: number,
    reach: number,
  ): boolean {
    this.start(points, a, b, c, bx, by, bz);
    for (let k = 0; k < 4; k++) if (!this.cut(form, f + 4 * k, reach)) return false;
    this.#findFaces(form, f, reach);
    return true;
  }

  /** Takes the whole triangle. */
  start(points: Float64Array, a: number, b: number, c: number, bx: number, by: number, bz: number): void {
    const p = this.polygon;
    p[0] = points[a] - bx;
    p[1] = points[a + 1] - by;
    p[2] = points[a + 2] - bz;
    p[3] = points[b] - bx;
    p[4] = points[b + 1] - by;
    p[5] = points[b + 2] - bz;
    p[6] = points[c] - bx;
    p[7] = points[c + 1] - by;
    p[8] = points[c + 2] - bz;
    this.count = 3;
    this.faces = 0;
  }

  /** Keeps what lies on the side λ ≥ −reach of one plane. */
  cut(form: Float64Array, f: number, reach: number): boolean {
    const p = this.polygon,
      q = this.#other;
    const f0 = form[f] + reach,
      fx = form[f + 1],
      fy = form[f + 2],
      fz = form[f + 3];
    const length = 3 * this.count;
    let isWhole = true;
    for (let i = 0; i < length; i += 3) {
      if (f0 + fx * p[i] + fy * p[i + 1] + fz * p[i + 2] >= 0) continue;
      isWhole = false;
      break;
    }
    if (isWhole) return true;

    let o = 0;
    let from = length - 3;
    let before = f0 + fx * p[from] + fy * p[from + 1] + fz * p[from + 2];
    for (let i = 0; i < length; i += 3) {
      const here = f0 + fx * p[i] + fy * p[i + 1] + fz * p[i + 2];
      if (before >= 0 !== here >= 0) {
        const t = before / (before - here);
        q[o] = p[from] + t * (p[i] - p[from]);
        q[o + 1] = p[from + 1] + t * (p[i + 1] - p[from + 1]);
        q[o + 2] = p[from + 2] + t * (p[i + 2] - p[from + 2]);
        o += 3;
      }
      if (here >= 0) {
        q[o] = p[i];
        q[o + 1] = p[i + 1];
        q[o + 2] = p[i + 2];
        o += 3;
      }
      before = here;
      from = i;
    }
    this.polygon = q;
    this.#other = p;
    this.count = o / 3;
    return o > 0;
  }

  #findFaces(form: Float64Array, f: number, reach: number): void {
    const p = this.polygon;
    for (let k = 0; k < 4; k++) {
      const o = f + 4 * k;
      for (let i = 0; i < 3 * this.count; i += 3) {
        if (form[o] + form[o + 1] * p[i] + form[o + 2] * p[i + 1] + form[o + 3] * p[i + 2] > reach) continue;
        this.faces |= 1 << k;
        break;
      }
    }
  }

  /** Twice the polygon's area vector into `out`. */
  setAreaVector(out: Float64Array): void {
    const p = this.polygon;
    out.fill(0, 0, 3);
    for (let i = 6; i < 3 * this.count; i += 3) {
      const ux = p[i - 3] - p[0],
        uy = p[i - 2] - p[1],
        uz = p[i - 1] - p[2];
      const vx = p[i] - p[0],
        vy = p[i + 1] - p[1],
        vz = p[i + 2] - p[2];
      out[0] += uy * vz - uz * vy;
      out[1] += uz * vx - ux * vz;
      out[2] += ux * vy - uy * vx;
    }
  }

  /** The mean of the corners: inside the polygon, since it is convex. */
  setMiddle(out: Float64Array): void {
    const p = this.polygon;
    out.fill(0, 0, 3);
    for (let i = 0; i < 3 * this.count; i += 3) {
      out[0] += p[i];
      out[1] += p[i + 1];
      out[2] += p[i + 2];
    }
    for (let k = 0; k < 3; k++) out[k] /= this.count;
  }
}
