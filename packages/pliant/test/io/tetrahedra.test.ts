import { describe, expect, test } from 'vitest';
import { readGmsh } from '../../src/io/gmsh.ts';
import { readMedit } from '../../src/io/medit.ts';
import type { MeshFile, TetFile } from '../../src/io/mesh-file.ts';
import { readTetgen } from '../../src/io/tetgen.ts';
import { readVeg } from '../../src/io/veg.ts';
import { readVtk } from '../../src/io/vtk.ts';
import { expectInputError } from './expect-input-error.ts';
import * as sample from './sample-files.ts';
import { ByteWriter, POINTS, TETS, TRIANGLES, text } from './sample-files.ts';

type Reader = (bytes: Uint8Array, fileName: string) => MeshFile | TetFile;

const readPair =
  (base: number): Reader =>
  (bytes) =>
    readTetgen({ node: bytes, nodeName: 'a.node', ele: sample.eleSample(base), eleName: 'a.ele' });

describe.each<[string, Reader, Uint8Array, number[]]>([
  ['MEDIT', readMedit, sample.meditSample(), TRIANGLES],
  ['Gmsh 2.2 ascii', readGmsh, sample.gmsh2Sample(), TRIANGLES],
  ['Gmsh 2.2 little endian', readGmsh, sample.binaryGmsh2Sample(true), TRIANGLES],
  ['Gmsh 2.2 big endian', readGmsh, sample.binaryGmsh2Sample(false), TRIANGLES],
  ['Gmsh 4.1 ascii', readGmsh, sample.gmsh4Sample(), TRIANGLES],
  ['Gmsh 4.1 little endian', readGmsh, sample.binaryGmsh4Sample(true), TRIANGLES],
  ['Gmsh 4.1 big endian', readGmsh, sample.binaryGmsh4Sample(false), TRIANGLES],
  ['TetGen from 0', readPair(0), sample.nodeSample(0), []],
  ['TetGen from 1', readPair(1), sample.nodeSample(1), []],
  ['VTK ascii', readVtk, sample.vtkSample(), TRIANGLES],
  ['VTK binary', readVtk, sample.binaryVtkSample(), TRIANGLES],
  ['VTK 5.1 ascii', readVtk, sample.vtk5Sample(false), TRIANGLES],
  ['VTK 5.1 binary', readVtk, sample.vtk5Sample(true), TRIANGLES],
  ['Vega from 0', readVeg, sample.vegSample(0), []],
  ['Vega from 1', readVeg, sample.vegSample(1), []],
])('%s', (_, read, bytes, triangles) => {
  test('positions, tetrahedra and the triangles beside them', () => {
    const file = read(bytes, 'folder/a.tet') as TetFile;
    expect(file.kind).toBe('tetrahedra');
    expect(file.name).toBe('a');
    expect([...file.positions]).toEqual(POINTS);
    expect([...file.tetrahedra]).toEqual(TETS);
    expect([...file.triangles]).toEqual(triangles);
  });

  test('a file cut short is refused or lacks its end only', () => {
    const whole = read(bytes, 'a');
    let refused = 0;
    for (let length = 0; length < bytes.length; length++) {
      try {
        expect(read(bytes.slice(0, length), 'a').positions).toEqual(whole.positions);
      } catch (error) {
        expect(String(error)).toMatch(/^InputError: a[^\n]*$/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0.5 * bytes.length);
  });
});

test('polygonal VTK data is a surface', () => {
  const file = readVtk(sample.polydataSample(), 'a.vtk');
  expect(file.kind).toBe('triangles');
  expect([...file.triangles]).toEqual(TRIANGLES);
});

test('VTK triangle strips are expanded, every second triangle turned', () => {
  const head = '# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n';
  const file = readVtk(text(`${head}${POINTS.join(' ')}\nTRIANGLE_STRIPS 1 6\n5 0 1 2 3 4\n`), 'a.vtk');
  expect([...file.triangles]).toEqual([0, 1, 2, 2, 1, 3, 2, 3, 4]);
});

test('a MEDIT file of triangles only is a surface', () => {
  const file = readMedit(
    text('MeshVersionFormatted 1 Dimension 3 Vertices 1 0 0 0 0 Triangles 1 1 1 1 0'),
    'a',
  );
  expect(file).toEqual({
    kind: 'triangles',
    name: 'a',
    positions: new Float64Array(3),
    triangles: new Uint32Array(3),
    groups: [{ object: '', name: '', material: '', firstTriangle: 0, triangleCount: 1 }],
  });
});

const GMSH2 = '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n';
const NODES2 = `${GMSH2}$Nodes\n2\n5 0 0 0\n9 0 0 0\n$EndNodes\n`;
const GRID = '# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 double\n0 0 0\n';
const MEDIT = 'MeshVersionFormatted 1\nDimension 3\n';

test.each<[Reader, string, Parameters<typeof expectInputError>[1], string]>([
  [readMedit, 'Vertices', 'syntax', 'a:1: a MEDIT file starts with MeshVersionFormatted'],
  [readMedit, 'MeshVersionFormatted 1\nDimension 2\n', 'unsupported', 'a:2: dimension 2'],
  [readMedit, `${MEDIT}Vertices\n500\n0 0 0 0\n`, 'truncated', 'a:4: vertices: 500, but only 9 bytes follow'],
  [readMedit, `${MEDIT}Triangles 1\n1 1 1 0\n`, 'unsupported', 'a:3: elements before Vertices'],
  [
    readMedit,
    `${MEDIT}Vertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 2 0`,
    'index-out-of-range',
    'a:6: an element uses vertex 2',
  ],
  [readMedit, `${MEDIT}Vertices 1\n0 0 0 0\nHexahedra 1\n1 1 1 2 0`, 'unsupported', 'a:5: 1 hexahedra'],
  [readMedit, `${MEDIT}Vertices 1\n0 0 0 0\n? 1\n`, 'syntax', 'a:5: expected a keyword, found "?"'],
  [readMedit, `${MEDIT}Vertices 1\n0 0 0 0\nVertices 0`, 'syntax', 'a:5: Vertices for a second time'],
  [readGmsh, `${NODES2}$Nodes\n`, 'syntax', 'a:9: $Nodes for a second time'],
  [
    readGmsh,
    `${NODES2}$Elements\n0\n$EndElements\n$Elements\n`,
    'syntax',
    'a:12: $Elements for a second time',
  ],
  [readVeg, '*VERTICES\n0 3\n*VERTICES\n', 'syntax', 'a:3: *VERTICES for a second time'],
  [readMedit, MEDIT, 'truncated', 'a:3: no Vertices'],
  [readGmsh, '$Nodes\n', 'syntax', 'a:1: a Gmsh file starts with $MeshFormat'],
  [readGmsh, '$MeshFormat\n4.0 0 8\n', 'unsupported', 'a:2: version "4.0"'],
  [readGmsh, '$MeshFormat\n2.2 0 4\n', 'unsupported', 'a:2: sizes of 4 bytes'],
  [
    readGmsh,
    '$MeshFormat\n2.2 1 8\n\u0002\u0001\u0001\u0002',
    'syntax',
    'a: byte 20: the mark of the byte order is not 1',
  ],
  [readGmsh, `${GMSH2}$Nodes\n1000000\n1 0 0 0\n`, 'truncated', 'a:5: nodes: 1000000'],
  [readGmsh, `${GMSH2}$Nodes\n2\n5 0 0 0\n5 0 0 0\n$EndNodes\n`, 'syntax', 'two nodes with the same tag'],
  [readGmsh, `${GMSH2}$Nodes\n1\n5 0 0 0\nrubbish`, 'syntax', 'a:7: expected $EndNodes, found "rubbish"'],
  [
    readGmsh,
    `${NODES2}$Elements\n1\n1 4 0 5 9 5 6\n$EndElements\n`,
    'index-out-of-range',
    'a:11: an element uses node 6',
  ],
  [
    readGmsh,
    `${NODES2}$Elements\n1\n1 11 0 5 9 5 6\n$EndElements\n`,
    'unsupported',
    'a:11: a curved tetrahedron',
  ],
  [
    readGmsh,
    `${NODES2}$Elements\n1\n1 93 0 5 9 5 6\n$EndElements\n`,
    'unsupported',
    'a:11: an element of type 93',
  ],
  [readGmsh, `${GMSH2}$Elements\n`, 'syntax', 'a:4: $Elements before $Nodes'],
  [readGmsh, `${GMSH2}$Comments\nno end`, 'truncated', 'a:4: $Comments has no end'],
  [readGmsh, NODES2, 'truncated', 'a:9: no $Elements'],
  [readVtk, 'vtk', 'syntax', 'a:1: a VTK file starts with'],
  [
    readVtk,
    GRID.replace('UNSTRUCTURED_GRID', 'RECTILINEAR_GRID'),
    'unsupported',
    'a:4: dataset "RECTILINEAR_GRID"',
  ],
  [readVtk, GRID.replace('POINTS 1', 'POINTS 100'), 'truncated', 'a:5: coordinates: 300'],
  [readVtk, GRID.replace('double', 'quadruple'), 'unsupported', 'a:5: values of type "quadruple"'],
  [
    readVtk,
    `${GRID}CELLS 1 5\n4 0 0 0 1\nCELL_TYPES 1\n10\n`,
    'index-out-of-range',
    'a:7: cell 0 uses vertex 1',
  ],
  [readVtk, `${GRID}CELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n12\n`, 'unsupported', 'a:7: cell 0 is of type 12'],
  [
    readVtk,
    `${GRID}CELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n`,
    'syntax',
    'a:7: cell 0 of type 10 has 3 corners',
  ],
  [readVtk, `${GRID}CELLS 1 4\n9 0 0 0\nCELL_TYPES 1\n10\n`, 'syntax', 'a:7: cell 0 has 9 corners'],
  [readVtk, `${GRID}CELLS 1 4\n3 0 0 0\n`, 'mismatch', 'a:7: no cell types for 1 cells'],
  [readVtk, `${GRID}RUBBISH`, 'syntax', 'a:7: expected a section such as POINTS, found "RUBBISH"'],
  [readVeg, '*VERTICES\n1 3\n1 0 0 0\n', 'truncated', 'a:4: no *ELEMENTS'],
  [readVeg, '*VERTICES\n1 3\n2 0 0 0\n', 'syntax', 'a:3: number 2, expected 0 or 1'],
  [readVeg, '*VERTICES\n1 3\n1 0 0 0\n*ELEMENTS\nCUBIC\n', 'unsupported', 'a:5: elements "CUBIC"'],
  [
    readVeg,
    '*VERTICES\n1 3\n1 0 0 0\n*ELEMENTS\nTET\n1 4\n1 1 1 1 2',
    'index-out-of-range',
    'a:7: an element uses vertex 2',
  ],
  [readVeg, '*INCLUDE /etc/passwd', 'unsupported', 'a:1: *INCLUDE of another file'],
  [readPair(1), '5 2 0 0\n', 'truncated', 'a.node:1: nodes: 5'],
  [readPair(1), `5 2 0 0\n${'0 '.repeat(40)}`, 'unsupported', 'a.node:1: dimension 2'],
  [readPair(1), '1 3 0 0\n1 0 0 0\n', 'index-out-of-range', 'a.ele:2: a tetrahedron uses node 2'],
  [readPair(1), '2 3 0 0\n1 0 0 0\n3 0 0 0', 'syntax', 'a.node:3: number 3, expected 2'],
])('%o refuses %j', (read, content, code, said) => {
  expectInputError(() => read(text(content), 'a'), code, said);
});

test('binary errors name their byte', () => {
  const node = new ByteWriter().text('$MeshFormat\n2.2 1 8\n').int32(1).text('\n$EndMeshFormat\n$Nodes\n1\n');
  const start = node.bytes().length;
  const nan = node.int32(1).float64(0, Number.NaN, 0).bytes();
  expectInputError(() => readGmsh(nan, 'a'), 'not-finite', `a: byte ${start + 12}: a coordinate: NaN`);

  const grid = new ByteWriter(false).text('# vtk DataFile Version 2.0\nt\nBINARY\nDATASET POLYDATA\n');
  const points = grid.bytes().length;
  const bad = grid.text('POINTS 1 float\n').float32(0, Number.NaN, 0).bytes();
  expectInputError(() => readVtk(bad, 'a'), 'not-finite', `a: byte ${points}: point 0: NaN`);
});
