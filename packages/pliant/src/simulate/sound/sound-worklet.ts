import { InputError } from '../../mesh/input-error.ts';
import { createResonators } from './resonators.ts';
import type { SoundModel } from './sound-model.ts';

/** The name under which the processor is registered. */
export const SOUND_PROCESSOR = 'pliant-modal-sound';

/**
 * What the processor understands. `at` is a frame of the audio context (`currentTime × sampleRate`); without it, or
 * when it is past, the strike comes with the next block.
 */
export type SoundMessage =
  | { kind: 'strike'; impulses: Float64Array; length: number; at?: number }
  | { kind: 'silence' }
  | { kind: 'stop' };

/** The text of the module for `audioWorklet.addModule`: the processor, with the very code that renders offline. */
export function createSoundWorkletSource(): string {
  return `'use strict';
const createResonators = ${createResonators.toString()};
if (!globalThis.hasPliantSound) registerProcessor('${SOUND_PROCESSOR}', class extends AudioWorkletProcessor {
  constructor(options) {
    super();
    const { coefficients, gains } = options.processorOptions;
    this.resonators = createResonators(coefficients, gains);
    this.start = -1; // the frame of our first sample
    this.waiting = [];
    this.isOver = false;
    this.port.onmessage = ({ data }) => {
      if (data.kind === 'stop') this.isOver = true;
      else if (data.kind === 'silence') { this.waiting = []; this.resonators.reset(); }
      else if (data.kind === 'strike') this.waiting.push(data);
    };
  }
  process(inputs, outputs) {
    if (this.start < 0) this.start = currentFrame;
    for (const { at, impulses, length } of this.waiting) {
      this.resonators.strike(at === undefined ? 0 : at - this.start, impulses, length);
    }
    this.waiting.length = 0;
    const channels = outputs[0];
    const out = channels[0];
    for (let i = 0; i < out.length; i += 128) this.resonators.play(out, i, Math.min(128, out.length - i));
    for (let c = 1; c < channels.length; c++) channels[c].set(out);
    return !this.isOver;
  }
});
globalThis.hasPliantSound = true; // a name can be registered once only
`;
}

/** A body that sounds in the browser. Connect `node` to what shall hear it. */
export class LiveSound {
  readonly model: SoundModel;
  readonly node: AudioWorkletNode;

  /** Adds the processor to the context unless it is there. The model must have the context's sample rate. */
  static async create(context: BaseAudioContext, model: SoundModel): Promise<LiveSound> {
    if (model.sampleRate !== context.sampleRate) {
      throw new InputError(
        'mismatch',
        `the model plays ${model.sampleRate} samples per second, the audio context ${context.sampleRate}`,
      );
    }
    await addProcessor(context);
    return new LiveSound(context, model);
  }

  private constructor(context: BaseAudioContext, model: SoundModel) {
    this.model = model;
    this.node = new AudioWorkletNode(context, SOUND_PROCESSOR, {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: model.resonatorData,
    });
  }

  /** An impulse on a vertex, in the body's coordinates: at a time of the audio context, or at once. */
  strike(vertex: number, x: number, y: number, z: number, seconds?: number): void {
    const impulses = new Float64Array(this.model.audibleModes.length);
    this.model.project(vertex, x, y, z, impulses);
    const at = seconds === undefined ? undefined : Math.round(seconds * this.model.sampleRate);
    this.#post({ kind: 'strike', impulses, length: this.model.strikeLength, at }, [impulses.buffer]);
  }

  silence(): void {
    this.#post({ kind: 'silence' });
  }

  /** Ends the processor for good. */
  dispose(): void {
    this.#post({ kind: 'stop' });
    this.node.disconnect();
  }

  #post(message: SoundMessage, transfer: Transferable[] = []): void {
    this.node.port.postMessage(message, transfer);
  }
}

async function addProcessor(context: BaseAudioContext): Promise<void> {
  const url = URL.createObjectURL(new Blob([createSoundWorkletSource()], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
