/** x, y, z. */
export type Point = readonly [number, number, number];

/**
 * A rounded cone, possibly flattened, or an ellipsoid. Parts melt into one smooth surface. `rows` maps space to
 * the frame in which the part is a rounded cone along +y from the origin.
 */
export interface Part {
  /** The joint it moves with. */
  readonly joint: string;
  readonly centre: Point; // of the frame
  readonly rows: readonly number[]; // 3×3, row-major
  readonly length: number; // of the axis, in the frame
  readonly radii: readonly [number, number]; // at both ends, in the frame
  readonly ball: readonly [number, number, number, number]; // contains the part: centre and radius
  /** How far it melts into what comes before it in its group. */
  readonly blend: number;
  /** Wished edge length, relative to that of the whole. */
  readonly detail: number;
  /** Its smallest radius: edges much longer than this would lose it. */
  readonly thickness: number;
  /** Over which length its skin weights fade. */
  readonly softness: number;
  /** Taken away instead of added. */
  readonly carve: boolean;
}

/** Parts that melt together first and then, as one, into the groups before. */
export interface PartGroup {
  readonly blend: number;
  readonly parts: readonly Part[];
}

/**
 * The zero set of a smooth union of parts above the plane y = 0, negative inside; near it the value is close to
 * the distance. Only + − × ÷ and square roots, so equal bits on every platform.
 */
export class PartSurface {
  readonly partCount: number;
  readonly detail: Float64Array;
  readonly thickness: Float64Array;
  readonly softness: Float64Array;
  readonly joints: readonly string[]; // per part
  readonly bounds: Float64Array; // low corner, high corner

  readonly #parts: Float64Array; // STRIDE each
  readonly #groupEnd: Uint32Array;
  readonly #groupBlend: Float64Array;
  readonly #groupBall: Float64Array; // centre and radius of a ball around the parts, with room for melting
  readonly #local = new Float64Array(4); // value and gradient of one part
  readonly #group = new Float64Array(4);

  constructor(groups: readonly PartGroup[]) {
    const parts = groups.flatMap((group) => group.parts);
    this.partCount = parts.length;
    this.detail = Float64Array.from(parts, (part) => part.detail);
    this.thickness = Float64Array.from(parts, (part) => part.thickness);
    this.softness = Float64Array.from(parts, (part) => part.softness);
    this.joints = parts.map((part) => part.joint);
    this.bounds = boundsOf(parts);
    this.#parts = new Float64Array(STRIDE * parts.length);
    for (const [i, part] of parts.entries()) this.#parts.set(flatten(part), STRIDE * i);
    this.#groupBlend = Float64Array.from(groups, (group) => group.blend);
    this.#groupBall = Float64Array.from(groups.flatMap((group) => ballAround(group.parts)));
    this.#groupEnd = new Uint32Array(groups.length);
    let end = 0;
    for (const [g, group] of groups.entries()) this.#groupEnd[g] = end += group.parts.length;
  }

  /**
   * Value and gradient at a point into out[0 … 3]. With `shares`, also how much each part has to do with the
   * value there: numbers that add up to 1.
   */
  evaluate(x: number, y: number, z: number, out: Float64Array, shares?: Float64Array): void {
    const parts = this.#parts,
      local = this.#local,
      group = this.#group;
    shares?.fill(0);
    setFar(out);
    for (let g = 0, i = 0, first = 0; g < this.#groupEnd.length; g++) {
      if (isBeyond(this.#groupBall, 4 * g, x, y, z, out[0] + this.#groupBlend[g])) {
        first = i = this.#groupEnd[g];
        continue;
      }
      setFar(group);
      for (; i < this.#groupEnd[g]; i++) {
        const o = STRIDE * i;
        const isCarve = parts[o + CARVE] !== 0;
        const limit = (isCarve ? -group[0] : group[0]) + parts[o + BLEND];
        if (isBeyond(parts, o + BALL, x, y, z, limit)) continue; // changes nothing
        evaluatePart(parts, o, x, y, z, local);
        if (isCarve) negate(group);
        const share = melt(group, local, parts[o + BLEND]);
        if (isCarve) negate(group);
        if (shares) {
          shares[i] = 1;
          mixShares(shares, first, i, i + 1, share);
        }
      }
      const share = melt(out, group, this.#groupBlend[g]);
      if (shares) mixShares(shares, 0, first, i, share);
      first = i;
    }
    cutAtFloor(out, y);
  }

  /** Moves a point onto the surface along the gradient. */
  project(p: Float64Array, o: number, steps: number, scratch: Float64Array): void {
    for (let step = 0; step < steps; step++) {
      this.evaluate(p[o], p[o + 1], p[o + 2], scratch);
      const gx = scratch[1],
        gy = scratch[2],
        gz = scratch[3];
      const move = scratch[0] / Math.max(gx * gx + gy * gy + gz * gz, 0.1);
      p[o] -= move * gx;
      p[o + 1] -= move * gy;
      p[o + 2] -= move * gz;
    }
  }
}

const FAR = 1e3;
const FLOOR_BLEND = 0.012;
const STRIDE = 21;
const ROWS = 3,
  LENGTH = 12,
  RADII = 13,
  BALL = 15,
  BLEND = 19,
  CARVE = 20;

function flatten(part: Part): number[] {
  const { centre, rows, length, radii, ball, blend, carve } = part;
  return [...centre, ...rows, length, ...radii, ...ball, blend, carve ? 1 : 0];
}

function boundsOf(parts: readonly Part[]): Float64Array {
  const bounds = new Float64Array([FAR, FAR, FAR, -FAR, -FAR, -FAR]);
  for (const { ball, carve } of parts) {
    if (carve) continue;
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], ball[k] - ball[3]);
      bounds[3 + k] = Math.max(bounds[3 + k], ball[k] + ball[3]);
    }
  }
  return bounds;
}

function ballAround(parts: readonly Part[]): number[] {
  const bounds = boundsOf(parts);
  const centre = [0, 1, 2].map((k) => (bounds[k] + bounds[3 + k]) / 2);
  let radius = 0,
    blend = 0;
  for (const { ball, ...part } of parts) {
    const [x, y, z] = centre.map((c, k) => ball[k] - c);
    if (!part.carve) radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z) + ball[3]);
    blend = Math.max(blend, part.blend);
  }
  return [...centre, radius + blend / 2];
}

/** True when the ball at `o` is at least `limit` away. */
function isBeyond(balls: Float64Array, o: number, x: number, y: number, z: number, limit: number): boolean {
  const dx = x - balls[o],
    dy = y - balls[o + 1],
    dz = z - balls[o + 2];
  const far = Math.max(0, limit + balls[o + 3]);
  return dx * dx + dy * dy + dz * dz >= far * far;
}

/** Signed distance to first order: the rounded cone's in its frame, divided by how its gradient is stretched. */
function evaluatePart(p: Float64Array, o: number, x: number, y: number, z: number, out: Float64Array): void {
  const dx = x - p[o],
    dy = y - p[o + 1],
    dz = z - p[o + 2];
  const r = o + ROWS;
  const u = p[r] * dx + p[r + 1] * dy + p[r + 2] * dz;
  const v = p[r + 3] * dx + p[r + 4] * dy + p[r + 5] * dz;
  const w = p[r + 6] * dx + p[r + 7] * dy + p[r + 8] * dz;
  const length = p[o + LENGTH],
    r1 = p[o + RADII],
    r2 = p[o + RADII + 1];
  const across = Math.sqrt(u * u + w * w) + TINY;
  const slope = length > 0 ? (r1 - r2) / length : 0;
  const side = Math.sqrt(1 - slope * slope);
  const along = side * v - slope * across;

  let value: number, na: number, nv: number; // value, gradient across and along the axis
  if (length === 0 || along <= 0) {
    const d = Math.sqrt(across * across + v * v);
    value = d - r1;
    na = across / d;
    nv = v / d;
  } else if (along >= side * length) {
    const d = Math.sqrt(across * across + (v - length) * (v - length));
    value = d - r2;
    na = across / d;
    nv = (v - length) / d;
  } else {
    value = side * across + slope * v - r1;
    na = side;
    nv = slope;
  }
  const nu = (na * u) / across,
    nw = (na * w) / across;
  const gx = p[r] * nu + p[r + 3] * nv + p[r + 6] * nw;
  const gy = p[r + 1] * nu + p[r + 4] * nv + p[r + 7] * nw;
  const gz = p[r + 2] * nu + p[r + 5] * nv + p[r + 8] * nw;
  const stretch = 1 / Math.sqrt(gx * gx + gy * gy + gz * gz);
  out[0] = value * stretch;
  out[1] = gx * stretch;
  out[2] = gy * stretch;
  out[3] = gz * stretch;
  raiseToBall(p, o + BALL, x, y, z, out);
}

/**
 * The estimate is never above the distance but may be below that to the ball around the part, by which parts are
 * skipped. Taking the larger of the two keeps the value continuous where skipping begins.
 */
function raiseToBall(p: Float64Array, o: number, x: number, y: number, z: number, out: Float64Array): void {
  const dx = x - p[o],
    dy = y - p[o + 1],
    dz = z - p[o + 2];
  const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (d - p[o + 3] <= out[0]) return;
  out[0] = d - p[o + 3];
  out[1] = dx / d;
  out[2] = dy / d;
  out[3] = dz / d;
}

const TINY = 1e-12;

/** Smooth minimum, cubic within `blend`, into `a`. Returns the share of `b` in the result. */
function melt(a: Float64Array, b: Float64Array, blend: number): number {
  const gap = a[0] - b[0];
  const h = blend > 0 ? Math.max(0, 1 - Math.abs(gap) / blend) : 0;
  const minor = (h * h) / 2; // share of the larger value
  const share = gap > 0 ? 1 - minor : minor;
  a[0] = Math.min(a[0], b[0]) - (h * h * h * blend) / 6;
  a[1] += share * (b[1] - a[1]);
  a[2] += share * (b[2] - a[2]);
  a[3] += share * (b[3] - a[3]);
  return share;
}

/** Nothing is near; no trace of what was here before. */
function setFar(a: Float64Array): void {
  a[0] = FAR;
  a[1] = 0;
  a[2] = 0;
  a[3] = 0;
}

function negate(a: Float64Array): void {
  a[0] = -a[0];
  a[1] = -a[1];
  a[2] = -a[2];
  a[3] = -a[3];
}

/** `share` to those in [middle, end), the rest to those in [first, middle). */
function mixShares(shares: Float64Array, first: number, middle: number, end: number, share: number): void {
  for (let i = first; i < middle; i++) shares[i] *= 1 - share;
  for (let i = middle; i < end; i++) shares[i] *= share;
}

/** Smooth maximum with −y: what is below the floor is cut off. */
function cutAtFloor(out: Float64Array, y: number): void {
  const gap = out[0] + y;
  const h = Math.max(0, 1 - Math.abs(gap) / FLOOR_BLEND);
  const minor = (h * h) / 2;
  const share = gap < 0 ? 1 - minor : minor; // of the floor
  out[0] = Math.max(out[0], -y) + (h * h * h * FLOOR_BLEND) / 6;
  out[1] *= 1 - share;
  out[2] += share * (-1 - out[2]);
  out[3] *= 1 - share;
}
