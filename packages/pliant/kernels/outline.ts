import { localPoints } from './energy';
import { isSimple, projectOutline, rowOf } from './polygon';

/**
 * A part of a surface whose triangles all face one way, seen from there, and whose outline does not cross itself, seen from
 * there as well, is a graph over what the outline encloses: every point of the plane is below as many triangles as the
 * outline goes around it, which is one or none. So nothing in it touches but what shares a vertex.
 *
 * Over a motion normals are N(t) = (1 - t)^2 N0 + 2 t (1 - t) M + t^2 N1, where M is the mean of the normals of edges of
 * one end with edges of the other: as long as these three are on one side of a plane, N(t) is.
 *
 * See src/cull/energy/energy-layout.ts for the header and for items.
 */

// The header, beside what ./calm uses.
const STAMP: usize = 12;
const NEAR: usize = 16;
const SWEPT: usize = 36;
const BOXES: usize = 72;
const POINTS: usize = 88; // and at the end of a motion
const ROW_COUNTS: usize = 180;
const CONES: usize = 208; // of small patches
const CONE_STAMPS: usize = 212;
const FIRST_FACES: usize = 216; // where points and triangles of each small patch begin, and the end of all
const NORMALS: usize = 220; // room for those of a small patch
const PLANE: usize = 224; // room for an outline
const CONE_COUNT: usize = 228; // how many were computed
const CORNER_COUNT: usize = 232; // of outlines that were looked at

// Of an item.
const OUTLINE: usize = 208;
const CORNERS: usize = 212;
const PARTS: usize = 224;

/** How far sines may be off, and squares of cosines. */
const SLACK: f64 = 2.44140625e-4; // 2^-12
const ROUNDING: f64 = 1.9073486328125e-6; // 2^-19
/**
 * How far a normal may be off, or the sum of two, of the square of the reach of its patch. Local points are off by 2^-24 of the
 * reach, edges, which are no longer than twice that, by 2^-22 in each direction; normals by 2^-17.6, and two by 2^-16.4.
 */
const NORMAL_ERROR: f32 = 1.52587890625e-5; // 2^-16
/** Smaller patches, or larger ones, have normals that float32 has no room for. */
const SMALLEST: f64 = 1e-14;
const LARGEST: f64 = 1e14;
const NO_CONE: f32 = 2;

/** 1 proves that nothing touches within what an item is about. */
export function testOutline(header: usize, item: usize): u32 {
  let x: f64 = 0, y: f64 = 0, z: f64 = 0;
  for (let range: usize = 0; range < 16; range += 8) {
    for (let k = load<u32>(item + range, PARTS), end = load<u32>(item + range, PARTS + 4); k < end; k++) {
      const cone = coneOf(header, k);
      if (load<f32>(cone, 12) == NO_CONE) return 0;
      x += <f64>load<f32>(cone), y += <f64>load<f32>(cone, 4), z += <f64>load<f32>(cone, 8);
    }
  }
  const size = 1.0 / sqrt<f64>(x * x + y * y + z * z);
  x *= size, y *= size, z *= size;
  const cones = <usize>load<u32>(header, CONES);
  for (let range: usize = 0; range < 16; range += 8) {
    let cone = cones + ((<usize>load<u32>(item + range, PARTS)) << 4);
    for (const end = cones + ((<usize>load<u32>(item + range, PARTS + 4)) << 4); cone < end; cone += 16) {
      const cosine = <f64>load<f32>(cone) * x + <f64>load<f32>(cone, 4) * y + <f64>load<f32>(cone, 8) * z;
      if (!(cosine > <f64>load<f32>(cone, 12) + SLACK)) return 0;
    }
  }
  const count = load<u32>(item, CORNERS);
  store<u32>(header, load<u32>(header, CORNER_COUNT) + count, CORNER_COUNT);
  const plane = <usize>load<u32>(header, PLANE), outline = <usize>load<u32>(item, OUTLINE);
  let reach = projectOutline(outline, count, load<u32>(header, POINTS), x, y, z, plane);
  let last = plane;
  if (load<u32>(header, SWEPT)) {
    last = plane + 2 * rowOf(count);
    reach = max(reach, projectOutline(outline, count, load<u32>(header + 4, POINTS), x, y, z, last));
  }
  return u32(isSimple(plane, last, count, reach));
}

/** Of a small patch in this pose. */
// @ts-ignore: decorator
@inline
function coneOf(header: usize, patch: u32): usize {
  const stamp = <usize>load<u32>(header, CONE_STAMPS) + ((<usize>patch) << 2);
  if (load<u32>(stamp) != load<u32>(header, STAMP)) fitCone(header, patch);
  return <usize>load<u32>(header, CONES) + ((<usize>patch) << 4);
}

/**
 * A cone of all normals of a small patch: an axis of length 1 and the sine of the widest angle to it. Boxes as well. For
 * points and triangles see src/cull/energy/outlines.ts.
 */
export function fitCone(header: usize, patch: u32): void {
  store<u32>(<usize>load<u32>(header, CONE_STAMPS) + ((<usize>patch) << 2), load<u32>(header, STAMP));
  store<u32>(header, load<u32>(header, CONE_COUNT) + 1, CONE_COUNT);
  const faces = <usize>load<u32>(header, FIRST_FACES) + ((<usize>patch) << 2);
  const rows = <usize>load<u32>(faces), last = <usize>load<u32>(faces, 4);
  const count = <usize>load<u32>(<usize>load<u32>(header, ROW_COUNTS) + ((<usize>patch) << 2));
  const near = <usize>load<u32>(header, NEAR), swept = load<u32>(header, SWEPT);
  const box = (<usize>patch) * 48;
  let reach = localPoints(rows, count, load<u32>(header, POINTS), near, false, <usize>load<u32>(header, BOXES) + box);
  if (swept) {
    reach = max(reach, localPoints(
      rows, count, load<u32>(header + 4, POINTS), near + 16, false, <usize>load<u32>(header + 4, BOXES) + box));
  }
  const normals = <usize>load<u32>(header, NORMALS), first = rows + ((count + 1) >> 1 << 3);
  const cone = <usize>load<u32>(header, CONES) + ((<usize>patch) << 4);
  const out = swept ? writeMovingNormals(near, first, last, normals) : writeNormals(near, first, last, normals);
  const sx = load<f64>(out), sy = load<f64>(out, 8), sz = load<f64>(out, 16);
  const size = sqrt<f64>(sx * sx + sy * sy + sz * sz);
  store<f32>(cone, NO_CONE, 12);
  if (!(reach > SMALLEST && reach < LARGEST && size > 0)) return;
  const scale = 1.0 / size;
  const ax = <f32>(sx * scale), ay = <f32>(sy * scale), az = <f32>(sz * scale);
  const unit = 1.0 / (reach * reach), usual = size * unit / <f64>((out - normals) / 12);
  const square = leastSquare(normals, out, ax, ay, az, <f32>unit, <f32>usual) - ROUNDING;
  if (!(square > 0)) return;
  store<f32>(cone, ax), store<f32>(cone, ay, 4), store<f32>(cone, az, 8);
  store<f32>(cone, <f32>(sqrt<f64>(1.0 - square) + ROUNDING), 12);
}

/** Of triangles in [first, last), in groups of four; after them their sum. Returns where that is. */
function writeNormals(near: usize, first: usize, last: usize, normals: usize): usize {
  let x = f32x4.splat(0), y = x, z = x, out = normals;
  for (let face = first; face < last; face += 32, out += 48) {
    const a = normalOf(near, face), b = normalOf(near, face + 8), c = normalOf(near, face + 16), d = normalOf(near, face + 24);
    const nx = middle(a, b, c, d), ny = high(a, b, c, d), nz = low(a, b, c, d);
    v128.store(out, nx), v128.store(out, ny, 16), v128.store(out, nz, 32);
    x = f32x4.add(x, nx), y = f32x4.add(y, ny), z = f32x4.add(z, nz);
  }
  store<f64>(out, sumOf(x)), store<f64>(out, sumOf(y), 8), store<f64>(out, sumOf(z), 16);
  return out;
}

/**
 * The same at both ends, and those of edges of one with edges of the other, which are not in the sum. Those of four triangles
 * are first written one by one, after the last group.
 */
function writeMovingNormals(near: usize, first: usize, last: usize, normals: usize): usize {
  let x = f32x4.splat(0), y = x, z = x, out = normals;
  for (let face = first; face < last; face += 32, out += 144) {
    const apart = out + 144;
    for (let k: usize = 0; k < 4; k++) writeThreeNormals(near, face + (k << 3), apart + (k << 4));
    for (let kind: usize = 0; kind < 3; kind++) {
      const from = apart + (kind << 6), to = out + kind * 48;
      const a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48);
      const nx = middle(a, b, c, d), ny = high(a, b, c, d), nz = low(a, b, c, d);
      v128.store(to, nx), v128.store(to, ny, 16), v128.store(to, nz, 32);
      if (kind < 2) x = f32x4.add(x, nx), y = f32x4.add(y, ny), z = f32x4.add(z, nz);
    }
  }
  store<f64>(out, sumOf(x)), store<f64>(out, sumOf(y), 8), store<f64>(out, sumOf(z), 16);
  return out;
}

/**
 * The square of the cosine of normals in [from, to) to an axis, with what they may be off. 0 when one points the other way,
 * or is NaN. `unit` makes them of the order of 1 or less, so that their squares are in the range of float32.
 *
 * (n + e)^2 <= n^2 (1 + e / u) + e u + e^2 for every u: the more u is like n, the less is given away.
 */
function leastSquare(from: usize, to: usize, ax: f32, ay: f32, az: f32, unit: f32, usual: f32): f64 {
  const x = f32x4.splat(ax), y = f32x4.splat(ay), z = f32x4.splat(az), off = f32x4.splat(NORMAL_ERROR);
  const none = f32x4.splat(0), scale = f32x4.splat(unit);
  const times = f32x4.splat(1 + NORMAL_ERROR / usual);
  const more = f32x4.splat(NORMAL_ERROR * usual + NORMAL_ERROR * NORMAL_ERROR);
  let least = f32x4.splat(1), isGood = i32x4.splat(-1);
  for (let o = from; o < to; o += 48) {
    const nx = f32x4.mul(v128.load(o), scale), ny = f32x4.mul(v128.load(o, 16), scale);
    const nz = f32x4.mul(v128.load(o, 32), scale);
    const dot = f32x4.add(f32x4.add(f32x4.mul(nx, x), f32x4.mul(ny, y)), f32x4.mul(nz, z));
    const square = f32x4.add(f32x4.add(f32x4.mul(nx, nx), f32x4.mul(ny, ny)), f32x4.mul(nz, nz));
    const along = f32x4.sub(dot, off);
    const cosine2 = f32x4.div(f32x4.mul(along, along), f32x4.add(f32x4.mul(square, times), more));
    least = f32x4.pmin(least, cosine2), isGood = v128.and(isGood, v128.and(f32x4.gt(along, none), f32x4.gt(cosine2, none)));
  }
  if (!i32x4.all_true(isGood)) return 0;
  return <f64>min(
    min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
    min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)));
}

/** Of a triangle, z, x and y. */
// @ts-ignore: decorator
@inline
function normalOf(near: usize, face: usize): v128 {
  const p = v128.load(near + <usize>load<u16>(face));
  return cross(
    f32x4.sub(v128.load(near + <usize>load<u16>(face, 2)), p), f32x4.sub(v128.load(near + <usize>load<u16>(face, 4)), p));
}

/** At both ends, and of edges of one with edges of the other, twice the mean: 64 bytes apart. */
// @ts-ignore: decorator
@inline
function writeThreeNormals(near: usize, face: usize, out: usize): void {
  const p = near + <usize>load<u16>(face), q = near + <usize>load<u16>(face, 2), r = near + <usize>load<u16>(face, 4);
  const p0 = v128.load(p), p1 = v128.load(p, 16);
  const e = f32x4.sub(v128.load(q), p0), f = f32x4.sub(v128.load(r), p0);
  const g = f32x4.sub(v128.load(q, 16), p1), h = f32x4.sub(v128.load(r, 16), p1);
  const e1 = turned(e), f1 = turned(f), g1 = turned(g), h1 = turned(h);
  v128.store(out, f32x4.sub(f32x4.mul(e, f1), f32x4.mul(e1, f)));
  v128.store(out, f32x4.sub(f32x4.mul(g, h1), f32x4.mul(g1, h)), 64);
  v128.store(out, f32x4.add(
    f32x4.sub(f32x4.mul(e, h1), f32x4.mul(e1, h)), f32x4.sub(f32x4.mul(g, f1), f32x4.mul(g1, f))), 128);
}

// @ts-ignore: decorator
@inline
function turned(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 2, 0, 3);
}

/** The first numbers of four; the second ones; the third ones. */
// @ts-ignore: decorator
@inline
function low(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 0, 4, 1, 5), 0, 1, 4, 5);
}

// @ts-ignore: decorator
@inline
function middle(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 0, 4, 1, 5), 2, 3, 6, 7);
}

// @ts-ignore: decorator
@inline
function high(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 2, 6, 3, 7), v128.shuffle<f32>(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
}

// @ts-ignore: decorator
@inline
function sumOf(v: v128): f64 {
  return <f64>f32x4.extract_lane(v, 0) + <f64>f32x4.extract_lane(v, 1)
    + (<f64>f32x4.extract_lane(v, 2) + <f64>f32x4.extract_lane(v, 3));
}

/** z, x and y of a product. */
// @ts-ignore: decorator
@inline
function cross(e: v128, f: v128): v128 {
  return f32x4.sub(f32x4.mul(e, turned(f)), f32x4.mul(turned(e), f));
}
