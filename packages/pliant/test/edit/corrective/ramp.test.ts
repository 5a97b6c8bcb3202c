import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rampKeys } from '../../../src/edit/corrective/ramp.ts';

describe('keys of the weight', () => {
  const weightAt = ({ times, weights }: ReturnType<typeof rampKeys>, time: number) => {
    const k = times.findLastIndex((key) => key <= time);
    if (k < 0) return weights[0];
    if (k === times.length - 1) return weights[k];
    const share = (time - times[k]) / (times[k + 1] - times[k]);
    return weights[k] * (1 - share) + weights[k + 1] * share;
  };

  test('are 1 at the time, 0 beyond the ramp, ascend, and end with the clip', () => {
    fc.assert(
      fc.property(
        fc.float({ min: Math.fround(0.01), max: 100, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.001, max: 2, noNaN: true }),
        (last, share, ramp) => {
          const time = Math.min(last, share * last);
          const keys = rampKeys(time, ramp, last);
          expect(weightAt(keys, time)).toBeCloseTo(1, 12);
          for (let k = 1; k < keys.times.length; k++)
            expect(keys.times[k]).toBeGreaterThan(keys.times[k - 1]);
          expect(keys.times[0]).toBeGreaterThanOrEqual(0);
          expect(keys.times.at(-1)).toBeLessThanOrEqual(last);
          for (const at of [time - 1.001 * ramp - 1e-4, time + 1.001 * ramp + 1e-4]) {
            if (at >= 0 && at <= last) expect(weightAt(keys, at)).toBe(0);
          }
        },
      ),
    );
  });

  test('of a clip of one moment are one', () => {
    expect(rampKeys(0, 0.1, 0)).toEqual({ times: Float32Array.of(0), weights: Float32Array.of(1) });
  });
});
