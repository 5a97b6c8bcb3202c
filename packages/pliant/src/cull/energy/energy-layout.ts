import { LEAST_CORNERS } from '../../kernels/ts/polygon.ts';
import type { EnergyData, Limits } from './energy-data.ts';
import type { EnergyItem } from './energy-items.ts';
import { type EnergyPatches, NONE } from './energy-patches.ts';

/*
 * What kernels/calm.ts, outline.ts and parts.ts work on. The header, see HEADER below; an item, 248 bytes, in the order of
 * the front:
 *   u32: patch, other patch or NONE, address and count of what they share, the next item that is not below this one, the
 *     segments that it clears (from, to), 1 when lists do without exact Grams, the stamp with which an outline around it
 *     and another node has been proved, the stamp from which on it is tried again, how often it has failed on end, 1 when it
 *     has exceptions
 *   f64: √ℰ, rounding of Lx per unit of a patch's reach, rounding of LX, rounding of Grams, Gram of LX (xx, xy, xz, yy, yz,
 *     zz); and the same for loose Grams, with 0 for √ℰ where these are not worth trying
 *   u32: address of the outline, how many corners it has (0: there is none), the stamp from which on it is tried again, how
 *     often it has failed on end, two ranges of small patches that the item is about, and of two nodes the addresses of the
 *     items that are about one of them alone (0: none)
 * A patch, 24 bytes: its halves, address and count of what they share, the stamps of its Gram and of its loose one; of a
 * small one NONE, the address of its rows, how many there are, 0 and the stamps.
 * A segment, ten u32: ranges of inner, leaf and coarse pairs, and of small patches twice.
 */
export const ITEM = 248;
export const PATCH = 24;
export const SLOT = 16; // Lx
export const HEADER = {
  items: 0,
  itemCount: 1,
  patches: 2,
  stamp: 3,
  near: 4,
  slots: 5,
  grams: 7,
  swept: 9,
  spare: 10,
  inner: 11,
  leaf: 12,
  cleared: 13,
  innerCount: 14,
  leafCount: 15,
  clearedCount: 16,
  tests: 17,
  boxes: 18,
  segments: 20,
  segmentCount: 21,
  points: 22,
  coarse: 24,
  open: 25,
  openCount: 26,
  openRoom: 27,
  marks: 28,
  smallCount: 29,
  allRows: 30,
  left: 31,
  coarseTests: 32,
  firstRows: 33,
  smallNodes: 34,
  patchOf: 35,
  upper: 36,
  upperCount: 37,
  link: 38,
  corners: 39,
  vertexBoxes: 40,
  nodeBoxes: 41,
  stride: 42,
  stack: 43,
  frame: 44,
  rowCounts: 45,
  loose: 46,
  known: 48,
  nodeCount: 49,
  rests: 50,
  failed: 51,
  cones: 52,
  coneStamps: 53,
  firstFaces: 54,
  normals: 55,
  plane: 56,
  coneCount: 57,
  cornerCount: 58,
  sumCount: 59,
  proved: 60,
  ways: 61,
} as const;
export const HEADER_BYTES = 248;

/** Three normals of each triangle of a small patch, three f32 each, in whole groups of four; and their sum, or one group more. */
export function normalsBytes(triangles: number): number {
  return 36 * (triangles + 3) + 192;
}

/** Room for the longest outline at both ends of a motion, and for boxes of its edges: see kernels/polygon.ts. */
export function planeBytes(start: Uint32Array): number {
  const corners = start.reduce((most, value, k) => (k > 0 ? Math.max(most, value - start[k - 1]) : 0), 0);
  const boxes = 128 * (Math.ceil(corners / 16) + Math.ceil(corners / 64) + 3);
  return 16 * (corners + LEAST_CORNERS + 3) + Math.max(boxes, MOST_SLABS);
}

const MOST_SLABS = 512;

/** Of more small patches rows are not put together in lists: what is below them is sooner proved. */
const MOST_JOINED = 4;

/** LX is kept as float32. */
const REST_ERROR = 2 ** -23;
/** For each row that is added to the same sum, of the sizes of all that is: float32 in small patches, float64 above. */
const SMALL_GRAM_ERROR = 2 ** -23;
const GRAM_ERROR = 2 ** -46;

/** At u32[o]. */
export function writeItem(
  u32: Uint32Array,
  f64: Float64Array,
  o: number,
  item: EnergyItem,
  data: EnergyData,
  { pairShared, outlines }: { readonly pairShared: number; readonly outlines: number },
  hasExceptions: boolean,
): void {
  const { start, partsOf } = data.outlines;
  const [a, b] = item.nodes;
  u32.fill(0, o, o + (ITEM >>> 2));
  u32[o + 4] = item.next;
  u32[o + 5] = item.firstSegment;
  u32[o + 6] = item.endSegment;
  u32[o + 11] = hasExceptions ? 1 : 0;
  if (item.outline >= 0) {
    u32[o + 52] = outlines + 4 * start[item.outline];
    u32[o + 53] = start[item.outline + 1] - start[item.outline];
  }
  u32.set(partsOf.subarray(2 * a, 2 * a + 2), o + 56);
  if (a !== b) u32.set(partsOf.subarray(2 * b, 2 * b + 2), o + 58);
  if (item.patch >= 0) writeLimits(u32, f64, o, item, data, pairShared);
}

/** What energies are compared with. */
function writeLimits(
  u32: Uint32Array,
  f64: Float64Array,
  o: number,
  item: EnergyItem,
  data: EnergyData,
  pairShared: number,
): void {
  const { patches, self, between, jointPatch, pairSharedStart, pairs, rootUnit, restReach, mostNeighbours } =
    data;
  const { pair, patch } = item;
  const isJoin = pair >= 0 && jointPatch[pair] < 0;
  const first = isJoin ? pairSharedStart[pair] : 0;
  u32[o] = patch;
  u32[o + 1] = isJoin ? patches.patchOfNode[pairs.b[pair]] : NONE;
  u32[o + 2] = pairShared + 12 * first;
  u32[o + 3] = isJoin ? pairSharedStart[pair + 1] - first : 0;
  const limits: Limits = pair < 0 ? self : between;
  const k = pair < 0 ? patch : pair;
  const error = (norm: number, trace: number) => {
    const restRounding = (mostNeighbours + 32) * 2 ** -52 * norm;
    return restRounding * restReach + Math.sqrt(trace) * REST_ERROR;
  };
  const parts = isJoin
    ? [...smallPatchesBelow(patches, patch), ...smallPatchesBelow(patches, u32[o + 1])]
    : smallPatchesBelow(patches, patch);
  u32[o + 7] = parts.length > MOST_JOINED ? 1 : 0;
  const mostRows = parts.reduce((most, part) => Math.max(most, patches.mostRows[part]), 0);
  const write = (f: number, root: number, norm: number, rows: number, rest: ArrayLike<number>) => {
    f64[f] = root;
    f64[f + 1] = (mostNeighbours + 16) * 2 ** -23 * norm;
    f64[f + 2] = error(norm, rest[0] + rest[3] + rest[5]);
    f64[f + 3] = (mostRows + parts.length + 8) * SMALL_GRAM_ERROR + (rows + 64) * GRAM_ERROR;
    for (let c = 0; c < 6; c++) f64[f + 4 + c] = rest[c];
  };
  const root = limits.root[k] * rootUnit * (1 - 2 ** -50);
  write((o >>> 1) + 6, root, limits.norm[k], limits.rows[k], limits.restGram.subarray(6 * k, 6 * k + 6));
  const sum = (of: (part: number) => number) => parts.reduce((total, part) => total + of(part), 0);
  const looseNorm = Math.sqrt(sum((part) => patches.looseSquares[part])) * (1 + 1e-6),
    looseRest = Array.from({ length: 6 }, (_, c) => sum((part) => patches.looseRest[6 * part + c]));
  const looseRows = sum((part) => patches.rowCounts[part]);
  write((o >>> 1) + 16, parts.length > 1 ? root : 0, looseNorm, looseRows, looseRest);
}

/** At u32[o]. */
export function writePatch(
  u32: Uint32Array,
  o: number,
  patch: number,
  patches: EnergyPatches,
  { shared, allRows }: { readonly shared: number; readonly allRows: number },
): void {
  const { smallCount, sharedStart, left, right, rowStart, rowCounts } = patches;
  const first = sharedStart[patch],
    count = sharedStart[patch + 1] - first;
  u32.set(
    patch < smallCount
      ? [NONE, allRows + rowStart[patch], rowCounts[patch], 0, 0, 0]
      : [left[patch], right[patch], shared + 12 * first, count, 0, 0],
    o,
  );
}

function smallPatchesBelow(patches: EnergyPatches, patch: number): number[] {
  if (patch < patches.smallCount) return [patch];
  return [
    ...smallPatchesBelow(patches, patches.left[patch]),
    ...smallPatchesBelow(patches, patches.right[patch]),
  ];
}
