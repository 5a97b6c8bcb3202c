import type { Shape } from 'pliant/edit';
import { innerOf } from './inner-shape.ts';

const MOST_MANIPULATORS = 2000;
const MOST_CONTACTS = 2000;

/** Manipulators of the functions in use: place and level, four numbers each. */
export function manipulatorsOf(shape: Shape): Float32Array {
  const { solver } = innerOf(shape);
  const { cage, basis } = shape;
  const out: number[] = [];
  for (const id of [0, ...solver.oracle.groups]) {
    const group = basis.group(id);
    if (!group) continue;
    for (const v of group.manipulators) {
      for (let a = 0; a < 3; a++) out.push(cage.centre[a] + cage.scale * solver.controls[3 * v + a]);
      out.push(group.level);
    }
  }
  return Float32Array.from(out.slice(0, 4 * MOST_MANIPULATORS));
}

/** Contacts that push: place and direction, six numbers each. */
export function contactsOf(shape: Shape): Float32Array {
  const out: number[] = [];
  for (const { position, normal, force } of shape.contacts) {
    if (force > 0) out.push(...position, ...normal);
  }
  return Float32Array.from(out.slice(0, 6 * MOST_CONTACTS));
}
