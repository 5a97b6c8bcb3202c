import { BinaryReader } from '../io/binary-reader.ts';
import { InputError } from '../mesh/input-error.ts';
import { JsonCheck, type JsonObject, oneLine } from './json-check.ts';

const MAGIC = 0x46546c67; // glTF
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEADER_BYTES = 12;
const LONGEST_JSON = 2 ** 28; // bytes; engines cannot hold much longer texts

export interface GltfContainer {
  readonly json: JsonObject;
  readonly binary: Uint8Array | undefined; // the binary chunk of a .glb
}

/** Takes a .glb apart, or parses a .gltf; told apart by content, whatever the file is called. */
export function openContainer(bytes: Uint8Array, fileName: string): GltfContainer {
  if (bytes.length === 0) throw new InputError('empty', `${fileName}: the file is empty`);
  const isBinary = bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
  return isBinary ? openBinary(bytes, fileName) : { json: parseJson(bytes, fileName, 0), binary: undefined };
}

function openBinary(bytes: Uint8Array, fileName: string): GltfContainer {
  const reader: BinaryReader = new BinaryReader(bytes, fileName, true);
  if (reader.uint32('the signature') !== MAGIC) reader.fail('syntax', 'no glTF signature', 0);
  const version = reader.uint32('the version');
  if (version !== 2) reader.fail('unsupported', `glTF version ${version}; only 2 is read`, 4);
  const length = reader.uint32('the length');
  if (length > bytes.length)
    reader.fail('truncated', `the file should have ${length} bytes, but has ${bytes.length}`, 8);

  let json: JsonObject | undefined;
  let binary: Uint8Array | undefined;
  while (reader.position + 8 <= length && binary === undefined) {
    const at = reader.position;
    const chunkLength = reader.uint32('a chunk length');
    const type = reader.uint32('a chunk type');
    if (reader.position + chunkLength > length) {
      reader.fail(
        'truncated',
        `a chunk of ${chunkLength} bytes, but ${length - reader.position} are left`,
        at,
      );
    }
    const chunk = bytes.subarray(reader.position, reader.position + chunkLength);
    if (at === HEADER_BYTES) {
      if (type !== JSON_CHUNK) reader.fail('syntax', 'the first chunk is not JSON', at);
      json = parseJson(chunk, fileName, reader.position);
    } else if (type === BINARY_CHUNK) {
      binary = chunk;
    }
    reader.position += chunkLength;
  }
  if (json === undefined) reader.fail('truncated', 'the JSON chunk is missing', HEADER_BYTES);
  return { json, binary };
}

function parseJson(bytes: Uint8Array, fileName: string, at: number): JsonObject {
  if (bytes.length > LONGEST_JSON) {
    throw new InputError(
      'too-large',
      `${fileName}: byte ${at}: ${bytes.length} bytes of JSON; the limit is 2^28`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, 120) : 'it cannot be parsed';
    throw new InputError('syntax', `${fileName}: byte ${at}: this is not JSON: ${reason}`);
  }
  return new JsonCheck(fileName).object(value, 'the glTF JSON');
}
