import { WebIO } from '@gltf-transform/core';
import { describe, expect, test } from 'vitest';
import { createCorrection } from '../../../src/edit/index.ts';
import { openContainer } from '../../../src/gltf/container.ts';
import { type GltfScene, readGltf, readNormals } from '../../../src/gltf/index.ts';
import { largestDifference } from '../../gltf/posed-positions.ts';
import type { RawGltf } from '../../gltf/raw-gltf.ts';
import { positionsAt, touchingPairs, tubeGltf } from './tube-gltf.ts';

const BENT = { bends: [110], rings: 28, sides: 10 };
const VERTICES = 29 * 11 + 2;

async function corrected(
  gltf: RawGltf,
  time = 0.9,
): Promise<{ bytes: Uint8Array; before: GltfScene; after: GltfScene; written: Uint8Array }> {
  const bytes = gltf.glb();
  const before = await readGltf(bytes, 'tube.glb');
  const correction = await createCorrection(before, 'Bend', time, {
    shape: 'needed',
    cage: { vertices: 1200 },
  });
  await correction.resolve();
  const written = await correction.writeGlb(bytes);
  correction.dispose();
  return { bytes, before, after: await readGltf(written, 'written.glb'), written };
}

describe('what is written', () => {
  test('keeps every byte of the buffer and everything the JSON said', async () => {
    const gltf = tubeGltf(BENT);
    gltf.json.extras = { kept: [1, { two: 2 }] };
    const { bytes, written } = await corrected(gltf);
    const from = openContainer(bytes, 'a'),
      to = openContainer(written, 'b');
    expect(to.binary!.subarray(0, from.binary!.length)).toEqual(from.binary);
    for (const key of ['nodes', 'skins', 'scenes', 'extras', 'asset'])
      expect(to.json[key]).toEqual(from.json[key]);
    for (const key of ['accessors', 'bufferViews']) {
      const list = from.json[key] as unknown[];
      expect((to.json[key] as unknown[]).slice(0, list.length)).toEqual(list);
    }
    const [still] = (to.json.animations as unknown[]).slice(1);
    expect(still).toEqual((from.json.animations as unknown[])[1]);
    const view = new DataView(written.buffer, written.byteOffset);
    expect(view.getUint32(8, true)).toBe(written.length);
  });

  test('leaves frames alone where its weight is 0', async () => {
    const { before, after } = await corrected(tubeGltf(BENT));
    for (const [clip, time] of [
      [0, 0],
      [0, 0.5],
      [0, 0.79],
      [1, 0.9],
    ]) {
      expect(positionsAt(after, 0, clip, time)).toEqual(positionsAt(before, 0, clip, time));
    }
    expect(positionsAt(after, 0, 0, 0.9)).not.toEqual(positionsAt(before, 0, 0, 0.9));
    expect(after.clips[0].duration).toBe(1);
    expect(after.meshes[0].morphs!.names).toEqual(['corrective Bend 0.9']);
  });

  test('gives vertices in one place one displacement, so that seams stay closed', async () => {
    const { after, written } = await corrected(tubeGltf(BENT));
    const { deltas } = after.meshes[0].morphs!;
    const normals = await readNormals(written, 'x', after.meshes[0]);
    let moved = 0;
    for (let ring = 0; ring < 29; ring++) {
      const a = 3 * 11 * ring,
        b = a + 30;
      expect(deltas.subarray(a, a + 3)).toEqual(deltas.subarray(b, b + 3));
      expect(normals.subarray(a, a + 3)).toEqual(normals.subarray(b, b + 3));
      if (deltas[a] !== 0) moved++;
    }
    expect(moved).toBeGreaterThan(0);
  });

  test('turns normals with the surface, and keeps their length', async () => {
    const gltf = tubeGltf(BENT);
    const bytes = gltf.glb();
    const scene = await readGltf(bytes, 'tube.glb');
    const correction = await createCorrection(scene, 0, 0.9, { shape: 'needed', cage: { vertices: 1200 } });
    await correction.resolve();
    const normals = await readNormals(bytes, 'tube.glb', scene.meshes[0]);
    const target = correction.toMorphTarget(normals);
    let changed = 0;
    for (let v = 0; v < VERTICES; v++) {
      const o = 3 * v;
      const n = [0, 1, 2].map((a) => normals[o + a] + target.normals![o + a]);
      expect(Math.hypot(...n)).toBeCloseTo(1, 5);
      if (target.normals!.subarray(o, o + 3).some((x) => x !== 0)) changed++;
    }
    expect(changed).toBeGreaterThan(10);
    expect(changed).toBeLessThan(VERTICES / 2);
    expect(Array.from(target.normals!.subarray(30, 33))).toEqual(
      Array.from(target.normals!.subarray(0, 3)), // both sides of the seam
    );
    correction.dispose();
  });

  test('adds to morph targets that are there, and to what drives them', async () => {
    const gltf = tubeGltf(BENT);
    const [primitive] = gltf.json.meshes[0].primitives;
    const bulge = new Float32Array(3 * VERTICES).map((_, i) => (i % 3 === 2 ? 0.01 : 0));
    primitive.targets = [{ POSITION: gltf.accessor(bulge, 'VEC3') }];
    gltf.json.meshes[0].weights = [0.5];
    gltf.json.nodes[0].weights = [0.25];
    const times = gltf.accessor(Float32Array.of(0, 0.4, 1), 'SCALAR', { min: [0], max: [1] });
    const output = gltf.accessor(Float32Array.of(0, 1, 0.5), 'SCALAR');
    for (const { samplers, channels } of gltf.json.animations) {
      channels.push({ sampler: samplers.length, target: { node: 0, path: 'weights' } });
      samplers.push({ input: times, output });
    }
    const { before, after } = await corrected(gltf);
    expect(after.meshes[0].morphs).toMatchObject({ count: 2, names: ['0', 'corrective Bend 0.9'] });
    expect(Array.from(after.meshes[0].morphs!.defaultWeights)).toEqual([0.25, 0]);
    for (const time of [0, 0.2, 0.4, 0.75]) {
      for (const clip of [0, 1]) {
        const [a, b] = [positionsAt(before, 0, clip, time), positionsAt(after, 0, clip, time)];
        expect(largestDifference(a, b)).toBeLessThan(1e-9);
      }
    }
    expect(await touchingPairs(before, 0, 0, 0.9)).toBeGreaterThan(0);
    expect(await touchingPairs(after, 0, 0, 0.9)).toBe(0);
  });

  test('gives every primitive as many targets, also those that do not move', async () => {
    const gltf = tubeGltf(BENT);
    const [primitive] = gltf.json.meshes[0].primitives;
    const far = Float32Array.of(2, 0, 0, 3, 0, 0, 2, 1, 0);
    const attributes = {
      POSITION: gltf.accessor(far, 'VEC3'),
      JOINTS_0: gltf.accessor(new Uint8Array(12), 'VEC4'),
      WEIGHTS_0: gltf.accessor(Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), 'VEC4'),
    };
    gltf.json.meshes[0].primitives = [{ attributes }, { attributes, mode: 0 }, primitive];
    const { written, after } = await corrected(gltf);
    const [{ primitives }] = openContainer(written, 'x').json.meshes as {
      primitives: { targets: object[] }[];
    }[];
    expect(primitives.map(({ targets }) => targets.length)).toEqual([1, 1, 1]);
    expect(await touchingPairs(after, 0, 0, 0.9)).toBe(0);
    const { deltas } = after.meshes[0].morphs!;
    expect(deltas.subarray(0, 9).every((x) => x === 0)).toBe(true);
    expect(deltas.subarray(9).some((x) => x !== 0)).toBe(true);
  });

  test('can be read by others', async () => {
    const { written, after } = await corrected(tubeGltf(BENT));
    const document = await new WebIO().readBinary(written);
    const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
    const [target] = primitive.listTargets();
    const { deltas } = after.meshes[0].morphs!;
    expect(Array.from(target.getAttribute('POSITION')!.getArray()!)).toEqual(Array.from(deltas));
    expect(target.getAttribute('NORMAL')!.getCount()).toBe(VERTICES);
    const channels = document.getRoot().listAnimations()[0].listChannels();
    expect(channels.map((channel) => channel.getTargetPath())).toEqual(['rotation', 'weights']);
    expect(channels[1].getTargetNode()!.getName()).toBe('Tube');
  });

  test('may be a .gltf, whose new data are inside of it', async () => {
    const bytes = tubeGltf(BENT).gltf();
    const scene = await readGltf(bytes, 'tube.gltf');
    const correction = await createCorrection(scene, 0, 0.9, { shape: 'needed', cage: { vertices: 1200 } });
    await correction.resolve();
    const written = await correction.writeGlb(bytes);
    expect(JSON.parse(new TextDecoder().decode(written)).buffers).toHaveLength(2);
    expect(await touchingPairs(await readGltf(written, 'written.gltf'), 0, 0, 0.9)).toBe(0);
    correction.dispose();
  });

  test('can be corrected again at another time, and keeps the first', async () => {
    const { written } = await corrected(tubeGltf(BENT), 0.6);
    const scene = await readGltf(written, 'once.glb');
    const correction = await createCorrection(scene, 'Bend', 0.95, {
      shape: 'needed',
      cage: { vertices: 1200 },
    });
    await correction.resolve();
    const twice = await readGltf(await correction.writeGlb(written), 'twice.glb');
    correction.dispose();
    expect(twice.meshes[0].morphs!.count).toBe(2);
    expect(await touchingPairs(twice, 0, 0, 0.6)).toBe(0);
    expect(await touchingPairs(twice, 0, 0, 0.95)).toBe(0);
  });
});

test('steps and splines of other targets cannot be added to', async () => {
  const gltf = tubeGltf(BENT);
  const [primitive] = gltf.json.meshes[0].primitives;
  primitive.targets = [{ POSITION: gltf.accessor(new Float32Array(3 * VERTICES), 'VEC3') }];
  const [{ samplers, channels }] = gltf.json.animations;
  channels.push({ sampler: samplers.length, target: { node: 0, path: 'weights' } });
  const output = gltf.accessor(Float32Array.of(0, 1), 'SCALAR');
  samplers.push({ input: samplers[0].input, output, interpolation: 'STEP' });
  await expect(corrected(gltf)).rejects.toThrow(/drives morph targets of node 0 by STEP; only LINEAR/);
});
