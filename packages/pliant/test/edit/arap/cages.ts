import { createCage, type ReportedCage } from '../../../src/edit/cage.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { ball, box, meshOf } from '../../solid/meshes.ts';

/** A bar of about as many vertices as told. */
export function bar(vertices = 150): ReportedCage {
  return createCage(meshOf(box([-1, -0.2, -0.2], [1, 0.2, 0.2])), { vertices });
}

/** A large ball and a small one beside it, which nothing connects. */
export function twoBalls(attach = true): ReportedCage {
  return createCage(meshOf(ball(3, 1), ball(2, 0.3, [1.8, 0, 0])), { vertices: 300, attach });
}

/** Cubes of six tetrahedra each, with vertices moved by a little: some cotangents are negative. */
export function crookedBlock(cubes: number, shift: (i: number) => number): TetrahedralMesh {
  const n = cubes + 1;
  const positions: number[] = [],
    tetrahedra: number[] = [];
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        const i = positions.length;
        positions.push(x + shift(i), y + shift(i + 1), z + shift(i + 2));
      }
    }
  }
  const at = (x: number, y: number, z: number) => x + n * (y + n * z);
  const paths = [
    [1, 2, 4],
    [1, 4, 2],
    [2, 1, 4],
    [2, 4, 1],
    [4, 1, 2],
    [4, 2, 1],
  ];
  for (let z = 0; z < cubes; z++) {
    for (let y = 0; y < cubes; y++) {
      for (let x = 0; x < cubes; x++) {
        for (const path of paths) {
          let corner = 0;
          tetrahedra.push(at(x, y, z));
          for (const step of path) {
            corner |= step;
            tetrahedra.push(at(x + (corner & 1), y + ((corner >> 1) & 1), z + (corner >> 2)));
          }
        }
      }
    }
  }
  return createTetrahedralMesh({ positions, tetrahedra });
}

/** Numbers from 0 to 1 that look random; the same for the same seed. */
export function noise(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The rest shape turned about a diagonal, moved, and shaken. */
export function posed(rest: Float64Array, angle: number, shake: number, seed = 1): Float64Array {
  const random = noise(seed);
  const c = Math.cos(angle),
    s = Math.sin(angle);
  const out = new Float64Array(rest.length);
  for (let i = 0; i < rest.length; i += 3) {
    const [x, y, z] = [rest[i], rest[i + 1], rest[i + 2]];
    const u = c * x - s * y,
      v = s * x + c * y;
    out[i] = u + 0.3;
    out[i + 1] = c * v - s * z - 0.2;
    out[i + 2] = s * v + c * z + 0.1;
    for (let k = 0; k < 3; k++) out[i + k] += shake * (random() - 0.5);
  }
  return out;
}
