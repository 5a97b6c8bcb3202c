import { createPoser, type GltfScene } from '../../src/gltf/index.ts';
import { largestDifference, modelSize, posedPositions } from './posed-positions.ts';
import { ThreeModel } from './three-model.ts';

/** The rest pose and several times of every clip, relative to the size. */
export async function worstAgainstThree(bytes: Uint8Array, scene: GltfScene): Promise<number> {
  const three = await ThreeModel.load(bytes);
  const poser = createPoser(scene);
  let worst = 0;
  const compare = (clip: number | undefined, time: number) => {
    poser.pose(clip, time);
    three.pose(clip, time);
    scene.meshes.forEach(({ node }, m) => {
      const theirs = three.primitives(node).flatMap((mesh) => [...ThreeModel.worldPositions(mesh)]);
      const difference = largestDifference(posedPositions(scene, poser, m), theirs);
      worst = Math.max(worst, difference / modelSize([Float64Array.from(theirs)]));
    });
  };
  compare(undefined, 0);
  scene.clips.forEach(({ duration }, clip) => {
    for (const fraction of [0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.95, 1, 1.5]) compare(clip, fraction * duration);
  });
  return worst;
}
