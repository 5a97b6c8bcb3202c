import type { Character } from 'pliant/shapes';
import type { Kind } from './characters.ts';
import type { SceneDefinition } from './scene.ts';
import type { Walker } from './walkers.ts';

const LAP = 8.8; // seconds

/** Two who walk side by side, too close. */
export const twoWalkers: SceneDefinition = {
  id: 'walkers',
  title: 'Two walkers',
  summary: 'A man and a dwarf walk side by side, and their arms keep meeting',
  controls: [
    {
      kind: 'choice',
      name: 'who',
      label: 'Who',
      initial: 'man-dwarf',
      choices: [
        ['man-dwarf', 'Man and dwarf'],
        ['man-man', 'Two men'],
        ['dwarf-creature', 'Dwarf and creature'],
      ],
    },
    { kind: 'number', name: 'gap', label: 'Distance', initial: 0.6, min: 0, max: 1, step: 0.05 },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles each',
      initial: 8000,
      min: 2000,
      max: 40_000,
      step: 1000,
    },
    { kind: 'flag', name: 'self', label: 'Also within each', initial: false },
  ],
  open: async ({ engine, values }) => {
    const [{ getCharacter }, { createWalkStage, cyclesFor }] = await Promise.all([
      import('./characters.ts'),
      import('./walkers.ts'),
    ]);
    const { triangles, gap, self } = values as { triangles: number; gap: number; self: boolean };
    const [first, second] = String(values.who).split('-') as [Kind, Kind];
    const [outer, inner] = [first, second].map((kind) => getCharacter(kind, triangles));
    const radius = (Math.round(LAP / outer.walkDuration) * outer.stride) / (2 * Math.PI);
    const place = { x: 0, z: 0, start: 0, isBackwards: false };
    const walker = (character: Character, name: string, tone: number, way: number): Walker => {
      return { ...place, character, name, tone, radius: way, cycles: cyclesFor(character, way) };
    };
    const other = second === first ? `other ${second}` : second;
    return createWalkStage(engine, [walker(outer, first, 0, radius), walker(inner, other, 1, radius - gap)], {
      name: 'two-walkers',
      lap: LAP,
      self,
      outlook: [0.25, 0.22, 1],
      follows: true,
    });
  },
};
