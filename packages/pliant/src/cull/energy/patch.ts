import type { SurfaceWeights } from './surface-weights.ts';

/**
 * The triangles of one or two ranges of slots as a surface of its own, with boundary: vertices numbered from 0 so that
 * neighbours have close numbers, and S, the cotangent matrix of these triangles alone.
 */
export class Patch {
  vertexCount = 0;
  /** False: S has more null vectors than the constant one, and no certificate can be given. */
  isConnected = false;
  /** The largest difference of two neighbours' numbers. */
  band = 0;
  points = new Uint32Array(64); // of each vertex
  /** S: the neighbours of v are [start[v], start[v + 1]), without v itself; each pair has one weight, ≥ 0 or not. */
  start = new Uint32Array(65);
  neighbour = new Uint32Array(256);
  weight = new Float64Array(256);
  /** Per vertex: the sum of |weight| over its triangles, before any cancel. */
  size = new Float64Array(64);

  readonly #surface: SurfaceWeights;
  readonly #vertexOf: Int32Array; // per point: 1 + its number here, 0 when it is not
  #found = new Uint32Array(64); // points in the order in which slots use them
  #degree = new Uint32Array(64);
  #foundSize = new Float64Array(64);

  constructor(surface: SurfaceWeights) {
    this.#surface = surface;
    this.#vertexOf = new Int32Array(surface.scale.length);
  }

  /** −1 when the point is not in the patch. */
  vertexOf(point: number): number {
    return this.#vertexOf[point] - 1;
  }

  /** Ranges of slots, two numbers each: the first one and how many. */
  load(...ranges: number[]): void {
    for (let v = 0; v < this.vertexCount; v++) this.#vertexOf[this.points[v]] = 0;
    this.#findPoints(ranges);
    this.#addWeights(ranges);
    this.#renumber();
  }

  #findPoints(ranges: readonly number[]): void {
    const { corners } = this.#surface;
    let count = 0,
      slots = 0;
    for (let r = 0; r < ranges.length; r += 2) {
      slots += ranges[r + 1];
      for (let c = 3 * ranges[r]; c < 3 * (ranges[r] + ranges[r + 1]); c++) {
        if (this.#vertexOf[corners[c]] > 0) continue;
        if (count === this.#found.length) this.#found = grown(this.#found);
        this.#found[count] = corners[c];
        this.#vertexOf[corners[c]] = ++count;
      }
    }
    this.vertexCount = count;
    while (this.points.length < count) this.points = grown(this.points);
    while (this.start.length < count + 1) this.start = grown(this.start);
    while (this.#degree.length < count) this.#degree = grown(this.#degree);
    while (this.size.length < count) this.size = grown(this.size);
    while (this.#foundSize.length < count) this.#foundSize = grown(this.#foundSize);
    while (this.neighbour.length < 6 * slots) this.neighbour = grown(this.neighbour);
    while (this.weight.length < 6 * slots) this.weight = grown(this.weight);
  }

  /** Rows in the order in which points were found; entries of one pair are added up. */
  #addWeights(ranges: readonly number[]): void {
    const { corners, weight } = this.#surface;
    const degree = this.#degree.fill(0, 0, this.vertexCount);
    const eachEdge = (visit: (u: number, v: number, w: number) => void) => {
      for (let r = 0; r < ranges.length; r += 2) {
        for (let slot = ranges[r]; slot < ranges[r] + ranges[r + 1]; slot++) {
          for (let k = 0; k < 3; k++) {
            const u = this.#vertexOf[corners[3 * slot + ((k + 1) % 3)]] - 1,
              v = this.#vertexOf[corners[3 * slot + ((k + 2) % 3)]] - 1;
            if (u !== v) visit(u, v, weight[3 * slot + k]);
          }
        }
      }
    };
    eachEdge((u, v) => {
      degree[u]++;
      degree[v]++;
    });
    const { start } = this;
    start[0] = 0;
    for (let v = 0; v < this.vertexCount; v++) start[v + 1] = start[v] + degree[v];
    degree.fill(0, 0, this.vertexCount);
    const size = this.#foundSize.fill(0, 0, this.vertexCount);
    eachEdge((u, v, w) => {
      size[u] += Math.abs(w);
      size[v] += Math.abs(w);
      this.#add(u, v, w);
      this.#add(v, u, w);
    });
  }

  #add(u: number, v: number, w: number): void {
    const first = this.start[u],
      end = first + this.#degree[u];
    for (let e = first; e < end; e++) {
      if (this.neighbour[e] !== v) continue;
      this.weight[e] += w;
      return;
    }
    this.neighbour[end] = v;
    this.weight[end] = w;
    this.#degree[u]++;
  }

  /** Cuthill and McKee: breadth first from a vertex at the rim, which makes the band narrow. */
  #renumber(): void {
    const { vertexCount: n } = this;
    const queue = new Uint32Array(n),
      place = new Int32Array(n);
    let count = 0;
    for (let root = 0, sweep = 0; sweep < 3; sweep++) {
      place.fill(-1);
      count = this.#reach(root, 0, queue, place);
      root = queue[count - 1];
    }
    this.isConnected = count === n;
    for (let v = 0; v < n; v++) if (place[v] < 0) count = this.#reach(v, count, queue, place);
    this.#permute(queue, place);
  }

  /** Numbers everything that is connected with a vertex, from `count` on. */
  #reach(root: number, count: number, queue: Uint32Array, place: Int32Array): number {
    place[root] = count;
    queue[count++] = root;
    for (let k = count - 1; k < count; k++) {
      const v = queue[k];
      for (let e = this.start[v]; e < this.start[v] + this.#degree[v]; e++) {
        const u = this.neighbour[e];
        if (place[u] >= 0 || this.weight[e] === 0) continue;
        place[u] = count;
        queue[count++] = u;
      }
    }
    return count;
  }

  #permute(queue: Uint32Array, place: Int32Array): void {
    const { vertexCount: n, start, neighbour, weight } = this;
    const from = start.slice(0, n);
    const oldNeighbour = neighbour.slice(0, start[n]),
      oldWeight = weight.slice(0, start[n]);
    let end = 0,
      band = 0;
    for (let k = 0; k < n; k++) {
      const v = queue[k];
      start[k] = end;
      this.points[k] = this.#found[v];
      this.size[k] = this.#foundSize[v];
      for (let e = from[v]; e < from[v] + this.#degree[v]; e++) {
        const u = place[oldNeighbour[e]];
        band = Math.max(band, Math.abs(u - k));
        neighbour[end] = u;
        weight[end++] = oldWeight[e];
      }
    }
    start[n] = end;
    this.band = band;
    for (let k = 0; k < n; k++) this.#vertexOf[this.points[k]] = k + 1;
  }
}

function grown<T extends Uint32Array | Float64Array>(old: T): T {
  const larger = new (old.constructor as new (length: number) => T)(2 * old.length);
  larger.set(old);
  return larger;
}
