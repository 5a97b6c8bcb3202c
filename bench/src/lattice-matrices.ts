import { SymmetricMatrixBuilder } from '../../packages/pliant/src/algebra/sparse/matrix-builder.ts';
import {
  addScaled,
  diagonalMatrix,
  type SymmetricMatrix,
} from '../../packages/pliant/src/algebra/sparse/symmetric-matrix.ts';

/** Congruent tetrahedra on a body-centred cubic lattice in a box, as in the cages of the library. */
export interface Lattice {
  readonly points: Float64Array;
  readonly tetrahedra: Int32Array;
}

/** Between the centres of two neighbouring cubes and each edge of the face they share. */
export function createLattice(nx: number, ny: number, nz: number): Lattice {
  const counts = [nx, ny, nz];
  const number = new Map<string, number>();
  const points: number[] = [];
  const tetrahedra: number[] = [];
  const vertex = (x: number, y: number, z: number) => {
    const key = `${x} ${y} ${z}`;
    let id = number.get(key);
    if (id === undefined) {
      id = number.size;
      number.set(key, id);
      points.push(x, y, z);
    }
    return id;
  };
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        const cube = [x, y, z];
        for (let axis = 0; axis < 3; axis++) {
          if (cube[axis] + 1 === counts[axis]) continue;
          const at = (along: number, u: number, v: number) => {
            const p = [0, 0, 0];
            p[axis] = cube[axis] + along;
            p[(axis + 1) % 3] = cube[(axis + 1) % 3] + u;
            p[(axis + 2) % 3] = cube[(axis + 2) % 3] + v;
            return vertex(p[0], p[1], p[2]);
          };
          const centres = [at(0.5, 0.5, 0.5), at(1.5, 0.5, 0.5)];
          const face = [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)];
          for (let k = 0; k < 4; k++) tetrahedra.push(...centres, face[k], face[(k + 1) % 4]);
        }
      }
    }
  }
  return { points: Float64Array.from(points), tetrahedra: Int32Array.from(tetrahedra) };
}

/** The cotangent Laplacian plus a little of the identity. */
export function laplacianOf({ points, tetrahedra }: Lattice): SymmetricMatrix {
  const builder = new SymmetricMatrixBuilder(points.length / 3, { expected: 2.5 * tetrahedra.length });
  const gradients = new Float64Array(12);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const volume = gradientsOf(points, tetrahedra, t, gradients);
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b <= a; b++) {
        const weight = volume * dot(gradients, a, b);
        if (Math.abs(weight) > 1e-12) builder.add(tetrahedra[t + a], tetrahedra[t + b], weight); // long edges: zero
      }
    }
  }
  return shifted(builder.build());
}

/** The stiffness of linear elasticity (Poisson's ratio 0.3) plus a little of the identity, in 3×3 blocks. */
export function stiffnessOf({ points, tetrahedra }: Lattice): SymmetricMatrix {
  const lambda = 0.577,
    mu = 0.385;
  const builder = new SymmetricMatrixBuilder(points.length, {
    blockSize: 3,
    expected: 2.5 * tetrahedra.length,
  });
  const g = new Float64Array(12),
    block = new Float64Array(9);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const volume = gradientsOf(points, tetrahedra, t, g);
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b <= a; b++) {
        const trace = mu * dot(g, a, b);
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            const entry = lambda * g[3 * a + r] * g[3 * b + c] + mu * g[3 * a + c] * g[3 * b + r];
            block[3 * r + c] = volume * (entry + (r === c ? trace : 0));
          }
        }
        builder.addBlock(tetrahedra[t + a], tetrahedra[t + b], block);
      }
    }
  }
  return shifted(builder.build());
}

function shifted(matrix: SymmetricMatrix): SymmetricMatrix {
  let largest = 0;
  for (let j = 0; j < matrix.size; j++) largest = Math.max(largest, matrix.value[matrix.start[j]]);
  return addScaled(matrix, diagonalMatrix(new Float64Array(matrix.size).fill(1)), 1e-6 * largest);
}

/** Gradients of the four barycentric coordinates; returns the volume. */
function gradientsOf(points: Float64Array, tetrahedra: Int32Array, t: number, out: Float64Array): number {
  const o = 3 * tetrahedra[t];
  const edge = (k: number, axis: number) => points[3 * tetrahedra[t + k] + axis] - points[o + axis];
  let sixVolumes = 0;
  for (let k = 1; k < 4; k++) {
    const i = (k % 3) + 1,
      j = (i % 3) + 1;
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3;
      out[3 * k + axis] = edge(i, u) * edge(j, v) - edge(i, v) * edge(j, u);
    }
    if (k === 1) sixVolumes = edge(1, 0) * out[3] + edge(1, 1) * out[4] + edge(1, 2) * out[5];
  }
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 1; k < 4; k++) out[3 * k + axis] /= sixVolumes;
    out[axis] = -out[3 + axis] - out[6 + axis] - out[9 + axis];
  }
  return Math.abs(sixVolumes) / 6;
}

function dot(g: Float64Array, a: number, b: number): number {
  return g[3 * a] * g[3 * b] + g[3 * a + 1] * g[3 * b + 1] + g[3 * a + 2] * g[3 * b + 2];
}
