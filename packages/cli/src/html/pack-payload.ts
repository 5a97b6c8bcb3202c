import { plainLine } from '../output/plain-text.ts';
import {
  type ArrayRef,
  BYTES_OF,
  type PackedArray,
  type PackedFrames,
  type PackedMesh,
  type PackedPose,
  type PackedRows,
  type PackedShownFrame,
  type PackedType,
  type PayloadHeader,
} from './payload-format.ts';
import type { ReportData, ReportFrame, ReportMesh, ReportPose, ReportShownFrame } from './report-data.ts';
import { shownContacts } from './shown-contacts.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const LEVELS = 65535; // of a number rounded to 16 bits

/** Everything that the page's script needs, before compression. Equal data gives equal bytes, in Node and browsers. */
export function packPayload(data: ReportData): Uint8Array<ArrayBuffer> {
  const arrays = new ArrayStore();
  const header: PayloadHeader = {
    arrays: arrays.list,
    title: data.title,
    state: data.state,
    settings: data.settings,
    clips: data.clips,
    meshes: data.meshes.map((mesh) => packMesh(arrays, mesh)),
    frames: packFrames(arrays, data.frames, data.clips),
    shown: data.shown.map((shown) => packShown(arrays, shown, data.hits.length)),
    regionPairs: data.regionPairs,
    hits: arrays.addCounts(data.hits),
  };
  return joinBytes(header, arrays);
}

function packMesh(arrays: ArrayStore, mesh: ReportMesh): PackedMesh {
  const { name, node, firstTriangle, triangleCount, regions, skin, morphs } = mesh;
  return {
    name,
    node,
    firstTriangle,
    triangleCount,
    positions: arrays.addRows(mesh.positions, 3),
    triangles: arrays.addCounts(mesh.triangles, 3),
    regionNames: regions.names,
    regionOfTriangle: arrays.addCounts(regions.ofTriangle),
    skin: skin && {
      influences: skin.influences,
      joints: arrays.addCounts(skin.joints),
      weights: arrays.addRows(skin.weights, 1),
    },
    morphs: morphs && splitEvenly(morphs.deltas, morphs.count).map((delta) => arrays.addRows(delta, 3)),
  };
}

function splitEvenly(values: Float32Array, parts: number): Float32Array[] {
  const size = values.length / parts;
  return Array.from({ length: parts }, (_, k) => values.subarray(k * size, (k + 1) * size));
}

function packFrames(
  arrays: ArrayStore,
  frames: readonly ReportFrame[],
  clips: readonly string[],
): PackedFrames {
  return {
    index: arrays.addCounts(Uint32Array.from(frames, ({ index }) => index)),
    clip: arrays.addCounts(Uint32Array.from(frames, ({ clip }) => Math.max(0, clips.indexOf(clip)))),
    time: arrays.add(Float64Array.from(frames, ({ time }) => time)),
    count: arrays.addCounts(Uint32Array.from(frames, ({ count }) => count)),
  };
}

function packShown(arrays: ArrayStore, shown: ReportShownFrame, triangleCount: number): PackedShownFrame {
  const { pairs, touched } = shownContacts(shown.pairs);
  const world = new Float32Array(12 * shown.poses.length);
  shown.poses.forEach((pose, mesh) => {
    world.set(pose.world, 12 * mesh);
  });
  return {
    frame: shown.frame,
    pairs: arrays.add(pairs, 2),
    touched: arrays.add(bitsOf(shown.touched ?? touched, triangleCount)),
    truncated: shown.truncated || pairs.length < shown.pairs.length,
    world: arrays.add(world),
    poses: shown.poses.map((pose) => packPose(arrays, pose)),
  };
}

function bitsOf(triangles: Uint32Array, count: number): Uint8Array {
  const bits = new Uint8Array((count + 7) >> 3);
  for (const t of triangles) bits[t >> 3] |= 1 << (t & 7);
  return bits;
}

function packPose(arrays: ArrayStore, { joints, morphWeights, positions }: ReportPose): PackedPose {
  if (positions) return { positions: arrays.addRows(positions, 3) };
  return {
    joints: joints && arrays.add(joints),
    morphWeights: morphWeights && arrays.add(morphWeights),
  };
}

/** Collects arrays; the same one, or one with the same numbers, is kept once. */
class ArrayStore {
  readonly list: PackedArray[] = [];
  readonly bytes: Uint8Array[] = [];
  readonly #known = new Map<string, ArrayRef[]>();
  #size = 0;

  add(values: Numbers, delta = 0): ArrayRef {
    const type = typeOf(values);
    const bytes = bytesOf(delta > 0 ? differences(values, delta) : values);
    const key = `${type} ${delta} ${bytes.length} ${hashOf(bytes)}`;
    const alike = this.#known.get(key) ?? [];
    const known = alike.find((ref) => areEqual(this.bytes[ref], bytes));
    if (known !== undefined) return known;

    const ref = this.list.length;
    this.list.push({ type, offset: this.#size, length: values.length, delta });
    this.bytes.push(bytes);
    this.#size += roundUp8(bytes.length);
    this.#known.set(key, [...alike, ref]);
    return ref;
  }

  /** Whole numbers in the smallest type that holds them. */
  addCounts(values: Uint16Array | Uint32Array, delta = 0): ArrayRef {
    let largest = 0;
    for (const value of values) if (value > largest) largest = value;
    const Type = largest < 256 ? Uint8Array : largest < 65536 ? Uint16Array : Uint32Array;
    return this.add(Type.from(values), delta);
  }

  /** Rows of `size` numbers, each column rounded to 16 bits between its least and its greatest. */
  addRows(values: Float32Array, size: number): PackedRows {
    const low = new Array<number>(size).fill(Number.POSITIVE_INFINITY);
    const high = new Array<number>(size).fill(Number.NEGATIVE_INFINITY);
    for (let i = 0; i < values.length; i++) {
      const column = i % size;
      if (values[i] < low[column]) low[column] = values[i];
      if (values[i] > high[column]) high[column] = values[i];
    }
    const origin = low.map((value) => (Number.isFinite(value) ? value : 0));
    const step = high.map((value, k) => (value > origin[k] ? (value - origin[k]) / LEVELS : 0));

    const rounded = new Uint16Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const column = i % size;
      if (step[column] > 0) rounded[i] = Math.round((values[i] - origin[column]) / step[column]);
    }
    return { values: this.add(rounded, size), origin, step };
  }
}

function typeOf(values: Numbers): PackedType {
  if (values instanceof Uint8Array) return 'u8';
  if (values instanceof Uint16Array) return 'u16';
  if (values instanceof Uint32Array) return 'u32';
  return values instanceof Float32Array ? 'f32' : 'f64';
}

/** Neighbours are alike, so their differences compress better. */
function differences<T extends Numbers>(values: T, delta: number): T {
  const result = values.slice() as T;
  for (let i = values.length - 1; i >= delta; i--) result[i] = values[i] - values[i - delta];
  return result;
}

function bytesOf(values: Numbers): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < bytes.length; k++) hash = Math.imul(hash ^ bytes[k], 0x01000193);
  return hash;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function joinBytes(header: PayloadHeader, arrays: ArrayStore): Uint8Array<ArrayBuffer> {
  const shown = (_: string, value: unknown) => (typeof value === 'string' ? plainLine(value) : value); // names from files
  const text = new TextEncoder().encode(JSON.stringify(header, shown));
  const start = roundUp8(4 + text.length);
  const total = arrays.list.reduce(
    (size, { offset, type, length }) => Math.max(size, start + offset + BYTES_OF[type] * length),
    start,
  );
  const result = new Uint8Array(total);
  new DataView(result.buffer).setUint32(0, text.length, true);
  result.set(text, 4);
  arrays.bytes.forEach((bytes, ref) => {
    result.set(bytes, start + arrays.list[ref].offset);
  });
  return result;
}

function roundUp8(size: number): number {
  return (size + 7) & ~7;
}
