import {
  BYTES_OF,
  type PackedArray,
  type PackedMesh,
  type PackedPose,
  type PackedRows,
  type PackedShownFrame,
  type PayloadHeader,
} from '../payload-format.ts';
import { gunzip } from './inflate.ts';

export interface PageMesh {
  readonly name: string;
  readonly node: number;
  readonly firstTriangle: number;
  readonly triangleCount: number;
  readonly positions: Float32Array; // at rest
  readonly lattice: Uint16Array; // the same as stored: equal positions have equal numbers
  readonly triangles: ArrayLike<number>;
  readonly regionNames: readonly string[];
  readonly regionOfTriangle: ArrayLike<number>;
  readonly skin?: {
    readonly influences: number;
    readonly joints: ArrayLike<number>;
    readonly weights: Float32Array;
  };
  readonly morphs?: readonly Float32Array[];
}

export interface PagePose {
  readonly joints?: Float32Array;
  readonly morphWeights?: Float32Array;
  /** Unpacked when asked: a sequence may have many. */
  readonly positions?: () => Float32Array;
}

export interface PageShownFrame {
  readonly frame: number;
  readonly pairs: Uint32Array;
  readonly touched: Uint32Array; // ascending
  readonly truncated: boolean;
  readonly world: Float32Array;
  readonly poses: readonly PagePose[];
}

export interface PageFrames {
  readonly length: number;
  readonly index: ArrayLike<number>;
  readonly clip: ArrayLike<number>;
  readonly time: ArrayLike<number>;
  readonly count: ArrayLike<number>;
}

export interface PageData {
  readonly clips: readonly string[];
  readonly meshes: readonly PageMesh[];
  readonly frames: PageFrames;
  readonly shown: readonly PageShownFrame[];
  readonly hits: ArrayLike<number>;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** What `write-payload.ts` wrote. */
export async function readPayload(base64: string): Promise<PageData> {
  const bytes = await gunzip(fromBase64(base64));
  const headerLength = new DataView(bytes.buffer).getUint32(0, true);
  const header: PayloadHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)));
  const start = (4 + headerLength + 7) & ~7;
  const arrays = header.arrays.map((packed) => lazily(() => unpack(bytes.buffer, start, packed)));
  const numbers = (ref: number) => arrays[ref]();

  const { frames, meshes, shown, clips, hits } = header;
  return {
    clips,
    meshes: meshes.map((mesh) => readMesh(mesh, numbers)),
    frames: {
      length: numbers(frames.index).length,
      index: numbers(frames.index),
      clip: numbers(frames.clip),
      time: numbers(frames.time),
      count: numbers(frames.count),
    },
    shown: shown.map((frame) => readShown(frame, numbers)),
    hits: numbers(hits),
  };
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function unpack(buffer: ArrayBuffer, start: number, { type, offset, length, delta }: PackedArray): Numbers {
  const from = start + offset;
  const values: Numbers = new TYPES[type](buffer.slice(from, from + BYTES_OF[type] * length));
  if (delta > 0) for (let k = delta; k < length; k++) values[k] += values[k - delta];
  return values;
}

function readMesh(mesh: PackedMesh, numbers: (ref: number) => Numbers): PageMesh {
  const { name, node, firstTriangle, triangleCount, regionNames, skin, morphs } = mesh;
  return {
    name,
    node,
    firstTriangle,
    triangleCount,
    positions: readRows(mesh.positions, numbers),
    lattice: numbers(mesh.positions.values) as Uint16Array,
    triangles: numbers(mesh.triangles),
    regionNames,
    regionOfTriangle: numbers(mesh.regionOfTriangle),
    skin: skin && {
      influences: skin.influences,
      joints: numbers(skin.joints),
      weights: readRows(skin.weights, numbers),
    },
    morphs: morphs?.map((rows) => readRows(rows, numbers)),
  };
}

function readShown(shown: PackedShownFrame, numbers: (ref: number) => Numbers): PageShownFrame {
  return {
    frame: shown.frame,
    pairs: numbers(shown.pairs) as Uint32Array,
    touched: setBits(numbers(shown.touched)),
    truncated: shown.truncated,
    world: numbers(shown.world) as Float32Array,
    poses: shown.poses.map((pose) => readPose(pose, numbers)),
  };
}

function setBits(bits: Numbers): Uint32Array {
  const found: number[] = [];
  for (let k = 0; k < bits.length; k++) {
    for (let bit = 0; bit < 8; bit++) if (bits[k] & (1 << bit)) found.push(8 * k + bit);
  }
  return Uint32Array.from(found);
}

function readPose(pose: PackedPose, numbers: (ref: number) => Numbers): PagePose {
  const { joints, morphWeights, positions } = pose;
  return {
    joints: joints === undefined ? undefined : (numbers(joints) as Float32Array),
    morphWeights: morphWeights === undefined ? undefined : (numbers(morphWeights) as Float32Array),
    positions: positions && (() => readRows(positions, numbers)),
  };
}

function readRows({ values, origin, step }: PackedRows, numbers: (ref: number) => Numbers): Float32Array {
  const stored = numbers(values);
  const size = origin.length;
  const result = new Float32Array(stored.length);
  for (let k = 0; k < stored.length; k++) result[k] = origin[k % size] + step[k % size] * stored[k];
  return result;
}
