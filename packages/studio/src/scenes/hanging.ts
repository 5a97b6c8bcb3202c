import type { SceneDefinition } from './scene.ts';

/** Soft dolls on a ring that turns to and fro. */
export const hanging: SceneDefinition = {
  id: 'hanging',
  title: 'Hanging',
  summary: 'Soft dolls on a ring that swings to and fro',
  controls: [
    { kind: 'number', name: 'count', label: 'Dolls', initial: 6, min: 2, max: 12, step: 1 },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles each',
      initial: 12_000,
      min: 4000,
      max: 40_000,
      step: 1000,
    },
    { kind: 'number', name: 'swing', label: 'Swing (turns)', initial: 0.25, min: 0, max: 1, step: 0.05 },
  ],
  open: async ({ engine, values }) => {
    const [{ createHangingScene }, { createSoftStage }] = await Promise.all([
      import('pliant/simulate'),
      import('./soft-stage.ts'),
    ]);
    const { count, triangles, swing } = values as { count: number; triangles: number; swing: number };
    const create = () => createHangingScene({ count, triangles, swing });
    return createSoftStage(engine, create, { outlook: [0.15, 0.22, 1], floats: true, margin: 1.75 });
  },
};
