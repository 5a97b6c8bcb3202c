import type { Graph } from './graph.ts';
import { inversePermutation } from './symmetric-matrix.ts';

/** An order in which the elimination tree is numbered from the leaves up, with the tree and the column counts of L. */
export function walkTree(graph: Graph, chosen: Int32Array) {
  const tree = eliminationTree(graph, chosen, inversePermutation(chosen, graph.size));
  const walk = postorder(tree);
  const order = walk.map((k) => chosen[k]);
  const now = inversePermutation(walk, graph.size);
  const parent = walk.map((k) => (tree[k] < 0 ? -1 : now[tree[k]]));
  const counts = columnCounts(graph, order, inversePermutation(order, graph.size), parent);
  return { order, parent, counts };
}

/** Entries of L and operations of a factorisation, from the lengths of the columns in blocks. */
export function countWork(counts: Int32Array, blockSize: number): { nonZeros: number; flops: number } {
  let nonZeros = 0,
    flops = 0;
  for (let j = 0; j < counts.length; j++) {
    for (let c = 0; c < blockSize; c++) {
      const length = counts[j] * blockSize - c;
      nonZeros += length;
      flops += length * length;
    }
  }
  return { nonZeros, flops };
}

/**
 * The elimination tree (Liu 1990): the parent of a column is the row of the first entry below its diagonal in L, or -1.
 * `order` and `place` say which node is eliminated when. Numbers in the result are places.
 */
export function eliminationTree(graph: Graph, order: Int32Array, place: Int32Array): Int32Array {
  const { size, start, neighbour } = graph;
  const parent = new Int32Array(size).fill(-1);
  const ancestor = new Int32Array(size).fill(-1); // short cuts towards the root
  for (let k = 0; k < size; k++) {
    const node = order[k];
    for (let p = start[node]; p < start[node + 1]; p++) {
      let i = place[neighbour[p]];
      while (i >= 0 && i < k) {
        const above = ancestor[i];
        ancestor[i] = k;
        if (above < 0) parent[i] = k;
        i = above;
      }
    }
  }
  return parent;
}

/** Children before parents, each subtree in one piece, children in the order of their numbers. */
export function postorder(parent: Int32Array): Int32Array {
  const size = parent.length;
  const firstChild = new Int32Array(size).fill(-1);
  const nextSibling = new Int32Array(size).fill(-1);
  for (let j = size - 1; j >= 0; j--) {
    if (parent[j] < 0) continue;
    nextSibling[j] = firstChild[parent[j]];
    firstChild[parent[j]] = j;
  }
  const result = new Int32Array(size);
  const stack = new Int32Array(size);
  let count = 0;
  for (let root = 0; root < size; root++) {
    if (parent[root] >= 0) continue;
    let depth = 0;
    stack[0] = root;
    while (depth >= 0) {
      const child = firstChild[stack[depth]];
      if (child >= 0) {
        firstChild[stack[depth]] = nextSibling[child];
        stack[++depth] = child;
      } else result[count++] = stack[depth--];
    }
  }
  return result;
}

/**
 * How many entries each column of L has, diagonal included, in nearly the time it takes to read the graph: Gilbert, Ng
 * and Peyton 1994. Column j of L begins in the rows i whose subtree (the columns of row i) has j as a leaf; a row counts
 * once for every leaf, and is taken back where two of its leaves meet. Columns must stand in postorder.
 */
export function columnCounts(
  graph: Graph,
  order: Int32Array,
  place: Int32Array,
  parent: Int32Array,
): Int32Array {
  const { size, start, neighbour } = graph;
  const first = new Int32Array(size).fill(-1); // the lowest descendant
  const count = new Int32Array(size); // differences, summed up the tree at the end
  for (let j = 0; j < size; j++) {
    if (first[j] < 0) {
      first[j] = j;
      count[j] = 1; // a leaf of the tree
    }
    const up = parent[j];
    if (up >= 0 && first[up] < 0) first[up] = first[j];
  }
  const lastLeaf = new Int32Array(size).fill(-1); // of the subtree of a row
  const farthest = new Int32Array(size).fill(-1); // first descendant of that leaf
  const set = Int32Array.from({ length: size }, (_, j) => j); // columns done, by their lowest ancestor not yet done
  for (let j = 0; j < size; j++) {
    if (parent[j] >= 0) count[parent[j]]--; // the parent's entry in column j is not inherited
    const node = order[j];
    for (let p = start[node]; p < start[node + 1]; p++) {
      const i = place[neighbour[p]];
      if (i <= j || first[j] <= farthest[i]) continue; // j is no leaf of row i
      farthest[i] = first[j];
      count[j]++;
      if (lastLeaf[i] >= 0) count[findRoot(set, lastLeaf[i])]--;
      lastLeaf[i] = j;
    }
    if (parent[j] >= 0) set[j] = parent[j];
  }
  for (let j = 0; j < size; j++) if (parent[j] >= 0) count[parent[j]] += count[j];
  return count;
}

function findRoot(set: Int32Array, j: number): number {
  let root = j;
  while (set[root] !== root) root = set[root];
  while (set[j] !== root) {
    const next = set[j];
    set[j] = root;
    j = next;
  }
  return root;
}
