import { afterEach, expect, test } from 'vitest';
import type { VisitStore } from '../../src/editor/engine/store.ts';
import { Desk, MemoryStore } from './support/desk.ts';

const desks: Desk[] = [];
const desk = (store?: VisitStore) => {
  desks.push(new Desk(store));
  return desks.at(-1)!;
};
afterEach(() => {
  for (const { host } of desks.splice(0)) host.dispose();
});

test('what was edited is there again at the next visit; what is damaged gives way to an example', async () => {
  const store = new MemoryStore();
  const first = desk(store);
  await first.openFork();
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect(store.visit).toBeDefined();
  await first.host.handle({ type: 'add-handle', vertex: 3 });
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect(store.visit!.changes).toBeDefined();
  const second = desk(store);
  await second.host.handle({ type: 'open-last', example: 'rabbit', resolution: 500 });
  expect(second.last('opened').model).toMatchObject({ name: 'fork', isRestored: true });
  expect(second.host.session!.controls).toHaveLength(1);
  second.host.dispose();
  store.visit!.project[store.visit!.project.length >> 1] ^= 1;
  const third = desk(store);
  await third.host.handle({ type: 'open-last', example: 'rabbit', resolution: 500 });
  expect(third.last('opened').model).toMatchObject({ name: 'rabbit', isRestored: false });
  expect(third.last('notice').text).toMatch('damaged');
});
