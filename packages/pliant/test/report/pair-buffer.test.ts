import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairBuffer } from '../../src/report/pair-buffer.ts';

const pair = fc.tuple(fc.nat(), fc.nat());

test('a pair buffer is a list', () => {
  const action = fc.oneof(
    { weight: 5, arbitrary: fc.record({ push: pair }) },
    { weight: 3, arbitrary: fc.record({ all: fc.array(pair, { maxLength: 40 }), skip: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constant({ clear: true as const }) },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (actions, capacity) => {
      const buffer = new PairBuffer(capacity);
      let expected: [number, number][] = [];
      for (const step of actions) {
        if ('push' in step) {
          buffer.push(...step.push);
          expected.push(step.push);
        } else if ('all' in step) {
          const source = Uint32Array.from([...new Array(step.skip).fill(77), ...step.all.flat()]);
          buffer.pushAll(source, step.skip, step.all.length);
          expected.push(...step.all);
        } else {
          buffer.clear();
          expected = [];
        }
        expect(buffer.count).toBe(expected.length);
        expect([...buffer.data.subarray(0, 2 * buffer.count)]).toEqual(expected.flat());
      }
    }),
  );
});

test('it keeps its memory when cleared', () => {
  const buffer = new PairBuffer(1);
  for (let k = 0; k < 1000; k++) buffer.push(k, k);
  const { data } = buffer;
  buffer.clear();
  for (let k = 0; k < 1000; k++) buffer.push(k, k);
  expect(buffer.data).toBe(data);
});

test('it appends from its own memory', () => {
  const buffer = new PairBuffer(2);
  buffer.push(1, 2);
  buffer.push(3, 4);
  buffer.pushAll(buffer.data, 0, 2);
  expect([...buffer.data.subarray(0, 8)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
});
