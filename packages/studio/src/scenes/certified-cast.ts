import {
  type Body,
  CollisionReport,
  type Engine,
  findSelfCollisions,
  type Modes,
  type TriangleMesh,
} from 'pliant';
import type { SubspaceCertificate } from 'pliant/cull';
import type { Cast, ControlValues, FactRow, FrameFacts } from './scene.ts';

/** Tones of bodies, and what they mean. */
export const CLEARED = 0;
export const LOOKED_INTO = 1;
const CERTIFICATE_LEGEND = [
  [CLEARED, 'cleared at once'],
  [LOOKED_INTO, 'looked into'],
] as const;

const ROOT = 0;
const ROUNDS = 8; // queries of a single body are too short for the clock
const SMOOTHING = 0.1; // weight of the newest time in its mean

/** What deforms, and where everything is: shared by the casts of a stage, which writes the poses. */
export interface CertifiedBodies {
  readonly engine: Engine;
  readonly mesh: TriangleMesh;
  readonly modes: Modes;
  readonly certificate: SubspaceCertificate | undefined;
  readonly poses: readonly Float64Array[]; // weights of the modes
  readonly places?: readonly Float64Array[]; // 3×4 matrices; none: at the origin
}

/** Bodies of one shape that are moved by modes, and what their certificate says about them. */
export class CertifiedCast implements Cast {
  readonly bodies: readonly Body[];
  readonly #shared: CertifiedBodies;
  readonly #certificates: readonly SubspaceCertificate[];
  readonly #more: () => readonly FactRow[];
  readonly #report = new CollisionReport();
  readonly #means = { with: Number.NaN, without: Number.NaN };
  #isUsed = true;
  #turn = 0;

  /** Without certificates for the traditional method. `more` rows follow those about the certificate. */
  constructor(shared: CertifiedBodies, isTraditional: boolean, more: () => readonly FactRow[]) {
    const { engine, mesh, modes, poses, certificate } = shared;
    this.#shared = shared;
    this.#more = more;
    this.bodies = poses.map(() => engine.createModalBody(mesh, modes).prepare());
    this.#certificates =
      certificate && !isTraditional ? this.bodies.map((body) => certificate.forBody(body)) : [];
    this.#certificates.forEach((own, k) => void this.bodies[k].setCertificates([own]));
  }

  /** Queries do without certificates, to compare. */
  useCertificates(isUsed: boolean): void {
    if (isUsed === this.#isUsed) return;
    this.#isUsed = isUsed;
    this.#certificates.forEach((own, k) => void this.bodies[k].setCertificates(isUsed ? [own] : []));
  }

  pose(): void {
    const { poses, places } = this.#shared;
    for (let k = 0; k < this.bodies.length; k++) {
      this.bodies[k].setPose(poses[k]);
      if (places) this.bodies[k].setWorldMatrix(places[k]);
    }
  }

  tell(): FrameFacts {
    if (this.#certificates.length === 0) return { rows: this.#more() };
    const limit = this.#certificates[0].balls[0].lower[ROOT];
    const tones = new Uint8Array(this.bodies.length);
    let cleared = 0,
      farthest = 0;
    this.#certificates.forEach((certificate, k) => {
      const gauge = certificate.gaugeOfPose();
      const isCleared = this.#isUsed && gauge < limit;
      tones[k] = isCleared ? CLEARED : LOOKED_INTO;
      if (isCleared) cleared++;
      farthest = gauge <= farthest ? farthest : gauge; // one that is not known counts as far
    });
    this.#measure();
    const whose = this.bodies.length > 1 ? 'Farthest' : undefined;
    return {
      rows: [...this.#rows(cleared), ...this.#more()],
      tones,
      gauge: { value: farthest, limit, whose },
    };
  }

  #rows(cleared: number): FactRow[] {
    const { length } = this.bodies;
    const share = `${cleared}\u00a0of\u00a0${length} (${Math.round((100 * cleared) / length)}\u00a0%)`;
    const what = length > 1 ? 'Self-queries' : 'Self-query';
    return [
      ...(length > 1 ? [['Bodies cleared at once', share, 'By one comparison each'] as const] : []),
      [`${what} with certificate`, formatTime(this.#means.with), 'Mean time, within bodies only'],
      [
        `${what} without`,
        formatTime(this.#means.without),
        'The fastest method of Pliant without certificates',
      ],
    ];
  }

  /** Times self-queries, in turn with certificates and without. */
  #measure(): void {
    const isWith = this.#turn++ % 2 === 0;
    const { poses } = this.#shared;
    const rounds = this.bodies.length > 1 ? 1 : ROUNDS;
    const start = performance.now();
    for (let round = 0; round < rounds; round++) {
      for (let k = 0; k < this.bodies.length; k++) {
        this.bodies[k].setPose(poses[k]); // or what was refitted before would help
        const certificates = isWith ? [this.#certificates[k]] : [];
        findSelfCollisions(this.bodies[k], { certificates, report: this.#report });
      }
    }
    const time = (performance.now() - start) / rounds;
    const name = isWith ? 'with' : 'without';
    const mean = this.#means[name];
    this.#means[name] = Number.isNaN(mean) ? time : mean + SMOOTHING * (time - mean);
  }
}

/** The casts of a stage, whose certificates are used or not at a time. */
export class CertifiedCasts {
  readonly #shared: CertifiedBodies;
  readonly #more: () => readonly FactRow[];
  readonly #casts: CertifiedCast[] = [];
  #isUsed: boolean;

  constructor(shared: CertifiedBodies, isUsed: boolean, more: () => readonly FactRow[]) {
    this.#shared = shared;
    this.#isUsed = isUsed;
    this.#more = more;
  }

  create(isTraditional = false): CertifiedCast {
    const cast = new CertifiedCast(this.#shared, isTraditional, this.#more);
    cast.useCertificates(this.#isUsed);
    this.#casts.push(cast);
    return cast;
  }

  /** What the stages of all these scenes have alike. `onValues` is told new settings before they are used. */
  stageParts(onValues: (values: ControlValues) => void) {
    return {
      self: true,
      legend: CERTIFICATE_LEGEND,
      notes: [],
      createCast: (isTraditional?: boolean) => this.create(isTraditional),
      setValues: (values: ControlValues) => {
        onValues(values);
        this.#useCertificates(values.certificate === true);
      },
    };
  }

  #useCertificates(isUsed: boolean): void {
    this.#isUsed = isUsed;
    for (const cast of this.#casts) cast.useCertificates(isUsed);
  }
}

/** Milliseconds as people read them. */
export function formatTime(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return '–';
  if (milliseconds < 0.1) return `${(1000 * milliseconds).toFixed(milliseconds < 0.01 ? 1 : 0)} µs`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)} ms`;
}
