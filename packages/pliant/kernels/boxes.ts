/**
 * 16-bit boxes. One v128 per box, eight signed lanes [lo.x, lo.y, lo.z, f, M-hi.x, M-hi.y, M-hi.z, f] with
 * M = 32767 and f = 64 for a leaf, 0 for an inner node. Union is the lane-wise minimum; A and B overlap
 * exactly when A + swapHalves(B) has no sign bit. Quantisation is monotone (subtract, scale, truncate,
 * clamp), so x <= y implies q(x) <= q(y): overlapping exact boxes always overlap here.
 */

/** Smallest and largest coordinates of `count` points (xyz, f64): six numbers at `out`. */
export function pointBounds(points: usize, count: u32, out: usize): void {
  let lo0 = f64x2.splat(Infinity), lo1 = lo0, lo2 = lo0;
  let hi0 = f64x2.splat(-Infinity), hi1 = hi0, hi2 = hi0;
  let p = points;
  const pairs = count >> 1;
  for (let i: u32 = 0; i < pairs; i++, p += 48) {
    const a = v128.load(p), b = v128.load(p, 16), c = v128.load(p, 32); // x0 y0 | z0 x1 | y1 z1
    lo0 = f64x2.pmin(lo0, a), lo1 = f64x2.pmin(lo1, b), lo2 = f64x2.pmin(lo2, c);
    hi0 = f64x2.pmax(hi0, a), hi1 = f64x2.pmax(hi1, b), hi2 = f64x2.pmax(hi2, c);
  }
  let lx = min(f64x2.extract_lane(lo0, 0), f64x2.extract_lane(lo1, 1));
  let ly = min(f64x2.extract_lane(lo0, 1), f64x2.extract_lane(lo2, 0));
  let lz = min(f64x2.extract_lane(lo1, 0), f64x2.extract_lane(lo2, 1));
  let hx = max(f64x2.extract_lane(hi0, 0), f64x2.extract_lane(hi1, 1));
  let hy = max(f64x2.extract_lane(hi0, 1), f64x2.extract_lane(hi2, 0));
  let hz = max(f64x2.extract_lane(hi1, 0), f64x2.extract_lane(hi2, 1));
  if (count & 1) {
    const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
    lx = min(lx, x), ly = min(ly, y), lz = min(lz, z);
    hx = max(hx, x), hy = max(hy, y), hz = max(hz, z);
  }
  // Adding 0 turns -0 into 0: which of the two comes first depends on how points are paired up.
  store<f64>(out, lx + 0.0), store<f64>(out, ly + 0.0, 8), store<f64>(out, lz + 0.0, 16);
  store<f64>(out, hx + 0.0, 24), store<f64>(out, hy + 0.0, 32), store<f64>(out, hz + 0.0, 40);
}

// @ts-ignore: decorator
@inline
function quantisePoint(p: usize, oxy: v128, oz: v128, sxy: v128, sz: v128): v128 {
  const xy = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.sub(v128.load(p), oxy), sxy));
  const z = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.sub(v128.load64_zero(p, 16), oz), sz));
  const q = v128.shuffle<i32>(xy, z, 0, 1, 4, 6);
  return i32x4.max_s(i32x4.min_s(q, i32x4.splat(32767)), i32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function boxOfCells(lo: v128, hi: v128): v128 {
  const top = i32x4.sub(i32x4(32767, 32767, 32767, 64), hi); // w: 64 - 0, the leaf flag
  return i16x8.narrow_i32x4_s(v128.or(lo, i32x4(0, 0, 0, 64)), top);
}

/** One box per point, in the frame (origin xyz, cells per unit xyz) at `frame`. */
export function quantise(points: usize, count: u32, frame: usize, boxes: usize): void {
  const oxy = v128.load(frame), oz = v128.load64_zero(frame, 16);
  const sxy = v128.load(frame, 24), sz = v128.load64_zero(frame, 40);
  let p = points, o = boxes;
  for (let i: u32 = 0; i < count; i++, p += 24, o += 16) {
    const q = quantisePoint(p, oxy, oz, sxy, sz);
    v128.store(o, boxOfCells(q, q));
  }
}

/** Boxes of all nodes, children first. */
export function refit(nodeCount: u32, link: usize, corners: usize, vertexBoxes: usize, nodeBoxes: usize): void {
  refitRange(0, nodeCount, link, corners, vertexBoxes, nodeBoxes);
}

/** The same of nodes [from, to), whose children are fitted or among them. */
// @ts-ignore: decorator
@inline
export function refitRange(
  from: i32, to: i32, link: usize, corners: usize, vertexBoxes: usize, nodeBoxes: usize,
): void {
  const inner = i16x8(-1, -1, -1, 0, -1, -1, -1, 0);
  for (let node = to - 1; node >= from; node--) {
    const l = load<u32>(link + ((<usize>node) << 2));
    let box: v128;
    if (l & 0x80000000) {
      const c = corners + (<usize>(l & 0x7fffffff)) * 12;
      box = i16x8.min_s(
        i16x8.min_s(
          v128.load(vertexBoxes + ((<usize>load<u32>(c)) << 4)),
          v128.load(vertexBoxes + ((<usize>load<u32>(c, 4)) << 4))),
        v128.load(vertexBoxes + ((<usize>load<u32>(c, 8)) << 4)));
    } else {
      const child = nodeBoxes + ((<usize>l) << 4);
      box = v128.and(i16x8.min_s(v128.load(child), v128.load(child, 16)), inner);
    }
    v128.store(nodeBoxes + ((<usize>node) << 4), box);
  }
}
