import fc from 'fast-check';
import type { TriangleMeshSource } from '../src/mesh/triangle-mesh.ts';

/** A small integer lattice gives exact touches, coplanar and degenerate triangles; reals give general position. */
const coordinate = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 2, arbitrary: fc.double({ min: -1, max: 4, noNaN: true }) },
);
const latticeCoordinate = fc.integer({ min: 0, max: 3 });
const realCoordinate = fc.double({ min: 0, max: 1, noNaN: true });

/** Triangles anywhere: seams, duplicates and degenerate ones included. */
export function triangleSoup(maxTriangles = 24): fc.Arbitrary<TriangleMeshSource> {
  return fc
    .record({
      kind: fc.constantFrom(latticeCoordinate, realCoordinate, coordinate),
      vertices: fc.integer({ min: 3, max: 2 * maxTriangles }),
      triangles: fc.integer({ min: 1, max: maxTriangles }),
    })
    .chain(({ kind, vertices, triangles }) =>
      fc.record({
        positions: fc.array(kind, { minLength: 3 * vertices, maxLength: 3 * vertices }),
        triangles: fc.array(fc.nat(vertices - 1), { minLength: 3 * triangles, maxLength: 3 * triangles }),
      }),
    );
}

/** A grid of triangles, flat at rest, so that neighbours share vertices; `pose` moves its vertices about. */
export function gridWithPose(maxSide = 7): fc.Arbitrary<{ source: TriangleMeshSource; pose: Float64Array }> {
  return fc
    .record({
      columns: fc.integer({ min: 1, max: maxSide }),
      rows: fc.integer({ min: 1, max: maxSide }),
      kind: fc.constantFrom(latticeCoordinate, realCoordinate, coordinate),
    })
    .chain(({ columns, rows, kind }) => {
      const source = grid(columns, rows);
      const length = source.positions.length;
      return fc
        .array(kind, { minLength: length, maxLength: length })
        .map((pose) => ({ source, pose: Float64Array.from(pose) }));
    });
}

/** Two triangles per cell in the plane z = 0. */
export function grid(columns: number, rows: number): { positions: number[]; triangles: number[] } {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let y = 0; y <= rows; y++) for (let x = 0; x <= columns; x++) positions.push(x, y, 0);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const a = y * (columns + 1) + x,
        b = a + 1,
        c = a + columns + 1,
        d = c + 1;
      triangles.push(a, b, c, b, d, c);
    }
  }
  return { positions, triangles };
}

/** Any 3×4 matrix: rotations are rare here, mirrors, shears and projections are not. */
export const matrix = fc.array(
  fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ min: -2, max: 2, noNaN: true })),
  { minLength: 12, maxLength: 12 },
);
