import { type TubeOptions, tubeGltf } from '../../../../pliant/test/edit/corrective/tube-gltf.ts';
import type { SourceFile } from '../../../src/scenes/scene.ts';

/** A tube that its skin bends through itself, more and more until 1 s of the clip "Bend". */
export function tubeFile(options: Partial<TubeOptions> = {}): SourceFile {
  const bytes = tubeGltf({ bends: [112, 112], rings: 36, sides: 10, ...options }).glb();
  return { path: 'models/tube.glb', bytes };
}
