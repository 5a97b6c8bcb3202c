import { boundOfPoints } from '../../packages/pliant/src/kernels/bound-of-points.ts';
import type { Kernels } from '../../packages/pliant/src/kernels/kernels.ts';
import { BLOCK, CHUNK, TraversalScratch } from '../../packages/pliant/src/kernels/scratch.ts';
import { setFrame } from '../../packages/pliant/src/refit/quantised-boxes.ts';
import type { Setup } from './contenders.ts';
import type { Track } from './scenes.ts';
import { bestTimeOf } from './stopwatch.ts';

export const TRAVERSALS = ['depth-first', 'level-synchronous', 'static-front'] as const;
export type TraversalName = (typeof TRAVERSALS)[number];

export interface TraversalFigures {
  /** Milliseconds per frame. */
  readonly ms: Record<TraversalName, number>;
  /** The other stages of a batch query, measured the same way: copying the pose, 16-bit boxes, exact tests. */
  readonly otherMs: { readonly deform: number; readonly refit: number; readonly narrow: number };
  /** Leaf pairs whose triangles share no vertex, in all frames. */
  readonly leafPairs: Record<TraversalName, number>;
  /** What is wrong with them; empty when nothing is. */
  readonly complaints: string[];
}

/**
 * The traversal stage alone, in the blocks of query/batch.ts: boxes are ready, and it ends with the list of leaf
 * pairs whose triangles share no vertex. No refit, no narrow phase.
 */
export function measureTraversals(setup: Setup, track: Track, rounds: number): TraversalFigures {
  const driver = new TraversalDriver(setup);
  const ms = { 'depth-first': 0, 'level-synchronous': 0, 'static-front': 0 };
  const leafPairs = { 'depth-first': 0, 'level-synchronous': 0, 'static-front': 0 };
  const otherMs = { deform: 0, refit: 0, narrow: 0 };
  const complaints: string[] = [];
  const share = 1 / track.poses.length;
  try {
    for (const pose of track.poses) {
      otherMs.deform += share * bestTimeOf(rounds, () => driver.pose(pose));
      otherMs.refit += share * bestTimeOf(rounds, () => driver.refit());
      driver.refitBoxes64();
      const found = new Map<TraversalName, Set<number>>();
      for (const name of TRAVERSALS) {
        driver.run(name, 'collect');
        leafPairs[name] += driver.leafPairs;
        found.set(name, new Set(driver.collected));
        ms[name] += share * bestTimeOf(rounds, () => driver.run(name, 'count'));
      }
      complaints.push(...compare(found));
      const withNarrow = bestTimeOf(rounds, () => driver.run('static-front', 'narrow'));
      const without = bestTimeOf(rounds, () => driver.run('static-front', 'count'));
      otherMs.narrow += share * Math.max(0, withNarrow - without);
    }
  } finally {
    driver.free();
  }
  return { ms, otherMs, leafPairs, complaints };
}

/** 16-bit boxes are rounded outward: they may add leaf pairs, by whatever way, but never lose one. */
function compare(found: ReadonlyMap<TraversalName, ReadonlySet<number>>): string[] {
  const exact = found.get('depth-first')!,
    levels = found.get('level-synchronous')!,
    front = found.get('static-front')!;
  const complaints: string[] = [];
  const lost = countMissing(exact, front);
  if (lost > 0) complaints.push(`${lost} leaf pairs of the float64 boxes are lost by the 16-bit ones`);
  if (levels.size !== front.size || countMissing(levels, front) > 0) {
    complaints.push('the static front leads to other leaf pairs than the tree does');
  }
  return complaints;
}

function countMissing(wanted: ReadonlySet<number>, found: ReadonlySet<number>): number {
  let missing = 0;
  for (const key of wanted) if (!found.has(key)) missing++;
  return missing;
}

/** Drives the kernels over one pose of a body. */
class TraversalDriver {
  /** Of the last run. */
  leafPairs = 0;
  /** … and, when asked for, a number for each of them. */
  readonly collected: number[] = [];

  readonly #setup: Setup;
  readonly #kernels: Kernels;
  readonly #scratch: TraversalScratch;
  readonly #boxes: number; // 16-bit
  readonly #boxes64: number;
  readonly #box = new Float64Array(6);
  readonly #frame = new Float64Array(6);
  #end: StageEnd = 'count';
  #depth = 0;
  #leafCount = 0;

  constructor(setup: Setup) {
    const { memory } = setup.engine.kernels;
    const { nodeCount } = setup.body.tree;
    this.#setup = setup;
    this.#kernels = setup.engine.kernels;
    this.#scratch = new TraversalScratch(memory);
    this.#boxes = memory.allocate(16 * nodeCount);
    this.#boxes64 = memory.allocate(48 * nodeCount);
  }

  free(): void {
    this.#scratch.free();
    this.#kernels.memory.free(this.#boxes);
    this.#kernels.memory.free(this.#boxes64);
  }

  pose(pose: Float64Array): void {
    this.#setup.body.setPose(pose);
  }

  refit(): void {
    const kernels = this.#kernels,
      scratch = this.#scratch;
    const { link, corners, pointCount, tree } = this.#setup.body.resident;
    const points = this.#setup.body.deformer.address(0);
    const vertexBoxes = scratch.vertexBoxes(pointCount);
    kernels.pointBounds(points, pointCount, scratch.bounds);
    const { f64 } = kernels.memory;
    for (let k = 0; k < 6; k++) this.#box[k] = f64[(scratch.bounds >>> 3) + k];
    setFrame(this.#box, this.#frame);
    f64.set(this.#frame, scratch.frame >>> 3);
    kernels.quantise(points, pointCount, scratch.frame, vertexBoxes);
    kernels.refit(tree.nodeCount, link, corners, vertexBoxes, this.#boxes);
  }

  refitBoxes64(): void {
    const { link, corners, tree } = this.#setup.body.resident;
    const points = this.#setup.body.deformer.address(0);
    this.#kernels.refitBoxes(tree.nodeCount, link, corners, points, this.#boxes64, 0);
  }

  run(name: TraversalName, end: StageEnd): void {
    this.#end = end;
    this.collected.length = this.leafPairs = this.#depth = this.#leafCount = 0;
    if (name === 'depth-first') this.#descend();
    else if (name === 'level-synchronous') this.#walkLevels();
    else this.#walkFront();
  }

  #descend(): void {
    const kernels = this.#kernels,
      { stack, leaves, leafRoom, counts } = this.#scratch;
    const { link } = this.#setup.body.resident;
    const { u32 } = kernels.memory;
    u32[stack >>> 2] = u32[(stack >>> 2) + 1] = 0;
    for (let depth = 1; depth > 0; depth = u32[counts >>> 2]) {
      const boxes = this.#boxes64;
      kernels.descend(stack, depth, link, boxes, link, boxes, leaves, leafRoom, STEPS, 1, counts);
      this.#leafCount = u32[(counts >>> 2) + 1];
      this.#finishLeaves(true);
    }
  }

  /** Every node's two children against each other, then downwards. */
  #walkLevels(): void {
    const kernels = this.#kernels,
      { stack, leaves, counts } = this.#scratch;
    const { link, tree } = this.#setup.body.resident;
    const { u32 } = kernels.memory;
    for (let node = 0; node < tree.nodeCount; node += CHUNK) {
      const end = Math.min(node + CHUNK, tree.nodeCount);
      const out = leaves + 8 * this.#leafCount;
      kernels.testSiblings(node, end, link, this.#boxes, stack + 8 * this.#depth, out, counts);
      this.#depth += u32[counts >>> 2];
      this.#leafCount += u32[(counts >>> 2) + 1];
      this.#expand(true);
    }
    this.#finishLeaves(true);
  }

  #walkFront(): void {
    const kernels = this.#kernels,
      { stack, leaves } = this.#scratch;
    const { inner, leaf } = this.#setup.body.resident.front;
    const boxes = this.#boxes;
    for (let k = 0; k < leaf.list.pairCount; k += CHUNK) {
      const count = Math.min(CHUNK, leaf.list.pairCount - k);
      const out = leaves + 8 * this.#leafCount;
      this.#leafCount += kernels.testAlike(leaf.address + 8 * k, count, boxes, boxes, out);
      this.#makeRoom(false);
    }
    for (let k = 0; k < inner.list.pairCount; k += CHUNK) {
      const count = Math.min(CHUNK, inner.list.pairCount - k);
      const out = stack + 8 * this.#depth;
      this.#depth += kernels.testAlike(inner.address + 8 * k, count, boxes, boxes, out);
      this.#expand(false);
    }
    this.#finishLeaves(false);
  }

  /** Works off the stack. */
  #expand(mayBeAdjacent: boolean): void {
    const kernels = this.#kernels,
      { stack, stackRoom, block, leaves, counts } = this.#scratch;
    const { link } = this.#setup.body.resident;
    const { u32, u8 } = kernels.memory;
    while (this.#depth > 0) {
      const room = Math.floor((stackRoom - this.#depth) / 3);
      const count = Math.min(BLOCK, this.#depth, Math.max(1, room));
      this.#depth -= count;
      const from = stack + 8 * this.#depth;
      u8.copyWithin(block, from, from + 8 * count);
      const boxes = this.#boxes,
        out = leaves + 8 * this.#leafCount;
      kernels.expandPairs(block, count, link, boxes, link, boxes, from, out, counts);
      this.#depth += u32[counts >>> 2];
      this.#leafCount += u32[(counts >>> 2) + 1];
      this.#makeRoom(mayBeAdjacent);
    }
  }

  #makeRoom(mayBeAdjacent: boolean): void {
    if (this.#leafCount + 4 * BLOCK + CHUNK > this.#scratch.leafRoom) this.#finishLeaves(mayBeAdjacent);
  }

  /** The end of the stage: in a query, the narrow phase takes over here. */
  #finishLeaves(mayBeAdjacent: boolean): void {
    const { leaves } = this.#scratch;
    const { link, corners } = this.#setup.body.resident;
    const count = mayBeAdjacent
      ? this.#kernels.dropAdjacent(leaves, this.#leafCount, link, corners)
      : this.#leafCount;
    this.#leafCount = 0;
    this.leafPairs += count;
    if (this.#end === 'narrow') this.#narrow(count);
    if (this.#end !== 'collect') return;
    const { u32 } = this.#kernels.memory;
    const { nodeCount } = this.#setup.body.tree;
    for (let k = leaves >>> 2, end = k + 2 * count; k < end; k += 2) {
      this.collected.push(Math.min(u32[k], u32[k + 1]) * nodeCount + Math.max(u32[k], u32[k + 1]));
    }
  }

  #narrow(count: number): void {
    const { leaves, hits, unsure, counts } = this.#scratch;
    const { link, corners, pointCount } = this.#setup.body.resident;
    const points = this.#setup.body.deformer.address(0);
    const bound = boundOfPoints(this.#kernels, points, pointCount, points, pointCount, unsure);
    this.#kernels.narrowPairs(
      leaves,
      count,
      link,
      corners,
      points,
      link,
      corners,
      points,
      bound,
      hits,
      unsure,
      counts,
    );
  }
}

/** What becomes of the leaf pairs. */
type StageEnd = 'count' | 'collect' | 'narrow';

/** As in query/depth-first.ts. */
const STEPS = 1 << 15;
