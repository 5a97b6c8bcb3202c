/** How many pairs i ≤ j, triples i ≤ j ≤ k and quadruples there are below n. */
export const pairCount = (n: number): number => (n * (n + 1)) / 2;
export const tripleCount = (n: number): number => (n * (n + 1) * (n + 2)) / 6;
export const quadrupleCount = (n: number): number => (n * (n + 1) * (n + 2) * (n + 3)) / 24;

/** Where a pair, triple or quadruple is stored, counted so that the largest index changes slowest: i ≤ j ≤ k ≤ l. */
export const pairIndex = (i: number, j: number): number => i + pairCount(j);
export const tripleIndex = (i: number, j: number, k: number): number => pairIndex(i, j) + tripleCount(k);
export const quadrupleIndex = (i: number, j: number, k: number, l: number): number =>
  tripleIndex(i, j, k) + quadrupleCount(l);

/** The same for indices in any order. */
export function anyPair(i: number, j: number): number {
  return i < j ? pairIndex(i, j) : pairIndex(j, i);
}

export function anyTriple(i: number, j: number, k: number): number {
  const high = Math.max(i, j, k),
    low = Math.min(i, j, k);
  return tripleIndex(low, i + j + k - high - low, high);
}

/** `i ≤ j` and `k ≤ l`: two sorted pairs are merged. */
export function pairOfPairs(i: number, j: number, k: number, l: number): number {
  const low = Math.min(i, k),
    high = Math.max(j, l);
  const a = Math.max(i, k),
    b = Math.min(j, l);
  return a < b ? quadrupleIndex(low, a, b, high) : quadrupleIndex(low, b, a, high);
}
