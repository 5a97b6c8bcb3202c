// biome-ignore-all format: a number and its error term stay on one line

/*
 * A double-double is an unevaluated sum of two float64, in two consecutive places of an array: about 106
 * bits. Every function reads and writes (array, offset) and calls nothing, because V8 would allocate each
 * float64 that passes through a call it does not inline. With u = 2⁻⁵³ and no overflow, the results are
 *
 *     setDifferencePair    exact
 *     setSumPair           within 3u² (|x| + |y|)
 *     setProductPair       within 8u² |x y|            plus 2⁻¹⁰⁷⁰ when a product is that small
 *     setLerpPair          within 8u² max(|x|, |y|)    plus the same
 *
 * where the bounds leave more than the third-order terms that were dropped.
 */

/** P[o] = A[a] - B[b] for two float64. Exact: Knuth's two-sum. */
export function setDifferencePair(
  P: Float64Array, o: number, A: Float64Array, a: number, B: Float64Array, b: number,
): void {
  const x = A[a], y = B[b];
  const high = x - y, back = high - x;
  P[o] = high;
  P[o + 1] = x - (high - back) - (y + back);
}

/** P[o] = P[a] + sign · P[b], sign 1 or -1. */
export function setSumPair(P: Float64Array, o: number, a: number, b: number, sign: number): void {
  const x = P[a], y = sign * P[b];
  const high = x + y, back = high - x;
  const error = x - (high - back) + (y - back);
  const low = error + (P[a + 1] + sign * P[b + 1]);
  const sum = high + low, lowBack = sum - high; // two-sum again: after cancellation low may exceed high
  P[o] = sum;
  P[o + 1] = high - (sum - lowBack) + (low - lowBack);
}

/** P[o] = P[a] · P[b]: Dekker's product with Veltkamp's split. */
export function setProductPair(P: Float64Array, o: number, a: number, b: number): void {
  const x = P[a], y = P[b];
  const xScaled = SPLITTER * x, xHigh = xScaled - (xScaled - x), xLow = x - xHigh;
  const yScaled = SPLITTER * y, yHigh = yScaled - (yScaled - y), yLow = y - yHigh;
  const high = x * y;
  const error = xLow * yLow - (high - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
  const low = error + (x * P[b + 1] + P[a + 1] * y);
  const sum = high + low;
  P[o] = sum;
  P[o + 1] = low - (sum - high); // exact, as |low| is far below |high|
}

/** P[o] = P[a] · (1 - t) + P[b] · t for t = at[0], where 1 - t must be exact. */
export function setLerpPair(P: Float64Array, o: number, a: number, b: number, at: Float64Array): void {
  const t = at[0], s = 1 - t;
  const tScaled = SPLITTER * t, tHigh = tScaled - (tScaled - t), tLow = t - tHigh;
  const sScaled = SPLITTER * s, sHigh = sScaled - (sScaled - s), sLow = s - sHigh;
  const p = P[a], pScaled = SPLITTER * p, pHigh = pScaled - (pScaled - p), pLow = p - pHigh;
  const q = P[b], qScaled = SPLITTER * q, qHigh = qScaled - (qScaled - q), qLow = q - qHigh;
  const x = p * s, xError = pLow * sLow - (x - pHigh * sHigh - pLow * sHigh - pHigh * sLow);
  const y = q * t, yError = qLow * tLow - (y - qHigh * tHigh - qLow * tHigh - qHigh * tLow);
  const high = x + y, back = high - x;
  const error = x - (high - back) + (y - back);
  const low = error + (xError + P[a + 1] * s + (yError + P[b + 1] * t));
  const sum = high + low, lowBack = sum - high;
  P[o] = sum;
  P[o + 1] = high - (sum - lowBack) + (low - lowBack);
}

const SPLITTER = 134217729; // 2²⁷ + 1
