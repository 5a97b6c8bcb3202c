import { END, PLACE, SIDE, type Views } from './handle-block.ts';

/** Operation order: that of kernels/handles.ts and volumes.ts; every float32 operation is rounded by `fround`. */
const { abs, fround, max } = Math;

const NODE = { firstEntry: 0, entryCount: 1, firstMode: 2, modeCount: 3, rest: 5, margin: 6 } as const;
const ENTRY = { low: 0, cap: 1, handle: 2, table: 3, words: 4 } as const;
const MODE = { mode: 6, words: 7 } as const; // after centre xyz, half size xyz
/** Of a handle: four columns, weights of axis, edge and corner, and where tables have them, a byte per row. */
const HANDLE = { parts: 16, places: 28, words: 32 } as const;
const LAST_DIRECTION = 25; // of a table
const LARGEST_SIZE = 1e30;
const TINY = 1e-30;
const UNDERFLOW = 1.2e-38; // what a float32 may lose beside its relative error
/** 2^-39: beyond what sums of 16384 products can lose, and beyond weights whose sum is off by 1e-12. */
const ERROR = 2 ** -39;
/** A handle with the world matrix in front of it, row-major 3×4. */
const product = new Float64Array(12);
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
const world = new Float64Array(12);
const large = new Float64Array(3);
/** Supports of the only handle of a node. */
const single = new Float32Array(8);

/**
 * Once per pose and end: every handle with the world matrix in front of it, as float32 columns relative to the rest
 * centre and to an origin, and how large images and rounding errors can be.
 */
export function placeHandles(views: Views, d: number, which: number): void {
  const { u32, f32, f64 } = views;
  const end = d + SIDE.end + END.words * which,
    place = ((d + SIDE.place) >>> 1) + PLACE.numbers * which;
  const r = ((d + SIDE.reach) >>> 1) + 2 * which;
  const reach = f64[r],
    far = f64[r + 1];
  const isPlaced = u32[end + END.placed] !== 0;
  const w = u32[end + END.world] >>> 3;
  for (let k = 0; k < 12; k++) world[k] = isPlaced ? f64[w + k] : IDENTITY[k];
  const c = (d + SIDE.centre) >>> 1;
  const count = u32[d + SIDE.handleCount],
    joints = count - u32[d + SIDE.hasPhantom];
  let m = u32[end + END.matrices] >>> 3,
    out = u32[end + END.handles] >>> 2;
  const factor = f64[(d + SIDE.factorSum) >>> 1];
  let largest = 0;
  large.fill(0);
  for (let j = 0; j < count; j++, m += 12, out += HANDLE.words) {
    let linear = 0,
      shift = 0;
    if (j < joints) for (let k = 0; k < 12; k++) product[k] = f64[m + k];
    else product.fill(0);
    if (j < joints) {
      for (let k = 0; k < 3; k++) {
        large[k] = max(large[k], linearSize(product, 4 * k) * far + abs(product[4 * k + 3]));
      }
    }
    if (isPlaced) placeColumns();
    for (let k = 0; k < 3; k++) {
      const t = 4 * k;
      const image =
        product[t] * f64[c] + product[t + 1] * f64[c + 1] + product[t + 2] * f64[c + 2] + product[t + 3];
      if (j === 0) f64[place + k] = image;
      const offset = image - f64[place + k];
      linear = max(linear, linearSize(product, t));
      shift = max(shift, abs(offset));
      f32[out + k] = product[t];
      f32[out + 4 + k] = product[t + 1];
      f32[out + 8 + k] = product[t + 2];
      f32[out + 12 + k] = offset;
    }
    largest = max(largest, linear);
    const size = linear * reach + shift + (reach + linear) * UNDERFLOW;
    f32[out + 3] = f32[out + 7] = f32[out + 11] = 0;
    // Behind the fourth column, how large images are: rounding errors are relative to that.
    f32[out + 15] = size * factor < LARGEST_SIZE ? size * (1 + 2.4e-7) : Infinity;
    splitRows(views, out);
  }
  for (let k = 0; k < 3; k++) large[k] *= f64[(d + SIDE.weightSum) >>> 1];
  let error = max(max(large[0], large[1]), large[2]);
  // Rounding before the world matrix grows with it; its own products are as large as the images.
  if (isPlaced) error = max(max(spread(0), spread(4)), spread(8));
  // What float32 cannot hold gets boxes without end.
  const isUsable = max(reach, largest) < LARGEST_SIZE;
  f64[place + PLACE.margin] = isUsable ? error * ERROR + 1e-300 : Infinity;
}

/** Every row of the linear part as a sum of an axis, an edge and a corner of a cube. */
function splitRows({ u32, f32 }: Views, m: number): void {
  u32.fill(0, m + HANDLE.places, m + HANDLE.words);
  for (let row = 0; row < 4; row++) {
    const x = f32[m + row],
      y = f32[m + 4 + row],
      z = f32[m + 8 + row];
    const ax = sizeOf(x),
      ay = sizeOf(y),
      az = sizeOf(z);
    const low = ax >= ay ? ay : ax,
      high = ax >= ay ? ax : ay;
    const hi = high < az ? az : high,
      lo = az < low ? az : low,
      between = az < high ? az : high,
      mid = low < between ? between : low;
    f32[m + HANDLE.parts + row] = hi - mid;
    f32[m + HANDLE.parts + 4 + row] = mid - lo;
    f32[m + HANDLE.parts + 8 + row] = lo;
    const sx = x < 0 ? -9 : 9,
      sy = y < 0 ? -3 : 3,
      sz = z < 0 ? -1 : 1;
    const most = ax >= ay && ax >= az ? sx : ay >= az ? sy : sz,
      least = ax >= az && ay >= az ? sz : ax >= ay ? sy : sx;
    const all = sx + sy + sz;
    u32[m + HANDLE.places] |= placeOf(most) << (8 * row);
    u32[m + HANDLE.places + 1] |= placeOf(all - least) << (8 * row);
    u32[m + HANDLE.places + 2] |= placeOf(all) << (8 * row);
  }
  u32[m + HANDLE.places + 3] = u32[m + HANDLE.places + 2]; // fills the record
}

/** Beyond float32 boxes have no end; differences still have to be numbers. */
function sizeOf(x: number): number {
  return abs(x) < LARGEST_FLOAT ? abs(x) : LARGEST_FLOAT;
}

const LARGEST_FLOAT = 3.4028234663852886e38;

/** Bytes from the start of a table: 27 directions less the one in the middle. */
function placeOf(direction: number): number {
  return 4 * (direction > 0 ? 12 + direction : 13 + direction);
}

/** The world matrix times the handle, in place. */
function placeColumns(): void {
  for (let k = 0; k < 4; k++) {
    const x = product[k],
      y = product[k + 4],
      z = product[k + 8];
    for (let t = 0; t < 12; t += 4) {
      const sum = world[t] * x + world[t + 1] * y + world[t + 2] * z;
      // The third plus 0 and the fourth plus the translation, for the same zeros.
      product[t + k] = k < 2 ? sum : k === 2 ? sum + world[t + 2] * 0 : sum + world[t + 3];
    }
  }
}

function linearSize(m: Float64Array, t: number): number {
  return abs(m[t]) + abs(m[t + 1]) + abs(m[t + 2]);
}

function spread(t: number): number {
  return (
    abs(world[t]) * large[0] + abs(world[t + 1]) * large[1] + abs(world[t + 2]) * large[2] + abs(world[t + 3])
  );
}

/** The box of a node from its handles at one end of the motion: six float32 at `out`, rounded outward. */
export function fitHandles(
  views: Views,
  d: number,
  node: number,
  end: number,
  place: number,
  out: number,
  grow: boolean,
): void {
  const { u32, f32, f64 } = views;
  const first = (u32[d + SIDE.entries] >>> 2) + ENTRY.words * u32[node + NODE.firstEntry],
    count = u32[node + NODE.entryCount];
  const list = count > 1 ? f32 : single,
    support = count > 1 ? u32[d + SIDE.support] >>> 2 : 0;
  readSupports(views, d, node, end, first, count, list, support);
  const size = largestSize(list, support, count);
  const margin = f64[place + PLACE.margin];
  const isUsable = size >= 0 && size < LARGEST_SIZE && margin < LARGEST_SIZE;
  const pad = f32[node + NODE.margin] * (size + TINY) + margin;
  const passes = count > 3 && u32[d + SIDE.morePasses] !== 0 ? PASSES : 0;
  const R = f32[node + NODE.rest];
  for (let k = 0; k < 3; k++) {
    let lo = -Infinity,
      hi = Infinity;
    if (isUsable) {
      const up = count > 1 ? sumUp(f32, first, count, support + k, support + 4 + k, R, passes) : single[k],
        down = count > 1 ? sumUp(f32, first, count, support + 4 + k, support + k, R, passes) : single[4 + k];
      lo = roundDown(f64[place + k] - (down + pad));
      hi = roundUp(f64[place + k] + (up + pad));
    }
    f32[out + k] = grow && f32[out + k] < lo ? f32[out + k] : lo;
    f32[out + 3 + k] = grow && hi < f32[out + 3 + k] ? f32[out + 3 + k] : hi;
  }
}

/** To a float32 number that is not larger. */
export function roundDown(x: number): number {
  const v = fround(3e38 < x ? 3e38 : x);
  return fround(v - fround(fround(abs(v) * RELATIVE) + ABSOLUTE));
}

/** … and not smaller. */
export function roundUp(x: number): number {
  const v = fround(x < -3e38 ? -3e38 : x);
  return fround(v + fround(fround(abs(v) * RELATIVE) + ABSOLUTE));
}

const RELATIVE = fround(1.2e-7);
const ABSOLUTE = fround(1e-37);

/** Of the handles of a node. */
function largestSize(list: Float32Array, s: number, count: number): number {
  if (count === 1) return list[s + 3];
  let most = -Infinity;
  for (let k = 0; k < count; k++) if (most < list[s + 8 * k + 3]) most = list[s + 8 * k + 3];
  return most;
}

/**
 * How far the points of each entry reach under its handle: eight float32 per entry at `s`, up xyz, the size of the
 * handle's images, down xyz, and the negative size.
 */
function readSupports(
  { u32, f32 }: Views,
  d: number,
  node: number,
  end: number,
  first: number,
  count: number,
  list: Float32Array,
  s: number,
): void {
  let sx = 0,
    sy = 0,
    sz = 0,
    gx = 0,
    gy = 0,
    gz = 0;
  const weights = u32[end + END.weights32] >>> 2;
  let m = (u32[d + SIDE.modeEntries] >>> 2) + MODE.words * u32[node + NODE.firstMode];
  for (let k = u32[node + NODE.modeCount]; k > 0; k--, m += MODE.words) {
    const q = f32[weights + u32[m + MODE.mode]],
      p = abs(q);
    sx = fround(sx + fround(q * f32[m]));
    sy = fround(sy + fround(q * f32[m + 1]));
    sz = fround(sz + fround(q * f32[m + 2]));
    gx = fround(gx + fround(p * f32[m + 3]));
    gy = fround(gy + fround(p * f32[m + 4]));
    gz = fround(gz + fround(p * f32[m + 5]));
  }
  const isMoved = u32[node + NODE.modeCount] > 0;
  const handles = u32[end + END.handles] >>> 2,
    tables = u32[d + SIDE.tables] >>> 2;
  for (let k = 0, e = first, o = s; k < count; k++, e += ENTRY.words, o += 8) {
    const t = handles + HANDLE.words * u32[e + ENTRY.handle],
      table = tables + (u32[e + ENTRY.table] >>> 2);
    for (let i = 0; i < 4; i++) {
      let up = f32[t + 12 + i],
        down = -up;
      for (let part = 0; part < 3; part++) {
        const weight = f32[t + HANDLE.parts + 4 * part + i],
          place = ((u32[t + HANDLE.places + part] >>> (8 * i)) & 0xff) >>> 2;
        // The fourth lane has no direction.
        up = fround(up + fround(weight * (i < 3 ? f32[table + place] : 0)));
        down = fround(down + fround(weight * (i < 3 ? f32[table + LAST_DIRECTION - place] : 0)));
      }
      if (isMoved) {
        const x = f32[t + i],
          y = f32[t + 4 + i],
          z = f32[t + 8 + i];
        const moved = fround(fround(fround(x * sx) + fround(y * sy)) + fround(z * sz));
        const grown = fround(fround(fround(abs(x) * gx) + fround(abs(y) * gy)) + fround(abs(z) * gz));
        up = fround(up + fround(grown + moved));
        down = fround(down + fround(grown - moved));
      }
      list[o + i] = up;
      list[o + 4 + i] = down;
    }
  }
}

/** The bound of one direction, whose supports are at `s`; those of the opposite one are at `back`. */
function sumUp(
  f32: Float32Array,
  first: number,
  count: number,
  s: number,
  back: number,
  R: number,
  passes: number,
): number {
  let base = 0,
    most = -Infinity,
    lambda = -Infinity;
  for (let k = 0, e = first; k < count; k++, e += ENTRY.words) {
    const b = f32[s + 8 * k],
      low = f32[e + ENTRY.low];
    base = fround(base + fround(abs(low) * (low < 0 ? f32[back + 8 * k] : b)));
    const less = b < most ? b : most;
    if (lambda < less) lambda = less;
    if (most < b) most = b;
  }
  if (passes > 0) lambda = lower(f32, first, count, s, lambda, R, passes);
  let sum = fround(lambda * R);
  for (let k = 0, e = first; k < count; k++, e += ENTRY.words) {
    const above = fround(f32[s + 8 * k] - lambda);
    sum = fround(sum + fround(f32[e + ENTRY.cap] * (above < 0 ? 0 : above)));
  }
  return fround(sum + base);
}

const PASSES = 4;

/**
 * Goes down from the second largest support until the caps of those at least as large reach R: there the dual bound
 * is the maximum itself. Any value is sound; four steps get nearly all.
 */
function lower(
  f32: Float32Array,
  first: number,
  count: number,
  s: number,
  start: number,
  R: number,
  passes: number,
): number {
  let lambda = start;
  for (let pass = 0; pass < passes; pass++) {
    let sum = 0,
      next = -Infinity;
    for (let k = 0, e = first; k < count; k++, e += ENTRY.words) {
      const b = f32[s + 8 * k];
      if (!(b < lambda)) sum = fround(sum + f32[e + ENTRY.cap]);
      else if (next < b) next = b;
    }
    // Something to distribute is left, and something to give it to.
    if (!(sum < R && next > -Infinity)) break;
    lambda = next;
  }
  return lambda;
}
