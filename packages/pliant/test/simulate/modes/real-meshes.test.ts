import { describe, expect, test } from 'vitest';
import { readGmsh } from '../../../src/io/gmsh.ts';
import { readInterp } from '../../../src/io/interp.ts';
import { readMedit } from '../../../src/io/medit.ts';
import type { MeshFile, TetFile } from '../../../src/io/mesh-file.ts';
import { readObj } from '../../../src/io/obj.ts';
import { readVeg } from '../../../src/io/veg.ts';
import { readVtk } from '../../../src/io/vtk.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { computeModes } from '../../../src/simulate/modes/compute-modes.ts';
import { reduceSystem } from '../../../src/simulate/modes/elastic-system.ts';
import { surfaceModes } from '../../../src/simulate/modes/surface-modes.ts';
import { hasSharedData, sharedFile } from '../../io/shared-data.ts';

const isFull = process.env.PLIANT_FULL !== undefined;
const COUNT = 20;
const material = { young: 1e6, poisson: 0.45, density: 1000 };

type Read = (bytes: Uint8Array, fileName: string) => MeshFile | TetFile;

const SMALL: [string, Read][] = [['tet/asianDragon/asianDragon.veg', readVeg]];
const LARGE: [string, Read][] = [
  ['tet/Armadillo13K.msh', readGmsh],
  ['tet/hand/hand.mesh', readMedit],
  ['tet/octopus_11K.vtk', readVtk],
  ['tet/bunny.msh', readGmsh],
];

describe.skipIf(!hasSharedData)('real tetrahedra', () => {
  test.each(isFull ? [...SMALL, ...LARGE] : SMALL)(
    '%s: 20 modes, residuals below 1e-6',
    async (path, read) => {
      const file = read(sharedFile(path), path);
      if (file.kind !== 'tetrahedra') throw new Error(`${path} holds no tetrahedra`);
      const mesh = createTetrahedralMesh(file);
      const modes = await computeModes(mesh, { material, count: COUNT });
      expect(modes.rigidModes).toBeGreaterThanOrEqual(6);
      expect(Math.max(...modes.residuals)).toBeLessThan(1e-6);
      const { mass } = reduceSystem(modes.system, modes.vectors, COUNT);
      mass.forEach((x, i) => {
        expect(Math.abs(x - (i % (COUNT + 1) === 0 ? 1 : 0))).toBeLessThan(1e-10);
      });
      if (isFull) {
        const { assembly, ordering, factorisation, eigenpairs } = modes.times;
        const times = [assembly, ordering, factorisation, eigenpairs].map((ms) => ms.toFixed(0)).join(' + ');
        console.log(
          `${path}: ${mesh.vertexCount} vertices, ${mesh.tetrahedronCount} tetrahedra, ${modes.rigidModes} rigid, ` +
            `largest residual ${Math.max(...modes.residuals).toExponential(1)}, ${times} ms`,
        );
      }
    },
  );

  test('the dragon: modes of its embedded surface', async () => {
    const veg = readVeg(sharedFile('tet/asianDragon/asianDragon.veg'), 'veg');
    const obj = readObj(sharedFile('tet/asianDragon/asianDragon.obj'), 'obj');
    const { nodes, weights } = readInterp(sharedFile('tet/asianDragon/asianDragon.interp'), 'interp');
    const { vectors } = await computeModes(createTetrahedralMesh(veg), { material, count: 3 });
    const embedding = { controlPositions: veg.positions, influences: 4, controls: nodes, weights };
    const { count, displacements } = surfaceModes(vectors, embedding);
    expect(count).toBe(3);
    expect(displacements.length).toBe(3 * obj.positions.length);
    const inside = vectors.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const outside = Array.from(displacements).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(outside).toBeGreaterThan(0.5 * inside);
    expect(outside).toBeLessThan(2 * inside);
  });
});
