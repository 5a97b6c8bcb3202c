/**
 * Laplacians of patches, and their Gram matrices. With s = Lx and X = LX, both three numbers per row, a Gram is 16 f64:
 * sums over rows of
 *   s.x s.x, s.x s.y | (reach), s.y s.y | s.x s.z, s.y s.z | X.z s.z, s.z s.z |
 *   X.x s.z, X.y s.z | X.x s.x, X.x s.y | X.y s.x, X.y s.y | X.z s.x, X.z s.y
 * where the reach is no less than the distance of any point from the first one of its patch.
 *
 * A patch is: the address of each of its points relative to the first point of all (u32 each); the slot of its first open
 * row (u32); a number c (f32); how many of its points have open rows that up to c patches have, c >= 2, open rows that two
 * have, and closed ones (u32 each), in this order; how many edges there are (u32); edges; rows. An edge is 32 times the
 * numbers of its ends in the patch (u16 each) and its weight (f32). A row is X and its scale (f32 each):
 * s = scale * sum over edges of weight * (other end - x). The s of open rows go to consecutive slots.
 *
 * A loose Gram has rows c times, twice and once: rows that patches share are sums of theirs, and the Gram of a sum of c
 * vectors is no larger than c times the sum of their Grams. So loose Grams of several patches add up to something that is
 * no smaller than the Gram of all together, and nobody looks at what they share.
 *
 * Points are taken relative to the first one, and all is float32 within a patch: errors are of the size of the patch, not
 * of its place. Sums of patches are float64.
 */

const NONE: u32 = 0xffffffff;
/** Of the reach, for the rounding of local points; and of places, for that of their sums. */
const LOCAL: f64 = 2.384185791015625e-7; // 2^-22
const PLACE: f64 = 8.8817841970012523e-16; // 2^-50
const TINY: f64 = 1e-30; // below, float32 has fewer digits
const UP: f64 = 1.0 + 9.5367431640625e-7; // 2^-20

/**
 * `patches`: one after the other. `counts`: u32, how many points each has. `near` has room for the points of one, 32 bytes
 * each: where it is, and its row. A slot is s, four f32 of which the last one is 0. Grams are 128 bytes each, boxes (lo.xyz,
 * hi.xyz, rounded outward) 48.
 */
export function sumEnergies(
  patches: usize, counts: usize, patchCount: u32, points: usize, near: usize, slots: usize, grams: usize, loose: usize,
  boxes: usize,
): void {
  let row = patches, out = grams, wide = loose, box = boxes;
  const none = f32x4.splat(0);
  for (let patch: u32 = 0; patch < patchCount; patch++, out += 128, wide += 128, box += 48) {
    const count = <usize>load<u32>(counts + ((<usize>patch) << 2));
    const reach = localPoints(row, count, points, near, true, box);
    row += count << 2;
    const head = row;
    row += 24;
    for (const last = row + ((<usize>load<u32>(head, 20)) << 3); row < last; row += 8) {
      const p = near + <usize>load<u16>(row), q = near + <usize>load<u16>(row, 2);
      const flow = f32x4.mul(v128.load32_splat(row, 4), f32x4.sub(v128.load(q), v128.load(p)));
      v128.store(p, f32x4.add(v128.load(p, 16), flow), 16);
      v128.store(q, f32x4.sub(v128.load(q, 16), flow), 16);
    }
    let slot = slots + ((<usize>load<u32>(head)) << 4), o = near;
    let times = f32x4.splat(load<f32>(head, 4));
    let d = none, e = none, f = none, g = none, h = none;
    let wd = none, we = none, wf = none, wg = none, wh = none;
    for (let kind: usize = 0; kind < 12; kind += 4) {
      let kd = none, ke = none, kf = none, kg = none, kh = none;
      for (const last = row + ((<usize>load<u32>(head + kind, 8)) << 4); row < last; row += 16, o += 32) {
        const rest = v128.load(row);
        const s = f32x4.mul(v128.load(o, 16), v128.shuffle<f32>(rest, rest, 3, 3, 3, 3));
        if (kind < 8) {
          v128.store(slot, s);
          slot += 16;
        }
        const yzx = v128.shuffle<f32>(s, s, 1, 2, 0, 3), zxy = v128.shuffle<f32>(s, s, 2, 0, 1, 3);
        kd = f32x4.add(kd, f32x4.mul(s, s)), ke = f32x4.add(ke, f32x4.mul(s, yzx));
        kf = f32x4.add(kf, f32x4.mul(rest, s)), kg = f32x4.add(kg, f32x4.mul(rest, yzx));
        kh = f32x4.add(kh, f32x4.mul(rest, zxy));
      }
      d = f32x4.add(d, kd), e = f32x4.add(e, ke), f = f32x4.add(f, kf), g = f32x4.add(g, kg), h = f32x4.add(h, kh);
      wd = f32x4.add(wd, f32x4.mul(kd, times)), we = f32x4.add(we, f32x4.mul(ke, times));
      wf = f32x4.add(wf, f32x4.mul(kf, times)), wg = f32x4.add(wg, f32x4.mul(kg, times));
      wh = f32x4.add(wh, f32x4.mul(kh, times));
      times = f32x4.splat(kind == 0 ? 2 : 1);
    }
    writeGram(out, reach, d, e, f, g, h);
    writeGram(wide, reach, wd, we, wf, wg, wh);
  }
}

/**
 * Points of a patch relative to its first one, and the box of them all; returns how far they reach. `near` has 32 bytes for
 * each, of which the last 16 are set to 0 with `clear`.
 */
// @ts-ignore: decorator
@inline
export function localPoints(rows: usize, count: usize, points: usize, near: usize, clear: bool, box: usize): f64 {
  const none = f32x4.splat(0);
  const first = points + <usize>load<u32>(rows);
  const refXy = v128.load(first), refZ = v128.load64_zero(first, 16);
  let lo = none, hi = none, row = rows;
  for (let o = near, last = near + (count << 5); o < last; o += 32, row += 4) {
    const p = points + <usize>load<u32>(row);
    const local = v128.shuffle<f32>(
      f32x4.demote_f64x2_zero(f64x2.sub(v128.load(p), refXy)),
      f32x4.demote_f64x2_zero(f64x2.sub(v128.load64_zero(p, 16), refZ)), 0, 1, 4, 5);
    v128.store(o, local);
    if (clear) v128.store(o, none, 16);
    lo = f32x4.pmin(lo, local), hi = f32x4.pmax(hi, local);
  }
  return writeBox(refXy, refZ, lo, hi, box);
}

/** From sums of (xx, yy, zz), (xy, yz, zx), (Xx, Yy, Zz), (Xy, Yz, Zx) and (Xz, Yx, Zy). */
// @ts-ignore: decorator
@inline
function writeGram(out: usize, reach: f64, d: v128, e: v128, f: v128, g: v128, h: v128): void {
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(d, e, 0, 4, 0, 0)));
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(d, d, 1, 1, 1, 1)), 16);
  store<f64>(out, reach, 16);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(e, e, 2, 1, 0, 0)), 32);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(f, d, 2, 6, 0, 0)), 48);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(h, g, 0, 5, 0, 0)), 64);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(f, g, 0, 4, 0, 0)), 80);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(h, f, 1, 5, 0, 0)), 96);
  v128.store(out, f64x2.promote_low_f32x4(v128.shuffle<f32>(g, h, 2, 6, 0, 0)), 112);
}

/** The loose Gram of two patches together. */
// @ts-ignore: decorator
@inline
export function addLoose(a: usize, b: usize, out: usize): void {
  const reach = max(load<f64>(a, 16), load<f64>(b, 16));
  for (let o: usize = 0; o < 128; o += 16) v128.store(out + o, f64x2.add(v128.load(a + o), v128.load(b + o)));
  store<f64>(out, reach, 16);
}

/** From a box of local points, which has the origin in it. Returns how far it reaches from there. */
function writeBox(refXy: v128, refZ: v128, lo: v128, hi: v128, out: usize): f64 {
  const rx = f64x2.extract_lane(refXy, 0), ry = f64x2.extract_lane(refXy, 1), rz = f64x2.extract_lane(refZ, 0);
  const lx = <f64>f32x4.extract_lane(lo, 0), ly = <f64>f32x4.extract_lane(lo, 1), lz = <f64>f32x4.extract_lane(lo, 2);
  const hx = <f64>f32x4.extract_lane(hi, 0), hy = <f64>f32x4.extract_lane(hi, 1), hz = <f64>f32x4.extract_lane(hi, 2);
  const x = max(-lx, hx), y = max(-ly, hy), z = max(-lz, hz);
  const reach = sqrt<f64>(x * x + y * y + z * z) * UP + TINY;
  const dx = reach * LOCAL + abs(rx) * PLACE, dy = reach * LOCAL + abs(ry) * PLACE, dz = reach * LOCAL + abs(rz) * PLACE;
  store<f64>(out, rx + lx - dx), store<f64>(out, ry + ly - dy, 8), store<f64>(out, rz + lz - dz, 16);
  store<f64>(out, rx + hx + dx, 24), store<f64>(out, ry + hy + dy, 32), store<f64>(out, rz + hz + dz, 40);
  return reach;
}

/**
 * The Gram of two patches together: rows that both have are added up. `shared` lists those, three u32 each: the slots
 * in one and in the other, and where the sum goes (a slot, or NONE). `rests`: X of each slot, three f64. The Gram of the
 * sums is that of both, and what s and X of the one give with those of the other. The reach is the larger one.
 */
export function joinEnergies(
  gramA: usize, gramB: usize, shared: usize, sharedCount: u32, slots: usize, rests: usize, out: usize,
): void {
  let a0 = f64x2.add(v128.load(gramA), v128.load(gramB));
  let a1 = f64x2.add(v128.load(gramA, 16), v128.load(gramB, 16));
  let a2 = f64x2.add(v128.load(gramA, 32), v128.load(gramB, 32));
  let a3 = f64x2.add(v128.load(gramA, 48), v128.load(gramB, 48));
  let a4 = f64x2.add(v128.load(gramA, 64), v128.load(gramB, 64));
  let a5 = f64x2.add(v128.load(gramA, 80), v128.load(gramB, 80));
  let a6 = f64x2.add(v128.load(gramA, 96), v128.load(gramB, 96));
  let a7 = f64x2.add(v128.load(gramA, 112), v128.load(gramB, 112));
  for (let e = shared, end = shared + (<usize>sharedCount) * 12; e < end; e += 12) {
    const i = <usize>load<u32>(e), j = <usize>load<u32>(e, 4);
    const first = v128.load(slots + (i << 4)), second = v128.load(slots + (j << 4));
    const s = f64x2.promote_low_f32x4(first), t = f64x2.promote_low_f32x4(second);
    const szz = f64x2.promote_low_f32x4(v128.shuffle<f32>(first, first, 2, 2, 2, 2));
    const tzz = f64x2.promote_low_f32x4(v128.shuffle<f32>(second, second, 2, 2, 2, 2));
    const X = v128.load(rests + i * 24), Y = v128.load(rests + j * 24);
    const Xz = load<f64>(rests + i * 24, 16), Yz = load<f64>(rests + j * 24, 16);
    a0 = cross(a0, s, v128.shuffle<f64>(t, t, 0, 0), t, v128.shuffle<f64>(s, s, 0, 0));
    a1 = cross(a1, s, v128.shuffle<f64>(t, t, 1, 1), t, v128.shuffle<f64>(s, s, 1, 1));
    a2 = cross(a2, s, tzz, t, szz);
    a3 = cross(a3, f64x2.replace_lane(szz, 0, Xz), tzz, f64x2.replace_lane(tzz, 0, Yz), szz);
    a4 = cross(a4, X, tzz, Y, szz);
    a5 = cross(a5, t, v128.shuffle<f64>(X, X, 0, 0), s, v128.shuffle<f64>(Y, Y, 0, 0));
    a6 = cross(a6, t, v128.shuffle<f64>(X, X, 1, 1), s, v128.shuffle<f64>(Y, Y, 1, 1));
    a7 = cross(a7, t, f64x2.splat(Xz), s, f64x2.splat(Yz));
    const slot = load<u32>(e, 8);
    if (slot == NONE) continue;
    v128.store(slots + ((<usize>slot) << 4), f32x4.add(first, second));
  }
  a1 = f64x2.replace_lane(a1, 0, max(load<f64>(gramA, 16), load<f64>(gramB, 16)));
  v128.store(out, a0), v128.store(out, a1, 16), v128.store(out, a2, 32), v128.store(out, a3, 48);
  v128.store(out, a4, 64), v128.store(out, a5, 80), v128.store(out, a6, 96), v128.store(out, a7, 112);
}

// @ts-ignore: decorator
@inline
function cross(sum: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.add(f64x2.add(sum, f64x2.mul(a, b)), f64x2.mul(c, d));
}
