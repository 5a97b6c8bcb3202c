/** Shapes of one mesh: a base, and others that its vertices can take. */
export interface GlbMesh {
  readonly name: string;
  readonly positions: ArrayLike<number>;
  readonly triangles: Uint32Array;
  /** Other positions of all vertices, as morph targets. Default: none. */
  readonly targets?: readonly { readonly name: string; readonly positions: ArrayLike<number> }[];
  /** Seconds between targets that are shown one after the other, as an animation. Default: none. */
  readonly secondsPerTarget?: number;
}

const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const UNSIGNED_INT = 5125;

/** A binary glTF 2.0 file with one mesh. Positions are rounded to float32, as the format has it. */
export function writeGlb(mesh: GlbMesh): Uint8Array {
  const { name, positions, triangles, targets = [], secondsPerTarget } = mesh;
  const writer = new GlbWriter();
  const base = Float32Array.from(positions);
  const position = writer.addVectors(base);
  const indices = writer.add(triangles, 'SCALAR', UNSIGNED_INT);
  const deltas = targets.map((target) => ({
    POSITION: writer.addVectors(base.map((x, k) => Math.fround(target.positions[k]) - x)),
  }));
  const json = {
    asset: { version: '2.0', generator: 'Pliant Studio' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name, mesh: 0 }],
    meshes: [
      {
        name,
        primitives: [
          {
            attributes: { POSITION: position },
            indices,
            ...(deltas.length > 0 ? { targets: deltas } : {}),
          },
        ],
        ...(deltas.length > 0
          ? {
              weights: targets.map(() => 0),
              extras: { targetNames: targets.map((target) => target.name) },
            }
          : {}),
      },
    ],
    ...(secondsPerTarget === undefined ? {} : animationOf(writer, targets.length, secondsPerTarget)),
  };
  return writer.finish(json);
}

/** From the base through all targets, each for itself at its time. */
function animationOf(writer: GlbWriter, count: number, seconds: number) {
  const times = Float32Array.from({ length: count + 1 }, (_, k) => k * seconds);
  const weights = new Float32Array((count + 1) * count);
  for (let k = 0; k < count; k++) weights[(k + 1) * count + k] = 1;
  const input = writer.add(times, 'SCALAR', FLOAT, { min: [0], max: [times[count]] });
  const output = writer.add(weights, 'SCALAR', FLOAT);
  return {
    animations: [
      {
        name: 'poses',
        samplers: [{ input, output, interpolation: 'LINEAR' }],
        channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
      },
    ],
  };
}

class GlbWriter {
  readonly #parts: Uint8Array[] = [];
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];
  #length = 0;

  addVectors(values: Float32Array): number {
    const min = [Infinity, Infinity, Infinity],
      max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < values.length; i++) {
      min[i % 3] = Math.min(min[i % 3], values[i]);
      max[i % 3] = Math.max(max[i % 3], values[i]);
    }
    return this.add(values, 'VEC3', FLOAT, { min, max });
  }

  /** The number of the accessor. */
  add(
    values: Float32Array | Uint32Array,
    type: 'SCALAR' | 'VEC3',
    componentType: number,
    limits: { min?: number[]; max?: number[] } = {},
  ): number {
    const bytes = littleEndian(values);
    const count = values.length / (type === 'VEC3' ? 3 : 1);
    this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length });
    this.#accessors.push({ bufferView: this.#views.length - 1, componentType, count, type, ...limits });
    this.#parts.push(bytes);
    this.#length += bytes.length; // always a multiple of 4
    return this.#accessors.length - 1;
  }

  finish(json: object): Uint8Array {
    const text = new TextEncoder().encode(
      JSON.stringify({
        ...json,
        accessors: this.#accessors,
        bufferViews: this.#views,
        buffers: [{ byteLength: this.#length }],
      }),
    );
    const padded = 4 * Math.ceil(text.length / 4);
    const out = new Uint8Array(12 + 8 + padded + 8 + this.#length);
    const view = new DataView(out.buffer);
    const header = [0x46546c67, 2, out.length, padded, JSON_CHUNK];
    header.forEach((value, k) => {
      view.setUint32(4 * k, value, true);
    });
    out.fill(0x20, 20, 20 + padded);
    out.set(text, 20);
    let at = 20 + padded;
    view.setUint32(at, this.#length, true);
    view.setUint32(at + 4, BINARY_CHUNK, true);
    at += 8;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}

function littleEndian(values: Float32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(values.byteLength);
  const view = new DataView(bytes.buffer);
  const isFloat = values instanceof Float32Array;
  values.forEach((value, k) => {
    if (isFloat) view.setFloat32(4 * k, value, true);
    else view.setUint32(4 * k, value, true);
  });
  return bytes;
}
