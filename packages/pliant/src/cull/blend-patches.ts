import { ceil32 } from '../algebra/rounding.ts';
import type { PatchFields } from './patch-fields.ts';
import type { SteepnessFinder } from './steepness.ts';

/** What a proof needs to know of each patch, flat. Bounds are float32, rounded up; fits are what was removed. */
export interface BlendPatches {
  readonly count: number;
  readonly centre: Float64Array; // c, 3 per patch
  readonly fitSize: Float32Array; // per patch: the largest sum of sizes of one entry's fits
  readonly normal: Float32Array; // n, 3 per patch
  readonly slope: Float32Array; // κ, per patch: the steepness of n · v; Infinity for one that is not flat
  readonly firstEntry: Uint32Array; // per patch, and one more; an entry per handle
  readonly handle: Uint32Array;
  readonly mean: Float64Array; // w̄, exact: constant weights have no deviation at all
  readonly fit: Float32Array; // 12 per entry: β, then N row by row
  readonly steepness: Float32Array; // 2 per entry: Λ of ŵ, M of ŵ (v − c)
  readonly firstMode: Uint32Array; // per patch, and one more
  readonly mode: Uint32Array;
  readonly modeFit: Float32Array; // 9 per mode entry: G
  readonly modeSteepness: Float32Array; // of d
  /** For the fields ŵ d, 2 each per entry and per mode entry: the largest size, and the steepness between corners. */
  readonly plain: Float32Array; // none in bodies without modes
  readonly modePlain: Float32Array;
  readonly bytes: number;
}

export class PatchWriter {
  readonly #centre: number[] = [];
  readonly #fitSize: number[] = [];
  readonly #normal: number[] = [];
  readonly #slope: number[] = [];
  readonly #firstEntry: number[] = [0];
  readonly #handle: number[] = [];
  readonly #mean: number[] = [];
  readonly #fit: number[] = [];
  readonly #steepness: number[] = [];
  readonly #firstMode: number[] = [0];
  readonly #mode: number[] = [];
  readonly #modeFit: number[] = [];
  readonly #modeSteepness: number[] = [];
  readonly #plain: number[] = [];
  readonly #modePlain: number[] = [];

  readonly #hasModes: boolean;

  constructor(hasModes: boolean) {
    this.#hasModes = hasModes;
  }

  /** Returns the number of the patch. */
  put(fields: PatchFields, { result }: SteepnessFinder): number {
    const { handles, modes, means, centre, gradients, groupStart, handleGroup, modeGroup } = fields;
    let fitSize = 0;
    const copyFit = (out: number[], firstComponent: number, count: number) => {
      let size = 0;
      for (let k = 3 * firstComponent; k < 3 * (firstComponent + count); k++) {
        out.push(gradients[k]);
        size += Math.abs(gradients[k]);
      }
      fitSize = Math.max(fitSize, size);
    };
    this.#centre.push(...centre);
    this.#normal.push(...fields.normal);
    this.#slope.push(fields.normalGroup < 0 ? Infinity : ceil32(result[fields.normalGroup]));
    // The steepest first: a proof that fails is then given up early.
    const steepnessOf = (h: number) => (handleGroup[h] < 0 ? 0 : result[handleGroup[h]]);
    const order = handles.map((_, h) => h).sort((g, h) => steepnessOf(h) - steepnessOf(g) || g - h);
    for (const h of order) {
      const group = handleGroup[h];
      this.#handle.push(handles[h]);
      this.#mean.push(means[h]);
      if (group < 0) {
        this.#fit.push(...NO_FIT);
        this.#steepness.push(0, 0);
        if (this.#hasModes) this.#plain.push(0, 0);
      } else {
        copyFit(this.#fit, groupStart[group], 4); // that of ŵ (v − c) follows that of ŵ
        this.#steepness.push(ceil32(result[group]), ceil32(result[group + 1]));
        if (modes.length > 0) this.#plain.push(ceil32(fields.handleSize[h]), ceil32(result[group + 2]));
        else if (this.#hasModes) this.#plain.push(0, 0); // no mode asks
      }
    }
    for (let m = 0; m < modes.length; m++) {
      this.#mode.push(modes[m]);
      copyFit(this.#modeFit, groupStart[modeGroup[m]], 3);
      this.#modeSteepness.push(ceil32(result[modeGroup[m]]));
      this.#modePlain.push(ceil32(fields.modeSize[m]), ceil32(result[modeGroup[m] + 1]));
    }
    this.#fitSize.push(ceil32(fitSize * (1 + 2 ** -40)));
    this.#firstEntry.push(this.#handle.length);
    this.#firstMode.push(this.#mode.length);
    return this.#fitSize.length - 1;
  }

  finish(): BlendPatches {
    const arrays = {
      centre: Float64Array.from(this.#centre),
      fitSize: Float32Array.from(this.#fitSize),
      normal: Float32Array.from(this.#normal),
      slope: Float32Array.from(this.#slope),
      firstEntry: Uint32Array.from(this.#firstEntry),
      handle: Uint32Array.from(this.#handle),
      mean: Float64Array.from(this.#mean),
      fit: Float32Array.from(this.#fit),
      steepness: Float32Array.from(this.#steepness),
      firstMode: Uint32Array.from(this.#firstMode),
      mode: Uint32Array.from(this.#mode),
      modeFit: Float32Array.from(this.#modeFit),
      modeSteepness: Float32Array.from(this.#modeSteepness),
      plain: Float32Array.from(this.#plain),
      modePlain: Float32Array.from(this.#modePlain),
    };
    const bytes = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { count: this.#fitSize.length, ...arrays, bytes };
  }
}

const NO_FIT = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
