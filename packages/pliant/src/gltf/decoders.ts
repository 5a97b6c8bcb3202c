/** What unpacks compressed files; each only when a file needs it. `loadNodeDecoders` gets them in Node. */
export interface GltfDecoders {
  /** For KHR_draco_mesh_compression: what `createDecoderModule()` of the package draco3dgltf resolves to. */
  draco?: DracoDecoderModule;
  /** For EXT_meshopt_compression: `MeshoptDecoder` of the package meshoptimizer. */
  meshopt?: MeshoptDecoder;
}

/** The part of meshoptimizer's decoder in use. */
export interface MeshoptDecoder {
  readonly ready: Promise<void>;
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of the module itself, which publishes no types
type OfModule = any;

/** The part of draco3dgltf's decoder module in use. */
export interface DracoDecoderModule {
  readonly HEAPU8: Uint8Array;
  readonly TRIANGULAR_MESH: number;
  readonly DT_INT8: number;
  readonly DT_UINT8: number;
  readonly DT_INT16: number;
  readonly DT_UINT16: number;
  readonly DT_UINT32: number;
  readonly DT_FLOAT32: number;
  readonly DecoderBuffer: new () => { Init(bytes: OfModule, length: number): void };
  readonly Decoder: new () => DracoDecoder;
  readonly Mesh: new () => DracoMesh;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  destroy(object: OfModule): void;
}

export interface DracoMesh {
  num_points(): number;
  num_faces(): number;
}

export interface DracoAttribute {
  readonly ptr: number; // 0 when there is no such attribute
  num_components(): number;
}

export interface DracoDecoder {
  GetEncodedGeometryType(buffer: OfModule): number;
  DecodeBufferToMesh(buffer: OfModule, mesh: OfModule): { ok(): boolean };
  GetAttributeByUniqueId(mesh: OfModule, id: number): DracoAttribute;
  GetAttributeDataArrayForAllPoints(
    mesh: OfModule,
    attribute: OfModule,
    type: OfModule,
    bytes: number,
    pointer: OfModule,
  ): boolean;
  GetTrianglesUInt32Array(mesh: OfModule, bytes: number, pointer: OfModule): boolean;
}
