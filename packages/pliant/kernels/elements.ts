import { CARE, CHUNK, MATRIX, fitMatrices } from './arap';

/*
 * Tetrahedra that resist. Of each: four corners (u32), and ten f64: the gradients of the last three barycentric
 * coordinates and the volume. Matrices as in arap.ts.
 */

const ELEMENT: usize = 80;

// @ts-ignore: decorator
@inline
function edge(points: usize, corners: usize, k: usize): usize {
  return points + <usize>load<u32>(corners + (k << 2)) * 24;
}

/** The deformation gradient of one tetrahedron, with the sum of its squares. */
// @ts-ignore: decorator
@inline
function writeGradient(points: usize, corners: usize, element: usize, out: usize): void {
  const first = edge(points, corners, 0);
  const pxy = v128.load(first), pz = v128.load64_splat(first, 16);
  let m0 = f64x2.splat(0), m1 = m0, m2 = m0, m3 = m0, m4 = m0;
  for (let k: usize = 1, g = element; k < 4; k++, g += 24) {
    const p = edge(points, corners, k);
    const exy = f64x2.sub(v128.load(p), pxy), ez = f64x2.sub(v128.load64_splat(p, 16), pz);
    const gx = v128.load64_splat(g), gy = v128.load64_splat(g, 8), gz = v128.load64_splat(g, 16);
    m0 = f64x2.add(m0, f64x2.mul(exy, gx)), m1 = f64x2.add(m1, f64x2.mul(exy, gy)), m2 = f64x2.add(m2, f64x2.mul(exy, gz));
    m3 = f64x2.add(m3, f64x2.mul(ez, v128.load(g))), m4 = f64x2.add(m4, f64x2.mul(ez, gz));
  }
  v128.store(out, m0), v128.store(out, m1, 16), v128.store(out, m2, 32), v128.store(out, m3, 48);
  const s = f64x2.add(f64x2.add(f64x2.mul(m0, m0), f64x2.mul(m1, m1)), f64x2.add(f64x2.mul(m2, m2), f64x2.mul(m3, m3)));
  const z = f64x2.extract_lane(m4, 0);
  v128.store(out, f64x2(z, f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1) + z * z), 64);
}

/**
 * Fits a rotation to every tetrahedron, and with `targets` the nearest matrix whose singular values are from `least` to
 * `most`. Returns ½ Σ V |F − R|², or of the targets.
 */
export function fitElements(
  count: u32, points: usize, corners: usize, elements: usize, rotations: usize, targets: usize,
  least: f64, most: f64, scratch: usize,
): f64 {
  const M = scratch + CARE;
  let energy: f64 = 0;
  for (let from: u32 = 0; from < count; from += CHUNK) {
    const n = min(CHUNK, count - from), R = rotations + <usize>from * MATRIX;
    const e = elements + <usize>from * ELEMENT, c = corners + (<usize>from << 4);
    for (let i: u32 = 0; i < n; i++) {
      writeGradient(points, c + (<usize>i << 4), e + <usize>i * ELEMENT, M + <usize>i * MATRIX);
    }
    fitMatrices(n, M, R, scratch);
    for (let i: u32 = 0; i < n; i++) {
      const o = <usize>i * MATRIX, volume = load<f64>(e + <usize>i * ELEMENT, 72);
      if (targets) energy += volume * limit(M + o, R + o, targets + (<usize>from * MATRIX) + o, least, most);
      else energy += volume * (load<f64>(M + o, 72) * 0.5 + 1.5 - load<f64>(R + o, 72));
    }
  }
  return energy;
}

/** b of the tetrahedra: Σ V T ∇ at every corner. */
export function sumElements(count: u32, vertices: u32, corners: usize, elements: usize, targets: usize, b: usize): void {
  memory.fill(b, 0, <usize>vertices * 24);
  for (let i: u32 = 0; i < count; i++, corners += 16, elements += ELEMENT, targets += MATRIX) {
    const volume = v128.load64_splat(elements, 72);
    const t0 = f64x2.mul(v128.load(targets), volume), t1 = f64x2.mul(v128.load(targets, 16), volume);
    const t2 = f64x2.mul(v128.load(targets, 32), volume), t3 = f64x2.mul(v128.load(targets, 48), volume);
    const t4 = load<f64>(targets, 64) * load<f64>(elements, 72);
    const first = edge(b, corners, 0);
    let sxy = f64x2.splat(0), sz: f64 = 0;
    for (let k: usize = 1, g = elements; k < 4; k++, g += 24) {
      const at = edge(b, corners, k);
      const xy = f64x2.add(
        f64x2.add(f64x2.mul(t0, v128.load64_splat(g)), f64x2.mul(t1, v128.load64_splat(g, 8))),
        f64x2.mul(t2, v128.load64_splat(g, 16)));
      const pair = f64x2.mul(t3, v128.load(g));
      const z = f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1) + t4 * load<f64>(g, 16);
      v128.store(at, f64x2.add(v128.load(at), xy)), store<f64>(at, load<f64>(at, 16) + z, 16);
      sxy = f64x2.add(sxy, xy), sz += z;
    }
    v128.store(first, f64x2.sub(v128.load(first), sxy)), store<f64>(first, load<f64>(first, 16) - sz, 16);
  }
}

const SWEEPS: u32 = 8;
/** Entries beside the diagonal that are less, of the diagonal, are nothing: turning equal values would go on for ever. */
const TURN: f64 = 1e-14;

/**
 * T = R Q clamp(D) Qᵀ where RᵀF = Q D Qᵀ is symmetric since R fits F best; one entry of D is negative where F mirrors.
 * Returns half the sum of the squares by which D changes.
 */
function limit(F: usize, R: usize, T: usize, least: f64, most: f64): f64 {
  let a = product(R, 0, F, 0), d = product(R, 1, F, 1), f = product(R, 2, F, 2);
  let b = (product(R, 0, F, 1) + product(R, 1, F, 0)) * 0.5, c = (product(R, 0, F, 2) + product(R, 2, F, 0)) * 0.5;
  let e = (product(R, 1, F, 2) + product(R, 2, F, 1)) * 0.5;
  if (isPositive(a - least, b, c, d - least, e, f - least) && isPositive(most - a, -b, -c, most - d, -e, most - f)) {
    memory.copy(T, F, 72);
    return 0;
  }
  // Jacobi's method.
  let q00: f64 = 1, q01: f64 = 0, q02: f64 = 0, q10: f64 = 0, q11: f64 = 1, q12: f64 = 0;
  let q20: f64 = 0, q21: f64 = 0, q22: f64 = 1;
  for (let sweep: u32 = 0; sweep < SWEEPS; sweep++) {
    let isTurning = false;
    if (abs(b) > TURN * (abs(a) + abs(d))) {
      const theta = (d - a) / (2 * b), t = (theta < 0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1));
      const k = 1 / sqrt(t * t + 1), s = t * k, x = c, x0 = q00, x1 = q10, x2 = q20;
      a -= t * b, d += t * b, b = 0, c = k * x - s * e, e = s * x + k * e;
      q00 = k * x0 - s * q01, q01 = s * x0 + k * q01, q10 = k * x1 - s * q11, q11 = s * x1 + k * q11;
      q20 = k * x2 - s * q21, q21 = s * x2 + k * q21, isTurning = true;
    }
    if (abs(c) > TURN * (abs(a) + abs(f))) {
      const theta = (f - a) / (2 * c), t = (theta < 0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1));
      const k = 1 / sqrt(t * t + 1), s = t * k, x = b, x0 = q00, x1 = q10, x2 = q20;
      a -= t * c, f += t * c, c = 0, b = k * x - s * e, e = s * x + k * e;
      q00 = k * x0 - s * q02, q02 = s * x0 + k * q02, q10 = k * x1 - s * q12, q12 = s * x1 + k * q12;
      q20 = k * x2 - s * q22, q22 = s * x2 + k * q22, isTurning = true;
    }
    if (abs(e) > TURN * (abs(d) + abs(f))) {
      const theta = (f - d) / (2 * e), t = (theta < 0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1));
      const k = 1 / sqrt(t * t + 1), s = t * k, x = b, x0 = q01, x1 = q11, x2 = q21;
      d -= t * e, f += t * e, e = 0, b = k * x - s * c, c = s * x + k * c;
      q01 = k * x0 - s * q02, q02 = s * x0 + k * q02, q11 = k * x1 - s * q12, q12 = s * x1 + k * q12;
      q21 = k * x2 - s * q22, q22 = s * x2 + k * q22, isTurning = true;
    }
    if (!isTurning) break;
  }
  const ta = min(max(a, least), most), td = min(max(d, least), most), tf = min(max(f, least), most);
  a -= ta, d -= td, f -= tf;
  for (let j: usize = 0; j < 3; j++) {
    // Column j of Q clamp(D) Qᵀ, then R in front of it.
    const s0 = ta * (j == 0 ? q00 : j == 1 ? q10 : q20), s1 = td * (j == 0 ? q01 : j == 1 ? q11 : q21);
    const s2 = tf * (j == 0 ? q02 : j == 1 ? q12 : q22);
    const x = q00 * s0 + q01 * s1 + q02 * s2, y = q10 * s0 + q11 * s1 + q12 * s2, z = q20 * s0 + q21 * s1 + q22 * s2;
    const o = T + (j << 4);
    store<f64>(o, load<f64>(R) * x + load<f64>(R, 16) * y + load<f64>(R, 32) * z);
    store<f64>(o, load<f64>(R, 8) * x + load<f64>(R, 24) * y + load<f64>(R, 40) * z, 8);
    store<f64>(T + (j << 3), load<f64>(R, 48) * x + load<f64>(R, 56) * y + load<f64>(R, 64) * z, 48);
  }
  return (a * a + d * d + f * f) * 0.5;
}

/** Whether the symmetric matrix of rows a b c, d e, f is positive definite, by its leading minors. */
// @ts-ignore: decorator
@inline
function isPositive(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64): bool {
  const minor = a * d - b * b;
  return a > 0 && minor > 0 && minor * f - (a * e * e - 2 * (b * c * e) + c * c * d) > 0;
}

/** Column i of A times column j of B. */
// @ts-ignore: decorator
@inline
function product(A: usize, i: usize, B: usize, j: usize): f64 {
  const a = A + (i << 4), b = B + (j << 4);
  return load<f64>(a) * load<f64>(b) + load<f64>(a, 8) * load<f64>(b, 8) +
    load<f64>(A + (i << 3), 48) * load<f64>(B + (j << 3), 48);
}
