import type { StageSound, Strikes } from '../scenes/scene.ts';

const DELAY = 0.08; // seconds between a picture and its sound: time for the next one to come
const PATIENCE = 2000; // milliseconds for the browser to let us play
const LOUDNESS = 0.5;

/**
 * Live sound of a simulated body: strikes come with frames and are played by resonators in the audio thread. Browsers
 * allow it only after the user has asked for something, so `open` belongs into a click.
 */
export class Sound {
  #context: AudioContext | undefined;
  #node: AudioWorkletNode | undefined;
  #sound: StageSound | undefined;
  #opened = 0; // how often it was opened or closed
  #next = 0; // where in the context's time the next frame belongs

  get isOpen(): boolean {
    return this.#node !== undefined;
  }

  /** Throws where there is no way to play, and says why. */
  async open(sound: StageSound): Promise<void> {
    if (this.#sound === sound && this.#node) {
      this.#node.port.postMessage({ kind: 'silence' });
      return;
    }
    this.close();
    if (typeof AudioContext !== 'function' || typeof AudioWorkletNode !== 'function') {
      throw new Error(
        'This browser offers no AudioWorklet, or not on this page: it needs HTTPS or localhost.',
      );
    }
    const turn = this.#opened;
    const { coefficients, gains, sampleRate, loudness } = sound;
    this.#context ??= new AudioContext({ sampleRate });
    const context = this.#context;
    await inTime(context.resume());
    const { createSoundWorkletSource, SOUND_PROCESSOR } = await import('pliant/simulate');
    const url = URL.createObjectURL(new Blob([createSoundWorkletSource()], { type: 'text/javascript' }));
    try {
      await context.audioWorklet.addModule(url);
    } finally {
      URL.revokeObjectURL(url);
    }
    if (turn !== this.#opened) return; // closed meanwhile: nobody wants to hear it
    const node = new AudioWorkletNode(context, SOUND_PROCESSOR, {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { coefficients, gains },
    });
    const gain = new GainNode(context, { gain: LOUDNESS * loudness });
    node.connect(gain).connect(new DynamicsCompressorNode(context)).connect(context.destination);
    this.#node = node;
    this.#sound = sound;
    this.#next = 0;
  }

  /** The strikes of a frame that lasts `seconds`; a simulation that is slower than the clock leaves gaps. */
  play({ times, impulses }: Strikes, seconds: number): void {
    if (this.#node === undefined) return;
    const { currentTime, sampleRate } = this.#context!;
    const { strikeLength, gains } = this.#sound!;
    if (this.#next < currentTime || this.#next > currentTime + 4 * DELAY) this.#next = currentTime + DELAY;
    for (let k = 0; k < times.length; k++) {
      const own = impulses.slice(k * gains.length, (k + 1) * gains.length);
      const at = Math.round((this.#next + times[k]) * sampleRate);
      this.#node.port.postMessage({ kind: 'strike', impulses: own, length: strikeLength, at }, [own.buffer]);
    }
    this.#next += seconds;
  }

  close(): void {
    this.#opened++;
    this.#node?.port.postMessage({ kind: 'stop' });
    this.#node?.disconnect();
    this.#node = this.#sound = undefined;
    void this.#context?.suspend();
  }
}

async function inTime(started: Promise<void>): Promise<void> {
  let timer = 0;
  const late = new Promise<never>((_, reject) => {
    const message =
      'The browser does not let this page play sound: is there a loudspeaker, is sound blocked?';
    timer = window.setTimeout(() => reject(new Error(message)), PATIENCE);
  });
  try {
    await Promise.race([started, late]);
  } finally {
    clearTimeout(timer);
  }
}
