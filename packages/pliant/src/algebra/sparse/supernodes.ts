import { type Graph, WIDEST } from './graph.ts';
import { inversePermutation } from './symmetric-matrix.ts';

/**
 * Neighbouring columns of L with nearly the same rows, treated as one dense panel. Everything counts nodes; the columns
 * of supernode s are `first[s]` to `first[s + 1]`, the rows below its triangle `row[rowStart[s]]` to `rowStart[s + 1]`.
 */
export interface Supernodes {
  readonly count: number;
  readonly order: Int32Array; // of the nodes, the columns of a supernode one after another
  readonly first: Int32Array; // count + 1
  readonly rowStart: Int32Array; // count + 1
  readonly row: Int32Array; // ascending
  readonly of: Int32Array; // the supernode of a column
}

/** `parent` and `counts` belong to `order`, which is a postorder of the tree. */
export function createSupernodes(
  graph: Graph,
  order: Int32Array,
  parent: Int32Array,
  counts: Int32Array,
  blockSize: number,
): Supernodes {
  const fundamental = findFundamental(parent, counts, Math.floor(WIDEST / blockSize));
  const into = mergeSmall(fundamental, blockSize);
  return numberRows(graph, arrange(order, fundamental, into));
}

/** Columns with exactly the same rows, and the tree of them. */
interface Fundamental {
  readonly first: Int32Array; // count + 1
  readonly parent: Int32Array;
  readonly width: Int32Array;
  readonly height: Int32Array; // rows of the first column, diagonal included
}

function findFundamental(parent: Int32Array, counts: Int32Array, widest: number): Fundamental {
  const size = parent.length;
  const of = new Int32Array(size);
  const firsts: number[] = [];
  for (let j = 0; j < size; j++) {
    const begin = firsts[firsts.length - 1];
    const isSame = j > 0 && parent[j - 1] === j && counts[j - 1] === counts[j] + 1 && j - begin < widest;
    if (!isSame) firsts.push(j);
    of[j] = firsts.length - 1;
  }
  const count = firsts.length;
  firsts.push(size);
  const first = Int32Array.from(firsts);
  const parents = new Int32Array(count);
  for (let s = 0; s < count; s++) {
    const above = parent[first[s + 1] - 1];
    parents[s] = above < 0 ? -1 : of[above];
  }
  return {
    first,
    parent: parents,
    width: Int32Array.from({ length: count }, (_, s) => first[s + 1] - first[s]),
    height: Int32Array.from({ length: count }, (_, s) => counts[first[s]]),
  };
}

/** How much of a panel may be zeros stored for speed, by its columns. */
function allowedZeros(columns: number): number {
  if (columns <= 12) return 0.5;
  if (columns <= 24) return 0.25;
  if (columns <= 48) return 0.12;
  return 0.05;
}

/**
 * Joins supernodes with their parents where that stores few zeros: short panels waste time. Says into which each one went
 * (its own number if it stayed). Any child may join: its columns are moved up to stand before the parent's.
 */
function mergeSmall({ parent, width, height }: Fundamental, blockSize: number): Int32Array {
  const count = parent.length;
  const into = Int32Array.from({ length: count }, (_, s) => s);
  const w = width.slice(),
    h = height.slice();
  const zeros = new Float64Array(count);
  const children = childLists(parent);
  const candidates: number[] = [];
  for (let s = 0; s < count; s++) {
    candidates.length = 0;
    for (let c = children.first[s]; c >= 0; c = children.next[c]) candidates.push(c);
    const added = (c: number) => w[c] * (w[c] + h[s] - h[c]);
    candidates.sort((a, b) => added(a) - added(b) || a - b);
    for (const c of candidates) {
      const columns = w[c] + w[s];
      if (columns * blockSize > WIDEST) continue;
      const rows = w[c] + h[s];
      const entries = columns * rows - (columns * (columns - 1)) / 2;
      const stored = zeros[c] + zeros[s] + added(c);
      if (stored > allowedZeros(columns * blockSize) * entries) continue;
      into[c] = s;
      w[s] = columns;
      h[s] = rows;
      zeros[s] = stored;
    }
  }
  for (let s = count - 1; s >= 0; s--) into[s] = into[into[s]]; // parents have larger numbers
  return into;
}

function childLists(parent: Int32Array): { first: Int32Array; next: Int32Array } {
  const first = new Int32Array(parent.length).fill(-1);
  const next = new Int32Array(parent.length).fill(-1);
  for (let s = parent.length - 1; s >= 0; s--) {
    if (parent[s] < 0) continue;
    next[s] = first[parent[s]];
    first[parent[s]] = s;
  }
  return { first, next };
}

/** The order in which the columns of each merged supernode stand together and follow all they depend on. */
function arrange(order: Int32Array, { first, parent }: Fundamental, into: Int32Array) {
  const count = parent.length;
  const members = childLists(into.map((target, s) => (target === s ? -1 : target)));
  const above = new Int32Array(count).fill(-1); // tree of those that stayed
  for (let s = 0; s < count; s++) {
    if (into[s] === s && parent[s] >= 0) above[s] = into[parent[s]];
  }
  const tree = childLists(above);
  const newOrder = new Int32Array(order.length);
  const starts: number[] = [];
  let at = 0;
  const emit = (s: number) => {
    for (let j = first[s]; j < first[s + 1]; j++) newOrder[at++] = order[j];
  };
  const stack: number[] = [];
  for (let root = 0; root < count; root++) {
    if (into[root] !== root || above[root] >= 0) continue;
    stack.push(root);
    while (stack.length > 0) {
      const s = stack[stack.length - 1];
      const child = tree.first[s];
      if (child >= 0) {
        tree.first[s] = tree.next[child];
        stack.push(child);
        continue;
      }
      stack.pop();
      starts.push(at);
      for (let m = members.first[s]; m >= 0; m = members.next[m]) emit(m);
      emit(s);
    }
  }
  starts.push(at);
  return { order: newOrder, first: Int32Array.from(starts) };
}

/** The rows below each panel: those of A in its columns, and those of its children. */
function numberRows(graph: Graph, { order, first }: { order: Int32Array; first: Int32Array }): Supernodes {
  const count = first.length - 1,
    size = order.length;
  const place = inversePermutation(order, size);
  const of = new Int32Array(size);
  for (let s = 0; s < count; s++) of.fill(s, first[s], first[s + 1]);
  const firstChild = new Int32Array(count).fill(-1),
    nextChild = new Int32Array(count).fill(-1);
  const mark = new Int32Array(size).fill(-1);
  const rowStart = new Int32Array(count + 1);
  let row = new Int32Array(4 * size + 16);
  for (let s = 0; s < count; s++) {
    const begin = rowStart[s],
      last = first[s + 1];
    let end = begin;
    if (begin + size - last > row.length) row = enlarge(row, size - last);
    for (let j = first[s]; j < last; j++) {
      const node = order[j];
      for (let p = graph.start[node]; p < graph.start[node + 1]; p++) {
        const i = place[graph.neighbour[p]];
        if (i < last || mark[i] === s) continue;
        mark[i] = s;
        row[end++] = i;
      }
    }
    for (let c = firstChild[s]; c >= 0; c = nextChild[c]) {
      for (let p = rowStart[c]; p < rowStart[c + 1]; p++) {
        const i = row[p];
        if (i < last || mark[i] === s) continue;
        mark[i] = s;
        row[end++] = i;
      }
    }
    row.subarray(begin, end).sort();
    rowStart[s + 1] = end;
    if (end > begin) {
      const above = of[row[begin]];
      nextChild[s] = firstChild[above];
      firstChild[above] = s;
    }
  }
  return { count, order, first, rowStart, row: row.slice(0, rowStart[count]), of };
}

function enlarge(row: Int32Array, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * row.length + needed);
  larger.set(row);
  return larger;
}
