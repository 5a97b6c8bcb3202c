import type { Modes } from '../../deform/blend-data.ts';
import { checkNumbers, checkObject, describe, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkOption } from '../../shapes/shape.ts';
import type { RayleighDamping } from '../reduced/damping.ts';
import { ModalOscillators } from '../reduced/modal-oscillators.ts';

export interface SoundModelOptions {
  /** Without damping a body rings for ever. Default: alpha 5, beta 1e-7. */
  damping?: RayleighDamping;
  /** Samples per second. Default: 44100. */
  sampleRate?: number;
  /** How loud the velocity of each mode is. Default: 1 each. */
  gains?: NumberArray;
  /**
   * How long a strike presses, in seconds: soft and long ones leave high modes silent. Contacts of a simulation that
   * come in every step should last two steps: then they add up to a steady force. Default: 0.0004.
   */
  contactTime?: number;
}

/** What resonators need, here or in the audio thread. */
export interface ResonatorData {
  readonly coefficients: Float64Array;
  readonly gains: Float64Array;
}

/** What we hear, in hertz. */
const LOWEST = 20;
const HIGHEST = 20_000;

/**
 * How a body sounds: each mode rings at its damped frequency, struck by the part of an impulse that lies along its
 * displacement at the contact point. Modes are mass-orthonormal, as for `ModalOscillators`; those that cannot be heard,
 * or not at this sample rate, are left out. Bodies of one shape share a model; each has a `ModalSoundBank`.
 */
export class SoundModel {
  readonly sampleRate: number;
  /** The modes that sound, and the frequencies at which they ring, damping included. */
  readonly audibleModes: Uint32Array;
  readonly frequencies: Float64Array; // in hertz, per audible mode
  /** Length of a strike, in samples. */
  readonly strikeLength: number;
  readonly vertexCount: number;
  readonly #displacements: Float64Array; // per vertex: x of all audible modes, then y, then z
  readonly #data: ResonatorData;

  /** `modes` as for `engine.createModalBody`, with the eigenvalue ω² of each. */
  constructor(modes: Modes, eigenvalues: NumberArray, options: SoundModelOptions = {}) {
    checkObject('modes', modes);
    checkObject('options', options);
    const { damping = { alpha: 5, beta: 1e-7 }, sampleRate = 44100, contactTime = 0.0004 } = options;
    const { count, displacements } = modes;
    const { gains = new Array<number>(count).fill(1) } = options;
    checkOption('sampleRate', sampleRate, 1000, 768_000);
    checkOption('contactTime', contactTime, 0, 1);
    checkNumbers('eigenvalues', eigenvalues, count);
    checkNumbers('gains', gains, count);
    checkNumbers('modes.displacements', displacements);
    this.vertexCount = displacements.length / (3 * count);
    if (!(Number.isInteger(this.vertexCount) && this.vertexCount > 0)) {
      throw new InputError(
        'wrong-length',
        `modes.displacements has ${displacements.length} numbers, not 3 per vertex for ${count} modes`,
      );
    }
    const oscillators = new ModalOscillators(eigenvalues, 1 / sampleRate, damping);
    this.sampleRate = sampleRate;
    this.strikeLength = Math.max(1, Math.round(contactTime * sampleRate));
    this.audibleModes = findAudible(oscillators, sampleRate);
    this.frequencies = Float64Array.from(
      this.audibleModes,
      (k) => oscillators.dampedFrequency(k) / (2 * Math.PI),
    );
    const all = oscillators.coefficients;
    const coefficients = new Float64Array(6 * this.audibleModes.length);
    this.audibleModes.forEach((k, i) => void coefficients.set(all.subarray(6 * k, 6 * k + 6), 6 * i));
    this.#data = { coefficients, gains: Float64Array.from(this.audibleModes, (k) => gains[k]) };
    this.#displacements = gatherByVertex(modes, this.audibleModes, this.vertexCount);
  }

  /** Copies, to be sent to the audio thread. */
  get resonatorData(): ResonatorData {
    return { coefficients: this.#data.coefficients.slice(), gains: this.#data.gains.slice() };
  }

  /** What an impulse on a vertex, in the body's coordinates, does to the audible modes; added to `out`. */
  project(vertex: number, x: number, y: number, z: number, out: Float64Array): void {
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < this.vertexCount)) {
      throw new InputError(
        'index-out-of-range',
        `vertex must be a whole number below ${this.vertexCount}, not ${describe(vertex)}`,
      );
    }
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) {
      throw new InputError('not-finite', `the impulse on vertex ${vertex} is (${x}, ${y}, ${z})`);
    }
    const n = this.audibleModes.length;
    const u = this.#displacements;
    for (let k = 0, o = 3 * n * vertex; k < n; k++, o++) out[k] += u[o] * x + u[o + n] * y + u[o + 2 * n] * z;
  }
}

function findAudible(oscillators: ModalOscillators, sampleRate: number): Uint32Array {
  const highest = Math.min(HIGHEST, 0.49 * sampleRate);
  const audible: number[] = [];
  for (let k = 0; k < oscillators.count; k++) {
    const hertz = oscillators.dampedFrequency(k) / (2 * Math.PI);
    if (hertz >= LOWEST && hertz <= highest) audible.push(k);
  }
  if (audible.length === 0) {
    throw new InputError(
      'empty',
      `none of the ${oscillators.count} modes rings between ${LOWEST} and ${highest} Hz`,
    );
  }
  return Uint32Array.from(audible);
}

function gatherByVertex({ displacements }: Modes, audible: Uint32Array, vertexCount: number): Float64Array {
  const n = audible.length;
  const gathered = new Float64Array(3 * n * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    for (let axis = 0; axis < 3; axis++) {
      for (let k = 0; k < n; k++) {
        gathered[3 * n * v + axis * n + k] = displacements[3 * (audible[k] * vertexCount + v) + axis];
      }
    }
  }
  return gathered;
}
