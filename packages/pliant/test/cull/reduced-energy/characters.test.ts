import { describe, expect, test } from 'vitest';
import { prepareReducedEnergyCertificate } from '../../../src/cull/index.ts';
import { createPoser, readGltf, weldAttributes } from '../../../src/gltf/index.ts';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../../src/index.ts';
import { hasSharedData, sharedFile } from '../../io/shared-data.ts';

describe.skipIf(!hasSharedData)('characters', () => {
  test.each(['CesiumMan', 'Fox', 'KayKit_Knight'])(
    '%s moves as it does without',
    { timeout: 600_000 },
    async (name) => {
      const scene = await readGltf(sharedFile(`skinned/${name}.glb`), `${name}.glb`);
      const index = scene.meshes.findIndex((mesh) => mesh.skin !== undefined);
      const gltf = scene.meshes[index];
      const { joints, influences, jointIndex, weights } = gltf.skin!;
      const engine = await createEngine();
      const body = engine.createSkinnedBody(
        createTriangleMesh({ ...gltf, attributes: weldAttributes(gltf) }),
        { jointCount: joints.length, influences, joints: jointIndex, weights },
      );
      const certificate = prepareReducedEnergyCertificate(body, { across: true });
      const poser = createPoser(scene);
      const frames = process.env.PLIANT_FULL ? 24 : 3;
      const matrices = [0, 1].map(() => new Float64Array(12 * joints.length));
      const expectSame = (continuous: boolean) => {
        const expected = findSelfCollisions(body, { continuous, method: 'depth-first' }).sortedPairs();
        for (const method of ['batch', 'on-demand'] as const) {
          const report = findSelfCollisions(body, { continuous, method, certificates: [certificate] });
          expect(report.sortedPairs()).toEqual(expected);
          cleared += report.counters.nodePairsCleared;
        }
      };
      let cleared = 0;
      for (let frame = 0; frame < frames; frame++) {
        for (const end of [0, 1]) {
          poser.pose(0, ((frame + 0.1 * end) / frames) * scene.clips[0].duration);
          poser.jointMatrices(index, matrices[end]);
        }
        body.setPose(matrices[0]);
        expectSame(false);
        body.setMotion(matrices[0], matrices[1]);
        expectSame(true);
      }
      expect(cleared).toBeGreaterThan(frames);
    },
  );
});
