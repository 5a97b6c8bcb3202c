/**
 * The classic method, kept as a fair baseline: float64 boxes, refitted bottom-up, traversed depth first.
 * A box is lo.xyz, hi.xyz (48 bytes).
 */

/** The first of two equal ones, as pmin and pmax choose: 0 and -0 are equal. */
// @ts-ignore: decorator
@inline
function least(a: f64, b: f64): f64 {
  return b < a ? b : a;
}

// @ts-ignore: decorator
@inline
function most(a: f64, b: f64): f64 {
  return a < b ? b : a;
}

/** Boxes of all nodes, children first. With `grow`, those of the leaves keep what they held: a sweep. */
export function refitBoxes(
  nodeCount: u32, link: usize, corners: usize, points: usize, boxes: usize, grow: u32,
): void {
  for (let node: i32 = nodeCount - 1; node >= 0; node--) {
    const l = load<u32>(link + ((<usize>node) << 2));
    const o = boxes + (<usize>node) * 48;
    if (l & 0x80000000) {
      const c = corners + (<usize>(l & 0x7fffffff)) * 12;
      const p = points + (<usize>load<u32>(c)) * 24, q = points + (<usize>load<u32>(c, 4)) * 24;
      const r = points + (<usize>load<u32>(c, 8)) * 24;
      const pxy = v128.load(p), qxy = v128.load(q), rxy = v128.load(r);
      const pz = load<f64>(p, 16), qz = load<f64>(q, 16), rz = load<f64>(r, 16);
      let lo = f64x2.pmin(f64x2.pmin(pxy, qxy), rxy), hi = f64x2.pmax(f64x2.pmax(pxy, qxy), rxy);
      let loZ = least(least(pz, qz), rz), hiZ = most(most(pz, qz), rz);
      if (grow) {
        lo = f64x2.pmin(lo, v128.load(o)), loZ = least(loZ, load<f64>(o, 16));
        hi = f64x2.pmax(hi, v128.load(o, 24)), hiZ = most(hiZ, load<f64>(o, 40));
      }
      v128.store(o, lo), store<f64>(o, loZ, 16);
      v128.store(o, hi, 24), store<f64>(o, hiZ, 40);
    } else {
      const c = boxes + (<usize>l) * 48;
      v128.store(o, f64x2.pmin(v128.load(c), v128.load(c, 48)));
      store<f64>(o, least(load<f64>(c, 16), load<f64>(c, 64)), 16);
      v128.store(o, f64x2.pmax(v128.load(c, 24), v128.load(c, 72)), 24);
      store<f64>(o, most(load<f64>(c, 40), load<f64>(c, 88)), 40);
    }
  }
}

// @ts-ignore: decorator
@inline
function apart(a: usize, b: usize): bool {
  return load<f64>(a) > load<f64>(b, 24) || load<f64>(b) > load<f64>(a, 24)
    || load<f64>(a, 8) > load<f64>(b, 32) || load<f64>(b, 8) > load<f64>(a, 32)
    || load<f64>(a, 16) > load<f64>(b, 40) || load<f64>(b, 16) > load<f64>(a, 40);
}

/**
 * Works off the stack of `depth` node pairs (a pair of equal nodes asks for all pairs below that node) until
 * it is empty, `room` leaf pairs have been found, or `steps` pairs were popped. The new depth, the number of
 * leaf pairs and the steps taken are stored as three u32 at `counts`.
 */
export function descend(
  stack: usize, depth: u32, linkA: usize, boxesA: usize, linkB: usize, boxesB: usize,
  leaves: usize, room: u32, steps: u32, self: u32, counts: usize,
): void {
  let top = stack + ((<usize>depth) << 3), l = leaves, left = steps;
  const full = leaves + ((<usize>room) << 3);
  while (top > stack && l < full && left > 0) {
    top -= 8, left--;
    const a = load<u32>(top), b = load<u32>(top, 4);
    const la = load<u32>(linkA + ((<usize>a) << 2)), lb = load<u32>(linkB + ((<usize>b) << 2));
    if (self && a == b) {
      if (la & 0x80000000) continue;
      store<u32>(top, la), store<u32>(top, la + 1, 4);
      store<u32>(top, la + 1, 8), store<u32>(top, la + 1, 12);
      store<u32>(top, la, 16), store<u32>(top, la, 20);
      top += 24;
      continue;
    }
    if (apart(boxesA + (<usize>a) * 48, boxesB + (<usize>b) * 48)) continue;
    if (la & 0x80000000) {
      if (lb & 0x80000000) {
        store<u32>(l, a), store<u32>(l, b, 4);
        l += 8;
        continue;
      }
      store<u32>(top, a), store<u32>(top, lb + 1, 4);
      store<u32>(top, a, 8), store<u32>(top, lb, 12);
      top += 16;
    } else if (lb & 0x80000000) {
      store<u32>(top, la + 1), store<u32>(top, b, 4);
      store<u32>(top, la, 8), store<u32>(top, b, 12);
      top += 16;
    } else {
      store<u32>(top, la + 1), store<u32>(top, lb + 1, 4);
      store<u32>(top, la + 1, 8), store<u32>(top, lb, 12);
      store<u32>(top, la, 16), store<u32>(top, lb + 1, 20);
      store<u32>(top, la, 24), store<u32>(top, lb, 28);
      top += 32;
    }
  }
  store<u32>(counts, <u32>((top - stack) >> 3));
  store<u32>(counts, <u32>((l - leaves) >> 3), 4);
  store<u32>(counts, steps - left, 8);
}
