import { BinaryReader } from './binary-reader.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { TextScanner } from './text-scanner.ts';

/** A dense matrix; column by column, as libigl stores it. */
export interface DmatFile {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array; // entry (row, column) is values[column * rows + row]
}

/** libigl DMAT, ASCII, or binary behind an ASCII header `0 0`. */
export function readDmat(file: FileBytes, fileName: string): DmatFile {
  const bytes = fileBytes(file, fileName);
  const scanner = new TextScanner(bytes, fileName);
  const columns = scanner.nextInteger();
  const rows = scanner.nextInteger();
  if (rows === 0 && columns === 0 && hasMore(scanner)) return readBinaryDmat(scanner);
  checkSize(scanner, rows, columns);
  scanner.checkCount('values', rows * columns, 2);
  const values = new Float64Array(rows * columns);
  for (let i = 0; i < values.length; i++) values[i] = scanner.nextNumber();
  return { rows, columns, values };
}

function readBinaryDmat(scanner: TextScanner): DmatFile {
  const columns = scanner.nextInteger();
  const rows = scanner.nextInteger();
  checkSize(scanner, rows, columns);
  scanner.skipLine();
  const reader = new BinaryReader(scanner.bytes, scanner.fileName, true, scanner.position);
  reader.checkCount('values', rows * columns, 8);
  const values = Float64Array.from({ length: rows * columns }, () => reader.float64('a value'));
  return { rows, columns, values };
}

function checkSize(scanner: TextScanner, rows: number, columns: number): void {
  if (rows < 0 || columns < 0) scanner.fail('syntax', `a matrix of ${rows} by ${columns}`);
}

function hasMore(scanner: TextScanner): boolean {
  scanner.skipSpace();
  return !scanner.atEnd;
}
