import { InputError } from '../mesh/input-error.ts';
import { type Accessor, type ElementArray, elementArray } from './accessors.ts';
import type { DracoDecoder, DracoDecoderModule, DracoMesh } from './decoders.ts';
import type { JsonCheck } from './json-check.ts';

export const DRACO = 'KHR_draco_mesh_compression';

/** One packed primitive: where its data is and which accessors it fills. */
export interface DracoPrimitive {
  readonly where: string;
  readonly bufferView: number;
  readonly attributes: readonly { readonly id: number; readonly accessor: Accessor }[];
  readonly indices: Accessor | undefined;
}

/** Unpacks the attributes in use; what the stream holds must fit the accessors, or it is refused. */
export function unpackDraco(
  check: JsonCheck,
  module: DracoDecoderModule,
  bytes: Uint8Array,
  primitive: DracoPrimitive,
  out: Map<number, ElementArray>,
): void {
  const buffer = new module.DecoderBuffer();
  const decoder = new module.Decoder();
  const mesh = new module.Mesh();
  try {
    buffer.Init(bytes, bytes.length);
    if (decoder.GetEncodedGeometryType(buffer) !== module.TRIANGULAR_MESH) damaged(check, primitive);
    if (!decoder.DecodeBufferToMesh(buffer, mesh).ok()) damaged(check, primitive);
    for (const { id, accessor } of primitive.attributes) {
      out.set(accessor.index, readAttribute(check, module, decoder, mesh, id, accessor, primitive.where));
    }
    if (primitive.indices !== undefined) {
      out.set(
        primitive.indices.index,
        readFaces(check, module, decoder, mesh, primitive.indices, primitive.where),
      );
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    damaged(check, primitive); // the module aborts on some streams
  } finally {
    for (const object of [mesh, decoder, buffer]) destroy(module, object);
  }
}

function readAttribute(
  check: JsonCheck,
  module: DracoDecoderModule,
  decoder: DracoDecoder,
  mesh: DracoMesh,
  id: number,
  accessor: Accessor,
  where: string,
): ElementArray {
  const attribute = decoder.GetAttributeByUniqueId(mesh, id);
  if (attribute.ptr === 0) check.fail('mismatch', `${where}: the packed data has no attribute ${id}`);
  const points = mesh.num_points();
  if (points !== accessor.count || attribute.num_components() !== accessor.size) {
    const found = `${points} × ${attribute.num_components()}`;
    const message = `${where}: packed attribute ${id} has ${found} numbers`;
    check.fail(
      'mismatch',
      `${message}, but accessor ${accessor.index} has ${accessor.count} × ${accessor.size}`,
    );
  }
  const array = elementArray(accessor.componentType, accessor.count * accessor.size);
  const type = dataTypes(module)[accessor.componentType];
  fromModule(module, array, (pointer) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, array.byteLength, pointer),
  );
  return array;
}

function readFaces(
  check: JsonCheck,
  module: DracoDecoderModule,
  decoder: DracoDecoder,
  mesh: DracoMesh,
  accessor: Accessor,
  where: string,
): ElementArray {
  const count = 3 * mesh.num_faces();
  if (count !== accessor.count) {
    check.fail(
      'mismatch',
      `${where}: ${count} packed indices, but accessor ${accessor.index} has ${accessor.count}`,
    );
  }
  const array = new Uint32Array(count);
  fromModule(module, array, (pointer) => decoder.GetTrianglesUInt32Array(mesh, array.byteLength, pointer));
  return array;
}

/** Lets the module write into its own memory, and copies. */
function fromModule(
  module: DracoDecoderModule,
  out: ElementArray,
  write: (pointer: number) => boolean,
): void {
  const pointer = module._malloc(out.byteLength);
  try {
    if (!write(pointer)) throw new Error('nothing written');
    const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
    bytes.set(module.HEAPU8.subarray(pointer, pointer + out.byteLength)); // HEAPU8 anew: memory may have grown
  } finally {
    module._free(pointer);
  }
}

function dataTypes(module: DracoDecoderModule): Readonly<Record<number, number>> {
  return {
    5120: module.DT_INT8,
    5121: module.DT_UINT8,
    5122: module.DT_INT16,
    5123: module.DT_UINT16,
    5125: module.DT_UINT32,
    5126: module.DT_FLOAT32,
  };
}

function destroy(module: DracoDecoderModule, object: unknown): void {
  try {
    module.destroy(object);
  } catch {
    // an aborted module cannot tidy up
  }
}

function damaged(check: JsonCheck, { where }: DracoPrimitive): never {
  check.fail('syntax', `${where}: the data packed with ${DRACO} is damaged`);
}
