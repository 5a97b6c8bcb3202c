type Data = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;
// biome-ignore lint/suspicious/noExplicitAny: tests put all kinds of wrong values there
type Json = any;

const COMPONENTS = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);
const SIZES: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

/** A glTF written by hand: `json` may be spoilt before it is packed. */
export class RawGltf {
  readonly json: Json = {
    asset: { version: '2.0' },
    buffers: [],
    bufferViews: [],
    accessors: [],
    nodes: [],
    meshes: [],
  };
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** Adds an accessor with its own view; returns its index. */
  accessor(data: Data, type: string, more: Json = {}): number {
    const bufferView = this.view(data);
    const componentType = COMPONENTS.get(data.constructor);
    const def = { bufferView, componentType, type, count: data.length / SIZES[type], ...more };
    if (type === 'VEC3') Object.assign(def, bounds(data)); // or three.js warns
    return this.json.accessors.push(def) - 1;
  }

  view(data: Data, more: Json = {}): number {
    const bytes = new Uint8Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    const byteOffset = this.#length;
    this.#chunks.push(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
    this.#length += Math.ceil(bytes.length / 4) * 4;
    return this.json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length, ...more }) - 1;
  }

  binary(): Uint8Array {
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  glb(): Uint8Array {
    const binary = this.binary();
    if (this.json.buffers.length === 0) this.json.buffers.push({ byteLength: binary.length });
    return packGlb(this.json, binary);
  }

  /** A .gltf whose buffer is a data URI, or another URI. */
  gltf(
    uri = `data:application/octet-stream;base64,${Buffer.from(this.binary()).toString('base64')}`,
  ): Uint8Array {
    this.json.buffers = [{ byteLength: this.#length, uri }];
    return new TextEncoder().encode(JSON.stringify(this.json));
  }
}

function bounds(data: Data): Json {
  const axes = [0, 1, 2].map((axis) => Array.from(data).filter((_, i) => i % 3 === axis));
  return { min: axes.map((axis) => Math.min(...axis)), max: axes.map((axis) => Math.max(...axis)) };
}

export function packGlb(json: unknown, binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const jsonLength = Math.ceil(text.length / 4) * 4;
  const binaryLength = Math.ceil(binary.length / 4) * 4;
  const out = new Uint8Array(28 + jsonLength + binaryLength);
  const view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, jsonLength, 0x4e4f534a].forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  out.fill(32, 20, 20 + jsonLength).set(text, 20);
  view.setUint32(20 + jsonLength, binaryLength, true);
  view.setUint32(24 + jsonLength, 0x004e4942, true);
  out.set(binary, 28 + jsonLength);
  return out;
}

/**
 * A square of two triangles with a skin of two joints, one morph target and a clip of all four paths. Accessors:
 * 0 positions, 1 indices, 2 joints, 3 weights, 4 deltas, 5 inverse bind matrices, 6 times, 7 translations,
 * 8 rotations, 9 weights over time. Nodes: 0 root, 1 shows the mesh, 2 and 3 are the joints.
 */
export function skinnedSquare(): RawGltf {
  const raw = new RawGltf();
  const { json } = raw;
  raw.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]), 'VEC3');
  raw.accessor(new Uint16Array([0, 1, 2, 2, 1, 3]), 'SCALAR');
  raw.accessor(new Uint8Array([0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), 'VEC4');
  raw.accessor(new Float32Array([1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.75, 0, 0, 1, 0, 0, 0]), 'VEC4');
  raw.accessor(new Float32Array([0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4]), 'VEC3');
  raw.accessor(
    new Float32Array([
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
    ]),
    'MAT4',
  );
  raw.accessor(new Float32Array([0, 1, 3]), 'SCALAR');
  raw.accessor(new Float32Array([0, 0, 0, 1, 2, 3, -1, 0, 4]), 'VEC3');
  raw.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, -0.6, -0.8]), 'VEC4');
  raw.accessor(new Float32Array([0, 1, 0.5]), 'SCALAR');
  json.nodes = [
    { name: 'root', children: [1, 2] },
    { name: 'body', mesh: 0, skin: 0 },
    { name: 'hip', children: [3] },
    { name: 'knee', translation: [0, 1, 0] },
  ];
  json.meshes = [
    {
      name: 'Square',
      primitives: [
        { attributes: { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 1, targets: [{ POSITION: 4 }] },
      ],
    },
  ];
  json.skins = [{ name: 'legs', joints: [2, 3], inverseBindMatrices: 5 }];
  json.animations = [
    {
      name: 'walk',
      samplers: [
        { input: 6, output: 7 },
        { input: 6, output: 8 },
        { input: 6, output: 9 },
        { input: 6, output: 7, interpolation: 'STEP' },
      ],
      channels: [
        { sampler: 0, target: { node: 2, path: 'translation' } },
        { sampler: 1, target: { node: 3, path: 'rotation' } },
        { sampler: 2, target: { node: 1, path: 'weights' } },
        { sampler: 3, target: { node: 3, path: 'scale' } },
      ],
    },
  ];
  json.scenes = [{ nodes: [0] }];
  json.scene = 0;
  return raw;
}
