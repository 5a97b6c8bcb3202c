/**
 * Two triangles whose corners move linearly stay apart if one fixed direction n separates them at the start and at the end,
 * on the same side: min n·a > max n·b is then kept at every time between. Directions are tried for all of a motion, then for
 * each half of it.
 *
 * A block: the six points relative to where the first one starts, 48 bytes each: x at the start and at the end, y, z. Those
 * of half a motion come after it. Before the first one there are nine vectors: edges, normals and one more.
 */
const POINT: usize = 48;
const B: usize = 144; // where the second triangle begins
const BLOCK: usize = 288;
const VECTORS: usize = 216;
const DOT_ERROR: f64 = 1.7763568394002505e-15; // 2^-49
const UNDERFLOW: f64 = 2.2250738585072014e-308; // 2^-1022
const LARGEST: f64 = 1.0715086071862673e301; // 2^1000

/** Of differences: what halving loses below is next to nothing of it. */
const SMALLEST: f64 = 9.332636185032189e-302; // 2^-1000

let reachX: f64, reachY: f64, reachZ: f64; // of all points of a block
let vectors: usize;

/**
 * Of leaf pairs those that may touch in a motion, in order. Returns how many. Halves of the motion are looked at as well, and
 * halves of these, up to `levels` times, which are three at most. `room`: for vectors and one block more than levels.
 */
export function dropSeparated(
  pairs: usize, count: u32, linkA: usize, cornersA: usize, startA: usize, endA: usize,
  linkB: usize, cornersB: usize, startB: usize, endB: usize, levels: u32, room: usize,
): u32 {
  let out = pairs;
  vectors = room;
  const block = room + VECTORS;
  for (let pair = pairs, end = pairs + ((<usize>count) << 3); pair < end; pair += 8) {
    const a = cornersA + slotAt(linkA, pair) * 12, b = cornersB + slotAt(linkB, pair + 4) * 12;
    const first = startA + <usize>load<u32>(a) * 24;
    const x = v128.load64_splat(first), y = v128.load64_splat(first, 8), z = v128.load64_splat(first, 16);
    let mx = f64x2.splat(SMALLEST), my = mx, mz = mx, to = block;
    for (let k: usize = 0; k < 6; k++, to += POINT) {
      const point = <usize>load<u32>((k < 3 ? a : b - 12) + (k << 2)) * 24;
      const p = (k < 3 ? startA : startB) + point, q = (k < 3 ? endA : endB) + point;
      const dx = f64x2.sub(v128.load64_lane(q, v128.load64_zero(p), 1), x);
      const dy = f64x2.sub(v128.load64_lane(q, v128.load64_zero(p, 8), 1, 8), y);
      const dz = f64x2.sub(v128.load64_lane(q, v128.load64_zero(p, 16), 1, 16), z);
      mx = f64x2.pmax(mx, f64x2.abs(dx)), my = f64x2.pmax(my, f64x2.abs(dy)), mz = f64x2.pmax(mz, f64x2.abs(dz));
      v128.store(to, dx), v128.store(to, dy, 16), v128.store(to, dz, 32);
    }
    reachX = larger(mx), reachY = larger(my), reachZ = larger(mz);
    store<u64>(out, load<u64>(pair));
    out += <usize>!areApart(block, levels) << 3;
  }
  return <u32>((out - pairs) >> 3);
}

// @ts-ignore: decorator
@inline
function slotAt(link: usize, leaf: usize): usize {
  return <usize>(load<u32>(link + ((<usize>load<u32>(leaf)) << 2)) & 0x7fffffff);
}

function areApart(block: usize, levels: u32): bool {
  if (hasDirection(block)) return true;
  if (levels == 0) return false;
  const half = block + BLOCK;
  for (let isSecond = 0; isSecond < 2; isSecond++) {
    for (let o: usize = 0; o < BLOCK; o += 16) {
      const ends = v128.load(block + o);
      const middle = f64x2.mul(f64x2.add(ends, v128.shuffle<f64>(ends, ends, 1, 0)), f64x2.splat(0.5));
      v128.store(half + o, isSecond ? v128.shuffle<f64>(middle, ends, 0, 3) : v128.shuffle<f64>(ends, middle, 0, 2));
    }
    if (!areApart(half, levels - 1)) return false;
  }
  return true;
}

/**
 * The line between the centres of the two triangles, their normals, what is perpendicular to an edge of each, and in their
 * planes to an edge of one: half way, or averaged over the motion. The last ones part triangles in one plane, which no other
 * direction does and which exact arithmetic would have to decide.
 */
function hasDirection(block: usize): bool {
  let x = f64x2.splat(0), y = x, z = x;
  for (let p = block; p < block + B; p += POINT) {
    x = f64x2.add(x, f64x2.sub(v128.load(p), v128.load(p + B)));
    y = f64x2.add(y, f64x2.sub(v128.load(p, 16), v128.load(p + B, 16)));
    z = f64x2.add(z, f64x2.sub(v128.load(p, 32), v128.load(p + B, 32)));
  }
  if (separates(block, both(x), both(y), both(z))) return true;
  for (let k: usize = 0; k < 6; k++) {
    const p = block + k * POINT, q = k % 3 == 2 ? p - 2 * POINT : p + POINT;
    for (let axis: usize = 0; axis < 3; axis++) {
      store<f64>(vectors + k * 24 + (axis << 3), both(f64x2.sub(v128.load(q + (axis << 4)), v128.load(p + (axis << 4)))));
    }
  }
  const second = vectors + 72, normals = vectors + 144, other = vectors + 192;
  if (crossSeparates(block, vectors, vectors + 24, normals) || crossSeparates(block, second, second + 24, normals + 24)) {
    return true;
  }
  for (let k: usize = 0; k < 9; k++) {
    if (crossSeparates(block, vectors + k / 3 * 24, second + k % 3 * 24, other)) return true;
  }
  for (let k: usize = 0; k < 6; k++) {
    if (crossSeparates(block, normals + k / 3 * 24, vectors + k * 24, other)) return true;
  }
  return false;
}

/** The product of two vectors goes to `out`. */
function crossSeparates(block: usize, a: usize, b: usize, out: usize): bool {
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  const bx = load<f64>(b), by = load<f64>(b, 8), bz = load<f64>(b, 16);
  const x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx;
  store<f64>(out, x), store<f64>(out, y, 8), store<f64>(out, z, 16);
  return separates(block, x, y, z);
}

/**
 * Whether a direction separates with certainty. With u = 2^-53 and S = |nx| X + |ny| Y + |nz| Z, each n·x is right to 4u S (a
 * difference, a product, two sums) and a further u S for every time that a motion has been halved: with three of these 14u S
 * for two of them, we take 16u S. UNDERFLOW covers what products lose. Nothing overflows below LARGEST, and beyond it, or
 * for NaN, the answer is no.
 */
function separates(block: usize, x: f64, y: f64, z: f64): bool {
  const size = abs(x) * reachX + abs(y) * reachY + abs(z) * reachZ;
  if (!(size < LARGEST)) return false;
  const margin = f64x2.splat(DOT_ERROR * size + UNDERFLOW);
  const nx = f64x2.splat(x), ny = f64x2.splat(y), nz = f64x2.splat(z);
  const a = along(block, nx, ny, nz), b = along(block + POINT, nx, ny, nz), c = along(block + 2 * POINT, nx, ny, nz);
  const d = along(block + B, nx, ny, nz), e = along(block + B + POINT, nx, ny, nz), f = along(block + B + 2 * POINT, nx, ny, nz);
  return i64x2.all_true(f64x2.gt(f64x2.sub(f64x2.pmin(f64x2.pmin(a, b), c), f64x2.pmax(f64x2.pmax(d, e), f)), margin))
    || i64x2.all_true(f64x2.gt(f64x2.sub(f64x2.pmin(f64x2.pmin(d, e), f), f64x2.pmax(f64x2.pmax(a, b), c)), margin));
}

// @ts-ignore: decorator
@inline
function along(p: usize, nx: v128, ny: v128, nz: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(nx, v128.load(p)), f64x2.mul(ny, v128.load(p, 16))), f64x2.mul(nz, v128.load(p, 32)));
}

/** At the start and at the end together. */
// @ts-ignore: decorator
@inline
function both(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

// @ts-ignore: decorator
@inline
function larger(v: v128): f64 {
  return max(f64x2.extract_lane(v, 0), f64x2.extract_lane(v, 1));
}
