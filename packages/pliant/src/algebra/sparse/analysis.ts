import { countWork, walkTree } from './elimination-tree.ts';
import type { FactorOptions } from './factor-options.ts';
import { detectBlockSize, graphOf } from './graph.ts';
import { orderGraph } from './ordering.ts';
import { createSupernodes, type Supernodes } from './supernodes.ts';
import type { SymmetricMatrix } from './symmetric-matrix.ts';

/** Everything about a factorisation that does not depend on the values of the matrix. */
export interface Analysis {
  readonly blockSize: number;
  readonly supernodes: Supernodes; // of blocks
  /** Of the unknowns. */
  readonly order: Int32Array;
  /** Entries of L and operations, from the column counts. */
  readonly nonZeros: number;
  readonly flops: number;
  /** Where each panel begins, in numbers: rows one after another, each of `panelStride` numbers. */
  readonly panelStart: Float64Array; // one more than there are supernodes
  readonly times: { readonly ordering: number; readonly analysis: number };
}

/** Numbers per row of a panel with this many columns: even, so that rows are made of pairs. */
export function panelStride(columns: number): number {
  return columns + (columns & 1);
}

export function analyse(
  matrix: SymmetricMatrix,
  options: Pick<FactorOptions, 'ordering' | 'points' | 'blockSize'>,
): Analysis {
  const began = performance.now();
  const { blockSize = detectBlockSize(matrix) } = options;
  const graph = graphOf(matrix, blockSize);
  const chosen = orderGraph(graph, blockSize, options);
  const ordered = performance.now();
  const { order, parent, counts } = walkTree(graph, chosen);
  const supernodes = createSupernodes(graph, order, parent, counts, blockSize);
  const analysis = {
    blockSize,
    supernodes,
    order: expandOrder(supernodes.order, blockSize),
    ...countWork(counts, blockSize),
    panelStart: placePanels(supernodes, blockSize),
  };
  return { ...analysis, times: { ordering: ordered - began, analysis: performance.now() - ordered } };
}

function expandOrder(order: Int32Array, blockSize: number): Int32Array {
  const expanded = new Int32Array(order.length * blockSize);
  for (let k = 0; k < order.length; k++) {
    for (let c = 0; c < blockSize; c++) expanded[k * blockSize + c] = order[k] * blockSize + c;
  }
  return expanded;
}

function placePanels({ count, first, rowStart }: Supernodes, blockSize: number): Float64Array {
  const start = new Float64Array(count + 1); // may exceed 32 bits: it is checked against the memory later
  for (let s = 0; s < count; s++) {
    const columns = (first[s + 1] - first[s]) * blockSize;
    const rows = columns + (rowStart[s + 1] - rowStart[s]) * blockSize;
    start[s + 1] = start[s] + rows * panelStride(columns);
  }
  return start;
}
