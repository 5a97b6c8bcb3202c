import { InputError } from 'pliant';
import type { EditedModel } from '../engine/model.ts';
import type { Obstacle } from '../engine/obstacles.ts';

/** A model that comes with the editor. Heavy imports belong inside `create`. */
export interface Example {
  readonly id: string; // in links
  readonly title: string;
  readonly summary: string;
  readonly resolution: number; // vertices of the cage
  create(): Promise<{ readonly model: EditedModel; readonly obstacles: readonly Obstacle[] }>;
}

const UNMOVED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The first one is shown to newcomers. */
export const EXAMPLES: readonly Example[] = [
  {
    id: 'rabbit',
    title: 'Rabbit',
    summary: 'Bend the ears until they meet',
    resolution: 8000,
    create: async () => {
      const { createRabbit } = await import('pliant/shapes');
      return { model: createRabbit({ triangles: 16_000 }).source, obstacles: [] };
    },
  },
  {
    id: 'hand',
    title: 'Hand',
    summary: 'Cross the fingers, or make a fist',
    resolution: 8000,
    create: async () => {
      const { createHand } = await import('pliant/shapes');
      return { model: createHand({ triangles: 16_000 }).source, obstacles: [] };
    },
  },
  {
    id: 'octopus',
    title: 'Octopus',
    summary: 'Lay an arm around the head',
    resolution: 10_000,
    create: async () => {
      const { createOctopus } = await import('pliant/shapes');
      return { model: createOctopus({ triangles: 24_000 }).source, obstacles: [] };
    },
  },
  {
    id: 'tree',
    title: 'Tree',
    summary: 'Pull branches together',
    resolution: 10_000,
    create: async () => {
      const { createTree } = await import('pliant/shapes');
      return { model: createTree({ triangles: 24_000 }).source, obstacles: [] };
    },
  },
  {
    id: 'cloth',
    title: 'Cloth on a body',
    summary: 'Lower the corners over head and shoulders',
    resolution: 8000,
    create: createClothOnBody,
  },
];

export function findExample(id: string): Example {
  const found = EXAMPLES.find((example) => example.id === id);
  if (found) return found;
  const names = EXAMPLES.map((example) => example.id).join(', ');
  throw new InputError('missing-file', `there is no example "${id.slice(0, 40)}"; there are ${names}`);
}

/** A sheet just above the head of a man. */
async function createClothOnBody(): Promise<{ model: EditedModel; obstacles: Obstacle[] }> {
  const { createMan, createSheet } = await import('pliant/shapes');
  const { positions, triangles } = createMan({ triangles: 4500 }).mesh;
  const sheet = createSheet({ cells: 64, size: 1.3, thickness: 0.028 }).source;
  const top = positions.reduce((most, y, k) => (k % 3 === 1 ? Math.max(most, y) : most), -Infinity);
  const lifted = sheet.positions.map((x, k) => (k % 3 === 1 ? x + top + 0.04 : x));
  const body: Obstacle = {
    id: 1,
    kind: 'mesh',
    name: 'Man',
    matrix: UNMOVED,
    size: [],
    mesh: { positions, triangles },
  };
  return { model: { name: 'cloth', positions: lifted, triangles: sheet.triangles }, obstacles: [body] };
}
