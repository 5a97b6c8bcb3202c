import { createTetrahedralMesh, type TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';

/** Six tetrahedra around the diagonal of each cell; cells beside each other are mirrored, so that no direction is preferred. */
const KUHN = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

export interface BoxOptions {
  cells: readonly [number, number, number];
  size?: readonly [number, number, number];
  offset?: readonly [number, number, number];
}

/** A box of tetrahedra that fit together. Vertex (i, j, k) has the number (i (ny + 1) + j) (nz + 1) + k. */
export function createBox({ cells, size = [1, 1, 1], offset = [0, 0, 0] }: BoxOptions): TetrahedralMesh {
  const [nx, ny, nz] = cells;
  const vertexAt = (i: number, j: number, k: number) => (i * (ny + 1) + j) * (nz + 1) + k;
  const positions: number[] = [],
    tetrahedra: number[] = [];
  for (let i = 0; i <= nx; i++) {
    for (let j = 0; j <= ny; j++) {
      for (let k = 0; k <= nz; k++) {
        positions.push(
          offset[0] + (size[0] * i) / nx,
          offset[1] + (size[1] * j) / ny,
          offset[2] + (size[2] * k) / nz,
        );
      }
    }
  }
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        const mirrored = (i + j + k) % 2 === 1;
        const corner = (c: number) =>
          vertexAt(i + mirror(c & 1, i), j + mirror((c >> 1) & 1, j), k + mirror(c >> 2, k));
        for (const [a, b, c, d] of KUHN) {
          tetrahedra.push(corner(a), corner(mirrored ? c : b), corner(mirrored ? b : c), corner(d));
        }
      }
    }
  }
  return createTetrahedralMesh({ positions, tetrahedra });
}

function mirror(bit: number, cell: number): number {
  return cell % 2 === 0 ? bit : 1 - bit;
}
