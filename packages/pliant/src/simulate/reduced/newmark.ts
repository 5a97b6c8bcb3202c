import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import { checkDamping, type RayleighDamping } from './damping.ts';
import type { ReducedModel } from './reduced-model.ts';

const HALVINGS = 12;
/** Share of the promised descent that a step has to bring (Armijo). */
const WORTHWHILE = 1e-4;
const ROUNDING = 1e-13;

/** What acts on the modes while a step is sought. */
export interface OuterForces {
  /** Q for a step that ends at `q`, in an array that the next call may write. */
  at(q: Float64Array): Float64Array;
  /** By how much the mass is less than M, as that call found it; undefined: by nothing. */
  readonly relief: Float64Array | undefined;
}

/**
 * One step of Newmark's method with average acceleration (β = ¼, γ = ½) for M q̈ + D q̇ + f(q) = Q: with
 * q₁ = q₀ + h (v₀ + v₁) / 2,
 *
 *     M (v₁ − v₀) / h + D (v₀ + v₁) / 2 + (f(q₀) + f(q₁)) / 2 = Q
 *
 * solved for q₁ by Newton's method. Its left side is the gradient of a function that a true solution minimises near
 * q₀, so steps are halved until they go down, and where the stiffness is indefinite, as that of compressed solids may
 * be, the stiffness at rest stands in. Damping is D = alpha M + beta K with the stiffness at rest.
 */
export class NewmarkStep {
  /** How many Newton steps the last call took. */
  iterations = 0;
  /** Where the step goes to; q₀ before the first Newton step. */
  readonly q: Float64Array;
  readonly #model: ReducedModel;
  readonly #n: number;
  readonly #maxIterations: number;
  readonly #tolerance: number;
  readonly #damping: Float64Array; // D
  readonly #restStiffness: Float64Array;
  readonly #matrix: Float64Array;
  readonly #stiffness: Float64Array; // at `q`
  readonly #forces: Float64Array; // at `q`
  readonly #startForces: Float64Array;
  readonly #evaluatedAt: Float64Array; // what the two above are of
  readonly #trial: Float64Array;
  readonly #inertial: Float64Array; // q₀ + h v₀
  readonly #before: Float64Array;
  readonly #residual: Float64Array;
  readonly #direction: Float64Array;
  #energy = 0; // elastic, at `q`
  #size = 0; // of the terms of the function, for rounding

  constructor(model: ReducedModel, damping: RayleighDamping, maxIterations: number, tolerance: number) {
    const { alpha, beta } = checkDamping(damping);
    const n = model.modeCount;
    this.#model = model;
    this.#n = n;
    this.#maxIterations = maxIterations;
    this.#tolerance = tolerance * tolerance;
    const vector = () => new Float64Array(n),
      matrix = () => new Float64Array(n * n);
    this.q = vector();
    this.#restStiffness = matrix();
    this.#matrix = matrix();
    this.#stiffness = matrix();
    this.#forces = vector();
    this.#startForces = vector();
    this.#evaluatedAt = vector();
    this.#trial = vector();
    this.#inertial = vector();
    this.#before = vector();
    this.#residual = vector();
    this.#direction = vector();
    model.elasticity.evaluate(this.q, this.#forces, this.#restStiffness);
    this.#stiffness.set(this.#restStiffness);
    const { massMatrix } = model.inertia;
    this.#damping = this.#restStiffness.map((k, o) => alpha * massMatrix[o] + beta * k);
  }

  /** The step from q₀ with v₀ over h. */
  solve(q0: Float64Array, v0: Float64Array, h: number, outer: OuterForces): void {
    const n = this.#n;
    this.q.set(q0);
    if (!areEqual(q0, this.#evaluatedAt)) this.#evaluate(q0);
    this.#startForces.set(this.#forces);
    for (let i = 0; i < n; i++) this.#inertial[i] = q0[i] + h * v0[i];
    for (this.iterations = 0; this.iterations < this.#maxIterations; ) {
      const Q = outer.at(this.q);
      const { relief } = outer;
      const value = this.#function(this.q, this.#energy, q0, h, Q);
      const size = this.#size;
      this.#setResidual(q0, h, Q);
      this.#setDirection(h, relief);
      const slope = dot(this.#residual, this.#direction);
      if (!(slope > 0)) return;
      this.iterations++;
      const lightness = relief === undefined ? 0 : quadraticForm(relief, this.#direction) / (h * h);
      if (!this.#descend(q0, h, Q, value, slope, lightness, size)) return;
      if (slope <= this.#tolerance * (this.#size + size)) return;
    }
  }

  /** The longest of the halved steps that goes down enough. */
  #descend(
    q0: Float64Array,
    h: number,
    Q: Float64Array,
    value: number,
    slope: number,
    lightness: number,
    size: number,
  ): boolean {
    const { q } = this;
    const trial = this.#trial;
    const start = this.#before;
    start.set(q);
    for (let k = 0, length = 1; k < HALVINGS; k++, length /= 2) {
      for (let i = 0; i < trial.length; i++) trial[i] = start[i] + length * this.#direction[i];
      this.#evaluate(trial);
      const next = this.#function(trial, this.#energy, q0, h, Q) - length * length * lightness;
      if (!(next <= value - WORTHWHILE * length * slope + ROUNDING * (size + this.#size))) continue;
      q.set(trial);
      return true;
    }
    this.#evaluate(start);
    return false;
  }

  #evaluate(q: Float64Array): void {
    this.#energy = this.#model.elasticity.evaluate(q, this.#forces, this.#stiffness);
    this.#evaluatedAt.set(q);
  }

  /** What q₁ minimises; its gradient is the left side minus Q. */
  #function(q: Float64Array, elastic: number, q0: Float64Array, h: number, Q: Float64Array): number {
    const n = this.#n;
    const M = this.#model.inertia.massMatrix,
      D = this.#damping;
    let inertia = 0,
      damping = 0,
      linear = 0,
      largest = 0;
    for (let i = 0; i < n; i++) {
      const xi = q[i] - this.#inertial[i],
        yi = q[i] - q0[i];
      let x = 0,
        y = 0;
      for (let j = 0; j < n; j++) {
        x += M[i * n + j] * (q[j] - this.#inertial[j]);
        y += D[i * n + j] * (q[j] - q0[j]);
      }
      inertia += xi * x;
      damping += yi * y;
      linear += (this.#startForces[i] / 2 - Q[i]) * yi;
      largest += Math.abs(linear);
    }
    inertia /= h * h;
    damping /= 2 * h;
    this.#size = inertia + damping + elastic / 2 + largest;
    return inertia + damping + elastic / 2 + linear;
  }

  /** Q minus the left side. */
  #setResidual(q0: Float64Array, h: number, Q: Float64Array): void {
    const n = this.#n;
    const M = this.#model.inertia.massMatrix,
      D = this.#damping;
    for (let i = 0; i < n; i++) {
      let x = 0,
        y = 0;
      for (let j = 0; j < n; j++) {
        x += M[i * n + j] * (this.q[j] - this.#inertial[j]);
        y += D[i * n + j] * (this.q[j] - q0[j]);
      }
      const elastic = (this.#startForces[i] + this.#forces[i]) / 2;
      this.#residual[i] = Q[i] - (2 / (h * h)) * x - y / h - elastic;
    }
  }

  #setDirection(h: number, relief: Float64Array | undefined): void {
    this.#setMatrix(h, this.#stiffness, relief);
    if (!factorInPlace(this.#matrix, this.#n)) {
      this.#setMatrix(h, this.#restStiffness, undefined);
      factorInPlace(this.#matrix, this.#n);
    }
    this.#direction.set(this.#residual);
    solveInPlace(this.#matrix, this.#n, this.#direction);
  }

  #setMatrix(h: number, stiffness: Float64Array, relief: Float64Array | undefined): void {
    const M = this.#model.inertia.massMatrix;
    for (let o = 0; o < M.length; o++) {
      this.#matrix[o] = (2 / (h * h)) * M[o] + this.#damping[o] / h + stiffness[o] / 2;
    }
    if (relief !== undefined) for (let o = 0; o < M.length; o++) this.#matrix[o] -= (2 / (h * h)) * relief[o];
  }
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function quadraticForm(A: Float64Array, x: Float64Array): number {
  const n = x.length;
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += x[i] * A[i * n + j] * x[j];
  return sum;
}
