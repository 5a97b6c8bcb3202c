import {
  CENTRE, END_BYTES, FACTOR_SUM, FIRST_END, FIRST_PLACE, FIRST_REACH, HANDLES, HANDLE_BYTES, HANDLE_COUNT,
  HAS_PHANTOM, LARGEST_SIZE, MATRICES, PARTS, PLACED, PLACES, PLACE_BYTES, REACH_BYTES, WEIGHT_SUM, WORLD, at,
} from './side';

/*
 * Handles: affine maps that move points. For boxes they are kept as float32, with the world matrix in front, relative to
 * the rest centre and to an origin.
 */

const UNDERFLOW: f64 = 1.2e-38; // what a float32 may lose beside its relative error

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
