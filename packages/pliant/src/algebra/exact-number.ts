/**
 * Float64 numbers as integers over one power of two: returns `values[i] · 2^s` exactly, with the
 * smallest s (the same for all) that makes every entry an integer. Values must be finite.
 */
export function toCommonIntegers(values: Float64Array): bigint[] {
  const bits = new BigUint64Array(values.slice().buffer);
  const lowest = bits.reduce((least, b) => Math.min(least, exponentField(b)), MAX_EXPONENT_FIELD);
  const integers = Array.from(bits, (b) => significand(b) << BigInt(exponentField(b) - lowest));
  const spare = commonTrailingZeros(integers);
  return integers.map((n) => n >> spare);
}

const MAX_EXPONENT_FIELD = 2046;
const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;
const EXPONENT_MASK = 2047n;

/** The biased exponent; a subnormal has the unit of the smallest normal numbers. */
function exponentField(bits: bigint): number {
  return Math.max(1, Number((bits >> FRACTION_BITS) & EXPONENT_MASK));
}

function significand(bits: bigint): bigint {
  const isNormal = ((bits >> FRACTION_BITS) & EXPONENT_MASK) !== 0n;
  const magnitude = (bits & FRACTION_MASK) | (isNormal ? 1n << FRACTION_BITS : 0n);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

function commonTrailingZeros(integers: readonly bigint[]): bigint {
  const all = integers.reduce((union, n) => union | n, 0n);
  if (all === 0n) return 0n;
  const lowestBit = all & -all;
  return BigInt(lowestBit.toString(2).length - 1);
}
