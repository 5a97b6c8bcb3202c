// See kernels/narrow.ts. On its own, since the kernels in WebAssembly are told it, too.
export const BOUND = 1e-15;
export const UNDERFLOW = 1e-290;

/**
 * The bound of `side` for points whose coordinates differ by no more than x, y and z: rounding is monotone, so that of
 * any of them is no greater.
 */
export function boundOfSides(x: number, y: number, z: number): number {
  const m = (a: number, b: number) => a * b + a * b;
  return (x * m(y, z) + y * m(z, x) + z * m(x, y)) * BOUND + (x + y + z + 1) * UNDERFLOW;
}
