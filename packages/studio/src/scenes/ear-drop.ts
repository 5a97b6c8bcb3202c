import type { DropDetail } from './drop-model.ts';
import type { SceneDefinition } from './scene.ts';
import { wayControls } from './way-controls.ts';

/** How fine a rabbit is: the first takes a few seconds to prepare, the last about a minute. */
const DETAILS: Readonly<Record<string, DropDetail>> = {
  coarse: { triangles: 2500, latticeVertices: 400, modeCount: 8 },
  usual: { triangles: 3000, latticeVertices: 800, modeCount: 12 },
  fine: { triangles: 7000, latticeVertices: 1500, modeCount: 20 },
  finest: { triangles: 15_000, latticeVertices: 3000, modeCount: 30 },
};

/** Rabbits fall on their ears: most of them need no look at their triangles. */
export const earDrop: SceneDefinition = {
  id: 'ear-drop',
  title: 'Ear drop',
  summary: 'Soft rabbits fall on their ears; a certificate spares most self-queries',
  controls: [
    {
      kind: 'choice',
      name: 'bodies',
      label: 'Rabbits',
      initial: '16',
      choices: [
        ['4', '4'],
        ['16', '16'],
        ['128', '128'],
      ],
    },
    {
      kind: 'choice',
      name: 'detail',
      label: 'Detail',
      initial: 'usual',
      choices: Object.entries(DETAILS).map(([name, { triangles, modeCount }]) => [
        name,
        `${triangles / 1000}k triangles, ${modeCount} modes`,
      ]),
    },
    { kind: 'flag', name: 'certificate', label: 'Use the certificate', initial: true, live: true },
    ...wayControls(1, { modes: 30 }),
  ],
  open: async (request) => {
    const [{ prepareDrop }, { createEarDropStage }, { stageOn }] = await Promise.all([
      import('./drop-model.ts'),
      import('./ear-drop-stage.ts'),
      import('./prepared.ts'),
    ]);
    const lease = await prepareDrop(request, 'rabbit', DETAILS[String(request.values.detail)]);
    return stageOn(lease, (drop) => createEarDropStage(request, drop, Number(request.values.bodies)));
  },
};
