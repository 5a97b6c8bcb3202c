import { BinaryReader } from './binary-reader.ts';
import type { TextScanner } from './text-scanner.ts';

/** Corners of cell c: `corners[offsets[c] … offsets[c + 1])`. */
export interface VtkCells {
  readonly offsets: Float64Array;
  readonly corners: Float64Array;
}

const SIZE_OF: Readonly<Record<string, number>> = {
  char: 1,
  unsigned_char: 1,
  short: 2,
  unsigned_short: 2,
  int: 4,
  unsigned_int: 4,
  long: 8,
  unsigned_long: 8,
  float: 4,
  double: 8,
  vtktypeint64: 8,
  vtktypeuint64: 8,
  vtkidtype: 4,
};

/** `count` values of `type`; binary ones are big endian and start on the next line. */
export function readVtkArray(
  scanner: TextScanner,
  isBinary: boolean,
  type: string,
  count: number,
  what: string,
): Float64Array {
  const size = sizeOf(scanner, type);
  if (!isBinary) {
    scanner.checkCount(what, count, 2);
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = scanner.nextNumber();
    return values;
  }
  scanner.skipLine();
  const reader = new BinaryReader(scanner.bytes, scanner.fileName, false, scanner.position);
  reader.checkCount(what, count, size);
  const values = new Float64Array(count);
  const { view, position } = reader;
  for (let i = 0; i < count; i++) values[i] = valueAt(view, type.toLowerCase(), position + size * i);
  scanner.position = position + size * count;
  return values;
}

/** Up to version 4 a count stands before the corners of each cell; from 5 on offsets stand apart. */
export function readVtkCells(scanner: TextScanner, isBinary: boolean): VtkCells {
  const start = scanner.position;
  const first = scanner.nextInteger();
  const second = scanner.nextInteger();
  const lineEnd = scanner.position;
  scanner.skipSpace();
  if (!scanner.startsWith('OFFSETS')) {
    scanner.position = lineEnd;
    return splitCells(scanner, first, readVtkArray(scanner, isBinary, 'int', second, 'cell corners'), start);
  }
  scanner.nextWord();
  const offsets = readVtkArray(scanner, isBinary, scanner.wordOnLine(), first, 'cell offsets');
  if (scanner.nextWord() !== 'CONNECTIVITY') scanner.fail('syntax', 'expected CONNECTIVITY');
  const corners = readVtkArray(scanner, isBinary, scanner.wordOnLine(), second, 'cell corners');
  for (let i = 0; i < offsets.length; i++) {
    const isOrdered = offsets[i] >= (i > 0 ? offsets[i - 1] : 0) && offsets[i] <= corners.length;
    if (!isOrdered || !Number.isInteger(offsets[i]))
      scanner.fail('syntax', `cell offset ${i}: ${offsets[i]}`, start);
  }
  return { offsets, corners };
}

/** `FIELD name n`, then n times name, components, tuples, type and the values. */
export function skipVtkFields(scanner: TextScanner, isBinary: boolean): void {
  scanner.wordOnLine();
  const arrayCount = scanner.nextCount('field arrays', 8);
  for (let i = 0; i < arrayCount; i++) {
    if (scanner.nextWord() === '') scanner.failExpected('a field array');
    const count = scanner.nextInteger() * scanner.nextInteger();
    readVtkArray(scanner, isBinary, scanner.wordOnLine(), count, 'field values');
  }
}

function splitCells(scanner: TextScanner, cellCount: number, list: Float64Array, start: number): VtkCells {
  if (!(cellCount >= 0 && cellCount <= list.length))
    scanner.fail('syntax', `${cellCount} cells in ${list.length} numbers`, start);
  const offsets = new Float64Array(cellCount + 1);
  const corners = new Float64Array(list.length - cellCount);
  let from = 0;
  let to = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const count = list[from++];
    if (
      !(count >= 0 && count <= list.length - from && to + count <= corners.length && Number.isInteger(count))
    ) {
      scanner.fail(
        'syntax',
        `cell ${cell} has ${count} corners where ${list.length - from} numbers are left`,
        start,
      );
    }
    for (let i = 0; i < count; i++) corners[to++] = list[from++];
    offsets[cell + 1] = to;
  }
  return { offsets, corners };
}

function sizeOf(scanner: TextScanner, type: string): number {
  const name = type.toLowerCase();
  if (Object.hasOwn(SIZE_OF, name)) return SIZE_OF[name];
  scanner.fail('unsupported', `values of type ${JSON.stringify(type.slice(0, 40))}`);
}

function valueAt(view: DataView, type: string, at: number): number {
  switch (type) {
    case 'char':
      return view.getInt8(at);
    case 'unsigned_char':
      return view.getUint8(at);
    case 'short':
      return view.getInt16(at);
    case 'unsigned_short':
      return view.getUint16(at);
    case 'unsigned_int':
      return view.getUint32(at);
    case 'float':
      return view.getFloat32(at);
    case 'double':
      return view.getFloat64(at);
    case 'int':
    case 'vtkidtype':
      return view.getInt32(at);
    case 'unsigned_long':
    case 'vtktypeuint64':
      return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
    default: // long, vtktypeint64
      return view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
  }
}
