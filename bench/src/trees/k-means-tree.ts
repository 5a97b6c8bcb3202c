import type { TriangleMesh } from '../../../packages/pliant/src/mesh/triangle-mesh.ts';

/** Children of a node. */
export const ARITY = 4;
const ROUNDS = 8; // of Lloyd's algorithm

/**
 * The papers' tree: every node has up to four children, found by k-means on the centroids, down to one triangle
 * per leaf. Level order: children are contiguous and follow their parent.
 */
export interface KMeansTree {
  readonly nodeCount: number;
  readonly firstChild: Uint32Array; // of a leaf: its slot
  readonly childCount: Uint8Array; // 0 for a leaf
  readonly order: Uint32Array; // slot -> triangle
}

export function buildKMeansTree(mesh: TriangleMesh): KMeansTree {
  const { triangleCount } = mesh;
  const clusters = new Clusters(centroidsOf(mesh));
  const { order } = clusters;
  const most = 2 * triangleCount;
  const firstChild = new Uint32Array(most),
    childCount = new Uint8Array(most);
  const first = new Uint32Array(most),
    count = new Uint32Array(most);
  count[0] = triangleCount;
  let free = 1; // the next node to hand out
  for (let node = 0; node < free; node++) {
    if (count[node] === 1) {
      firstChild[node] = first[node];
      continue;
    }
    const sizes = clusters.divide(first[node], count[node]);
    firstChild[node] = free;
    childCount[node] = sizes.length;
    let slot = first[node];
    for (const size of sizes) {
      first[free] = slot;
      count[free++] = size;
      slot += size;
    }
  }
  return {
    nodeCount: free,
    firstChild: firstChild.slice(0, free),
    childCount: childCount.slice(0, free),
    order,
  };
}

class Clusters {
  readonly order: Uint32Array;
  readonly #centroids: Float64Array;
  readonly #label: Uint8Array; // of each triangle
  readonly #means = new Float64Array(3 * ARITY);
  readonly #sums = new Float64Array(4 * ARITY); // x, y, z, how many

  constructor(centroids: Float64Array) {
    const triangleCount = centroids.length / 3;
    this.#centroids = centroids;
    this.#label = new Uint8Array(triangleCount);
    this.order = Uint32Array.from({ length: triangleCount }, (_, t) => t);
  }

  /** Groups order[first … first + count) and returns the sizes of the groups: two to four, none empty. */
  divide(first: number, count: number): number[] {
    if (count <= ARITY) return new Array(count).fill(1);
    this.#seed(first, count);
    for (let round = 0; round < ROUNDS; round++) if (!this.#improve(first, count)) break;
    const sizes = this.#group(first, count);
    return sizes.length > 1 ? sizes : evenSizes(count); // equal centroids: any division will do
  }

  /** Each mean is the centroid farthest from those before it; the first is the first. */
  #seed(first: number, count: number): void {
    const c = this.#centroids,
      means = this.#means;
    setPoint(means, 0, c, 3 * this.order[first]);
    for (let k = 1; k < ARITY; k++) {
      let farthest = this.order[first],
        distance = -1;
      for (let s = first; s < first + count; s++) {
        let nearest = Infinity;
        for (let m = 0; m < k; m++) {
          nearest = Math.min(nearest, squaredDistance(means, 3 * m, c, 3 * this.order[s]));
        }
        if (nearest > distance) {
          distance = nearest;
          farthest = this.order[s];
        }
      }
      setPoint(means, 3 * k, c, 3 * farthest);
    }
    for (let s = first; s < first + count; s++) this.#label[this.order[s]] = 255;
  }

  /** False when no triangle changed its cluster. */
  #improve(first: number, count: number): boolean {
    const c = this.#centroids,
      means = this.#means,
      sums = this.#sums;
    let changed = false;
    sums.fill(0);
    for (let s = first; s < first + count; s++) {
      const t = this.order[s];
      let best = 0,
        distance = Infinity;
      for (let m = 0; m < ARITY; m++) {
        const d = squaredDistance(means, 3 * m, c, 3 * t);
        if (d < distance) {
          distance = d;
          best = m;
        }
      }
      if (this.#label[t] !== best) changed = true;
      this.#label[t] = best;
      for (let k = 0; k < 3; k++) sums[4 * best + k] += c[3 * t + k];
      sums[4 * best + 3]++;
    }
    for (let m = 0; m < ARITY; m++) {
      if (sums[4 * m + 3] === 0) continue;
      for (let k = 0; k < 3; k++) means[3 * m + k] = sums[4 * m + k] / sums[4 * m + 3];
    }
    return changed;
  }

  /** Sorts the range by label. */
  #group(first: number, count: number): number[] {
    const range = this.order.slice(first, first + count);
    const sizes: number[] = [];
    let slot = first;
    for (let m = 0; m < ARITY; m++) {
      const start = slot;
      for (const t of range) if (this.#label[t] === m) this.order[slot++] = t;
      if (slot > start) sizes.push(slot - start);
    }
    return sizes;
  }
}

function evenSizes(count: number): number[] {
  return Array.from(
    { length: ARITY },
    (_, k) => Math.floor(((k + 1) * count) / ARITY) - Math.floor((k * count) / ARITY),
  );
}

function centroidsOf({ triangles, positions, triangleCount }: TriangleMesh): Float64Array {
  const centroids = new Float64Array(3 * triangleCount);
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    for (let k = 0; k < 3; k++) {
      const sum =
        positions[3 * triangles[t] + k] +
        positions[3 * triangles[t + 1] + k] +
        positions[3 * triangles[t + 2] + k];
      centroids[t + k] = sum / 3;
    }
  }
  return centroids;
}

function setPoint(out: Float64Array, o: number, points: Float64Array, p: number): void {
  for (let k = 0; k < 3; k++) out[o + k] = points[p + k];
}

function squaredDistance(a: Float64Array, o: number, b: Float64Array, p: number): number {
  const x = a[o] - b[p],
    y = a[o + 1] - b[p + 1],
    z = a[o + 2] - b[p + 2];
  return x * x + y * y + z * z;
}
