import { acos, sin } from '../algebra/trigonometry.ts';
import type { GltfChannel } from './gltf-scene.ts';

/**
 * The value of a channel at a time, written to `out`. Before the first key and after the last their values hold.
 * The formulas are those of three.js (rotations the short way round, normalised where it normalises), in float64.
 */
export function sampleChannel(channel: GltfChannel, time: number, out: Float64Array, o: number): void {
  const { times, values, size, interpolation } = channel;
  const stride = interpolation === 'CUBICSPLINE' ? 3 * size : size;
  const skip = interpolation === 'CUBICSPLINE' ? size : 0; // over the in-tangent
  const key = Math.max(0, lastKeyAt(times, time));
  if (interpolation === 'STEP' || key === times.length - 1 || time < times[0]) {
    copy(values, key * stride + skip, size, out, o);
    return;
  }
  const step = times[key + 1] - times[key];
  const fraction = (time - times[key]) / step;
  const from = key * stride;
  if (interpolation === 'CUBICSPLINE') {
    cubic(values, from, size, step, fraction, out, o);
    if (channel.path === 'rotation') normalise(out, o);
  } else if (channel.path === 'rotation') {
    slerp(values, from, from + stride, fraction, out, o);
  } else {
    const rest = 1 - fraction;
    for (let i = 0; i < size; i++)
      out[o + i] = values[from + i] * rest + values[from + stride + i] * fraction;
  }
}

/** The last key not after `time`; −1 when all are. */
function lastKeyAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function copy(values: Float64Array, from: number, size: number, out: Float64Array, o: number): void {
  for (let i = 0; i < size; i++) out[o + i] = values[from + i];
}

/** Hermite; keys are in-tangent, value, out-tangent. glTF 2.0, Appendix C.5. */
function cubic(
  values: Float64Array,
  from: number,
  size: number,
  step: number,
  p: number,
  out: Float64Array,
  o: number,
): void {
  const pp = p * p;
  const ppp = pp * p;
  const s2 = -2 * ppp + 3 * pp;
  const s3 = ppp - pp;
  const s0 = 1 - s2;
  const s1 = s3 - pp + p;
  for (let i = 0; i < size; i++) {
    const v = from + i;
    const p0 = values[v + size];
    const m0 = values[v + 2 * size] * step;
    const m1 = values[v + 3 * size] * step;
    const p1 = values[v + 4 * size];
    out[o + i] = s0 * p0 + s1 * m0 + s2 * p1 + s3 * m1;
  }
}

/** Quaternion.slerpFlat of three.js 0.187, with functions that give the same bits on all platforms. */
function slerp(values: Float64Array, a: number, b: number, t: number, out: Float64Array, o: number): void {
  const x0 = values[a],
    y0 = values[a + 1],
    z0 = values[a + 2],
    w0 = values[a + 3],
    x1 = values[b],
    y1 = values[b + 1],
    z1 = values[b + 2],
    w1 = values[b + 3];
  if (w0 === w1 && x0 === x1 && y0 === y1 && z0 === z1) {
    copy(values, a, 4, out, o);
    return;
  }
  const signed = x0 * x1 + y0 * y1 + z0 * z1 + w0 * w1;
  const side = signed < 0 ? -1 : 1;
  const dot = side * signed;
  let s0 = 1 - t;
  let s1 = t;
  if (dot < 0.9995) {
    const angle = acos(dot);
    const sine = sin(angle);
    s0 = sin(s0 * angle) / sine;
    s1 = sin(s1 * angle) / sine;
  }
  s1 *= side;
  out[o] = x0 * s0 + x1 * s1;
  out[o + 1] = y0 * s0 + y1 * s1;
  out[o + 2] = z0 * s0 + z1 * s1;
  out[o + 3] = w0 * s0 + w1 * s1;
  if (dot >= 0.9995) normalise(out, o);
}

/** A zero quaternion becomes the identity, as in three.js. */
function normalise(out: Float64Array, o: number): void {
  const length = Math.sqrt(out[o] ** 2 + out[o + 1] ** 2 + out[o + 2] ** 2 + out[o + 3] ** 2);
  if (length === 0) {
    out[o] = out[o + 1] = out[o + 2] = 0;
    out[o + 3] = 1;
    return;
  }
  for (let i = 0; i < 4; i++) out[o + i] /= length;
}
