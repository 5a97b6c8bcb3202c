/** See kernels/polygon.ts. Addresses are in units of four bytes. */

const CHAIN = 4;
export const LEAST_CORNERS = 12;
const CLOSE = 2 ** -20;
const LEAST_REACH = 1e-8;
const MOST_REACH = 1e14;
const LOST = Math.fround(1e-30);
const FARTHEST = 2 ** 29;
const MOST_CORNERS = 65536;
const { fround } = Math;

export function rowOf(count: number): number {
  return 4 * Math.ceil((count + LEAST_CORNERS) / 4);
}

/** `points` in units of eight bytes. */
export function projectOutline(
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  outline: number,
  count: number,
  points: number,
  x: number,
  y: number,
  z: number,
  out: number,
): number {
  const alongX = Math.abs(x) < 0.6,
    row = rowOf(count);
  let ux = alongX ? 0 : z,
    uy = alongX ? -z : 0,
    uz = alongX ? y : -x;
  const size = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux *= size;
  uy *= size;
  uz *= size;
  const vx = y * uz - z * uy,
    vy = z * ux - x * uz,
    vz = x * uy - y * ux;
  const first = points + (u32[outline] >>> 3);
  const alongU = (p: number) => f64[p] * ux + f64[p + 1] * uy + f64[p + 2] * uz,
    alongV = (p: number) => f64[p] * vx + f64[p + 1] * vy + f64[p + 2] * vz;
  let farX = 0,
    farY = 0;
  for (let k = 0; k < count; k++) {
    const p = points + (u32[outline + k] >>> 3);
    f32[out + k] = alongU(p) - alongU(first);
    f32[out + row + k] = alongV(p) - alongV(first);
    farX = Math.max(farX, Math.abs(f32[out + k]));
    farY = Math.max(farY, Math.abs(f32[out + row + k]));
  }
  for (let k = 0; k < LEAST_CORNERS; k++) {
    f32[out + count + k] = f32[out + k];
    f32[out + row + count + k] = f32[out + row + k];
  }
  const reach = farX + farY;
  const place = Math.abs(f64[first]) + Math.abs(f64[first + 1]) + Math.abs(f64[first + 2]);
  return place < FARTHEST * reach && count < MOST_CORNERS ? reach : NaN;
}

export function isSimple(f32: Float32Array, p: number, q: number, count: number, reach: number): boolean {
  if (count < LEAST_CORNERS || !(reach > LEAST_REACH && reach < MOST_REACH)) return false;
  const polygon = new Polygon(f32, p, q, rowOf(count), fround(reach * CLOSE));
  const chains = Math.ceil(count / CHAIN);
  for (let k = 0; k < chains; k++) {
    const from = k * CHAIN;
    if (polygon.goesOneWay(from, from + 2 * CHAIN)) continue;
    for (let i = from; i < from + CHAIN; i++) {
      if (!polygon.isOpenCorner(i)) return false;
      for (let j = i + 2; j < from + 2 * CHAIN; j++) {
        if (!polygon.areApartBySlabs(i, j) && !polygon.isApart(i, j)) return false;
      }
    }
  }
  for (let k = 0; k + 2 < chains; k++) {
    for (let n = k + 2; n < chains; n++) {
      if (k === 0 && n + 1 === chains) continue;
      const last = Math.min(count, (n + 1) * CHAIN);
      if (polygon.areChainsApart(k * CHAIN, (k + 1) * CHAIN, n * CHAIN, last)) continue;
      for (let i = k * CHAIN; i < (k + 1) * CHAIN; i++) {
        for (let j = n * CHAIN; j < last; j++) if (!polygon.isApart(i, j)) return false;
      }
    }
  }
  return true;
}

class Polygon {
  readonly #f32: Float32Array;
  readonly #ends: readonly [number, number];
  readonly #row: number;
  readonly #close: number;

  constructor(f32: Float32Array, p: number, q: number, row: number, close: number) {
    this.#f32 = f32;
    this.#ends = [p, q];
    this.#row = row;
    this.#close = close;
  }

  goesOneWay(from: number, to: number): boolean {
    const [x, y] = this.#sumOfEnds((end, c) => fround(this.#at(end, to, c) - this.#at(end, from, c)));
    for (let i = from; i < to; i++) if (!this.#goesAhead(i, x, y)) return false;
    return true;
  }

  isOpenCorner(i: number): boolean {
    const unit = (end: number, k: number, c: number) => {
      const x = this.#edge(end, k, 0),
        y = this.#edge(end, k, 1);
      const size = fround(Math.sqrt(fround(fround(x * x) + fround(y * y))));
      return fround((c === 0 ? x : y) * fround(1 / size));
    };
    const ways = [
      this.#sumOfEnds((end, c) => fround(this.#at(end, i + 2, c) - this.#at(end, i, c))),
      this.#sumOfEnds((end, c) => fround(unit(end, i, c) + unit(end, i + 1, c))),
    ];
    return ways.some(([x, y]) => this.#goesAhead(i, x, y) && this.#goesAhead(i + 1, x, y));
  }

  /** By one of the directions x, y, x + y and x − y. */
  areApartBySlabs(i: number, j: number): boolean {
    const slab = (end: number, k: number, d: number) => {
      const [a, b] = [k, k + 1].map((corner) => {
        const x = this.#at(end, corner, 0),
          y = this.#at(end, corner, 1);
        return d === 0 ? x : d === 1 ? y : fround(d === 2 ? x + y : x - y);
      });
      return [fround(Math.min(a, b) - this.#close), fround(Math.max(a, b) + this.#close)];
    };
    const isPast = (k: number, n: number, d: number) =>
      this.#ends.every((end) => slab(end, n, d)[0] > slab(end, k, d)[1]);
    return [0, 1, 2, 3].some((d) => isPast(i, j, d) || isPast(j, i, d));
  }

  /** Edges [i, iEnd) and [j, jEnd), by their boxes. */
  areChainsApart(i: number, iEnd: number, j: number, jEnd: number): boolean {
    const range = (end: number, from: number, to: number, c: number) => {
      const o = end + c * this.#row;
      const corners = this.#f32.subarray(o + from, o + to + 1);
      return [fround(Math.min(...corners) - this.#close), fround(Math.max(...corners) + this.#close)];
    };
    const isPast = (from: number, to: number, otherFrom: number, otherTo: number, c: number) =>
      this.#ends.every((end) => range(end, otherFrom, otherTo, c)[0] > range(end, from, to, c)[1]);
    return [0, 1].some((c) => isPast(i, iEnd, j, jEnd, c) || isPast(j, jEnd, i, iEnd, c));
  }

  isApart(i: number, j: number): boolean {
    if (this.#isAcross(i, j, 1, 0) || this.#isAcross(i, j, 0, 1)) return true;
    return [i, j].some((k) => {
      const [x, y] = this.#sumOfEnds((end, c) => this.#edge(end, k, c));
      return this.#isAcross(i, j, y, -x);
    });
  }

  #isAcross(i: number, j: number, x: number, y: number): boolean {
    const least = fround(fround(fround(2 * this.#close) * fround(Math.abs(x) + Math.abs(y))) + LOST);
    const isPast = (k: number, n: number) =>
      this.#ends.every((end) => {
        const along = (corner: number) =>
          fround(fround(this.#at(end, corner, 0) * x) + fround(this.#at(end, corner, 1) * y));
        const gap = Math.min(along(n), along(n + 1)) - Math.max(along(k), along(k + 1));
        return fround(gap) > least;
      });
    return isPast(i, j) || isPast(j, i);
  }

  #goesAhead(i: number, x: number, y: number): boolean {
    const least = fround(fround(this.#close * fround(Math.abs(x) + Math.abs(y))) + LOST);
    return this.#ends.every(
      (end) => fround(fround(this.#edge(end, i, 0) * x) + fround(this.#edge(end, i, 1) * y)) > least,
    );
  }

  #sumOfEnds(of: (end: number, c: number) => number): [number, number] {
    const [p, q] = this.#ends;
    return [fround(of(p, 0) + of(q, 0)), fround(of(p, 1) + of(q, 1))];
  }

  #edge(end: number, i: number, c: number): number {
    return fround(this.#at(end, i + 1, c) - this.#at(end, i, c));
  }

  #at(end: number, i: number, c: number): number {
    return this.#f32[end + c * this.#row + i];
  }
}
