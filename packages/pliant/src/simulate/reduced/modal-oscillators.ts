import { checkNumbers, describe, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkOption } from '../../shapes/shape.ts';
import { checkDamping, type RayleighDamping } from './damping.ts';
import { OSCILLATOR_COEFFICIENTS, writeOscillatorStep } from './oscillator-step.ts';

/**
 * Linear modal dynamics: q̈ₖ + (alpha + beta λₖ) q̇ₖ + λₖ qₖ = fₖ, each mode for itself and each step exact as long as
 * forces do not change within it. Steps of any length are stable: 1/60 s shows the same motion as 1/44100 s, only at
 * other times. A step costs a dozen multiplications per mode and allocates nothing.
 */
export class ModalOscillators {
  readonly count: number;
  readonly eigenvalues: Float64Array; // ω², per mode
  /** Seconds per step. */
  readonly stepLength: number;
  /** The state; may be written between steps. `q` is the pose of a modal body. */
  readonly q: Float64Array;
  readonly velocities: Float64Array;
  /** Forces on the modes during the next steps, until they are changed. */
  readonly forces: Float64Array;
  /** How fast the envelope of each mode falls, per second: (alpha + beta λ) / 2. */
  readonly decayRates: Float64Array;
  readonly #coefficients: Float64Array;

  constructor(eigenvalues: NumberArray, stepLength: number, damping: RayleighDamping = {}) {
    checkEigenvalues(eigenvalues);
    checkOption('stepLength', stepLength, 1e-12, 1e6);
    const { alpha, beta } = checkDamping(damping);
    this.count = eigenvalues.length;
    this.eigenvalues = Float64Array.from(eigenvalues as ArrayLike<number>);
    this.stepLength = stepLength;
    this.q = new Float64Array(this.count);
    this.velocities = new Float64Array(this.count);
    this.forces = new Float64Array(this.count);
    this.decayRates = this.eigenvalues.map((lambda) => (alpha + beta * lambda) / 2);
    this.#coefficients = new Float64Array(OSCILLATOR_COEFFICIENTS * this.count);
    for (let k = 0; k < this.count; k++) {
      const o = OSCILLATOR_COEFFICIENTS * k;
      writeOscillatorStep(this.eigenvalues[k], 2 * this.decayRates[k], stepLength, this.#coefficients, o);
    }
  }

  /** The six numbers per mode that `writeOscillatorStep` explains. */
  get coefficients(): Float64Array {
    return this.#coefficients.slice();
  }

  /** Angular frequency with which a mode rings, damping included; 0 when it does not. */
  dampedFrequency(mode: number): number {
    const d = this.decayRates[mode];
    return Math.sqrt(Math.max(0, this.eigenvalues[mode] - d * d));
  }

  /** Changes velocities at once by modal impulses. */
  addImpulses(impulses: NumberArray): void {
    checkNumbers('impulses', impulses, this.count);
    for (let k = 0; k < this.count; k++) this.velocities[k] += impulses[k];
  }

  /** Advances by `stepLength`. Refuses forces that are not numbers, and then changes nothing. */
  step(): void {
    const { q, velocities, forces } = this;
    const a = this.#coefficients;
    let sum = 0;
    for (let k = 0; k < q.length; k++) sum += forces[k] - forces[k]; // NaN unless all are finite
    if (sum !== 0) checkNumbers('forces', forces);
    for (let k = 0, o = 0; k < q.length; k++, o += OSCILLATOR_COEFFICIENTS) {
      const x = q[k],
        v = velocities[k],
        f = forces[k];
      q[k] = a[o] * x + a[o + 1] * v + a[o + 4] * f;
      velocities[k] = a[o + 2] * x + a[o + 3] * v + a[o + 5] * f;
    }
  }

  /** Kinetic and elastic. */
  energy(): number {
    const { q, velocities: v, eigenvalues } = this;
    let sum = 0;
    for (let k = 0; k < q.length; k++) sum += v[k] * v[k] + eigenvalues[k] * q[k] * q[k];
    return sum / 2;
  }
}

function checkEigenvalues(eigenvalues: NumberArray): void {
  checkNumbers('eigenvalues', eigenvalues);
  if (eigenvalues.length === 0) throw new InputError('empty', 'there are no eigenvalues');
  for (let k = 0; k < eigenvalues.length; k++) {
    if (eigenvalues[k] >= 0) continue;
    throw new InputError(
      'out-of-range',
      `eigenvalues[${k}] is ${describe(eigenvalues[k])}; it must be at least 0`,
    );
  }
}
