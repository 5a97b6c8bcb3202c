/**
 * Pairs of nodes that a pose leaves open, of those written down in src/cull/subspace/pair-tree.ts. A pair is out of the
 * question when the gauge is below its radius, or when its plane is between the two nodes: a row of `stride` numbers
 * whose product with the pose is positive then, at the start and at the end. What belongs to pair k is skipped with it.
 *
 * Places of pairs that have no parts go to `out`; returns how many. More than `most` of them, or more than `tests`
 * planes to look at: returns 0xffffffff, and nothing counts.
 */
export function listOpen(
  count: u32, radius: usize, next: usize, planes: usize, stride: u32, start: usize, end: usize,
  gauge: f32, most: u32, tests: u32, out: usize,
): u32 {
  let found: u32 = 0, tested: u32 = 0;
  const bytes = <usize>stride << 2;
  for (let k: u32 = 0; k < count;) {
    const at = <usize>k << 2;
    const after = load<u32>(next + at);
    if (gauge < load<f32>(radius + at)) {
      k = after;
      continue;
    }
    const plane = planes + <usize>k * bytes;
    if (load<f32>(plane) > 0) {
      if (++tested > tests) return 0xffffffff;
      if (product(plane, start, bytes) > 0 && (start == end || product(plane, end, bytes) > 0)) {
        k = after;
        continue;
      }
    }
    if (after == ++k) {
      if (found == most) return 0xffffffff;
      store<u32>(out + (<usize>found << 2), k - 1);
      found++;
    }
  }
  return found;
}

/** In four lanes, each in order. */
// @ts-ignore: decorator
@inline
function product(a: usize, b: usize, bytes: usize): f32 {
  let sum = f32x4.splat(0);
  for (let o: usize = 0; o < bytes; o += 16) sum = f32x4.add(sum, f32x4.mul(v128.load(a + o), v128.load(b + o)));
  return (
    (f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1)) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}
