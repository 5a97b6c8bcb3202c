import { type Character, createCreature, createDwarf, createMan } from 'pliant/shapes';

export type Kind = 'man' | 'dwarf' | 'creature';

const CREATE = { man: createMan, dwarf: createDwarf, creature: createCreature };
const KEPT = 6;
const made = new Map<string, Character>(); // making one takes about a second

/** The same character again while it is remembered; queries never change it. */
export function getCharacter(kind: Kind, triangles: number): Character {
  const key = `${kind} ${triangles}`;
  const character = made.get(key) ?? CREATE[kind]({ triangles });
  made.delete(key);
  made.set(key, character); // now the newest
  if (made.size > KEPT) made.delete(made.keys().next().value!);
  return character;
}
