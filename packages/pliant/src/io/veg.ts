import { type FileBytes, fileBytes } from './file-bytes.ts';
import { meshName, type TetFile } from './mesh-file.ts';
import { nextId } from './tetgen.ts';
import { TextScanner } from './text-scanner.ts';

/** Vega FEM `.veg` of tetrahedra. Materials, sets and regions are skipped; `*INCLUDE` is refused. */
export function readVeg(file: FileBytes, fileName: string): TetFile {
  const bytes = fileBytes(file, fileName);
  const scanner: TextScanner = new TextScanner(bytes, fileName); // typed, so that fail() ends a branch
  let positions: Float64Array | undefined;
  let tetrahedra: Uint32Array | undefined;
  let base = 1;

  for (;;) {
    scanner.skipSpace();
    if (scanner.atEnd) break;
    if (scanner.peek() !== 0x2a /* * */) {
      if (positions === undefined) scanner.failExpected('*VERTICES');
      scanner.skipLine(); // of a section that is skipped
      continue;
    }
    const start = scanner.position;
    const section = scanner.nextWord().toUpperCase();
    if (section === '*VERTICES' && positions !== undefined)
      scanner.fail('syntax', '*VERTICES for a second time', start);
    if (section === '*VERTICES') ({ positions, base } = readVertices(scanner));
    else if (section === '*ELEMENTS') {
      if (positions === undefined) scanner.fail('unsupported', '*ELEMENTS before *VERTICES', start);
      tetrahedra = readElements(scanner, positions.length / 3, base);
    } else if (section === '*INCLUDE') scanner.fail('unsupported', '*INCLUDE of another file', start);
    else scanner.skipLine();
  }
  if (positions === undefined || tetrahedra === undefined) {
    scanner.fail('truncated', `no ${positions === undefined ? '*VERTICES' : '*ELEMENTS'}`);
  }
  return {
    kind: 'tetrahedra',
    name: meshName(fileName),
    positions,
    tetrahedra,
    triangles: new Uint32Array(0),
  };
}

function readVertices(scanner: TextScanner): { positions: Float64Array; base: number } {
  const count = scanner.nextCount('vertices', 8); // "1 0 0 0\n"
  const dimension = scanner.nextInteger();
  if (dimension !== 3) scanner.fail('unsupported', `dimension ${dimension}`);
  scanner.skipLine(); // attributes and markers, as in TetGen: always none
  const positions = new Float64Array(3 * count);
  let base = 1;
  for (let v = 0; v < count; v++) {
    base = nextId(scanner, v, base);
    positions[3 * v] = scanner.nextNumber();
    positions[3 * v + 1] = scanner.nextNumber();
    positions[3 * v + 2] = scanner.nextNumber();
  }
  return { positions, base };
}

function readElements(scanner: TextScanner, vertexCount: number, base: number): Uint32Array {
  const type = scanner.nextWord().toUpperCase();
  if (type !== 'TET' && type !== 'TETS') {
    scanner.fail('unsupported', `elements ${JSON.stringify(type.slice(0, 40))}; only TET can be read`);
  }
  const count = scanner.nextCount('elements', 10); // "1 1 1 1 1\n"
  const corners = scanner.nextInteger();
  if (corners !== 4) scanner.fail('unsupported', `elements of ${corners} vertices; only 4 can be read`);
  scanner.skipLine();
  const tetrahedra = new Uint32Array(4 * count);
  let elementBase = base;
  for (let t = 0; t < count; t++) {
    elementBase = nextId(scanner, t, elementBase);
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      tetrahedra[i] = scanner.nextIndex(base, vertexCount, 'an element uses vertex');
    }
  }
  return tetrahedra;
}
