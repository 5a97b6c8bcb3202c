import fc from 'fast-check';
import type { Body, Engine, TriangleMesh } from '../../../src/index.ts';
import { amount, deform, roughSheet, smallMesh, squashedBall } from './energy-cases.ts';

/** A strip that is curled up in its plane, up to more than once around: all triangles face one way. */
export function curl(mesh: TriangleMesh, columns: number, turns: number, rise: number): Float64Array {
  const out = new Float64Array(mesh.positions.length);
  for (let o = 0; o < out.length; o += 3) {
    const [x, y, z] = mesh.positions.subarray(o, o + 3);
    const angle = (2 * Math.PI * turns * x) / columns,
      radius = 3 + y;
    out.set([radius * Math.cos(angle), radius * Math.sin(angle), 0.1 * z + rise * x], o);
  }
  return out;
}

export interface Posed {
  readonly mesh: TriangleMesh;
  readonly poses: [Float64Array, Float64Array];
}

const size = fc.integer({ min: 4, max: 9 });
export const posed: fc.Arbitrary<Posed> = fc.oneof(
  fc
    .tuple(fc.oneof(smallMesh, squashedBall), fc.nat(), amount, amount)
    .map(([mesh, seed, first, second]) => ({
      mesh,
      poses: [deform(mesh, seed, first), deform(mesh, seed, second)],
    })),
  fc
    .record({
      columns: fc.integer({ min: 12, max: 24 }),
      rows: fc.integer({ min: 2, max: 4 }),
      seed: fc.nat(),
      turns: fc.array(fc.double({ min: 0.05, max: 1.4, noNaN: true }), { minLength: 2, maxLength: 2 }),
      rise: fc.constantFrom(0, 0, 0.01, 0.3),
    })
    .map(({ columns, rows, seed, turns, rise }) => {
      const mesh = roughSheet(columns, rows, 0.2, seed);
      return { mesh, poses: [curl(mesh, columns, turns[0], rise), curl(mesh, columns, turns[1], rise)] };
    }),
  fc
    .record({ columns: size, rows: size, seed: fc.nat(), height: fc.double({ min: 0, max: 4, noNaN: true }) })
    .map(({ columns, rows, seed, height }) => {
      const mesh = roughSheet(columns, rows, 0.2, seed);
      const bulge = (by: number) =>
        mesh.positions.map((value, k) => {
          const [x, y] = mesh.positions.subarray(k - (k % 3), k - (k % 3) + 2);
          return k % 3 === 2 ? value + by * Math.sin((3 * x) / columns) * Math.sin((3 * y) / rows) : value;
        });
      return { mesh, poses: [bulge(height), bulge(-height / 2)] };
    }),
) as fc.Arbitrary<Posed>;

export function withBody(engine: Engine, mesh: TriangleMesh, check: (body: Body) => void): void {
  const body = engine.createFreeBody(mesh, { split: 'connected' });
  try {
    check(body);
  } finally {
    body.dispose();
  }
}
