import { findSelfCollisions } from 'pliant';
import type { SubspaceCertificate } from 'pliant/cull';
import type { ControlValues, FactRow } from './scene.ts';
import { FARTHEST, type Way, wayOf } from './way-controls.ts';

const ROOT = 0;
const PRECISION = 1e-4;

/**
 * Poses on a straight way out of the rest pose, measured by a certificate: at amplitude t the gauge is t times the
 * radius of the whole body. Below 1 nothing can touch; on the way to the nearest contact it appears just beyond.
 */
export class CertifiedWay {
  readonly modeCount: number;
  readonly #certificate: SubspaceCertificate;
  readonly #contact: Float64Array | undefined;
  readonly #tried: Float64Array;
  readonly #short: Float64Array;
  readonly #firsts = new Map<string, number>();

  constructor(certificate: SubspaceCertificate) {
    this.#certificate = certificate;
    this.modeCount = certificate.balls[0].centre.length;
    this.#tried = new Float64Array(this.modeCount);
    this.#short = new Float64Array(this.modeCount);
    this.#contact = certificate.findContactPose();
  }

  /** False where no contact is known; the way there is then that along the first mode. */
  get knowsContact(): boolean {
    return this.#contact !== undefined;
  }

  /** The pose at an amplitude, into `out`; negative ones go the other way. */
  place(way: Way, amplitude: number, out: Float64Array): void {
    const { lower } = this.#certificate.balls[0];
    this.#direct(way, Math.sign(amplitude), out);
    const factor = (Math.abs(amplitude) * lower[ROOT]) / this.#gaugeOf(out);
    for (let m = 0; m < out.length; m++) out[m] *= factor;
  }

  /** The amplitude at which something touches for the first time, as far as was looked: NaN when nothing does. */
  firstContact(way: Way, sign: number): number {
    const key = `${way} ${Math.sign(sign)}`;
    let first = this.#firsts.get(key);
    if (first === undefined) this.#firsts.set(key, (first = this.#search(way, Math.sign(sign))));
    return first;
  }

  #search(way: Way, sign: number): number {
    let before = 1; // proved
    for (let t = 1; t <= FARTHEST; t += t < 1.4 ? 0.01 : 0.05) {
      if (!this.#touchesAt(way, sign * t)) {
        before = t;
        continue;
      }
      let low = before,
        high = t;
      while (high - low > PRECISION) {
        const middle = (low + high) / 2;
        if (this.#touchesAt(way, sign * middle)) high = middle;
        else low = middle;
      }
      return high;
    }
    return Number.NaN;
  }

  #touchesAt(way: Way, amplitude: number): boolean {
    this.place(way, amplitude, this.#tried);
    const { body } = this.#certificate;
    body.setPose(this.#tried);
    return findSelfCollisions(body, { certificates: [this.#certificate], maxPairs: 1 }).pairCount > 0;
  }

  #direct(way: Way, sign: number, out: Float64Array): void {
    if (way === 'nearest' && this.#contact) {
      for (let m = 0; m < out.length; m++) out[m] = (sign || 1) * this.#contact[m];
      return;
    }
    out.fill(0);
    out[way === 'nearest' ? 0 : Math.min(way, out.length - 1)] = sign || 1;
  }

  /** A gauge grows in proportion, so a short vector tells it of long ones too far away for proofs. */
  #gaugeOf(q: Float64Array): number {
    const { body } = this.#certificate;
    const short = this.#short;
    for (let scale = 1; scale > 1e-12; scale /= 1024) {
      for (let m = 0; m < q.length; m++) short[m] = scale * q[m];
      body.setPose(short);
      const gauge = this.#certificate.gaugeOfPose() / scale;
      if (!Number.isNaN(gauge)) return gauge;
    }
    return Number.NaN;
  }
}

/** What the page says about a way. */
export function wayRows(certified: CertifiedWay, values: ControlValues): FactRow[] {
  const first = certified.firstContact(wayOf(values), Number(values.amplitude) < 0 ? -1 : 1);
  const text = Number.isNaN(first) ? `none up to ${FARTHEST}` : `${first.toFixed(4)} radii`;
  const isLost = values.way === 'nearest' && !certified.knowsContact;
  return [
    ...(isLost ? [['Nearest contact', 'not known: along the first instead'] as const] : []),
    ['First contact on this way', text, 'Found by trying; nothing can touch below 1'],
  ];
}
