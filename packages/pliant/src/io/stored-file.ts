import { checkMade, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { BinaryReader } from './binary-reader.ts';
import { crc32 } from './checksum.ts';
import { bytesOf, type FileBytes, fileBytes } from './file-bytes.ts';

/** What Pliant prepares and keeps: certificates, modes, bases. */
export interface StoredData {
  /** What it is, such as 'subspace-certificate'. */
  readonly kind: string;
  /** The hash of what it was made from, see `ContentHash`: it is of no use for anything else. */
  readonly madeFrom: string;
  /** Options and figures, as JSON would keep them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, StoredArray>>;
}

export type StoredArray = Float64Array | Float32Array | Uint32Array | Uint8Array;

const TYPES = {
  float64: Float64Array,
  float32: Float32Array,
  uint32: Uint32Array,
  uint8: Uint8Array,
} as const;
type TypeName = keyof typeof TYPES;

/** PLIANT, then what tells text from binary transfers apart, as in PNG files. */
const SIGNATURE = [0x50, 0x4c, 0x49, 0x41, 0x4e, 0x54, 0x0d, 0x0a];
const VERSION = 1;
const HEADER_START = 20; // signature, version, length and checksum of the header
const ALIGNMENT = 8;
const MOST_HEADER = 1 << 24;

interface Header {
  kind: string;
  madeFrom: string;
  settings: Record<string, unknown>;
  arrays: { name: string; type: TypeName; length: number; crc: number }[];
}

/**
 * Signature (8 bytes), format version, length and CRC-32 of the header (4 each), the header as JSON, then the arrays
 * one after the other, each from a multiple of 8 on, little endian.
 */
export function writeStored(data: StoredData): Uint8Array {
  checkObject('data', data);
  checkObject('data.arrays', data.arrays);
  const entries = Object.entries(data.arrays).map(([name, values]) => {
    const bytes = toLittleEndian(values);
    return { name, type: typeOf(values), length: values.length, crc: crc32(bytes), bytes };
  });
  const header: Header = {
    kind: data.kind,
    madeFrom: data.madeFrom,
    settings: data.settings as Record<string, unknown>,
    arrays: entries.map(({ name, type, length, crc }) => ({ name, type, length, crc })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const size = entries.reduce((sum, { bytes }) => aligned(sum) + bytes.length, HEADER_START + text.length);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  out.set(SIGNATURE);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, text.length, true);
  view.setUint32(16, crc32(text), true);
  out.set(text, HEADER_START);
  let position = HEADER_START + text.length;
  for (const { bytes } of entries) {
    position = aligned(position);
    out.set(bytes, position);
    position += bytes.length;
  }
  return out;
}

/** True for bytes that begin as stored data does. */
export function isStored(file: FileBytes): boolean {
  const bytes = bytesOf(file);
  return bytes.length >= SIGNATURE.length && SIGNATURE.every((byte, k) => bytes[k] === byte);
}

/** Errors, with the byte: 'syntax' when damaged, 'truncated', 'unsupported' for other versions, 'mismatch' for other kinds. */
export function readStored(file: FileBytes, fileName: string, kind?: string): StoredData {
  const bytes = fileBytes(file, fileName);
  const reader = new BinaryReader(bytes, fileName, true);
  reader.need(HEADER_START, 'the header');
  if (!isStored(bytes)) reader.fail('syntax', 'not a file written by Pliant', 0);
  reader.position = 8;
  const version = reader.uint32('the version');
  if (version !== VERSION) {
    reader.fail('unsupported', `format version ${version}; this version of Pliant reads ${VERSION}`, 8);
  }
  const header = readHeader(reader, bytes);
  if (kind !== undefined && header.kind !== kind) {
    throw new InputError('mismatch', `${fileName} holds a ${header.kind}, not a ${kind}`);
  }
  const arrays: Record<string, StoredArray> = {};
  for (const { name, type, length, crc } of header.arrays) {
    skipPadding(reader, bytes);
    const size = length * TYPES[type].BYTES_PER_ELEMENT;
    reader.need(size, `array ${name}`);
    const from = reader.position;
    const part = bytes.subarray(from, from + size);
    if (crc32(part) !== crc) reader.fail('syntax', `array ${name} is damaged: its checksum differs`, from);
    arrays[name] = fromLittleEndian(part, type);
    reader.position = from + size;
  }
  if (reader.position !== bytes.length) {
    reader.fail('syntax', `${bytes.length - reader.position} bytes too many`, reader.position);
  }
  return { kind: header.kind, madeFrom: header.madeFrom, settings: header.settings, arrays };
}

/** Nothing may stand between arrays: a byte that changes is found out wherever it is. */
function skipPadding(reader: BinaryReader, bytes: Uint8Array): void {
  const end = aligned(reader.position);
  for (let at = reader.position; at < end; at++) {
    if (bytes[at] > 0) reader.fail('syntax', 'damaged between two arrays', at);
  }
  reader.position = end;
}

function readHeader(reader: BinaryReader, bytes: Uint8Array): Header {
  const length = reader.uint32('the length of the header'),
    crc = reader.uint32('the checksum of the header');
  if (length > MOST_HEADER) reader.fail('syntax', `a header of ${length} bytes`, 12);
  reader.need(length, 'the header');
  const text = bytes.subarray(HEADER_START, HEADER_START + length);
  if (crc32(text) !== crc) reader.fail('syntax', 'the header is damaged: its checksum differs', HEADER_START);
  reader.position = HEADER_START + length;
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return reader.fail('syntax', 'the header is not JSON', HEADER_START);
  }
  if (!isHeader(header)) return reader.fail('syntax', 'the header is not what it should be', HEADER_START);
  return header;
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, madeFrom, settings, arrays } = value as Header;
  if (typeof kind !== 'string' || typeof madeFrom !== 'string') return false;
  if (typeof settings !== 'object' || settings === null || !Array.isArray(arrays)) return false;
  return arrays.every(
    (array: unknown) =>
      typeof array === 'object' &&
      array !== null &&
      typeof (array as Header['arrays'][0]).name === 'string' &&
      Object.hasOwn(TYPES, (array as Header['arrays'][0]).type) &&
      Number.isSafeInteger((array as Header['arrays'][0]).length) &&
      (array as Header['arrays'][0]).length >= 0,
  );
}

/** One of the arrays, of the type it should have and, when given, of the length. */
export function storedArray<T extends TypeName>(
  data: StoredData,
  fileName: string,
  name: string,
  type: T,
  length?: number,
): InstanceType<(typeof TYPES)[T]> {
  checkMade('data', data, 'readStored', 'arrays', 'kind');
  const { arrays, kind } = data;
  const array = Object.hasOwn(arrays, name) ? arrays[name] : undefined;
  if (array instanceof TYPES[type] && (length === undefined || array.length === length)) {
    return array as InstanceType<(typeof TYPES)[T]>;
  }
  const found = array === undefined ? 'there is none' : `it has ${array.length} of ${typeOf(array)}`;
  const wanted = length === undefined ? type : `${length} of ${type}`;
  throw new InputError('syntax', `${fileName}: array ${name} of this ${kind} should be ${wanted}; ${found}`);
}

/** Refuses data that was made from something else. */
export function checkMadeFrom(data: StoredData, fileName: string, hash: string, what: string): void {
  checkMade('data', data, 'readStored', 'madeFrom', 'kind');
  const { madeFrom, kind } = data;
  if (madeFrom === hash) return;
  throw new InputError(
    'mismatch',
    `${fileName} is stale: its ${kind} was made from ${madeFrom.slice(0, 8)}, ${what} is ${String(hash).slice(0, 8)}; make it anew`,
  );
}

function typeOf(values: StoredArray): TypeName {
  checkObject('an array', values);
  for (const name of Object.keys(TYPES) as TypeName[]) if (values instanceof TYPES[name]) return name;
  throw new InputError('wrong-type', `cannot store ${describe(values)}`);
}

function aligned(position: number): number {
  return Math.ceil(position / ALIGNMENT) * ALIGNMENT;
}

function toLittleEndian(values: StoredArray): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return isLittleEndian() ? bytes : swapped(bytes, values.BYTES_PER_ELEMENT);
}

function fromLittleEndian(part: Uint8Array, type: TypeName): StoredArray {
  const { BYTES_PER_ELEMENT } = TYPES[type];
  const bytes = isLittleEndian() ? part.slice() : swapped(part, BYTES_PER_ELEMENT);
  return new TYPES[type](bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / BYTES_PER_ELEMENT);
}

function isLittleEndian(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}

function swapped(bytes: Uint8Array, width: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let k = 0; k < bytes.length; k++) out[k - (k % width) + (width - 1 - (k % width))] = bytes[k];
  return out;
}
