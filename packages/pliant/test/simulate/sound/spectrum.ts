/** How strong the frequencies of a sound are. */
export interface Spectrum {
  /** From 0 up to half the sample rate, `step` apart. */
  readonly magnitudes: Float64Array;
  /** Hertz from one magnitude to the next: finer than what the sound tells apart. */
  readonly step: number;
  /** What a sound of this length tells apart, in hertz: one over its seconds. */
  readonly resolution: number;
}

export interface Peak {
  readonly hertz: number;
  readonly magnitude: number;
}

const FADE = 0.1; // of the sound: it ends softly, for a cut would be heard at all frequencies

/** Fourier transform of the whole sound, padded with silence to twice its length or more. */
export function createSpectrum(samples: Float32Array, sampleRate: number): Spectrum {
  const size = 2 ** Math.ceil(Math.log2(2 * samples.length));
  const re = new Float64Array(size),
    im = new Float64Array(size);
  const fade = Math.max(1, FADE * samples.length);
  for (let i = 0; i < samples.length; i++) {
    const left = Math.min(1, (samples.length - i) / fade);
    re[i] = samples[i] * (0.5 - 0.5 * Math.cos(Math.PI * left));
  }
  transform(re, im);
  return {
    magnitudes: Float64Array.from({ length: size / 2 }, (_, k) => Math.hypot(re[k], im[k])),
    step: sampleRate / size,
    resolution: sampleRate / samples.length,
  };
}

/**
 * The largest `count` peaks, largest first, no two closer than `apart` hertz. Where strikes follow each other, the line
 * of one mode is cut into fringes; `apart` counts them as one.
 */
export function findPeaks({ magnitudes: m, step }: Spectrum, count: number, apart: number): Peak[] {
  const tops: number[] = [];
  for (let k = 1; k + 1 < m.length; k++) if (m[k] > m[k - 1] && m[k] >= m[k + 1]) tops.push(k);
  tops.sort((a, b) => m[b] - m[a]);
  const peaks: Peak[] = [];
  for (const k of tops) {
    if (peaks.length === count) break;
    if (peaks.some(({ hertz }) => Math.abs(hertz - k * step) < apart)) continue;
    peaks.push({ hertz: k * step, magnitude: m[k] });
  }
  return peaks;
}

/** Which share of the peaks lies within so many hertz of one of the frequencies. */
export function shareNear(peaks: readonly Peak[], frequencies: Float64Array, within: number): number {
  const isNear = ({ hertz }: Peak) => frequencies.some((frequency) => Math.abs(frequency - hertz) <= within);
  return peaks.filter(isNear).length / peaks.length;
}

/** In place; the length is a power of two (Cooley and Tukey 1965). */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let half = 1; half < n; half *= 2) {
    for (let k = 0; k < half; k++) {
      const c = Math.cos((Math.PI * k) / half),
        s = -Math.sin((Math.PI * k) / half);
      for (let a = k; a < n; a += 2 * half) {
        const b = a + half;
        const x = c * re[b] - s * im[b],
          y = c * im[b] + s * re[b];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}
