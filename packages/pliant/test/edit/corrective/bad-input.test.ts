import { describe, expect, test } from 'vitest';
import { createCorrection } from '../../../src/edit/index.ts';
import { readGltf } from '../../../src/gltf/index.ts';
import { tubeGltf } from './tube-gltf.ts';

const BENT = { bends: [110], rings: 28, sides: 10 };

describe('bad input', () => {
  const scene = readGltf(tubeGltf(BENT).glb(), 'tube.glb');

  test.each([
    ['Jump', 0.5, {}, 'index-out-of-range', /tube: there is no clip "Jump"; it has Bend, Still/],
    [7, 0.5, {}, 'index-out-of-range', /there is no clip 7/],
    ['Bend', 1.5, {}, 'out-of-range', /the clip lasts from 0 to 1 s, not 1.5/],
    ['Bend', Number.NaN, {}, 'out-of-range', /not NaN/],
    ['Bend', 0.5, { mesh: 3 }, 'index-out-of-range', /mesh 3, but tube has 1/],
    ['Bend', 0.5, { ramp: 0 }, 'bad-option', /ramp must be a number above 0, not 0/],
    ['Bend', 0.5, { reach: -1 }, 'bad-option', /reach/],
  ] as const)('clip %s at %s with %j', async (clip, time, options, code, message) => {
    await expect(createCorrection(await scene, clip, time, options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('a file without a skin', async () => {
    const gltf = tubeGltf(BENT);
    delete gltf.json.nodes[0].skin;
    const rigid = await readGltf(gltf.glb(), 'rigid.glb');
    await expect(createCorrection(rigid, 0, 0.5)).rejects.toMatchObject({
      code: 'unsupported',
      message: 'rigid: no mesh of the scene has a skin',
    });
  });

  test('vertices that the skin flattens stay, and are named', async () => {
    const gltf = tubeGltf({ bends: [110, 0], rings: 15, sides: 6 });
    gltf.json.nodes[3].scale = [1, 1, 0];
    const scene = await readGltf(gltf.glb(), 'flat.glb');
    const correction = await createCorrection(scene, 'Bend', 1, { shape: 'needed', cage: { vertices: 300 } });
    expect(correction.notes[0]).toMatch(
      /^the skin flattens \d+ vertices, which stay where they are: 77, 78, /,
    );
    expect(correction.before.pairs).toBeGreaterThan(0);
    const { after } = await correction.resolve();
    expect(after.pairs).toBeGreaterThan(0); // nothing can be done about what is flat
    expect(after.pairs).toBeLessThanOrEqual(correction.before.pairs);
    const { positions } = correction.toMorphTarget();
    expect(positions.subarray(3 * 7 * 12, 3 * 7 * 16).every((x) => x === 0)).toBe(true);
    expect(correction.positions.every(Number.isFinite)).toBe(true);
    correction.dispose();
  });

  test('a twist that has collapsed without touching is left as it is', async () => {
    const gltf = tubeGltf({ bends: [180], rings: 20, sides: 8, axis: 0 });
    const scene = await readGltf(gltf.glb(), 'twisted.glb');
    const correction = await createCorrection(scene, 'Bend', 1, { shape: 'needed' });
    expect(correction.notes[0]).toMatch(/^the skin flattens 9 vertices/);
    expect(await correction.resolve()).toMatchObject({ before: { pairs: 0 }, after: { pairs: 0 }, moved: 0 });
    correction.dispose();
  });
});
