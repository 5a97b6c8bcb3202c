/**
 * A side of an on-demand query: a block of words that describes a body whose points follow affine handles,
 * p = v + sum q_m d_m, x = sum w_j T_j p. src/refit/handle-boxes.ts fills it.
 */

// Words.
export const LINK: usize = 0, CORNERS: usize = 4, NODES: usize = 8, ENTRIES: usize = 12, MODE_ENTRIES: usize = 16;
export const VOLUMES: usize = 20, TABLES: usize = 24, DENSE: usize = 28, BOUNDED: usize = 32, FRAME: usize = 36;
export const PREVIOUS: usize = 40, ENDS: usize = 44, SUPPORT: usize = 48, REFITTED: usize = 52, EVALUATED: usize = 56;
export const HANDLE_COUNT: usize = 60;
// Two blocks about positions, of the start and the end of a motion.
export const FIRST_END: usize = 64, END_BYTES: usize = 48;
export const LOCAL: usize = 0, LOCAL_STAMPS: usize = 4, LOCAL_EPOCH: usize = 8, PLACED: usize = 12, PLACED_STAMPS: usize = 16;
export const PLACED_EPOCH: usize = 20, WORLD: usize = 24, MATRICES: usize = 28, WEIGHTS: usize = 32, HANDLES: usize = 36;
export const WEIGHTS32: usize = 40;
export const REST: usize = 160, SKIN_START: usize = 164, SKIN_INDEX: usize = 168, SKIN_VALUE: usize = 172;
export const MODE_START: usize = 176, MODE_INDEX: usize = 180, MODE_VALUE: usize = 184, HAS_PHANTOM: usize = 188;
// Two blocks of f64: origin xyz, margin.
export const FIRST_PLACE: usize = 192, PLACE_BYTES: usize = 32;
export const CENTRE: usize = 256; // of the rest box, three f64
export const WEIGHT_SUM: usize = 280, FACTOR_SUM: usize = 288; // f64
export const FIRST_REACH: usize = 296, REACH_BYTES: usize = 16; // per end: largest offset from the centre, largest coordinate
export const MORE_PASSES: usize = 328;
// What pairs of small nodes need, see ./small-pairs: boxes of slots, ranges of nodes, working memory, what is computed now.
export const SLOT_BOXES: usize = 332, RANGES: usize = 336, NEW_POINTS: usize = 340, STAMP: usize = 344;

// A node: first entry, entries, first mode entry, mode entries, triangles (u32); R, margin factor (f32).
export const NODE_BYTES: usize = 32;
export const ENTRY_BYTES: usize = 16; // least weight, cap (f32), handle, bytes from the first table to its own (u32)
export const LAST_DIRECTION: usize = 100; // in a table: 26 f32, opposite directions as far from the ends
// A handle: four columns, see placeHandles; weights of axis, edge and corner (f32x4 each); where they are (4 bytes each).
export const HANDLE_BYTES: usize = 128, PARTS: usize = 64, PLACES: usize = 112;
export const MODE_BYTES: usize = 28; // centre xyz, half size xyz (f32), mode (u32)

// A volume: lo.xyz and hi.xyz (f32, rounded outward), the frames in which it was computed and last looked at (u32).
export const VOLUME_BYTES: usize = 32, COMPUTED: usize = 24, SEEN: usize = 28;

/** Images beyond this have boxes without end. */
export const LARGEST_SIZE: f64 = 1e30;

// @ts-ignore: decorator
@inline
export function at(list: usize, index: u32): usize {
  return list + ((<usize>index) << 2);
}
