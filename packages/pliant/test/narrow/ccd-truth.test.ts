import { describe, expect, test } from 'vitest';
import { createContactScratch, loadPoint } from '../../src/narrow/continuous-scratch.ts';
import { findEdgeEdgeContact } from '../../src/narrow/edge-edge.ts';
import { findVertexFaceContact } from '../../src/narrow/vertex-face.ts';
import { hasCcdData, type LabelledQueries, readAllQueries } from './ccd-data.ts';

/** Labels that exact arithmetic shows to be wrong, as 'file#query': none was found. */
const WRONG_LABELS: ReadonlySet<string> = new Set();

describe.skipIf(!hasCcdData)('labelled queries of Sample-Queries and Scalable-CCD', () => {
  test('no false negative and no false positive', () => {
    const files = readAllQueries();
    const count = total(files.map(({ labels }) => labels.length));
    expect(total(files.map(({ labels }) => labels.filter(Boolean).length))).toBeGreaterThan(24000);
    expect(count).toBe(27144);

    for (const file of files) answerAll(file); // warm
    const began = performance.now();
    const answers = files.map((file) => answerAll(file));
    const seconds = (performance.now() - began) / 1000;

    const wrong = files.flatMap((file, f) =>
      file.labels.flatMap((label, q) => {
        const isTrue = label !== WRONG_LABELS.has(`${file.name}#${q}`);
        return answers[f].touches[q] === isTrue ? [] : [{ name: `${file.name}#${q}`, isTrue }];
      }),
    );
    const falseNegatives = wrong.filter(({ isTrue }) => isTrue).map(({ name }) => name);
    const falsePositives = wrong.filter(({ isTrue }) => !isTrue).map(({ name }) => name);
    const exact = total(answers.map(({ exactFallbacks }) => exactFallbacks));
    console.log(
      `ccd truth: ${count} queries, ${falseNegatives.length} false negatives, ` +
        `${falsePositives.length} false positives, ${WRONG_LABELS.size} wrong labels, ` +
        `${Math.round(count / seconds)} queries/s, ${exact} (${((100 * exact) / count).toFixed(2)} %) exact`,
    );
    expect(falseNegatives).toEqual([]);
    expect(falsePositives).toEqual([]);
    expect(exact / count).toBeLessThan(0.02);
  });

  test('exact arithmetic alone says the same, with the same times', () => {
    for (const file of readAllQueries()) {
      const some = file.labels.length > 1000 ? everyFourth(file) : file;
      const filtered = answerAll(some);
      const exact = answerAll(some, true);
      expect(exact.touches).toEqual(filtered.touches);
      for (let q = 0; q < some.labels.length; q++) {
        if (exact.touches[q])
          expect(Math.abs(exact.times[q] - filtered.times[q])).toBeLessThanOrEqual(2 ** -40);
      }
    }
  });
});

function answerAll({ kind, start, end, labels }: LabelledQueries, exactOnly = false) {
  const scratch = createContactScratch();
  scratch.exactOnly = exactOnly;
  const times: number[] = [];
  const touches = labels.map((_, q) => {
    scratch.time[0] = Infinity;
    for (let slot = 0; slot < 4; slot++) loadPoint(scratch, slot, start, end, 12 * q + 3 * slot);
    const found =
      kind === 'vf' ? findVertexFaceContact(scratch, 0, 1, 2, 3) : findEdgeEdgeContact(scratch, 0, 1, 2, 3);
    times.push(scratch.time[0]);
    return found;
  });
  return { touches, times, exactFallbacks: scratch.exactFallbacks };
}

function everyFourth({ start, end, labels, ...file }: LabelledQueries): LabelledQueries {
  const isKept = (_: unknown, q: number) => q % 4 === 0;
  const isKeptCoordinate = (_: unknown, i: number) => isKept(_, Math.floor(i / 12));
  return {
    ...file,
    start: start.filter(isKeptCoordinate),
    end: end.filter(isKeptCoordinate),
    labels: labels.filter(isKept),
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, n) => sum + n, 0);
}
