import type { Modes } from '../deform/blend-data.ts';
import { checkArray, checkMade, checkObject, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { BinaryReader } from './binary-reader.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';

/** An array as NumPy's `np.save` writes it, of floating-point numbers. */
export interface NpyFile {
  readonly shape: readonly number[];
  /** The last index runs fastest, whichever order the file had. */
  readonly values: Float64Array;
}

export interface WriteNpyOptions {
  /** Default: 'f8'. 'f4' rounds. */
  type?: 'f8' | 'f4';
  /** True for big-endian numbers. Default: false. */
  bigEndian?: boolean;
  /** True stores the first index fastest. Default: false. */
  fortranOrder?: boolean;
}

const SIGNATURE = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const MOST_AXES = 32;
const ALIGNED = 64; // bytes: where values begin

/**
 * Reads float32 and float64 arrays, little or big endian, in C or Fortran order, format 1 to 3. Errors, with the byte:
 * 'syntax', 'unsupported' (other types), 'truncated', 'not-finite'.
 */
export function readNpy(file: FileBytes, fileName: string): NpyFile {
  const bytes = fileBytes(file, fileName);
  const reader = new BinaryReader(bytes, fileName, true);
  reader.need(10, 'the header');
  if (SIGNATURE.some((byte, k) => bytes[k] !== byte)) reader.fail('syntax', 'no NUMPY signature');
  const version = bytes[6];
  if (!(version >= 1 && version <= 3)) reader.fail('unsupported', `format version ${version}`, 6);
  reader.position = 8;
  const length = version === 1 ? bytes[8] + 256 * bytes[9] : reader.uint32('the length of the header');
  if (version === 1) reader.position = 10;
  reader.need(length, 'the header');
  const header = new HeaderParser(reader, length).parse();
  reader.littleEndian = header.littleEndian;
  return { shape: header.shape, values: readValues(reader, header) };
}

/** `values` in the order of `NpyFile.values`. */
export function writeNpy(
  shape: readonly number[],
  values: NumberArray,
  options: WriteNpyOptions = {},
): Uint8Array {
  checkArray('shape', shape);
  checkArray('values', values);
  checkObject('options', options);
  const { type = 'f8', bigEndian = false, fortranOrder = false } = options;
  const count = shape.reduce((product, side) => product * side, 1);
  if (!shape.every((side) => Number.isInteger(side) && side >= 0) || count !== values.length) {
    throw new InputError(
      'wrong-length',
      `${values.length} numbers do not fill the shape (${shape.join(', ')})`,
    );
  }
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const order = fortranOrder ? 'True' : 'False';
  const text = `{'descr': '${bigEndian ? '>' : '<'}${type}', 'fortran_order': ${order}, 'shape': (${sides}), }`;
  const start = ALIGNED * Math.ceil((10 + text.length + 1) / ALIGNED);
  const width = type === 'f8' ? 8 : 4;
  const bytes = new Uint8Array(start + width * count);
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  bytes[6] = 1;
  view.setUint16(8, start - 10, true);
  bytes.set(new TextEncoder().encode(`${text.padEnd(start - 11)}\n`), 10);
  visitInOrder(shape, fortranOrder, (from, k) => {
    if (width === 8) view.setFloat64(start + 8 * k, values[from], !bigEndian);
    else view.setFloat32(start + 4 * k, values[from], !bigEndian);
  });
  return bytes;
}

/**
 * A mode matrix for a mesh of `vertexCount` source vertices: shape (3 vertices, modes) as U in u = Uq, (modes,
 * 3 vertices) or (modes, vertices, 3).
 */
export function npyModes(file: NpyFile, vertexCount: number): Modes {
  checkMade('file', file, 'readNpy', 'shape', 'values');
  const { shape, values } = file;
  const size = 3 * vertexCount;
  const isRows =
    (shape.length === 3 && shape[1] === vertexCount && shape[2] === 3) ||
    (shape.length === 2 && shape[1] === size);
  if (shape.length === 2 && shape[0] === size) {
    const count = shape[1];
    const displacements = new Float64Array(count * size);
    for (let k = 0; k < values.length; k++)
      displacements[(k % count) * size + Math.trunc(k / count)] = values[k];
    return { count, displacements };
  }
  if (isRows) return { count: shape[0], displacements: values };
  throw new InputError(
    'mismatch',
    `an array of shape (${shape.join(', ')}) is no mode matrix of ${vertexCount} vertices: ` +
      `(${size}, modes), (modes, ${size}) or (modes, ${vertexCount}, 3)`,
  );
}

interface NpyHeader {
  readonly width: 4 | 8;
  readonly littleEndian: boolean;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
}

function readValues(reader: BinaryReader, { width, fortranOrder, shape }: NpyHeader): Float64Array {
  const count = shape.reduce((product, side) => product * side, 1);
  reader.checkCount('values', count, width);
  if (reader.remaining > count * width) {
    reader.fail(
      'syntax',
      `${reader.remaining - count * width} bytes follow the array`,
      reader.position + count * width,
    );
  }
  const values = new Float64Array(count);
  visitInOrder(shape, fortranOrder, (to) => {
    values[to] = width === 8 ? reader.float64('a value') : reader.float32('a value');
  });
  return values;
}

/** Tells each stored number's place when the last index runs fastest, in the order of the file. */
function visitInOrder(
  shape: readonly number[],
  fortranOrder: boolean,
  visit: (place: number, stored: number) => void,
): void {
  const count = shape.reduce((product, side) => product * side, 1);
  if (!fortranOrder || shape.length < 2) {
    for (let k = 0; k < count; k++) visit(k, k);
    return;
  }
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, side) => product * side, 1));
  const index = shape.map(() => 0);
  let place = 0;
  for (let k = 0; k < count; k++) {
    visit(place, k);
    for (let axis = 0; axis < shape.length; axis++) {
      place += strides[axis];
      if (++index[axis] < shape[axis]) break;
      place -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

/** The header: a Python dictionary of three entries, in any order. */
class HeaderParser {
  readonly #reader: BinaryReader;
  readonly #end: number;

  constructor(reader: BinaryReader, length: number) {
    this.#reader = reader;
    this.#end = reader.position + length;
  }

  parse(): NpyHeader {
    const found: { descr?: string; fortran_order?: boolean; shape?: number[] } = {};
    let typeAt = this.#reader.position;
    this.#take('{');
    while (!this.#tryTake('}')) {
      const at = this.#skipSpace();
      const key = this.#string();
      this.#take(':');
      if (Object.hasOwn(found, key)) this.#reader.fail('syntax', `'${key}' occurs twice`, at);
      if (key === 'descr') {
        typeAt = this.#skipSpace();
        found.descr = this.#string();
      } else if (key === 'fortran_order') found.fortran_order = this.#boolean();
      else if (key === 'shape') found.shape = this.#tuple();
      else this.#reader.fail('syntax', `unknown entry '${key}'`, at);
      if (!this.#tryTake(',')) {
        this.#take('}');
        break;
      }
    }
    const { descr, fortran_order: fortranOrder, shape } = found;
    if (descr === undefined || fortranOrder === undefined || shape === undefined) {
      this.#reader.fail('syntax', "the header lacks 'descr', 'fortran_order' or 'shape'");
    }
    this.#skipSpace();
    if (this.#reader.position !== this.#end) this.#reader.fail('syntax', 'something follows the header');
    const type = /^([<>])f([48])$/.exec(descr);
    if (!type)
      this.#reader.fail('unsupported', `numbers of type '${descr}'; float32 and float64 are read`, typeAt);
    return { width: type[2] === '8' ? 8 : 4, littleEndian: type[1] === '<', fortranOrder, shape };
  }

  #skipSpace(): number {
    const { bytes } = this.#reader;
    while (this.#reader.position < this.#end && SPACE.has(bytes[this.#reader.position]))
      this.#reader.position++;
    return this.#reader.position;
  }

  #peek(): string {
    return this.#reader.position < this.#end
      ? String.fromCharCode(this.#reader.bytes[this.#reader.position])
      : '';
  }

  #tryTake(character: string): boolean {
    this.#skipSpace();
    if (this.#peek() !== character) return false;
    this.#reader.position++;
    return true;
  }

  #take(character: string): void {
    if (this.#tryTake(character)) return;
    this.#reader.fail('syntax', `expected '${character}' in the header, not ${JSON.stringify(this.#peek())}`);
  }

  /** Characters up to the one of `ends`, at most 40 of them. */
  #word(isPart: (character: string) => boolean): string {
    let word = '';
    while (word.length < 40 && this.#peek() !== '' && isPart(this.#peek())) {
      word += this.#peek();
      this.#reader.position++;
    }
    return word;
  }

  #string(): string {
    const quote = this.#tryTake("'") ? "'" : '"';
    if (quote === '"') this.#take('"');
    const word = this.#word((character) => character !== quote);
    if (this.#peek() !== quote)
      this.#reader.fail('syntax', 'a string without an end, or too long, in the header');
    this.#reader.position++;
    return word;
  }

  #boolean(): boolean {
    const at = this.#skipSpace();
    const word = this.#word((character) => /[A-Za-z]/.test(character));
    if (word !== 'True' && word !== 'False')
      this.#reader.fail('syntax', `'${word}' is neither True nor False`, at);
    return word === 'True';
  }

  #tuple(): number[] {
    const sides: number[] = [];
    this.#take('(');
    while (!this.#tryTake(')')) {
      const at = this.#skipSpace();
      const word = this.#word((character) => /[0-9]/.test(character));
      const side = Number(word);
      if (word === '' || !Number.isSafeInteger(side))
        this.#reader.fail('syntax', `'${word}' is no side of a shape`, at);
      if (sides.push(side) > MOST_AXES) this.#reader.fail('unsupported', `more than ${MOST_AXES} axes`, at);
      if (!this.#tryTake(',')) {
        this.#take(')');
        break;
      }
    }
    return sides;
  }
}

const SPACE = new Set([0x20, 0x0a, 0x0d, 0x09]);
