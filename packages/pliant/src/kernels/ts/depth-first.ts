import { SLOT } from '../kernels.ts';

export function refitBoxes(
  i32: Int32Array,
  f64: Float64Array,
  nodeCount: number,
  link: number,
  corners: number,
  points: number,
  boxes: number,
  grow: number,
): void {
  for (let node = nodeCount - 1; node >= 0; node--) {
    const l = i32[link + node];
    const o = boxes + 6 * node;
    if (l < 0) {
      const c = corners + 3 * (l & SLOT);
      const p = points + 3 * i32[c],
        q = points + 3 * i32[c + 1],
        r = points + 3 * i32[c + 2];
      for (let k = 0; k < 3; k++) {
        let lo = least(least(f64[p + k], f64[q + k]), f64[r + k]);
        let hi = most(most(f64[p + k], f64[q + k]), f64[r + k]);
        if (grow !== 0) {
          lo = least(lo, f64[o + k]);
          hi = most(hi, f64[o + 3 + k]);
        }
        f64[o + k] = lo;
        f64[o + 3 + k] = hi;
      }
    } else {
      const c = boxes + 6 * l;
      f64[o] = least(f64[c], f64[c + 6]);
      f64[o + 1] = least(f64[c + 1], f64[c + 7]);
      f64[o + 2] = least(f64[c + 2], f64[c + 8]);
      f64[o + 3] = most(f64[c + 3], f64[c + 9]);
      f64[o + 4] = most(f64[c + 4], f64[c + 10]);
      f64[o + 5] = most(f64[c + 5], f64[c + 11]);
    }
  }
}

/** The first of two equal ones, as in the wasm twin: 0 and −0 are equal. */
function least(a: number, b: number): number {
  return b < a ? b : a;
}

function most(a: number, b: number): number {
  return a < b ? b : a;
}

function apart(f64: Float64Array, a: number, b: number): boolean {
  return (
    f64[a] > f64[b + 3] ||
    f64[b] > f64[a + 3] ||
    f64[a + 1] > f64[b + 4] ||
    f64[b + 1] > f64[a + 4] ||
    f64[a + 2] > f64[b + 5] ||
    f64[b + 2] > f64[a + 5]
  );
}

export function descend(
  i32: Int32Array,
  f64: Float64Array,
  stack: number,
  depth: number,
  linkA: number,
  boxesA: number,
  linkB: number,
  boxesB: number,
  leaves: number,
  room: number,
  steps: number,
  self: number,
  counts: number,
): void {
  let top = stack + 2 * depth,
    l = leaves,
    left = steps;
  const full = leaves + 2 * room;
  while (top > stack && l < full && left > 0) {
    top -= 2;
    left--;
    const a = i32[top],
      b = i32[top + 1];
    const la = i32[linkA + a],
      lb = i32[linkB + b];
    if (self !== 0 && a === b) {
      if (la < 0) continue;
      i32[top] = la;
      i32[top + 1] = la + 1;
      i32[top + 2] = i32[top + 3] = la + 1;
      i32[top + 4] = i32[top + 5] = la;
      top += 6;
      continue;
    }
    if (apart(f64, boxesA + 6 * a, boxesB + 6 * b)) continue;
    if (la < 0 && lb < 0) {
      i32[l] = a;
      i32[l + 1] = b;
      l += 2;
      continue;
    }
    const a0 = la < 0 ? a : la,
      a1 = la < 0 ? a : la + 1;
    const b0 = lb < 0 ? b : lb,
      b1 = lb < 0 ? b : lb + 1;
    for (let c = a1; c >= a0; c--) {
      for (let d = b1; d >= b0; d--) {
        i32[top] = c;
        i32[top + 1] = d;
        top += 2;
      }
    }
  }
  i32[counts] = (top - stack) >>> 1;
  i32[counts + 1] = (l - leaves) >>> 1;
  i32[counts + 2] = steps - left;
}
