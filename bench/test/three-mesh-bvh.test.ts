import { expect, test } from 'vitest';
import { createEngine, findSelfCollisions } from '../../packages/pliant/src/index.ts';
import {
  chooseConfiguration,
  type PeerConfiguration,
  ThreeMeshBvhPeer,
} from '../src/peers/three-mesh-bvh.ts';
import { createTrack } from '../src/scenes.ts';

const CONFIGURATIONS: PeerConfiguration[] = (['triangles', 'ranges'] as const).flatMap((callback) => [
  { strategy: 'sah', leafSize: 1, indirect: false, callback },
  { strategy: 'center', leafSize: 10, indirect: true, callback },
]);

test.each(CONFIGURATIONS)('%j finds our pairs on a mesh in general position', async (configuration) => {
  const track = createTrack('spring-16k', { scale: 0.1, frames: 5 })!;
  const engine = await createEngine({ kernels: 'ts' });
  const body = engine.createFreeBody(track.mesh);
  const peer = new ThreeMeshBvhPeer(track, configuration);
  let total = 0;
  for (let frame = 0; frame < track.poses.length; frame++) {
    body.setPose(track.poses[frame]);
    const ours = findSelfCollisions(body).sortedPairs();
    peer.run(frame);
    expect(peer.sortedPairs(track)).toEqual(ours);
    total += ours.length;
  }
  expect(total).toBeGreaterThan(100);
});

test('a configuration is chosen among those offered', () => {
  const track = createTrack('ball-15k', { scale: 0.02, frames: 4 })!;
  const { callback, leafSize } = chooseConfiguration(track, 'triangles', [3]);
  expect({ callback, leafSize }).toEqual({ callback: 'triangles', leafSize: 3 });
});
