import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Uint32List } from './growable.ts';
import { type MeshFile, meshName, singleGroup } from './mesh-file.ts';
import { TextScanner } from './text-scanner.ts';

/**
 * Geomview OFF, ASCII. Polygons are fanned from their first corner. Normals, colours and texture
 * coordinates (NOFF, COFF, STOFF and their combinations) are skipped, as are face colours.
 */
export function readOff(file: FileBytes, fileName: string): MeshFile {
  const bytes = fileBytes(file, fileName);
  const scanner = new TextScanner(bytes, fileName);
  const hasExtras = readHeader(scanner);
  const vertexCount = scanner.nextCount('vertices', 6); // "0 0 0\n"
  const faceCount = scanner.nextCount('faces', 2); // "0\n"
  scanner.skipBlanks();
  if (!scanner.atLineEnd) scanner.nextInteger(); // edges: nobody fills this in reliably

  const positions = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    positions[3 * v] = scanner.nextNumber();
    positions[3 * v + 1] = scanner.nextNumber();
    positions[3 * v + 2] = scanner.nextNumber();
    if (hasExtras) scanner.skipLine();
  }
  const triangles = new Uint32List(3 * faceCount);
  for (let face = 0; face < faceCount; face++) readFace(scanner, vertexCount, triangles);
  return {
    kind: 'triangles',
    name: meshName(fileName),
    positions,
    triangles: triangles.toArray(),
    groups: singleGroup(triangles.length / 3),
  };
}

/** `[ST][C][N][4][n]OFF`, optional. True when more than a position stands on a vertex line. */
function readHeader(scanner: TextScanner): boolean {
  scanner.skipSpace();
  const start = scanner.position;
  while (isHeaderByte(scanner.peek())) scanner.position++;
  const word = String.fromCharCode(...scanner.bytes.subarray(start, Math.min(scanner.position, start + 16)));
  if (word === '') return false; // the word is optional
  if (!/^(ST)?C?N?4?n?OFF$/.test(word)) {
    scanner.position = start;
    scanner.failExpected('OFF');
  }
  if (/[4n]/.test(word)) scanner.fail('unsupported', `${word}: only three coordinates can be read`, start);
  scanner.skipBlanks();
  if (scanner.peek() === 0x42 /* B */) scanner.fail('unsupported', 'binary OFF');
  return word !== 'OFF';
}

function readFace(scanner: TextScanner, vertexCount: number, triangles: Uint32List): void {
  const cornerCount = scanner.nextCount('corners of a face', 2);
  let first = 0;
  let previous = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    const index = scanner.nextIndex(0, vertexCount, 'a face uses vertex');
    if (corner === 0) first = index;
    else if (corner > 1) triangles.push3(first, previous, index);
    previous = index;
  }
  scanner.skipLine(); // a colour
}

/** A letter, or the 4 of 4OFF: the counts may stand right behind OFF. */
function isHeaderByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || byte === 0x6e;
}
