import { BinaryReader } from './binary-reader.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Float64List } from './growable.ts';
import { type MeshFile, type MeshGroup, meshName, singleGroup } from './mesh-file.ts';
import { TextScanner } from './text-scanner.ts';

const BINARY_HEADER = 84; // 80 of any text, then the number of facets
const FACET = 50; // normal, three corners, two bytes of anything

/**
 * STL, ASCII or binary. Each triangle has three vertices of its own; welding is up to the mesh.
 * Normals and attribute bytes are skipped; each ASCII `solid` is a group.
 */
export function readStl(file: FileBytes, fileName: string): MeshFile {
  const bytes = fileBytes(file, fileName);
  return isAsciiStl(bytes) ? readAsciiStl(bytes, fileName) : readBinaryStl(bytes, fileName);
}

/**
 * "solid" proves nothing: binary writers put it in their header too. A length that fits the facet
 * count proves binary; a zero byte near the start does as well.
 */
export function isAsciiStl(bytes: Uint8Array): boolean {
  if (bytes.length >= BINARY_HEADER) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (BINARY_HEADER + FACET * view.getUint32(80, true) === bytes.length) return false;
  }
  const scanner = new TextScanner(bytes, '');
  scanner.skipSpace();
  const start = scanner.position;
  if (String.fromCharCode(...bytes.subarray(start, start + 5)).toLowerCase() !== 'solid') return false;
  return !bytes.subarray(0, 512).includes(0);
}

function readBinaryStl(bytes: Uint8Array, fileName: string): MeshFile {
  const reader = new BinaryReader(bytes, fileName, true);
  reader.skip(80, 'the header');
  const triangleCount = reader.uint32('facets');
  reader.checkCount('facets', triangleCount, FACET, 80);
  const positions = new Float64Array(9 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    reader.position += 12; // normal
    for (let i = 9 * t; i < 9 * t + 9; i++) positions[i] = reader.float32('a corner');
    reader.position += 2;
  }
  return stlFile(fileName, positions, singleGroup(triangleCount));
}

function readAsciiStl(bytes: Uint8Array, fileName: string): MeshFile {
  const scanner = new TextScanner(bytes, fileName);
  const positions = new Float64List();
  const groups: MeshGroup[] = [];
  for (;;) {
    const keyword = scanner.nextWord().toLowerCase();
    if (keyword === '' && scanner.atEnd) break;
    if (keyword !== 'solid') failKeyword(scanner, keyword, 'solid');
    const name = scanner.readLine();
    const firstTriangle = positions.length / 9;
    readFacets(scanner, positions);
    const triangleCount = positions.length / 9 - firstTriangle;
    if (triangleCount > 0)
      groups.push({ object: name, name: '', material: '', firstTriangle, triangleCount });
  }
  return stlFile(fileName, positions.toArray(), groups);
}

/** Up to and with `endsolid`. */
function readFacets(scanner: TextScanner, positions: Float64List): void {
  for (;;) {
    const keyword = scanner.nextWord().toLowerCase();
    if (keyword === 'endsolid') {
      scanner.skipLine();
      return;
    }
    if (keyword !== 'facet') failKeyword(scanner, keyword, 'facet or endsolid');
    scanner.skipLine(); // the normal, which may be nan
    expectKeyword(scanner, 'outer');
    expectKeyword(scanner, 'loop');
    readLoop(scanner, positions);
    expectKeyword(scanner, 'endfacet');
  }
}

/** Corners up to `endloop`, fanned when there are more than three. */
function readLoop(scanner: TextScanner, positions: Float64List): void {
  let firstX = 0;
  let firstY = 0;
  let firstZ = 0;
  let lastX = 0;
  let lastY = 0;
  let lastZ = 0;
  for (let corner = 0; ; corner++) {
    const keyword = scanner.nextWord().toLowerCase();
    if (keyword === 'endloop') return;
    if (keyword !== 'vertex') failKeyword(scanner, keyword, 'vertex or endloop');
    const x = scanner.nextNumber();
    const y = scanner.nextNumber();
    const z = scanner.nextNumber();
    if (corner === 0) [firstX, firstY, firstZ] = [x, y, z];
    else if (corner > 1) {
      positions.push3(firstX, firstY, firstZ);
      positions.push3(lastX, lastY, lastZ);
      positions.push3(x, y, z);
    }
    [lastX, lastY, lastZ] = [x, y, z];
  }
}

function stlFile(fileName: string, positions: Float64Array, groups: MeshGroup[]): MeshFile {
  const triangles = new Uint32Array(positions.length / 3);
  for (let i = 0; i < triangles.length; i++) triangles[i] = i;
  return { kind: 'triangles', name: meshName(fileName), positions, triangles, groups };
}

function expectKeyword(scanner: TextScanner, expected: string): void {
  const keyword = scanner.nextWord().toLowerCase();
  if (keyword !== expected) failKeyword(scanner, keyword, expected);
}

function failKeyword(scanner: TextScanner, found: string, expected: string): never {
  if (found === '' && scanner.atEnd)
    scanner.fail('truncated', `expected ${expected}, found the end of the file`);
  scanner.fail('syntax', `expected ${expected}, found ${JSON.stringify(found.slice(0, 40))}`);
}
