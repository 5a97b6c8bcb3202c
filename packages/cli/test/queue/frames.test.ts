import fc from 'fast-check';
import { CollisionReport } from 'pliant';
import { describe, expect, test } from 'vitest';
import type { FrameResult } from '../../src/frames/frame-checker.ts';
import { decodeFrames, encodeFrames } from '../../src/queue/frame-codec.ts';
import { FrameOrder } from '../../src/queue/frame-order.ts';
import { JobSize } from '../../src/queue/job-size.ts';

const RUNS = process.env.PLIANT_FULL ? 2_000 : 200;

const result: fc.Arbitrary<FrameResult> = fc.record({
  frame: fc.nat(),
  count: fc.nat(),
  pairs: fc.uint32Array({ maxLength: 20 }),
  times: fc.option(fc.float64Array({ maxLength: 10 }), { nil: undefined }),
  milliseconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  method: fc.string(),
  reason: fc.string(),
  counters: fc.constant(new CollisionReport().counters),
  collapsed: fc.array(fc.nat(), { maxLength: 3 }),
  singularJoints: fc.array(fc.record({ mesh: fc.nat(), joint: fc.nat() }), { maxLength: 2 }),
  proofs: fc.array(fc.record({ mesh: fc.nat(), cleared: fc.constantFrom(0, 0.5, 1) }), { maxLength: 2 }),
});

function resultOf(frame: number): FrameResult {
  const { counters } = new CollisionReport();
  const rest = {
    milliseconds: 1,
    method: '',
    reason: '',
    counters,
    collapsed: [],
    singularJoints: [],
    proofs: [],
  };
  return { frame, count: 0, pairs: new Uint32Array(), times: undefined, ...rest };
}

describe('frames on their way', () => {
  test('arrive as they were sent, to the last bit', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 4 }), (results) => {
        const bytes = encodeFrames({ results, prepared: [] });
        const shifted = Buffer.concat([Buffer.from('x'), bytes]).subarray(1); // at any address
        const found = decodeFrames(shifted);
        expect(found.results.map(bits)).toEqual(results.map(bits));
      }),
      { numRuns: RUNS },
    );
  });

  test('that are cut short are refused', () => {
    const one = { ...resultOf(3), pairs: Uint32Array.of(1, 2, 3, 4) };
    const bytes = encodeFrames({ results: [one], prepared: [] });
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeFrames(bytes.subarray(0, length))).toThrow();
    }
  });

  test('leave in order, once, whatever order and number they come in', () => {
    leaveInOrder((first) => new FrameOrder(first));
  });

  test('that test fails for an order that trusts everybody', () => {
    class Trusting extends FrameOrder {
      readonly #all: FrameResult[] = [];
      override add(one: FrameResult): boolean {
        this.#all.push(one);
        return super.add(one);
      }
      override take(): FrameResult | undefined {
        return this.#all.shift();
      }
    }
    expect(() => leaveInOrder((first) => new Trusting(first))).toThrow('Counterexample');
  });

  test('make jobs of about a second, unless a number is asked for', () => {
    const size = new JobSize(undefined);
    expect(size.frames).toBe(1);
    for (let k = 0; k < 50; k++) size.learn(100);
    expect(size.frames).toBe(10);
    for (let k = 0; k < 100; k++) size.learn(0.01);
    expect(size.frames).toBe(64);
    for (let k = 0; k < 100; k++) size.learn(60_000);
    expect(size.frames).toBe(1);
    const fixed = new JobSize(5);
    fixed.learn(1e6);
    expect(fixed.frames).toBe(5);
  });
});

function leaveInOrder(create: (first: number) => FrameOrder): void {
  fc.assert(
    fc.property(fc.nat(30), fc.array(fc.nat(29), { maxLength: 60 }), (first, extra) => {
      const all = Array.from({ length: 30 }, (_, k) => first + k);
      const coming = [...extra.map((k) => first + k), ...all];
      const order = create(first);
      const left: number[] = [];
      for (const frame of coming) {
        order.add(resultOf(frame));
        for (let one = order.take(); one; one = order.take()) left.push(one.frame);
      }
      expect(left).toEqual(all);
      expect([order.received, order.duplicates]).toEqual([30, extra.length]);
    }),
    { numRuns: RUNS },
  );
}

/** NaN and −0 count. */
function bits({ times, ...rest }: FrameResult) {
  return { ...rest, times: times && new BigUint64Array(times.buffer, times.byteOffset, times.length) };
}
