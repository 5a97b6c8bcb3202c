import { expect, test } from 'vitest';
import { createTorusKnot } from '../../src/shapes/torus-knot.ts';

// Node cannot start a worker from TypeScript, so this one test looks at the built library.
const { CollisionReport, createEngine, createTriangleMesh, findCollisions, findSelfCollisions } =
  (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof import('../../src/index.ts');

const shape = createTorusKnot({ triangles: 24_000 });
const mesh = createTriangleMesh(shape.source);

function poseAt(time: number): Float64Array {
  const pose = new Float64Array(shape.source.positions.length);
  shape.deform(time, pose);
  return pose;
}

test('any number of threads gives the same pairs, times and counts', async () => {
  const answers: unknown[] = [];
  for (const threads of [1, 2, 3]) {
    const engine = await createEngine({ threads });
    expect(engine.threads).toBe(threads);
    const a = engine.createFreeBody(mesh),
      b = engine.createFreeBody(mesh);
    const report = new CollisionReport();
    const answer: unknown[] = [];
    for (const time of [0, 0.7, 0.9, 1]) {
      a.setMotion(poseAt(time), poseAt(time + 0.02));
      b.setPose(poseAt(time).map((x, k) => x + [0.05, 0.02, 0.01][k % 3]));
      const note = () =>
        answer.push(report.sortedPairs(), [...(report.times ?? []).slice(0, report.pairCount)], {
          ...report.counters,
        });
      findSelfCollisions(a, { report });
      note();
      findSelfCollisions(a, { report, continuous: true });
      note();
      findCollisions(a, b, { report, method: 'batch' });
      note();
    }
    answers.push(answer);
    engine.dispose();
  }
  expect((answers[0] as number[][])[9].length).toBeGreaterThan(100);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test('more pairs than a mailbox holds, and queries that interrupt one another', async () => {
  const engine = await createEngine({ threads: 2 });
  const alone = await createEngine();
  const flat = poseAt(0).map((x, k) => (k % 3 === 2 ? 0 : x));
  const crowded = engine.createFreeBody(mesh),
    reference = alone.createFreeBody(mesh);
  crowded.setPose(flat);
  reference.setPose(flat);
  const expected = findSelfCollisions(reference);
  expect(expected.pairCount).toBeGreaterThan(50_000); // a mailbox holds 16,384;
  expect(findSelfCollisions(crowded).pairs.slice(0, 2 * expected.pairCount)).toEqual(
    expected.pairs.slice(0, 2 * expected.pairCount),
  );
  const inner: number[] = [];
  const outer = findSelfCollisions(crowded, {
    onPair: () => (inner.length < 2 ? void inner.push(findSelfCollisions(crowded).pairCount) : undefined),
  });
  expect(outer.pairCount).toBe(expected.pairCount);
  expect(inner).toEqual([expected.pairCount, expected.pairCount]);
  engine.dispose();
});
