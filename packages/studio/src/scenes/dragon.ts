import type { DropDetail } from './drop-model.ts';
import type { SceneDefinition } from './scene.ts';
import { wayControls } from './way-controls.ts';

const DETAILS: Readonly<Record<string, DropDetail>> = {
  coarse: { triangles: 20_000, latticeVertices: 600, modeCount: 8 },
  usual: { triangles: 20_000, latticeVertices: 1500, modeCount: 12 },
  fine: { triangles: 40_000, latticeVertices: 3000, modeCount: 30 },
};

/** A body of many parts close to each other: its certificate ends soon, and its parts have their own. */
export const dragon: SceneDefinition = {
  id: 'dragon',
  title: 'Dragon',
  summary: 'A soft dragon, driven along its modes, dropped, or bent to the limit of its certificate',
  controls: [
    {
      kind: 'choice',
      name: 'detail',
      label: 'Detail',
      initial: 'usual',
      choices: Object.entries(DETAILS).map(([name, { triangles, latticeVertices, modeCount }]) => [
        name,
        `${triangles / 1000}k triangles, ${modeCount} modes of ${latticeVertices} points`,
      ]),
    },
    {
      kind: 'number',
      name: 'drive',
      label: 'Drive (radii)',
      initial: 1.6,
      min: 0.2,
      max: 4,
      step: 0.1,
      live: true,
      clip: 0,
    },
    { kind: 'flag', name: 'certificate', label: 'Use the certificate', initial: true, live: true },
    ...wayControls(2, { modes: 30 }),
  ],
  open: async (request) => {
    const [{ prepareDrop }, { createDragonStage }, { stageOn }] = await Promise.all([
      import('./drop-model.ts'),
      import('./dragon-stage.ts'),
      import('./prepared.ts'),
    ]);
    const lease = await prepareDrop(request, 'dragon', DETAILS[String(request.values.detail)]);
    return stageOn(lease, (drop) => createDragonStage(request, drop));
  },
};
