import { expect, test } from 'vitest';
import { readGltf, weldAttributes } from '../../src/gltf/index.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { hasSharedData, sharedFile } from '../io/shared-data.ts';
import { skinnedSquare } from './raw-gltf.ts';

type Vertex = { at: number; joints: number[]; weights: number[]; delta: number };

const PLAIN: Vertex = { at: 0, joints: [0, 1, 0, 0], weights: [0.25, 0.75, 0, 0], delta: 1 };

test.each<[string, Partial<Vertex>, boolean]>([
  ['the same', {}, true],
  ['another position', { at: 1 }, false],
  ['another weight', { weights: [0.5, 0.5, 0, 0] }, false],
  ['another joint', { joints: [0, 2, 0, 0] }, false],
  ['another delta', { delta: 2 }, false],
  ['joints in another order', { joints: [1, 0, 0, 0], weights: [0.75, 0.25, 0, 0] }, true],
  ['a joint without weight', { joints: [0, 1, 2, 2] }, true],
  ['a joint listed twice', { joints: [1, 0, 1, 0], weights: [0.5, 0.25, 0.25, 0] }, true],
  ['weights before normalisation', { weights: [0.5, 1.5, 0, 0] }, true],
])('%s', async (_, change, isWelded) => {
  const mesh = await meshOf([PLAIN, { ...PLAIN, ...change }, { ...PLAIN, at: 7 }]);
  const welded = createTriangleMesh({ ...mesh, attributes: weldAttributes(mesh) });
  expect(welded.vertexCount).toBe(isWelded ? 2 : 3);
});

test.skipIf(!hasSharedData)('a real skin with seams closes', async () => {
  const [mesh] = (await readGltf(sharedFile('skinned/CesiumMan.glb'), 'CesiumMan.glb')).meshes;
  const welded = createTriangleMesh({ ...mesh, attributes: weldAttributes(mesh) });
  expect(welded.isClosed).toBe(true);
  expect(welded.vertexCount).toBeLessThan(welded.sourceVertexCount);
  expect(createTriangleMesh({ ...mesh, weld: false }).isClosed).toBe(false);
});

/** One triangle of these vertices. */
async function meshOf(vertices: Vertex[]) {
  const raw = skinnedSquare();
  const { accessors } = raw.json;
  const set = (place: number, added: number) => {
    accessors[place] = accessors[added];
  };
  set(0, raw.accessor(Float32Array.from(vertices.flatMap(({ at }) => [at, 0, 0])), 'VEC3'));
  set(1, raw.accessor(new Uint8Array([0, 1, 2]), 'SCALAR'));
  set(2, raw.accessor(Uint8Array.from(vertices.flatMap(({ joints }) => joints)), 'VEC4'));
  set(3, raw.accessor(Float32Array.from(vertices.flatMap(({ weights }) => weights)), 'VEC4'));
  set(4, raw.accessor(Float32Array.from(vertices.flatMap(({ delta }) => [0, delta, 0])), 'VEC3'));
  raw.json.skins[0] = { joints: [2, 3, 0] };
  return (await readGltf(raw.glb(), 'a.glb')).meshes[0];
}
