import { CELLS, SLOT } from '../kernels.ts';

// A box is read as four words of two 15-bit fields each; a field never carries into its neighbour.
export const LEAF_FLAG = 0x400000;
const SIGNS = 0x80008000 | 0;

export function pointBounds(f64: Float64Array, points: number, count: number, out: number): void {
  let lx = Infinity,
    ly = Infinity,
    lz = Infinity;
  let hx = -Infinity,
    hy = -Infinity,
    hz = -Infinity;
  for (let p = points, end = points + 3 * count; p < end; p += 3) {
    const x = f64[p],
      y = f64[p + 1],
      z = f64[p + 2];
    if (x < lx) lx = x;
    if (y < ly) ly = y;
    if (z < lz) lz = z;
    if (x > hx) hx = x;
    if (y > hy) hy = y;
    if (z > hz) hz = z;
  }
  // Adding 0 turns −0 into 0: which of the two comes first depends on how points are paired up.
  f64[out] = lx + 0;
  f64[out + 1] = ly + 0;
  f64[out + 2] = lz + 0;
  f64[out + 3] = hx + 0;
  f64[out + 4] = hy + 0;
  f64[out + 5] = hz + 0;
}

/** trunc_sat and clamp of the wasm twin; `| 0` alone would wrap. NaN becomes 0 in both. */
export function cell(x: number): number {
  return x >= CELLS ? CELLS : x > 0 ? x | 0 : 0;
}

export function quantise(
  f64: Float64Array,
  points: number,
  count: number,
  frame: number,
  i32: Int32Array,
  boxes: number,
): void {
  const ox = f64[frame],
    oy = f64[frame + 1],
    oz = f64[frame + 2];
  const sx = f64[frame + 3],
    sy = f64[frame + 4],
    sz = f64[frame + 5];
  for (let i = 0, p = points, o = boxes; i < count; i++, p += 3, o += 4) {
    const x = cell((f64[p] - ox) * sx),
      y = cell((f64[p + 1] - oy) * sy),
      z = cell((f64[p + 2] - oz) * sz);
    i32[o] = x | (y << 16);
    i32[o + 1] = z | LEAF_FLAG;
    i32[o + 2] = (CELLS - x) | ((CELLS - y) << 16);
    i32[o + 3] = (CELLS - z) | LEAF_FLAG;
  }
}

/** The smaller of the two fields of a and of b, each. */
export function minFields(a: number, b: number): number {
  const borrow = ((a | SIGNS) - b) & SIGNS; // a sign is left where a >= b
  const useB = borrow - (borrow >>> 15); // 0x7fff in those fields
  return (b & useB) | (a & ~useB & ~SIGNS);
}

export function refit(
  i32: Int32Array,
  nodeCount: number,
  link: number,
  corners: number,
  vertexBoxes: number,
  nodeBoxes: number,
): void {
  for (let node = nodeCount - 1; node >= 0; node--) {
    const l = i32[link + node];
    const o = nodeBoxes + 4 * node;
    if (l < 0) {
      const c = corners + 3 * (l & SLOT);
      const p = vertexBoxes + 4 * i32[c],
        q = vertexBoxes + 4 * i32[c + 1],
        r = vertexBoxes + 4 * i32[c + 2];
      i32[o] = minFields(minFields(i32[p], i32[q]), i32[r]);
      i32[o + 1] = minFields(minFields(i32[p + 1], i32[q + 1]), i32[r + 1]);
      i32[o + 2] = minFields(minFields(i32[p + 2], i32[q + 2]), i32[r + 2]);
      i32[o + 3] = minFields(minFields(i32[p + 3], i32[q + 3]), i32[r + 3]);
    } else {
      const c = nodeBoxes + 4 * l;
      i32[o] = minFields(i32[c], i32[c + 4]);
      i32[o + 1] = minFields(i32[c + 1], i32[c + 5]) & 0xffff;
      i32[o + 2] = minFields(i32[c + 2], i32[c + 6]);
      i32[o + 3] = minFields(i32[c + 3], i32[c + 7]) & 0xffff;
    }
  }
}
