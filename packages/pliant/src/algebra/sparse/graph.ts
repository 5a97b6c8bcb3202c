import { InputError } from '../../mesh/input-error.ts';
import type { SymmetricMatrix } from './symmetric-matrix.ts';

/** Who stands beside whom in a symmetric matrix: both directions, without the diagonal, neighbours ascending. */
export interface Graph {
  readonly size: number;
  readonly start: Int32Array; // size + 1
  readonly neighbour: Int32Array;
}

/** No supernode has more columns than this: its triangle then stays in the cache. A block is never split. */
export const WIDEST = 96;

/** The graph of the blocks of a matrix. */
export function graphOf(matrix: SymmetricMatrix, blockSize = 1): Graph {
  const { start, row } = matrix;
  if (!Number.isInteger(blockSize) || blockSize < 1 || blockSize > WIDEST)
    throw new InputError('bad-option', `blockSize must be a whole number up to ${WIDEST}, not ${blockSize}`);
  if (matrix.size % blockSize !== 0)
    throw new InputError('bad-option', `blockSize ${blockSize} does not divide the size ${matrix.size}`);
  const size = matrix.size / blockSize;
  const seen = new Int32Array(size).fill(-1);
  const begin = new Int32Array(size + 1);
  const visit = (found: (node: number, other: number) => void) => {
    seen.fill(-1);
    for (let node = 0; node < size; node++) {
      seen[node] = node;
      for (let p = start[node * blockSize]; p < start[(node + 1) * blockSize]; p++) {
        const other = blockSize === 1 ? row[p] : Math.trunc(row[p] / blockSize);
        if (seen[other] === node) continue;
        seen[other] = node;
        found(node, other);
      }
    }
  };
  visit((node, other) => {
    begin[node + 1]++;
    begin[other + 1]++;
  });
  for (let node = 0; node < size; node++) begin[node + 1] += begin[node];
  const next = begin.slice(0, size);
  const neighbour = new Int32Array(begin[size]);
  // A node is told of its smaller neighbours, in order, before it lists its larger ones. The larger ones come in the
  // order of the block's columns, so they are sorted.
  visit((node, other) => {
    neighbour[next[node]++] = other;
    neighbour[next[other]++] = node;
  });
  if (blockSize > 1) for (let v = 0; v < size; v++) neighbour.subarray(begin[v], begin[v + 1]).sort();
  return { size, start: begin, neighbour };
}

/**
 * 3 when every entry belongs to a full 3×3 block, as in matrices of elasticity; else 1. Ordering blocks instead of
 * single unknowns takes a ninth of the edges.
 */
export function detectBlockSize({ size, start, row }: SymmetricMatrix): 1 | 3 {
  if (size === 0 || size % 3 !== 0) return 1;
  for (let j = 0; j < size; j += 3) {
    const first = start[j],
      count = start[j + 1] - first;
    if (
      count % 3 !== 0 ||
      start[j + 2] - start[j + 1] !== count - 1 ||
      start[j + 3] - start[j + 2] !== count - 2
    )
      return 1;
    for (let k = 0; k < count; k++) {
      const r = row[first + k];
      if (r % 3 !== k % 3) return 1;
      if (k > 0 && row[first + count + k - 1] !== r) return 1;
      if (k > 1 && row[first + 2 * count - 1 + k - 2] !== r) return 1;
    }
  }
  return 3;
}
