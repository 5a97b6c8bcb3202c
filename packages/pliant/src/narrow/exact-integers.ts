import { InputError } from '../mesh/input-error.ts';

/*
 * Float64 numbers as integers over one common power of two, for the exact fallbacks: a number x
 * becomes the integer x · 2^bits. Allocates; only reached when filters and expansions cannot decide.
 */

/** A number of fraction bits, a multiple of 64, that makes x · 2^bits an integer. */
export function fractionBits(x: number): number {
  if (!Number.isFinite(x)) throw new InputError('not-finite', `a coordinate is ${x}`);
  let bits = 0;
  while (!Number.isInteger(x)) {
    x *= STEP; // exact: a non-integer is below 2⁵², so this cannot overflow
    bits += STEP_BITS;
  }
  return bits;
}

/** The largest `fractionBits` of the three coordinates at `p`. */
export function pointFractionBits(P: Float64Array, p: number): number {
  return Math.max(fractionBits(P[p]), fractionBits(P[p + 1]), fractionBits(P[p + 2]));
}

/** x · 2^bits as an integer; `bits` is at least `fractionBits(x)`. */
export function toInteger(x: number, bits: number): bigint {
  let taken = 0;
  while (!Number.isInteger(x)) {
    x *= STEP;
    taken += STEP_BITS;
  }
  return BigInt(x) << BigInt(bits - taken);
}

/** The float64 nearest to numerator / denominator, up to one rounding more; denominator > 0. */
export function ratioToNumber(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const negative = numerator < 0n;
  const n = negative ? -numerator : numerator;
  const shift = bitLength(denominator) - bitLength(n) + QUOTIENT_BITS;
  const quotient = shift >= 0 ? (n << BigInt(shift)) / denominator : n / (denominator << BigInt(-shift));
  const value = timesPowerOfTwo(Number(quotient), -shift);
  return negative ? -value : value;
}

/** √(numerator / denominator), also where the ratio itself would underflow or overflow. */
export function sqrtRatioToNumber(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  let shift = bitLength(denominator) - bitLength(numerator) + QUOTIENT_BITS;
  shift += shift & 1;
  const quotient =
    shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift));
  return timesPowerOfTwo(Math.sqrt(Number(quotient)), -shift / 2);
}

const STEP_BITS = 64;
const STEP = 2 ** STEP_BITS;
const QUOTIENT_BITS = 120; // more than the 53 that are kept, few enough for Number()

function bitLength(n: bigint): number {
  return 4 * n.toString(16).length; // within 3 bits, which is all that the callers need
}

/** x · 2^exponent for x in [2⁵⁰, 2¹²⁸], rounded once; in two steps, as 2^exponent may be out of range. */
function timesPowerOfTwo(x: number, exponent: number): number {
  if (exponent < -800) return x * 2 ** -800 * 2 ** (exponent + 800);
  if (exponent > 800) return x * 2 ** 800 * 2 ** (exponent - 800);
  return x * 2 ** exponent;
}
