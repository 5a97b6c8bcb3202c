import fc from 'fast-check';
import type { Modes } from '../../../src/index.ts';
import { createTriangleMesh, type TriangleMesh, type TriangleMeshSource } from '../../../src/index.ts';
import { grid } from '../../arbitraries.ts';

export interface ModalCase {
  readonly mesh: TriangleMesh;
  readonly modes: Modes;
}

const size = fc.double({ min: -1, max: 1, noNaN: true });

/** A sheet rolled up so that its edges come close: something can touch soon, and nothing does at rest. */
export function rolledSheet(columns: number, rows: number, turns = 0.9): TriangleMeshSource {
  const { positions, triangles } = grid(columns, rows);
  const rolled: number[] = [];
  for (let v = 0; v < positions.length; v += 3) {
    const angle = (2 * Math.PI * turns * positions[v]) / columns;
    const radius = 1 + 0.02 * Math.sin(3 * positions[v + 1]);
    rolled.push(radius * Math.cos(angle), positions[v + 1] / rows, radius * Math.sin(angle));
  }
  return { positions: rolled, triangles };
}

/** Modes that move neighbours differently, some smooth and some not; a common translation now and then. */
export function modesOn(
  mesh: TriangleMesh,
  count: number,
  numbers: readonly number[],
  smooth: boolean,
): Modes {
  const { vertexCount, positions } = mesh;
  const displacements = new Float64Array(3 * vertexCount * count);
  for (let m = 0; m < count; m++) {
    for (let v = 0; v < vertexCount; v++) {
      for (let k = 0; k < 3; k++) {
        const a = numbers[(7 * m + k) % numbers.length],
          b = numbers[(7 * m + 3 + k) % numbers.length];
        const wave = Math.sin(
          4 * a * positions[3 * v] + 3 * b * positions[3 * v + 1] + 5 * positions[3 * v + 2] + m,
        );
        const noise = numbers[(31 * v + 7 * m + k) % numbers.length];
        displacements[3 * (m * vertexCount + v) + k] = smooth ? a * wave + b : noise;
      }
    }
  }
  return { count, displacements };
}

export const modalCase: fc.Arbitrary<ModalCase> = fc
  .record({
    columns: fc.integer({ min: 3, max: 7 }),
    rows: fc.integer({ min: 2, max: 5 }),
    count: fc.integer({ min: 1, max: 6 }),
    numbers: fc.array(size, { minLength: 97, maxLength: 97 }),
    smooth: fc.boolean(),
    turns: fc.double({ min: 0.3, max: 0.97, noNaN: true }),
  })
  .map(({ columns, rows, count, numbers, smooth, turns }) => {
    const mesh = createTriangleMesh(rolledSheet(columns, rows, turns));
    return { mesh, modes: modesOn(mesh, count, numbers, smooth) };
  });

/** Directions in mode space. */
export function direction(count: number, numbers: readonly number[], from: number): number[] {
  const q = Array.from({ length: count }, (_, m) => numbers[(from + m) % numbers.length]);
  const length = Math.hypot(...q);
  return length > 1e-3 ? q.map((x) => x / length) : q.map((_, m) => (m === 0 ? 1 : 0));
}
