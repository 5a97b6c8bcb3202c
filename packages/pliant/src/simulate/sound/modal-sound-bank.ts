import { describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { checkOption } from '../../shapes/shape.ts';
import { createResonators, type Resonators } from './resonators.ts';
import type { SoundModel } from './sound-model.ts';

const BLOCK = 128; // as audio threads do it

/**
 * The sound of one struck body, rendered offline. The sum of its modes' velocities, times their gains, stands for the
 * pressure: directions and distances are not modelled.
 */
export class ModalSoundBank {
  readonly model: SoundModel;
  readonly #resonators: Resonators;
  #last: { at: number; impulses: Float64Array } | undefined; // strikes of one moment are one strike

  constructor(model: SoundModel) {
    this.model = model;
    const { coefficients, gains } = model.resonatorData;
    this.#resonators = createResonators(coefficients, gains);
  }

  /** Seconds played so far. */
  get time(): number {
    return this.#resonators.position / this.model.sampleRate;
  }

  /** An impulse on a vertex after `seconds` of sound. What is past is struck at once. */
  strike(seconds: number, vertex: number, x: number, y: number, z: number): void {
    if (!(seconds >= 0 && seconds < Infinity)) {
      throw new InputError('out-of-range', `seconds must be at least 0, not ${describe(seconds)}`);
    }
    const at = Math.max(this.#resonators.position, Math.round(seconds * this.model.sampleRate));
    if (this.#last?.at === at) {
      this.model.project(vertex, x, y, z, this.#last.impulses);
      return;
    }
    const impulses = new Float64Array(this.model.audibleModes.length);
    this.model.project(vertex, x, y, z, impulses); // may refuse, and then nothing has changed
    this.#resonators.strike(at, impulses, this.model.strikeLength);
    this.#last = { at, impulses };
  }

  /** The next `seconds` of sound, rounded to whole samples. */
  render(seconds: number): Float32Array {
    checkOption('seconds', seconds, 0, 36_000);
    const out = new Float32Array(Math.round(seconds * this.model.sampleRate));
    for (let i = 0; i < out.length; i += BLOCK)
      this.#resonators.play(out, i, Math.min(BLOCK, out.length - i));
    this.#last = undefined;
    return out;
  }

  /** Forgets all strikes and stops ringing. */
  silence(): void {
    this.#resonators.reset();
    this.#last = undefined;
  }
}
