/*
 * Sine, cosine and arc cosine from + − × ÷, roots and rounding only. Math.sin and Math.acos differ in the last bit between
 * Node and each of the browsers; these give the same bits everywhere, so that shapes, walks and clips have the same poses,
 * and the same contacts, on all platforms.
 * Error below 2 ulp for angles up to 2^20. Kernels and constants: fdlibm.
 */

/** `turns` is the angle divided by 2π; the reduction is exact for any size. */
export function sinTurns(turns: number): number {
  const quarter = Math.round(4 * turns);
  return sinOfQuadrant(quarter, TAU * (turns - quarter / 4));
}

export function cosTurns(turns: number): number {
  const quarter = Math.round(4 * turns);
  return sinOfQuadrant(quarter + 1, TAU * (turns - quarter / 4));
}

export function sin(angle: number): number {
  const quarter = Math.round(angle * TWO_OVER_PI);
  return sinOfQuadrant(quarter, angle - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW);
}

export function cos(angle: number): number {
  const quarter = Math.round(angle * TWO_OVER_PI);
  return sinOfQuadrant(quarter + 1, angle - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW);
}

/** sin(x) / x, 1 at 0. */
export function sinc(x: number): number {
  return Math.abs(x) < 1e-4 ? 1 - (x * x) / 6 : sin(x) / x;
}

/** From 0 to π, for x from −1 to 1; NaN beyond. */
export function acos(x: number): number {
  if (Math.abs(x) < 0.5) return HALF_PI - (x - (HALF_PI_REST - x * arcKernel(x * x)));
  const z = (1 - Math.abs(x)) / 2; // acos x = 2 asin √z
  const root = Math.sqrt(z);
  if (x < 0) return 2 * (HALF_PI - (root + (arcKernel(z) * root - HALF_PI_REST)));
  const high = Math.fround(root); // its square is exact
  const low = root === 0 ? 0 : (z - high * high) / (root + high);
  return 2 * (high + (arcKernel(z) * root + low));
}

/** (1 − cos x) / x, 0 at 0; through the half angle, which cancels nothing. */
export function cosc(x: number): number {
  return sinc(x / 2) * sin(x / 2);
}

const TAU = 6.283185307179586;
const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;
const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_HIGH = 1.5707963267341256; // the first 33 bits of π / 2
const HALF_PI_LOW = 6.077100506506192e-11;

/** sin(quarter · π/2 + r) for |r| ≤ π/4. */
function sinOfQuadrant(quarter: number, r: number): number {
  const quadrant = quarter - 4 * Math.floor(quarter / 4);
  if (quadrant === 0) return sinKernel(r);
  if (quadrant === 1) return cosKernel(r);
  return quadrant === 2 ? -sinKernel(r) : -cosKernel(r);
}

function sinKernel(x: number): number {
  const z = x * x;
  let s = -2.5050760253406863e-8 + z * 1.58969099521155e-10;
  s = 2.7557313707070068e-6 + z * s;
  s = -0.0001984126982985795 + z * s;
  s = 0.00833333333332249 + z * s;
  s = -0.16666666666666632 + z * s;
  return x + x * z * s;
}

function cosKernel(x: number): number {
  const z = x * x;
  let c = 2.087572321298175e-9 + z * -1.1359647557788195e-11;
  c = -2.7557314351390663e-7 + z * c;
  c = 2.480158728947673e-5 + z * c;
  c = -0.001388888888887411 + z * c;
  c = 0.0416666666666666 + z * c;
  return 1 - (0.5 * z - z * z * c);
}

/** asin(x) / x − 1 of z = x² up to a quarter. */
function arcKernel(z: number): number {
  let p = 0.0007915349942898145 + z * 3.479331075960212e-5;
  p = -0.04005553450067941 + z * p;
  p = 0.20121253213486293 + z * p;
  p = -0.3255658186224009 + z * p;
  p = 0.16666666666666666 + z * p;
  let q = -0.6882839716054533 + z * 0.07703815055590194;
  q = 2.0209457602335057 + z * q;
  q = -2.403394911734414 + z * q;
  return (z * p) / (1 + z * q);
}
