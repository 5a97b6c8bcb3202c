import fc from 'fast-check';
import { createTriangleMesh, type TriangleMesh } from '../../../src/index.ts';
import { createGeodesicSphere } from '../../../src/shapes/geodesic-sphere.ts';
import { grid } from '../../arbitraries.ts';

/** Numbers from −1 to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** A sheet whose vertices are off the lattice by `rough` of a cell, so that no two triangles are alike. */
export function roughSheet(columns: number, rows: number, rough: number, seed: number): TriangleMesh {
  const next = randomNumbers(seed);
  const { positions, triangles } = grid(columns, rows);
  return createTriangleMesh({ positions: positions.map((x) => x + rough * next()), triangles });
}

/** An open tube: what is far along the surface may be close across. */
export function tube(around: number, along: number, seed: number): TriangleMesh {
  const next = randomNumbers(seed);
  const positions: number[] = [],
    triangles: number[] = [];
  const radius = around / (2 * Math.PI);
  for (let y = 0; y <= along; y++) {
    for (let x = 0; x < around; x++) {
      const angle = (2 * Math.PI * x) / around;
      positions.push(radius * Math.cos(angle) + 0.1 * next(), y + 0.1 * next(), radius * Math.sin(angle));
      const a = around * y + x,
        b = around * y + ((x + 1) % around);
      if (y < along) triangles.push(a, b, a + around, b, b + around, a + around);
    }
  }
  return createTriangleMesh({ positions, triangles });
}

/** Small meshes, of one piece. */
export const smallMesh: fc.Arbitrary<TriangleMesh> = fc
  .record({
    kind: fc.constantFrom('flat', 'sheet', 'sheet', 'tube'),
    columns: fc.integer({ min: 3, max: 8 }),
    rows: fc.integer({ min: 3, max: 8 }),
    seed: fc.nat(),
  })
  .map(({ kind, columns, rows, seed }) =>
    kind === 'tube'
      ? tube(columns + 2, rows, seed)
      : roughSheet(columns, rows, kind === 'flat' ? 0 : 0.3, seed),
  );

/** Closed and rather flat: where patches are put together no rim is left, and what they share cancels out. */
export const squashedBall: fc.Arbitrary<TriangleMesh> = fc
  .record({ frequency: fc.integer({ min: 1, max: 3 }), flat: fc.double({ min: 0.01, max: 1, noNaN: true }) })
  .map(({ frequency, flat }) => {
    const { positions, triangles } = createGeodesicSphere(frequency);
    return createTriangleMesh({
      positions: Float64Array.from(positions, (x, k) => (k % 3 === 1 ? flat * x : x)),
      triangles,
    });
  });

export function resized({ positions, triangles }: TriangleMesh, by: number): TriangleMesh {
  return createTriangleMesh({ positions: positions.map((x) => by * x), triangles });
}

/** A mesh under a smooth map, with noise, turned and stretched: from next to nothing to anything. */
export function deform(mesh: TriangleMesh, seed: number, amount: number): Float64Array {
  const next = randomNumbers(seed);
  const waves = Array.from({ length: 3 }, () => Array.from({ length: 7 }, next));
  const matrix = Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + 0.5 * next());
  const noise = 0.5 * amount * Math.abs(next());
  const out = new Float64Array(mesh.positions.length);
  for (let o = 0; o < out.length; o += 3) {
    const [x, y, z] = mesh.positions.subarray(o, o + 3);
    const moved = [x, y, z].map((value, k) => {
      const [a, b, c, d, e, f, g] = waves[k];
      const bend = 2 * a * Math.sin(b * x + c * y + d) + 2 * e * Math.sin(f * y + g * z);
      return value + amount * bend + noise * next();
    });
    for (let k = 0; k < 3; k++) {
      out[o + k] = matrix[3 * k] * moved[0] + matrix[3 * k + 1] * moved[1] + matrix[3 * k + 2] * moved[2];
    }
  }
  return out;
}

export const amount = fc.oneof(
  fc.double({ min: 0, max: 0.1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 6, noNaN: true }),
);
