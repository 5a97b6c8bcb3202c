import type { SplitInput } from './build-tree.ts';

/**
 * By centroid along the longest side of the centroids' box, as many triangles to the first child as a heap has there:
 * half of them, but for one node per level.
 *
 * The tree is then a heap: only the last two levels have leaves, and on the last but one all inner nodes come before
 * all leaves. With exact halves they alternate, and the branch on "is it a leaf?" costs a third of the traversal.
 */
export function splitAtMedian(input: SplitInput, first: number, count: number): number {
  const axis = longestAxis(input, first, count);
  const left = heapLeft(count);
  selectNth(input.order, input.centroids, axis, first, first + count - 1, first + left);
  return left;
}

/** Leaves under the first child of a heap with `count` leaves: a power of two there, or in the second child. */
export function heapLeft(count: number): number {
  const full = 2 ** (31 - Math.clz32(count)); // the largest power of two that is not above count
  return full === count ? count / 2 : Math.min(full, count - full / 2);
}

/** Of the box of the centroids. */
export function longestAxis({ order, centroids }: SplitInput, first: number, count: number): number {
  let lx = Infinity,
    ly = Infinity,
    lz = Infinity;
  let hx = -Infinity,
    hy = -Infinity,
    hz = -Infinity;
  for (let s = first; s < first + count; s++) {
    const c = 3 * order[s];
    const x = centroids[c],
      y = centroids[c + 1],
      z = centroids[c + 2];
    if (x < lx) lx = x;
    if (x > hx) hx = x;
    if (y < ly) ly = y;
    if (y > hy) hy = y;
    if (z < lz) lz = z;
    if (z > hz) hz = z;
  }
  const dx = hx - lx,
    dy = hy - ly,
    dz = hz - lz;
  if (dx >= dy && dx >= dz) return 0;
  return dy >= dz ? 1 : 2;
}

/** Two or three times all elements is usual. Orders exist for which a median of three is bad every time. */
const MOST_PASSES = 12;

/**
 * Permutes order[low … high] so that the element at `nth` is the one a sort would put there, with smaller ones
 * before and larger ones behind it. Ties go by triangle id, so the result depends on nothing else. Quickselect, which gives way
 * to a sort where it makes no progress.
 */
function selectNth(
  order: Uint32Array,
  centroids: Float64Array,
  axis: number,
  low: number,
  high: number,
  nth: number,
): void {
  let work = MOST_PASSES * (high - low + 1);
  while (low < high) {
    work -= high - low + 1;
    if (work < 0) {
      order
        .subarray(low, high + 1)
        .sort((s, t) => (isBefore(centroids, axis, s, t, centroids[3 * t + axis]) ? -1 : 1));
      return;
    }
    const pivot = medianOfThree(order, centroids, axis, low, (low + high) >>> 1, high);
    const key = centroids[3 * pivot + axis];
    let i = low,
      j = high;
    while (i <= j) {
      while (isBefore(centroids, axis, order[i], pivot, key)) i++;
      while (isAfter(centroids, axis, order[j], pivot, key)) j--;
      if (i > j) break;
      const t = order[i];
      order[i++] = order[j];
      order[j--] = t;
    }
    if (nth <= j) high = j;
    else if (nth >= i) low = i;
    else return;
  }
}

function isBefore(centroids: Float64Array, axis: number, t: number, pivot: number, key: number): boolean {
  const k = centroids[3 * t + axis];
  return k < key || (k === key && t < pivot);
}

function isAfter(centroids: Float64Array, axis: number, t: number, pivot: number, key: number): boolean {
  const k = centroids[3 * t + axis];
  return k > key || (k === key && t > pivot);
}

function medianOfThree(
  order: Uint32Array,
  centroids: Float64Array,
  axis: number,
  i: number,
  j: number,
  k: number,
): number {
  const a = order[i],
    b = order[j],
    c = order[k];
  const less = (s: number, t: number) => isBefore(centroids, axis, s, t, centroids[3 * t + axis]);
  if (less(a, b)) return less(b, c) ? b : less(a, c) ? c : a;
  return less(a, c) ? a : less(b, c) ? c : b;
}
