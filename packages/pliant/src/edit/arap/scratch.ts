/** What kernels that fit rotations want: a matrix with its vectors, then 128 matrices of ten numbers. */
export const SCRATCH_BYTES = 256 + 80 * 128;
/** Numbers of a rotation or matrix in kernel memory, see kernels/arap.ts. */
export const MATRIX_NUMBERS = 10;
export const MATRIX_BYTES = 80;
