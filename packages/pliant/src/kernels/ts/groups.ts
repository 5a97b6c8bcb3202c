import type { KernelMemory } from '../memory.ts';

/** See kernels/groups.ts. Addresses are in units of the views they are used with; `rows` of −1 stands for all. */

export function gatherGroup(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  rows: number,
  rowCount: number,
  weights: number,
  columns: number,
  v: number,
  stride: number,
  p: number,
  isAdding: number,
): void {
  const end = columns & ~1;
  for (let i = 0, w = weights; i < rowCount; i++, w += columns) {
    const o = p + 3 * (rows < 0 ? i : u32[rows + i]);
    for (let axis = 0; axis < 3; axis++) {
      const x = v + axis * stride;
      let even = 0,
        odd = 0;
      for (let k = 0; k < end; k += 2) {
        even += f32[w + k] * f64[x + k];
        odd += f32[w + k + 1] * f64[x + k + 1];
      }
      if (end < columns) even += f32[w + end] * f64[x + end];
      f64[o + axis] = isAdding ? f64[o + axis] + (even + odd) : even + odd;
    }
  }
}

export function projectGroup(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  rows: number,
  rowCount: number,
  weights: number,
  columns: number,
  b: number,
  out: number,
  stride: number,
): void {
  for (let i = 0, w = weights; i < rowCount; i++, w += columns) {
    const o = b + 3 * (rows < 0 ? i : u32[rows + i]);
    for (let axis = 0; axis < 3; axis++) {
      const x = out + axis * stride,
        f = f64[o + axis];
      for (let k = 0; k < columns; k++) f64[x + k] += f32[w + k] * f;
    }
  }
}

/** `place` of −1: every vertex has the row of its number. */
export function coupleGroups(
  { i32, u32, f32, f64 }: KernelMemory,
  start: number,
  column: number,
  value: number,
  rows: number,
  from: number,
  to: number,
  weights: number,
  columns: number,
  place: number,
  other: number,
  width: number,
  out: number,
): void {
  for (let i = from, w = weights + from * columns; i < to; i++, w += columns) {
    const v = rows < 0 ? i : u32[rows + i];
    const begin = u32[start + v],
      end = u32[start + v + 1];
    // Four columns of a row of L X at a time, then one by one.
    for (let c = 0; c < width; c += c + 3 < width ? 4 : 1) {
      const isFour = c + 3 < width;
      let p0 = 0,
        p1 = 0,
        p2 = 0,
        p3 = 0;
      for (let e = begin; e < end; e++) {
        const at = place < 0 ? u32[column + e] : i32[place + u32[column + e]];
        if (at < 0) continue;
        const l = f64[value + e],
          x = other + at * width + c;
        p0 += l * f32[x];
        if (!isFour) continue;
        p1 += l * f32[x + 1];
        p2 += l * f32[x + 2];
        p3 += l * f32[x + 3];
      }
      if (p0 === 0 && p1 === 0 && p2 === 0 && p3 === 0) continue;
      for (let r = 0, o = out + c; r < columns; r++, o += width) {
        const f = f32[w + r];
        f64[o] += f * p0;
        if (!isFour) continue;
        f64[o + 1] += f * p1;
        f64[o + 2] += f * p2;
        f64[o + 3] += f * p3;
      }
    }
  }
}
