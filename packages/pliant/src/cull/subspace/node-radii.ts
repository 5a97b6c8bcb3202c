import { floor32 } from '../../algebra/rounding.ts';
import { ROOT } from '../../tree/tree.ts';
import { THICKNESS } from './pair-radius.ts';
import type { PairSearch } from './pair-search.ts';
import { type PairTree, PairTreeWriter } from './pair-tree.ts';
import {
  DOWN,
  halvePair,
  listParts,
  nodesUnder,
  type PartPlace,
  partSizeOf,
  RadiusBuilder,
  type RadiusPart,
  scatterRadii,
} from './radius-parts.ts';
import type { RadiusProblem } from './radius-problem.ts';
import type { Reach } from './reach.ts';

/** Up to which gauge nothing under a node touches anything else there, and what each says about its two children. */
export interface NodeRadii {
  readonly lower: Float32Array; // per node, rounded down
  readonly upper: Float64Array; // some pose of this gauge does touch; Infinity when none was found
  readonly between: Float32Array; // per first child: the same for pairs between it and its sibling; 0 elsewhere
  readonly nearest: Uint32Array; // per node: the two slots that touch in the pose of gauge `upper`
  /** The same for pairs of nodes, as far as they matter below `limit`. */
  readonly pairs: PairTree;
  /** From this gauge on nothing is known about what is not in `pairs`. */
  readonly limit: number;
  /** The same for planes, in their own units. */
  readonly planeLimit: number;
  /** How far apart triangles are kept within these radii. */
  readonly thickness: number;
  readonly evaluations: number;
  /** Pairs of triangles that were not followed to the end: their part of `lower` is a bound, but not a close one. */
  readonly cappedPairs: number;
  /** Pairs of nodes whose search was ended because it took more work than allowed. As with `cappedPairs`, bounds hold. */
  readonly givenUp: number;
}

/** Before there are planes. */
export interface JoinedRadii extends Omit<NodeRadii, 'pairs' | 'planeLimit'> {
  readonly pairs: Omit<PairTree, 'planes'>;
}

/** Where nothing is known but that the body as a whole is free below `cap`. */
export function radiiOfWhole({ tree, shapes, ignored }: RadiusProblem, reach: Reach): JoinedRadii {
  const { cap, evaluations, cappedPairs, givenUp } = reach;
  const radius = floor32(cap * DOWN);
  const writer = new PairTreeWriter();
  writer.close(writer.open(ROOT, ROOT), radius, false);
  return {
    lower: new Float32Array(tree.nodeCount).fill(radius),
    upper: new Float64Array(tree.nodeCount).fill(Infinity),
    between: new Float32Array(tree.nodeCount).fill(radius),
    nearest: new Uint32Array(2 * tree.nodeCount),
    pairs: writer.finish(tree, ignored),
    limit: radius,
    thickness: THICKNESS * shapes.largest,
    evaluations,
    cappedPairs,
    givenUp,
  };
}

/**
 * How the work falls into parts that do not depend on each other: nodes of moderate size with themselves, and pairs of
 * such nodes that may matter. The same for any number of threads, one included, and so is what they find.
 */
export class RadiusPlan {
  readonly parts: readonly PartPlace[];
  readonly #problem: RadiusProblem;
  readonly #search: PairSearch;
  readonly #reach: Reach;
  readonly #partSize: number;

  constructor(problem: RadiusProblem, search: PairSearch, reach: Reach) {
    this.parts = listParts(problem.tree, search.spread, reach.cap);
    this.#problem = problem;
    this.#search = search;
    this.#reach = reach;
    this.#partSize = partSizeOf(problem.tree);
  }

  #isPart(a: number, b: number): boolean {
    const { slotCount } = this.#problem.tree;
    return slotCount[a] <= this.#partSize && slotCount[b] <= this.#partSize;
  }

  /** What is known of the whole body when all parts are done; they stand in the order of `parts`. */
  *join(found: readonly RadiusPart[], work: number): Generator<undefined, JoinedRadii> {
    const { tree, shapes, tolerance, ignored } = this.#problem;
    const search = this.#search;
    const { evaluations, capped, givenUp } = search;
    search.allow(work);
    const builder = new RadiusBuilder(tree, search, this.#reach.cap, tolerance);
    builder.writer = new PairTreeWriter();
    yield* this.#joinSelf(ROOT, builder, found.values());
    const { lower, upper, between, nearest } = builder.radii;
    const pairs = builder.writer.finish(tree, ignored);
    const all = [this.#reach, ...found];
    return {
      lower: Float32Array.from(lower, (radius) => floor32(radius * DOWN)),
      upper,
      between,
      nearest,
      pairs,
      limit: floor32(this.#reach.cap * DOWN),
      thickness: THICKNESS * shapes.largest,
      evaluations: all.reduce((sum, part) => sum + part.evaluations, search.evaluations - evaluations),
      cappedPairs: all.reduce((sum, part) => sum + part.cappedPairs, search.capped - capped),
      givenUp: all.reduce((sum, part) => sum + part.givenUp, search.givenUp - givenUp),
    };
  }

  *#joinSelf(node: number, builder: RadiusBuilder, found: Iterator<RadiusPart>): Generator<undefined, void> {
    const { tree, writer } = builder;
    if (this.#isPart(node, node)) {
      const { radii, pairs } = found.next().value as RadiusPart;
      scatterRadii(builder.radii, radii, nodesUnder(tree, node));
      writer.append(pairs);
      return;
    }
    const child = tree.link[node];
    const place = writer.open(node, node);
    yield* this.#joinSelf(child, builder, found);
    yield* this.#joinSelf(child + 1, builder, found);
    const first = writer.count;
    this.#joinPair(child, child + 1, builder, found);
    builder.finishSelf(node, place, first);
    yield;
  }

  #joinPair(a: number, b: number, builder: RadiusBuilder, found: Iterator<RadiusPart>): number {
    const { cap, writer } = builder;
    if (this.#search.spread.bound(a, b) >= cap) return cap;
    if (this.#isPart(a, b)) {
      const { radius, pairs } = found.next().value as RadiusPart;
      writer.append(pairs);
      return radius;
    }
    const place = writer.open(a, b);
    const half = halvePair(builder.tree, a, b);
    const radius = Math.min(
      this.#joinPair(half.a, half.b, builder, found),
      this.#joinPair(half.c, half.d, builder, found),
    );
    builder.closePair(place, radius);
    return radius;
  }
}
