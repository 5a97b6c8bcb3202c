import type { GltfDecoders, MeshoptDecoder } from './decoders.ts';
import type { JsonCheck, JsonObject } from './json-check.ts';
import { type ReadResource, readBufferUri } from './resources.ts';

const MESHOPT = 'EXT_meshopt_compression';
const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const MESHOPT_FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL'];
const BEST_MESHOPT_RATIO = 1024; // of its vertex codec; blocks of zeros

/** A piece of a buffer, inside it by its declared length. */
export interface BufferView {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number; // unpacked
  readonly byteStride: number | undefined;
  readonly meshopt: MeshoptView | undefined; // how to unpack it, when it is packed
}

interface MeshoptView {
  readonly packedLength: number;
  readonly count: number;
  readonly stride: number;
  readonly mode: string;
  readonly filter: string;
}

/** The buffers and views of a file: checked when first asked for, so that unused broken ones (images) do no harm. */
export class BufferViews {
  readonly #check: JsonCheck;
  readonly #buffers: readonly JsonObject[];
  readonly #views: readonly JsonObject[];
  readonly #binary: Uint8Array | undefined;
  readonly #meshopt: MeshoptDecoder | undefined;
  readonly #checked = new Map<number, BufferView>();

  constructor(check: JsonCheck, json: JsonObject, binary: Uint8Array | undefined, decoders: GltfDecoders) {
    this.#check = check;
    this.#buffers = check.objects(json, 'buffers');
    this.#views = check.objects(json, 'bufferViews');
    this.#binary = binary;
    this.#meshopt = decoders.meshopt;
  }

  view(index: unknown, where: string): number {
    return this.#check.index(index, where, 'bufferViews', this.#views.length);
  }

  /** Checks the view on first use. */
  use(index: number): BufferView {
    const known = this.#checked.get(index);
    if (known !== undefined) return known;
    const where = `bufferViews[${index}]`;
    const packed = this.#check.optionalObject(this.#views[index].extensions, `${where}.extensions`)?.[
      MESHOPT
    ];
    const view =
      packed !== undefined && this.#meshopt !== undefined
        ? this.#meshoptView(this.#check.object(packed, `${where}.${MESHOPT}`), `${where}.${MESHOPT}`)
        : this.#plainView(this.#views[index], where);
    if (packed !== undefined && this.#meshopt === undefined) this.#needsFallback(view.buffer, where);
    this.#checked.set(index, view);
    return view;
  }

  /** The bytes of every view in use, unpacked. */
  async load(readResource: ReadResource | undefined): Promise<Map<number, Uint8Array>> {
    const buffers = new Map<number, Uint8Array>();
    const views = new Map<number, Uint8Array>();
    for (const [index, view] of this.#checked) {
      let buffer = buffers.get(view.buffer);
      if (buffer === undefined) {
        buffer = await this.#loadBuffer(view.buffer, readResource);
        buffers.set(view.buffer, buffer);
      }
      const { byteOffset, meshopt } = view;
      const bytes = buffer.subarray(byteOffset, byteOffset + (meshopt?.packedLength ?? view.byteLength));
      views.set(index, meshopt === undefined ? bytes : await this.#unpack(index, meshopt, bytes));
    }
    return views;
  }

  #plainView(def: JsonObject, where: string): BufferView {
    const check: JsonCheck = this.#check;
    const source = this.#source(def, where);
    const byteStride =
      def.byteStride === undefined ? undefined : check.integer(def.byteStride, `${where}.byteStride`, 1, 252);
    return { ...source, byteStride, meshopt: undefined };
  }

  #meshoptView(def: JsonObject, where: string): BufferView {
    const check: JsonCheck = this.#check;
    const { buffer, byteOffset, byteLength: packedLength } = this.#source(def, where);
    const stride = check.integer(def.byteStride, `${where}.byteStride`, 1, 256);
    const count = check.integer(def.count, `${where}.count`, 0, 2 ** 28);
    const { mode, filter = 'NONE' } = def;
    if (typeof mode !== 'string' || !MESHOPT_MODES.includes(mode))
      check.fail('unsupported', `${where}.mode is unknown`);
    if (typeof filter !== 'string' || !MESHOPT_FILTERS.includes(filter))
      check.fail('unsupported', `${where}.filter is unknown`);
    const fits =
      mode === 'ATTRIBUTES'
        ? fitsFilter(stride, filter)
        : (stride === 2 || stride === 4) && filter === 'NONE';
    if (!fits)
      check.fail(
        'out-of-range',
        `${where}.byteStride is ${stride}, which ${mode} and ${filter} do not allow`,
      );
    if (mode === 'TRIANGLES' && count % 3 !== 0)
      check.fail('wrong-length', `${where}.count is ${count}, no triangles`);
    if (count * stride > BEST_MESHOPT_RATIO * packedLength + 2 ** 16) {
      check.fail(
        'too-large',
        `${where}: ${packedLength} bytes cannot hold ${count} elements of ${stride} bytes`,
      );
    }
    const meshopt = { packedLength, count, stride, mode, filter };
    return { buffer, byteOffset, byteLength: count * stride, byteStride: stride, meshopt };
  }

  #source(def: JsonObject, where: string): Pick<BufferView, 'buffer' | 'byteOffset' | 'byteLength'> {
    const check: JsonCheck = this.#check;
    const buffer = check.index(def.buffer, `${where}.buffer`, 'buffers', this.#buffers.length);
    const byteOffset = check.integer(def.byteOffset, `${where}.byteOffset`, 0, Number.MAX_SAFE_INTEGER, 0);
    const byteLength = check.integer(def.byteLength, `${where}.byteLength`, 0, Number.MAX_SAFE_INTEGER);
    const available = this.#bufferLength(buffer);
    if (byteOffset + byteLength > available) {
      check.fail(
        'truncated',
        `${where} ends at byte ${byteOffset + byteLength}, but buffer ${buffer} has ${available}`,
      );
    }
    return { buffer, byteOffset, byteLength };
  }

  #bufferLength(buffer: number): number {
    const where = `buffers[${buffer}].byteLength`;
    return this.#check.integer(this.#buffers[buffer].byteLength, where, 0, Number.MAX_SAFE_INTEGER);
  }

  async #loadBuffer(buffer: number, readResource: ReadResource | undefined): Promise<Uint8Array> {
    const where = `buffers[${buffer}]`;
    const { uri } = this.#buffers[buffer];
    const bytes =
      uri !== undefined
        ? await readBufferUri(this.#check, uri, `${where}.uri`, readResource)
        : buffer === 0
          ? this.#binary
          : undefined;
    if (bytes === undefined) this.#check.fail('missing-file', `${where} has no data`);
    const length = this.#bufferLength(buffer);
    if (length <= bytes.length) return bytes;
    this.#check.fail('truncated', `${where} should have ${length} bytes, but has ${bytes.length}`);
  }

  /** Without the decoder an optional compression may still have its plain twin. */
  #needsFallback(buffer: number, where: string): void {
    const def = this.#buffers[buffer];
    if (def.uri !== undefined || (buffer === 0 && this.#binary !== undefined)) return;
    this.#check.fail('unsupported', `${where} is packed with ${MESHOPT}, and no decoder for it was given`);
  }

  async #unpack(
    index: number,
    { count, stride, mode, filter }: MeshoptView,
    packed: Uint8Array,
  ): Promise<Uint8Array> {
    const out = new Uint8Array(count * stride);
    try {
      await this.#meshopt!.ready;
      this.#meshopt!.decodeGltfBuffer(out, count, stride, packed, mode, filter);
    } catch {
      this.#check.fail('syntax', `bufferViews[${index}]: the data packed with ${MESHOPT} is damaged`);
    }
    return out;
  }
}

/** What the decoder relies on without checking. */
function fitsFilter(stride: number, filter: string): boolean {
  if (filter === 'OCTAHEDRAL') return stride === 4 || stride === 8;
  if (filter === 'QUATERNION') return stride === 8;
  return stride % 4 === 0;
}
