import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { splitAtMedian } from '../../src/tree/median-split.ts';

test('an order made against medians of three is split in n log n', () => {
  const count = 4096;
  const keys = badOrder(count);
  const { centroids, reads } = countReads(keys);
  const order = Uint32Array.from({ length: count }, (_, t) => t);
  const mesh = createTriangleMesh({ positions: [0, 0, 0], triangles: [0, 0, 0] });
  const left = splitAtMedian({ mesh, centroids, order }, 0, count);
  const keysOf = (ids: Uint32Array) => [...ids].map((t) => keys[t]);
  const most = Math.max(...keysOf(order.subarray(0, left)));
  expect(most).toBeLessThan(Math.min(...keysOf(order.subarray(left))));
  expect(reads()).toBeLessThan(8 * count * Math.log2(count)); // 3 million, were it quadratic
});

/** Centroids on the x axis that count how often they are read. */
function countReads(keys: readonly number[]): { centroids: Float64Array; reads: () => number } {
  const values = Float64Array.from({ length: 3 * keys.length }, (_, k) => (k % 3 === 0 ? keys[k / 3] : 0));
  let reads = 0;
  const centroids = new Proxy(values, {
    get: (target, key) => {
      reads++;
      return target[Number(key)];
    },
  });
  return { centroids, reads: () => reads };
}

/**
 * McIlroy's adversary (A killer adversary for quicksort, 1999): keys are made up while a quickselect with medians of three
 * compares them, so that every pivot is among the lowest.
 */
function badOrder(count: number): number[] {
  const keys: number[] = new Array(count).fill(Number.POSITIVE_INFINITY);
  let fixed = 0,
    candidate = 0;
  const isBefore = (s: number, t: number) => {
    if (keys[s] === keys[t]) keys[s === candidate ? s : t] = fixed++;
    if (keys[s] === Number.POSITIVE_INFINITY) candidate = s;
    else if (keys[t] === Number.POSITIVE_INFINITY) candidate = t;
    return keys[s] < keys[t];
  };
  const order = Array.from({ length: count }, (_, t) => t);
  const nth = count / 2;
  for (let low = 0, high = count - 1; low < high; ) {
    const [a, b, c] = [order[low], order[(low + high) >>> 1], order[high]];
    const pivot = isBefore(a, b)
      ? isBefore(b, c)
        ? b
        : isBefore(a, c)
          ? c
          : a
      : isBefore(a, c)
        ? a
        : isBefore(b, c)
          ? c
          : b;
    let i = low,
      j = high;
    while (i <= j) {
      while (order[i] !== pivot && isBefore(order[i], pivot)) i++;
      while (order[j] !== pivot && isBefore(pivot, order[j])) j--;
      if (i > j) break;
      [order[i], order[j]] = [order[j], order[i]];
      i++;
      j--;
    }
    if (nth <= j) high = j;
    else if (nth >= i) low = i;
    else break;
  }
  return keys.map((key) => (key === Number.POSITIVE_INFINITY ? fixed++ : key));
}
