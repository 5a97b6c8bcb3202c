import { checkNumbers, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { countWork, walkTree } from './elimination-tree.ts';
import type { FactorOptions } from './factor-options.ts';
import type { Graph } from './graph.ts';
import { orderByMinimumDegree } from './minimum-degree.ts';
import { orderByNestedDissection } from './nested-dissection.ts';
import { inversePermutation } from './symmetric-matrix.ts';

/** From this many unknowns on nested dissection usually causes less work than minimum degree. */
const DISSECTION_PAYS = 15_000;

/** `order[k]` is the node to be eliminated as the k-th. */
export function orderGraph(
  graph: Graph,
  blockSize: number,
  { ordering = 'auto', points }: Pick<FactorOptions, 'ordering' | 'points'>,
): Int32Array {
  if (points !== undefined) checkNumbers('points', points, 3 * graph.size);
  if (ordering instanceof Int32Array) {
    inversePermutation(ordering, graph.size); // checks it
    return ordering;
  }
  switch (ordering) {
    case 'auto':
      if (graph.size * blockSize < DISSECTION_PAYS) return orderByMinimumDegree(graph);
      return cheaper(graph, orderByNestedDissection(graph, points), orderByMinimumDegree(graph));
    case 'minimum-degree':
      return orderByMinimumDegree(graph);
    case 'nested-dissection':
      return orderByNestedDissection(graph, points);
    case 'natural':
      return Int32Array.from({ length: graph.size }, (_, i) => i);
  }
  throw new InputError(
    'bad-option',
    `ordering must be auto, minimum-degree, nested-dissection, natural or an Int32Array, not ${
      typeof ordering === 'string' ? ordering : describe(ordering)
    }`,
  );
}

/** On long thin bodies minimum degree wins after all. Counting takes a fraction of either. */
function cheaper(graph: Graph, a: Int32Array, b: Int32Array): Int32Array {
  const work = (order: Int32Array) => countWork(walkTree(graph, order).counts, 1).flops;
  return work(a) <= work(b) ? a : b;
}
