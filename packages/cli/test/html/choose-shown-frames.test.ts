import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseShownFrames, SHOWN_FRAMES, shownContacts, shownFramesLimit } from '../../src/html/index.ts';
import type { ReportFrame } from '../../src/html/report-data.ts';
import { sampleReport } from './sample-report.ts';

const frames = fc
  .array(fc.record({ clip: fc.constantFrom('a', 'b', 'c'), count: fc.nat(20) }), { maxLength: 200 })
  .map((list) =>
    list.map(({ clip, count }, index): ReportFrame => ({ index, clip, time: index / 30, count })),
  );

describe('chooseShownFrames', () => {
  test('ascending, without repetition, as many as allowed', () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 0, max: 60 }), (all, limit) => {
        const chosen = chooseShownFrames(all, limit);
        expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
        expect(chosen.length).toBe(Math.min(all.length, limit));
        expect(chosen.every((k) => k >= 0 && k < all.length)).toBe(true);
      }),
    );
  });

  test('the worst frame is always among them', () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const chosen = chooseShownFrames(all, limit).map((k) => all[k].count);
        expect(Math.max(-1, ...chosen)).toBe(Math.max(-1, ...all.map(({ count }) => count)));
      }),
    );
  });

  test('also the worst of every clip, when there is room', () => {
    fc.assert(
      fc.property(frames, (all) => {
        const chosen = chooseShownFrames(all, 10).map((k) => all[k]);
        for (const clip of new Set(all.map((frame) => frame.clip))) {
          const worst = (list: ReportFrame[]) =>
            Math.max(...list.filter((frame) => frame.clip === clip).map(({ count }) => count));
          expect(worst(chosen)).toBe(worst(all));
        }
      }),
    );
  });

  test('calm frames are spread over the whole time', () => {
    const calm = Array.from({ length: 1000 }, (_, index) => ({ index, clip: '', time: index, count: 0 }));
    const chosen = chooseShownFrames(calm, 50);
    const gaps = chosen.slice(1).map((k, i) => k - chosen[i]);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(40);
  });
});

test('point caches get fewer frames than rigs, but never none', async () => {
  const { meshes } = await sampleReport({ frames: 2 });
  expect(shownFramesLimit(meshes)).toBe(SHOWN_FRAMES);
  const large = { ...meshes[0], positions: new Float32Array(3 * 200_000) };
  expect(shownFramesLimit([large], true)).toBe(9);
  expect(shownFramesLimit([large, large, large], true)).toBe(8);
});

test('shownContacts keeps pairs whole and every touching triangle', () => {
  const list = fc.array(fc.tuple(fc.nat(500), fc.nat(500)), { maxLength: 300 });
  fc.assert(
    fc.property(list, fc.integer({ min: 1, max: 50 }), (all, limit) => {
      const given = Uint32Array.from(all.flat());
      const { pairs, touched } = shownContacts(given, limit);
      const keys = new Set(all.map(([i, j]) => `${i} ${j}`));
      expect(pairs.length / 2).toBe(Math.min(all.length, limit));
      for (let k = 0; k < pairs.length; k += 2) expect(keys.has(`${pairs[k]} ${pairs[k + 1]}`)).toBe(true);
      expect([...touched]).toEqual([...new Set(given)].sort((a, b) => a - b));
    }),
  );
});
