import { morphPoints, skinPoints, transformPoints } from './deform';

/**
 * Depth-first traversal with volumes and positions computed when they are needed, for bodies whose points follow
 * affine handles: p = v + sum q_m d_m, x = sum w_j T_j p. A side is described by a block of words, see
 * src/refit/handle-boxes.ts. Nodes know how far their points reach in 26 directions; from that come float32 supports
 * of handle images, and from these boxes, rounded outward by a margin per node. Below SMALL_NODE triangles boxes are
 * the union of the children's, at the leaves that of the points.
 */

// Words of a side.
const LINK: usize = 0, CORNERS: usize = 4, NODES: usize = 8, ENTRIES: usize = 12, MODE_ENTRIES: usize = 16;
const VOLUMES: usize = 20, TABLES: usize = 24, BOUNDED: usize = 32, FRAME: usize = 36;
const PREVIOUS: usize = 40, ENDS: usize = 44, SUPPORT: usize = 48, REFITTED: usize = 52, EVALUATED: usize = 56, HANDLE_COUNT: usize = 60;
// Two blocks about positions, of the start and the end of a motion.
const FIRST_END: usize = 64, END_BYTES: usize = 48;
const LOCAL: usize = 0, LOCAL_STAMPS: usize = 4, LOCAL_EPOCH: usize = 8, PLACED: usize = 12, PLACED_STAMPS: usize = 16;
const PLACED_EPOCH: usize = 20, WORLD: usize = 24, MATRICES: usize = 28, WEIGHTS: usize = 32, HANDLES: usize = 36;
const WEIGHTS32: usize = 40;
const REST: usize = 160, SKIN_START: usize = 164, SKIN_INDEX: usize = 168, SKIN_VALUE: usize = 172;
const MODE_START: usize = 176, MODE_INDEX: usize = 180, MODE_VALUE: usize = 184, HAS_PHANTOM: usize = 188;
// Two blocks of f64: origin xyz, margin.
const FIRST_PLACE: usize = 192, PLACE_BYTES: usize = 32;
const CENTRE: usize = 256; // of the rest box, three f64
const WEIGHT_SUM: usize = 280, FACTOR_SUM: usize = 288; // f64
const FIRST_REACH: usize = 296, REACH_BYTES: usize = 16; // per end: largest offset from the centre, largest coordinate
const MORE_PASSES: usize = 328;

// A node: first entry, entries, first mode entry, mode entries, triangles (u32); R, margin factor (f32).
const NODE_BYTES: usize = 32;
const ENTRY_BYTES: usize = 16; // least weight, cap (f32), handle, bytes from the first table to its own (u32)
const LAST_DIRECTION: usize = 100; // in a table: 26 f32, opposite directions as far from the ends
// A handle: four columns, see placeHandles; weights of axis, edge and corner (f32x4 each); where they are (4 bytes each).
const HANDLE_BYTES: usize = 128, PARTS: usize = 64, PLACES: usize = 112;
const MODE_BYTES: usize = 28; // centre xyz, half size xyz (f32), mode (u32)
const SMALL_NODE: u32 = 4;
const LARGEST_SIZE: f64 = 1e30;
const TINY: f64 = 1e-30;
const UNDERFLOW: f64 = 1.2e-38; // what a float32 may lose beside its relative error
const DEEPEST: u32 = 48;

// @ts-ignore: decorator
@inline
function at(list: usize, index: u32): usize {
  return list + ((<usize>index) << 2);
}

function ensureLocal(d: usize, end: usize, point: u32): usize {
  const local = load<usize>(end, LOCAL), stamps = load<u32>(end, LOCAL_STAMPS);
  const out = local + (<usize>point) * 24;
  if (stamps == 0) return out;
  const epoch = load<u32>(end, LOCAL_EPOCH);
  if (load<u32>(at(stamps, point)) == epoch) return out;
  store<u32>(at(stamps, point), epoch);
  let from = <usize>load<u32>(d, REST) + (<usize>point) * 24;
  const modes = load<u32>(d, MODE_START);
  if (modes != 0) {
    morphPoints(from, 1, at(modes, point), load<u32>(d, MODE_INDEX), load<u32>(d, MODE_VALUE), load<u32>(end, WEIGHTS), out);
    from = out;
  }
  const skin = load<u32>(d, SKIN_START);
  if (skin != 0) {
    skinPoints(from, 1, at(skin, point), load<u32>(d, SKIN_INDEX), load<u32>(d, SKIN_VALUE), load<u32>(end, MATRICES), out);
  }
  store<u32>(d, load<u32>(d, EVALUATED) + 1, EVALUATED);
  return out;
}

/** The address of a point at one end of the motion, evaluated now if it was not. */
function ensurePoint(d: usize, end: usize, point: u32): usize {
  const placed = load<usize>(end, PLACED);
  if (placed == 0) return ensureLocal(d, end, point);
  const stamps = load<u32>(end, PLACED_STAMPS);
  const out = placed + (<usize>point) * 24;
  if (stamps == 0) return out;
  const epoch = load<u32>(end, PLACED_EPOCH);
  if (load<u32>(at(stamps, point)) == epoch) return out;
  store<u32>(at(stamps, point), epoch);
  transformPoints(ensureLocal(d, end, point), 1, load<u32>(end, WORLD), out);
  store<u32>(d, load<u32>(d, EVALUATED) + 1, EVALUATED);
  return out;
}

/**
 * Once per pose and end: every handle with the world matrix in front of it, as float32 columns relative to the rest
 * centre and to an origin, and how large images and rounding errors can be.
 */
export function placeHandles(d: usize, which: usize): void {
  const end = d + FIRST_END + which * END_BYTES, place = d + FIRST_PLACE + which * PLACE_BYTES;
  const reach = load<f64>(d + FIRST_REACH + which * REACH_BYTES), far = load<f64>(d + FIRST_REACH + which * REACH_BYTES, 8);
  const world = load<usize>(end, WORLD), isPlaced = load<usize>(end, PLACED) != 0;
  const cx = load<f64>(d, CENTRE), cy = load<f64>(d, CENTRE + 8), cz = load<f64>(d, CENTRE + 16);
  const count = load<u32>(d, HANDLE_COUNT), joints = count - load<u32>(d, HAS_PHANTOM);
  let m = load<usize>(end, MATRICES), out = load<usize>(end, HANDLES);
  let ox: f64 = 0, oy: f64 = 0, oz: f64 = 0, large0: f64 = 0, large1: f64 = 0, large2: f64 = 0, largest: f64 = 0;
  const last = f64x2(0, 1), none = f64x2.splat(0), factor = load<f64>(d, FACTOR_SUM);
  const w0 = isPlaced ? v128.load(world) : f64x2(1, 0), w1 = isPlaced ? v128.load(world, 16) : f64x2(0, 0);
  const w2 = isPlaced ? v128.load(world, 32) : f64x2(0, 1), w3 = isPlaced ? v128.load(world, 48) : f64x2(0, 0);
  const w4 = isPlaced ? v128.load(world, 64) : f64x2(0, 0), w5 = isPlaced ? v128.load(world, 80) : f64x2(1, 0);
  for (let j: u32 = 0; j < count; j++, m += 96, out += HANDLE_BYTES) {
    let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0;
    if (j < joints) {
      a0 = v128.load(m), a1 = v128.load(m, 16), b0 = v128.load(m, 32), b1 = v128.load(m, 48);
      c0 = v128.load(m, 64), c1 = v128.load(m, 80);
      large0 = max(large0, sizeOf(a0, a1, far)), large1 = max(large1, sizeOf(b0, b1, far));
      large2 = max(large2, sizeOf(c0, c1, far));
    }
    if (isPlaced) {
      const x0 = a0, x1 = a1, y0 = b0, y1 = b1;
      a0 = blend3(w0, w1, x0, y0, c0), a1 = f64x2.add(blend3(w0, w1, x1, y1, c1), f64x2.mul(w1, last));
      b0 = blend3(w2, w3, x0, y0, c0), b1 = f64x2.add(blend3(w2, w3, x1, y1, c1), f64x2.mul(w3, last));
      const z0 = c0, z1 = c1;
      c0 = blend3(w4, w5, x0, y0, z0), c1 = f64x2.add(blend3(w4, w5, x1, y1, z1), f64x2.mul(w5, last));
    }
    let tx = imageOf(a0, a1, cx, cy, cz), ty = imageOf(b0, b1, cx, cy, cz), tz = imageOf(c0, c1, cx, cy, cz);
    if (j == 0) ox = tx, oy = ty, oz = tz;
    tx -= ox, ty -= oy, tz -= oz;
    const linear = max(max(linearSize(a0, a1), linearSize(b0, b1)), linearSize(c0, c1));
    largest = max(largest, linear);
    const size = linear * reach + max(max(abs(tx), abs(ty)), abs(tz)) + (reach + linear) * UNDERFLOW;
    const x32 = columnOf(v128.shuffle<i64>(a0, b0, 0, 2), v128.shuffle<i64>(c0, none, 0, 2));
    const y32 = columnOf(v128.shuffle<i64>(a0, b0, 1, 3), v128.shuffle<i64>(c0, none, 1, 2));
    const z32 = columnOf(v128.shuffle<i64>(a1, b1, 0, 2), v128.shuffle<i64>(c1, none, 0, 2));
    v128.store(out, x32), v128.store(out, y32, 16), v128.store(out, z32, 32);
    v128.store(out, columnOf(f64x2(tx, ty), f64x2(tz, 0)), 48);
    // The fourth lane carries how large images are: rounding errors are relative to that.
    store<f32>(out, size * factor < LARGEST_SIZE ? <f32>(size * (1 + 2.4e-7)) : Infinity, 60);
    splitRows(out, x32, y32, z32);
  }
  const sum = load<f64>(d, WEIGHT_SUM);
  large0 *= sum, large1 *= sum, large2 *= sum;
  let error = max(max(large0, large1), large2);
  if (isPlaced) {
    // Rounding before the world matrix grows with it; its own products are as large as the images.
    const rx = spread(w0, w1, large0, large1, large2), ry = spread(w2, w3, large0, large1, large2);
    const rz = spread(w4, w5, large0, large1, large2);
    error = max(max(rx, ry), rz);
  }
  store<f64>(place, ox), store<f64>(place, oy, 8), store<f64>(place, oz, 16);
  // What float32 cannot hold gets boxes without end.
  const isUsable = max(reach, largest) < LARGEST_SIZE;
  store<f64>(place, isUsable ? error * ERROR + 1e-300 : Infinity, 24);
}

/**
 * Every row of the linear part as a sum of three of the 26 directions, those of the faces, edges and corners of a cube:
 * sorted by size, |d| = (hi - mid) axis + (mid - lo) edge + lo corner, each with the signs of d. What reaches so far in
 * these directions reaches at most the same sum in direction d; a box exactly that. Columns come as they are in
 * memory: reading back what was just written would wait for it.
 */
function splitRows(m: usize, x: v128, y: v128, z: v128): void {
  const zero = f32x4.splat(0);
  const most32 = f32x4.splat(f32.MAX_VALUE); // beyond, boxes have no end; differences still have to be numbers
  const ax = f32x4.pmin(most32, f32x4.abs(x)), ay = f32x4.pmin(most32, f32x4.abs(y));
  const az = f32x4.pmin(most32, f32x4.abs(z));
  const xy = f32x4.ge(ax, ay), xz = f32x4.ge(ax, az), yz = f32x4.ge(ay, az);
  const low = v128.bitselect(ay, ax, xy), high = v128.bitselect(ax, ay, xy); // of x and y
  const hi = f32x4.pmax(high, az), lo = f32x4.pmin(low, az), mid = f32x4.pmax(low, f32x4.pmin(high, az));
  v128.store(m, f32x4.sub(hi, mid), PARTS), v128.store(m, f32x4.sub(mid, lo), PARTS + 16), v128.store(m, lo, PARTS + 32);
  const sx = v128.bitselect(i32x4.splat(-9), i32x4.splat(9), f32x4.lt(x, zero));
  const sy = v128.bitselect(i32x4.splat(-3), i32x4.splat(3), f32x4.lt(y, zero));
  const sz = v128.bitselect(i32x4.splat(-1), i32x4.splat(1), f32x4.lt(z, zero));
  const most = v128.bitselect(sx, v128.bitselect(sy, sz, yz), v128.and(xy, xz));
  const least = v128.bitselect(sz, v128.bitselect(sy, sx, xy), v128.and(xz, yz));
  const all = i32x4.add(i32x4.add(sx, sy), sz);
  const places = i16x8.narrow_i32x4_s(placeOf(most), placeOf(i32x4.sub(all, least)));
  v128.store(m, i8x16.narrow_i16x8_u(places, i16x8.narrow_i32x4_s(placeOf(all), placeOf(all))), PLACES);
}

/** Bytes from the start of a table: 27 directions less the one in the middle. */
// @ts-ignore: decorator
@inline
function placeOf(direction: v128): v128 {
  const isAfter = i32x4.gt_s(direction, i32x4.splat(0)); // -1 where it is
  return i32x4.shl(i32x4.add(i32x4.add(direction, i32x4.splat(13)), isAfter), 2);
}

/** 2^-39: beyond what sums of 16384 products can lose, and beyond weights whose sum is off by 1e-12. */
const ERROR: f64 = 1.8189894035458565e-12;

// @ts-ignore: decorator
@inline
function sizeOf(xy: v128, zt: v128, far: f64): f64 {
  return linearSize(xy, zt) * far + abs(f64x2.extract_lane(zt, 1));
}

// @ts-ignore: decorator
@inline
function linearSize(xy: v128, zt: v128): f64 {
  return abs(f64x2.extract_lane(xy, 0)) + abs(f64x2.extract_lane(xy, 1)) + abs(f64x2.extract_lane(zt, 0));
}

// @ts-ignore: decorator
@inline
function imageOf(xy: v128, zt: v128, x: f64, y: f64, z: f64): f64 {
  return f64x2.extract_lane(xy, 0) * x + f64x2.extract_lane(xy, 1) * y + f64x2.extract_lane(zt, 0) * z +
    f64x2.extract_lane(zt, 1);
}

// @ts-ignore: decorator
@inline
function spread(xy: v128, zt: v128, x: f64, y: f64, z: f64): f64 {
  return abs(f64x2.extract_lane(xy, 0)) * x + abs(f64x2.extract_lane(xy, 1)) * y + abs(f64x2.extract_lane(zt, 0)) * z +
    abs(f64x2.extract_lane(zt, 1));
}

/** One row of a world matrix (xy, zt) times two columns of three rows. */
// @ts-ignore: decorator
@inline
function blend3(xy: v128, zt: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(
    f64x2.add(
      f64x2.mul(v128.shuffle<i64>(xy, xy, 0, 0), x), f64x2.mul(v128.shuffle<i64>(xy, xy, 1, 1), y)),
    f64x2.mul(v128.shuffle<i64>(zt, zt, 0, 0), z));
}

/** x and y, z and 0 as float32. */
// @ts-ignore: decorator
@inline
function columnOf(xy: v128, z0: v128): v128 {
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z0), 0, 1, 4, 5);
}

/*
 * A volume has 32 bytes: lo.xyz and hi.xyz (f32, rounded outward), the frame in which it was computed and the one in
 * which a traversal last looked at it (u32). A load of four numbers at lo or at hi brings one that does not belong
 * there: it never counts.
 */
const VOLUME_BYTES: usize = 32, COMPUTED: usize = 24, SEEN: usize = 28;

// @ts-ignore: decorator
@inline
function storeBox(out: usize, lo: v128, hi: v128): void {
  v128.store(out, lo);
  v128.store64_lane(out, hi, 0, 12), v128.store32_lane(out, hi, 2, 20);
}

/** lo.xy and lo.z in the lower lane, as f64, to float32 numbers that are not larger. */
// @ts-ignore: decorator
@inline
function roundDown(xy: v128, z: v128): v128 {
  const most = f64x2.splat(3e38);
  const x = f32x4.demote_f64x2_zero(f64x2.pmin(xy, most)), y = f32x4.demote_f64x2_zero(f64x2.pmin(z, most));
  const v = v128.shuffle<i32>(x, y, 0, 1, 4, 5);
  return f32x4.sub(v, f32x4.add(f32x4.mul(f32x4.abs(v), f32x4.splat(1.2e-7)), f32x4.splat(1e-37)));
}

// @ts-ignore: decorator
@inline
function roundUp(xy: v128, z: v128): v128 {
  const least = f64x2.splat(-3e38);
  const x = f32x4.demote_f64x2_zero(f64x2.pmax(xy, least)), y = f32x4.demote_f64x2_zero(f64x2.pmax(z, least));
  const v = v128.shuffle<i32>(x, y, 0, 1, 4, 5);
  return f32x4.add(v, f32x4.add(f32x4.mul(f32x4.abs(v), f32x4.splat(1.2e-7)), f32x4.splat(1e-37)));
}

/** The box of one triangle, at both ends of the motion. */
function fitSlot(d: usize, slot: u32, out: usize): void {
  const corners = load<usize>(d, CORNERS) + (<usize>slot) * 12;
  const ends = load<u32>(d, ENDS);
  let loXY = f64x2.splat(Infinity), loZ = loXY, hiXY = f64x2.splat(-Infinity), hiZ = hiXY;
  for (let k: u32 = 0; k < 3 * ends; k++) {
    const end = d + FIRST_END + (k < 3 ? 0 : END_BYTES);
    const p = ensurePoint(d, end, load<u32>(at(corners, k < 3 ? k : k - 3)));
    const xy = v128.load(p), z = v128.load64_zero(p, 16);
    loXY = f64x2.pmin(loXY, xy), loZ = f64x2.pmin(loZ, z), hiXY = f64x2.pmax(hiXY, xy), hiZ = f64x2.pmax(hiZ, z);
  }
  storeBox(out, roundDown(loXY, loZ), roundUp(hiXY, hiZ));
}

/** Three numbers of a table. */
// @ts-ignore: decorator
@inline
function gather(x: usize, y: usize, z: usize): v128 {
  return v128.load32_lane(z, v128.load32_lane(y, v128.load32_zero(x), 1), 2);
}

/** The box of a node from its handles at one end of the motion. */
function fitHandles(d: usize, node: usize, end: usize, place: usize, out: usize, grow: bool): void {
  const zero = f32x4.splat(0);
  let shift = zero, growth = zero;
  const modeCount = load<u32>(node, 12);
  if (modeCount != 0) {
    const weights = <usize>load<u32>(end, WEIGHTS32);
    let m = <usize>load<u32>(d, MODE_ENTRIES) + (<usize>load<u32>(node, 8)) * MODE_BYTES;
    for (let k: u32 = 0; k < modeCount; k++, m += MODE_BYTES) {
      const q = v128.load32_splat(at(weights, load<u32>(m, 24)));
      shift = f32x4.add(shift, f32x4.mul(q, v128.load(m)));
      growth = f32x4.add(growth, f32x4.mul(f32x4.abs(q), v128.load(m, 12)));
    }
  }
  const handles = <usize>load<u32>(end, HANDLES), tables = <usize>load<u32>(d, TABLES);
  const first = <usize>load<u32>(d, ENTRIES) + (<usize>load<u32>(node)) * ENTRY_BYTES;
  const count = load<u32>(node, 4);
  const support = <usize>load<u32>(d, SUPPORT);
  let up = zero, down = zero, baseUp = zero, baseDown = zero;
  let mostUp = f32x4.splat(-Infinity), mostDown = mostUp, nextUp = mostUp, nextDown = mostUp;
  let e = first, s = support;
  for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
    const m = handles + (<usize>load<u32>(e, 8)) * HANDLE_BYTES, table = tables + <usize>load<u32>(e, 12);
    const origin = v128.load(m, 48);
    up = origin, down = f32x4.neg(origin);
    for (let part: usize = 0; part < 3; part++) {
      const weight = v128.load(m + (part << 4), PARTS), place = m + (part << 2), last = table + LAST_DIRECTION;
      const x = <usize>load<u8>(place, PLACES), y = <usize>load<u8>(place, PLACES + 1), z = <usize>load<u8>(place, PLACES + 2);
      up = f32x4.add(up, f32x4.mul(weight, gather(table + x, table + y, table + z)));
      down = f32x4.add(down, f32x4.mul(weight, gather(last - x, last - y, last - z)));
    }
    if (modeCount != 0) {
      const t0 = v128.load(m), t1 = v128.load(m, 16), t2 = v128.load(m, 32);
      const moved = f32x4.add(
        f32x4.add(
          f32x4.mul(t0, v128.shuffle<i32>(shift, shift, 0, 0, 0, 0)),
          f32x4.mul(t1, v128.shuffle<i32>(shift, shift, 1, 1, 1, 1))),
        f32x4.mul(t2, v128.shuffle<i32>(shift, shift, 2, 2, 2, 2)));
      const grown = f32x4.add(
        f32x4.add(
          f32x4.mul(f32x4.abs(t0), v128.shuffle<i32>(growth, growth, 0, 0, 0, 0)),
          f32x4.mul(f32x4.abs(t1), v128.shuffle<i32>(growth, growth, 1, 1, 1, 1))),
        f32x4.mul(f32x4.abs(t2), v128.shuffle<i32>(growth, growth, 2, 2, 2, 2)));
      up = f32x4.add(up, f32x4.add(grown, moved)), down = f32x4.add(down, f32x4.sub(grown, moved));
    }
    if (count == 1) {
      mostUp = up;
      break;
    }
    v128.store(s, up), v128.store(s, down, 16);
    const low = load<f32>(e);
    const most = f32x4.splat(abs(low));
    baseUp = f32x4.add(baseUp, f32x4.mul(most, low < 0 ? down : up));
    baseDown = f32x4.add(baseDown, f32x4.mul(most, low < 0 ? up : down));
    nextUp = f32x4.pmax(nextUp, f32x4.pmin(mostUp, up)), mostUp = f32x4.pmax(mostUp, up);
    nextDown = f32x4.pmax(nextDown, f32x4.pmin(mostDown, down)), mostDown = f32x4.pmax(mostDown, down);
  }
  if (count > 1) {
    const R = v128.load32_splat(node, 20);
    if (count > 3 && load<u32>(d, MORE_PASSES) != 0) {
      nextUp = lower(first, support, count, nextUp, R);
      nextDown = lower(first, support + 16, count, nextDown, R);
    }
    up = f32x4.mul(nextUp, R), down = f32x4.mul(nextDown, R);
    e = first + 4, s = support;
    for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
      const cap = v128.load32_splat(e);
      up = f32x4.add(up, f32x4.mul(cap, f32x4.pmax(f32x4.sub(v128.load(s), nextUp), zero)));
      down = f32x4.add(down, f32x4.mul(cap, f32x4.pmax(f32x4.sub(v128.load(s, 16), nextDown), zero)));
    }
    up = f32x4.add(up, baseUp), down = f32x4.add(down, baseDown);
  }
  const size = <f64>f32x4.extract_lane(mostUp, 3); // of the largest handle, see placeHandles
  let lo = f32x4.splat(-Infinity), hi = f32x4.splat(Infinity);
  const margin = load<f64>(place, 24);
  if (size >= 0 && size < LARGEST_SIZE && margin < LARGEST_SIZE) {
    const pad = f64x2.splat(<f64>load<f32>(node, 24) * (size + TINY) + margin);
    const xy = v128.load(place), z = v128.load64_zero(place, 16);
    const upZ = v128.shuffle<i32>(up, up, 2, 2, 2, 2), downZ = v128.shuffle<i32>(down, down, 2, 2, 2, 2);
    lo = roundDown(
      f64x2.sub(xy, f64x2.add(f64x2.promote_low_f32x4(down), pad)),
      f64x2.sub(z, f64x2.add(f64x2.promote_low_f32x4(downZ), pad)));
    hi = roundUp(
      f64x2.add(xy, f64x2.add(f64x2.promote_low_f32x4(up), pad)),
      f64x2.add(z, f64x2.add(f64x2.promote_low_f32x4(upZ), pad)));
  }
  if (grow) lo = f32x4.pmin(lo, v128.load(out)), hi = f32x4.pmax(hi, v128.load(out, 12));
  storeBox(out, lo, hi);
}

/**
 * Goes down from the second largest support, per lane, until the caps of those at least as large reach R: there the
 * dual bound is the maximum itself. Any value is sound; four steps get nearly all.
 */
function lower(first: usize, support: usize, count: u32, start: v128, R: v128): v128 {
  let lambda = start;
  for (let pass = 0; pass < 4; pass++) {
    let sum = f32x4.splat(0), next = f32x4.splat(-Infinity);
    let e = first + 4, s = support;
    for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
      const b = v128.load(s);
      const isBelow = f32x4.lt(b, lambda);
      sum = f32x4.add(sum, v128.andnot(v128.load32_splat(e), isBelow));
      next = f32x4.pmax(next, v128.bitselect(b, f32x4.splat(-Infinity), isBelow));
    }
    // Lanes that still have something to distribute, and something to give it to.
    const goesOn = v128.and(f32x4.lt(sum, R), f32x4.gt(next, f32x4.splat(-Infinity)));
    if ((i32x4.bitmask(goesOn) & 7) == 0) break;
    lambda = v128.bitselect(next, lambda, goesOn);
  }
  return lambda;
}

// @ts-ignore: decorator
@inline
function headerOf(d: usize, node: u32): usize {
  return load<usize>(d, NODES) + (<usize>node) * NODE_BYTES;
}

// @ts-ignore: decorator
@inline
function volumeOf(d: usize, node: u32): usize {
  return load<usize>(d, VOLUMES) + (<usize>node) * VOLUME_BYTES;
}

/** The volume of a node, computed now if it was not. */
function ensure(d: usize, node: u32, depth: u32): usize {
  const volume = volumeOf(d, node);
  if (load<u32>(volume, COMPUTED) != load<u32>(d, FRAME)) fitNode(d, node, volume, depth);
  return volume;
}

/** `depth` is how many calls of this are under way: trees may be deep. */
function fitNode(d: usize, node: u32, out: usize, depth: u32): void {
  const link = load<u32>(at(load<usize>(d, LINK), node));
  if (link & 0x80000000) fitSlot(d, link & 0x7fffffff, out);
  else {
    const isSmall = node >= load<u32>(d, BOUNDED) || load<u32>(headerOf(d, node), 16) < SMALL_NODE;
    if (isSmall || (depth < DEEPEST && goesOn(d, link))) {
      const a = ensure(d, link, depth + 1), b = ensure(d, link + 1, depth + 1);
      storeBox(out, f32x4.pmin(v128.load(a), v128.load(b)), f32x4.pmax(v128.load(a, 12), v128.load(b, 12)));
    } else {
      store<u32>(d, load<u32>(d, REFITTED) + 1, REFITTED);
      const header = headerOf(d, node);
      fitHandles(d, header, d + FIRST_END, d + FIRST_PLACE, out, false);
      if (load<u32>(d, ENDS) == 2) {
        fitHandles(d, header, d + FIRST_END + END_BYTES, d + FIRST_PLACE + PLACE_BYTES, out, true);
      }
    }
  }
  store<u32>(out, load<u32>(d, FRAME), COMPUTED);
}

/** True when the last pose was looked at further down: children are tighter, and will be needed anyway. */
// @ts-ignore: decorator
@inline
function goesOn(d: usize, child: u32): bool {
  const previous = load<u32>(d, PREVIOUS), volume = volumeOf(d, child);
  return previous != 0 && load<u32>(volume, SEEN) == previous && load<u32>(volume + VOLUME_BYTES, SEEN) == previous;
}

/** Computes the box of a node. */
export function ensureBox(d: usize, node: u32): void {
  ensure(d, node, 0);
}

// @ts-ignore: decorator
@inline
function overlap(a: usize, b: usize): usize {
  const apart = v128.or(f32x4.lt(v128.load(a, 12), v128.load(b)), f32x4.lt(v128.load(b, 12), v128.load(a)));
  return usize((i32x4.bitmask(apart) & 7) == 0);
}

/** 1 when the boxes of two nodes overlap. */
export function testBoxes(a: usize, n: u32, b: usize, m: u32): u32 {
  return <u32>overlap(ensure(a, n, 0), ensure(b, m, 0));
}

// @ts-ignore: decorator
@inline
function extent(box: usize): f32 {
  const e = f32x4.sub(v128.load(box, 12), v128.load(box));
  return f32x4.extract_lane(e, 0) + f32x4.extract_lane(e, 1) + f32x4.extract_lane(e, 2);
}

/** How much two boxes have in common: the extent of the box that is in both. */
// @ts-ignore: decorator
@inline
function shared(a: usize, b: usize): f32 {
  const e = f32x4.sub(f32x4.pmin(v128.load(a, 12), v128.load(b, 12)), f32x4.pmax(v128.load(a), v128.load(b)));
  return f32x4.extract_lane(e, 0) + f32x4.extract_lane(e, 1) + f32x4.extract_lane(e, 2);
}

/** The volume of a node that the traversal looks at. */
// @ts-ignore: decorator
@inline
function look(d: usize, volumes: usize, frame: u32, node: u32): usize {
  const volume = volumes + (<usize>node) * VOLUME_BYTES;
  store<u32>(volume, frame, SEEN);
  if (load<u32>(volume, COMPUTED) != frame) fitNode(d, node, volume, 0);
  return volume;
}

/**
 * Works off a stack of node pairs whose boxes overlap; of each the larger box is opened. Depth, leaf pairs and box tests
 * go to `counts`. Stops when `steps` pairs have been taken, or when the leaf list is full.
 */
export function descendOnDemand(
  a: usize, b: usize, stack: usize, depth: u32, leaves: usize, room: u32, steps: u32, self: u32, counts: usize,
): void {
  let top = stack + ((<usize>depth) << 3), leaf = leaves, tests: u32 = 0;
  const last = leaves + ((<usize>room) << 3);
  const linksA = load<usize>(a, LINK), linksB = load<usize>(b, LINK);
  const volumesA = load<usize>(a, VOLUMES), volumesB = load<usize>(b, VOLUMES);
  const frameA = load<u32>(a, FRAME), frameB = load<u32>(b, FRAME);
  for (; steps > 0 && top > stack && leaf < last; steps--) {
    top -= 8;
    const n = load<u32>(top), m = load<u32>(top, 4);
    const linkA = load<u32>(at(linksA, n)), linkB = load<u32>(at(linksB, m));
    if (self != 0 && n == m) {
      if (linkA & 0x80000000) continue;
      store<u64>(top, pairOf(linkA + 1, linkA + 1)), store<u64>(top, pairOf(linkA, linkA), 8);
      store<u64>(top, pairOf(linkA, linkA + 1), 16);
      const first = look(a, volumesA, frameA, linkA), second = look(a, volumesA, frameA, linkA + 1);
      top += 16 + (overlap(first, second) << 3);
      tests++;
      continue;
    }
    if (linkA & linkB & 0x80000000) {
      store<u64>(leaf, pairOf(n, m));
      leaf += 8;
      continue;
    }
    tests += 2;
    const boxA = volumesA + (<usize>n) * VOLUME_BYTES, boxB = volumesB + (<usize>m) * VOLUME_BYTES;
    if ((linkB & 0x80000000) != 0 || ((linkA & 0x80000000) == 0 && extent(boxA) >= extent(boxB))) {
      const first = look(a, volumesA, frameA, linkA), second = look(a, volumesA, frameA, linkA + 1);
      const turn = u32(shared(first, boxB) > shared(second, boxB)); // the deeper one on top
      store<u64>(top, pairOf(linkA + turn, m));
      top += overlap(turn ? second : first, boxB) << 3;
      store<u64>(top, pairOf(linkA + 1 - turn, m));
      top += overlap(turn ? first : second, boxB) << 3;
    } else {
      const first = look(b, volumesB, frameB, linkB), second = look(b, volumesB, frameB, linkB + 1);
      const turn = u32(shared(first, boxA) > shared(second, boxA));
      store<u64>(top, pairOf(n, linkB + turn));
      top += overlap(turn ? second : first, boxA) << 3;
      store<u64>(top, pairOf(n, linkB + 1 - turn));
      top += overlap(turn ? first : second, boxA) << 3;
    }
  }
  store<u32>(counts, <u32>((top - stack) >> 3)), store<u32>(counts, <u32>((leaf - leaves) >> 3), 4);
  store<u32>(counts, tests, 8);
}

// @ts-ignore: decorator
@inline
function pairOf(a: u32, b: u32): u64 {
  return (<u64>b << 32) | <u64>a;
}
