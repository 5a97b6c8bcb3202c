/*
 * A second opinion on continuous contact by another route than the library's: no Sturm sequences, no gcd,
 * no affine weights. Times are found numerically in fixed point with `BITS` binary places (f from its
 * values at t = 0, 1, 2, 3, split at its critical points, bisected), and at each time the distance of the
 * features is computed.
 *
 * It is exact all the same for small numbers. Coordinates are integers over a common power of two. With
 * integers below 2^k, f has coefficients below 2^(3k + 6), a squared distance at a root of f has a numerator of
 * degree 4 with coefficients below 2^(4k + 10), and by their resultant it is zero or above 2^-(24k + 120).
 * The threshold 2^(-3 bits / 4) is below that (bits = 400 for k ≤ 5, 1400 for k ≤ 30) and far above the errors.
 */

export interface OracleContact {
  readonly touches: boolean;
  /** In fixed point, over 2^bits. */
  readonly time: bigint;
  readonly bits: bigint;
  readonly isCoplanar: boolean;
}

type Vector = readonly [bigint, bigint, bigint];

/** First contact of a vertex and a face or of two edges; see above for the bits that are needed. */
export function oracleContact(
  kind: 'vf' | 'ee',
  start: Float64Array,
  end: Float64Array,
  bits = 400n,
): OracleContact {
  const fixed = new FixedPoint(bits);
  const motion = new Motion(start, end, fixed);
  const volume = cubicThrough([0n, 1n, 2n, 3n].map((t) => determinant(motion.atInteger(t))));
  const isCoplanar = volume.every((c) => c === 0n);
  const times = isCoplanar ? coplanarTimes(kind, motion, fixed) : fixed.unitRoots(volume);
  const distinct = [...times].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const time = distinct.find((t) => touch(kind, motion.at(t), fixed));
  return { touches: time !== undefined, time: time ?? -1n, bits, isCoplanar };
}

/** time ≤ exact ≤ time + 2⁻⁴⁰, up to the oracle's own error. */
export function isTimeWithin(contact: OracleContact, time: number): boolean {
  const { bits } = contact;
  const slack = 1n << (bits / 4n);
  const low = BigInt(time * 2 ** 60) << (bits - 60n); // times have at most 48 places
  return low <= contact.time + slack && contact.time <= low + (1n << (bits - 40n)) + slack;
}

/** Four points on integer lines, x(t) = s + t (e - s), over one power of two. */
class Motion {
  private readonly start: bigint[];
  private readonly end: bigint[];
  private readonly fixed: FixedPoint;

  constructor(start: Float64Array, end: Float64Array, fixed: FixedPoint) {
    let scale = 0;
    for (const x of [...start, ...end]) while (!Number.isInteger(x * 2 ** scale)) scale++;
    this.start = Array.from(start, (x) => BigInt(x * 2 ** scale));
    this.end = Array.from(end, (x) => BigInt(x * 2 ** scale));
    this.fixed = fixed;
  }

  atInteger(t: bigint): Vector[] {
    return toVectors(this.start.map((s, i) => s + t * (this.end[i] - s)));
  }

  /** In fixed point, at a fixed-point time. */
  at(t: bigint): Vector[] {
    const one = 1n << this.fixed.bits;
    return toVectors(this.start.map((s, i) => s * one + t * (this.end[i] - s)));
  }
}

function toVectors(x: readonly bigint[]): Vector[] {
  return [0, 3, 6, 9].map((i) => [x[i], x[i + 1], x[i + 2]] as const);
}

/** Numbers n / 2^bits. */
class FixedPoint {
  readonly bits: bigint;
  /** Below this a number is zero. */
  readonly tiny: bigint;

  constructor(bits: bigint) {
    this.bits = bits;
    this.tiny = 1n << (bits / 4n);
  }

  /** Roots in [0, 1] of an integer polynomial of degree at most 3, not zero; double roots may come twice. */
  unitRoots(c: readonly bigint[]): bigint[] {
    const one = 1n << this.bits;
    const knots = [0n, ...this.criticalPoints(c), one].filter((t) => t >= 0n && t <= one);
    knots.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const values = knots.map((t) => this.evaluate(c, t));
    const roots = knots.filter((_, i) => magnitude(values[i]) < this.tiny);
    for (let i = 0; i + 1 < knots.length; i++) {
      if (magnitude(values[i]) < this.tiny || magnitude(values[i + 1]) < this.tiny) continue; // a root already
      if (values[i] > 0n !== values[i + 1] > 0n)
        roots.push(this.bisect(c, knots[i], knots[i + 1], values[i] > 0n));
    }
    return roots;
  }

  private bisect(c: readonly bigint[], from: bigint, to: bigint, isPositiveBefore: boolean): bigint {
    let low = from;
    let high = to;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (this.evaluate(c, middle) > 0n === isPositiveBefore) low = middle;
      else high = middle;
    }
    return low;
  }

  evaluate(c: readonly bigint[], t: bigint): bigint {
    return c.reduceRight((sum, a) => ((sum * t) >> this.bits) + (a << this.bits), 0n);
  }

  /** Where the derivative of a cubic vanishes: -b ± √(b² - 3ac) over 3a, in the form that does not cancel. */
  private criticalPoints([, c = 0n, b = 0n, a = 0n]: readonly bigint[]): bigint[] {
    if (a === 0n) return b === 0n ? [] : [(-c << this.bits) / (2n * b)];
    const discriminant = b * b - 3n * a * c;
    if (discriminant < 0n) return [];
    const root = squareRoot(discriminant << (2n * this.bits));
    const larger = b > 0n ? -(b << this.bits) - root : -(b << this.bits) + root;
    if (larger === 0n) return [0n];
    return [larger / (3n * a), (c << (2n * this.bits)) / larger];
  }
}

/** Coefficients (times 6) of the cubic with these values at 0, 1, 2, 3: Newton's forward differences. */
function cubicThrough([f0, f1, f2, f3]: readonly bigint[]): bigint[] {
  const d1 = f1 - f0;
  const d2 = f2 - 2n * f1 + f0;
  const d3 = f3 - 3n * f2 + 3n * f1 - f0;
  return [6n * f0, 6n * d1 - 3n * d2 + 2n * d3, 3n * d2 - 3n * d3, d3];
}

/**
 * Coplanar throughout: contact begins at the start or where a corner of one feature comes onto an edge of
 * the other, that is where it is collinear with the edge or, if it always is, passes one of its ends.
 */
function coplanarTimes(kind: 'vf' | 'ee', motion: Motion, fixed: FixedPoint): bigint[] {
  const times = [0n];
  for (const [p, a, b] of cornersAndEdges(kind)) {
    const samples = [0n, 1n, 2n, 3n].map((t) => {
      const x = motion.atInteger(t);
      return [...cross(minus(x[p], x[a]), minus(x[b], x[a])), dot(minus(x[p], x[a]), minus(x[p], x[b]))];
    });
    for (let i = 0; i < 4; i++) {
      const polynomial = cubicThrough(samples.map((s) => s[i]));
      if (polynomial.some((c) => c !== 0n)) times.push(...fixed.unitRoots(polynomial));
    }
  }
  return times;
}

function cornersAndEdges(kind: 'vf' | 'ee'): [number, number, number][] {
  return kind === 'vf'
    ? [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 1],
      ]
    : [
        [0, 2, 3],
        [1, 2, 3],
        [2, 0, 1],
        [3, 0, 1],
      ];
}

/** Whether features with coplanar points touch: a corner on an edge, or one strictly across the other. */
function touch(kind: 'vf' | 'ee', x: readonly Vector[], fixed: FixedPoint): boolean {
  if (cornersAndEdges(kind).some(([p, a, b]) => isOnSegment(x[p], x[a], x[b], fixed))) return true;
  const zero = fixed.tiny << (3n * fixed.bits); // below it, `side` is zero: it has four times the places
  const [a, b, c, d] = x;
  const side = (n: Vector, q: Vector, r: Vector, p: Vector) => dot(n, cross(minus(r, q), minus(p, q)));
  if (kind === 'vf') {
    const n = cross(minus(c, b), minus(d, b));
    return side(n, b, c, a) > zero && side(n, c, d, a) > zero && side(n, d, b, a) > zero;
  }
  const n = cross(minus(b, a), minus(d, c));
  const isAcross = (p: bigint, q: bigint) => (p > zero && q < -zero) || (p < -zero && q > zero);
  return isAcross(side(n, a, b, c), side(n, a, b, d)) && isAcross(side(n, c, d, a), side(n, c, d, b));
}

/** Squared distance below the threshold; all in fixed point. */
function isOnSegment(p: Vector, a: Vector, b: Vector, { bits, tiny }: FixedPoint): boolean {
  const edge = minus(b, a);
  const length2 = dot(edge, edge) >> bits;
  const along = dot(edge, minus(p, a)) >> bits;
  const threshold = tiny << bits; // dot() of two fixed-point vectors has twice the places
  if (length2 < tiny || along <= 0n) return dot(minus(p, a), minus(p, a)) < threshold;
  if (along >= length2) return dot(minus(p, b), minus(p, b)) < threshold;
  const nearest = a.map((x, i) => x + (edge[i] * along) / length2) as unknown as Vector;
  return dot(minus(p, nearest), minus(p, nearest)) < threshold;
}

function determinant([a, b, c, d]: readonly Vector[]): bigint {
  return dot(minus(b, a), cross(minus(c, a), minus(d, a)));
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function magnitude(n: bigint): bigint {
  return n < 0n ? -n : n;
}

/** ⌊√n⌋ by Newton's method from above. */
function squareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}
