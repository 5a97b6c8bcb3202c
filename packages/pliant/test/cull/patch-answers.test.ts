import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatchAnswers } from '../../src/cull/patch-answers.ts';

test('a patch that is left alone counts as not proved, and is asked about again after 1, 3, 7, 7 poses', () => {
  const answers = new PatchAnswers(2);
  const waits: number[] = [];
  for (let failure = 0; failure < 5; failure++) {
    answers.forget();
    let wait = 0;
    for (; answers.recall(1) !== -1; wait++) {
      expect(answers.recall(1)).toBe(0);
      answers.forget();
    }
    waits.push(wait);
    answers.note(1, 0, false);
    expect(answers.recall(1)).toBe(0);
    expect(answers.recall(0)).toBe(-1); // the other one was never asked about
  }
  expect(waits).toEqual([0, 1, 3, 7, 7]);
});

test('an answer counts in its own pose only, and a useful one ends the waiting', () => {
  const step = fc.record({
    patch: fc.nat(3),
    answer: fc.nat(255),
    isUseful: fc.boolean(),
    isNext: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const answers = new PatchAnswers(4);
      const known = new Map<number, number>(); // in this pose
      const lastUseful = new Set<number>();
      answers.forget();
      for (const { patch, answer, isUseful, isNext } of steps) {
        if (isNext) {
          answers.forget();
          known.clear();
        }
        const told = answers.recall(patch);
        if (known.has(patch)) expect(told).toBe(known.get(patch));
        else expect(told <= 0).toBe(true);
        if (lastUseful.has(patch) && !known.has(patch)) expect(told).toBe(-1);
        if (told !== -1) continue;
        answers.note(patch, answer, isUseful);
        known.set(patch, answer);
        if (isUseful) lastUseful.add(patch);
        else lastUseful.delete(patch);
      }
    }),
  );
});
