import type { Character } from 'pliant/shapes';
import type { SceneDefinition } from './scene.ts';
import { cyclesFor, type Walker } from './walkers.ts';

const LAP = 8.8; // seconds
const SPACING = 2.1; // metres between centres of circles

/** Many who walk through each other: most pairs are far apart, some are not. */
export const crowd: SceneDefinition = {
  id: 'crowd',
  title: 'Crowd of 50',
  summary: 'Men, dwarfs and creatures in a crowded place',
  controls: [
    { kind: 'number', name: 'people', label: 'People', initial: 50, min: 2, max: 150, step: 1 },
    {
      kind: 'number',
      name: 'triangles',
      label: 'Triangles each',
      initial: 4000,
      min: 2000,
      max: 20_000,
      step: 1000,
    },
    { kind: 'flag', name: 'self', label: 'Also within each', initial: false },
  ],
  open: async ({ engine, values }) => {
    const [{ getCharacter }, { createWalkStage }] = await Promise.all([
      import('./characters.ts'),
      import('./walkers.ts'),
    ]);
    const { people, triangles, self } = values as { people: number; triangles: number; self: boolean };
    const kinds = (['man', 'dwarf', 'creature'] as const).map((kind) => getCharacter(kind, triangles));
    const walkers = Array.from({ length: people }, (_, k) => createWalker(k, people, kinds));
    return createWalkStage(engine, walkers, {
      name: 'crowd',
      lap: LAP,
      self,
      outlook: [0.3, 0.36, 1],
      margin: 0.98, // only the outermost ever leave the picture, and not for long
    });
  },
};

/** On a square of circles, shaken a little; the same crowd every time. */
function createWalker(k: number, people: number, kinds: readonly Character[]): Walker {
  const side = Math.ceil(Math.sqrt(people));
  const kind = [0, 1, 0, 2, 1][k % 5];
  const character = kinds[kind];
  const pace = (character.stride * LAP) / character.walkDuration / (2 * Math.PI); // radius at the designed one
  const radius = pace * (0.75 + 0.25 * chance(7 * k));
  return {
    character,
    name: `${character.name} ${k + 1}`,
    tone: k % 8,
    x: SPACING * ((k % side) - (side - 1) / 2 + 0.5 * (chance(3 * k) - 0.5)),
    z: SPACING * (Math.floor(k / side) - (side - 1) / 2 + 0.5 * (chance(3 * k + 1) - 0.5)),
    radius,
    cycles: cyclesFor(character, radius),
    start: chance(3 * k + 2),
    isBackwards: k % 2 === 1,
  };
}

/** In [0, 1), by number: equal on every machine. */
function chance(k: number): number {
  let x = Math.imul(k + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}
