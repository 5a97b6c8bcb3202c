import { InputError } from '../mesh/input-error.ts';
import { type GltfContainer, openContainer } from './container.ts';
import type { JsonObject } from './json-check.ts';

const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEADER_BYTES = 12;
const LONGEST = 2 ** 32 - 1; // bytes of a .glb

/** Values of parsed JSON that may be changed. */
export type EditableJson = { [key: string]: unknown };

/**
 * A glTF file to which things are added at the end: bytes that were there stay where they are. What is added goes to the
 * binary chunk of a .glb; where there is none, to a buffer of its own inside of the JSON.
 */
export class ContainerEditor {
  readonly json: EditableJson;
  readonly #fileName: string;
  readonly #binary: Uint8Array | undefined;
  readonly #rest: Uint8Array; // chunks after the binary one
  readonly #isGlb: boolean;
  readonly #buffer: number;
  readonly #added: Uint8Array[] = [];
  #end: number; // of the buffer, a multiple of 4

  constructor(bytes: Uint8Array, fileName: string) {
    const { json, binary }: GltfContainer = openContainer(bytes, fileName);
    this.#fileName = fileName;
    this.json = structuredClone(json) as EditableJson;
    this.#isGlb = bytes[0] === 0x67 && bytes[1] === 0x6c;
    this.#rest = this.#isGlb ? otherChunks(bytes) : new Uint8Array(0);
    const buffers = this.list('buffers');
    const isOwn = binary !== undefined && (buffers[0] as JsonObject | undefined)?.uri === undefined;
    this.#binary = isOwn ? binary : undefined;
    this.#buffer = isOwn ? 0 : buffers.length;
    this.#end = isOwn ? aligned(binary.length) : 0;
    if (!isOwn) buffers.push({ byteLength: 0 });
  }

  /** A list at the top of the JSON, made when it is missing. */
  list(key: string): unknown[] {
    this.json[key] ??= [];
    return this.json[key] as unknown[];
  }

  /** The index of a new buffer view. */
  addView(data: Float32Array | Uint32Array | Uint16Array): number {
    const bytes = new Uint8Array(aligned(data.byteLength));
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    const view = { buffer: this.#buffer, byteOffset: this.#end, byteLength: data.byteLength };
    this.#added.push(bytes);
    this.#end += bytes.length;
    return this.list('bufferViews').push(view) - 1;
  }

  addAccessor(accessor: EditableJson): number {
    return this.list('accessors').push(accessor) - 1;
  }

  /** The file with what was added. */
  write(): Uint8Array {
    const { added, from } = this.#addedBytes();
    const buffer = this.list('buffers')[this.#buffer] as EditableJson;
    buffer.byteLength = this.#end;
    if (this.#binary === undefined) buffer.uri = `data:application/octet-stream;base64,${toBase64(added)}`;
    const text = new TextEncoder().encode(JSON.stringify(this.json));
    if (!this.#isGlb) return text;
    const jsonLength = aligned(text.length);
    const binaryLength = this.#binary === undefined ? 0 : 8 + this.#end;
    const length = HEADER_BYTES + 8 + jsonLength + binaryLength + this.#rest.length;
    if (length > LONGEST) {
      throw new InputError('too-large', `${this.#fileName}: the result would have ${length} bytes`);
    }
    const out = new Uint8Array(length),
      view = new DataView(out.buffer);
    view.setUint32(0, 0x46546c67, true);
    view.setUint32(4, 2, true);
    view.setUint32(8, length, true);
    view.setUint32(12, jsonLength, true);
    view.setUint32(16, JSON_CHUNK, true);
    out.fill(0x20, 20, 20 + jsonLength);
    out.set(text, 20);
    let at = 20 + jsonLength;
    if (this.#binary !== undefined) {
      view.setUint32(at, this.#end, true);
      view.setUint32(at + 4, BINARY_CHUNK, true);
      out.set(this.#binary, at + 8);
      out.set(added, at + 8 + from);
      at += 8 + this.#end;
    }
    out.set(this.#rest, at);
    return out;
  }

  #addedBytes(): { added: Uint8Array; from: number } {
    const length = this.#added.reduce((sum, { length }) => sum + length, 0);
    const added = new Uint8Array(length);
    let at = 0;
    for (const bytes of this.#added) {
      added.set(bytes, at);
      at += bytes.length;
    }
    return { added, from: this.#end - length };
  }
}

/** What follows the JSON and the first binary chunk of a .glb, whose lengths have been checked. */
function otherChunks(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(8, true);
  let at = HEADER_BYTES;
  const kept: Uint8Array[] = [];
  let hasBinary = false;
  while (at + 8 <= length) {
    const end = at + 8 + view.getUint32(at, true);
    if (end > length) break;
    const isBinary = view.getUint32(at + 4, true) === BINARY_CHUNK;
    if (at > HEADER_BYTES && (hasBinary || !isBinary)) kept.push(bytes.subarray(at, end));
    hasBinary ||= isBinary;
    at = end;
  }
  const out = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const chunk of kept) {
    out.set(chunk, to);
    to += chunk.length;
  }
  return out;
}

function aligned(length: number): number {
  return 4 * Math.ceil(length / 4);
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
