import { type FileBytes, fileBytes } from './file-bytes.ts';
import type { MeshFile, TetFile } from './mesh-file.ts';
import { SolidElements } from './solid-elements.ts';
import { TextScanner } from './text-scanner.ts';
import { readVtkArray, readVtkCells, skipVtkFields, type VtkCells } from './vtk-arrays.ts';

const STRIP = 6;
const POLYGON = 7;
const TETRAHEDRON = 10;
/** Corners of the cell types that are kept; 0 for any number. */
const CORNERS_OF_TYPE: Readonly<Record<number, number>> = {
  5: 3,
  [STRIP]: 0,
  [POLYGON]: 0,
  9: 4,
  [TETRAHEDRON]: 4,
};
const LAST_LINE_TYPE = 4; // types 0 to 4: nothing, points and lines

/** Cells of one section; the types of a grid come in another. */
interface Section {
  readonly cells: VtkCells;
  readonly at: number;
  readonly type?: number;
}

/**
 * VTK legacy files up to 5.1, ASCII or binary: unstructured grids of linear tetrahedra and polygons,
 * and polygonal data. Points and lines are skipped, other cells refused, attributes not read.
 */
export function readVtk(file: FileBytes, fileName: string): MeshFile | TetFile {
  const bytes = fileBytes(file, fileName);
  const scanner: TextScanner = new TextScanner(bytes, fileName); // typed, so that fail() ends a branch
  const isBinary = readHeader(scanner);
  scanner.placesAreBytes = isBinary;
  const dataset = readDataset(scanner);
  let positions: Float64Array | undefined;
  let types: Float64Array | undefined;
  const sections: Section[] = [];

  for (;;) {
    scanner.skipSpace();
    if (scanner.atEnd) break;
    const at = scanner.position;
    const name = scanner.nextWord().toUpperCase();
    if (name === 'POINT_DATA' || name === 'CELL_DATA') break;
    if (name === 'POINTS') positions = readPoints(scanner, isBinary, at);
    else if (name === 'CELLS') sections.push({ at, cells: readVtkCells(scanner, isBinary) });
    else if (name === 'CELL_TYPES') types = readTypes(scanner, isBinary);
    else if (name === 'POLYGONS')
      sections.push({ at, cells: readVtkCells(scanner, isBinary), type: POLYGON });
    else if (name === 'TRIANGLE_STRIPS')
      sections.push({ at, cells: readVtkCells(scanner, isBinary), type: STRIP });
    else if (name === 'VERTICES' || name === 'LINES') readVtkCells(scanner, isBinary);
    else if (name === 'FIELD') skipVtkFields(scanner, isBinary);
    else if (name === 'METADATA') skipMetadata(scanner);
    else {
      scanner.position = at;
      scanner.failExpected('a section such as POINTS');
    }
  }
  if (positions === undefined) scanner.fail('truncated', 'no POINTS');
  if (dataset === 'UNSTRUCTURED_GRID' && sections.length === 0) scanner.fail('truncated', 'no CELLS');
  const elements = new SolidElements();
  for (const section of sections) addCells(scanner, section, types, positions.length / 3, elements);
  return elements.toFile(fileName, positions);
}

/** True for binary. */
function readHeader(scanner: TextScanner): boolean {
  if (!scanner.startsWith('# vtk DataFile Version')) {
    scanner.fail('syntax', 'a VTK file starts with "# vtk DataFile Version"', 0);
  }
  scanner.skipLine();
  scanner.skipLine(); // the title
  const encoding = scanner.nextWord().toUpperCase();
  if (encoding !== 'ASCII' && encoding !== 'BINARY') {
    scanner.fail('syntax', `expected ASCII or BINARY, found ${JSON.stringify(encoding.slice(0, 40))}`);
  }
  return encoding === 'BINARY';
}

function readDataset(scanner: TextScanner): string {
  const word = scanner.nextWord().toUpperCase();
  const dataset = scanner.wordOnLine().toUpperCase();
  if (word !== 'DATASET')
    scanner.fail('syntax', `expected DATASET, found ${JSON.stringify(word.slice(0, 40))}`);
  if (dataset !== 'UNSTRUCTURED_GRID' && dataset !== 'POLYDATA') {
    scanner.fail('unsupported', `dataset ${JSON.stringify(dataset.slice(0, 40))}`);
  }
  scanner.skipLine();
  return dataset;
}

function readPoints(scanner: TextScanner, isBinary: boolean, at: number): Float64Array {
  const count = scanner.nextInteger();
  const positions = readVtkArray(scanner, isBinary, scanner.wordOnLine(), 3 * count, 'coordinates');
  const bad = positions.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) scanner.fail('not-finite', `point ${Math.floor(bad / 3)}: ${positions[bad]}`, at);
  return positions;
}

function readTypes(scanner: TextScanner, isBinary: boolean): Float64Array {
  return readVtkArray(scanner, isBinary, 'int', scanner.nextInteger(), 'cell types');
}

function addCells(
  scanner: TextScanner,
  { cells: { offsets, corners }, type: oneType, at }: Section,
  types: Float64Array | undefined,
  vertexCount: number,
  elements: SolidElements,
): void {
  const cellCount = Math.max(0, offsets.length - 1);
  if (oneType === undefined && types?.length !== cellCount) {
    scanner.fail('mismatch', `${types?.length ?? 'no'} cell types for ${cellCount} cells`, at);
  }
  for (let cell = 0; cell < cellCount; cell++) {
    const type = oneType ?? types![cell];
    if (type >= 0 && type <= LAST_LINE_TYPE) continue;
    const first = offsets[cell];
    const count = offsets[cell + 1] - first;
    const expected = CORNERS_OF_TYPE[type];
    if (expected === undefined) scanner.fail('unsupported', `cell ${cell} is of type ${type}`, at);
    if (expected > 0 && count !== expected) {
      scanner.fail('syntax', `cell ${cell} of type ${type} has ${count} corners`, at);
    }
    for (let i = first; i < first + count; i++) checkCorner(scanner, corners[i], vertexCount, cell, at);
    if (type === TETRAHEDRON) elements.addTetrahedron(corners, first);
    else if (type === STRIP) elements.addStrip(corners, first, count);
    else elements.addPolygon(corners, first, count);
  }
}

function checkCorner(
  scanner: TextScanner,
  vertex: number,
  vertexCount: number,
  cell: number,
  at: number,
): void {
  if (vertex >= 0 && vertex < vertexCount && Number.isInteger(vertex)) return;
  scanner.fail(
    'index-out-of-range',
    `cell ${cell} uses vertex ${vertex}, but the file has ${vertexCount}`,
    at,
  );
}

/** Lines up to an empty one. */
function skipMetadata(scanner: TextScanner): void {
  scanner.skipLine();
  while (!scanner.atEnd && scanner.readLine() !== '');
}
