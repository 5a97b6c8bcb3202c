import { morphPoints, skinPoints, transformPoints } from './deform';
import {
  BOUNDED, COMPUTED, CORNERS, ENDS, END_BYTES, ENTRIES, ENTRY_BYTES, EVALUATED, FIRST_END, FIRST_PLACE, FRAME,
  HANDLES, HANDLE_BYTES, LARGEST_SIZE, LAST_DIRECTION, LINK, LOCAL, LOCAL_EPOCH, LOCAL_STAMPS, MATRICES,
  MODE_BYTES, MODE_ENTRIES, MODE_INDEX, MODE_START, MODE_VALUE, MORE_PASSES, NODES, NODE_BYTES, PARTS, PLACED,
  PLACED_EPOCH, PLACED_STAMPS, PLACES, PLACE_BYTES, PREVIOUS, REFITTED, REST, SEEN, SKIN_INDEX, SKIN_START,
  SKIN_VALUE, SUPPORT, TABLES, VOLUMES, VOLUME_BYTES, WEIGHTS, WEIGHTS32, WORLD, at,
} from './side';

/*
 * Volumes and positions, computed when they are needed. Nodes know how far their points reach in 26 directions; from
 * that come float32 supports of handle images, and from these boxes, rounded outward by a margin per node. Below
 * SMALL_NODE triangles boxes are the union of the children's, at the leaves that of the points.
 *
 * A load of four numbers at the lo or the hi of a box brings one that does not belong there: it never counts.
 */

const SMALL_NODE: u32 = 4;
const TINY: f64 = 1e-30;
const DEEPEST: u32 = 48;

function ensureLocal(d: usize, end: usize, point: u32): usize {
  const local = load<usize>(end, LOCAL), stamps = load<u32>(end, LOCAL_STAMPS);
  const out = local + (<usize>point) * 24;
  if (stamps == 0) return out;
  const epoch = load<u32>(end, LOCAL_EPOCH);
  if (load<u32>(at(stamps, point)) == epoch) return out;
  store<u32>(at(stamps, point), epoch);
  let from = <usize>load<u32>(d, REST) + (<usize>point) * 24;
  const modes = load<u32>(d, MODE_START);
  if (modes != 0) {
    morphPoints(from, 1, at(modes, point), load<u32>(d, MODE_INDEX), load<u32>(d, MODE_VALUE), load<u32>(end, WEIGHTS), out);
    from = out;
  }
  const skin = load<u32>(d, SKIN_START);
  if (skin != 0) {
    skinPoints(from, 1, at(skin, point), load<u32>(d, SKIN_INDEX), load<u32>(d, SKIN_VALUE), load<u32>(end, MATRICES), out);
  }
  store<u32>(d, load<u32>(d, EVALUATED) + 1, EVALUATED);
  return out;
}

/** The address of a point at one end of the motion, evaluated now if it was not. */
export function ensurePoint(d: usize, end: usize, point: u32): usize {
  const placed = load<usize>(end, PLACED);
  if (placed == 0) return ensureLocal(d, end, point);
  const stamps = load<u32>(end, PLACED_STAMPS);
  const out = placed + (<usize>point) * 24;
  if (stamps == 0) return out;
  const epoch = load<u32>(end, PLACED_EPOCH);
  if (load<u32>(at(stamps, point)) == epoch) return out;
  store<u32>(at(stamps, point), epoch);
  transformPoints(ensureLocal(d, end, point), 1, load<u32>(end, WORLD), out);
  store<u32>(d, load<u32>(d, EVALUATED) + 1, EVALUATED);
  return out;
}

// @ts-ignore: decorator
@inline
function storeBox(out: usize, lo: v128, hi: v128): void {
  v128.store(out, lo);
  v128.store64_lane(out, hi, 0, 12), v128.store32_lane(out, hi, 2, 20);
}

/** lo.xy and lo.z in the lower lane, as f64, to float32 numbers that are not larger. */
// @ts-ignore: decorator
@inline
export function roundDown(xy: v128, z: v128): v128 {
  const most = f64x2.splat(3e38);
  const x = f32x4.demote_f64x2_zero(f64x2.pmin(xy, most)), y = f32x4.demote_f64x2_zero(f64x2.pmin(z, most));
  const v = v128.shuffle<i32>(x, y, 0, 1, 4, 5);
  return f32x4.sub(v, f32x4.add(f32x4.mul(f32x4.abs(v), f32x4.splat(1.2e-7)), f32x4.splat(1e-37)));
}

// @ts-ignore: decorator
@inline
export function roundUp(xy: v128, z: v128): v128 {
  const least = f64x2.splat(-3e38);
  const x = f32x4.demote_f64x2_zero(f64x2.pmax(xy, least)), y = f32x4.demote_f64x2_zero(f64x2.pmax(z, least));
  const v = v128.shuffle<i32>(x, y, 0, 1, 4, 5);
  return f32x4.add(v, f32x4.add(f32x4.mul(f32x4.abs(v), f32x4.splat(1.2e-7)), f32x4.splat(1e-37)));
}

/** The box of one triangle, at both ends of the motion. */
function fitSlot(d: usize, slot: u32, out: usize): void {
  const corners = load<usize>(d, CORNERS) + (<usize>slot) * 12;
  const ends = load<u32>(d, ENDS);
  let loXY = f64x2.splat(Infinity), loZ = loXY, hiXY = f64x2.splat(-Infinity), hiZ = hiXY;
  for (let k: u32 = 0; k < 3 * ends; k++) {
    const end = d + FIRST_END + (k < 3 ? 0 : END_BYTES);
    const p = ensurePoint(d, end, load<u32>(at(corners, k < 3 ? k : k - 3)));
    const xy = v128.load(p), z = v128.load64_zero(p, 16);
    loXY = f64x2.pmin(loXY, xy), loZ = f64x2.pmin(loZ, z), hiXY = f64x2.pmax(hiXY, xy), hiZ = f64x2.pmax(hiZ, z);
  }
  storeBox(out, roundDown(loXY, loZ), roundUp(hiXY, hiZ));
}

/** Three numbers of a table. */
// @ts-ignore: decorator
@inline
function gather(x: usize, y: usize, z: usize): v128 {
  return v128.load32_lane(z, v128.load32_lane(y, v128.load32_zero(x), 1), 2);
}

/** The box of a node from its handles at one end of the motion. */
function fitHandles(d: usize, node: usize, end: usize, place: usize, out: usize, grow: bool): void {
  const zero = f32x4.splat(0);
  let shift = zero, growth = zero;
  const modeCount = load<u32>(node, 12);
  if (modeCount != 0) {
    const weights = <usize>load<u32>(end, WEIGHTS32);
    let m = <usize>load<u32>(d, MODE_ENTRIES) + (<usize>load<u32>(node, 8)) * MODE_BYTES;
    for (let k: u32 = 0; k < modeCount; k++, m += MODE_BYTES) {
      const q = v128.load32_splat(at(weights, load<u32>(m, 24)));
      shift = f32x4.add(shift, f32x4.mul(q, v128.load(m)));
      growth = f32x4.add(growth, f32x4.mul(f32x4.abs(q), v128.load(m, 12)));
    }
  }
  const handles = <usize>load<u32>(end, HANDLES), tables = <usize>load<u32>(d, TABLES);
  const first = <usize>load<u32>(d, ENTRIES) + (<usize>load<u32>(node)) * ENTRY_BYTES;
  const count = load<u32>(node, 4);
  const support = <usize>load<u32>(d, SUPPORT);
  let up = zero, down = zero, baseUp = zero, baseDown = zero;
  let mostUp = f32x4.splat(-Infinity), mostDown = mostUp, nextUp = mostUp, nextDown = mostUp;
  let e = first, s = support;
  for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
    const m = handles + (<usize>load<u32>(e, 8)) * HANDLE_BYTES, table = tables + <usize>load<u32>(e, 12);
    const origin = v128.load(m, 48);
    up = origin, down = f32x4.neg(origin);
    for (let part: usize = 0; part < 3; part++) {
      const weight = v128.load(m + (part << 4), PARTS), place = m + (part << 2), last = table + LAST_DIRECTION;
      const x = <usize>load<u8>(place, PLACES), y = <usize>load<u8>(place, PLACES + 1), z = <usize>load<u8>(place, PLACES + 2);
      up = f32x4.add(up, f32x4.mul(weight, gather(table + x, table + y, table + z)));
      down = f32x4.add(down, f32x4.mul(weight, gather(last - x, last - y, last - z)));
    }
    if (modeCount != 0) {
      const t0 = v128.load(m), t1 = v128.load(m, 16), t2 = v128.load(m, 32);
      const moved = f32x4.add(
        f32x4.add(
          f32x4.mul(t0, v128.shuffle<i32>(shift, shift, 0, 0, 0, 0)),
          f32x4.mul(t1, v128.shuffle<i32>(shift, shift, 1, 1, 1, 1))),
        f32x4.mul(t2, v128.shuffle<i32>(shift, shift, 2, 2, 2, 2)));
      const grown = f32x4.add(
        f32x4.add(
          f32x4.mul(f32x4.abs(t0), v128.shuffle<i32>(growth, growth, 0, 0, 0, 0)),
          f32x4.mul(f32x4.abs(t1), v128.shuffle<i32>(growth, growth, 1, 1, 1, 1))),
        f32x4.mul(f32x4.abs(t2), v128.shuffle<i32>(growth, growth, 2, 2, 2, 2)));
      up = f32x4.add(up, f32x4.add(grown, moved)), down = f32x4.add(down, f32x4.sub(grown, moved));
    }
    if (count == 1) {
      mostUp = up;
      break;
    }
    v128.store(s, up), v128.store(s, down, 16);
    const low = load<f32>(e);
    const most = f32x4.splat(abs(low));
    baseUp = f32x4.add(baseUp, f32x4.mul(most, low < 0 ? down : up));
    baseDown = f32x4.add(baseDown, f32x4.mul(most, low < 0 ? up : down));
    nextUp = f32x4.pmax(nextUp, f32x4.pmin(mostUp, up)), mostUp = f32x4.pmax(mostUp, up);
    nextDown = f32x4.pmax(nextDown, f32x4.pmin(mostDown, down)), mostDown = f32x4.pmax(mostDown, down);
  }
  if (count > 1) {
    const R = v128.load32_splat(node, 20);
    if (count > 3 && load<u32>(d, MORE_PASSES) != 0) {
      nextUp = lower(first, support, count, nextUp, R);
      nextDown = lower(first, support + 16, count, nextDown, R);
    }
    up = f32x4.mul(nextUp, R), down = f32x4.mul(nextDown, R);
    e = first + 4, s = support;
    for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
      const cap = v128.load32_splat(e);
      up = f32x4.add(up, f32x4.mul(cap, f32x4.pmax(f32x4.sub(v128.load(s), nextUp), zero)));
      down = f32x4.add(down, f32x4.mul(cap, f32x4.pmax(f32x4.sub(v128.load(s, 16), nextDown), zero)));
    }
    up = f32x4.add(up, baseUp), down = f32x4.add(down, baseDown);
  }
  const size = <f64>f32x4.extract_lane(mostUp, 3); // of the largest handle, see placeHandles
  let lo = f32x4.splat(-Infinity), hi = f32x4.splat(Infinity);
  const margin = load<f64>(place, 24);
  if (size >= 0 && size < LARGEST_SIZE && margin < LARGEST_SIZE) {
    const pad = f64x2.splat(<f64>load<f32>(node, 24) * (size + TINY) + margin);
    const xy = v128.load(place), z = v128.load64_zero(place, 16);
    const upZ = v128.shuffle<i32>(up, up, 2, 2, 2, 2), downZ = v128.shuffle<i32>(down, down, 2, 2, 2, 2);
    lo = roundDown(
      f64x2.sub(xy, f64x2.add(f64x2.promote_low_f32x4(down), pad)),
      f64x2.sub(z, f64x2.add(f64x2.promote_low_f32x4(downZ), pad)));
    hi = roundUp(
      f64x2.add(xy, f64x2.add(f64x2.promote_low_f32x4(up), pad)),
      f64x2.add(z, f64x2.add(f64x2.promote_low_f32x4(upZ), pad)));
  }
  if (grow) lo = f32x4.pmin(lo, v128.load(out)), hi = f32x4.pmax(hi, v128.load(out, 12));
  storeBox(out, lo, hi);
}

/**
 * Goes down from the second largest support, per lane, until the caps of those at least as large reach R: there the
 * dual bound is the maximum itself. Any value is sound; four steps get nearly all.
 */
function lower(first: usize, support: usize, count: u32, start: v128, R: v128): v128 {
  let lambda = start;
  for (let pass = 0; pass < 4; pass++) {
    let sum = f32x4.splat(0), next = f32x4.splat(-Infinity);
    let e = first + 4, s = support;
    for (let k: u32 = 0; k < count; k++, e += ENTRY_BYTES, s += 32) {
      const b = v128.load(s);
      const isBelow = f32x4.lt(b, lambda);
      sum = f32x4.add(sum, v128.andnot(v128.load32_splat(e), isBelow));
      next = f32x4.pmax(next, v128.bitselect(b, f32x4.splat(-Infinity), isBelow));
    }
    // Lanes that still have something to distribute, and something to give it to.
    const goesOn = v128.and(f32x4.lt(sum, R), f32x4.gt(next, f32x4.splat(-Infinity)));
    if ((i32x4.bitmask(goesOn) & 7) == 0) break;
    lambda = v128.bitselect(next, lambda, goesOn);
  }
  return lambda;
}

// @ts-ignore: decorator
@inline
function headerOf(d: usize, node: u32): usize {
  return load<usize>(d, NODES) + (<usize>node) * NODE_BYTES;
}

// @ts-ignore: decorator
@inline
function volumeOf(d: usize, node: u32): usize {
  return load<usize>(d, VOLUMES) + (<usize>node) * VOLUME_BYTES;
}

/** The volume of a node, computed now if it was not. */
export function ensure(d: usize, node: u32, depth: u32): usize {
  const volume = volumeOf(d, node);
  if (load<u32>(volume, COMPUTED) != load<u32>(d, FRAME)) fitNode(d, node, volume, depth);
  return volume;
}

/** `depth` is how many calls of this are under way: trees may be deep. */
export function fitNode(d: usize, node: u32, out: usize, depth: u32): void {
  const link = load<u32>(at(load<usize>(d, LINK), node));
  if (link & 0x80000000) fitSlot(d, link & 0x7fffffff, out);
  else {
    const isSmall = node >= load<u32>(d, BOUNDED) || load<u32>(headerOf(d, node), 16) < SMALL_NODE;
    if (isSmall || (depth < DEEPEST && goesOn(d, link))) {
      const a = ensure(d, link, depth + 1), b = ensure(d, link + 1, depth + 1);
      storeBox(out, f32x4.pmin(v128.load(a), v128.load(b)), f32x4.pmax(v128.load(a, 12), v128.load(b, 12)));
    } else {
      store<u32>(d, load<u32>(d, REFITTED) + 1, REFITTED);
      const header = headerOf(d, node);
      fitHandles(d, header, d + FIRST_END, d + FIRST_PLACE, out, false);
      if (load<u32>(d, ENDS) == 2) {
        fitHandles(d, header, d + FIRST_END + END_BYTES, d + FIRST_PLACE + PLACE_BYTES, out, true);
      }
    }
  }
  store<u32>(out, load<u32>(d, FRAME), COMPUTED);
}

/** True when the last pose was looked at further down: children are tighter, and will be needed anyway. */
// @ts-ignore: decorator
@inline
function goesOn(d: usize, child: u32): bool {
  const previous = load<u32>(d, PREVIOUS), volume = volumeOf(d, child);
  return previous != 0 && load<u32>(volume, SEEN) == previous && load<u32>(volume + VOLUME_BYTES, SEEN) == previous;
}
