import { type Body, isBody } from '../../body/body.ts';
import { BlendDeformer } from '../../deform/blend.ts';
import { checkNumbers, checkObject, describe } from '../../mesh/check-input.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../../work/in-slices.ts';
import { type BlendPoints, readBlendPoints } from '../blend-points.ts';
import type { Certificate } from '../certificate.ts';
import { ExceptionPairs } from '../exception-pairs.ts';
import { findTouchingPairs, RestShapeDistances } from '../rest-pairs.ts';
import type { GaugeKind } from './gauge.ts';
import { createModeShapes, type Metric, MetricScaling } from './mode-shapes.ts';
import { type NodeRadii, RadiusSearch } from './node-radii.ts';
import { PairRadius } from './pair-radius.ts';
import { listPairs } from './pair-tree.ts';

export interface SubspaceCertificateOptions extends ProgressOptions {
  /**
   * `ball`: any weights. `one-sided`: morph weights, never negative. `box`: never negative, and measured against
   * `limits`. The narrower the question, the further the proof reaches. Default: ball.
   */
  gauge?: GaugeKind;
  /** M: positive weights of the modes, or a symmetric positive definite matrix (ball only). Default: the unit matrix. */
  metric?: Metric;
  /** Of the box: the largest weight of each mode. Default: 1. */
  limits?: ArrayLike<number>;
  /** Poses around which proofs are prepared; each costs as much as the first. Default: the rest pose. */
  centres?: readonly ArrayLike<number>[];
  /**
   * Gauges beyond this are of no interest: the smaller, the faster it is prepared. Default: 1 for the box, else 4 times
   * the radius of the whole body.
   */
  reach?: number;
  /** Part of the squared radius that may be given away. Default: 0.09, which keeps 95 % of the radius. */
  tolerance?: number;
  /** Pairs that touch in a centre are left out of the proofs, and always tested. Default: false. */
  ignoreRestContacts?: boolean;
}

export type AsyncSubspaceCertificateOptions = SubspaceCertificateOptions & SliceOptions;

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

/** The same in slices between which other work can run. */
export async function prepareSubspaceCertificateAsync(
  body: Body,
  options: AsyncSubspaceCertificateOptions = {},
): Promise<SubspaceCertificate> {
  return runSlices(prepareInSteps(body, options), options);
}

/** What is known around one pose. */
export interface SubspaceBall extends NodeRadii {
  readonly centre: Float64Array;
}

function* prepareInSteps(
  body: Body,
  options: SubspaceCertificateOptions,
): Generator<number, SubspaceCertificate> {
  const settings = readSettings(body, options);
  const { kind, reach, tolerance, scaling, centres } = settings;
  const { tree, resident, engine } = body;
  const points = readBlendPoints(engine.kernels.memory, resident, body.deformer as BlendDeformer);
  const balls: SubspaceBall[] = [];
  const ignored = options.ignoreRestContacts ? findContacts(tree, points, scaling, centres) : [];
  for (const centre of centres) {
    const shapes = createModeShapes(points, scaling, centre);
    const search = new RadiusSearch(tree, shapes, { kind, reach, tolerance, ignored });
    const steps = search.run();
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        balls.push({ centre, ...value });
        break;
      }
      yield (balls.length + value / tree.nodeCount) / centres.length;
    }
  }
  return new SubspaceCertificate(body, points, settings, balls, slotsOf(ignored, tree));
}

/** What a certificate is made from and what it knows, in plain arrays: see io/subspace-file.ts. */
export interface SubspaceRecord {
  readonly gauge: GaugeKind;
  readonly metric: Float64Array; // weights or a matrix; empty for the unit matrix
  readonly tolerance: number;
  readonly reach: number | undefined;
  readonly balls: readonly SubspaceBall[];
  readonly exceptions: Uint32Array; // pairs of slots
}

/** A certificate that was prepared before, for a body of which `hashOfModalBody` is the same. */
export function restoreSubspaceCertificate(body: Body, record: SubspaceRecord): SubspaceCertificate {
  const { gauge, metric, tolerance, reach, balls, exceptions } = record;
  const settings = readSettings(body, {
    gauge,
    tolerance,
    reach,
    centres: balls.map(({ centre }) => centre),
    ...(gauge !== 'box' && metric.length > 0 ? { metric } : {}),
    ...(gauge === 'box' && metric.length > 0
      ? { limits: metric.map((weight) => 1 / Math.sqrt(weight)) }
      : {}),
  });
  const { engine, resident, deformer } = body;
  const points = readBlendPoints(engine.kernels.memory, resident, deformer as BlendDeformer);
  return new SubspaceCertificate(body, points, settings, balls, exceptions);
}

/** Of everything that proofs about this body depend on: rest shape, modes, triangles and tree. */
export function hashOfModalBody(body: Body): string {
  const { engine, resident, deformer, tree } = body;
  if (!(deformer instanceof BlendDeformer)) {
    throw new InputError('unsupported', 'this body is not moved by modes');
  }
  const points = readBlendPoints(engine.kernels.memory, resident, deformer);
  const hash = new ContentHash().addText('modal body');
  for (const numbers of [points.rest, points.corners, points.firstMode, points.mode, points.displacement]) {
    hash.addNumbers(numbers);
  }
  return hash.addNumbers(tree.link).addNumbers(tree.order).finish();
}

/** Closer than this share of the diagonal, triangles touch: no proof can speak of them. */
const TOUCHING = 1e-8;

/** Pairs of slots that touch in any of the centres, s · slots + t with s < t, sorted. */
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
    const { slots } = findTouchingPairs(tree, distances, TOUCHING * distances.diagonal, Infinity);
    for (let k = 0; k < slots.length; k += 2) keys.add(slots[k] * tree.order.length + slots[k + 1]);
  }
  return [...keys].sort((i, j) => i - j);
}

function slotsOf(keys: readonly number[], { order }: Tree): Uint32Array {
  return Uint32Array.from(keys.flatMap((key) => [Math.floor(key / order.length), key % order.length]));
}

/** A little more than all weights that are allowed. */
const BOX_REACH = 1.001;

interface Settings {
  readonly kind: GaugeKind;
  readonly reach: number | undefined;
  readonly tolerance: number;
  readonly scaling: MetricScaling;
  readonly centres: readonly Float64Array[];
}

function readSettings(body: Body, options: SubspaceCertificateOptions): Settings {
  if (!isBody(body))
    throw new InputError('wrong-type', `the body must be made by an engine, not ${describe(body)}`);
  body.checkUsable();
  checkObject('options', options);
  const { deformer } = body;
  const isModal = deformer instanceof BlendDeformer && deformer.modeCount > 0 && !deformer.skinList;
  if (!isModal) {
    throw new InputError(
      'unsupported',
      'subspace certificates are for bodies moved by modes alone; use prepareBlendCertificate with a skin',
    );
  }
  const { gauge: kind = 'ball', tolerance = 0.09 } = options;
  const { reach = kind === 'box' ? BOX_REACH : undefined } = options;
  if (!['ball', 'one-sided', 'box'].includes(kind)) {
    throw new InputError('bad-option', `gauge must be ball, one-sided or box, not ${describe(kind)}`);
  }
  if (reach !== undefined && !(reach > 0))
    throw new InputError('bad-option', `reach must be more than 0, not ${describe(reach)}`);
  if (!(tolerance > 0 && tolerance < 1)) {
    throw new InputError('bad-option', `tolerance must be between 0 and 1, not ${describe(tolerance)}`);
  }
  const { modeCount } = deformer;
  const scaling = new MetricScaling(
    modeCount,
    kind === 'box' ? weightsOfLimits(modeCount, options) : options.metric,
  );
  if (kind !== 'ball' && !scaling.isDiagonal) {
    throw new InputError('bad-option', 'metric must be weights of the modes when their sign matters');
  }
  return { kind, reach, tolerance, scaling, centres: readCentres(modeCount, kind, options.centres) };
}

/** 1 / b², so that scaled weights are q / b. */
function weightsOfLimits(
  modeCount: number,
  { metric, limits }: SubspaceCertificateOptions,
): Metric | undefined {
  if (metric !== undefined) throw new InputError('bad-option', 'the box has limits instead of a metric');
  if (limits === undefined) return undefined;
  if (limits.length !== modeCount) {
    throw new InputError('bad-option', `limits must be ${modeCount} numbers, not ${limits.length}`);
  }
  return Array.from(limits, (limit, m) => {
    if (limit > 0 && limit < Infinity) return 1 / (limit * limit);
    throw new InputError('bad-option', `limits[${m}] must be a positive number, not ${describe(limit)}`);
  });
}

function readCentres(
  modeCount: number,
  kind: GaugeKind,
  centres: readonly ArrayLike<number>[] | undefined,
): Float64Array[] {
  if (centres === undefined) return [new Float64Array(modeCount)];
  if (!Array.isArray(centres) || centres.length === 0) {
    throw new InputError('bad-option', 'centres must be a list of at least one pose');
  }
  return centres.map((centre, k) => {
    checkNumbers(`centres[${k}]`, centre, modeCount);
    const values = Float64Array.from(centre as ArrayLike<number>);
    // Away from 0 the weights that count are q − q_k, which may be negative: the proof would not cover them.
    if (kind === 'ball' || values.every((q) => q === 0)) return values;
    throw new InputError(
      'bad-option',
      `centres[${k}]: one-sided and box proofs are about the rest pose only`,
    );
  });
}

/** See `prepareSubspaceCertificate`. */
export class SubspaceCertificate implements Certificate {
  readonly tree: Tree;
  /** It reads the pose of this body. */
  readonly body: Body;
  readonly gauge: GaugeKind;
  readonly balls: readonly SubspaceBall[];
  /** Asking is cheaper than any test. */
  readonly smallest = 2;
  /** Bytes of typed arrays it holds. */
  readonly bytes: number;

  /** @internal */ readonly record: SubspaceRecord;
  readonly #deformer: BlendDeformer;
  readonly #points: BlendPoints;
  readonly #scaling: MetricScaling;
  readonly #exceptions: ExceptionPairs;
  readonly #gauges: Float64Array; // per ball, of the pose or of the farther end of a motion; NaN proves nothing
  readonly #scaled: Float64Array;
  readonly #pairs: (PairRadius | undefined)[] = []; // per ball, made when asked for
  #epoch = -1;
  #swept = false;

  /** Use `prepareSubspaceCertificate`. */
  constructor(
    body: Body,
    points: BlendPoints,
    { kind, scaling, reach, tolerance }: Settings,
    balls: readonly SubspaceBall[],
    exceptions: Uint32Array,
  ) {
    this.body = body;
    this.tree = body.tree;
    this.gauge = kind;
    this.balls = balls;
    this.#deformer = body.deformer as BlendDeformer;
    this.#points = points;
    this.#scaling = scaling;
    this.#exceptions = new ExceptionPairs(this.tree, exceptions);
    this.record = { gauge: kind, metric: scaling.metric, tolerance, reach, balls, exceptions };
    this.#gauges = new Float64Array(balls.length).fill(Number.NaN);
    this.#scaled = new Float64Array(scaling.modeCount);
    const arrays = balls.flatMap(({ lower, upper, between, nearest, centre, pairs }) => [
      lower,
      upper,
      between,
      nearest,
      centre,
      ...Object.values(pairs as unknown as Record<string, Uint32Array>),
    ]);
    this.bytes = [...arrays, exceptions].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** A proof for a motion holds for its start: while a query runs inside another, the stronger one is given. */
  begin(swept: boolean): void {
    this.body.checkUsable();
    const { epoch, hasMotion } = this.#deformer;
    const isFresh = this.#epoch === epoch;
    const isAlone = this.body.engine.queries <= 2; // a self-query counts its body twice
    const wanted = (swept && hasMotion) || (!isAlone && this.#swept && isFresh);
    if (isFresh && this.#swept === wanted) return;
    this.#epoch = epoch;
    this.#swept = wanted;
    for (let k = 0; k < this.balls.length; k++) {
      const start = this.#gaugeOf(k, 0);
      this.#gauges[k] = wanted ? larger(start, this.#gaugeOf(k, 1)) : start;
    }
  }

  clears(a: number, b: number): boolean {
    const gauges = this.#gauges;
    for (let k = 0; k < gauges.length; k++) {
      const ball = this.balls[k];
      if (a === b ? gauges[k] < ball.lower[a] : b === a + 1 && gauges[k] < ball.between[a]) return true;
    }
    return false;
  }

  listOpen(open: PairBuffer, exceptions: PairBuffer, most: number): boolean {
    let best = -1,
      least = 1;
    for (let k = 0; k < this.balls.length; k++) {
      const share = this.#gauges[k] / this.balls[k].limit; // 0 / 0 proves nothing
      if (!(share < least)) continue;
      least = share;
      best = k;
    }
    if (best < 0) return false;
    return listPairs(this.balls[best].pairs, this.#gauges[best], this.tree.order, most, open, exceptions);
  }

  exceptions(a: number, b: number, out: PairBuffer): void {
    this.#exceptions.list(a, b, out);
  }

  /**
   * How far the pose is from a centre, in units of `balls[k].lower`. NaN when proofs do not speak of such poses: some
   * weights are negative that may not be, or points are so far away that rounding may close a gap.
   */
  gaugeOfPose(k = 0): number {
    return this.#gaugeOf(k, 0);
  }

  #gaugeOf(k: number, end: 0 | 1): number {
    const { centre, thickness } = this.balls[k];
    const { f64 } = this.body.engine.kernels.memory;
    const o = this.#deformer.weightsAddress(end) >>> 3;
    const q = this.#scaled;
    let reach = this.#points.largestCoordinate;
    for (let m = 0; m < q.length; m++) {
      q[m] = f64[o + m] - centre[m];
      reach += Math.abs(f64[o + m]) * this.#points.largestDisplacement[m];
    }
    // Rounding of posed points, and of those at the centre, on both sides of a gap.
    if (!(4 * Math.sqrt(3) * (q.length + 4) * 2 ** -53 * reach <= thickness)) return Number.NaN;
    if (this.gauge !== 'ball' && !areWeights(q)) return Number.NaN;
    this.#scaling.scale(q);
    return gaugeOf(this.gauge, q) * (1 + 1e-12);
  }

  /**
   * The nearest pose in which something under a node touches, as far as is known: its gauge is `balls[k].upper[node]`.
   * Undefined when none was found.
   */
  findContactPose(node = ROOT, k = 0): Float64Array | undefined {
    const { upper, nearest, centre } = this.balls[k];
    if (!(upper[node] > 0 && upper[node] < Infinity)) return upper[node] === 0 ? centre.slice() : undefined;
    this.#pairs[k] ??= new PairRadius(createModeShapes(this.#points, this.#scaling, centre), this.gauge);
    const pair = this.#pairs[k];
    pair.load(nearest[2 * node], nearest[2 * node + 1]);
    pair.search(Infinity, 0.99);
    const q = new Float64Array(this.#scaling.modeCount);
    pair.readWitness(q);
    this.#scaling.unscale(q);
    for (let m = 0; m < q.length; m++) q[m] += centre[m];
    return q;
  }
}

function larger(a: number, b: number): number {
  return a >= b ? a : b >= a ? b : Number.NaN;
}

/** None negative, none not a number. */
function areWeights(q: Float64Array): boolean {
  for (let m = 0; m < q.length; m++) if (!(q[m] >= 0)) return false;
  return true;
}

function gaugeOf(kind: GaugeKind, q: Float64Array): number {
  let squares = 0,
    most = 0;
  for (let m = 0; m < q.length; m++) {
    squares += q[m] * q[m];
    most = q[m] > most ? q[m] : most;
  }
  return kind === 'box' ? most : Math.sqrt(squares);
}
