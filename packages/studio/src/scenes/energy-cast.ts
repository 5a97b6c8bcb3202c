import { type Body, CollisionReport, type Engine, findSelfCollisions, type TriangleMesh } from 'pliant';
import { clearedSizes, type EnergyCertificate, prepareEnergyCertificateAsync } from 'pliant/cull';
import { formatTime } from './certified-cast.ts';
import { type Lease, Prepared } from './prepared.ts';
import type { Cast, FactRow, FrameFacts, Legend, SceneRequest } from './scene.ts';
import { LEVEL_COUNT, LEVEL_TONES } from './tones.ts';

const SMOOTHING = 0.1; // weight of the newest time in its mean
const SMALLEST = 32; // parts of about so many triangles have the first tone after that of what is not cleared
const LARGEST = 512; // half of what the library prepares, in half the time
const CLASSES = LEVEL_COUNT - 1; // powers of two, from the one to the other
const MEGABYTE = 1e6;
const PER_TRIANGLE = 230; // bytes, about
const SLICE = 50; // milliseconds of preparing before other requests are heard

/** Largest parts first. */
const LEVEL_LEGEND: Legend = [
  ...Array.from({ length: CLASSES }, (_, k) => {
    const size = LARGEST >> k;
    return [LEVEL_TONES + CLASSES - k, k === 0 ? `cleared ${size} at once` : String(size)] as const;
  }),
  [LEVEL_TONES, 'not cleared: searched'],
];

/** A certificate for any motion of a mesh, and what it took. */
export interface PreparedEnergy {
  readonly certificate: EnergyCertificate;
  readonly seconds: number;
}

const certificates = new Prepared<PreparedEnergy>(({ certificate }) => certificate.body.dispose());

/** Remembered by `key`, which names the mesh; bodies must be of that of the certificate. */
export function prepareEnergy(
  { engine, onProgress, signal }: SceneRequest,
  key: string,
  createMesh: () => TriangleMesh,
): Promise<Lease<PreparedEnergy>> {
  return certificates.lease(engine, key, async () => {
    const mesh = createMesh();
    const megabytes = Math.ceil((mesh.triangleCount * PER_TRIANGLE) / MEGABYTE);
    const what = `Preparing certificates for ${mesh.triangleCount.toLocaleString('en')} triangles, about ${megabytes} MB`;
    onProgress?.(what, 0);
    const start = performance.now();
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    try {
      const certificate = await prepareEnergyCertificateAsync(body, {
        maxTriangles: LARGEST,
        signal,
        slice: SLICE,
        onProgress: (share) => onProgress?.(`${what}${timeLeft(performance.now() - start, share)}`, share),
      });
      return { certificate, seconds: (performance.now() - start) / 1000 };
    } catch (error) {
      body.dispose();
      throw error;
    }
  });
}

function timeLeft(milliseconds: number, share: number): string {
  if (milliseconds < 3000 || share <= 0) return '';
  const seconds = ((milliseconds / 1000) * (1 - share)) / share;
  return seconds < 90 ? `, ${Math.ceil(seconds)} s left` : `, ${Math.round(seconds / 60)} min left`;
}

/** What deforms freely, and what stands around it: shared by the casts of a stage, which writes the poses. */
export interface FreeBodies {
  readonly engine: Engine;
  readonly mesh: TriangleMesh;
  readonly prepared: PreparedEnergy | undefined;
  readonly pose: Float64Array;
  /** Things that only move as a whole, after the first body: their meshes, and 3×4 matrices. */
  readonly props?: readonly {
    readonly mesh: TriangleMesh;
    readonly place: Float64Array;
    readonly tone: number;
  }[];
}

export interface EnergyUse {
  readonly certificate: boolean;
  readonly levels: boolean;
}

/** A body whose vertices alone are known, and what its energy certificate says about it. */
export class EnergyCast implements Cast {
  readonly bodies: readonly Body[];
  readonly #shared: FreeBodies;
  readonly #use: () => EnergyUse;
  readonly #more: () => readonly FactRow[];
  readonly #certificate: EnergyCertificate | undefined;
  readonly #report = new CollisionReport();
  readonly #means = { with: Number.NaN, without: Number.NaN };
  readonly #tones: Uint8Array;
  #ofLevels: EnergyCertificate | undefined; // asked for colours: what it is asked must not help queries
  #sizes: Uint32Array | undefined;
  #isUsed = false;
  #turn = 0;

  /** Without certificates for the traditional method. `more` rows follow those about the certificate. */
  constructor(
    shared: FreeBodies,
    isTraditional: boolean,
    use: () => EnergyUse,
    more: () => readonly FactRow[],
  ) {
    const { engine, mesh, prepared, props = [] } = shared;
    this.#shared = shared;
    this.#use = use;
    this.#more = more;
    const body = engine.createFreeBody(mesh, prepared && !isTraditional ? { split: 'connected' } : {});
    this.bodies = [body.prepare(), ...props.map((prop) => engine.createFreeBody(prop.mesh).prepare())];
    props.forEach((prop, k) => void this.bodies[k + 1].setPose(prop.mesh.positions));
    if (prepared && !isTraditional) this.#certificate = prepared.certificate.forBody(body);
    this.#tones = Uint8Array.of(0, ...props.map(({ tone }) => tone));
  }

  pose(): void {
    const { pose, props = [] } = this.#shared;
    const [body] = this.bodies;
    const isUsed = this.#use().certificate && this.#certificate !== undefined;
    if (isUsed !== this.#isUsed) body.setCertificates(isUsed ? [this.#certificate!] : []);
    this.#isUsed = isUsed;
    body.setPose(pose);
    for (let k = 0; k < props.length; k++) this.bodies[k + 1].setWorldMatrix(props[k].place);
  }

  tell(): FrameFacts {
    const { certificate, seconds } = this.#shared.prepared ?? {};
    if (certificate === undefined || this.#certificate === undefined) {
      const missing: FactRow[] = this.#use().levels ? [['Culling levels', 'need energy certificates']] : [];
      return { rows: [...missing, ...this.#more()], tones: this.#tones };
    }
    const levels = this.#use().levels ? this.#findLevels() : undefined;
    this.#measure();
    const memory = `${(certificate.bytes / MEGABYTE).toFixed(certificate.bytes < 2e7 ? 1 : 0)} MB`;
    return {
      rows: [
        [
          'Self-query with certificates',
          formatTime(this.#means.with),
          'Mean time of the deforming body alone',
        ],
        [
          'Self-query without',
          formatTime(this.#means.without),
          'Pliant without certificates, with the same tree',
        ],
        ...(levels
          ? [
              [
                'Cleared in one piece',
                levels.share,
                'Triangles in parts that are proved not to touch themselves; queries only try where it pays',
              ] as const,
            ]
          : []),
        ['Certificates', memory, `Prepared in ${seconds!.toFixed(1)} s, for any motion`],
        ...this.#more(),
      ],
      tones: this.#tones,
      ...(levels && { triangleTones: [{ mesh: 0, tones: levels.tones }], legend: LEVEL_LEGEND }),
    };
  }

  /** Tones of triangles by the largest part around them that is proved not to touch itself. */
  #findLevels(): { tones: Uint8Array; share: string } {
    this.#ofLevels ??= this.#shared.prepared!.certificate.forBody(this.bodies[0]);
    this.#sizes = clearedSizes(this.#ofLevels, this.#sizes);
    const sizes = this.#sizes;
    const tones = new Uint8Array(sizes.length);
    let cleared = 0;
    for (let t = 0; t < sizes.length; t++) {
      if (sizes[t] > 0) cleared++;
      tones[t] = LEVEL_TONES + classOf(sizes[t]);
    }
    return { tones, share: `${((100 * cleared) / sizes.length).toFixed(1)} %` };
  }

  /** Times self-queries, in turn with certificates and without. */
  #measure(): void {
    const isWith = this.#turn++ % 2 === 0;
    const [body] = this.bodies;
    const start = performance.now();
    body.setPose(this.#shared.pose); // as a frame does, and so that nothing refitted before helps
    const certificates = isWith ? [this.#certificate!] : [];
    findSelfCollisions(body, { certificates, report: this.#report });
    const time = performance.now() - start;
    const name = isWith ? 'with' : 'without';
    const mean = this.#means[name];
    this.#means[name] = Number.isNaN(mean) ? time : mean + SMOOTHING * (time - mean);
  }
}

/** 0: not cleared; then by powers of two of the size, nearest ones. */
function classOf(size: number): number {
  if (size === 0) return 0;
  return Math.max(1, Math.min(CLASSES, 1 + Math.round(Math.log2(size / SMALLEST))));
}
