import { type Body, checkBody } from '../../body/body.ts';
import { type BlendHandles, isBlend } from '../../deform/handles.ts';
import { checkNumbers, type NumberArray } from '../../mesh/check-input.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { PairBuffer } from '../../report/pair-buffer.ts';
import { ROOT, type Tree } from '../../tree/tree.ts';
import { type BlendPoints, readBlendPoints } from '../blend-points.ts';
import type { Certificate } from '../certificate.ts';
import { CertificateLife } from '../certificate-life.ts';
import { ExceptionPairs } from '../exception-pairs.ts';
import { PoseWatch } from '../pose-watch.ts';
import type { GaugeKind } from './gauge.ts';
import { createModeShapes, type MetricScaling } from './mode-shapes.ts';
import type { NodeRadii } from './node-radii.ts';
import { OpenPairs } from './open-pairs.ts';
import { PairRadius } from './pair-radius.ts';
import { pullInside } from './pull-inside.ts';
import { readSettings, type Settings } from './subspace-settings.ts';

/** What is known around one pose. */
export interface SubspaceBall extends NodeRadii {
  readonly centre: Float64Array;
}

/** What a certificate is made from and what it knows, in plain arrays: see io/subspace-file.ts. */
export interface SubspaceRecord {
  readonly gauge: GaugeKind;
  readonly metric: Float64Array; // weights or a matrix; empty for the unit matrix
  readonly planeMetric: Float64Array; // the same for planes; empty when it is as `metric`
  readonly tolerance: number;
  readonly reach: number | undefined;
  readonly balls: readonly SubspaceBall[];
  readonly exceptions: Uint32Array; // pairs of slots
}

/** A certificate that was prepared before, for a body of which `hashOfModalBody` is the same. */
export function restoreSubspaceCertificate(body: Body, record: SubspaceRecord): SubspaceCertificate {
  const { gauge, metric, planeMetric, tolerance, reach, balls, exceptions } = record;
  const settings = readSettings(body, {
    gauge,
    tolerance,
    reach,
    centres: balls.map(({ centre }) => centre),
    ...(gauge !== 'box' && metric.length > 0 ? { metric } : {}),
    ...(planeMetric.length > 0 ? { planeMetric } : {}),
    ...(gauge === 'box' && metric.length > 0
      ? { limits: metric.map((weight) => 1 / Math.sqrt(weight)) }
      : {}),
  });
  const { engine, resident, deformer } = body;
  const points = readBlendPoints(engine.kernels.memory, resident, deformer.handles as BlendHandles);
  return new SubspaceCertificate(body, points, settings, balls, exceptions);
}

/** Of everything that proofs about this body depend on: rest shape, modes, triangles and tree. */
export function hashOfModalBody(body: Body): string {
  const { engine, resident, deformer, tree } = body;
  const { handles } = deformer;
  if (!isBlend(handles)) {
    throw new InputError('unsupported', 'this body is not moved by modes');
  }
  const points = readBlendPoints(engine.kernels.memory, resident, handles);
  const hash = new ContentHash().addText('modal body');
  for (const numbers of [points.rest, points.corners, points.firstMode, points.mode, points.displacement]) {
    hash.addNumbers(numbers);
  }
  return hash.addNumbers(tree.link).addNumbers(tree.order).finish();
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
  readonly #handles: BlendHandles;
  readonly #settings: Settings;
  readonly #open: readonly OpenPairs[]; // per ball
  readonly #points: BlendPoints;
  readonly #scaling: MetricScaling;
  readonly #planeScaling: MetricScaling;
  readonly #watch: PoseWatch;
  readonly #life: CertificateLife;
  readonly #exceptions: ExceptionPairs;
  readonly #gauges: Float64Array; // per ball, of the pose or of the farther end of a motion; NaN proves nothing
  readonly #starts: readonly Float64Array[]; // per ball: the pose in scaled modes, around the centre
  readonly #ends: readonly Float64Array[];
  readonly #planeStart: Float64Array; // of the ball that is asked, in the units of planes
  readonly #planeEnd: Float64Array;
  readonly #pairs: (PairRadius | undefined)[] = []; // per ball, made when asked for

  /** Use `prepareSubspaceCertificate`. */
  constructor(
    body: Body,
    points: BlendPoints,
    settings: Settings,
    balls: readonly SubspaceBall[],
    exceptions: Uint32Array,
    open?: readonly OpenPairs[],
  ) {
    const { kind, scaling, planeScaling, reach, tolerance } = settings;
    this.#settings = settings;
    this.body = body;
    this.tree = body.tree;
    this.gauge = kind;
    this.balls = balls;
    this.#handles = body.deformer.handles as BlendHandles;
    this.#points = points;
    this.#scaling = scaling;
    this.#planeScaling = planeScaling;
    this.#watch = new PoseWatch(body);
    this.#exceptions = new ExceptionPairs(this.tree, exceptions);
    const planeMetric = planeScaling === scaling ? new Float64Array(0) : planeScaling.metric;
    this.record = { gauge: kind, metric: scaling.metric, planeMetric, tolerance, reach, balls, exceptions };
    this.#open =
      open ?? balls.map(({ pairs }) => new OpenPairs(body.engine.kernels, pairs, scaling.modeCount));
    this.#life = new CertificateLife(this, body, this.#open);
    this.#gauges = new Float64Array(balls.length).fill(Number.NaN);
    this.#starts = balls.map(() => new Float64Array(scaling.modeCount));
    this.#ends = balls.map(() => new Float64Array(scaling.modeCount));
    this.#planeStart = new Float64Array(scaling.modeCount);
    this.#planeEnd = new Float64Array(scaling.modeCount);
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

  /** The same proofs for another body of the engine with the same mesh and modes; they share what was prepared. */
  forBody(body: Body): SubspaceCertificate {
    checkBody('the body', body);
    this.#life.check();
    if (body.deformer.handles?.lists !== this.#handles.lists) {
      throw new InputError(
        'mismatch',
        'this body has another mesh or other modes than the certificate is about',
      );
    }
    const { exceptions } = this.record;
    return new SubspaceCertificate(body, this.#points, this.#settings, this.balls, exceptions, this.#open);
  }

  /**
   * Frees its memory; the body does without it from then on. Using it afterwards throws; a second call does nothing. Error
   * 'busy' while a query uses the body.
   */
  dispose(): void {
    this.#life.end();
    this.#gauges.fill(Number.NaN); // which proves nothing
  }

  get isDisposed(): boolean {
    return this.#life.hasEnded;
  }

  begin(swept: boolean): void {
    this.#life.check();
    if (!this.#watch.begin(swept)) return;
    for (let k = 0; k < this.balls.length; k++) {
      const start = this.#gaugeOf(k, 0);
      this.#gauges[k] = this.#watch.swept ? larger(start, this.#gaugeOf(k, 1)) : start;
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
    const { swept } = this.#watch;
    let planeGauge = this.#gauges[best],
      start = this.#starts[best],
      end = this.#ends[best];
    if (this.#planeScaling !== this.#scaling) {
      start = this.#planeStart;
      end = this.#planeEnd;
      planeGauge = this.#planeGaugeOf(best, 0, start);
      if (swept) planeGauge = larger(planeGauge, this.#planeGaugeOf(best, 1, end));
      if (!(planeGauge <= this.balls[best].planeLimit)) return false;
    }
    return this.#open[best].list(
      this.#gauges[best],
      planeGauge,
      start,
      swept ? end : undefined,
      this.tree.order,
      most,
      open,
      exceptions,
    );
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

  /**
   * The nearest pose, as the certificate measures it, in which nothing under a node can touch: `q` itself where that is
   * known of it. Undefined when nothing is known of any pose. Keeping a simulation there is a contact response that costs
   * next to nothing (SSCC §4).
   */
  closestClear(q: NumberArray, node = ROOT): Float64Array | undefined {
    checkNumbers('q', q, this.#scaling.modeCount);
    let closest: Float64Array | undefined,
      least = Infinity;
    for (const { lower, centre } of this.balls) {
      if (!(lower[node] > 0)) continue;
      const pose = Float64Array.from(centre, (c, m) => q[m] - c);
      this.#scaling.scale(pose);
      const before = pose.slice();
      const moved = pullInside(this.gauge, pose, lower[node]);
      if (!(moved < least)) continue;
      least = moved;
      if (pose.every((x, m) => x === before[m])) return Float64Array.from(q as ArrayLike<number>);
      this.#scaling.unscale(pose);
      closest = pose.map((x, m) => x + centre[m]);
    }
    return closest;
  }

  #gaugeOf(k: number, end: 0 | 1): number {
    const { centre, thickness } = this.balls[k];
    const { f64 } = this.body.engine.kernels.memory;
    const o = this.#handles.weightsAddress(end) >>> 3;
    const q = (end === 0 ? this.#starts : this.#ends)[k];
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

  #planeGaugeOf(k: number, end: 0 | 1, q: Float64Array): number {
    const { f64 } = this.body.engine.kernels.memory;
    const o = this.#handles.weightsAddress(end) >>> 3;
    const { centre } = this.balls[k];
    for (let m = 0; m < q.length; m++) q[m] = f64[o + m] - centre[m];
    this.#planeScaling.scale(q);
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
    pair.solveWhole(Infinity);
    const { upper: ofWhole } = pair;
    pair.search(Infinity, 0.99);
    if (Math.min(ofWhole, pair.upper) === Infinity) return undefined; // it was found by chance, far away
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
