import type { TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import type { VibrationModes } from '../../../src/simulate/modes/compute-modes.ts';
import { timoshenkoFrequencies } from './timoshenko.ts';

/** A beam along x, held at x = 0. Width is along y, height along z. */
export const BEAM = { length: 1, width: 0.125, height: 0.1 };
export const BEAM_MATERIAL = { young: 1, poisson: 0.3, density: 1 };
const WANTED = 5;

/** The first five bending frequencies in both planes, as Timoshenko has them, ascending. */
export function beamTheory(): number[] {
  return [BEAM, { ...BEAM, width: BEAM.height, height: BEAM.width }]
    .flatMap((beam) => timoshenkoFrequencies(beam, BEAM_MATERIAL, WANTED))
    .sort((a, b) => a - b)
    .slice(0, WANTED);
}

/** Those of computed modes; torsion and stretching are left out. */
export function bendingFrequencies(mesh: TetrahedralMesh, modes: VibrationModes): number[] {
  return [...modes.frequencies].filter((_, m) => isBending(mesh, modes, m)).slice(0, WANTED);
}

export function verticesUpTo({ positions, vertexCount }: TetrahedralMesh, root: number): number[] {
  return Array.from({ length: vertexCount }, (_, v) => v).filter((v) => positions[3 * v] <= root);
}

/** Two triangles a side. */
export function beamSurface(): { positions: number[]; triangles: number[] } {
  const { length, width, height } = BEAM;
  const corners = Array.from({ length: 8 }, (_, c) => [
    length * (c & 1),
    width * ((c >> 1) & 1),
    height * (c >> 2),
  ]);
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { positions: corners.flat(), triangles: faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]) };
}

/** Near the tip everything moves sideways together, neither along the beam nor about it. */
function isBending(
  { positions, vertexCount }: TetrahedralMesh,
  { vectors }: VibrationModes,
  mode: number,
): boolean {
  let y = 0,
    z = 0,
    squares = 0,
    tip = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (positions[3 * v] < 0.96 * BEAM.length) continue;
    const o = 3 * (mode * vertexCount + v);
    tip++;
    y += vectors[o + 1];
    z += vectors[o + 2];
    squares += vectors[o] ** 2 + vectors[o + 1] ** 2 + vectors[o + 2] ** 2;
  }
  return (y * y + z * z) / tip > 0.4 * squares;
}
