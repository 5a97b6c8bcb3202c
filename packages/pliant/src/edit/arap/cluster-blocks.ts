import type { Spokes } from './spokes.ts';

/** Functions on vertices of a cage: rows × columns of weights, row-major. */
export interface WeightGroup {
  readonly rows: Uint32Array;
  readonly columns: number;
  readonly weights: Float32Array;
}

/** How rotations of clusters act on the coefficients of a group: three rows of `columns` numbers per cluster. */
export interface ClusterBlock {
  /** Those that the group meets, ascending. */
  readonly clusters: Uint32Array;
  readonly columns: number;
  readonly blocks: Float64Array;
}

/**
 * B_k = Σ_i Wᵢᵀ (½ Σ w (p̄ᵢ − p̄_j)), over the spokes that end in cluster k at either side: that of a vertex turns
 * with its own rotation, and with its neighbour's. Then Wᵀ b = Σ_k B_k R_kᵀ, and half the matrix to which R_k is fitted
 * is vᵀ B_k, whatever the number of vertices is.
 */
export function createClusterBlock(spokes: Spokes, labels: Uint32Array, group: WeightGroup): ClusterBlock {
  const { start, neighbour, spoke } = spokes;
  const { rows, columns, weights } = group;
  const clusters = meet(spokes, labels, rows);
  const place = new Map<number, number>();
  clusters.forEach((cluster, k) => {
    place.set(cluster, k);
  });
  const blocks = new Float64Array(3 * columns * clusters.length);
  const shares = new Map<number, [number, number, number]>(); // of one vertex, by cluster
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r];
    shares.clear();
    for (let s = start[i]; s < start[i + 1]; s++) {
      addShare(shares, labels[i], spoke, 4 * s);
      addShare(shares, labels[neighbour[s]], spoke, 4 * s);
    }
    for (const [cluster, [x, y, z]] of shares) {
      const o = 3 * columns * place.get(cluster)!;
      for (let c = 0, w = r * columns; c < columns; c++, w++) {
        blocks[o + c] += weights[w] * x;
        blocks[o + columns + c] += weights[w] * y;
        blocks[o + 2 * columns + c] += weights[w] * z;
      }
    }
  }
  return { clusters, columns, blocks };
}

function meet({ start, neighbour }: Spokes, labels: Uint32Array, rows: Uint32Array): Uint32Array {
  const met = new Set<number>();
  for (const i of rows) {
    met.add(labels[i]);
    for (let s = start[i]; s < start[i + 1]; s++) met.add(labels[neighbour[s]]);
  }
  return Uint32Array.from(met).sort();
}

function addShare(
  shares: Map<number, [number, number, number]>,
  cluster: number,
  spoke: Float64Array,
  s: number,
): void {
  let share = shares.get(cluster);
  if (!share) {
    share = [0, 0, 0];
    shares.set(cluster, share);
  }
  share[0] += spoke[s] / 2;
  share[1] += spoke[s + 1] / 2;
  share[2] += spoke[s + 2] / 2;
}
