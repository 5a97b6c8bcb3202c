import { BinaryReader } from './binary-reader.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { readElements2, readElements4 } from './gmsh-elements.ts';
import { type GmshNodes, readNodes2, readNodes4 } from './gmsh-nodes.ts';
import { AsciiValues, BinaryValues, type GmshValues } from './gmsh-values.ts';
import type { MeshFile, TetFile } from './mesh-file.ts';
import type { SolidElements } from './solid-elements.ts';
import { TextScanner } from './text-scanner.ts';

interface GmshFormat {
  readonly major: 2 | 4;
  readonly values: GmshValues;
}

/**
 * Gmsh `.msh` 2.x and 4.1, ASCII or binary of either byte order. Linear tetrahedra, triangles and
 * quadrangles (fanned) are kept in file order, points and lines skipped, other elements refused.
 * Vertices are in file order whatever their tags.
 */
export function readGmsh(file: FileBytes, fileName: string): MeshFile | TetFile {
  const bytes = fileBytes(file, fileName);
  const scanner: TextScanner = new TextScanner(bytes, fileName); // typed, so that fail() ends a branch
  let format: GmshFormat | undefined;
  let nodes: GmshNodes | undefined;
  let elements: SolidElements | undefined;

  for (;;) {
    scanner.skipSpace();
    if (scanner.atEnd) break;
    const start = scanner.position;
    const section = scanner.nextWord();
    scanner.skipLine();
    if (section === '$MeshFormat') format = readFormat(scanner);
    else if (format === undefined) scanner.fail('syntax', 'a Gmsh file starts with $MeshFormat', start);
    else if (section === '$Nodes' && nodes !== undefined)
      scanner.fail('syntax', '$Nodes for a second time', start);
    else if (section === '$Elements' && elements !== undefined)
      scanner.fail('syntax', '$Elements for a second time', start);
    else if (section === '$Nodes') nodes = (format.major === 2 ? readNodes2 : readNodes4)(format.values);
    else if (section === '$Elements') {
      if (nodes === undefined) scanner.fail('syntax', '$Elements before $Nodes', start);
      elements = (format.major === 2 ? readElements2 : readElements4)(format.values, nodes);
    } else {
      skipSection(scanner, section, start);
      continue;
    }
    expectEnd(scanner, section);
  }
  if (nodes === undefined || elements === undefined) {
    scanner.fail('truncated', `no ${nodes === undefined ? '$Nodes' : '$Elements'}`);
  }
  return elements.toFile(fileName, nodes.positions);
}

/** `4.1 0 8`: version, 1 for binary, bytes of a size. A binary file adds a 1 to show its byte order. */
function readFormat(scanner: TextScanner): GmshFormat {
  const version = scanner.nextWord();
  const isBinary = scanner.nextInteger() === 1;
  const sizeBytes = scanner.nextInteger();
  const major = version === '4.1' ? 4 : /^2(\.\d)?$/.test(version) ? 2 : undefined;
  if (major === undefined)
    scanner.fail('unsupported', `version ${JSON.stringify(version.slice(0, 40))}; 2.x and 4.1 can be read`);
  if (sizeBytes !== 8) scanner.fail('unsupported', `sizes of ${sizeBytes} bytes; only 8 can be read`);
  if (!isBinary) return { major, values: new AsciiValues(scanner) };

  scanner.skipLine();
  scanner.placesAreBytes = true;
  const reader = new BinaryReader(scanner.bytes, scanner.fileName, true, scanner.position);
  const one = reader.int32('byte order');
  if (one !== 1) {
    reader.littleEndian = false;
    reader.position -= 4;
    if (reader.int32('byte order') !== 1)
      reader.fail('syntax', 'the mark of the byte order is not 1', scanner.position);
  }
  scanner.position = reader.position;
  return { major, values: new BinaryValues(scanner, reader) };
}

function expectEnd(scanner: TextScanner, section: string): void {
  const expected = `$End${section.slice(1)}`;
  scanner.skipSpace();
  const start = scanner.position;
  if (scanner.nextWord() === expected) return;
  scanner.position = start;
  scanner.failExpected(expected);
}

/** A section of any content ends with its own `$End…`. */
function skipSection(scanner: TextScanner, section: string, start: number): void {
  if (!/^\$\w{1,64}$/.test(section)) {
    scanner.position = start;
    scanner.failExpected('a section such as $Nodes');
  }
  const { bytes, end } = scanner;
  const mark = new TextEncoder().encode(`$End${section.slice(1)}`);
  let p = scanner.position;
  for (; p + mark.length <= end; p++) {
    let same = 0;
    while (same < mark.length && bytes[p + same] === mark[same]) same++;
    if (same < mark.length) continue;
    scanner.position = p;
    scanner.skipLine();
    return;
  }
  scanner.fail('truncated', `${section} has no end`, start);
}
