import { describe, expect, test } from 'vitest';
import type { TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { computeModes } from '../../../src/simulate/modes/compute-modes.ts';
import { createLattice } from '../../../src/solid/index.ts';
import { BEAM, BEAM_MATERIAL, beamSurface, beamTheory, bendingFrequencies, verticesUpTo } from './beam.ts';
import { createBox } from './boxes.ts';
import { timoshenkoFrequencies } from './timoshenko.ts';

const isFull = process.env.PLIANT_FULL !== undefined;

test('the theory itself: slender beams go to Euler and Bernoulli', () => {
  const slender = timoshenkoFrequencies({ length: 1, width: 0.002, height: 0.002 }, BEAM_MATERIAL, 3);
  const factor = Math.sqrt(0.002 ** 2 / 12) / (2 * Math.PI);
  [1.8751041, 4.6940911, 7.8547574].forEach((root, k) => {
    expect(Math.abs(slender[k] / (root * root * factor) - 1)).toBeLessThan(2e-4);
  });
});

describe('a beam held at one end, of linear tetrahedra', () => {
  test("its first five bending frequencies fall towards Timoshenko's", async () => {
    const [coarse, fine] = [await bendingErrors(2), await bendingErrors(4)];
    fine.forEach((error, k) => {
      expect(error).toBeGreaterThan(0); // linear tetrahedra are too stiff
      expect(error / coarse[k]).toBeLessThan(0.4); // a quarter, were the mesh fine enough
    });
  });

  // 16,393 vertices. With 2, 4, 8, 12 layers the worst of the five is off by 33.6, 10.2, 3.1, 1.7 %.
  test.runIf(isFull)('with 12 layers they are within 2 %', async () => {
    for (const error of await bendingErrors(12)) expect(Math.abs(error)).toBeLessThan(0.02);
  });

  test('in a lattice that ends outside it, weighted by fill, within 5 %', async () => {
    const cellSize = BEAM.length / 32;
    const surface = createTriangleMesh(beamSurface());
    const { tetrahedra, fill } = createLattice(surface, { cellSize, offset: [0, 0.37, 0.41] }); // a plane at the root
    const weights = fill.map((share) => Math.max(share, 1e-3));
    for (const error of await errorsOf(tetrahedra, cellSize / 4, weights)) {
      expect(Math.abs(error)).toBeLessThan(0.05);
    }
    const solid = await errorsOf(tetrahedra, cellSize / 4); // as if all of the lattice were there
    expect(Math.max(...solid.map(Math.abs))).toBeGreaterThan(0.05);
  });
});

function bendingErrors(layers: number): Promise<number[]> {
  const { length, width, height } = BEAM;
  return errorsOf(createBox({ cells: [8 * layers, layers, layers], size: [length, width, height] }), 0);
}

/** Relative, of the first five; everything up to `root` is held. */
async function errorsOf(mesh: TetrahedralMesh, root: number, weights?: Float64Array): Promise<number[]> {
  const modes = await computeModes(mesh, {
    material: BEAM_MATERIAL,
    count: 8,
    fixed: verticesUpTo(mesh, root),
    weights,
  });
  const found = bendingFrequencies(mesh, modes);
  return beamTheory().map((frequency, k) => found[k] / frequency - 1);
}
