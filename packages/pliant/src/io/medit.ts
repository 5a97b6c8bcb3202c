import { type FileBytes, fileBytes } from './file-bytes.ts';
import type { MeshFile, TetFile } from './mesh-file.ts';
import { SolidElements } from './solid-elements.ts';
import { TextScanner } from './text-scanner.ts';

/**
 * MEDIT `.mesh`, ASCII: Vertices, Triangles, Quadrilaterals (fanned) and Tetrahedra. Edges, normals
 * and the like are skipped; hexahedra and prisms are refused, a part of the solid would be missing.
 */
export function readMedit(file: FileBytes, fileName: string): MeshFile | TetFile {
  const bytes = fileBytes(file, fileName);
  const scanner: TextScanner = new TextScanner(bytes, fileName); // typed, so that fail() ends a branch
  if (scanner.nextWord().toLowerCase() !== 'meshversionformatted') {
    scanner.fail('syntax', 'a MEDIT file starts with MeshVersionFormatted', 0);
  }
  scanner.nextInteger();
  let positions: Float64Array | undefined;
  const elements = new SolidElements();
  const addPolygon = (corners: Uint32Array) => elements.addPolygon(corners);
  const addTetrahedron = (corners: Uint32Array) => elements.addTetrahedron(corners);

  for (;;) {
    scanner.skipSpace();
    const start = scanner.position;
    const keyword = scanner.nextWord().toLowerCase();
    if (keyword === '' && scanner.atEnd) break;
    if (keyword === 'end') break;
    if (keyword === 'dimension') readDimension(scanner);
    else if (keyword === 'vertices') {
      if (positions !== undefined) scanner.fail('syntax', 'Vertices for a second time', start);
      positions = readVertices(scanner);
    } else if (keyword === 'triangles')
      readElements(scanner, 3, vertexCount(scanner, positions, start), addPolygon);
    else if (keyword === 'quadrilaterals')
      readElements(scanner, 4, vertexCount(scanner, positions, start), addPolygon);
    else if (keyword === 'tetrahedra')
      readElements(scanner, 4, vertexCount(scanner, positions, start), addTetrahedron);
    else if (/^(hexahedra|prisms|pyramids)$/.test(keyword)) refuseSome(scanner, keyword);
    else if (/^[a-z]/.test(keyword)) skipNumbers(scanner);
    else {
      scanner.position = start;
      scanner.failExpected('a keyword');
    }
  }
  if (positions === undefined) scanner.fail('truncated', 'no Vertices');
  return elements.toFile(fileName, positions);
}

function readDimension(scanner: TextScanner): void {
  const dimension = scanner.nextInteger();
  if (dimension !== 3) scanner.fail('unsupported', `dimension ${dimension}`);
}

function readVertices(scanner: TextScanner): Float64Array {
  const count = scanner.nextCount('vertices', 8);
  const positions = new Float64Array(3 * count);
  for (let v = 0; v < count; v++) {
    positions[3 * v] = scanner.nextNumber();
    positions[3 * v + 1] = scanner.nextNumber();
    positions[3 * v + 2] = scanner.nextNumber();
    scanner.skipWord('a reference');
  }
  return positions;
}

function vertexCount(scanner: TextScanner, positions: Float64Array | undefined, at: number): number {
  if (positions === undefined) scanner.fail('unsupported', 'elements before Vertices', at);
  return positions.length / 3;
}

/** Elements of `cornerCount` corners and a reference each. */
function readElements(
  scanner: TextScanner,
  cornerCount: number,
  vertices: number,
  add: (corners: Uint32Array) => void,
): void {
  const count = scanner.nextCount('elements', 2 * cornerCount + 2);
  const corners = new Uint32Array(cornerCount);
  for (let element = 0; element < count; element++) {
    for (let i = 0; i < cornerCount; i++)
      corners[i] = scanner.nextIndex(1, vertices, 'an element uses vertex');
    scanner.skipWord('a reference');
    add(corners);
  }
}

function refuseSome(scanner: TextScanner, keyword: string): void {
  const count = scanner.nextInteger();
  if (count > 0) scanner.fail('unsupported', `${count} ${keyword}; only tetrahedra can be read`);
  skipNumbers(scanner);
}

/** To the next word that starts with a letter. */
function skipNumbers(scanner: TextScanner): void {
  for (;;) {
    scanner.skipSpace();
    const byte = scanner.peek();
    if (scanner.atEnd || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)) return;
    scanner.skipWord('a number');
  }
}
