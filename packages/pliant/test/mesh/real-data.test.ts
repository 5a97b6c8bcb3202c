import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createTetrahedralMesh } from '../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** Counts from CGAL, in ../shared/data or PLIANT_DATA; when the variable is set, a missing file fails. */
const DATA = process.env.PLIANT_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const SKIP = process.env.PLIANT_DATA === undefined && !existsSync(`${DATA}/truth/summary.json`);

interface Truth {
  vertices: number;
  weldedUsedVertices: number;
  triangles: number;
  boundaryEdges: number;
  nonManifoldEdges: number;
  components: number;
  degenerateFaces: number;
}

describe.skipIf(SKIP)('counts of real meshes', () => {
  test.each([
    'selfx/cow.off',
    'selfx/klein_bottle.obj',
    'selfx/self_intersectA.obj',
    'static/bunny-14k.obj',
    'static/cloth100.obj',
    'tet/asianDragon/asianDragon.obj',
  ])('%s', (file) => {
    const mesh = createTriangleMesh(file.endsWith('.off') ? readOff(file) : readObj(file));
    expect(countsOf(mesh)).toEqual(truthOf(file));
  });

  test('tet/armadillo_4k: the boundary of tetrahedra', () => {
    const nodes = readNumbers('tet/armadillo_4k.node', 4);
    const tets = readNumbers('tet/armadillo_4k.ele', 5);
    const solid = createTetrahedralMesh({
      positions: nodes.flatMap(([, x, y, z]) => [x, y, z]),
      tetrahedra: tets.flatMap((row) => row.slice(1)),
    });
    const surface = createTriangleMesh({ positions: solid.positions, triangles: solid.boundaryTriangles });
    expect(countsOf(surface)).toEqual(truthOf('tet/armadillo_4k.node'));
    expect(surface.isClosed).toBe(true);
    expect(solid.defects.flatTetrahedra + solid.defects.nonManifoldFaces).toBe(0);
  });
});

function truthOf(file: string): Truth {
  const { files } = JSON.parse(readFileSync(`${DATA}/truth/summary.json`, 'utf8'));
  const {
    vertices,
    weldedUsedVertices,
    triangles,
    boundaryEdges,
    nonManifoldEdges,
    components,
    degenerateFaces,
  } = files[file] as Truth;
  return {
    vertices,
    weldedUsedVertices,
    triangles,
    boundaryEdges,
    nonManifoldEdges,
    components,
    degenerateFaces,
  };
}

function countsOf(mesh: TriangleMesh): Truth {
  return {
    vertices: mesh.sourceVertexCount,
    weldedUsedVertices: mesh.vertexCount - mesh.defects.unusedVertices,
    triangles: mesh.triangleCount,
    boundaryEdges: mesh.defects.boundaryEdges,
    nonManifoldEdges: mesh.defects.nonManifoldEdges,
    components: mesh.componentCount,
    degenerateFaces: mesh.defects.degenerateTriangles,
  };
}

function readObj(file: string) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const line of readFileSync(`${DATA}/${file}`, 'utf8').split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'v') positions.push(...rest.slice(0, 3).map(Number));
    if (word === 'f')
      addFan(
        triangles,
        rest.map((corner) => Number.parseInt(corner, 10) - 1),
      );
  }
  return { positions, triangles };
}

function readOff(file: string) {
  const lines = readFileSync(`${DATA}/${file}`, 'utf8').trim().split('\n').slice(1);
  const [vertexCount, faceCount] = lines[0].split(' ').map(Number);
  const rows = lines.slice(1).map((line) => line.trim().split(/\s+/).map(Number));
  const triangles: number[] = [];
  for (const [count, ...corners] of rows.slice(vertexCount, vertexCount + faceCount)) {
    addFan(triangles, corners.slice(0, count));
  }
  return { positions: rows.slice(0, vertexCount).flat(), triangles };
}

function addFan(triangles: number[], corners: number[]): void {
  for (let k = 2; k < corners.length; k++) triangles.push(corners[0], corners[k - 1], corners[k]);
}

function readNumbers(file: string, columns: number): number[][] {
  const lines = readFileSync(`${DATA}/${file}`, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.trim().split(/\s+/).map(Number)).filter((row) => row.length === columns);
}
