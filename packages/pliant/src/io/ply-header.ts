import { TextScanner } from './text-scanner.ts';

export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export interface PlyHeader {
  readonly format: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly elements: readonly PlyElement[];
  readonly bodyStart: number; // byte behind the line end of end_header
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

/** A scalar, or a list when it has a `countType`. */
export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  readonly countType?: PlyType;
}

export const PLY_TYPE_SIZE: Readonly<Record<PlyType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

const OLD_NAMES: Readonly<Record<string, PlyType>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
};

export function readPlyHeader(bytes: Uint8Array, fileName: string): PlyHeader {
  const scanner = new TextScanner(bytes, fileName);
  if (scanner.wordOnLine() !== 'ply') scanner.fail('syntax', 'a PLY file starts with the line "ply"', 0);
  const endsInReturn = bytes[scanner.position] === 0x0d && bytes[scanner.position + 1] !== 0x0a;
  scanner.skipLine();

  let format: string | undefined;
  const elements: PlyElement[] = [];
  for (;;) {
    const lineStart = scanner.position;
    const keyword = scanner.wordOnLine();
    if (keyword === 'end_header') break;
    if (keyword === 'format') format = readFormat(scanner);
    else if (keyword === 'element') elements.push(readElement(scanner, elements));
    else if (keyword === 'property') readProperty(scanner, elements);
    else if (scanner.atEnd) scanner.fail('truncated', 'the header has no end_header');
    else if (keyword !== 'comment' && keyword !== 'obj_info' && keyword !== '') {
      scanner.position = lineStart;
      scanner.failExpected('element, property or end_header');
    }
    scanner.skipLine();
  }
  if (format === undefined) scanner.fail('syntax', 'the header has no format');
  // with \r line ends the first byte of a binary body may look like the \n of \r\n
  scanner.skipBlanks();
  if (endsInReturn) scanner.position++;
  else scanner.skipLine();
  return {
    format: format as PlyHeader['format'],
    elements,
    bodyStart: Math.min(scanner.position, bytes.length),
  };
}

/** The fewest bytes one entry can take. */
export function smallestEntry({ properties }: PlyElement, isAscii: boolean): number {
  if (isAscii) return 2 * properties.length; // a digit and what separates it from the next
  return properties.reduce((sum, { type, countType }) => sum + PLY_TYPE_SIZE[countType ?? type], 0);
}

function readFormat(scanner: TextScanner): string {
  const format = scanner.wordOnLine();
  if (format !== 'ascii' && format !== 'binary_little_endian' && format !== 'binary_big_endian') {
    scanner.fail('unsupported', `format ${JSON.stringify(format.slice(0, 40))}`);
  }
  return format;
}

function readElement(scanner: TextScanner, elements: readonly PlyElement[]): PlyElement {
  const name = scanner.wordOnLine();
  scanner.skipBlanks();
  const count = scanner.nextInteger();
  if (count < 0) scanner.fail('syntax', `element ${name} ${count}`);
  if (elements.some((other) => other.name === name)) scanner.fail('syntax', `a second element ${name}`);
  if (elements.length >= 1000) scanner.fail('too-large', 'over 1000 elements');
  return { name, count, properties: [] };
}

function readProperty(scanner: TextScanner, elements: readonly PlyElement[]): void {
  const element = elements.at(-1);
  if (element === undefined) scanner.fail('syntax', 'a property before the first element');
  if (element.properties.length >= 1000) scanner.fail('too-large', 'over 1000 properties');
  const word = scanner.wordOnLine();
  if (word === 'list') {
    const countType = readType(scanner, scanner.wordOnLine());
    const type = readType(scanner, scanner.wordOnLine());
    if (countType.startsWith('float')) scanner.fail('syntax', `a list counted by ${countType}`);
    element.properties.push({ name: scanner.wordOnLine(), type, countType });
  } else {
    const type = readType(scanner, word);
    element.properties.push({ name: scanner.wordOnLine(), type });
  }
}

function readType(scanner: TextScanner, word: string): PlyType {
  if (Object.hasOwn(PLY_TYPE_SIZE, word)) return word as PlyType;
  if (Object.hasOwn(OLD_NAMES, word)) return OLD_NAMES[word];
  scanner.fail('unsupported', `property type ${JSON.stringify(word.slice(0, 40))}`);
}
