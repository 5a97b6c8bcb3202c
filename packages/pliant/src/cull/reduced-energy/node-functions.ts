import type { BlendPoints } from '../blend-points.ts';

/** Roundings of one value and of the sum it is part of, relative to their sizes. */
const ERROR = 2 ** -51;

/**
 * The functions φ that move the points under one node, loaded for one node after the other: x = Y(pose) φ, where Y has
 * three rows and a column per function (CERTIFICATES §4). Columns, in this order:
 *
 * - per active handle j: w_j (v − c), three of them, with the columns of A_j; and w_j R with (T_j c − s) / R, unless
 *   nothing is skinned. c and R are the centre and the size of the node, s is any vector: weights add up to 1, with the
 *   phantom, so it moves everything alike.
 * - per handle and mode that has a displacement there: w_j d_m, three of them, with q_m times the columns of A_j.
 *
 * At rest Y₀ has A = I and T c = s; the phantom has A = 0 and T = 0 always. Without a skin there is one handle that
 * never moves.
 */
export class NodeFunctions {
  pointCount = 0;
  triangleCount = 0;
  /** k. */
  functionCount = 0;
  corners = new Uint32Array(0); // local points per triangle
  points: number[] = []; // of the body
  positions = new Float64Array(0); // X − c at rest, 3 per point
  values = new Float64Array(0); // k per point, less their mean
  /** Per function: the largest value before the mean was taken off. */
  sizes = new Float64Array(0);
  readonly centre = new Float64Array(3);
  /** R. */
  radius = 0;
  readonly handles: number[] = [];
  readonly means: number[] = []; // of the weights
  readonly blockHandle: number[] = []; // by its place in `handles`
  readonly blockMode: number[] = [];
  /** Columns per handle: 3 or 4. */
  readonly width: 3 | 4;

  readonly #source: BlendPoints;
  readonly #rest: Float64Array;
  readonly #localPoint: Int32Array;
  readonly #localHandle: Int32Array;
  readonly #localBlock = new Map<number, number>();
  readonly #firstWeight: Uint32Array;
  readonly #handle: Uint32Array;
  readonly #weight: Float64Array;

  /** `rest`: where the points are when all handles are the identity, see `restOf`. */
  constructor(source: BlendPoints, rest: Float64Array) {
    this.#source = source;
    this.#rest = rest;
    this.#localPoint = new Int32Array(rest.length / 3).fill(-1);
    this.#localHandle = new Int32Array(source.phantom + 1).fill(-1);
    this.width = source.hasSkin ? 4 : 3;
    const { hasSkin, firstWeight, handle, weight } = source;
    this.#firstWeight = hasSkin
      ? firstWeight
      : Uint32Array.from({ length: rest.length / 3 + 1 }, (_, p) => p);
    this.#handle = hasSkin ? handle : new Uint32Array(rest.length / 3);
    this.#weight = hasSkin ? weight : new Float64Array(rest.length / 3).fill(1);
  }

  /** Slots [first, first + count). False when there are more functions than `most`, or fewer points for each than `least`. */
  load(first: number, count: number, most: number, least: number): boolean {
    this.#loadPoints(first, count);
    this.#findColumns();
    this.functionCount = this.width * this.handles.length + 3 * this.blockMode.length;
    const isWorthIt = this.functionCount <= most && this.pointCount >= least * this.functionCount;
    if (isWorthIt) this.#fillValues();
    for (const p of this.points) this.#localPoint[p] = -1;
    for (const h of this.handles) this.#localHandle[h] = -1;
    return isWorthIt;
  }

  /** Of a value of function f, as it stands in `values`. */
  errorOf(f: number): number {
    return ERROR * (this.#source.mostTerms + 4) * this.sizes[f];
  }

  #loadPoints(first: number, count: number): void {
    const { corners } = this.#source;
    const rest = this.#rest;
    const points = (this.points = []) as number[];
    this.triangleCount = count;
    if (this.corners.length < 3 * count) this.corners = new Uint32Array(3 * count);
    for (let c = 0; c < 3 * count; c++) {
      const p = corners[3 * first + c];
      if (this.#localPoint[p] < 0) this.#localPoint[p] = points.push(p) - 1;
      this.corners[c] = this.#localPoint[p];
    }
    this.pointCount = points.length;
    if (this.positions.length < 3 * points.length) this.positions = new Float64Array(3 * points.length);
    const { centre, positions } = this;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (const p of points) sum += rest[3 * p + k];
      centre[k] = sum / points.length;
    }
    let squares = 0;
    for (let i = 0; i < points.length; i++) {
      for (let k = 0; k < 3; k++) {
        const x = (positions[3 * i + k] = rest[3 * points[i] + k] - centre[k]);
        squares += x * x;
      }
    }
    this.radius = Math.sqrt(squares / points.length) || 1;
  }

  #findColumns(): void {
    const { firstMode, mode } = this.#source;
    const { handles, means, blockHandle, blockMode } = this;
    handles.length = means.length = blockHandle.length = blockMode.length = 0;
    const blocks = this.#localBlock;
    blocks.clear();
    for (const p of this.points) {
      for (let k = this.#firstWeight[p]; k < this.#firstWeight[p + 1]; k++) {
        const h = this.#handle[k];
        if (this.#localHandle[h] < 0) {
          this.#localHandle[h] = handles.push(h) - 1;
          means.push(0);
        }
        const e = this.#localHandle[h];
        means[e] += this.#weight[k] / this.pointCount;
        if (this.#isPhantom(h)) continue;
        for (let m = firstMode[p]; m < firstMode[p + 1]; m++) {
          const key = e * this.#source.modeCount + mode[m];
          if (blocks.has(key)) continue;
          blocks.set(key, blockMode.push(mode[m]) - 1);
          blockHandle.push(e);
        }
      }
    }
  }

  #isPhantom(handle: number): boolean {
    return this.#source.hasSkin && handle === this.#source.phantom;
  }

  #fillValues(): void {
    const { firstMode, mode, displacement, rest } = this.#source;
    const { pointCount: n, functionCount: k, width, centre, radius, points } = this;
    if (this.values.length < n * k) this.values = new Float64Array(n * k);
    const values = this.values.fill(0, 0, n * k);
    const firstBlock = width * this.handles.length;
    for (let i = 0; i < n; i++) {
      const p = points[i],
        o = i * k;
      for (let j = this.#firstWeight[p]; j < this.#firstWeight[p + 1]; j++) {
        const w = this.#weight[j],
          e = this.#localHandle[this.#handle[j]];
        for (let a = 0; a < 3; a++) values[o + width * e + a] += w * (rest[3 * p + a] - centre[a]);
        if (width === 4) values[o + 4 * e + 3] += w * radius;
        if (this.#isPhantom(this.#handle[j])) continue;
        for (let m = firstMode[p]; m < firstMode[p + 1]; m++) {
          const block = firstBlock + 3 * this.#localBlock.get(e * this.#source.modeCount + mode[m])!;
          for (let a = 0; a < 3; a++) values[o + block + a] += w * displacement[3 * m + a];
        }
      }
    }
    this.#centreValues();
  }

  #centreValues(): void {
    const { pointCount: n, functionCount: k, values } = this;
    if (this.sizes.length < k) this.sizes = new Float64Array(k);
    for (let f = 0; f < k; f++) {
      let sum = 0,
        size = 0;
      for (let o = f; o < n * k; o += k) {
        sum += values[o];
        size = Math.max(size, Math.abs(values[o]));
      }
      this.sizes[f] = size;
      for (let o = f; o < n * k; o += k) values[o] -= sum / n;
    }
  }

  /** Writes Y₀, column by column. */
  writeRest(out: Float64Array): void {
    const { functionCount: k, width, handles, centre, radius } = this;
    out.fill(0, 0, 3 * k);
    handles.forEach((handle, e) => {
      for (let a = 0; a < 3; a++) {
        if (!this.#isPhantom(handle)) out[3 * (width * e + a) + a] = 1;
        else out[3 * (4 * e + 3) + a] = -centre[a] / radius;
      }
    });
  }
}

/** Where points are when all handles are the identity and no mode acts: (Σ w) v, or v where weights add up to 1. */
export function restOf({ rest, hasSkin, phantom, firstWeight, handle, weight }: BlendPoints): Float64Array {
  if (!hasSkin) return rest;
  const moved = rest.slice();
  for (let p = 0; p < rest.length / 3; p++) {
    for (let k = firstWeight[p]; k < firstWeight[p + 1]; k++) {
      if (handle[k] !== phantom) continue;
      for (let a = 0; a < 3; a++) moved[3 * p + a] -= weight[k] * rest[3 * p + a];
    }
  }
  return moved;
}
