import { factorInPlace, solveInPlace } from '../../algebra/dense/cholesky.ts';
import { solveSymmetric } from '../../algebra/matrix3.ts';
import type { ReducedInertia } from './reduced-inertia.ts';
import { RigidFrame } from './rigid-frame.ts';

/** Rounds of the fixed point for the rotation; each gains a factor of about the angle turned in half a step. */
const ROUNDS = 3;

/**
 * What turning and deforming do to each other in the frame of a free body. Its kinetic energy is
 *
 *     T = |P|² / 2m + ½ ωᵀ I(q) ω + ω·D(q) q̇ + ½ q̇ᵀ M q̇        D(q) q̇ = ∫ρ (x + u) × u̇
 *
 * as long as modes carry no linear momentum. All of it is kept, so the modes feel centrifugal, Coriolis and Euler
 * forces, and the frame the deformed inertia tensor and the angular momentum of the deformation. Linear momentum P and
 * angular momentum L = R (I ω + D q̇) are the state, changed by outer forces alone; ω follows from them. So momenta
 * of the whole body are conserved to rounding, whatever the modes do.
 *
 * In time this is the midpoint rule for the modes' momenta π = M q̇ + Dᵀω, π̇ = ∂T/∂q − f + Q: without damping energy
 * swings a little but does not drift.
 */
export class InertialForces {
  /** Set by `begin` and `evaluate`: angular velocity, in the body's directions. */
  readonly omega = new Float64Array(3);
  /** Set by `evaluate`: all that is not M q̈, as forces on the modes, … */
  readonly forces: Float64Array;
  /** … and DᵀI⁻¹D, by which a body that may turn is lighter than M says. */
  readonly relief: Float64Array;
  readonly #inertia: ReducedInertia;
  readonly #middle = new RigidFrame();
  readonly #swirlMomenta: Float64Array; // Dᵀω when the step begins, …
  readonly #middleMomenta: Float64Array; // … and in its middle
  readonly #matrix: Float64Array;
  readonly #local = new Float64Array(3);

  constructor(inertia: ReducedInertia) {
    const n = inertia.modeCount;
    this.#inertia = inertia;
    this.forces = new Float64Array(n);
    this.relief = new Float64Array(n * n);
    this.#swirlMomenta = new Float64Array(n);
    this.#middleMomenta = new Float64Array(n);
    this.#matrix = new Float64Array(n * n);
  }

  /** A new step from here. */
  begin(frame: RigidFrame, q: Float64Array, v: Float64Array, angularMomentum: Float64Array): void {
    this.#inertia.evaluate(q, v);
    this.#setOmega(frame, angularMomentum);
    this.#multiplySwirl(this.omega, this.#swirlMomenta);
  }

  /** `q`, `v` and the angular momentum are those in the middle of a step of length h that began at `frame`. */
  evaluate(
    frame: RigidFrame,
    q: Float64Array,
    v: Float64Array,
    angularMomentum: Float64Array,
    h: number,
  ): void {
    const { omega } = this;
    const inertia = this.#inertia;
    inertia.evaluate(q, v);
    for (let round = 0; round < ROUNDS; round++) {
      this.#middle.copy(frame);
      this.#middle.turn((h / 2) * omega[0], (h / 2) * omega[1], (h / 2) * omega[2]);
      this.#setOmega(this.#middle, angularMomentum);
    }
    this.#multiplySwirl(omega, this.#middleMomenta);
    this.#setRelief();
    const n = inertia.modeCount;
    const { inertiaSlopes: I, swirlRate: r } = inertia;
    const x = omega[0],
      y = omega[1],
      z = omega[2];
    for (let j = 0; j < n; j++) {
      const square = x * x * I[j] + y * y * I[n + j] + z * z * I[2 * n + j];
      const mixed = x * y * I[3 * n + j] + x * z * I[4 * n + j] + y * z * I[5 * n + j];
      const slope = square / 2 + mixed - (x * r[j] + y * r[n + j] + z * r[2 * n + j]); // ∂T/∂q
      this.forces[j] = slope - (2 / h) * (this.#middleMomenta[j] - this.#swirlMomenta[j]);
    }
  }

  /**
   * The velocity with which a step ends at `frame` and `q`, in place of what M alone makes of it: `v` comes in as
   * twice the middle velocity minus the first.
   */
  finish(frame: RigidFrame, q: Float64Array, v: Float64Array, angularMomentum: Float64Array): void {
    const inertia = this.#inertia;
    const n = inertia.modeCount;
    const { massMatrix } = inertia;
    inertia.evaluate(q, v);
    this.#setRelief();
    inertia.spin.fill(0);
    this.#setOmega(frame, angularMomentum); // I⁻¹ Rᵀ L
    const held = this.forces;
    this.#multiplySwirl(this.omega, held);
    for (let i = 0; i < n; i++) {
      let momentum = 2 * this.#middleMomenta[i] - this.#swirlMomenta[i] - held[i];
      for (let j = 0; j < n; j++) momentum += massMatrix[i * n + j] * v[j];
      held[i] = momentum;
    }
    for (let o = 0; o < n * n; o++) this.#matrix[o] = massMatrix[o] - this.relief[o];
    if (!factorInPlace(this.#matrix, n)) return; // beyond all measure: M alone has to do
    solveInPlace(this.#matrix, n, held);
    v.set(held);
  }

  /** I ω = Rᵀ L − D q̇. */
  #setOmega(frame: RigidFrame, L: Float64Array): void {
    const { inertia: I, spin } = this.#inertia;
    const b = this.#local;
    frame.toBody(L[0], L[1], L[2], b);
    solveSymmetric(I, b[0] - spin[0], b[1] - spin[1], b[2] - spin[2], this.omega);
  }

  /** Dᵀw. */
  #multiplySwirl(w: Float64Array, out: Float64Array): void {
    const { swirl, modeCount: n } = this.#inertia;
    for (let j = 0; j < n; j++) out[j] = w[0] * swirl[j] + w[1] * swirl[n + j] + w[2] * swirl[2 * n + j];
  }

  #setRelief(): void {
    const { swirl, inertia, modeCount: n } = this.#inertia;
    const w = this.#local;
    for (let i = 0; i < n; i++) {
      solveSymmetric(inertia, swirl[i], swirl[n + i], swirl[2 * n + i], w);
      for (let j = 0; j <= i; j++) {
        const entry = w[0] * swirl[j] + w[1] * swirl[n + j] + w[2] * swirl[2 * n + j];
        this.relief[i * n + j] = this.relief[j * n + i] = entry;
      }
    }
  }
}
