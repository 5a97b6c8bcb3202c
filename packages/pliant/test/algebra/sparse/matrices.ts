import fc from 'fast-check';
import { SymmetricMatrixBuilder } from '../../../src/algebra/sparse/matrix-builder.ts';
import type { SymmetricMatrix } from '../../../src/algebra/sparse/symmetric-matrix.ts';

export type Edge = readonly [number, number];

/** Shapes of graphs that orderings meet: each list of edges is over `size` nodes. */
export function edges(maxSize = 40): fc.Arbitrary<{ size: number; edges: Edge[] }> {
  const sizes = fc.integer({ min: 1, max: maxSize });
  const random = sizes.chain((size) =>
    fc.record({
      size: fc.constant(size),
      edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 3 * size }),
    }),
  );
  const tree = fc.array(fc.nat(1_000_000), { maxLength: maxSize - 1 }).map((parents) => ({
    size: parents.length + 1,
    edges: parents.map((p, k): Edge => [k + 1, p % (k + 1)]),
  }));
  const grid = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).map(([nx, ny]) => {
    const list: Edge[] = [];
    for (let i = 0; i < nx * ny; i++) {
      if (i % nx > 0) list.push([i, i - 1]);
      if (i >= nx) list.push([i, i - nx]);
    }
    return { size: nx * ny, edges: list };
  });
  const arrow = sizes.map((size) => ({
    size,
    edges: Array.from({ length: size - 1 }, (_, k): Edge => [k + 1, 0]), // eliminated first, it fills everything
  }));
  const full = fc.integer({ min: 1, max: 12 }).map((size) => {
    const list: Edge[] = [];
    for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) list.push([i, j]);
    return { size, edges: list };
  });
  return fc.oneof({ weight: 3, arbitrary: random }, tree, grid, arrow, full);
}

/** A positive definite matrix with these edges, of blocks: off-diagonal blocks anything, the diagonal outweighs them. */
export function definiteMatrix(maxSize = 40, blockSize = 1): fc.Arbitrary<SymmetricMatrix> {
  return fc
    .record({
      graph: edges(maxSize),
      seed: fc.nat(2 ** 31 - 1),
      slack: fc.double({ min: 1e-3, max: 10, noNaN: true }),
    })
    .map(({ graph, seed, slack }) => definite(graph.size, graph.edges, seed, slack, blockSize));
}

export function definite(
  size: number,
  list: readonly Edge[],
  seed: number,
  slack: number,
  b = 1,
): SymmetricMatrix {
  const random = randomNumbers(seed);
  const builder = new SymmetricMatrixBuilder(size * b, { blockSize: b });
  const weight = new Float64Array(size * b);
  const block = new Float64Array(b * b);
  for (const [i, j] of list) {
    if (i === j) continue;
    for (let r = 0; r < b; r++) {
      for (let c = 0; c < b; c++) {
        const v = 2 * random() - 1;
        block[r * b + c] = v;
        weight[i * b + r] += Math.abs(v);
        weight[j * b + c] += Math.abs(v);
      }
    }
    builder.addBlock(i, j, block);
  }
  for (let i = 0; i < size; i++) {
    block.fill(0);
    for (let r = 0; r < b; r++) {
      for (let c = 0; c < r; c++) block[r * b + c] = 0.1 * random();
      block[r * b + r] = weight[i * b + r] + slack * (0.1 + random()) + 0.1 * b;
    }
    builder.addBlock(i, i, block);
  }
  return builder.build();
}

export function randomNumbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** All entries, row by row. */
export function toDense({ size, start, row, value }: SymmetricMatrix): Float64Array {
  const dense = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      dense[row[p] * size + j] = value[p];
      dense[j * size + row[p]] = value[p];
    }
  }
  return dense;
}

/** The oracle: Gaussian elimination with pivoting on the dense matrix. */
export function solveDense(dense: Float64Array, size: number, b: Float64Array): Float64Array {
  const a = dense.slice(),
    x = b.slice();
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++)
      if (Math.abs(a[i * size + k]) > Math.abs(a[pivot * size + k])) pivot = i;
    for (let c = 0; c < size; c++)
      [a[k * size + c], a[pivot * size + c]] = [a[pivot * size + c], a[k * size + c]];
    [x[k], x[pivot]] = [x[pivot], x[k]];
    for (let i = k + 1; i < size; i++) {
      const f = a[i * size + k] / a[k * size + k];
      for (let c = k; c < size; c++) a[i * size + c] -= f * a[k * size + c];
      x[i] -= f * x[k];
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let c = i + 1; c < size; c++) x[i] -= a[i * size + c] * x[c];
    x[i] /= a[i * size + i];
  }
  return x;
}

export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/**
 * Laplacian plus `shift` times the identity on a body-centred cubic lattice in a box: corners and centres of cubes, each
 * centre joined to its eight corners. What the cages of the library have.
 */
export function latticeLaplacian(nx: number, ny: number, nz: number, shift = 0.01) {
  const corner = (x: number, y: number, z: number) => x + (nx + 1) * (y + (ny + 1) * z);
  const corners = corner(0, 0, nz + 1);
  const size = corners + nx * ny * nz;
  const builder = new SymmetricMatrixBuilder(size, { expected: 24 * nx * ny * nz + size });
  const points = new Float64Array(3 * size);
  for (let i = 0; i < size; i++) builder.add(i, i, shift);
  for (let z = 0; z <= nz; z++)
    for (let y = 0; y <= ny; y++) for (let x = 0; x <= nx; x++) points.set([x, y, z], 3 * corner(x, y, z));
  for (let cell = 0; cell < nx * ny * nz; cell++) {
    const x = cell % nx,
      y = Math.trunc(cell / nx) % ny,
      z = Math.trunc(cell / (nx * ny));
    const centre = corners + cell;
    points.set([x + 0.5, y + 0.5, z + 0.5], 3 * centre);
    for (let k = 0; k < 8; k++) {
      const v = corner(x + (k & 1), y + ((k >> 1) & 1), z + (k >> 2));
      builder.add(centre, v, -1);
      builder.add(centre, centre, 1);
      builder.add(v, v, 1);
    }
  }
  return { matrix: builder.build(), points };
}
