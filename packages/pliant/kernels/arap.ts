/*
 * Shapes as rigid as possible. A matrix or rotation has ten f64: the columns of its first two rows, (00 10) (01 11)
 * (02 12), then the third row (20 21 22), then one number more. Matrices carry there what they weigh, rotations the
 * trace of their transpose times the matrix they were fitted to. The spokes of vertex i are start[i] to start[i + 1]
 * (u32): a neighbour (u32) and four f64 each, w (p̄ − p̄_j) and w. Points and b are three f64 per vertex, apart.
 */

export const MATRIX: usize = 80;
/** Matrices made before they are fitted: they stay in the nearest cache. */
export const CHUNK: u32 = 128;
/** Scratch memory: so many bytes for one matrix that needs care, then a chunk of matrices. */
export const CARE: usize = 256;

// @ts-ignore: decorator
@inline
function add(a: v128, b: v128): v128 { return f64x2.add(a, b); }
// @ts-ignore: decorator
@inline
function sub(a: v128, b: v128): v128 { return f64x2.sub(a, b); }
// @ts-ignore: decorator
@inline
function mul(a: v128, b: v128): v128 { return f64x2.mul(a, b); }
// @ts-ignore: decorator
@inline
function low(a: v128): v128 { return v128.shuffle<i64>(a, a, 0, 0); }
// @ts-ignore: decorator
@inline
function high(a: v128): v128 { return v128.shuffle<i64>(a, a, 1, 1); }
/** Lane 0 of both, lane 1 of both. */
// @ts-ignore: decorator
@inline
function lows(a: v128, b: v128): v128 { return v128.shuffle<i64>(a, b, 0, 2); }
// @ts-ignore: decorator
@inline
function highs(a: v128, b: v128): v128 { return v128.shuffle<i64>(a, b, 1, 3); }
// @ts-ignore: decorator
@inline
function determinant3(
  a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, i: v128,
): v128 {
  return add(
    add(mul(a, sub(mul(e, i), mul(f, h))), mul(b, sub(mul(f, g), mul(d, i)))), mul(c, sub(mul(d, h), mul(e, g))));
}

/** Σ w (p − p_j)(p̄ − p̄_j)ᵀ of one vertex, added to the matrix at `out`; Σ w |p − p_j|² beside it. */
// @ts-ignore: decorator
@inline
function addSpokes(i: u32, points: usize, start: usize, neighbour: usize, spoke: usize, out: usize): void {
  const from = load<u32>(start + (<usize>i << 2)), to = load<u32>(start + (<usize>i << 2), 4);
  const at = points + <usize>i * 24;
  const pxy = v128.load(at), pz = v128.load64_splat(at, 16);
  let m0 = v128.load(out), m1 = v128.load(out, 16), m2 = v128.load(out, 32), m3 = v128.load(out, 48);
  let m4 = v128.load(out, 64), q = f64x2.splat(0);
  let s = spoke + (<usize>from << 5), n = neighbour + (<usize>from << 2);
  for (let k = from; k < to; k++, s += 32, n += 4) {
    const other = points + <usize>load<u32>(n) * 24;
    const exy = sub(pxy, v128.load(other)), ez = sub(pz, v128.load64_splat(other, 16));
    const wxy = v128.load(s), wz = v128.load(s, 16);
    m0 = add(m0, mul(exy, low(wxy)));
    m1 = add(m1, mul(exy, high(wxy)));
    m2 = add(m2, mul(exy, low(wz)));
    m3 = add(m3, mul(ez, wxy));
    m4 = add(m4, mul(mul(ez, wz), f64x2.replace_lane(ez, 0, 1)));
    q = add(q, mul(mul(exy, exy), high(wz)));
  }
  v128.store(out, m0), v128.store(out, m1, 16), v128.store(out, m2, 32), v128.store(out, m3, 48);
  const weight = f64x2.extract_lane(m4, 1) + (f64x2.extract_lane(q, 0) + f64x2.extract_lane(q, 1));
  v128.store(out, f64x2.replace_lane(m4, 1, weight), 64);
}

/** The matrices of groups of vertices: vertex i belongs to the group labels[i]. */
export function gatherSpokes(
  count: u32, points: usize, start: usize, neighbour: usize, spoke: usize, labels: usize, groups: u32, matrices: usize,
): void {
  memory.fill(matrices, 0, <usize>groups * MATRIX);
  for (let i: u32 = 0; i < count; i++) {
    const group = load<u32>(labels + (<usize>i << 2));
    addSpokes(i, points, start, neighbour, spoke, matrices + <usize>group * MATRIX);
  }
}

/**
 * Fits a rotation to every vertex, and writes b_i = ½ Σ w (R_i + R_j)(p̄ − p̄_j): each rotation adds its share to both
 * ends of its spokes while they are in the nearest cache. Returns Σ (weight / 4 − trace / 2).
 */
export function fitSpokes(
  count: u32, points: usize, start: usize, neighbour: usize, spoke: usize, rotations: usize, b: usize, scratch: usize,
): f64 {
  const M = scratch + CARE;
  let energy: f64 = 0;
  memory.fill(b, 0, <usize>count * 24);
  for (let from: u32 = 0; from < count; from += CHUNK) {
    const n = min(CHUNK, count - from), R = rotations + <usize>from * MATRIX;
    memory.fill(M, 0, <usize>n * MATRIX);
    for (let i: u32 = 0; i < n; i++) addSpokes(from + i, points, start, neighbour, spoke, M + <usize>i * MATRIX);
    fitMatrices(n, M, R, scratch);
    for (let i: u32 = 0; i < n; i++) {
      const o = <usize>i * MATRIX;
      energy += load<f64>(M + o, 72) * 0.25 - load<f64>(R + o, 72) * 0.5;
      scatterSpokes(from + i, start, neighbour, spoke, R + o, b);
    }
  }
  return energy;
}

// @ts-ignore: decorator
@inline
function scatterSpokes(i: u32, start: usize, neighbour: usize, spoke: usize, R: usize, b: usize): void {
  const from = load<u32>(start + (<usize>i << 2)), to = load<u32>(start + (<usize>i << 2), 4);
  const half = f64x2.splat(0.5);
  const r0 = mul(v128.load(R), half), r1 = mul(v128.load(R, 16), half), r2 = mul(v128.load(R, 32), half);
  const zx = load<f64>(R, 48) * 0.5, zy = load<f64>(R, 56) * 0.5, zz = load<f64>(R, 64) * 0.5;
  let sxy = f64x2.splat(0), sz: f64 = 0;
  let s = spoke + (<usize>from << 5), n = neighbour + (<usize>from << 2);
  for (let k = from; k < to; k++, s += 32, n += 4) {
    const other = b + <usize>load<u32>(n) * 24;
    const xy = add(add(mul(r0, v128.load64_splat(s)), mul(r1, v128.load64_splat(s, 8))), mul(r2, v128.load64_splat(s, 16)));
    const z = zx * load<f64>(s) + zy * load<f64>(s, 8) + zz * load<f64>(s, 16);
    v128.store(other, sub(v128.load(other), xy)), store<f64>(other, load<f64>(other, 16) - z, 16);
    sxy = add(sxy, xy), sz += z;
  }
  const own = b + <usize>i * 24;
  v128.store(own, add(v128.load(own), sxy)), store<f64>(own, load<f64>(own, 16) + sz, 16);
}

/** b of rotations that groups of vertices share: `labels` names that of each vertex. */
export function sumSpokes(
  count: u32, start: usize, neighbour: usize, spoke: usize, labels: usize, rotations: usize, b: usize,
): void {
  const half = f64x2.splat(0.5);
  let s = spoke, n = neighbour;
  for (let i: u32 = 0; i < count; i++, b += 24) {
    const from = load<u32>(start + (<usize>i << 2)), to = load<u32>(start + (<usize>i << 2), 4);
    let xy = f64x2.splat(0), z = xy, zz = xy, sxy = xy, sz = xy;
    for (let k = from; k < to; k++, s += 32, n += 4) {
      const j = load<u32>(n);
      const R = rotations + <usize>load<u32>(labels + (<usize>j << 2)) * MATRIX;
      const wxy = v128.load(s), wz = v128.load(s, 16);
      xy = add(xy, add(add(mul(v128.load(R), low(wxy)), mul(v128.load(R, 16), high(wxy))), mul(v128.load(R, 32), low(wz))));
      z = add(z, mul(v128.load(R, 48), wxy));
      zz = add(zz, mul(v128.load(R, 64), wz));
      sxy = add(sxy, wxy), sz = add(sz, wz);
    }
    const R = rotations + <usize>load<u32>(labels + (<usize>i << 2)) * MATRIX;
    xy = add(xy, add(add(mul(v128.load(R), low(sxy)), mul(v128.load(R, 16), high(sxy))), mul(v128.load(R, 32), low(sz))));
    z = add(z, mul(v128.load(R, 48), sxy));
    zz = add(zz, mul(v128.load(R, 64), sz));
    v128.store(b, mul(xy, half));
    store<f64>(b, (f64x2.extract_lane(z, 0) + f64x2.extract_lane(z, 1) + f64x2.extract_lane(zz, 0)) * 0.5, 16);
  }
}

/** Below it the quartic is nothing but rounding. */
const ROUNDING: f64 = 1.7763568394002505e-15; // 2⁻⁴⁹
/** Newton's steps: three to six are usual, twenty-five when the largest root is nearly double. */
const STEPS: u32 = 32;
/** Where the largest eigenvalue is not alone, its vector needs more care than cofactors give. */
const SURE: f64 = 1e-5;

/**
 * The rotation R with the largest tr(Rᵀ M) for every matrix M: its quaternion is the first eigenvector of a symmetric
 * 4×4 matrix N (Davenport). The eigenvalue is the largest root of a quartic, found from above by Newton's method; the
 * vector is a column of the adjugate of N − x. Two matrices at a time. Where several rotations are as good as one
 * another, the one that is there already stays.
 */
export function fitMatrices(count: u32, matrices: usize, rotations: usize, scratch: usize): void {
  const one = f64x2.splat(1), two = f64x2.splat(2), four = f64x2.splat(4), eight = f64x2.splat(8);
  for (let k: u32 = 0; k < count; k += 2) {
    const A = matrices + <usize>k * MATRIX, B = k + 1 < count ? A + MATRIX : A;
    const a0 = v128.load(A), b0 = v128.load(B), a1 = v128.load(A, 16), b1 = v128.load(B, 16);
    const a2 = v128.load(A, 32), b2 = v128.load(B, 32), a3 = v128.load(A, 48), b3 = v128.load(B, 48);
    const m00 = lows(a0, b0), m10 = highs(a0, b0), m01 = lows(a1, b1), m11 = highs(a1, b1);
    const m02 = lows(a2, b2), m12 = highs(a2, b2), m20 = lows(a3, b3), m21 = highs(a3, b3);
    const m22 = lows(v128.load(A, 64), v128.load(B, 64));
    const size2 = add(
      add(add(add(mul(m00, m00), mul(m10, m10)), mul(m20, m20)), add(add(mul(m01, m01), mul(m11, m11)), mul(m21, m21))),
      add(add(mul(m02, m02), mul(m12, m12)), mul(m22, m22)));
    const size = f64x2.sqrt(size2), scale = f64x2.div(one, size);
    const xx = mul(m00, scale), yx = mul(m10, scale), zx = mul(m20, scale), xy = mul(m01, scale);
    const yy = mul(m11, scale), zy = mul(m21, scale), xz = mul(m02, scale), yz = mul(m12, scale), zz = mul(m22, scale);
    // N less x times 1: rows a b c d, e f g, h i, j.
    const na = add(add(xx, yy), zz), b = sub(zy, yz), c = sub(xz, zx), d = sub(yx, xy);
    const ne = sub(sub(xx, yy), zz), f = add(xy, yx), g = add(xz, zx);
    const nh = sub(sub(yy, xx), zz), i = add(yz, zy), nj = sub(sub(zz, xx), yy);
    const linear = mul(determinant3(xx, xy, xz, yx, yy, yz, zx, zy, zz), eight);
    const same = sub(mul(c, g), mul(f, d)); // a minor of rows 0 and 1, and of 2 and 3
    const p02 = sub(mul(c, i), mul(nh, d)), p03 = sub(mul(c, nj), mul(i, d)), p12 = sub(mul(f, i), mul(nh, g));
    const p13 = sub(mul(f, nj), mul(i, g)), p23 = sub(mul(nh, nj), mul(i, i));
    const r01 = sub(mul(na, ne), mul(b, b)), r02 = sub(mul(na, f), mul(c, b)), r03 = sub(mul(na, g), mul(d, b));
    const r12 = sub(mul(b, f), mul(c, ne)), r13 = sub(mul(b, g), mul(d, ne));
    const constant = add(
      add(sub(mul(r01, p23), mul(r02, p13)), add(mul(r03, p12), mul(r12, p03))), sub(mul(same, same), mul(r13, p02)));
    let x = f64x2.splat(1.7320508075688774);
    for (let step: u32 = 0; step < STEPS; step++) {
      const square = mul(x, x);
      const value = add(mul(sub(mul(sub(square, two), x), linear), x), constant);
      const slope = sub(mul(mul(sub(square, one), x), four), linear);
      const goesOn = f64x2.gt(value, f64x2.splat(ROUNDING));
      if (!v128.any_true(goesOn)) break;
      x = v128.bitselect(sub(x, f64x2.div(value, slope)), x, goesOn);
    }
    const a = sub(na, x), e = sub(ne, x), h = sub(nh, x), j = sub(nj, x);
    const s02 = sub(mul(c, i), mul(h, d)), s03 = sub(mul(c, j), mul(i, d)), s12 = sub(mul(f, i), mul(h, g));
    const s13 = sub(mul(f, j), mul(i, g)), s23 = sub(mul(h, j), mul(i, i));
    const t01 = sub(mul(a, e), mul(b, b)), t02 = sub(mul(a, f), mul(c, b)), t03 = sub(mul(a, g), mul(d, b));
    const t12 = sub(mul(b, f), mul(c, e)), t13 = sub(mul(b, g), mul(d, e));
    const q00 = add(sub(mul(e, s23), mul(f, s13)), mul(g, s12)), q01 = sub(sub(mul(c, s13), mul(b, s23)), mul(d, s12));
    const q02 = add(sub(mul(g, same), mul(i, t13)), mul(j, t12)), q03 = sub(sub(mul(h, t13), mul(f, same)), mul(i, t12));
    const q11 = add(sub(mul(a, s23), mul(c, s03)), mul(d, s02)), q12 = sub(sub(mul(i, t03), mul(d, same)), mul(j, t02));
    const q13 = add(sub(mul(c, same), mul(h, t03)), mul(i, t02));
    const q22 = add(sub(mul(d, t13), mul(g, t03)), mul(j, t01)), q23 = sub(sub(mul(f, t03), mul(c, t13)), mul(i, t01));
    const q33 = add(sub(mul(c, t12), mul(f, t02)), mul(h, t01));
    // The column with the largest entry on the diagonal.
    let most = f64x2.abs(q00), qw = q00, qx = q01, qy = q02, qz = q03;
    let isMore = f64x2.gt(f64x2.abs(q11), most);
    most = v128.bitselect(f64x2.abs(q11), most, isMore), qw = v128.bitselect(q01, qw, isMore);
    qx = v128.bitselect(q11, qx, isMore), qy = v128.bitselect(q12, qy, isMore), qz = v128.bitselect(q13, qz, isMore);
    isMore = f64x2.gt(f64x2.abs(q22), most);
    most = v128.bitselect(f64x2.abs(q22), most, isMore), qw = v128.bitselect(q02, qw, isMore);
    qx = v128.bitselect(q12, qx, isMore), qy = v128.bitselect(q22, qy, isMore), qz = v128.bitselect(q23, qz, isMore);
    isMore = f64x2.gt(f64x2.abs(q33), most);
    most = v128.bitselect(f64x2.abs(q33), most, isMore), qw = v128.bitselect(q03, qw, isMore);
    qx = v128.bitselect(q13, qx, isMore), qy = v128.bitselect(q23, qy, isMore), qz = v128.bitselect(q33, qz, isMore);
    const isUsable = v128.and(f64x2.gt(size2, f64x2.splat(SMALLEST)), f64x2.lt(size2, f64x2.splat(LARGEST)));
    const isSure = v128.and(f64x2.gt(most, f64x2.splat(SURE)), isUsable);
    // The rotation of a quaternion of any length.
    const s = f64x2.div(two, add(add(mul(qw, qw), mul(qx, qx)), add(mul(qy, qy), mul(qz, qz))));
    const sx = mul(qx, s), sy = mul(qy, s), sz = mul(qz, s);
    const wx = mul(qw, sx), wy = mul(qw, sy), wz = mul(qw, sz), qxx = mul(qx, sx), qxy = mul(qx, sy), qxz = mul(qx, sz);
    const qyy = mul(qy, sy), qyz = mul(qy, sz), qzz = mul(qz, sz);
    const r00 = sub(one, add(qyy, qzz)), r01_ = sub(qxy, wz), r02_ = add(qxz, wy);
    const r10 = add(qxy, wz), r11 = sub(one, add(qxx, qzz)), r12_ = sub(qyz, wx);
    const r20 = sub(qxz, wy), r21 = add(qyz, wx), r22 = sub(one, add(qxx, qyy));
    const trace = add(
      add(add(add(mul(r00, m00), mul(r10, m10)), mul(r20, m20)), add(add(mul(r01_, m01), mul(r11, m11)), mul(r21, m21))),
      add(add(mul(r02_, m02), mul(r12_, m12)), mul(r22, m22)));
    const R = rotations + <usize>k * MATRIX, sure = i64x2.bitmask(isSure);
    if (sure & 1) {
      v128.store(R, lows(r00, r10)), v128.store(R, lows(r01_, r11), 16), v128.store(R, lows(r02_, r12_), 32);
      v128.store(R, lows(r20, r21), 48), v128.store(R, lows(r22, trace), 64);
    } else fitWithCare(A, R, scratch);
    if (k + 1 < count) {
      if (sure & 2) {
        v128.store(R, highs(r00, r10), MATRIX), v128.store(R, highs(r01_, r11), MATRIX + 16);
        v128.store(R, highs(r02_, r12_), MATRIX + 32), v128.store(R, highs(r20, r21), MATRIX + 48);
        v128.store(R, highs(r22, trace), MATRIX + 64);
      } else fitWithCare(B, R + MATRIX, scratch);
    }
  }
}

/** Squares of sizes outside of these say nothing: everything in one point, or overflow. */
const SMALLEST: f64 = 1e-290;
const LARGEST: f64 = 1e290;
/** How much better a new rotation has to be, of the size of the matrix. */
const BETTER: f64 = 1e-12;
const SWEEPS: u32 = 12;

/** One matrix by Jacobi's method; what is there stays unless the new rotation is better. At N its vectors are behind it. */
function fitWithCare(M: usize, R: usize, N: usize): void {
  let size2: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) size2 += load<f64>(M + k) * load<f64>(M + k);
  const old = traceOf(R, M);
  store<f64>(R, old, 72);
  if (!(size2 > SMALLEST && size2 < LARGEST)) return;
  const scale = 1 / sqrt(size2);
  const xx = load<f64>(M) * scale, yx = load<f64>(M, 8) * scale, xy = load<f64>(M, 16) * scale;
  const yy = load<f64>(M, 24) * scale, xz = load<f64>(M, 32) * scale, yz = load<f64>(M, 40) * scale;
  const zx = load<f64>(M, 48) * scale, zy = load<f64>(M, 56) * scale, zz = load<f64>(M, 64) * scale;
  place(N, 0, 0, xx + yy + zz), place(N, 0, 1, zy - yz), place(N, 0, 2, xz - zx), place(N, 0, 3, yx - xy);
  place(N, 1, 1, xx - yy - zz), place(N, 1, 2, xy + yx), place(N, 1, 3, xz + zx);
  place(N, 2, 2, yy - xx - zz), place(N, 2, 3, yz + zy), place(N, 3, 3, zz - xx - yy);
  for (let k: usize = 0; k < 16; k++) store<f64>(N + 128 + (k << 3), k % 5 == 0 ? 1 : 0);
  for (let sweep: u32 = 0; sweep < SWEEPS; sweep++) {
    let largest: f64 = 0;
    for (let p: usize = 0; p < 3; p++) for (let q = p + 1; q < 4; q++) largest = max(largest, turn(N, p, q));
    if (largest == 0) break;
  }
  let best: usize = 0;
  for (let k: usize = 1; k < 4; k++) if (entry(N, k, k) > entry(N, best, best)) best = k;
  const w = vector(N, 0, best), x = vector(N, 1, best), y = vector(N, 2, best), z = vector(N, 3, best);
  const s = 2 / (w * w + x * x + (y * y + z * z)); // N is not needed any more: the rotation goes there
  store<f64>(N, 1 - s * (y * y + z * z)), store<f64>(N, s * (x * y + w * z), 8);
  store<f64>(N, s * (x * y - w * z), 16), store<f64>(N, 1 - s * (x * x + z * z), 24);
  store<f64>(N, s * (x * z + w * y), 32), store<f64>(N, s * (y * z - w * x), 40);
  store<f64>(N, s * (x * z - w * y), 48), store<f64>(N, s * (y * z + w * x), 56);
  store<f64>(N, 1 - s * (x * x + y * y), 64);
  const now = traceOf(N, M);
  if (!(now - old > BETTER * sqrt(size2))) return;
  store<f64>(N, now, 72);
  memory.copy(R, N, MATRIX);
}

function traceOf(R: usize, M: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < 72; k += 8) sum += load<f64>(R + k) * load<f64>(M + k);
  return sum;
}

function place(N: usize, i: usize, j: usize, value: f64): void {
  store<f64>(N + (((i << 2) + j) << 3), value);
  store<f64>(N + (((j << 2) + i) << 3), value);
}

function entry(N: usize, i: usize, j: usize): f64 { return load<f64>(N + (((i << 2) + j) << 3)); }
function vector(N: usize, i: usize, j: usize): f64 { return load<f64>(N + (((i << 2) + j) << 3), 128); }

/** One rotation of Jacobi's, of rows and columns p and q. Returns how large the entry was. */
function turn(N: usize, p: usize, q: usize): f64 {
  const off = entry(N, p, q);
  if (abs(off) < 1e-16) return 0; // rounding, which would turn equal values by 45° for ever
  const theta = (entry(N, q, q) - entry(N, p, p)) / (2 * off);
  const t = (theta < 0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1));
  const c = 1 / sqrt(t * t + 1), s = t * c;
  const pp = entry(N, p, p) - t * off, qq = entry(N, q, q) + t * off;
  for (let k: usize = 0; k < 4; k++) {
    const x = vector(N, k, p), y = vector(N, k, q);
    store<f64>(N + (((k << 2) + p) << 3), c * x - s * y, 128);
    store<f64>(N + (((k << 2) + q) << 3), s * x + c * y, 128);
    if (k == p || k == q) continue;
    const u = entry(N, k, p), v = entry(N, k, q);
    place(N, k, p, c * u - s * v), place(N, k, q, s * u + c * v);
  }
  place(N, p, p, pp), place(N, q, q, qq), place(N, p, q, 0);
  return abs(off);
}
