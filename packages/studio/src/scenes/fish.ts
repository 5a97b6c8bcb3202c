import type { SceneDefinition } from './scene.ts';

/** A shoal in a tank that is too small for it. */
export const fish: SceneDefinition = {
  id: 'fish',
  title: 'Fish',
  summary: 'Soft fish in a tank that is too small for them',
  controls: [
    { kind: 'number', name: 'count', label: 'Fish', initial: 24, min: 2, max: 60, step: 1 },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles each',
      initial: 6000,
      min: 2000,
      max: 20_000,
      step: 1000,
    },
  ],
  open: async ({ engine, values }) => {
    const [{ createFishScene }, { createSoftStage }] = await Promise.all([
      import('pliant/simulate'),
      import('./soft-stage.ts'),
    ]);
    const { count, triangles } = values as { count: number; triangles: number };
    const create = () => createFishScene({ count, triangles });
    return createSoftStage(engine, create, { outlook: [0.5, 0.35, 1], floats: true, margin: 1.12 });
  },
};
