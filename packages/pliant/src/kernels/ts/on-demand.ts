import { LEAF, SLOT } from '../kernels.ts';
import { morphPoints, skinPoints, transformPoints } from './deform.ts';
import { END, PLACE, SIDE, type Views, VOLUME } from './handle-block.ts';
import { fitHandles, roundDown, roundUp } from './handle-boxes.ts';

/** Operation order: that of kernels/on-demand.ts. Sides and boxes are named by word. */
const { fround } = Math;
const SMALL_NODE = 4;
const DEEPEST = 48;

/** Where the volume of a node is, computed now if it was not. */
export function ensureBox(views: Views, d: number, node: number, depth = 0): number {
  const { u32 } = views;
  const volume = (u32[d + SIDE.volumes] >>> 2) + VOLUME.words * node;
  if (u32[volume + VOLUME.computed] !== u32[d + SIDE.frame]) fitNode(views, d, node, volume, depth);
  return volume;
}

export function testBoxes(views: Views, a: number, n: number, b: number, m: number): number {
  const box = ensureBox(views, a, n);
  return overlap(views.f32, box, ensureBox(views, b, m)) ? 1 : 0;
}

export function descendOnDemand(
  views: Views,
  a: number,
  b: number,
  stack: number,
  depth: number,
  leaves: number,
  room: number,
  steps: number,
  self: number,
  counts: number,
): void {
  const { u32, f32 } = views;
  let top = stack + 2 * depth,
    leaf = leaves,
    tests = 0;
  const last = leaves + 2 * room;
  const linksA = u32[a + SIDE.link] >>> 2,
    linksB = u32[b + SIDE.link] >>> 2;
  const volumesA = u32[a + SIDE.volumes] >>> 2,
    volumesB = u32[b + SIDE.volumes] >>> 2;
  for (let left = steps; left > 0 && top > stack && leaf < last; left--) {
    top -= 2;
    const n = u32[top],
      m = u32[top + 1];
    const linkA = u32[linksA + n],
      linkB = u32[linksB + m];
    if (self !== 0 && n === m) {
      if (linkA >= LEAF) continue;
      u32[top] = u32[top + 1] = linkA + 1;
      u32[top + 2] = u32[top + 3] = linkA;
      u32[top + 4] = linkA;
      u32[top + 5] = linkA + 1;
      const first = look(views, a, linkA),
        second = look(views, a, linkA + 1);
      top += overlap(f32, first, second) ? 6 : 4;
      tests++;
      continue;
    }
    if (linkA >= LEAF && linkB >= LEAF) {
      u32[leaf] = n;
      u32[leaf + 1] = m;
      leaf += 2;
      continue;
    }
    tests += 2;
    const boxA = volumesA + VOLUME.words * n,
      boxB = volumesB + VOLUME.words * m;
    if (linkB >= LEAF || (linkA < LEAF && extent(f32, boxA) >= extent(f32, boxB))) {
      const first = look(views, a, linkA),
        second = look(views, a, linkA + 1);
      const turn = shared(f32, first, boxB) > shared(f32, second, boxB) ? 1 : 0; // the deeper one on top
      u32[top] = linkA + turn;
      u32[top + 1] = m;
      if (overlap(f32, turn === 1 ? second : first, boxB)) top += 2;
      u32[top] = linkA + 1 - turn;
      u32[top + 1] = m;
      if (overlap(f32, turn === 1 ? first : second, boxB)) top += 2;
    } else {
      const first = look(views, b, linkB),
        second = look(views, b, linkB + 1);
      const turn = shared(f32, first, boxA) > shared(f32, second, boxA) ? 1 : 0;
      u32[top] = n;
      u32[top + 1] = linkB + turn;
      if (overlap(f32, turn === 1 ? second : first, boxA)) top += 2;
      u32[top] = n;
      u32[top + 1] = linkB + 1 - turn;
      if (overlap(f32, turn === 1 ? first : second, boxA)) top += 2;
    }
  }
  u32[counts] = (top - stack) >>> 1;
  u32[counts + 1] = (leaf - leaves) >>> 1;
  u32[counts + 2] = tests;
}

/** `depth` is how many calls of this are under way: trees may be deep. */
function fitNode(views: Views, d: number, node: number, out: number, depth: number): void {
  const { u32, f32 } = views;
  const link = u32[(u32[d + SIDE.link] >>> 2) + node];
  const header = (u32[d + SIDE.nodes] >>> 2) + 8 * node;
  if (link >= LEAF) fitSlot(views, d, link & SLOT, out);
  else if (
    node >= u32[d + SIDE.bounded] ||
    u32[header + 4] < SMALL_NODE ||
    (depth < DEEPEST && goesOn(u32, d, link))
  ) {
    const a = ensureBox(views, d, link, depth + 1),
      b = ensureBox(views, d, link + 1, depth + 1);
    for (let k = 0; k < 3; k++) {
      f32[out + k] = least(f32[a + k], f32[b + k]);
      f32[out + 3 + k] = most(f32[a + 3 + k], f32[b + 3 + k]);
    }
  } else {
    u32[d + SIDE.refitted]++;
    const place = (d + SIDE.place) >>> 1;
    fitHandles(views, d, header, d + SIDE.end, place, out, false);
    if (u32[d + SIDE.ends] === 2) {
      fitHandles(views, d, header, d + SIDE.end + END.words, place + PLACE.numbers, out, true);
    }
  }
  u32[out + VOLUME.computed] = u32[d + SIDE.frame];
}

/** True when the last pose was looked at further down: children are tighter, and will be needed anyway. */
function goesOn(u32: Uint32Array, d: number, child: number): boolean {
  const previous = u32[d + SIDE.previous],
    seen = (u32[d + SIDE.volumes] >>> 2) + VOLUME.words * child + VOLUME.seen;
  return previous !== 0 && u32[seen] === previous && u32[seen + VOLUME.words] === previous;
}

/** The volume of a node that the traversal looks at. */
function look(views: Views, d: number, node: number): number {
  const volume = ensureBox(views, d, node);
  views.u32[volume + VOLUME.seen] = views.u32[d + SIDE.frame];
  return volume;
}

/** How much two boxes have in common: the extent of the box that is in both. */
function shared(f32: Float32Array, a: number, b: number): number {
  const x = fround(least(f32[a + 3], f32[b + 3]) - most(f32[a], f32[b])),
    y = fround(least(f32[a + 4], f32[b + 4]) - most(f32[a + 1], f32[b + 1])),
    z = fround(least(f32[a + 5], f32[b + 5]) - most(f32[a + 2], f32[b + 2]));
  return fround(fround(x + y) + z);
}

function extent(f32: Float32Array, box: number): number {
  const x = fround(f32[box + 3] - f32[box]),
    y = fround(f32[box + 4] - f32[box + 1]),
    z = fround(f32[box + 5] - f32[box + 2]);
  return fround(fround(x + y) + z);
}

/** The box of one triangle, at both ends of the motion. */
function fitSlot(views: Views, d: number, slot: number, out: number): void {
  const { u32, f32, f64 } = views;
  const corners = (u32[d + SIDE.corners] >>> 2) + 3 * slot;
  let lx = Infinity,
    ly = Infinity,
    lz = Infinity,
    hx = -Infinity,
    hy = -Infinity,
    hz = -Infinity;
  for (let e = 0, end = d + SIDE.end; e < u32[d + SIDE.ends]; e++, end += END.words) {
    for (let c = corners; c < corners + 3; c++) {
      const p = ensurePoint(views, d, end, u32[c]);
      lx = least(lx, f64[p]);
      ly = least(ly, f64[p + 1]);
      lz = least(lz, f64[p + 2]);
      hx = most(hx, f64[p]);
      hy = most(hy, f64[p + 1]);
      hz = most(hz, f64[p + 2]);
    }
  }
  f32[out] = roundDown(lx);
  f32[out + 1] = roundDown(ly);
  f32[out + 2] = roundDown(lz);
  f32[out + 3] = roundUp(hx);
  f32[out + 4] = roundUp(hy);
  f32[out + 5] = roundUp(hz);
}

/** Where a point is at one end of the motion, evaluated now if it was not. */
export function ensurePoint(views: Views, d: number, end: number, point: number): number {
  const { u32, f64 } = views;
  if (u32[end + END.placed] === 0) return ensureLocal(views, d, end, point);
  const out = (u32[end + END.placed] >>> 3) + 3 * point;
  if (u32[end + END.placedStamps] === 0) return out;
  const stamp = (u32[end + END.placedStamps] >>> 2) + point,
    epoch = u32[end + END.placedEpoch];
  if (u32[stamp] === epoch) return out;
  u32[stamp] = epoch;
  transformPoints(f64, ensureLocal(views, d, end, point), 1, u32[end + END.world] >>> 3, out);
  u32[d + SIDE.evaluated]++;
  return out;
}

function ensureLocal(views: Views, d: number, end: number, point: number): number {
  const { u32, f64 } = views;
  const out = (u32[end + END.local] >>> 3) + 3 * point;
  if (u32[end + END.localStamps] === 0) return out;
  const stamp = (u32[end + END.localStamps] >>> 2) + point,
    epoch = u32[end + END.localEpoch];
  if (u32[stamp] === epoch) return out;
  u32[stamp] = epoch;
  let from = (u32[d + SIDE.rest] >>> 3) + 3 * point;
  const modes = u32[d + SIDE.modes],
    skin = u32[d + SIDE.skin];
  if (modes !== 0) {
    const index = u32[d + SIDE.modes + 1] >>> 2,
      value = u32[d + SIDE.modes + 2] >>> 3;
    morphPoints(f64, u32, from, 1, (modes >>> 2) + point, index, value, u32[end + END.weights] >>> 3, out);
    from = out;
  }
  if (skin !== 0) {
    const index = u32[d + SIDE.skin + 1] >>> 2,
      value = u32[d + SIDE.skin + 2] >>> 3;
    skinPoints(f64, u32, from, 1, (skin >>> 2) + point, index, value, u32[end + END.matrices] >>> 3, out);
  }
  u32[d + SIDE.evaluated]++;
  return out;
}

/** The first of two equal ones, as in the wasm twin: 0 and −0 are equal. */
export function least(a: number, b: number): number {
  return b < a ? b : a;
}

export function most(a: number, b: number): number {
  return a < b ? b : a;
}

function overlap(f32: Float32Array, a: number, b: number): boolean {
  return !(
    f32[a + 3] < f32[b] ||
    f32[b + 3] < f32[a] ||
    f32[a + 4] < f32[b + 1] ||
    f32[b + 4] < f32[a + 1] ||
    f32[a + 5] < f32[b + 2] ||
    f32[b + 5] < f32[a + 2]
  );
}
