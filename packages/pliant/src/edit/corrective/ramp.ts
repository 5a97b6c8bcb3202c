/** Keys of a weight that is 1 at a time, and 0 further than `ramp` seconds away: linear between. */
export interface WeightKeys {
  readonly times: Float32Array;
  readonly weights: Float32Array;
}

/**
 * Keys are float32, and the time need not be: the weight is 1 from the last float32 before it to the first one after.
 * None lies after `last`, the last key of the clip, so that the clip does not become longer.
 */
export function rampKeys(time: number, ramp: number, last: number): WeightKeys {
  const end = below(last);
  const low = Math.min(below(time), end),
    high = Math.min(above(time), end);
  const keys = new Map<number, number>();
  const add = (key: number, weight: number) => {
    if (!keys.has(key)) keys.set(key, weight);
  };
  add(low, 1);
  add(high, 1);
  const from = time - ramp,
    to = time + ramp;
  if (from > 0) add(below(from), 0);
  else add(0, 1 - time / ramp);
  if (to < end) add(above(to), 0);
  else add(end, Math.max(0, 1 - (end - time) / ramp));
  const sorted = [...keys].sort(([a], [b]) => a - b);
  return {
    times: Float32Array.from(sorted, ([key]) => key),
    weights: Float32Array.from(sorted, ([, weight]) => weight),
  };
}

/** The largest float32 that is not above x, which is 0 or more. */
function below(x: number): number {
  const near = Math.fround(x);
  return near <= x ? near : neighbour(near, -1);
}

function above(x: number): number {
  const near = Math.fround(x);
  return near >= x ? near : neighbour(near, 1);
}

function neighbour(x: number, way: 1 | -1): number {
  const bits = new Uint32Array(Float32Array.of(x).buffer);
  bits[0] += way;
  return new Float32Array(bits.buffer)[0];
}
