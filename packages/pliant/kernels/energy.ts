/**
 * Laplacians of patches, and their Gram matrices. With s = Lx and X = LX, both three numbers per row, a Gram is 16 f64:
 * sums over rows of
 *   s.x s.x, s.x s.y | (reach), s.y s.y | s.x s.z, s.y s.z | X.z s.z, s.z s.z |
 *   X.x s.z, X.y s.z | X.x s.x, X.x s.y | X.y s.x, X.y s.y | X.z s.x, X.z s.y
 * where the reach is no less than the distance of any point from the first one of its patch.
 *
 * A patch is: the address of each of its points relative to the first point of all (u32 each); the slot of its first open
 * row (u32); a number c (f32); groups of open rows that up to c patches have, c >= 2; of open rows that two have; of closed
 * ones. A group is how many pairs of entries each of its rows has and how
 * many rows there are (u16 each); two 0 end each list of groups. A row is X and its scale (f32 each), and pairs of entries:
 * two numbers of points in the patch (u16 each) and two weights (f32 each), multiples of 2^-10 that add up to 0 in every
 * row: s = scale * sum of weight * x. The s of open rows go to consecutive slots.
 *
 * A loose Gram has rows c times, twice and once: rows that patches share are sums of theirs, and the Gram of a sum of c
 * vectors is no larger than c times the sum of their Grams. So loose Grams of several patches add up to something that is
 * no smaller than the Gram of all together, and nobody looks at what they share.
 *
 * Points are taken relative to the first one, in float32: exact weights that add up to 0 leave errors of the size of the
 * patch, not of its place. Products are float64, since Grams of close shapes cancel.
 */

const NONE: u32 = 0xffffffff;
/** Of the reach, for the rounding of local points; and of places, for that of their sums. */
const LOCAL: f64 = 2.384185791015625e-7; // 2^-22
const PLACE: f64 = 8.8817841970012523e-16; // 2^-50
const TINY: f64 = 1e-30; // below, float32 has fewer digits
const UP: f64 = 1.0 + 9.5367431640625e-7; // 2^-20

/**
 * `patches`: one after the other. `counts`: u32, how many points each has. `near` has room for the points of one. A slot
 * is 48 bytes, s and X; of these only s is written. Grams are 128 bytes each, boxes (lo.xyz, hi.xyz, rounded outward) 48.
 */
export function sumEnergies(
  patches: usize, counts: usize, patchCount: u32, points: usize, near: usize, slots: usize, grams: usize, loose: usize,
  boxes: usize,
): void {
  let row = patches, out = grams, wide = loose, box = boxes;
  const none = f64x2.splat(0);
  for (let patch: u32 = 0; patch < patchCount; patch++, out += 128, wide += 128, box += 48) {
    const count = <usize>load<u32>(counts + ((<usize>patch) << 2));
    const nearEnd = near + (count << 4);
    const first = points + <usize>load<u32>(row);
    const refXy = v128.load(first), refZ = v128.load64_zero(first, 16);
    let lo = f32x4.splat(0), hi = lo;
    for (let o = near; o < nearEnd; o += 16, row += 4) {
      const p = points + <usize>load<u32>(row);
      const local = v128.shuffle<f32>(
        f32x4.demote_f64x2_zero(f64x2.sub(v128.load(p), refXy)),
        f32x4.demote_f64x2_zero(f64x2.sub(v128.load64_zero(p, 16), refZ)), 0, 1, 4, 5);
      v128.store(o, local);
      lo = f32x4.pmin(lo, local), hi = f32x4.pmax(hi, local);
    }
    const reach = writeBox(refXy, refZ, lo, hi, box);
    let slot = slots + (<usize>load<u32>(row)) * 48;
    const more = f64x2.splat(<f64>load<f32>(row, 4) - 2);
    row += 8;
    let a0 = none, a1 = none, a2 = none, a3 = none, a4 = none, a5 = none, a6 = none, a7 = none;
    for (let kind: usize = 0; kind < 3; kind++, row += 4) {
      for (let head = load<u32>(row); head != 0; head = load<u32>(row)) {
        row += 4;
        const length = (<usize>(head & 0xffff)) * 12;
        for (let rows = head >> 16; rows != 0; rows--) {
          const rest = row;
          const end = row + 16 + length;
          let even = f32x4.splat(0), odd = even;
          for (row += 16; row < end; row += 12) {
            const p = v128.load(near + ((<usize>load<u16>(row)) << 4));
            const q = v128.load(near + ((<usize>load<u16>(row, 2)) << 4));
            even = f32x4.add(even, f32x4.mul(v128.load32_splat(row, 4), p));
            odd = f32x4.add(odd, f32x4.mul(v128.load32_splat(row, 8), q));
          }
          const sum = f32x4.mul(f32x4.add(even, odd), v128.load32_splat(rest, 12));
          const s = f64x2.promote_low_f32x4(sum);
          const zz = f64x2.promote_low_f32x4(v128.shuffle<f32>(sum, sum, 2, 2, 2, 2));
          const restXy = f64x2.promote_low_f32x4(v128.load64_zero(rest));
          const restZ = f64x2.promote_low_f32x4(v128.load32_splat(rest, 8));
          if (kind < 2) {
            v128.store(slot, s), v128.store64_lane(slot, zz, 0, 16);
            slot += 48;
          }
          a0 = f64x2.add(a0, f64x2.mul(s, v128.shuffle<f64>(s, s, 0, 0)));
          a1 = f64x2.add(a1, f64x2.mul(s, v128.shuffle<f64>(s, s, 1, 1)));
          a2 = f64x2.add(a2, f64x2.mul(s, zz));
          a3 = f64x2.add(a3, f64x2.mul(v128.shuffle<f64>(restZ, zz, 0, 2), zz));
          a4 = f64x2.add(a4, f64x2.mul(restXy, zz));
          a5 = f64x2.add(a5, f64x2.mul(s, v128.shuffle<f64>(restXy, restXy, 0, 0)));
          a6 = f64x2.add(a6, f64x2.mul(s, v128.shuffle<f64>(restXy, restXy, 1, 1)));
          a7 = f64x2.add(a7, f64x2.mul(s, restZ));
        }
      }
      if (kind == 0) {
        v128.store(wide, f64x2.mul(a0, more)), v128.store(wide, f64x2.mul(a1, more), 16);
        v128.store(wide, f64x2.mul(a2, more), 32), v128.store(wide, f64x2.mul(a3, more), 48);
        v128.store(wide, f64x2.mul(a4, more), 64), v128.store(wide, f64x2.mul(a5, more), 80);
        v128.store(wide, f64x2.mul(a6, more), 96), v128.store(wide, f64x2.mul(a7, more), 112);
      } else {
        addTo(wide, a0), addTo(wide + 16, a1), addTo(wide + 32, a2), addTo(wide + 48, a3);
        addTo(wide + 64, a4), addTo(wide + 80, a5), addTo(wide + 96, a6), addTo(wide + 112, a7);
      }
    }
    a1 = f64x2.replace_lane(a1, 0, reach);
    store<f64>(wide, reach, 16);
    v128.store(out, a0), v128.store(out, a1, 16), v128.store(out, a2, 32), v128.store(out, a3, 48);
    v128.store(out, a4, 64), v128.store(out, a5, 80), v128.store(out, a6, 96), v128.store(out, a7, 112);
  }
}

// @ts-ignore: decorator
@inline
function addTo(out: usize, more: v128): void {
  v128.store(out, f64x2.add(v128.load(out), more));
}

/** The loose Gram of two patches together. */
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
 * in one and in the other, and where the sum goes (a slot, or NONE). The Gram of the sums is that of both, and what s and
 * X of the one give with those of the other. The reach is the larger one.
 */
export function joinEnergies(
  gramA: usize, gramB: usize, shared: usize, sharedCount: u32, slots: usize, out: usize,
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
    const i = slots + (<usize>load<u32>(e)) * 48, j = slots + (<usize>load<u32>(e, 4)) * 48;
    const s = v128.load(i), t = v128.load(j);
    const sz = load<f64>(i, 16), tz = load<f64>(j, 16);
    const X = v128.load(i, 24), Y = v128.load(j, 24);
    const Xz = load<f64>(i, 40), Yz = load<f64>(j, 40);
    const szz = f64x2.splat(sz), tzz = f64x2.splat(tz);
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
    const o = slots + (<usize>slot) * 48;
    v128.store(o, f64x2.add(s, t)), store<f64>(o, sz + tz, 16);
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
