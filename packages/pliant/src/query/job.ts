import type { Body } from '../body/body.ts';
import { LEAST_EFFORT, OPEN_TESTS, SLOWNESS, TEST_EFFORT } from '../body/effort.ts';
import type { Forecast } from '../body/forecast.ts';
import { type Certificate, NO_CERTIFICATES } from '../cull/certificate.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { BLOCK, TraversalScratch } from '../kernels/scratch.ts';
import { InputError } from '../mesh/input-error.ts';
import { createContactScratch } from '../narrow/continuous-scratch.ts';
import { type QuantisedBoxes, setFrame } from '../refit/quantised-boxes.ts';
import type { CollisionReport, Counters, Method } from '../report/collision-report.ts';
import { PairBuffer } from '../report/pair-buffer.ts';
import { type BatchWork, beginBatch, endBatch, leaveBatch, stepBatch } from './batch.ts';
import type { BodySweep } from './body-sweep.ts';
import { stepBruteForce } from './brute-force.ts';
import { hasCoarseBoxes } from './coarse-boxes.ts';
import { beginDepthFirst, endDepthFirst, leaveDepthFirst, stepDepthFirst } from './depth-first.ts';
import type { Closest, DistanceSearch } from './distance.ts';
import { certificatesFor, listOpenPairs } from './job-certificates.ts';
import { forgetHit, rememberHit, triesLastHit } from './last-hit.ts';
import { leaveExceptions, testExceptions, testFolds } from './narrow-phase.ts';
import { beginOnDemand, leaveOnDemand, stepOnDemand } from './on-demand.ts';
import type { SelfCollisionOptions } from './options.ts';
import { noteStart, Side, spentOn, volumesOf } from './side.ts';

/**
 * A query under way. It is worked off in steps, so that it can be given a budget, be interrupted, or take turns
 * with other work; between two steps everything it knows is here. Jobs are kept and used again: a query in a
 * loop allocates nothing.
 */
export class Job implements BatchWork {
  readonly kernels: Kernels;
  readonly scratch: TraversalScratch;
  readonly a = new Side();
  readonly b = new Side();
  readonly contactScratch = createContactScratch();
  readonly exceptions = new PairBuffer();

  readonly box = new Float64Array(6); // scratch: the region of the query
  readonly otherBox = new Float64Array(6);
  /** A region in which boxes are quantised, larger than this query's: boxes then serve several queries. */
  region: Float64Array | undefined;
  /** The broad phase of queries about many bodies. */
  sweep: BodySweep | undefined;
  readonly frame = new Float64Array(6);
  /** Boxes that a certificate is to fit, see batch.ts. */
  boxes!: QuantisedBoxes;

  /** What is asked: touching pairs, pairs at most `reach` apart, or the nearest pair. */
  reach = 0;
  isNearest = false;
  readonly closest: Closest = { distance: Infinity, i: -1, j: -1, points: new Float64Array(6) };
  readonly witnesses = new Float64Array(6);
  #distances: DistanceSearch | undefined;

  isSelf = false;
  continuous = false;
  adjacent = false;
  stopAtFirst = false;
  method: Method = 'batch';
  certificates: readonly Certificate[] = NO_CERTIFICATES;
  /** What is left to look at is in `pending` already. */
  hasOpenList = false;
  /** A certificate that is told what was tested, see batch.ts. */
  learner: Certificate | undefined;
  report!: CollisionReport;
  onPair: SelfCollisionOptions['onPair'];
  /** Indices of the two bodies among several, for `onPair`. */
  indexA = 0;
  indexB = 0;
  isCancelled = false;

  /** Pairs on the stack and in the leaf list of the scratch memory. */
  depth = 0;
  leafCount = 0;
  /** How many of those on the stack, from below, are pairs of small nodes whose boxes are not known; see on-demand.ts. */
  smallPairs = 0;
  /** Where a list of untested pairs is being read; see batch.ts. */
  readonly innerRanges = new PairBuffer();
  readonly leafRanges = new PairBuffer();
  readonly pending = new PairBuffer();
  /** Nodes still to be asked certificates about, each with a 0: an array that shrinks would be thrown away. */
  readonly nodeStack = new PairBuffer();
  /** See narrow-phase.ts. */
  foldLabels = new Uint32Array(0);
  /** Pairs that a purely depth-first traversal can have on the stack. */
  reserve = 0;
  phase = 0;
  range = 0;
  cursor = 0;
  /** What an on-demand query may spend before it changes over to batch, see body/effort.ts. */
  effortLimit = Infinity;
  /** True when the kernels go through the tree; see on-demand.ts. */
  runsInKernel = false;
  /** Volumes the bounds had computed before this query. */
  volumesBefore = 0;

  #deadline = Infinity;
  #nodePairLimit = Infinity;
  #evaluated = 0;
  #testsBefore = 0;
  #trianglesBefore = 0;
  #mayShare = false;
  readonly #views = new Map<number, Float64Array>(); // of points, by address
  #round = 0; // counts queries, those about many bodies as one

  constructor(kernels: Kernels) {
    this.kernels = kernels;
    this.scratch = new TraversalScratch(kernels.memory);
  }

  /** What the next `begin` is about. */
  seek(what: 'touching'): void;
  seek(what: 'close' | 'nearest', reach: number, distances: DistanceSearch): void;
  seek(what: 'touching' | 'close' | 'nearest', reach = 0, distances?: DistanceSearch): void {
    this.region = undefined;
    this.#round = (this.#round + 1) & 0x3fffffff;
    this.isNearest = what === 'nearest';
    this.reach = reach;
    this.#distances = distances;
  }

  /** Sets everything up and does nothing yet. `isSelf` when a === b. */
  begin(a: Body, b: Body, isSelf: boolean, options: SelfCollisionOptions, stopAtFirst: boolean): void {
    const { continuous = false, adjacent = false, method = 'auto' } = options;
    const certificates = certificatesFor(options.certificates, a, isSelf);
    if (adjacent && continuous) {
      throw new InputError('unsupported', 'adjacent: true is not available for continuous queries');
    }
    this.isSelf = isSelf;
    this.continuous = continuous;
    this.adjacent = adjacent && isSelf;
    this.certificates = certificates;
    if (isSelf && options.certificates === undefined) this.report.culling = a.culling;
    this.stopAtFirst = stopAtFirst;
    this.onPair = options.onPair;
    this.isCancelled = false;
    this.exceptions.clear();
    this.depth = this.leafCount = this.phase = this.range = this.cursor = 0;
    this.#setSide(this.a, a);
    this.#setSide(this.b, b);
    this.reserve = 4 * (a.tree.levelStart.length + b.tree.levelStart.length);
    this.scratch.ensureStack(8 * BLOCK + 2 * this.reserve);
    this.#evaluated = this.#countEvaluated();
    this.#testsBefore = this.report.counters.nodePairsTested;
    this.#trianglesBefore = this.report.counters.trianglePairsTested;
    this.learner = undefined;
    a.enterQuery();
    b.enterQuery();
    try {
      for (const certificate of certificates) certificate.begin(continuous);
      this.hasOpenList = this.#asksAtOnce(method) && listOpenPairs(this);
      this.#choose(method);
      this.#mayShare = true;
      this.report.method = this.method;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #asksAtOnce(method: 'auto' | Method): boolean {
    if (this.certificates.length === 0 || this.#distances !== undefined) return false;
    return method === 'auto' || method === 'batch' || method === 'on-demand';
  }

  /** What the budget of the whole query leaves; several jobs may share one. */
  limit(deadline: number, nodePairs: number): void {
    this.#deadline = deadline;
    this.#nodePairLimit = nodePairs;
  }

  /** Works until done (true), or until the deadline, the limit or `until` has passed (false). */
  run(until = Infinity): boolean {
    const deadline = Math.min(until, this.#deadline);
    if (this.#mayShare && deadline === Infinity && this.#nodePairLimit === Infinity) this.#share();
    while (this.#step()) {
      if (this.isCancelled) return false;
      if (this.report.counters.nodePairsTested > this.#nodePairLimit) return false;
      if (deadline < Infinity && performance.now() > deadline) return false;
    }
    return !this.isCancelled;
  }

  /** Lets other threads help, once, where nothing asks for the order or the pace of this one. */
  #share(): void {
    this.#mayShare = false;
    const { pool } = this.a.body.engine;
    if (pool === undefined || this.method !== 'batch' || this.stopAtFirst || this.onPair !== undefined)
      return;
    if (this.certificates.some(({ filter }) => filter !== undefined)) return;
    if (this.a.boxes !== undefined) pool.run(this);
  }

  get isOutOfBudget(): boolean {
    const { nodePairsTested } = this.report.counters;
    return (
      nodePairsTested > this.#nodePairLimit ||
      (this.#deadline < Infinity && performance.now() > this.#deadline)
    );
  }

  /** Ends the query wherever it stands. What was not looked at becomes `unresolved`. */
  end(isDone: boolean): void {
    try {
      if (isDone && !this.isCancelled) {
        testExceptions(this);
        this.#teach();
        if (this.stopAtFirst) forgetHit(this);
        if (this.adjacent && !(this.stopAtFirst && this.report.pairCount > 0)) testFolds(this);
      } else if (!this.stopAtFirst) {
        this.#leave();
        leaveExceptions(this);
        if (this.adjacent) this.report.addUnresolved(0, 0);
      }
    } finally {
      this.#countWork();
      this.#release();
    }
  }

  #teach(): void {
    const { nodePairsTested, trianglePairsTested } = this.report.counters;
    this.learner?.learn?.(nodePairsTested - this.#testsBefore, trianglePairsTested - this.#trianglesBefore);
  }

  #release(): void {
    endBatch(this);
    endDepthFirst(this);
    this.a.body.leaveQuery();
    this.b.body.leaveQuery();
  }

  /** A touching pair of slots. */
  add(slotA: number, slotB: number, time: number): void {
    if (this.stopAtFirst) rememberHit(this, slotA, slotB);
    const i = this.a.mesh.tree.order[slotA],
      j = this.b.mesh.tree.order[slotB];
    if (this.isSelf && j < i) this.addTriangles(j, i, time);
    else this.addTriangles(i, j, time);
  }

  addTriangles(i: number, j: number, time: number): void {
    this.report.add(i, j, time);
    if (this.stopAtFirst) this.isCancelled = true;
    if (this.onPair !== undefined && this.onPair(i, j, time, this.indexA, this.indexB) === false)
      this.isCancelled = true;
  }

  addUnresolved(a: number, b: number): void {
    if (!this.stopAtFirst) this.report.addUnresolved(a, b);
  }

  get counters(): Counters {
    return this.report.counters;
  }

  /** Reads the points again: kernel memory may have grown since. */
  readPoints(): void {
    this.#readSide(this.b);
    this.#readSide(this.a);
    this.#readSide(this.b); // a's points may have been new
  }

  /** From on-demand to batch, inside a query: `pending` holds what is left to do. */
  changeToBatch(reason: string): void {
    this.#countWork();
    this.#forecastOf(this.a).noteMuch(this.#round);
    if (!this.isSelf) this.#forecastOf(this.b).noteMuch(this.#round);
    this.method = 'batch';
    this.report.method = 'batch';
    this.report.reason = reason;
    beginBatch(this, true);
  }

  free(): void {
    this.scratch.free();
  }

  #setSide(side: Side, body: Body): void {
    side.body = body;
    side.mesh = body.resident;
    side.source = this.isSelf ? body.deformer : body.world;
    side.bounds = undefined;
    side.boxes = undefined;
  }

  #readSide(side: Side): void {
    const { source, mesh } = side;
    const length = 3 * mesh.pointCount;
    const start = source.address(0),
      end = this.continuous ? source.address(1) : start; // may allocate
    side.start = this.#viewAt(start, length);
    side.end = this.#viewAt(end, length);
  }

  /** Points of bodies that move take turns in the same few places. */
  #viewAt(address: number, length: number): Float64Array {
    const { buffer } = this.kernels.memory;
    let view = this.#views.get(address);
    if (view?.buffer !== buffer || view.length !== length) {
      if (this.#views.size > MOST_VIEWS) this.#views.clear();
      view = new Float64Array(buffer, address, length);
      this.#views.set(address, view);
    }
    return view;
  }

  #choose(wanted: 'auto' | Method): void {
    this.effortLimit = Infinity;
    if (this.#distances !== undefined) {
      this.method = 'on-demand';
      this.#distances.begin(this, this.reach);
      return;
    }
    if (wanted !== 'auto') {
      this.method = wanted;
      this.report.reason = 'asked for';
    } else this.#predict();
    if (this.stopAtFirst && this.method === 'on-demand' && triesLastHit(this)) return;
    if (this.method === 'batch') {
      beginBatch(this, false);
      if (wanted === 'auto') this.#avoidCoarseBoxes();
    } else if (this.method === 'on-demand') beginOnDemand(this);
    else if (this.method === 'depth-first') beginDepthFirst(this);
    else this.readPoints();
  }

  /** From batch to depth-first, before a self-query has looked at anything, where quantised boxes tell nothing. */
  #avoidCoarseBoxes(): void {
    if (!this.isSelf || this.hasOpenList || this.learner !== undefined || !hasCoarseBoxes(this)) return;
    endBatch(this);
    this.method = 'depth-first';
    this.report.reason = 'some vertices are so far away that 16-bit boxes do not tell the others apart';
    beginDepthFirst(this);
  }

  /** On demand while it looks at few nodes; batch when volumes cost as much as positions, or much is involved. */
  #predict(): void {
    const { a, b, report } = this;
    const isCheap = a.body.hasCheapBounds && b.body.hasCheapBounds;
    if (!this.isSelf && a.mesh.mesh.triangleCount * b.mesh.mesh.triangleCount <= FEW_PAIRS) {
      this.method = 'brute-force';
      report.reason = 'a few triangles';
    } else if (!isCheap) {
      this.method = 'batch';
      report.reason = 'volumes need every vertex';
    } else if (this.isSelf && this.certificates.length === 0) {
      this.method = 'batch';
      report.reason = 'no certificate: a self-query looks at every node';
    } else if (this.hasOpenList) {
      this.#weighOpenList();
    } else if (this.#forecastOf(a).expectsMuch || this.#forecastOf(b).expectsMuch) {
      this.method = 'batch';
      report.reason = 'the last query looked at many nodes';
      this.#forecastOf(a).skip(this.#round);
      if (!this.isSelf) this.#forecastOf(b).skip(this.#round);
    } else {
      this.method = 'on-demand';
      report.reason = 'few nodes expected';
      const batch = this.#batchEffort(a) + (this.isSelf ? 0 : this.#batchEffort(b));
      if (batch === 0) {
        this.method = 'batch';
        report.reason = 'boxes are there from other bodies';
        return;
      }
      const patience = Math.min(this.#forecastOf(a).patience, this.#forecastOf(b).patience);
      this.effortLimit = Math.max(LEAST_EFFORT, patience * batch);
    }
  }

  /** What certificates leave open is known: what it costs is guessed from that, not from the last query. */
  #weighOpenList(): void {
    const { a, report, pending } = this;
    const { batch, volume } = a.body.effort;
    const isMuch = pending.count * (volume + OPEN_TESTS * TEST_EFFORT) > batch;
    this.method = isMuch ? 'batch' : 'on-demand';
    report.reason = isMuch ? 'certificates leave much open' : 'certificates leave little open';
    this.effortLimit = isMuch ? Infinity : Math.max(LEAST_EFFORT, batch);
  }

  /** Nothing where boxes have been refitted for another partner of the same round. */
  #batchEffort({ body, source }: Side): number {
    if (this.region === undefined) return body.effort.batch;
    setFrame(this.region, this.frame);
    return body.boxStore.holds(source, this.frame, this.continuous) ? 0 : body.effort.batch;
  }

  #forecastOf({ body }: Side): Forecast {
    return body.forecasts[this.stopAtFirst ? 1 : 0];
  }

  #step(): boolean {
    if (this.#distances !== undefined) return this.#distances.step(this);
    switch (this.method) {
      case 'batch':
        return stepBatch(this);
      case 'on-demand':
        return stepOnDemand(this);
      case 'depth-first':
        return stepDepthFirst(this);
      case 'brute-force':
        return stepBruteForce(this);
    }
  }

  #leave(): void {
    if (this.method === 'batch') leaveBatch(this);
    else if (this.method === 'on-demand') leaveOnDemand(this);
    else if (this.method === 'depth-first') leaveDepthFirst(this);
    else this.report.addUnresolved(0, 0);
  }

  #countWork(): void {
    const { counters } = this.report;
    const evaluated = this.#countEvaluated();
    counters.verticesDeformed += evaluated - this.#evaluated;
    this.#evaluated = evaluated;
    if (this.method !== 'on-demand') return;
    counters.volumesRefitted += this.volumesRefitted;
    if (this.effortLimit === Infinity || this.isTooMuch) return;
    this.#forecastOf(this.a).noteLittle(this.#round);
    this.#forecastOf(this.b).noteLittle(this.#round);
  }

  /** True when this query has cost more on demand than batch would. */
  get isTooMuch(): boolean {
    if (this.effortLimit === Infinity) return false;
    const { a, b } = this;
    const tests = this.report.counters.nodePairsTested - this.#testsBefore;
    let effort = TEST_EFFORT * tests + spentOn(a);
    if (a.bounds !== b.bounds) effort += spentOn(b);
    return effort * (this.runsInKernel ? 1 : SLOWNESS) > this.effortLimit;
  }

  /** Called once the bounds are known. */
  startCountingVolumes(): void {
    this.volumesBefore = this.#countVolumes();
    noteStart(this.a);
    noteStart(this.b);
  }

  /** Volumes computed by this query so far. */
  get volumesRefitted(): number {
    return this.#countVolumes() - this.volumesBefore;
  }

  #countVolumes(): number {
    const { a, b } = this;
    return volumesOf(a) + (a.bounds === b.bounds ? 0 : volumesOf(b));
  }

  #countEvaluated(): number {
    const { a, b } = this;
    return a.source.evaluated + (a.source === b.source ? 0 : b.source.evaluated);
  }
}

/** Pairs of triangles that are tested at once: less work than any volume, and bodies need no memory for those. */
const FEW_PAIRS = 4;

/** Views of points that are kept, about 150 bytes each. With fewer than bodies, they would be made anew for each pair of bodies. */
const MOST_VIEWS = 1 << 17;
