/** Damped resonators that play a block of samples at a time; offline and in the audio thread the same code. */
export interface Resonators {
  readonly count: number;
  /** Samples played so far. */
  readonly position: number;
  /** How many strikes are still to come or under way. */
  readonly pending: number;
  /**
   * From sample `at` (at once when that is past) pushes every mode by its impulse, spread over `length` samples in
   * the form of a raised cosine. `impulses` is kept until the strike is over.
   */
  strike(at: number, impulses: Float64Array, length: number): void;
  /** Plays `count` samples, at most 128, into `out` from `offset`. Equal blocks play equal samples everywhere. */
  play(out: Float32Array, offset: number, count: number): void;
  /** Silence at once. */
  reset(): void;
}

/**
 * `coefficients` are those of `ModalOscillators`, six per mode; `gains` say how loud each mode's velocity is. This
 * function refers to nothing outside itself, for its text is sent to the audio thread.
 */
export function createResonators(coefficients: Float64Array, gains: Float64Array): Resonators {
  const BLOCK = 128;
  const SILENT = 1e-30; // below this a mode rests: numbers next to 0 are slow
  const count = gains.length;
  const q = new Float64Array(count),
    v = new Float64Array(count);
  const mix = new Float64Array(BLOCK);
  const pushes = new Float64Array(BLOCK);
  let strikes: { at: number; impulses: Float64Array; length: number }[] = [];
  let active = strikes; // those that push in this block
  let position = 0;

  /** Share of a strike that falls on sample i of it. */
  function shareOf(i: number, length: number): number {
    return length === 1 ? 1 : (1 - Math.cos((2 * Math.PI * (i + 0.5)) / length)) / length;
  }

  /** Adds one mode to the mix; `pushes` from sample `first` to `last` are added to its velocity. */
  function addMode(k: number, samples: number, first: number, last: number): void {
    const o = 6 * k;
    const a0 = coefficients[o],
      a1 = coefficients[o + 1],
      a2 = coefficients[o + 2],
      a3 = coefficients[o + 3];
    const gain = gains[k];
    let x = q[k],
      y = v[k];
    for (let i = 0; i < samples; i++) {
      if (i >= first && i < last) y += pushes[i];
      mix[i] += gain * y;
      const next = a0 * x + a1 * y;
      y = a2 * x + a3 * y;
      x = next;
    }
    const isQuiet = Math.abs(y) < SILENT && Math.abs(a2 * x) < SILENT;
    q[k] = isQuiet ? 0 : x;
    v[k] = isQuiet ? 0 : y;
  }

  /** The pushes on mode k in this block: true when there are any. */
  function gatherPushes(k: number, first: number, last: number): boolean {
    let any = false;
    for (let i = first; i < last; i++) pushes[i] = 0;
    for (const { at, impulses, length } of active) {
      const from = Math.max(first, at - position),
        to = Math.min(last, at + length - position);
      if (impulses[k] === 0 || from >= to) continue;
      any = true;
      for (let i = from; i < to; i++) pushes[i] += impulses[k] * shareOf(position + i - at, length);
    }
    return any;
  }

  return {
    count,
    get position() {
      return position;
    },
    get pending() {
      return strikes.length;
    },
    strike(at, impulses, length) {
      const first = Math.max(position, Math.round(at));
      strikes.push({ at: first, impulses, length: Math.max(1, Math.round(length)) });
    },
    play(out, offset, samples) {
      let first = samples,
        last = 0;
      active = strikes.filter(({ at }) => at < position + samples);
      for (const { at, length } of active) {
        first = Math.min(first, Math.max(0, at - position));
        last = Math.max(last, Math.min(samples, at + length - position));
      }
      mix.fill(0);
      for (let k = 0; k < count; k++) {
        const isStruck = first < last && gatherPushes(k, first, last);
        if (isStruck) addMode(k, samples, first, last);
        else if (q[k] !== 0 || v[k] !== 0) addMode(k, samples, 0, 0);
      }
      for (let i = 0; i < samples; i++) out[offset + i] = mix[i];
      position += samples;
      if (active.length > 0) strikes = strikes.filter(({ at, length }) => at + length > position);
    },
    reset() {
      q.fill(0);
      v.fill(0);
      strikes = [];
    },
  };
}
