/** What kernels that fit rotations want: a matrix with its vectors, then 128 matrices of ten numbers. */
export const SCRATCH_BYTES = 256 + 80 * 128;
/** Numbers of a rotation or matrix in kernel memory, see kernels/arap.ts. */
export const MATRIX_NUMBERS = 10;
export const MATRIX_BYTES = 80;

/** Makes so many rotations in kernel memory, from an address on, 1. */
export function resetRotations(f64: Float64Array, address: number, count: number): void {
  const first = address >>> 3;
  for (let o = first; o < first + MATRIX_NUMBERS * count; o += MATRIX_NUMBERS) {
    f64.fill(0, o, o + MATRIX_NUMBERS);
    f64[o] = f64[o + 3] = f64[o + 8] = 1;
  }
}
