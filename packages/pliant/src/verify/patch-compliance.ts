import type { SurfaceWeights } from '../cull/energy/surface-weights.ts';

/**
 * How a patch of a surface gives way when two of its vertices are pulled together: with the energy ‖L u‖², L = D^(−1/2) S,
 * the cheapest displacement that moves vertex i to vertex j is a multiple of v = K⁺(e_i − e_j), K = S D⁻¹ S. Here v comes
 * from two solves with S, factored by a band Cholesky decomposition; its energy is then evaluated from the definition, so
 * that no error of the solver can make it too small.
 */
export class PatchCompliance {
  /** Points of the mesh, by vertex of the patch. */
  readonly points: number[] = [];
  /** False: the patch is in several pieces, or S is singular. */
  readonly isUsable: boolean;
  readonly #vertexOf = new Map<number, number>();
  readonly #neighbours: Map<number, number>[] = []; // weights by neighbour
  readonly #area: Float64Array;
  readonly #lower: Float64Array;
  readonly #band: number;
  readonly #columns = new Map<number, Float64Array>();

  constructor(surface: SurfaceWeights, slots: readonly number[]) {
    this.#readWeights(surface, slots);
    const isConnected = this.#renumber();
    this.#area = Float64Array.from(this.points, (p) => 1 / surface.scale[p] ** 2);
    const n = this.points.length;
    this.#band = this.#neighbours.reduce(
      (most, list, v) => [...list.keys()].reduce((least, u) => Math.max(least, v - u), most),
      0,
    );
    this.#lower = new Float64Array(n * (this.#band + 1));
    this.isUsable = isConnected && n >= 4 && this.#factor();
  }

  vertexOf(point: number): number {
    return this.#vertexOf.get(point)!;
  }

  neighbours(vertex: number): Iterable<number> {
    return this.#neighbours[vertex].keys();
  }

  /** Energy per squared distance of pulling i and j together by u = v / (v_i − v_j); Infinity when that does not work. */
  energy(i: number, j: number): number {
    const vi = this.#column(i),
      vj = this.#column(j);
    const apart = vi[i] - vj[i] - vi[j] + vj[j];
    if (!(apart > 0)) return Infinity;
    let energy = 0;
    for (let k = 0; k < this.points.length; k++) {
      let sum = 0;
      for (const [u, weight] of this.#neighbours[k]) sum += weight * (vi[k] - vj[k] - vi[u] + vj[u]);
      energy += (sum * sum) / this.#area[k];
    }
    return energy / (apart * apart);
  }

  /** The displacement itself, per unit of distance. */
  displacement(i: number, j: number): Float64Array {
    const vi = this.#column(i),
      vj = this.#column(j);
    const apart = vi[i] - vj[i] - vi[j] + vj[j];
    return vi.map((value, k) => (value - vj[k]) / apart);
  }

  /** K⁺(e_i − e_ground), but for a constant. */
  #column(i: number): Float64Array {
    const known = this.#columns.get(i);
    if (known) return known;
    const n = this.points.length;
    const y = new Float64Array(n);
    if (i < n - 1) y[i] = 1;
    this.#solve(y);
    let sum = 0,
      total = 0;
    for (let k = 0; k < n; k++) {
      sum += this.#area[k] * y[k];
      total += this.#area[k];
    }
    for (let k = 0; k < n; k++) y[k] = this.#area[k] * (y[k] - sum / total);
    this.#solve(y);
    this.#columns.set(i, y);
    return y;
  }

  #readWeights({ corners, weight }: SurfaceWeights, slots: readonly number[]): void {
    const vertex = (point: number) => {
      const known = this.#vertexOf.get(point);
      if (known !== undefined) return known;
      this.#vertexOf.set(point, this.points.length);
      this.#neighbours.push(new Map());
      return this.points.push(point) - 1;
    };
    for (const slot of slots) {
      for (let k = 0; k < 3; k++) {
        const u = vertex(corners[3 * slot + ((k + 1) % 3)]),
          v = vertex(corners[3 * slot + ((k + 2) % 3)]);
        if (u === v) continue;
        const sum = (this.#neighbours[u].get(v) ?? 0) + weight[3 * slot + k];
        this.#neighbours[u].set(v, sum);
        this.#neighbours[v].set(u, sum);
      }
    }
  }

  /** Breadth first from a vertex far from the first one, so that neighbours have close numbers. */
  #renumber(): boolean {
    const walk = (root: number) => {
      const order = [root];
      const isSeen = new Uint8Array(this.points.length);
      isSeen[root] = 1;
      for (let k = 0; k < order.length; k++) {
        for (const [u, weight] of this.#neighbours[order[k]]) {
          if (isSeen[u] || weight === 0) continue;
          isSeen[u] = 1;
          order.push(u);
        }
      }
      return order;
    };
    const order = walk(walk(0).at(-1)!);
    if (order.length < this.points.length) return false;
    const place = new Uint32Array(order.length);
    order.forEach((v, k) => {
      place[v] = k;
    });
    const points = order.map((v) => this.points[v]);
    const neighbours = order.map(
      (v) => new Map([...this.#neighbours[v]].map(([u, weight]) => [place[u], weight])),
    );
    this.points.splice(0, points.length, ...points);
    this.#neighbours.splice(0, neighbours.length, ...neighbours);
    points.forEach((p, k) => {
      this.#vertexOf.set(p, k);
    });
    return true;
  }

  /** S without its last row and column, the ground. */
  #factor(): boolean {
    const lower = this.#lower,
      band = this.#band,
      width = band + 1;
    for (let i = 0; i < this.points.length - 1; i++) {
      const row = i * width - i + band; // where column 0 would be
      for (const [u, weight] of this.#neighbours[i]) {
        lower[row + i] += weight;
        if (u < i) lower[row + u] -= weight;
      }
      const diagonal = lower[row + i];
      for (let j = Math.max(0, i - band); j < i; j++) {
        const other = j * width - j + band;
        let rest = lower[row + j];
        for (let k = Math.max(0, i - band); k < j; k++) rest -= lower[row + k] * lower[other + k];
        lower[row + j] = rest / lower[other + j];
        lower[row + i] -= lower[row + j] ** 2;
      }
      if (!(lower[row + i] > 1e-13 * Math.abs(diagonal))) return false;
      lower[row + i] = Math.sqrt(lower[row + i]);
    }
    return true;
  }

  #solve(x: Float64Array): void {
    const lower = this.#lower,
      band = this.#band,
      width = band + 1,
      n = this.points.length - 1;
    x[n] = 0;
    for (let i = 0; i < n; i++) {
      const row = i * width - i + band;
      for (let k = Math.max(0, i - band); k < i; k++) x[i] -= lower[row + k] * x[k];
      x[i] /= lower[row + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = i * width - i + band;
      x[i] /= lower[row + i];
      for (let k = Math.max(0, i - band); k < i; k++) x[k] -= lower[row + k] * x[i];
    }
  }
}
