import { type GaugeKind, supportBetween } from './gauge.ts';

/**
 * `supportBetween` one row of `a` and several rows of `b`, one after another from 0 on: the results go to `out`. Sums
 * that do not wait for each other: three take as long as one.
 */
export function supportsBetween(
  kind: GaugeKind,
  a: Float64Array,
  i: number,
  b: Float64Array,
  rows: number,
  count: number,
  out: Float64Array,
  to: number,
): void {
  if (kind !== 'ball' || rows === 1) {
    for (let k = 0; k < rows; k++) out[to + k] = supportBetween(kind, a, i, b, k * count, count);
    return;
  }
  let first = 0,
    second = 0,
    third = 0;
  if (rows === 2) {
    for (let m = 0; m < count; m++) {
      const x = a[i + m];
      const d = x - b[m],
        e = x - b[count + m];
      first += d * d;
      second += e * e;
    }
  } else {
    for (let m = 0; m < count; m++) {
      const x = a[i + m];
      const d = x - b[m],
        e = x - b[count + m],
        f = x - b[2 * count + m];
      first += d * d;
      second += e * e;
      third += f * f;
    }
    out[to + 2] = Math.sqrt(third);
  }
  out[to] = Math.sqrt(first);
  out[to + 1] = Math.sqrt(second);
}
