/**
 * Closest points of two small simplices as barycentric weights: points, segments or triangles, their corners three
 * numbers each in `a` and `b`. The result only chooses a direction, which is then checked: it may be sloppy. Triangles
 * must not intersect; if they do, some pair of features is returned.
 */
export class ClosestWeights {
  readonly alpha = new Float64Array(3);
  readonly beta = new Float64Array(3);
  readonly #bestAlpha = new Float64Array(3);
  readonly #bestBeta = new Float64Array(3);

  find(a: Float64Array, countA: number, b: Float64Array, countB: number): void {
    if (countA === 1 && countB === 3) this.#pointTriangle(a, 0, b, this.alpha, this.beta);
    else if (countA === 3 && countB === 1) this.#pointTriangle(b, 0, a, this.beta, this.alpha);
    else if (countA === 2 && countB === 2) this.#segments(a, 0, 1, b, 0, 1);
    else this.#triangles(a, b);
  }

  #triangles(a: Float64Array, b: Float64Array): void {
    const { alpha, beta } = this;
    let best = Infinity;
    const keep = (distance: number) => {
      if (!(distance < best)) return;
      best = distance;
      this.#bestAlpha.set(alpha);
      this.#bestBeta.set(beta);
    };
    for (let i = 0; i < 3; i++) {
      keep(this.#pointTriangle(a, i, b, alpha, beta));
      keep(this.#pointTriangle(b, i, a, beta, alpha));
      for (let j = 0; j < 3; j++) keep(this.#segments(a, i, (i + 1) % 3, b, j, (j + 1) % 3));
    }
    if (best === Infinity) return; // nothing but NaN: any weights will do
    alpha.set(this.#bestAlpha);
    beta.set(this.#bestBeta);
  }

  /** Squared distance of point `i` of `p` and triangle `t`. */
  #pointTriangle(
    p: Float64Array,
    i: number,
    t: Float64Array,
    ofPoint: Float64Array,
    ofTriangle: Float64Array,
  ): number {
    ofPoint.fill(0);
    ofPoint[i] = 1;
    const px = p[3 * i] - t[0],
      py = p[3 * i + 1] - t[1],
      pz = p[3 * i + 2] - t[2];
    const ux = t[3] - t[0],
      uy = t[4] - t[1],
      uz = t[5] - t[2];
    const vx = t[6] - t[0],
      vy = t[7] - t[1],
      vz = t[8] - t[2];
    const uu = ux * ux + uy * uy + uz * uz,
      uv = ux * vx + uy * vy + uz * vz,
      vv = vx * vx + vy * vy + vz * vz;
    const up = ux * px + uy * py + uz * pz,
      vp = vx * px + vy * py + vz * pz;
    const det = uu * vv - uv * uv;
    let s = (vv * up - uv * vp) / det,
      r = (uu * vp - uv * up) / det;
    if (!(s >= 0 && r >= 0 && s + r <= 1)) {
      // On one of the three edges.
      let best = Infinity;
      for (let edge = 0; edge < 3; edge++) {
        // From corner 0 along u, from 0 along v, from 1 to 2.
        const ex = edge === 0 ? ux : edge === 1 ? vx : vx - ux,
          ey = edge === 0 ? uy : edge === 1 ? vy : vy - uy,
          ez = edge === 0 ? uz : edge === 1 ? vz : vz - uz;
        const ox = edge === 2 ? px - ux : px,
          oy = edge === 2 ? py - uy : py,
          oz = edge === 2 ? pz - uz : pz;
        const length = ex * ex + ey * ey + ez * ez;
        const k = length > 0 ? clamp((ox * ex + oy * ey + oz * ez) / length) : 0;
        const dx = ox - k * ex,
          dy = oy - k * ey,
          dz = oz - k * ez;
        const distance = dx * dx + dy * dy + dz * dz;
        if (!(distance < best)) continue;
        best = distance;
        s = edge === 0 ? k : edge === 1 ? 0 : 1 - k;
        r = edge === 0 ? 0 : k;
      }
    }
    ofTriangle[0] = 1 - s - r;
    ofTriangle[1] = s;
    ofTriangle[2] = r;
    const dx = px - s * ux - r * vx,
      dy = py - s * uy - r * vy,
      dz = pz - s * uz - r * vz;
    return dx * dx + dy * dy + dz * dz;
  }

  /** Squared distance of the segments from `i` to `j` of `a` and from `k` to `l` of `b`. */
  #segments(a: Float64Array, i: number, j: number, b: Float64Array, k: number, l: number): number {
    const { alpha, beta } = this;
    const ux = a[3 * j] - a[3 * i],
      uy = a[3 * j + 1] - a[3 * i + 1],
      uz = a[3 * j + 2] - a[3 * i + 2];
    const vx = b[3 * l] - b[3 * k],
      vy = b[3 * l + 1] - b[3 * k + 1],
      vz = b[3 * l + 2] - b[3 * k + 2];
    const wx = a[3 * i] - b[3 * k],
      wy = a[3 * i + 1] - b[3 * k + 1],
      wz = a[3 * i + 2] - b[3 * k + 2];
    const uu = ux * ux + uy * uy + uz * uz,
      uv = ux * vx + uy * vy + uz * vz,
      vv = vx * vx + vy * vy + vz * vz;
    const uw = ux * wx + uy * wy + uz * wz,
      vw = vx * wx + vy * wy + vz * wz;
    const det = uu * vv - uv * uv;
    let s = det > 0 ? clamp((uv * vw - vv * uw) / det) : 0;
    let t = vv > 0 ? (uv * s + vw) / vv : 0;
    if (!(t >= 0 && t <= 1)) {
      t = clamp(t);
      s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    }
    alpha.fill(0);
    beta.fill(0);
    alpha[i] = 1 - s;
    alpha[j] = s;
    beta[k] = 1 - t;
    beta[l] = t;
    const dx = wx + s * ux - t * vx,
      dy = wy + s * uy - t * vy,
      dz = wz + s * uz - t * vz;
    return dx * dx + dy * dy + dz * dz;
  }
}

function clamp(x: number): number {
  return x > 0 ? (x < 1 ? x : 1) : 0; // not a number becomes 0
}
