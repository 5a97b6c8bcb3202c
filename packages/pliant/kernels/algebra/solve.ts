import { Header, u32At } from "./header";

/**
 * L Lᵀ x = b for one vector at `vectors`. Every entry sees the same operations in the same order as in `solveEight`.
 */
export function solveOne(header: usize): void {
  const h = changetype<Header>(header);
  const x = h.vectors;
  for (let s: u32 = 0; s < h.count; s++) {
    const first = u32At(h.first, s), width = u32At(h.first, s + 1) - first;
    const rows = h.row + (u32At(h.rowStart, s) << 2);
    const below = u32At(h.rowStart, s + 1) - u32At(h.rowStart, s);
    const stride = (width + (width & 1)) << 3;
    let a = h.panels + (u32At(h.panelStart, s) << 3);
    const own = x + (first << 3);
    for (let i: usize = 0; i < width; i++, a += stride) {
      let sum = load<f64>(own + (i << 3));
      for (let k: usize = 0; k < i; k++) sum -= load<f64>(a + (k << 3)) * load<f64>(own + (k << 3));
      store<f64>(own + (i << 3), sum / load<f64>(a + (i << 3)));
    }
    // Four rows at a time, so that their sums need not wait for each other.
    let i: usize = 0;
    for (; i + 3 < below; i += 4, a += stride << 2) {
      const y0 = x + (u32At(rows, i) << 3), y1 = x + (u32At(rows, i + 1) << 3);
      const y2 = x + (u32At(rows, i + 2) << 3), y3 = x + (u32At(rows, i + 3) << 3);
      let s0 = load<f64>(y0), s1 = load<f64>(y1), s2 = load<f64>(y2), s3 = load<f64>(y3);
      const a1 = a + stride, a2 = a1 + stride, a3 = a2 + stride;
      for (let k: usize = 0; k < width << 3; k += 8) {
        const v = load<f64>(own + k);
        s0 -= load<f64>(a + k) * v;
        s1 -= load<f64>(a1 + k) * v;
        s2 -= load<f64>(a2 + k) * v;
        s3 -= load<f64>(a3 + k) * v;
      }
      store<f64>(y0, s0), store<f64>(y1, s1), store<f64>(y2, s2), store<f64>(y3, s3);
    }
    for (; i < below; i++, a += stride) {
      const y = x + (u32At(rows, i) << 3);
      let sum = load<f64>(y);
      for (let k: usize = 0; k < width << 3; k += 8) sum -= load<f64>(a + k) * load<f64>(own + k);
      store<f64>(y, sum);
    }
  }
  for (let s: i32 = h.count - 1; s >= 0; s--) {
    const first = u32At(h.first, s), width = u32At(h.first, s + 1) - first;
    const rows = h.row + (u32At(h.rowStart, s) << 2);
    const below = u32At(h.rowStart, s + 1) - u32At(h.rowStart, s);
    const stride = (width + (width & 1)) << 3;
    const panel = h.panels + (u32At(h.panelStart, s) << 3);
    const own = x + (first << 3);
    let a = panel + width * stride;
    let i: usize = 0;
    for (; i + 3 < below; i += 4, a += stride << 2) {
      const y0 = f64x2.splat(load<f64>(x + (u32At(rows, i) << 3)));
      const y1 = f64x2.splat(load<f64>(x + (u32At(rows, i + 1) << 3)));
      const y2 = f64x2.splat(load<f64>(x + (u32At(rows, i + 2) << 3)));
      const y3 = f64x2.splat(load<f64>(x + (u32At(rows, i + 3) << 3)));
      const a1 = a + stride, a2 = a1 + stride, a3 = a2 + stride;
      let k: usize = 0;
      for (; k + 8 < width << 3; k += 16) {
        let v = v128.load(own + k);
        v = f64x2.sub(v, f64x2.mul(v128.load(a + k), y0));
        v = f64x2.sub(v, f64x2.mul(v128.load(a1 + k), y1));
        v = f64x2.sub(v, f64x2.mul(v128.load(a2 + k), y2));
        v = f64x2.sub(v, f64x2.mul(v128.load(a3 + k), y3));
        v128.store(own + k, v);
      }
      if (k < width << 3) {
        let v = load<f64>(own + k);
        v -= load<f64>(a + k) * f64x2.extract_lane(y0, 0);
        v -= load<f64>(a1 + k) * f64x2.extract_lane(y1, 0);
        v -= load<f64>(a2 + k) * f64x2.extract_lane(y2, 0);
        v -= load<f64>(a3 + k) * f64x2.extract_lane(y3, 0);
        store<f64>(own + k, v);
      }
    }
    for (; i < below; i++, a += stride) {
      const y = load<f64>(x + (u32At(rows, i) << 3));
      for (let k: usize = 0; k < width << 3; k += 8) {
        store<f64>(own + k, load<f64>(own + k) - load<f64>(a + k) * y);
      }
    }
    for (let i: isize = <isize>width - 1; i >= 0; i--) {
      const row = panel + <usize>i * stride;
      const v = load<f64>(own + (i << 3)) / load<f64>(row + (i << 3));
      store<f64>(own + (i << 3), v);
      for (let k: usize = 0; k < <usize>i << 3; k += 8) {
        store<f64>(own + k, load<f64>(own + k) - load<f64>(row + k) * v);
      }
    }
  }
}

/** The same for eight vectors at `vectors`, the eight entries of a row together. */
export function solveEight(header: usize): void {
  const h = changetype<Header>(header);
  const x = h.vectors;
  for (let s: u32 = 0; s < h.count; s++) {
    const first = u32At(h.first, s), width = u32At(h.first, s + 1) - first;
    const rows = h.row + (u32At(h.rowStart, s) << 2);
    const below = u32At(h.rowStart, s + 1) - u32At(h.rowStart, s);
    const stride = (width + (width & 1)) << 3;
    let a = h.panels + (u32At(h.panelStart, s) << 3);
    const own = x + (first << 6);
    for (let i: usize = 0; i < width; i++, a += stride) {
      const y = own + (i << 6);
      subtractProducts(y, own, a, i);
      const d = f64x2.splat(load<f64>(a + (i << 3)));
      v128.store(y, f64x2.div(v128.load(y), d));
      v128.store(y, f64x2.div(v128.load(y, 16), d), 16);
      v128.store(y, f64x2.div(v128.load(y, 32), d), 32);
      v128.store(y, f64x2.div(v128.load(y, 48), d), 48);
    }
    let i: usize = 0;
    for (; i + 1 < below; i += 2, a += stride << 1)
      subtractTwice(x + (u32At(rows, i) << 6), x + (u32At(rows, i + 1) << 6), own, a, a + stride, width);
    if (i < below) subtractProducts(x + (u32At(rows, i) << 6), own, a, width);
  }
  for (let s: i32 = h.count - 1; s >= 0; s--) {
    const first = u32At(h.first, s), width = u32At(h.first, s + 1) - first;
    const rows = h.row + (u32At(h.rowStart, s) << 2);
    const below = u32At(h.rowStart, s + 1) - u32At(h.rowStart, s);
    const stride = (width + (width & 1)) << 3;
    const panel = h.panels + (u32At(h.panelStart, s) << 3);
    const own = x + (first << 6);
    let a = panel + width * stride;
    let i: usize = 0;
    for (; i + 1 < below; i += 2, a += stride << 1)
      spreadTwice(own, x + (u32At(rows, i) << 6), x + (u32At(rows, i + 1) << 6), a, a + stride, width);
    if (i < below) spread(own, x + (u32At(rows, i) << 6), a, width);
    for (let i: isize = <isize>width - 1; i >= 0; i--) {
      const row = panel + <usize>i * stride, y = own + (<usize>i << 6);
      const d = f64x2.splat(load<f64>(row + (i << 3)));
      v128.store(y, f64x2.div(v128.load(y), d));
      v128.store(y, f64x2.div(v128.load(y, 16), d), 16);
      v128.store(y, f64x2.div(v128.load(y, 32), d), 32);
      v128.store(y, f64x2.div(v128.load(y, 48), d), 48);
      spread(own, y, row, i);
    }
  }
}

/** y -= Σ a[k] x[k], k below `count`; y and x[k] are eight numbers. */
function subtractProducts(y: usize, x: usize, a: usize, count: usize): void {
  let y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48);
  for (let k: usize = 0; k < count; k++, x += 64, a += 8) {
    const v = v128.load64_splat(a);
    y0 = f64x2.sub(y0, f64x2.mul(v, v128.load(x)));
    y1 = f64x2.sub(y1, f64x2.mul(v, v128.load(x, 16)));
    y2 = f64x2.sub(y2, f64x2.mul(v, v128.load(x, 32)));
    y3 = f64x2.sub(y3, f64x2.mul(v, v128.load(x, 48)));
  }
  v128.store(y, y0), v128.store(y, y1, 16), v128.store(y, y2, 32), v128.store(y, y3, 48);
}

/** The same for two rows, which share what is loaded of x. */
function subtractTwice(y: usize, z: usize, x: usize, a: usize, b: usize, count: usize): void {
  let y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48);
  let z0 = v128.load(z), z1 = v128.load(z, 16), z2 = v128.load(z, 32), z3 = v128.load(z, 48);
  for (let k: usize = 0; k < count; k++, x += 64, a += 8, b += 8) {
    const v = v128.load64_splat(a), w = v128.load64_splat(b);
    let t = v128.load(x);
    y0 = f64x2.sub(y0, f64x2.mul(v, t)), z0 = f64x2.sub(z0, f64x2.mul(w, t));
    t = v128.load(x, 16);
    y1 = f64x2.sub(y1, f64x2.mul(v, t)), z1 = f64x2.sub(z1, f64x2.mul(w, t));
    t = v128.load(x, 32);
    y2 = f64x2.sub(y2, f64x2.mul(v, t)), z2 = f64x2.sub(z2, f64x2.mul(w, t));
    t = v128.load(x, 48);
    y3 = f64x2.sub(y3, f64x2.mul(v, t)), z3 = f64x2.sub(z3, f64x2.mul(w, t));
  }
  v128.store(y, y0), v128.store(y, y1, 16), v128.store(y, y2, 32), v128.store(y, y3, 48);
  v128.store(z, z0), v128.store(z, z1, 16), v128.store(z, z2, 32), v128.store(z, z3, 48);
}

/** x[k] -= a[k] y for k below `count`. */
function spread(x: usize, y: usize, a: usize, count: usize): void {
  const y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48);
  for (let k: usize = 0; k < count; k++, x += 64, a += 8) {
    const v = v128.load64_splat(a);
    v128.store(x, f64x2.sub(v128.load(x), f64x2.mul(v, y0)));
    v128.store(x, f64x2.sub(v128.load(x, 16), f64x2.mul(v, y1)), 16);
    v128.store(x, f64x2.sub(v128.load(x, 32), f64x2.mul(v, y2)), 32);
    v128.store(x, f64x2.sub(v128.load(x, 48), f64x2.mul(v, y3)), 48);
  }
}

/** x[k] -= a[k] y, then b[k] z. */
function spreadTwice(x: usize, y: usize, z: usize, a: usize, b: usize, count: usize): void {
  const y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48);
  const z0 = v128.load(z), z1 = v128.load(z, 16), z2 = v128.load(z, 32), z3 = v128.load(z, 48);
  for (let k: usize = 0; k < count; k++, x += 64, a += 8, b += 8) {
    const v = v128.load64_splat(a), w = v128.load64_splat(b);
    v128.store(x, f64x2.sub(f64x2.sub(v128.load(x), f64x2.mul(v, y0)), f64x2.mul(w, z0)));
    v128.store(x, f64x2.sub(f64x2.sub(v128.load(x, 16), f64x2.mul(v, y1)), f64x2.mul(w, z1)), 16);
    v128.store(x, f64x2.sub(f64x2.sub(v128.load(x, 32), f64x2.mul(v, y2)), f64x2.mul(w, z2)), 32);
    v128.store(x, f64x2.sub(f64x2.sub(v128.load(x, 48), f64x2.mul(v, y3)), f64x2.mul(w, z3)), 48);
  }
}
