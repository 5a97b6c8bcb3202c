import type { Budget } from './budget.ts';
import type { GltfDecoders, MeshoptDecoder } from './decoders.ts';
import type { JsonCheck, JsonObject } from './json-check.ts';
import { findMeshopt, type MeshoptPlan, planMeshopt, unpackMeshopt } from './meshopt.ts';
import { type ReadResource, readBufferUri } from './resources.ts';

/** A piece of a buffer, inside it by its declared length. */
export interface BufferView {
  readonly byteLength: number; // unpacked
  readonly byteStride: number | undefined;
  readonly source: Source;
  readonly meshopt: MeshoptPlan | undefined; // how the source is packed, when it is
}

interface Source {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** The buffers and views of a file: checked when first asked for, so that unused broken ones (images) do no harm. */
export class BufferViews {
  readonly #check: JsonCheck;
  readonly #buffers: readonly JsonObject[];
  readonly #views: readonly JsonObject[];
  readonly #binary: Uint8Array | undefined;
  readonly #meshopt: MeshoptDecoder | undefined;
  readonly #budget: Budget;
  readonly #checked = new Map<number, BufferView>();

  constructor(
    check: JsonCheck,
    json: JsonObject,
    binary: Uint8Array | undefined,
    decoders: GltfDecoders,
    budget: Budget,
  ) {
    this.#check = check;
    this.#buffers = check.objects(json, 'buffers');
    this.#views = check.objects(json, 'bufferViews');
    this.#binary = binary;
    this.#meshopt = decoders.meshopt;
    this.#budget = budget;
  }

  view(index: unknown, where: string): number {
    return this.#check.index(index, where, 'bufferViews', this.#views.length);
  }

  /** Checks the view on first use. */
  use(index: number): BufferView {
    let view = this.#checked.get(index);
    if (view === undefined) {
      view = this.#read(this.#views[index], `bufferViews[${index}]`);
      this.#checked.set(index, view);
    }
    return view;
  }

  /** The bytes of every view in use, unpacked. */
  async load(readResource: ReadResource | undefined): Promise<Map<number, Uint8Array>> {
    const buffers = new Map<number, Uint8Array>();
    const views = new Map<number, Uint8Array>();
    for (const [index, { source, meshopt }] of this.#checked) {
      let buffer = buffers.get(source.buffer);
      if (buffer === undefined) {
        buffer = await this.#loadBuffer(source.buffer, readResource);
        buffers.set(source.buffer, buffer);
      }
      const bytes = buffer.subarray(source.byteOffset, source.byteOffset + source.byteLength);
      const where = `bufferViews[${index}]`;
      views.set(
        index,
        meshopt === undefined
          ? bytes
          : await unpackMeshopt(this.#check, this.#meshopt!, meshopt, bytes, where),
      );
    }
    return views;
  }

  #read(def: JsonObject, where: string): BufferView {
    const check: JsonCheck = this.#check;
    const packed = findMeshopt(check, def, where);
    if (packed !== undefined && this.#meshopt !== undefined) {
      const place = `${where}.${packed.name}`;
      const source = this.#source(packed.def, place);
      const meshopt = planMeshopt(check, packed, source.byteLength, place);
      const byteLength = meshopt.count * meshopt.stride;
      this.#budget.take(byteLength, where);
      return { byteLength, byteStride: meshopt.stride, source, meshopt };
    }
    const source = this.#source(def, where);
    if (packed !== undefined && !this.#hasData(source.buffer)) {
      check.fail('unsupported', `${where} is packed with ${packed.name}, and no decoder for it was given`);
    }
    const { byteStride } = def;
    const stride =
      byteStride === undefined ? undefined : check.integer(byteStride, `${where}.byteStride`, 1, 252);
    return { byteLength: source.byteLength, byteStride: stride, source, meshopt: undefined };
  }

  #source(def: JsonObject, where: string): Source {
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

  #hasData(buffer: number): boolean {
    return this.#buffers[buffer].uri !== undefined || (buffer === 0 && this.#binary !== undefined);
  }

  async #loadBuffer(buffer: number, readResource: ReadResource | undefined): Promise<Uint8Array> {
    const check: JsonCheck = this.#check;
    const where = `buffers[${buffer}]`;
    if (!this.#hasData(buffer)) check.fail('missing-file', `${where} has no data`);
    const { uri } = this.#buffers[buffer];
    const bytes =
      uri === undefined ? this.#binary! : await readBufferUri(check, uri, `${where}.uri`, readResource);
    const length = this.#bufferLength(buffer);
    if (length > bytes.length) {
      check.fail('truncated', `${where} should have ${length} bytes, but has ${bytes.length}`);
    }
    return bytes;
  }
}
