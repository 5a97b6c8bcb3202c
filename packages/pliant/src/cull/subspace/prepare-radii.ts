import { runSlices, type SliceOptions } from '../../long-work/in-slices.ts';
import { isShared } from '../../long-work/shared-arrays.ts';
import type { TaskKind, TaskPool } from '../../long-work/task-pool.ts';
import { InputError } from '../../mesh/input-error.ts';
import { ROOT } from '../../tree/tree.ts';
import type { GaugeKind } from './gauge.ts';
import { type JoinedRadii, type NodeRadii, RadiusPlan, radiiOfWhole } from './node-radii.ts';
import { createSpread, fitSpread } from './node-spread.ts';
import { createPairPlanes, planeStride } from './pair-planes.ts';
import type { ModeShapes } from './pair-radius.ts';
import { PairSearch } from './pair-search.ts';
import type { BallParts } from './part-store.ts';
import {
  childrenFirst,
  type PartPlace,
  RadiusBuilder,
  type RadiusPart,
  shareOut,
  splitTree,
} from './radius-parts.ts';
import type { RadiusProblem, SlotTree } from './radius-problem.ts';
import { beginReach, finishReach, type Reach, type ReachPart, searchReach } from './reach.ts';

/** What radii around one centre are asked for. */
export interface RadiusRequest {
  readonly tree: SlotTree;
  readonly shapes: ModeShapes;
  readonly planeShapes: ModeShapes;
  readonly planeShare: number;
  readonly kind: GaugeKind;
  /** Gauges beyond are of no interest. Undefined: several times what the whole body has. */
  readonly reach: number | undefined;
  /** Pairs of small nodes to look at, per triangle, when there is no `reach`. */
  readonly effort: number;
  readonly tolerance: number;
  /** The most work of each stage, per triangle: see `PairSearch.work`. */
  readonly budget: number;
  readonly ignored: readonly number[];
  readonly parts: BallParts;
}

// Shares of the work that come before and after the parts: for progress only.
const SPREAD = 0.03;
const BEFORE = 0.1;
const AFTER = 0.99;

/** On this thread, in steps that yield the share that is done. */
export function* findRadii(request: RadiusRequest): Generator<number, NodeRadii> {
  const problem = createProblem(request);
  yield* scaled(fitSpread(problem, childrenFirst(problem.tree, ROOT)), SPREAD);
  const search = new PairSearch(problem);
  const reach = request.parts.reach ?? (yield* findReach(request, problem, search));
  if (reach.isWhole) return withPlanes(problem, radiiOfWhole(problem, reach), noPlane(problem));
  const { places, plan } = planParts(request, problem, search, reach);
  const builder = new RadiusBuilder(problem.tree, search, reach.cap, problem.tolerance);
  const found: RadiusPart[] = [];
  const work = workOf(request);
  const allowed = shareOut(
    problem.tree,
    places.map((place) => [place]),
    work,
  );
  for (const [k, place] of places.entries()) {
    const known = request.parts.get(k);
    found[k] = known ?? (yield* within(builder.build(place, allowed[k]), k, places.length));
    if (!known) request.parts.keep(k, found[k]);
    yield shareOf(k + 1, places.length);
  }
  const joined = yield* at(AFTER, plan.join(found, work));
  const { a, b } = joined.pairs;
  const planes = yield* at(AFTER, findPlanes(problem, joined.limit, a, b));
  return withPlanes(problem, joined, planes);
}

function withPlanes({ planeShare }: RadiusProblem, radii: JoinedRadii, planes: Float32Array): NodeRadii {
  return { ...radii, pairs: { ...radii.pairs, planes }, planeLimit: planeShare * radii.limit };
}

function findPlanes(
  { tree, planeShapes, kind, planeShare }: RadiusProblem,
  limit: number,
  a: Uint32Array,
  b: Uint32Array,
): Generator<undefined, Float32Array> {
  return createPairPlanes(tree, planeShapes, kind, planeShare * limit, a, b);
}

/** Between the whole body and itself. */
function noPlane({ shapes }: RadiusProblem): Float32Array {
  return new Float32Array(planeStride(shapes.modeCount)).fill(-Infinity, 0, 1);
}

/** The same with workers. */
export async function findRadiiInPool(
  request: RadiusRequest,
  pool: TaskPool,
  options: SliceOptions,
): Promise<NodeRadii> {
  const { signal, slice, onProgress } = options;
  const problem = createProblem(request);
  const search = new PairSearch(problem);
  const work = workOf(request);
  try {
    const task = { signal, shared: problem };
    const { roots, above } = splitTree(problem.tree);
    const areShared = Object.values(problem.spread).every(isShared);
    if (areShared) {
      await inParallel(roots, pool.threads, (root) => pool.run(SPREAD_TASK, root, task));
    }
    const left = areShared ? above : childrenFirst(problem.tree, ROOT);
    await runSlices(scaled(fitSpread(problem, left), SPREAD), options);
    let { reach } = request.parts;
    if (reach === undefined) {
      const begun = beginReach(problem, search, request.reach, work);
      const first = await runSlices(silent(begun), { signal, slice });
      const found: ReachPart[] = [];
      const allowed = shareOut(problem.tree, first.groups, work);
      await inParallel(first.groups, pool.threads, async (places, k) => {
        const input = { places, limit: first.limit, work: allowed[k] };
        found[k] = await pool.run(REACH_TASK, input, task);
      });
      const finished = finishReach(problem, search, first, found, request.effort, work);
      reach = await runSlices(silent(finished), { signal, slice });
      request.parts.keepReach(reach);
    }
    onProgress?.(BEFORE);
    if (reach.isWhole) return withPlanes(problem, radiiOfWhole(problem, reach), noPlane(problem));
    const { cap } = reach;
    const { places, plan } = planParts(request, problem, search, reach);
    const found: RadiusPart[] = places.map((_, k) => request.parts.get(k) as RadiusPart);
    const allowed = shareOut(
      problem.tree,
      places.map((place) => [place]),
      work,
    );
    let done = found.filter((part) => part !== undefined).length;
    await inParallel(places, pool.threads, async (place, k) => {
      if (found[k] !== undefined) return;
      found[k] = await pool.run(PART_TASK, { place, cap, work: allowed[k] }, task);
      request.parts.keep(k, found[k]);
      onProgress?.(shareOf(++done, places.length));
    });
    const joined = await runSlices(silent(plan.join(found, work)), { signal, slice });
    const { a, b } = joined.pairs;
    const planes = new Float32Array(planeStride(problem.shapes.modeCount) * a.length);
    const firsts = Array.from({ length: Math.ceil(a.length / PLANES) }, (_, k) => k * PLANES);
    await inParallel(firsts, pool.threads, async (first) => {
      const input = {
        limit: joined.limit,
        a: a.slice(first, first + PLANES),
        b: b.slice(first, first + PLANES),
      };
      planes.set(await pool.run(PLANES_TASK, input, task), planeStride(problem.shapes.modeCount) * first);
    });
    return withPlanes(problem, joined, planes);
  } finally {
    pool.release(problem);
  }
}

/** Takes the next piece whenever one is done, `count` at a time. The first that fails ends it. */
async function inParallel<T>(
  pieces: readonly T[],
  count: number,
  work: (piece: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const take = async () => {
    while (next < pieces.length && !hasFailed) {
      const k = next++;
      await work(pieces[k], k).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: count }, take));
}

/** Where the points under a node and all below it are: written into the problem, which must be shared memory. */
export const SPREAD_TASK: TaskKind<number, void, RadiusProblem> = { name: 'subspace-spread' };

export interface ReachInput {
  readonly places: readonly PartPlace[];
  readonly limit: number;
  readonly work: number;
}

/** How far to look. */
export const REACH_TASK: TaskKind<ReachInput, ReachPart, RadiusProblem> = { name: 'subspace-reach' };

export interface PartInput {
  readonly place: PartPlace;
  readonly cap: number;
  readonly work: number;
}

/** One part of the radii. */
export const PART_TASK: TaskKind<PartInput, RadiusPart, RadiusProblem> = { name: 'subspace-part' };

/** Pairs of nodes whose planes are one task. */
const PLANES = 512;

export interface PlanesInput {
  readonly limit: number;
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

/** Planes between pairs of nodes. */
export const PLANES_TASK: TaskKind<PlanesInput, Float32Array, RadiusProblem> = { name: 'subspace-planes' };

/** What a worker keeps of a problem between two parts. */
export class RadiusWorker {
  readonly #problem: RadiusProblem;
  readonly #search: PairSearch;
  #builder: RadiusBuilder | undefined;

  constructor(problem: RadiusProblem) {
    this.#problem = problem;
    this.#search = new PairSearch(problem);
  }

  fitSpread(root: number): void {
    finish(fitSpread(this.#problem, childrenFirst(this.#problem.tree, root)));
  }

  findReach({ places, limit, work }: ReachInput): ReachPart {
    return finish(searchReach(this.#problem, this.#search, places, limit, work));
  }

  findPart({ place, cap, work }: PartInput): RadiusPart {
    if (this.#builder?.cap !== cap) {
      const { tree, tolerance } = this.#problem;
      this.#builder = new RadiusBuilder(tree, this.#search, cap, tolerance);
    }
    return finish(this.#builder.build(place, work));
  }

  findPlanes({ limit, a, b }: PlanesInput): Float32Array {
    return finish(findPlanes(this.#problem, limit, a, b));
  }
}

/** Of each stage: the search of the whole body, the reach, the parts, and what joins them. */
function workOf({ tree, budget }: RadiusRequest): number {
  return budget * tree.slotCount[ROOT];
}

/** Its spread is still to be fitted. */
function createProblem(request: RadiusRequest): RadiusProblem {
  const { tree, shapes, planeShapes, planeShare, kind, tolerance, ignored } = request;
  const { nodeCount, link, firstSlot, slotCount } = tree;
  return {
    tree: { nodeCount, link, firstSlot, slotCount },
    shapes,
    planeShapes,
    planeShare,
    spread: createSpread(tree, shapes),
    kind,
    tolerance,
    ignored: Float64Array.from(ignored),
  };
}

function* scaled<T>(steps: Generator<number, T>, share: number): Generator<number, T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yield share * value;
  }
}

function* findReach(
  request: RadiusRequest,
  problem: RadiusProblem,
  search: PairSearch,
): Generator<number, Reach> {
  const work = workOf(request);
  const first = yield* at(SPREAD, beginReach(problem, search, request.reach, work));
  const found: ReachPart[] = [];
  const allowed = shareOut(problem.tree, first.groups, work);
  for (const [k, places] of first.groups.entries()) {
    const share = SPREAD + ((BEFORE - SPREAD) * k) / first.groups.length;
    found.push(yield* at(share, searchReach(problem, search, places, first.limit, allowed[k])));
  }
  const reach = yield* at(BEFORE, finishReach(problem, search, first, found, request.effort, work));
  request.parts.keepReach(reach);
  return reach;
}

/** Steps of which nobody knows how many there are: `share` is done. */
function* at<T>(share: number, steps: Generator<undefined, T>): Generator<number, T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yield share;
  }
}

/** Steps that nobody is told of. */
function silent<T>(steps: Generator<undefined, T>): Generator<number, T> {
  return at(0, steps);
}

/** Stored parts have to fit: they are as many as the plan has, and of the size it asks for. */
function planParts(request: RadiusRequest, problem: RadiusProblem, search: PairSearch, reach: Reach) {
  const plan = new RadiusPlan(problem, search, reach);
  const places = plan.parts;
  for (const [index, part] of request.parts.known()) {
    const place = places[index];
    const nodes = place && place.a === place.b ? 2 * problem.tree.slotCount[place.a] - 1 : 0;
    if (place && part.radii.lower.length === nodes) continue;
    throw new InputError('mismatch', `part ${index} was made for another tree`);
  }
  return { plan, places };
}

function shareOf(done: number, count: number): number {
  return BEFORE + ((AFTER - BEFORE) * done) / count;
}

function* within<T>(steps: Generator<number, T>, done: number, count: number): Generator<number, T> {
  for (;;) {
    const { done: isDone, value } = steps.next();
    if (isDone) return value;
    yield shareOf(done + value, count);
  }
}

function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
  }
}
