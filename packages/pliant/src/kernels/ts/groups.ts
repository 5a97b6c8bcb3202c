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
