import type { SceneDefinition } from './scene.ts';

/** How fine the cloth is: cells that are simulated along the longer side, and how each is divided for the surface. */
const DETAILS = {
  coarse: [40, 1],
  usual: [80, 1],
  fine: [80, 2],
  finer: [96, 3],
  finest: [96, 4],
} as const;

export type ClothDetail = (typeof DETAILS)[keyof typeof DETAILS];

/** A flag in the wind, or cloth that falls on a ball. */
export const flag: SceneDefinition = {
  id: 'flag',
  title: 'Flag and flowing cloth',
  summary: 'A flag in the wind, or cloth that falls on a ball: folds touch where cloth passes through itself',
  controls: [
    {
      kind: 'choice',
      name: 'cloth',
      label: 'Cloth',
      initial: 'flag',
      choices: [
        ['flag', 'A flag in the wind'],
        ['ball', 'Falls on a ball'],
      ],
    },
    {
      kind: 'choice',
      name: 'detail',
      label: 'Detail',
      initial: 'usual',
      choices: Object.entries(DETAILS).map(([name, [cells, factor]]) => [
        name,
        `${Math.round((2 * 0.7 * cells * cells * factor * factor) / 1000)}k triangles, ${cells} cells across`,
      ]),
    },
    { kind: 'number', name: 'wind', label: 'Wind (m/s)', initial: 9, min: 0, max: 20, step: 0.5, live: true },
    {
      kind: 'number',
      name: 'stiffness',
      label: 'Stiffness',
      initial: 1,
      min: 0.1,
      max: 10,
      step: 0.1,
      live: true,
    },
    { kind: 'flag', name: 'certificate', label: 'Energy certificates', initial: true },
    { kind: 'flag', name: 'levels', label: 'Culling level colours', initial: false, live: true },
  ],
  open: async (request) => {
    const { createClothStage } = await import('./cloth-stage.ts');
    return createClothStage(request, DETAILS[request.values.detail as keyof typeof DETAILS]);
  },
};
