import { expect, test } from 'vitest';
import { createEnergy } from '../../../src/edit/arap/energy.ts';
import { FullShape } from '../../../src/edit/arap/full-shape.ts';
import { ContactFinder } from '../../../src/edit/contact/contact-finder.ts';
import type { ContactOptions } from '../../../src/edit/contact/contact-options.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { forkCage, surfaceOf } from './scenes.ts';

const STEPS = 90;

/** Presses the prongs of a fork together by handles at its corners, and lets it rest. */
async function press(cage: Cage, isHeld: boolean, options: ContactOptions) {
  const engine = await createEngine();
  const energy = createEnergy(engine.kernels, cage, {});
  const shape = new FullShape(cage, energy);
  const finder = new ContactFinder(engine, cage, options);
  const handles = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => corner(cage, x, y, z))));
  const rest = handles.flatMap((v) => [...cage.surface.positions.subarray(3 * v, 3 * v + 3)]);
  await shape.setHandles(handles.map((v) => ({ vertices: [v], weights: [1] })));
  const sets = new Set<string>();
  for (let step = 0; step < STEPS; step++) {
    const share = Math.min(1, (2 * step) / STEPS);
    const isTip = (i: number) => i % 3 === 0 && rest[i + 2] > 0;
    shape.setTargets(rest.map((x, i) => (isTip(i) ? x - Math.sign(x) * 0.22 * share : x)));
    const rows = finder.find(surfaceOf(cage, shape.positions), shape.positions);
    if (isHeld) await shape.setContacts(rows.toArray());
    shape.step();
    if (isHeld) finder.noteMultipliers(shape.multipliers);
    if (step < STEPS - 20) continue;
    sets.add(
      rows
        .toArray()
        .map(({ key }) => key)
        .sort((a, b) => a - b)
        .join(),
    );
  }
  finder.find(surfaceOf(cage, shape.positions), shape.positions);
  const { maxDepth, crossingPairs } = finder;
  shape.dispose();
  energy.dispose();
  return { maxDepth, crossingPairs, sets: sets.size };
}

/** The vertex that is furthest in a direction. */
function corner({ surface: { positions, vertexCount } }: Cage, x: number, y: number, z: number): number {
  let best = 0;
  const along = (v: number) => x * positions[3 * v] + y * positions[3 * v + 1] + z * positions[3 * v + 2];
  for (let v = 1; v < vertexCount; v++) if (along(v) > along(best)) best = v;
  return best;
}

test('prongs that are pressed together stop at each other, and rest', async () => {
  const cage = forkCage(0.2, 0.1);
  expect((await press(cage, false, {})).maxDepth).toBeGreaterThan(0.05);
  const held = await press(cage, true, {});
  expect(held.maxDepth).toBeLessThan(3e-4);
  expect(held.crossingPairs).toBeLessThanOrEqual(8);
  expect(held.sets).toBe(1); // no row came or went in the last 20 steps
});
