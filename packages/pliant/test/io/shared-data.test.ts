import { describe, expect, test } from 'vitest';
import { readDmat } from '../../src/io/dmat.ts';
import { readInterp } from '../../src/io/interp.ts';
import { readObj } from '../../src/io/obj.ts';
import { readPc2 } from '../../src/io/point-cache.ts';
import { readMesh } from '../../src/io/read-mesh.ts';
import { readTgf } from '../../src/io/tgf.ts';
import { readVeg } from '../../src/io/veg.ts';
import { hasSharedData, sharedFile } from './shared-data.ts';

interface Truth {
  vertices: number;
  triangles: number;
  tets?: number;
  frames?: number;
}

const truth = hasSharedData ? readTruth() : {};
const meshes = Object.entries(truth).filter(([path]) => !/\.(glb|gltf|pc2)$/.test(path));
const caches = Object.entries(truth).filter(([path]) => path.endsWith('.pc2'));
const objs = meshes.filter(([path]) => path.endsWith('.obj'));

describe.skipIf(!hasSharedData)('real files', () => {
  test('there are some', () => {
    expect(meshes.length).toBeGreaterThanOrEqual(25);
    expect(caches.length).toBe(2);
  });

  test.each(meshes)('%s has its vertices and triangles', async (path, expected) => {
    const readSibling = async (name: string) => sharedFile(name);
    const file = await readMesh(sharedFile(path), path, { readSibling });
    expect(file.positions.length / 3).toBe(expected.vertices);
    if (file.kind === 'triangles') {
      expect(file.triangles.length / 3).toBe(expected.triangles);
      expect(expected.tets).toBeUndefined();
      expect(file.groups.reduce((sum, { triangleCount }) => sum + triangleCount, 0)).toBe(expected.triangles);
    } else {
      expect(file.tetrahedra.length / 4).toBe(expected.tets);
      expect(boundaryFaceCount(file.tetrahedra)).toBe(expected.triangles);
    }
  });

  test.each(objs)('%s has the values that Number gives', (path) => {
    const { positions, triangles } = readObj(sharedFile(path), path);
    const lines = new TextDecoder()
      .decode(sharedFile(path))
      .split(/\r?\n/)
      .map((line) => line.split(/\s+/));
    const vertices = lines
      .filter(([keyword]) => keyword === 'v')
      .flatMap((line) => line.slice(1, 4).map(Number));
    const faces = lines
      .filter(([keyword]) => keyword === 'f')
      .map((line) => line.slice(1).filter(Boolean).map(Number.parseFloat));
    const fanned = faces.flatMap((face) =>
      face.slice(2).flatMap((corner, i) => [face[0] - 1, face[i + 1] - 1, corner - 1]),
    );
    expect(
      Buffer.compare(new Uint8Array(positions.buffer), new Uint8Array(Float64Array.from(vertices).buffer)),
    ).toBe(0);
    expect(
      Buffer.compare(new Uint8Array(triangles.buffer), new Uint8Array(Uint32Array.from(fanned).buffer)),
    ).toBe(0);
  });

  test.each(caches)('%s has its frames; its mesh has as many vertices', (path, expected) => {
    const cache = readPc2(sharedFile(path), path);
    const mesh = readObj(sharedFile(path.replace('.pc2', '.obj')), path);
    expect(cache).toMatchObject({ pointCount: expected.vertices, frameCount: expected.frames, frameRate: 1 });
    expect(mesh.positions.length / 3).toBe(expected.vertices);
    expect(mesh.triangles.length / 3).toBe(expected.triangles);
    const first = cache.frame(0, new Float64Array(3 * cache.pointCount));
    expect(first.every((value, i) => Math.abs(value - mesh.positions[i]) < 1e-5)).toBe(true);
  });

  test('the dragon is interpolated from its tetrahedra', () => {
    const obj = readObj(sharedFile('tet/asianDragon/asianDragon.obj'), 'obj');
    const veg = readVeg(sharedFile('tet/asianDragon/asianDragon.veg'), 'veg');
    const { nodes, weights } = readInterp(sharedFile('tet/asianDragon/asianDragon.interp'), 'interp');
    expect(nodes.length / 4).toBe(obj.positions.length / 3);
    let worst = 0;
    for (let i = 0; i < obj.positions.length; i++) {
      const v = Math.floor(i / 3);
      let value = 0;
      for (let k = 4 * v; k < 4 * v + 4; k++) value += weights[k] * veg.positions[3 * nodes[k] + (i % 3)];
      worst = Math.max(worst, Math.abs(value - obj.positions[i]));
    }
    expect(worst).toBeLessThan(1e-5);
  });

  test('skinning weights are a matrix of vertices by bones, each row of sum 1', () => {
    const { rows, columns, values } = readDmat(sharedFile('skinned-dmat/arm-weights.dmat'), 'dmat');
    expect([rows, columns]).toEqual([8311, 4]);
    for (let row = 0; row < rows; row++) {
      const sum = values[row] + values[rows + row] + values[2 * rows + row] + values[3 * rows + row];
      expect(Math.abs(sum - 1)).toBeLessThan(1e-5);
    }
    expect(readTgf(sharedFile('skinned-dmat/arm.tgf'), 'tgf').bones.length / 2).toBe(columns);
    expect(readTgf(sharedFile('tet/hand/hand.tgf'), 'tgf').positions.length / 3).toBe(21);
  });
});

function readTruth(): Record<string, Truth> {
  return JSON.parse(new TextDecoder().decode(sharedFile('truth/summary.json'))).files;
}

/** Faces of one tetrahedron only. */
function boundaryFaceCount(tetrahedra: Uint32Array): number {
  const open = new Set<string>();
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let skipped = 0; skipped < 4; skipped++) {
      const corners = [...tetrahedra.subarray(t, t + 4)].filter((_, i) => i !== skipped);
      const face = corners.sort((a, b) => a - b).join();
      if (!open.delete(face)) open.add(face);
    }
  }
  return open.size;
}
