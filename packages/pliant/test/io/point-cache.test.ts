import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMdd, readPc2, writePc2 } from '../../src/io/point-cache.ts';
import { readPointCache } from '../../src/io/read-mesh.ts';
import type { InputErrorCode } from '../../src/mesh/input-error.ts';
import { expectInputError } from './expect-input-error.ts';
import { mddSample } from './sample-files.ts';

test('what is written as PC2 is read back as float32', () => {
  const number = fc.float({ noNaN: true, noDefaultInfinity: true });
  const frames = fc.integer({ min: 1, max: 8 }).chain((points) =>
    fc.array(fc.array(number, { minLength: 3 * points, maxLength: 3 * points }), {
      minLength: 1,
      maxLength: 5,
    }),
  );
  fc.assert(
    fc.property(frames, (lists) => {
      const cache = readPc2(
        writePc2(
          lists.map((list) => Float64Array.from(list)),
          10,
          0.5,
        ),
        'a.pc2',
      );
      expect(cache.pointCount).toBe(lists[0].length / 3);
      expect(cache.frameCount).toBe(lists.length);
      expect([...cache.times]).toEqual(lists.map((_, k) => 10 + 0.5 * k));
      expect(cache).toMatchObject({ startTime: 10, frameRate: 2, timeUnit: 'frames' });
      const out = new Float64Array(lists[0].length);
      lists.forEach((list, k) => {
        expect([...cache.frame(k, out)]).toEqual(list);
      });
    }),
  );
});

test('MDD is big endian, with a time for each frame', () => {
  const cache = readMdd(mddSample(), 'a.mdd');
  expect(cache).toMatchObject({
    pointCount: 2,
    frameCount: 3,
    timeUnit: 'seconds',
    startTime: 0,
    frameRate: 2,
  });
  expect([...cache.times]).toEqual([0, 0.5, 1]);
  expect([...cache.frame(2, new Float64Array(6))]).toEqual([2, 1, 2, 3, 4, 5.5]);
});

test('readPointCache chooses by extension', async () => {
  expect((await readPointCache(mddSample(), 'A.MDD')).frameCount).toBe(3);
  expect((await readPointCache(writePc2([new Float64Array(3)]), 'a.pc2')).frameCount).toBe(1);
});

const sample = writePc2([Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)]);
const changed = (at: number, ...values: number[]) => {
  const bytes = sample.slice();
  bytes.set(values, at);
  return bytes;
};

test.each([
  ['no signature', changed(0, 88), 'syntax', 'a.pc2: byte 0: no POINTCACHE2 signature'],
  ['another version', changed(12, 2), 'unsupported', 'a.pc2: byte 12: version 2'],
  ['no points', changed(16, 0), 'syntax', 'a.pc2: byte 0: 2 frames of 0 points'],
  [
    'absurd points',
    changed(16, 255, 255, 255, 127),
    'truncated',
    'a.pc2: byte 32: frames: 2, but only 24 bytes follow',
  ],
  [
    'a frame too few',
    sample.slice(0, -1),
    'truncated',
    'a.pc2: byte 32: frames: 2, but only 23 bytes follow',
  ],
  ['half a header', sample.slice(0, 20), 'truncated', 'a.pc2: byte 0: the header needs 32 bytes'],
] as const)('%s is refused', (_, bytes, code, said) => {
  expectInputError(() => readPc2(bytes, 'a.pc2'), code, said);
});

test('a frame is checked when it is asked for', () => {
  const cache = readPc2(changed(32 + 12 + 4, 0, 0, 192, 127), 'a.pc2');
  expect([...cache.frame(0, new Float64Array(3))]).toEqual([1, 2, 3]);
  expectInputError(
    () => cache.frame(1, new Float64Array(3)),
    'not-finite',
    'a.pc2: byte 48: frame 1, point 0: NaN',
  );
  expectInputError(() => cache.frame(2, new Float64Array(3)), 'out-of-range', 'a.pc2: frame 2 of 2');
  expectInputError(() => cache.frame(0.5, new Float64Array(3)), 'out-of-range', 'frame 0.5');
  expectInputError(
    () => cache.frame(0, new Float64Array(6)),
    'wrong-length',
    'a.pc2: 6 numbers for 1 points',
  );
});

test('frames of different lengths are not written', () => {
  expectInputError(
    () => writePc2([new Float64Array(3), new Float64Array(6)]),
    'wrong-length',
    'frames[1] has 6 numbers, expected 3',
  );
});

test('nor those that no reader takes', () => {
  const refuse = (frame: number[], code: InputErrorCode, message: string) =>
    expectInputError(() => writePc2([Float64Array.of(1, 2, 3), Float64Array.from(frame)]), code, message);
  refuse([0, Number.NaN, 0], 'not-finite', 'frames[1][1] is NaN');
  refuse([0, 0, 1e39], 'out-of-range', 'frames[1]: 1e+39 does not fit in float32');
  expectInputError(() => writePc2([new Float64Array(4)]), 'wrong-length', 'frames[0] has 4 numbers');
});
