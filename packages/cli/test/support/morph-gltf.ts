/** Sheets rolled up until their edges nearly meet, moved by morph targets: something touches soon, nothing does at rest. */
export interface MorphOptions {
  readonly names?: readonly string[]; // of the nodes, each with a mesh of its own
  readonly columns?: number;
  readonly targets?: number;
  /** Where the first node stands; the others' meshes stand beside it. */
  readonly translation?: readonly number[];
  /** Splits each mesh into so many primitives. */
  readonly primitives?: number;
  /** Moves one vertex of the first mesh. */
  readonly nudge?: number;
  /** Of the clip's keys, a list per key for all targets; none: no clip. */
  readonly weights?: readonly (readonly number[])[];
}

type Json = { [key: string]: unknown };

const ROWS = 6;
const FLOAT = 5126;
const UINT = 5125;

/** A clip "Talk" with a key per second moves all meshes alike. */
export function morphGltf(options: MorphOptions = {}): Json {
  const { names = ['Roll'], columns = 14, targets = 3, translation, primitives = 1, nudge = 0 } = options;
  const file = new GltfWriter();
  const meshes = names.map((name, m) => {
    const positions = sheet(columns, 0.93 + 0.01 * m);
    if (m === 0) positions[0] += nudge;
    const triangles = gridTriangles(columns);
    const placed = positions.map((value, k) => value + (k % 3 === 0 ? 4 * m : 0));
    const position = file.add(placed, 'VEC3', FLOAT);
    const morphs = Array.from({ length: targets }, (_, t) => ({
      POSITION: file.add(deltas(positions, t + 1), 'VEC3', FLOAT),
    }));
    const share = Math.ceil(triangles.length / 3 / primitives);
    const parts = Array.from({ length: primitives }, (_, p) => {
      const indices = file.add(triangles.subarray(3 * p * share, 3 * (p + 1) * share), 'SCALAR', UINT);
      return { attributes: { POSITION: position }, indices, targets: morphs };
    });
    return { name: `${name}Mesh`, primitives: parts };
  });
  const nodes = names.map((name, m) => ({
    name,
    mesh: m,
    ...(m === 0 && translation && { translation }),
  }));
  const clips = options.weights ? [clip(file, options.weights, names.length)] : [];
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: nodes.map((_, n) => n) }],
    nodes,
    meshes,
    ...(clips.length > 0 && { animations: clips }),
    ...file.finish(),
  };
}

/** The same as a .glb. */
export function morphGlb(options: MorphOptions = {}): Buffer {
  const json = morphGltf(options);
  const [{ uri, byteLength }] = json.buffers as { uri: string; byteLength: number }[];
  json.buffers = [{ byteLength }];
  const text = Buffer.from(JSON.stringify(json));
  const chunks = [
    chunk(Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]), 0x4e4f534a),
    chunk(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'), 0x004e4942),
  ];
  const header = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(12 + chunks[0].length + chunks[1].length, 8);
  return Buffer.concat([header, ...chunks]);
}

function chunk(bytes: Buffer, type: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(type, 4);
  return Buffer.concat([head, bytes]);
}

function clip(file: GltfWriter, weights: readonly (readonly number[])[], nodes: number): Json {
  const input = file.add(
    Float32Array.from(weights, (_, k) => k),
    'SCALAR',
    FLOAT,
  );
  const output = file.add(Float32Array.from(weights.flat()), 'SCALAR', FLOAT);
  return {
    name: 'Talk',
    samplers: [{ input, output }],
    channels: Array.from({ length: nodes }, (_, node) => ({ sampler: 0, target: { node, path: 'weights' } })),
  };
}

function sheet(columns: number, turns: number): Float32Array {
  const positions: number[] = [];
  for (let y = 0; y <= ROWS; y++) {
    for (let x = 0; x <= columns; x++) {
      const angle = (2 * Math.PI * turns * x) / columns;
      const radius = 1 + 0.02 * Math.sin(3 * y);
      positions.push(radius * Math.cos(angle), y / ROWS, radius * Math.sin(angle));
    }
  }
  return Float32Array.from(positions);
}

function gridTriangles(columns: number): Uint32Array {
  const triangles: number[] = [];
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < columns; x++) {
      const a = y * (columns + 1) + x,
        b = a + columns + 1;
      triangles.push(a, a + 1, b + 1, a, b + 1, b);
    }
  }
  return Uint32Array.from(triangles);
}

/** The first target pushes the last edge of the sheet across the first one; the others are waves. */
function deltas(positions: Float32Array, target: number): Float32Array {
  const out = new Float32Array(positions.length);
  for (let o = 0; o < out.length; o += 3) {
    const [x, y, z] = positions.subarray(o, o + 3);
    const angle = (Math.atan2(z, x) + 2 * Math.PI) % (2 * Math.PI);
    const wave = 0.2 * Math.sin(target * (2 * x + 3 * y + z));
    const along = 0.02 * angle ** 2,
      inwards = 0.4 * along * (1.6 - 1.2 * y);
    const push = [-along * z - inwards * x, 0, along * x - inwards * z];
    out.set(target === 1 ? push : [wave * x, 0, wave * z], o);
  }
  return out;
}

class GltfWriter {
  readonly #arrays: Uint8Array[] = [];
  readonly #views: Json[] = [];
  readonly #accessors: Json[] = [];
  #length = 0;

  add(values: Float32Array | Uint32Array, type: 'SCALAR' | 'VEC3', componentType: number): number {
    const bytes = new Uint8Array(values.slice().buffer);
    const bufferView =
      this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length }) - 1;
    this.#arrays.push(bytes);
    this.#length += bytes.length;
    const size = type === 'VEC3' ? 3 : 1;
    const axis = Array.from({ length: size }, (_, c) => values.filter((_value, k) => k % size === c));
    const limits = { min: axis.map((list) => Math.min(...list)), max: axis.map((list) => Math.max(...list)) };
    return (
      this.#accessors.push({ bufferView, componentType, count: values.length / size, type, ...limits }) - 1
    );
  }

  finish(): Json {
    const data = Buffer.concat(this.#arrays).toString('base64');
    return {
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ byteLength: this.#length, uri: `data:application/octet-stream;base64,${data}` }],
    };
  }
}
