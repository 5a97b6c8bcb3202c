/**
 * Laplacians of patches, and their Gram matrices. With s = Lx and X = LX, both three numbers per row, a Gram is 16 f64:
 * sums over rows of
 *   s.x s.x, s.x s.y | s.x s.y, s.y s.y | s.x s.z, s.y s.z | X.z s.z, s.z s.z |
 *   X.x s.z, X.y s.z | X.x s.x, X.x s.y | X.y s.x, X.y s.y | X.z s.x, X.z s.y
 *
 * A patch is: the address of each of its points relative to the first point of all (u32 each), then a row for each of
 * them: how many neighbours it has (u32), its scale (f32), where its s goes (u32, a slot, or NONE), X (three f32), and
 * for each neighbour its number in the patch (u16) and a weight (i16, in units of 2^-10). Rows are short, since reading
 * them is what takes the time. s = scale · Σ weight · (x_neighbour − x).
 */

const NONE: u32 = 0xffffffff;
const GRAIN: f64 = 1.0 / 1024;

/**
 * `patches`: one after the other. `counts`: u32, how many points each has. `near` has room for the points of one. A slot
 * is 48 bytes, s and X; of these only s is written. Grams are 128 bytes each.
 */
export function sumEnergies(
  patches: usize, counts: usize, patchCount: u32, points: usize, near: usize, slots: usize, grams: usize,
): void {
  let row = patches, out = grams;
  for (let patch: u32 = 0; patch < patchCount; patch++, out += 128) {
    let a0 = f64x2.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    const count = <usize>load<u32>(counts + ((<usize>patch) << 2));
    const nearEnd = near + count * 24;
    for (let o = near; o < nearEnd; o += 24, row += 4) {
      const p = points + <usize>load<u32>(row);
      v128.store(o, v128.load(p)), store<f64>(o, load<f64>(p, 16), 16);
    }
    for (let p = near; p < nearEnd; p += 24) {
      const xy = v128.load(p);
      const z = load<f64>(p, 16);
      let sumXy = f64x2.splat(0);
      let sumZ: f64 = 0;
      const scale = <f64>load<f32>(row, 4) * GRAIN;
      const slot = load<u32>(row, 8);
      const restXy = f64x2.promote_low_f32x4(v128.load64_zero(row, 12));
      const restZ = <f64>load<f32>(row, 20);
      const end = row + 24 + ((<usize>load<u32>(row)) << 2);
      for (row += 24; row < end; row += 4) {
        const q = near + (<usize>load<u16>(row)) * 24;
        const weight = <f64>load<i16>(row, 2);
        sumXy = f64x2.add(sumXy, f64x2.mul(f64x2.splat(weight), f64x2.sub(v128.load(q), xy)));
        sumZ += weight * (load<f64>(q, 16) - z);
      }
      const s = f64x2.mul(sumXy, f64x2.splat(scale));
      const sz = sumZ * scale;
      if (slot != NONE) {
        const o = slots + (<usize>slot) * 48;
        v128.store(o, s), store<f64>(o, sz, 16);
      }
      const zz = f64x2.splat(sz);
      a0 = f64x2.add(a0, f64x2.mul(s, v128.shuffle<f64>(s, s, 0, 0)));
      a1 = f64x2.add(a1, f64x2.mul(s, v128.shuffle<f64>(s, s, 1, 1)));
      a2 = f64x2.add(a2, f64x2.mul(s, zz));
      a3 = f64x2.add(a3, f64x2.mul(f64x2.replace_lane(zz, 0, restZ), zz));
      a4 = f64x2.add(a4, f64x2.mul(restXy, zz));
      a5 = f64x2.add(a5, f64x2.mul(s, v128.shuffle<f64>(restXy, restXy, 0, 0)));
      a6 = f64x2.add(a6, f64x2.mul(s, v128.shuffle<f64>(restXy, restXy, 1, 1)));
      a7 = f64x2.add(a7, f64x2.mul(s, f64x2.splat(restZ)));
    }
    v128.store(out, a0), v128.store(out, a1, 16), v128.store(out, a2, 32), v128.store(out, a3, 48);
    v128.store(out, a4, 64), v128.store(out, a5, 80), v128.store(out, a6, 96), v128.store(out, a7, 112);
  }
}

/**
 * The Gram of two patches together: rows that both have are added up. `shared` lists those, three u32 each: the slots
 * in one and in the other, and where the sum goes (a slot, or NONE). The Gram of the sums is that of both, and what s and
 * X of the one give with those of the other.
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
  v128.store(out, a0), v128.store(out, a1, 16), v128.store(out, a2, 32), v128.store(out, a3, 48);
  v128.store(out, a4, 64), v128.store(out, a5, 80), v128.store(out, a6, 96), v128.store(out, a7, 112);
}

// @ts-ignore: decorator
@inline
function cross(sum: v128, a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.add(f64x2.add(sum, f64x2.mul(a, b)), f64x2.mul(c, d));
}
