import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, findSelfCollisions } from 'pliant';
import { bodyFromObject3D, useCertificates } from 'pliant/three';
import type { Mesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { expect, test } from 'vitest';
import { type MorphOptions, morphGlb } from './support/morph-gltf.ts';
import { hasSharedData, pliant, sharedPath, temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();

/** All meshes, as three.js loads them. */
async function load(bytes: Buffer): Promise<Mesh[]> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const gltf = await new Promise<GLTF>((resolve, reject) =>
    new GLTFLoader().parse(buffer, '', resolve, reject),
  );
  gltf.scene.updateMatrixWorld(true);
  const meshes: Mesh[] = [];
  gltf.scene.traverse((object) => {
    if ('isMesh' in object) meshes.push(object as Mesh);
  });
  return meshes;
}

async function certify(model: string, ...args: string[]): Promise<Buffer> {
  const { code, stderr } = await pliant(['certify', model, '-o', 'out.pliant', '--quiet', ...args], {
    cwd: folder,
  });
  expect(code, stderr).toBe(0);
  return readFileSync(join(folder, 'out.pliant'));
}

test.each<MorphOptions>([
  {},
  { names: ['Roll', 'Scroll'] },
  { translation: [1 / 3, 2, 1 / 7] },
  { translation: [1 / 3, 2, 1 / 7], primitives: 3 },
])('objects of GLTFLoader get the certificates of the file: %j', async (options) => {
  const glb = morphGlb(options);
  writeFileSync(join(folder, 'model.glb'), glb);
  const bytes = await certify('model.glb', '--reach', '0.5');
  const engine = await createEngine();
  const meshes = await load(glb);
  expect(meshes.length).toBe((options.primitives ?? 1) * (options.names?.length ?? 1));
  let cleared = 0;
  for (const mesh of meshes) {
    const roll = bodyFromObject3D(engine, mesh);
    expect(useCertificates(roll, bytes, 'out.pliant').length).toBe(1);
    for (const weight of [0, 0.1, 0.4, 0.9]) {
      mesh.morphTargetInfluences = [weight, 0, weight / 2];
      roll.update();
      const found = findSelfCollisions(roll.body);
      cleared += found.counters.nodePairsCleared;
      const without = findSelfCollisions(roll.body, { certificates: [] });
      expect(found.sortedPairs()).toEqual(without.sortedPairs());
    }
  }
  expect(cleared).toBeGreaterThan(0);
  engine.dispose();
});

test('a file for checks only says what it is for', async () => {
  const glb = morphGlb({ translation: [1 / 3, 2, 1 / 7] });
  writeFileSync(join(folder, 'model.glb'), glb);
  const bytes = await certify('model.glb', '--reach', '0.2', '--for', 'check');
  const engine = await createEngine();
  const [mesh] = await load(glb);
  expect(() => useCertificates(bodyFromObject3D(engine, mesh), bytes, 'out.pliant')).toThrow(
    /out\.pliant .*--for three/,
  );
  engine.dispose();
});

test.runIf(hasSharedData)('a real model', async () => {
  const path = sharedPath('morph/Flamingo.glb'); // touches itself at rest
  const bytes = await certify(path, '--reach', '0.05');
  const engine = await createEngine();
  for (const mesh of await load(readFileSync(path))) {
    expect(useCertificates(bodyFromObject3D(engine, mesh), bytes).length).toBe(1);
  }
  engine.dispose();
});
