import type { Body } from '../../body/body.ts';
import type { BlendHandles } from '../../deform/handles.ts';
import { checkLongWork, runSlices, runSteps, type SliceOptions } from '../../long-work/in-slices.ts';
import { type PoolOption, readPool } from '../../long-work/task-pool.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import type { Tree } from '../../tree/tree.ts';
import { type BlendPoints, readBlendPoints } from '../blend-points.ts';
import { findTouchingPairs, RestShapeDistances } from '../rest-pairs.ts';
import { fitInSteps } from './fit-metric.ts';
import { createModeShapes, type MetricScaling } from './mode-shapes.ts';
import { type BallParts, openParts } from './part-store.ts';
import { findRadii, findRadiiInPool, type RadiusRequest } from './prepare-radii.ts';
import { hashOfModalBody, type SubspaceBall, SubspaceCertificate } from './subspace-certificate.ts';
import { readSettings, type Settings, type SubspaceCertificateOptions } from './subspace-settings.ts';

export type AsyncSubspaceCertificateOptions = SubspaceCertificateOptions & SliceOptions & PoolOption;

/**
 * Proofs that parts of a body deformed by modes, x = p + Uq, do not touch themselves, however the weights are chosen
 * within a radius (SSCC, Barbič & James 2010, with the corrections of CERTIFICATES §1). At run time a node costs one
 * comparison.
 */
export function prepareSubspaceCertificate(
  body: Body,
  options: SubspaceCertificateOptions = {},
): SubspaceCertificate {
  return runSteps(prepareInSteps(body, options), options);
}

/**
 * The same in slices between which other work can run, or with `pool` in workers, all of them at once. The result is
 * the same to the last bit.
 */
export async function prepareSubspaceCertificateAsync(
  body: Body,
  options: AsyncSubspaceCertificateOptions = {},
): Promise<SubspaceCertificate> {
  const pool = readPool(options);
  if (pool === undefined) return runSlices(prepareInSteps(body, options), options);
  checkLongWork(options);
  const { signal, slice, onProgress } = options;
  const fitting = fitted(body, options);
  const fitShare = options.fit ? FIT : 0;
  const preparation = new Preparation(body, await runSlices(fitting, { signal, slice, onProgress }));
  const balls: SubspaceBall[] = [];
  for (const [k, centre] of preparation.centres.entries()) {
    const radii = await findRadiiInPool(preparation.request(k), pool, {
      signal,
      slice,
      onProgress: (share) =>
        onProgress?.(fitShare + ((1 - fitShare) * (k + share)) / preparation.centres.length),
    });
    balls.push({ centre, ...radii });
  }
  return preparation.finish(balls);
}

function* prepareInSteps(
  body: Body,
  options: SubspaceCertificateOptions,
): Generator<number, SubspaceCertificate> {
  const preparation = new Preparation(body, yield* fitted(body, options));
  const fitShare = options.fit ? FIT : 0;
  const balls: SubspaceBall[] = [];
  for (const [k, centre] of preparation.centres.entries()) {
    const steps = findRadii(preparation.request(k));
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        balls.push({ centre, ...value });
        break;
      }
      yield fitShare + ((1 - fitShare) * (k + value)) / preparation.centres.length;
    }
  }
  return preparation.finish(balls);
}

/** The share of the work that fitting the metric is, for progress only. */
const FIT = 0.2;

/** Options with the metric that was asked for. */
function* fitted(
  body: Body,
  options: SubspaceCertificateOptions,
): Generator<number, SubspaceCertificateOptions> {
  if (!options.fit) return options;
  const { planeScaling } = readSettings(body, options);
  const { metric } = options;
  const steps = fitInSteps(body, metric === undefined ? {} : { metric });
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      const planeMetric = planeScaling.matrix();
      return { ...options, metric: value, planeMetric };
    }
    yield FIT * value;
  }
}

/** What comes before the radii, and after them. */
class Preparation {
  readonly centres: readonly Float64Array[];
  readonly #body: Body;
  readonly #settings: Settings;
  readonly #points: BlendPoints;
  readonly #ignored: readonly number[];
  readonly #parts: readonly BallParts[];

  constructor(body: Body, options: SubspaceCertificateOptions) {
    const settings = readSettings(body, options);
    const { scaling, centres } = settings;
    this.centres = centres;
    this.#body = body;
    this.#settings = settings;
    this.#points = readBlendPoints(
      body.engine.kernels.memory,
      body.resident,
      body.deformer.handles as BlendHandles,
    );
    this.#ignored = options.ignoreRestContacts ? findContacts(body.tree, this.#points, scaling, centres) : [];
    this.#parts = openParts(options, centres.length, () => this.#hashes());
  }

  /** Radii around centre `k`. */
  request(k: number): RadiusRequest {
    const { kind, reach, effort, tolerance, budget, scaling, planeScaling, centres } = this.#settings;
    const shapes = createModeShapes(this.#points, scaling, centres[k]);
    const isSame = planeScaling === scaling;
    return {
      tree: this.#body.tree,
      shapes,
      planeShapes: isSame ? shapes : createModeShapes(this.#points, planeScaling, centres[k]),
      planeShare: isSame ? 1 : shareOfPlanes(scaling, planeScaling),
      kind,
      reach,
      effort,
      tolerance,
      budget,
      ignored: this.#ignored,
      parts: this.#parts[k],
    };
  }

  finish(balls: readonly SubspaceBall[]): SubspaceCertificate {
    const exceptions = slotsOf(this.#ignored, this.#body.tree);
    return new SubspaceCertificate(this.#body, this.#points, this.#settings, balls, exceptions);
  }

  /** Of all that parts depend on, for each centre. */
  #hashes(): string[] {
    const { kind, reach, effort, tolerance, budget, scaling, centres } = this.#settings;
    const body = hashOfModalBody(this.#body);
    return centres.map((centre) => {
      const hash = new ContentHash()
        .addText(body)
        .addText(kind)
        .addNumbers(scaling.metric)
        .addNumbers(centre);
      hash.addNumbers(Float64Array.of(reach ?? -effort, tolerance, budget));
      return hash.addNumbers(Float64Array.from(this.#ignored)).finish();
    });
  }
}

/** Times the mean over all directions: planes say nothing about poses that go further. */
const FARTHEST = 2;

/** How far poses may go in the units of planes, per gauge. */
function shareOfPlanes(scaling: MetricScaling, planeScaling: MetricScaling): number {
  const r = scaling.modeCount;
  let trace = 0;
  for (let k = 0; k < r; k++) {
    const q = new Float64Array(r);
    q[k] = 1;
    planeScaling.unscale(q);
    scaling.scale(q);
    for (let m = 0; m < r; m++) trace += q[m] * q[m];
  }
  return FARTHEST * Math.sqrt(r / trace);
}

/** A node with more contacts than this per triangle between its halves is not proved: leaving them out would not pay. */
const MOST_CONTACTS = 32;
/** Closer than this share of the diagonal, triangles touch: no proof can speak of them. */
const TOUCHING = 1e-8;

/** Pairs of slots that touch in any of the centres, but for those between nodes that have too many: s · slots + t with s < t, sorted. */
function findContacts(
  tree: Tree,
  points: BlendPoints,
  scaling: MetricScaling,
  centres: readonly Float64Array[],
): number[] {
  const keys = new Set<number>();
  for (const centre of centres) {
    const { rest, corners } = createModeShapes(points, scaling, centre);
    const distances = new RestShapeDistances(tree, rest, corners);
    const { slots } = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, MOST_CONTACTS);
    for (let k = 0; k < slots.length; k += 2) keys.add(slots[k] * tree.order.length + slots[k + 1]);
  }
  return [...keys].sort((i, j) => i - j);
}

function slotsOf(keys: readonly number[], { order }: Tree): Uint32Array {
  return Uint32Array.from(keys.flatMap((key) => [Math.floor(key / order.length), key % order.length]));
}
