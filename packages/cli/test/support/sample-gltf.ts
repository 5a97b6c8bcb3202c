/** A plate at rest and a spike that comes down through it: small enough to know every contact. */
export interface SampleOptions {
  /** Puts the buffer into a file of its own instead of a data URI. */
  readonly uri?: string;
}

type Json = { [key: string]: unknown };

/** Plate: triangles 0 and 1, z = 0. Spike: triangle 2, whose tip is at z = −0.5 before the node moves it. */
const PLATE = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
const PLATE_CORNERS = [0, 1, 2, 0, 2, 3];
const SPIKE = [0.5, -0.3, -0.5, 0.6, -0.3, 0.5, 0.5, -0.2, 0.5];
const SPIKE_CORNERS = [0, 1, 2];
const KEYS = [0, 1];
const FALL = [0, 0, 2, 0, 0, 0];
const HOVER_KEYS = [0, 0.5];
const HOVER = [0, 0, 3, 0, 0, 3];

/** Clip "Fall" (1 s): in contact from 0.75 s on. Clip "Hover" (0.5 s): never. */
export function sampleGltf({ uri }: SampleOptions = {}): { json: Json; buffer: Uint8Array } {
  const floats = [PLATE, SPIKE, KEYS, FALL, HOVER_KEYS, HOVER].map((numbers) => new Float32Array(numbers));
  const corners = [PLATE_CORNERS, SPIKE_CORNERS].map((numbers) => new Uint32Array(numbers));
  const arrays = [...floats, ...corners];
  const buffer = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const bufferViews: Json[] = [];
  let at = 0;
  for (const array of arrays) {
    buffer.set(new Uint8Array(array.buffer), at);
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: array.byteLength });
    at += array.byteLength;
  }
  const vector = (bufferView: number, count: number) => ({
    bufferView,
    componentType: 5126,
    count,
    type: 'VEC3',
  });
  const scalar = (bufferView: number, count: number, componentType = 5126) => ({
    bufferView,
    componentType,
    count,
    type: 'SCALAR',
    min: [0],
    max: [1],
  });
  const clip = (name: string, input: number, output: number) => ({
    name,
    samplers: [{ input, output }],
    channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
  });
  const json: Json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: 'Plate', mesh: 0 },
      { name: 'Spike', mesh: 1 },
    ],
    materials: [{ name: 'Steel' }, { name: 'Gold' }],
    meshes: [
      { name: 'PlateMesh', primitives: [{ attributes: { POSITION: 0 }, indices: 6, material: 0 }] },
      { name: 'SpikeMesh', primitives: [{ attributes: { POSITION: 1 }, indices: 7, material: 1 }] },
    ],
    accessors: [
      { ...vector(0, 4), min: [-1, -1, 0], max: [1, 1, 0] },
      { ...vector(1, 3), min: [0.5, -0.3, -0.5], max: [0.6, -0.2, 0.5] },
      scalar(2, 2),
      vector(3, 2),
      scalar(4, 2),
      vector(5, 2),
      scalar(6, 6, 5125),
      scalar(7, 3, 5125),
    ],
    animations: [clip('Fall', 2, 3), clip('Hover', 4, 5)],
    bufferViews,
    buffers: [
      {
        byteLength: buffer.length,
        uri: uri ?? `data:application/octet-stream;base64,${Buffer.from(buffer).toString('base64')}`,
      },
    ],
  };
  return { json, buffer };
}

/** The same as a .glb. */
export function sampleGlb(): Uint8Array {
  const { json, buffer } = sampleGltf();
  json.buffers = [{ byteLength: buffer.length }];
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const binary = Buffer.concat([buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)]);
  const header = Buffer.alloc(12);
  header.write('glTF');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + 8 + padded.length + 8 + binary.length, 8);
  const chunk = (bytes: Buffer, type: number) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(type, 4);
    return Buffer.concat([head, bytes]);
  };
  return Buffer.concat([header, chunk(padded, 0x4e4f534a), chunk(binary, 0x004e4942)]);
}
