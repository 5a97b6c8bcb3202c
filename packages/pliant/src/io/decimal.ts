/** 10⁰ to 10²², the powers of ten that are exact in float64. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * (high · highScale + low) / divisor, correctly rounded, or −1 when this cannot be decided here.
 * high < 10¹⁵, highScale ≤ 10⁴, low < 10⁴ and divisor ≤ 10²² are exact integers.
 */
export function divideTwice(high: number, highScale: number, low: number, divisor: number): number {
  const product = high * highScale;
  const productError = productRoundOff(high, highScale, product);
  const quotient = product / divisor;
  const back = quotient * divisor;
  // (product + productError + low) − quotient · divisor: the first difference is exact (Sterbenz)
  const rest = product - back - productRoundOff(quotient, divisor, back) + productError + low;
  const correction = rest / divisor;
  const slack = Math.abs(correction) * 2 ** -48 + quotient * 2 ** -95;
  const below = quotient + (correction - slack);
  const above = quotient + (correction + slack);
  return below === above ? below : -1;
}

/** a · b − product exactly, where product is the rounded a · b. Dekker 1971. */
function productRoundOff(a: number, b: number, product: number): number {
  const aSplit = 134217729 * a;
  const bSplit = 134217729 * b; // 2²⁷ + 1
  const aHigh = aSplit - (aSplit - a);
  const bHigh = bSplit - (bSplit - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
