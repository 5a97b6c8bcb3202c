import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Correction, createCorrection } from '../../../src/edit/index.ts';
import { addMorphTarget, readGltf } from '../../../src/gltf/index.ts';
import { positionsAt, touchingPairs, tubeGltf } from './tube-gltf.ts';

const RUNS = process.env.PLIANT_FULL ? 40 : 4;
const CAGE = { vertices: 800 };
const BEND = 0;

/** What the file says that a correction writes: read again, posed and counted by others. */
async function pairsInFile(bytes: Uint8Array, correction: Correction, time: number): Promise<number> {
  const scene = await readGltf(await correction.writeGlb(bytes), 'corrected.glb');
  return touchingPairs(scene, 0, BEND, time);
}

test('an elbow that enters itself does so no more in the file that is written', async () => {
  let corrected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 70, max: 140 }),
      fc.integer({ min: 8, max: 14 }),
      fc.integer({ min: 24, max: 44 }),
      fc.double({ min: 0.6, max: 1, noNaN: true }),
      async (angle, sides, rings, time) => {
        const bytes = tubeGltf({ bends: [angle], sides, rings }).glb();
        const scene = await readGltf(bytes, 'elbow.glb');
        const correction = await createCorrection(scene, 'Bend', time, { cage: CAGE, shape: 'needed' });
        const { before, after } = await correction.resolve();
        expect(before.pairs).toBe(await touchingPairs(scene, 0, BEND, time));
        expect(after.pairs).toBe(0);
        expect(await pairsInFile(bytes, correction, time)).toBe(0);
        if (before.pairs > 0) corrected++;
        correction.dispose();
      },
    ),
    { numRuns: RUNS },
  );
  expect(corrected).toBeGreaterThan(0);
});

describe('a hook whose end goes through its beginning', () => {
  const bytes = tubeGltf({ bends: [112, 112], rings: 36, sides: 10 }).glb();

  test('is taken apart by the shape, whose cage is not glued where it overlaps', async () => {
    const scene = await readGltf(bytes, 'hook.glb');
    const correction = await createCorrection(scene, 0, 1, { cage: CAGE });
    const shape = correction.shape!;
    expect(correction.before.pairs).toBeGreaterThan(20);
    expect(shape.measure().crossingPairs).toBeGreaterThan(0); // more than folds
    const shares: number[] = [];
    const report = await correction.resolve({ onProgress: (share) => shares.push(share) });
    expect(report.steps).toBeGreaterThan(0);
    expect(report.after.pairs).toBe(0);
    expect(await pairsInFile(bytes, correction, 1)).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(report.furthest).toBeLessThan(0.15);
    correction.dispose();
  });

  test('stays as it is in a file whose displacements were not taken back through the skin', async () => {
    const scene = await readGltf(bytes, 'hook.glb');
    const correction = await createCorrection(scene, 0, 1, { cage: CAGE });
    await correction.resolve();
    const before = positionsAt(scene, 0, BEND, 1),
      { positions } = correction;
    const inPose = Float32Array.from(positions, (x, i) => x - before[i]); // a lie: these are not before the skin
    const lying = addMorphTarget(bytes, scene, { ...correction.toMorphTarget(), positions: inPose });
    expect(await touchingPairs(await readGltf(lying, 'lying.glb'), 0, BEND, 1)).toBeGreaterThan(0);
    correction.dispose();
  });

  test('goes where a handle is pulled, and that is written', async () => {
    const scene = await readGltf(bytes, 'hook.glb');
    const correction = await createCorrection(scene, 0, 1, { cage: CAGE });
    const { shape } = correction;
    const end = scene.meshes[0].positions.length / 3 - 1; // the middle of the far end
    await correction.resolve(); // a handle would wait while something is deep in something
    correction.hold?.remove();
    shape!.pin(Array.from({ length: 60 }, (_, v) => v));
    const from = Array.from(shape!.positions.subarray(3 * end, 3 * end + 3));
    const handle = shape!.addHandle(end);
    const to = [from[0], from[1], from[2] + 0.25];
    handle.moveTo(to);
    await correction.resolve();
    const written = await readGltf(await correction.writeGlb(bytes), 'pulled.glb');
    const found = positionsAt(written, 0, BEND, 1).subarray(3 * end, 3 * end + 3);
    expect(Math.hypot(...to.map((x, a) => x - found[a]))).toBeLessThan(0.01);
    expect(await touchingPairs(written, 0, BEND, 1)).toBe(0);
    correction.dispose();
  });

  test('stops when it is told to', async () => {
    const scene = await readGltf(tubeGltf({ bends: [60], rings: 20 }).glb(), 'elbow.glb');
    const correction = await createCorrection(scene, 0, 1, { shape: 'needed' });
    const reason = new Error('enough');
    await expect(correction.resolve({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(createCorrection(scene, 0, 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    correction.dispose();
    expect(() => correction.positions).toThrow('disposed');
  });
});

test('where nothing touches nothing moves', async () => {
  const scene = await readGltf(tubeGltf({ bends: [20] }).glb(), 'tube.glb');
  const correction = await createCorrection(scene, 'Bend', 0.5, { shape: 'needed' });
  const report = await correction.resolve();
  expect(report).toMatchObject({ before: { pairs: 0 }, after: { pairs: 0 }, moved: 0, furthest: 0 });
  expect(correction.shape).toBeUndefined();
  expect(correction.toMorphTarget().positions.every((x) => x === 0)).toBe(true);
  correction.dispose();
});
