import type { Graph } from './graph.ts';
import { denseLimit, orderByMinimumDegree } from './minimum-degree.ts';
import { LEFT, RIGHT, SEPARATOR, Separators } from './separators.ts';

/** Pieces up to this size are ordered by minimum degree. */
const LEAF = 200;

/**
 * Cuts the graph in two by a small set of nodes, which are eliminated last, and does the same with both halves (George
 * 1973). With three coordinates per node in `points` it cuts across the axes, otherwise between levels of a search.
 */
export function orderByNestedDissection(graph: Graph, points?: Float64Array): Int32Array {
  const { size } = graph;
  const list = new Int32Array(size); // becomes the order: every piece keeps its range of it
  const piece = new Int32Array(size); // to which piece a node belongs; -1 once its place is settled
  const limit = denseLimit(size);
  let count = 0,
    end = size;
  for (let i = size - 1; i >= 0; i--) {
    if (graph.start[i + 1] - graph.start[i] <= limit) continue;
    list[--end] = i; // nearly everybody's neighbour: last
    piece[i] = -1;
  }
  for (let i = 0; i < size; i++) if (piece[i] === 0) list[count++] = i;

  const separators = new Separators(graph, piece, points);
  const stack = [{ from: 0, to: count, isConnected: false }];
  let pieces = 1;
  while (stack.length > 0) {
    const { from, to, isConnected } = stack.pop()!;
    const nodes = list.subarray(from, to);
    if (nodes.length <= LEAF) orderPiece(graph, nodes, piece);
    else if (!isConnected) {
      let begin = 0;
      for (const end of separators.groupComponents(nodes, LEAF)) {
        for (let k = begin; k < end; k++) piece[nodes[k]] = pieces;
        stack.push({ from: from + begin, to: from + end, isConnected: true });
        pieces++;
        begin = end;
      }
    } else if (separators.find(nodes)) {
      const [left, right] = partition(nodes, separators.side);
      for (let k = 0; k < left; k++) piece[nodes[k]] = pieces;
      for (let k = left; k < left + right; k++) piece[nodes[k]] = pieces + 1;
      for (let k = left + right; k < nodes.length; k++) piece[nodes[k]] = -1;
      pieces += 2;
      stack.push({ from, to: from + left, isConnected: false });
      stack.push({ from: from + left, to: from + left + right, isConnected: false });
    } else orderPiece(graph, nodes, piece); // no separator is worth its nodes
  }
  return list;
}

/** Left, right, separator, each in the order in which they stood. Returns the first two counts. */
function partition(nodes: Int32Array, side: Uint8Array): [left: number, right: number] {
  const old = nodes.slice();
  let write = 0;
  const take = (wanted: number) => {
    for (let k = 0; k < old.length; k++) if (side[old[k]] === wanted) nodes[write++] = old[k];
    return write;
  };
  const left = take(LEFT);
  const right = take(RIGHT) - left;
  take(SEPARATOR);
  return [left, right];
}

/** Orders the nodes of one piece among themselves by minimum degree. */
function orderPiece(graph: Graph, nodes: Int32Array, piece: Int32Array): void {
  if (nodes.length < 2) return;
  const own = piece[nodes[0]];
  const old = nodes.slice().sort();
  const local = new Map<number, number>();
  for (let k = 0; k < old.length; k++) local.set(old[k], k);
  const start = new Int32Array(old.length + 1);
  const neighbour: number[] = [];
  for (let k = 0; k < old.length; k++) {
    for (let p = graph.start[old[k]]; p < graph.start[old[k] + 1]; p++) {
      if (piece[graph.neighbour[p]] === own) neighbour.push(local.get(graph.neighbour[p])!);
    }
    start[k + 1] = neighbour.length;
  }
  const order = orderByMinimumDegree({ size: old.length, start, neighbour: Int32Array.from(neighbour) });
  for (let k = 0; k < order.length; k++) nodes[k] = old[order[k]];
}
