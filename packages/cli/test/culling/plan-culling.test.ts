import { chooseCertificate } from 'pliant/cull';
import { expect, test } from 'vitest';
import {
  type CullingRequest,
  LEAST_FRAMES,
  planCulling,
  preparesAny,
} from '../../src/culling/plan-culling.ts';
import type { Scene } from '../../src/scene/scene.ts';

/** Meshes with so many triangles each, at rest but for the weights of the clip. */
function sceneOf(meshes: readonly (readonly [kind: string, triangles: number])[]): Scene {
  const list = meshes.map(([kind, triangles], m) => ({
    name: `mesh ${m}`,
    kind,
    triangles: { length: 3 * triangles },
    part: 0,
    indexInPart: m,
    modes: kind === 'modal' ? { count: 2, displacements: [], names: [] } : undefined,
  }));
  const part = {
    path: 'x.glb',
    meshes: list,
    clips: [{ name: 'Talk', duration: 1 }],
    notes: [],
    poses: async ({ time = 0 }) => list.map(({ modes }) => ({ weights: modes && Float64Array.of(time, 0) })),
  };
  return { inputs: [], parts: [part], meshes: list, triangleCount: 0 } as unknown as Scene;
}

const SCENE = sceneOf([
  ['rigid', 90_000],
  ['modal', 20_000],
  ['skinned', 20_000],
  ['free', 20_000],
  ['skinned', 0],
  ['skinned', 600],
]);

const plan = (request: Partial<CullingRequest> = {}, scene = SCENE) =>
  planCulling(scene, {
    culling: 'auto',
    isExplained: false,
    isMeasured: false,
    frames: 1e6,
    threads: 1,
    continuous: false,
    method: 'auto',
    stored: [],
    ...request,
  });

test('each mesh gets what suits it, and a reason', async () => {
  const { meshes } = (await plan())!;
  expect(meshes.map(({ mesh, kind }) => [mesh, kind])).toEqual([
    [0, 'none'],
    [1, 'subspace'],
    [2, 'blend'],
    [3, 'energy'],
    [5, 'none'],
  ]);
  for (const { reason } of meshes) expect(reason).toMatch(/ /);
  expect(meshes[1]).toMatchObject({ gauge: 'one-sided', reach: 1.001 }); // as far as the clip goes
});

test('frames are shared by threads, each of which prepares its own', async () => {
  const kinds = async (request: Partial<CullingRequest>) =>
    (await plan(request))!.meshes.map(({ kind }) => kind);
  expect(await kinds({ frames: 20_000 })).toEqual(['none', 'subspace', 'blend', 'none', 'none']);
  expect(await kinds({ frames: 20_000, threads: 2 })).toEqual(['none', 'none', 'none', 'none', 'none']);
  const moving = { threads: 2, continuous: true };
  expect(await kinds({ ...moving, frames: 30_000 })).toEqual(['none', 'subspace', 'blend', 'none', 'none']);
  expect(await kinds({ ...moving, frames: 80_000 })).toEqual(['none', 'subspace', 'blend', 'energy', 'none']);
  const [, { reason }] = (await plan({ frames: 22_000, threads: 2 }))!.meshes;
  expect(reason).toBe(
    'preparing subspace takes longer than it saves in fewer than 20,000 poses, and there are 22,000 frames in 2 threads',
  );
});

test('short runs are not looked at, unless somebody wants to know', async () => {
  expect(await plan({ frames: LEAST_FRAMES - 1 })).toBe(undefined);
  expect(await plan({ culling: 'none' })).toBe(undefined);
  const explained = await plan({ frames: 30, isExplained: true });
  expect(explained!.meshes).toHaveLength(5);
  expect(preparesAny(explained)).toBe(false);
  for (const movedBy of ['modes', 'handles', 'cage', 'vertices'] as const) {
    for (const continuous of [false, true]) {
      const use = { queries: LEAST_FRAMES - 1, continuous };
      expect(chooseCertificate({ movedBy, triangles: 1e9 }, use).kind).toBe('none');
    }
  }
});

test('meshes with stored certificates and slow methods are left alone', async () => {
  expect((await plan({ stored: [1, 3] }))!.meshes.map(({ mesh }) => mesh)).toEqual([0, 2, 5]);
  const slow = await plan({ method: 'depth-first' });
  expect(slow!.meshes.every(({ kind }) => kind === 'none')).toBe(true);
  expect(slow!.meshes[0].reason).toBe('depth-first was asked for');
});

test('what is asked for is done wherever it can be', async () => {
  const named = async (culling: CullingRequest['culling']) =>
    (await plan({ culling, frames: 1 }))!.meshes.map(({ kind }) => kind);
  expect(await named('energy')).toEqual(['none', 'energy', 'energy', 'energy', 'energy']);
  expect(await named('blend')).toEqual(['none', 'blend', 'blend', 'none', 'blend']);
  expect(await named('subspace')).toEqual(['none', 'subspace', 'none', 'none', 'none']);
  await expect(plan({ culling: 'subspace' }, sceneOf([['free', 9]]))).rejects.toThrow(
    '--cull subspace: subspace certificates are for bodies moved by modes alone',
  );
  await expect(plan({ culling: 'energy' }, sceneOf([['rigid', 9]]))).rejects.toThrow(/keeps its shape/);
  await expect(plan({ culling: 'energy' }, sceneOf([['free', 0]]))).rejects.toThrow(/no triangles/);
});
