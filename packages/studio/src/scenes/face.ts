import type { Control, SceneDefinition } from './scene.ts';
import { wayControls } from './way-controls.ts';

/** As `createFace` of the library names them. */
const MORPHS = [
  'mouth closed',
  'jaw open',
  'smile',
  'blink left',
  'blink right',
  'squint',
  'pucker',
  'frown',
];

/** Morph targets: a proof for all weights within a gauge. */
export const face: SceneDefinition = {
  id: 'face',
  title: 'Face',
  summary: 'Morph targets close mouth and eyes; the gauge says from when on lips and lids may touch',
  controls: [
    {
      kind: 'choice',
      name: 'gauge',
      label: 'Gauge',
      initial: 'one-sided',
      choices: [
        ['one-sided', 'One-sided: length of weights ≥ 0'],
        ['box', 'Box: largest weight ≥ 0'],
        ['ball', 'Ball: length, any sign'],
      ],
    },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles',
      initial: 4500,
      min: 1500,
      max: 12_000,
      step: 500,
    },
    { kind: 'flag', name: 'certificate', label: 'Use the certificate', initial: true, live: true },
    ...MORPHS.map(
      (name, k): Control => ({
        kind: 'number',
        name: `w${k + 1}`,
        label: `${k + 1} ${name}`,
        initial: 0,
        min: 0,
        max: 1,
        step: 0.01,
        live: true,
        clip: 1,
      }),
    ),
    ...wayControls(2, { modes: MORPHS.length, what: 'morph target', least: 0 }),
  ],
  open: async (request) => {
    const { createFaceStage } = await import('./face-stage.ts');
    return createFaceStage(request);
  },
};
