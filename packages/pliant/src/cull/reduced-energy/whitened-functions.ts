import { factorInPlace } from '../../algebra/dense/cholesky.ts';
import type { NodeFunctions } from './node-functions.ts';

/** What is added to Q, relatively: it may be singular, as weights add up to 1. Legal, as it is in the energy, too. */
const RELATIVE = 1e-12;
/** … and as a share of the size of a function over that of the node, for those that are nearly constant. */
const ABSOLUTE = 1e-9;
/** Two roundings per term of a substitution, doubled. */
const ERROR = 2 ** -51;

/**
 * ψ = F⁻¹ φ with Q = F Fᵀ, F lower triangular: in these functions the energy of a change C is the sum of squares of C F.
 * F is rounded to float32 first, so that the one that is stored has no error; any F is sound.
 */
export class WhitenedFunctions {
  /** F by rows, only what is on and below the diagonal. */
  factor = new Float32Array(0);
  /** ψ, k per point. */
  values = new Float64Array(0);
  /** Per function: how far φ is from F ψ at most, by rounding. */
  errors = new Float64Array(0);

  /** False when Q is not positive definite, or numbers are beyond all bounds. Overwrites Q. */
  load(functions: NodeFunctions, Q: Float64Array): boolean {
    const { functionCount: k, pointCount: n, sizes, radius } = functions;
    for (let f = 0; f < k; f++) {
      const constant = ABSOLUTE * Math.max(sizes[f] / radius, ABSOLUTE); // some are 0 throughout, on flat nodes
      Q[f * k + f] = Q[f * k + f] * (1 + RELATIVE) + constant * constant;
    }
    if (!factorInPlace(Q, k)) return false;
    const size = (k * (k + 1)) / 2;
    if (this.factor.length < size) this.factor = new Float32Array(size);
    if (this.values.length < n * k) this.values = new Float64Array(n * k);
    if (this.errors.length < k) this.errors = new Float64Array(k);
    for (let i = 0, e = 0; i < k; i++) for (let j = 0; j <= i; j++) this.factor[e++] = Q[i * k + j];
    for (let i = 0, e = 0; i < k; i++, e += i + 1) {
      if (!(this.factor[e] > 0 && this.factor[e] < Infinity)) return false;
      this.errors[i] = functions.errorOf(i);
    }
    for (let p = 0; p < n; p++) this.#substitute(functions, p);
    for (let e = 0; e < n * k; e++) if (!Number.isFinite(this.values[e])) return false;
    return true;
  }

  /** Forward substitution of one point. Its residual is bounded by the sizes of its terms. */
  #substitute({ functionCount: k, values: from }: NodeFunctions, p: number): void {
    const { factor: F, values: to, errors } = this;
    const o = p * k;
    for (let i = 0, e = 0; i < k; i++) {
      let sum = from[o + i],
        size = Math.abs(sum);
      for (let j = 0; j < i; j++) {
        const term = F[e++] * to[o + j];
        sum -= term;
        size += Math.abs(term);
      }
      to[o + i] = sum / F[e++];
      const error = ERROR * (i + 2) * (size + Math.abs(sum));
      if (!(errors[i] >= error)) errors[i] = error;
    }
  }
}
