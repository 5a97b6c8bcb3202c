import fc from 'fast-check';
import type { SymmetricMatrix } from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { createCage } from '../../../src/edit/cage.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';

/** Cubes of a grid, each cut into six tetrahedra along the same diagonal. */
export interface Cubes {
  readonly size: readonly [number, number, number];
  /** Per cube, x fastest: whether it is there. */
  readonly isThere: readonly boolean[];
  /** Moves the corners of the grid. */
  readonly place?: (x: number, y: number, z: number) => readonly number[];
}

/** The corners of a cube are numbered by bits; these are the ways along edges from 0 to 7. */
const WAYS = [
  [0, 1, 3, 7],
  [0, 1, 5, 7],
  [0, 2, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 4, 6, 7],
];

export function cubesMesh({ size, isThere, place = (x, y, z) => [x, y, z] }: Cubes): TetrahedralMesh {
  const [nx, ny, nz] = size;
  const number = new Map<number, number>();
  const positions: number[] = [],
    tetrahedra: number[] = [];
  const corner = (x: number, y: number, z: number) => {
    const key = x + (nx + 1) * (y + (ny + 1) * z);
    if (!number.has(key)) {
      number.set(key, number.size);
      positions.push(...place(x, y, z));
    }
    return number.get(key)!;
  };
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        if (!isThere[x + nx * (y + ny * z)]) continue;
        for (const way of WAYS) {
          for (const c of way) tetrahedra.push(corner(x + (c & 1), y + ((c >> 1) & 1), z + (c >> 2)));
        }
      }
    }
  }
  return createTetrahedralMesh({ positions, tetrahedra });
}

/** A block of cubes. */
export function blockCage(nx: number, ny: number, nz: number): Cage {
  return createCage(cubesMesh({ size: [nx, ny, nz], isThere: new Array(nx * ny * nz).fill(true) }));
}

/** Blocks with holes, in pieces, bent and with corners moved at random; parts may meet in vertices and edges. */
export const cages = (attach = true): fc.Arbitrary<Cage> =>
  fc
    .record({
      size: fc.tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
      ),
      holes: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      solid: fc.boolean(),
      shifts: fc.array(fc.integer({ min: -25, max: 25 }), { minLength: 37, maxLength: 37 }),
    })
    .map(({ size, holes, solid, shifts }) => {
      const isThere = holes.slice(0, size[0] * size[1] * size[2]).map((is) => solid || is);
      isThere[0] = true;
      const shift = (k: number) => shifts[k % shifts.length] / 100;
      const place = (x: number, y: number, z: number) => {
        const k = 3 * (x + 7 * y + 31 * z);
        return [x + shift(k), y + shift(k + 1), z + shift(k + 2)];
      };
      return createCage(cubesMesh({ size, isThere, place }), { attach });
    });

/** The matrix in full. */
export function dense({ size, start, row, value }: SymmetricMatrix): Float64Array {
  const full = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let p = start[j]; p < start[j + 1]; p++) {
      full[row[p] * size + j] = value[p];
      full[j * size + row[p]] = value[p];
    }
  }
  return full;
}
