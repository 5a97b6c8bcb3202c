import { describe } from 'vitest';
import { createDragon } from '../../src/shapes/dragon.ts';
import { testBodyShape } from './body-shape.ts';

describe('dragon', () => {
  testBodyShape({
    create: createDragon,
    triangles: 76_130,
    fewest: 20_000,
    counts: [30_000, 120_000],
    seeds: [2, 3, 4, 5, 6],
    gap: 0.008,
    calm: 0.7,
    hash: '301e83d01d92ea6f',
  });
});
