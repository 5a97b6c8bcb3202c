import { expect, test } from 'vitest';
import { createCorrection, createPoseContacts } from '../../../src/edit/index.ts';
import { readGltf } from '../../../src/gltf/index.ts';
import { positionsAt, touchingPairs, tubeGltf } from './tube-gltf.ts';

const bytes = tubeGltf({ bends: [112, 112], rings: 36, sides: 10 }).glb();
const CAGE = { vertices: 800 };

test('contacts of poses are those that are found one by one', async () => {
  const scene = await readGltf(bytes, 'hook.glb');
  const contacts = await createPoseContacts(scene);
  for (const time of [0, 0.4, 0.8, 1]) {
    const pairs = await touchingPairs(scene, 0, 0, time);
    expect(contacts.count('Bend', time)).toEqual({ pairs, atBind: 0 });
    const found = contacts.find(0, time);
    expect(found.pairs).toHaveLength(2 * pairs);
    expect(found.atBind).toHaveLength(pairs);
    const expected = positionsAt(scene, 0, 0, time);
    for (let i = 0; i < expected.length; i++) expect(found.positions[i]).toBeCloseTo(expected[i], 12);
  }
  expect(() => contacts.count('Walk', 0)).toThrow('hook: there is no clip "Walk"');
  expect(() => contacts.count(0, 2)).toThrow('the clip lasts from 0 to 1 s, not 2');
  await expect(createPoseContacts(scene, { mesh: 4 })).rejects.toThrow('mesh 4, but hook has 1');
  contacts.dispose();
  expect(() => contacts.count(0, 0)).toThrow('disposed');
});

test('a correction goes back to its states, takes results from elsewhere, and names its target when it is written', async () => {
  const scene = await readGltf(bytes, 'hook.glb');
  const correction = await createCorrection(scene, 0, 1, { cage: CAGE });
  const first = correction.state,
    before = correction.positions;
  expect(correction.touching().pairs.length).toBe(2 * correction.report().after.pairs);
  await correction.resolve();
  const resolved = correction.state,
    after = correction.positions;
  expect(correction.touching().pairs).toHaveLength(0);
  correction.restore(first);
  expect(correction.positions).toEqual(before);
  correction.restore(resolved);
  expect(correction.positions).toEqual(after);
  correction.restore(first);
  correction.adopt(after);
  correction.positions.forEach((x, i) => {
    expect(Math.abs(x - after[i])).toBeLessThan(3e-5); // what moves by next to nothing stays
  });
  expect(() => correction.adopt(after.slice(3))).toThrow('positions must have three numbers');
  expect(() => correction.restore({ ...first, eased: new Float64Array(2) })).toThrow('eased must have');
  const written = await correction.writeGlb(bytes, { name: 'hook', ramp: 0.25 });
  const { meshes, clips } = await readGltf(written, 'written.glb');
  expect(meshes[0].morphs!.names).toEqual(['hook']);
  expect(clips[0].channels.find(({ path }) => path === 'weights')!.times[0]).toBeCloseTo(0.75, 6);
  await expect(correction.writeGlb(bytes, { ramp: 0 })).rejects.toThrow(
    'ramp must be a number above 0, not 0',
  );
  correction.dispose();
});
