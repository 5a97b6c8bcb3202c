import type { SceneDefinition } from './scene.ts';

/** A ball with tentacles falls: no subspace holds its motion, yet most of it is bent too little to touch itself. */
export const squishyBall: SceneDefinition = {
  id: 'squishy-ball',
  title: 'Squishy ball',
  summary: 'A ball with tentacles falls and springs back; energy certificates clear what is hardly bent',
  controls: [
    { kind: 'start', name: 'drop', label: '▶ Drop it again' },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles',
      initial: 20_000,
      min: 10_000,
      max: 1_000_000,
      step: 10_000,
    },
    {
      kind: 'choice',
      name: 'tentacles',
      label: 'Tentacles',
      initial: '92',
      choices: [
        ['42', '42'],
        ['92', '92'],
        ['252', '252'],
      ],
    },
    {
      kind: 'number',
      name: 'stiffness',
      label: 'Stiffness',
      initial: 1,
      min: 0.3,
      max: 3,
      step: 0.1,
      live: true,
    },
    { kind: 'flag', name: 'certificate', label: 'Energy certificates', initial: true },
    { kind: 'flag', name: 'levels', label: 'Culling level colours', initial: false, live: true },
  ],
  open: async (request) => {
    const { createSquishyStage } = await import('./squishy-ball-stage.ts');
    return createSquishyStage(request);
  },
};
