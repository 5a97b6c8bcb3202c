import type { SceneDefinition } from './scene.ts';

/** Sizes of the spring; steps must be many for the sound, so coils are few triangles. */
const DETAILS = {
  coarse: { triangles: 3000, turns: 6, latticeVertices: 1500, modes: 10, soundModes: 30 },
  usual: { triangles: 4000, turns: 6, latticeVertices: 2400, modes: 12, soundModes: 60 },
  fine: { triangles: 8000, turns: 6, latticeVertices: 4000, modes: 20, soundModes: 120 },
} as const;

export type SpringDetail = (typeof DETAILS)[keyof typeof DETAILS];

/** A spring that falls and clatters: what strikes it, the floor or itself, makes it ring. */
export const clatteringSpring: SceneDefinition = {
  id: 'spring',
  title: 'Clattering spring',
  summary: 'A spring falls on the floor, its coils meet, and it rings: with sound',
  controls: [
    { kind: 'start', name: 'letGo', label: '▶ Let go, with sound' },
    {
      kind: 'choice',
      name: 'detail',
      label: 'Detail',
      initial: 'usual',
      choices: Object.entries(DETAILS).map(([name, { triangles, modes, soundModes }]) => [
        name,
        `${triangles / 1000}k triangles, ${modes} modes, ${soundModes} tones`,
      ]),
    },
    {
      kind: 'choice',
      name: 'steps',
      label: 'Steps per second',
      initial: '2940',
      choices: [
        ['2940', '2940'],
        ['6300', '6300'],
        ['14700', '14700'],
        ['44100', '44100'],
      ],
    },
    { kind: 'number', name: 'pitch', label: 'Pitch (times)', initial: 16, min: 1, max: 32, step: 1 },
    { kind: 'flag', name: 'certificate', label: 'Use the certificate', initial: true, live: true },
  ],
  open: async (request) => {
    const { createSpringStage } = await import('./clattering-spring-stage.ts');
    return createSpringStage(request, DETAILS[request.values.detail as keyof typeof DETAILS]);
  },
};
