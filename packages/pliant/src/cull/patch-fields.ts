import type { BlendPoints } from './blend-points.ts';

/** Roundings of one field value, of its fit and of the weights behind it, relative to their sizes. */
const ERROR = 2 ** -46;
/**
 * How little a patch has to extend in a direction, relative to the others, for gradients along it to be held back.
 * Without, a flat patch gets huge ones across, which explain nothing and make B' singular.
 */
const RIDGE = 1e-3;
/** Height of a patch over its radius below which it counts as flat. */
const FLAT = 0.3;
const POWER_STEPS = 12;

/**
 * The fields whose differences make a patch deviate from an affine map, loaded for one patch after the other. With
 * an anchor c, means w̄_j and any E, e, for weights that add up to 1 (BOUNDS §7, with the means folded in):
 *
 *     x − e = E (v − c) + Σ_j (D_j w_j (v − c) + τ_j w_j) + Σ_m q_m (E d_m + Σ_j D_j w_j d_m)
 *     D_j = A_j − E,  τ_j = T_j c − e,  w_j = w̄_j + ŵ_j
 *
 * so the fields are ŵ_j, ŵ_j (v − c), d_m and ŵ_j d_m. Each of the first three has a linear fit, a gradient per
 * component that is removed from it; what is left is in `values`. For the products, which would be many, there are
 * ŵ_j and d_m once more as they are, with their sizes: corners differ by |ŵ| ‖Δd‖ + ‖d‖ |Δŵ| at most. A field that
 * is 0 throughout has no group.
 */
export class PatchFields {
  /** Of the patch: its points, relative to the anchor. */
  pointCount = 0;
  positions = new Float64Array(0);
  readonly centre = new Float64Array(3);
  radius = 0;
  /** Local points per triangle. */
  triangleCount = 0;
  corners = new Uint32Array(0);

  readonly handles: number[] = [];
  readonly modes: number[] = [];
  means = new Float64Array(0); // per handle
  /**
   * Per handle: the group of ŵ_j, followed by that of ŵ_j (v − c) and, where there are modes, by the plain ŵ_j; −1 for
   * a handle with one weight throughout.
   */
  handleGroup = new Int32Array(0);
  handleSize = new Float64Array(0); // the largest |ŵ_j|
  /** Per mode: the group of d_m, followed by the plain d_m. */
  modeGroup = new Int32Array(0);
  modeSize = new Float64Array(0); // the largest ‖d_m‖

  groupCount = 0;
  groupStart = new Uint32Array(0); // first component
  groupSize = new Uint32Array(0); // 1 or 3 components
  groupError = new Float64Array(0); // of a value, by rounding
  groupIsPlain = new Uint8Array(0); // 1: it is about differences of corners; nothing may be taken out
  /** A direction across a patch that is nearly flat, and the group of n · (v − c); −1 for other patches. */
  readonly normal = new Float32Array(3);
  normalGroup = -1;
  componentCount = 0;
  values = new Float64Array(0); // per point, all components
  gradients = new Float32Array(0); // 3 per component: the fits

  readonly #source: BlendPoints;
  readonly #localPoint: Int32Array;
  readonly #localHandle: Int32Array;
  readonly #localMode: Int32Array;
  readonly #points: number[] = [];
  #weights = new Float64Array(0); // per point and handle
  #displacements = new Float64Array(0); // 3 per point and mode
  readonly #inverse = new Float64Array(6); // of the spread of the points: xx, xy, xz, yy, yz, zz
  #hasSpread = false;

  constructor(source: BlendPoints) {
    this.#source = source;
    this.#localPoint = new Int32Array(source.rest.length / 3).fill(-1);
    this.#localHandle = new Int32Array(source.phantom + 1).fill(-1);
    this.#localMode = new Int32Array(source.modeCount).fill(-1);
  }

  /** The patch of slots [first, first + count). False when its fields have more than `most` values: nothing is loaded. */
  load(first: number, count: number, most = Infinity): boolean {
    this.#loadPoints(first, count);
    this.#listHandles();
    this.#listModes();
    if ((5 * this.handles.length + 6 * this.modes.length + 1) * this.pointCount > most) {
      this.#forget();
      return false;
    }
    this.#loadWeights();
    this.#loadModes();
    this.#setSpread();
    this.#layOut();
    this.#fillValues();
    this.#removeFits();
    this.#forget();
    return true;
  }

  #loadPoints(first: number, count: number): void {
    const { corners, rest } = this.#source;
    const points = this.#points;
    points.length = 0;
    this.triangleCount = count;
    this.corners = reserve(this.corners, 3 * count, Uint32Array);
    for (let c = 0; c < 3 * count; c++) {
      const p = corners[3 * first + c];
      if (this.#localPoint[p] < 0) {
        this.#localPoint[p] = points.length;
        points.push(p);
      }
      this.corners[c] = this.#localPoint[p];
    }
    this.pointCount = points.length;
    this.positions = reserve(this.positions, 3 * points.length, Float64Array);
    const { centre, positions } = this;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (const p of points) sum += rest[3 * p + k];
      centre[k] = sum / points.length;
    }
    let square = 0;
    for (let i = 0; i < points.length; i++) {
      const p = 3 * points[i];
      const x = (positions[3 * i] = rest[p] - centre[0]),
        y = (positions[3 * i + 1] = rest[p + 1] - centre[1]),
        z = (positions[3 * i + 2] = rest[p + 2] - centre[2]);
      square = Math.max(square, x * x + y * y + z * z);
    }
    this.radius = Math.sqrt(square) * (1 + 2 ** -50);
  }

  #listHandles(): void {
    const { firstWeight, handle } = this.#source;
    const { handles } = this;
    const local = this.#localHandle;
    handles.length = 0;
    for (const p of this.#points) {
      for (let k = firstWeight[p]; k < firstWeight[p + 1]; k++) {
        if (local[handle[k]] >= 0) continue;
        local[handle[k]] = handles.length;
        handles.push(handle[k]);
      }
    }
  }

  #listModes(): void {
    const { firstMode, mode } = this.#source;
    const { modes } = this;
    const local = this.#localMode;
    modes.length = 0;
    for (const p of this.#points) {
      for (let k = firstMode[p]; k < firstMode[p + 1]; k++) {
        if (local[mode[k]] >= 0) continue;
        local[mode[k]] = modes.length;
        modes.push(mode[k]);
      }
    }
  }

  /** Weights, and their means: exactly the common value where there is one. */
  #loadWeights(): void {
    const { firstWeight, handle, weight } = this.#source;
    const { handles, pointCount } = this;
    const local = this.#localHandle;
    const H = handles.length;
    this.#weights = reserve(this.#weights, H * pointCount, Float64Array).fill(0, 0, H * pointCount);
    const weights = this.#weights;
    for (let i = 0; i < pointCount; i++) {
      const p = this.#points[i];
      for (let k = firstWeight[p]; k < firstWeight[p + 1]; k++) weights[H * i + local[handle[k]]] = weight[k];
    }
    this.means = reserve(this.means, H, Float64Array);
    this.handleGroup = reserve(this.handleGroup, H, Int32Array);
    for (let h = 0; h < H; h++) {
      let sum = 0,
        isConstant = true;
      for (let o = h; o < H * pointCount; o += H) {
        sum += weights[o];
        isConstant &&= weights[o] === weights[h];
      }
      this.means[h] = isConstant ? weights[h] : sum / pointCount;
      this.handleGroup[h] = isConstant ? -1 : 0;
    }
  }

  #loadModes(): void {
    const { firstMode, mode, displacement } = this.#source;
    const { modes, pointCount } = this;
    const local = this.#localMode;
    const M = modes.length;
    const length = 3 * M * pointCount;
    this.#displacements = reserve(this.#displacements, length, Float64Array).fill(0, 0, length);
    for (let i = 0; i < pointCount; i++) {
      const p = this.#points[i];
      for (let k = firstMode[p]; k < firstMode[p + 1]; k++) {
        const o = 3 * (M * i + local[mode[k]]);
        for (let x = 0; x < 3; x++) this.#displacements[o + x] = displacement[3 * k + x];
      }
    }
  }

  /** The direction in which the points extend least: power iteration with the inverse of their spread. */
  #setSpread(): void {
    const { positions, pointCount, normal, radius } = this;
    const inverse = this.#inverse;
    this.#hasSpread = invertSpread(positions, pointCount, inverse);
    this.normalGroup = -1;
    if (!this.#hasSpread) return;
    let x = 0.48,
      y = 0.6,
      z = 0.64;
    for (let step = 0; step < POWER_STEPS; step++) {
      const u = inverse[0] * x + inverse[1] * y + inverse[2] * z,
        v = inverse[1] * x + inverse[3] * y + inverse[4] * z,
        w = inverse[2] * x + inverse[4] * y + inverse[5] * z;
      const length = Math.sqrt(u * u + v * v + w * w);
      x = u / length;
      y = v / length;
      z = w / length;
    }
    normal[0] = x;
    normal[1] = y;
    normal[2] = z;
    let height = 0;
    for (let o = 0; o < 3 * pointCount; o += 3) {
      height = Math.max(height, Math.abs(x * positions[o] + y * positions[o + 1] + z * positions[o + 2]));
    }
    if (height <= FLAT * radius) this.normalGroup = 0;
  }

  #layOut(): void {
    const H = this.handles.length,
      M = this.modes.length;
    const most = 3 * H + 2 * M + 1;
    this.groupStart = reserve(this.groupStart, most, Uint32Array);
    this.groupSize = reserve(this.groupSize, most, Uint32Array);
    this.groupError = reserve(this.groupError, most, Float64Array);
    this.groupIsPlain = reserve(this.groupIsPlain, most, Uint8Array);
    this.modeGroup = reserve(this.modeGroup, M, Int32Array);
    this.groupCount = this.componentCount = 0;
    for (let h = 0; h < H; h++) {
      if (this.handleGroup[h] < 0) continue;
      this.handleGroup[h] = this.#addGroup(1, 0);
      this.#addGroup(3, 0);
      if (M > 0) this.#addGroup(1, 1);
    }
    for (let m = 0; m < M; m++) {
      this.modeGroup[m] = this.#addGroup(3, 0);
      this.#addGroup(3, 1);
    }
    if (this.normalGroup >= 0) this.normalGroup = this.#addGroup(1, 0);
  }

  #addGroup(size: number, isPlain: 0 | 1): number {
    const group = this.groupCount++;
    this.groupStart[group] = this.componentCount;
    this.groupSize[group] = size;
    this.groupIsPlain[group] = isPlain;
    this.groupError[group] = 0;
    this.componentCount += size;
    return group;
  }

  #fillValues(): void {
    this.values = reserve(this.values, this.componentCount * this.pointCount, Float64Array);
    this.handleSize = reserve(this.handleSize, this.handles.length, Float64Array);
    this.modeSize = reserve(this.modeSize, this.modes.length, Float64Array);
    for (let h = 0; h < this.handles.length; h++) this.#fillHandle(h);
    for (let m = 0; m < this.modes.length; m++) this.#fillMode(m);
    if (this.normalGroup >= 0) this.#fillHeights();
  }

  #fillHeights(): void {
    const { values, positions, pointCount, componentCount: C, normal } = this;
    for (let i = 0, o = this.groupStart[this.normalGroup]; i < pointCount; i++, o += C) {
      values[o] =
        normal[0] * positions[3 * i] + normal[1] * positions[3 * i + 1] + normal[2] * positions[3 * i + 2];
    }
    this.groupError[this.normalGroup] = ERROR * 2 * this.radius;
  }

  /** Values are off by roundings relative to weights, not to their differences; the phantom's is 1 less a sum. */
  #fillHandle(h: number): void {
    const { values, positions, pointCount, componentCount: C, groupError } = this;
    const group = this.handleGroup[h];
    this.handleSize[h] = 0;
    if (group < 0) return;
    const H = this.handles.length,
      mean = this.means[h];
    let size = 0;
    for (let i = 0, o = this.groupStart[group]; i < pointCount; i++, o += C) {
      const w = this.#weights[H * i + h] - mean;
      values[o] = w;
      values[o + 1] = w * positions[3 * i];
      values[o + 2] = w * positions[3 * i + 1];
      values[o + 3] = w * positions[3 * i + 2];
      if (this.modes.length > 0) values[o + 4] = w;
      size = Math.max(size, Math.abs(w));
    }
    const error = ERROR * (this.#source.largestWeightSum + Math.abs(mean));
    groupError[group] = error;
    groupError[group + 1] = error * this.radius;
    if (this.modes.length > 0) groupError[group + 2] = error;
    this.handleSize[h] = size + error;
  }

  #fillMode(m: number): void {
    const { values, pointCount, componentCount: C } = this;
    const M = this.modes.length;
    const displacements = this.#displacements;
    let square = 0;
    for (let i = 0, o = this.groupStart[this.modeGroup[m]]; i < pointCount; i++, o += C) {
      const d = 3 * (M * i + m);
      const x = (values[o] = values[o + 3] = displacements[d]),
        y = (values[o + 1] = values[o + 4] = displacements[d + 1]),
        z = (values[o + 2] = values[o + 5] = displacements[d + 2]);
      square = Math.max(square, x * x + y * y + z * z);
    }
    this.modeSize[m] = Math.sqrt(square) * (1 + 2 ** -50);
    this.groupError[this.modeGroup[m]] = this.groupError[this.modeGroup[m] + 1] = ERROR * this.modeSize[m];
  }

  /** Least squares; any gradient is sound as long as it is the one that is stored. */
  #removeFits(): void {
    const { pointCount, componentCount: C, positions, values, groupError, groupStart } = this;
    this.gradients = reserve(this.gradients, 3 * C, Float32Array).fill(0, 0, 3 * C);
    const { gradients } = this;
    const inverse = this.#inverse;
    if (!this.#hasSpread) return;
    for (let group = 0; group < this.groupCount; group++) {
      if (this.groupIsPlain[group] === 1 || group === this.normalGroup) continue;
      let steepness = 0;
      for (let c = groupStart[group]; c < groupStart[group] + this.groupSize[group]; c++) {
        let x = 0,
          y = 0,
          z = 0;
        for (let i = 0, o = c; i < pointCount; i++, o += C) {
          x += values[o] * positions[3 * i];
          y += values[o] * positions[3 * i + 1];
          z += values[o] * positions[3 * i + 2];
        }
        const gx = (gradients[3 * c] = inverse[0] * x + inverse[1] * y + inverse[2] * z),
          gy = (gradients[3 * c + 1] = inverse[1] * x + inverse[3] * y + inverse[4] * z),
          gz = (gradients[3 * c + 2] = inverse[2] * x + inverse[4] * y + inverse[5] * z);
        steepness += Math.abs(gx) + Math.abs(gy) + Math.abs(gz);
        const sx = gradients[3 * c],
          sy = gradients[3 * c + 1],
          sz = gradients[3 * c + 2]; // as stored: float32
        for (let i = 0, o = c; i < pointCount; i++, o += C) {
          values[o] -= sx * positions[3 * i] + sy * positions[3 * i + 1] + sz * positions[3 * i + 2];
        }
      }
      groupError[group] += ERROR * 2 * steepness * this.radius;
    }
  }

  #forget(): void {
    for (const p of this.#points) this.#localPoint[p] = -1;
    for (const h of this.handles) this.#localHandle[h] = -1;
    for (const m of this.modes) this.#localMode[m] = -1;
  }
}

/** The inverse of Σ v vᵀ with a ridge: xx, xy, xz, yy, yz, zz. False for a single place. */
function invertSpread(positions: Float64Array, count: number, out: Float64Array): boolean {
  let xx = 0,
    xy = 0,
    xz = 0,
    yy = 0,
    yz = 0,
    zz = 0;
  for (let o = 0; o < 3 * count; o += 3) {
    const x = positions[o],
      y = positions[o + 1],
      z = positions[o + 2];
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  const ridge = RIDGE * (xx + yy + zz);
  xx += ridge;
  yy += ridge;
  zz += ridge;
  const A = yy * zz - yz * yz,
    B = yz * xz - xy * zz,
    C = xy * yz - yy * xz;
  const determinant = xx * A + xy * B + xz * C;
  if (!(determinant > 0 && determinant < Infinity)) return false;
  out[0] = A / determinant;
  out[1] = B / determinant;
  out[2] = C / determinant;
  out[3] = (xx * zz - xz * xz) / determinant;
  out[4] = (xy * xz - xx * yz) / determinant;
  out[5] = (xx * yy - xy * xy) / determinant;
  return out.every(Number.isFinite);
}

/** The array itself if it is long enough, else a larger one. */
function reserve<T extends { length: number }>(array: T, length: number, Type: new (length: number) => T): T {
  return array.length >= length ? array : new Type(Math.ceil(1.5 * length) + 16);
}
