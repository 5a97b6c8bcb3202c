import { LEAF } from '../../kernels/kernels.ts';
import { ROOT } from '../../tree/tree.ts';
import type { PairSearch } from './pair-search.ts';
import { halvePair, listParts, type PartPlace, partSizeOf, SMALL } from './radius-parts.ts';
import type { RadiusProblem, SlotTree } from './radius-problem.ts';

/** How far radii are looked for, and what it cost to find that out. */
export interface Reach {
  readonly cap: number;
  /** So many pairs may meet at this gauge that nothing is looked for but this: the body as a whole is free below it. */
  readonly isWhole: boolean;
  readonly evaluations: number;
  readonly cappedPairs: number;
  readonly givenUp: number;
}

/** What is known before the whole body is searched: in groups of parts that do not depend on each other. */
export interface ReachStart extends Reach {
  /** None: `cap` is known already. */
  readonly groups: readonly (readonly PartPlace[])[];
  /** The whole body has no larger radius than this. */
  readonly limit: number;
}

export interface ReachPart {
  /** At least √(1 − tolerance) of the radius, unless that is beyond the limit. */
  readonly lower: number;
  readonly evaluations: number;
  readonly cappedPairs: number;
  readonly givenUp: number;
}

/** How far beyond the radius of the whole body it may be worth knowing more. */
const BEYOND = [1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16];
const GROUPS = 32;
/** Steps of a search at a time. */
const STEPS = 4096;

/**
 * Several times the radius of the whole body is how far to look, unless `given`: as many times as is quickly done. A quick search that leaves out what
 * lies close together in the mesh gives a radius that the body does not exceed; with that in hand all parts can be
 * searched apart from each other, and none of them for longer than in one search of the whole.
 */
export function* beginReach(
  problem: RadiusProblem,
  search: PairSearch,
  given: number | undefined,
  work: number,
): Generator<undefined, ReachStart> {
  if (given !== undefined) {
    return {
      cap: given,
      isWhole: false,
      evaluations: 0,
      cappedPairs: 0,
      givenUp: 0,
      groups: [],
      limit: given,
    };
  }
  const { tree } = problem;
  const { evaluations, capped, givenUp } = search;
  search.allow(work);
  search.begin(ROOT, ROOT, Infinity, leastOf(problem), partSizeOf(tree) / 4);
  while (!search.advance(STEPS)) yield;
  const limit = search.upper;
  const parts = listParts(tree, search.spread, limit);
  const groups = Array.from({ length: Math.min(GROUPS, parts.length) }, (_, k) =>
    parts.filter((_, part) => part % GROUPS === k),
  );
  return {
    cap: Infinity,
    isWhole: false,
    evaluations: search.evaluations - evaluations,
    cappedPairs: search.capped - capped,
    givenUp: search.givenUp - givenUp,
    groups,
    limit,
  };
}

/** The least radius of a group of parts. */
export function* searchReach(
  problem: RadiusProblem,
  search: PairSearch,
  places: readonly PartPlace[],
  limit: number,
  work: number,
): Generator<undefined, ReachPart> {
  const { evaluations, capped, givenUp } = search;
  search.allow(work);
  let lower = limit;
  for (const { a, b } of places) {
    search.begin(a, b, limit, leastOf(problem));
    while (!search.advance(STEPS)) yield;
    lower = Math.min(lower, search.lower);
    yield;
  }
  return {
    lower,
    evaluations: search.evaluations - evaluations,
    cappedPairs: search.capped - capped,
    givenUp: search.givenUp - givenUp,
  };
}

/** Where something touches in the centre already, the radius is that of a part that does not. */
export function* finishReach(
  problem: RadiusProblem,
  search: PairSearch,
  start: ReachStart,
  found: readonly ReachPart[],
  effort: number,
  work: number,
): Generator<undefined, Reach> {
  const { evaluations, capped, givenUp } = search;
  search.allow(work);
  let { cap } = start;
  let isWhole = false;
  if (start.groups.length > 0) {
    const radius = found.reduce((least, { lower }) => Math.min(least, lower), start.limit);
    const unit = radius > 0 ? radius : yield* typicalRadius(problem, search);
    cap = yield* chooseCap(problem, search, unit, effort);
    isWhole = cap === 0;
    if (isWhole) cap = radius;
  }
  const all = [start, ...found];
  return {
    cap,
    isWhole,
    evaluations: all.reduce((sum, part) => sum + part.evaluations, search.evaluations - evaluations),
    cappedPairs: all.reduce((sum, part) => sum + part.cappedPairs, search.capped - capped),
    givenUp: all.reduce((sum, part) => sum + part.givenUp, search.givenUp - givenUp),
  };
}

/** 0: not even as far as the radius. Modes that can flatten the body let all neighbours meet at much the same gauge. */
function* chooseCap(
  problem: RadiusProblem,
  search: PairSearch,
  radius: number,
  effort: number,
): Generator<undefined, number> {
  const most = effort * problem.tree.slotCount[ROOT];
  const front = new PairFront(problem.tree, search);
  let cap = 0;
  for (const factor of BEYOND) {
    if (!(yield* front.isQuick(factor * radius, most))) break;
    cap = factor * radius;
  }
  return cap;
}

/** Pairs of nodes that may meet below one gauge after the other, each of which is larger. */
class PairFront {
  readonly #tree: SlotTree;
  readonly #search: PairSearch;
  #small = 0; // pairs of small nodes so far
  #waiting: ArrayLike<number>; // pairs that do not meet yet
  #bounds: ArrayLike<number>; // … and from where on they may

  /** Begins with the two children of each node, of which nothing is known. */
  constructor(tree: SlotTree, search: PairSearch) {
    this.#tree = tree;
    this.#search = search;
    const children = tree.link.filter((child) => child < LEAF);
    this.#waiting = Uint32Array.from({ length: 2 * children.length }, (_, k) => children[k >> 1] + (k & 1));
    this.#bounds = new Float64Array(children.length);
  }

  /** Whether no more than `most` pairs of small nodes may meet below a gauge. */
  *isQuick(cap: number, most: number): Generator<undefined, boolean> {
    const { slotCount } = this.#tree;
    const { spread } = this.#search;
    const waiting: number[] = [],
      bounds: number[] = [];
    const stack: number[] = [];
    let steps = 0;
    for (let k = 0; k < this.#bounds.length; k++) {
      const isFree = this.#bounds[k] >= cap;
      (isFree ? waiting : stack).push(this.#waiting[2 * k], this.#waiting[2 * k + 1]);
      if (isFree) bounds.push(this.#bounds[k]);
      while (stack.length > 0) {
        const b = stack.pop()!,
          a = stack.pop()!;
        if (++steps % STEPS === 0) yield;
        this.#search.count();
        if (this.#search.isSpent) return false;
        const bound = spread.bound(a, b);
        if (bound >= cap) {
          waiting.push(a, b);
          bounds.push(bound);
        } else if (slotCount[a] <= SMALL && slotCount[b] <= SMALL) {
          if (++this.#small > most) return false;
        } else {
          const half = halvePair(this.#tree, a, b);
          stack.push(half.a, half.b, half.c, half.d);
        }
      }
    }
    this.#waiting = waiting;
    this.#bounds = bounds;
    return true;
  }
}

function* typicalRadius(problem: RadiusProblem, search: PairSearch): Generator<undefined, number> {
  const { link } = problem.tree;
  for (let node = ROOT; link[node] < LEAF; node = link[node]) {
    search.begin(node, node, Infinity, leastOf(problem));
    while (!search.advance(STEPS)) yield;
    if (search.lower > 0 && search.lower < Infinity) return search.lower;
  }
  return Infinity;
}

function leastOf({ tolerance }: RadiusProblem): number {
  return Math.sqrt(1 - tolerance);
}
