import type { KernelMemory } from './memory.ts';

/** Pairs taken from the stack and expanded in one kernel call. */
export const BLOCK = 4096;
/** Untested pairs looked at in one kernel call. */
export const CHUNK = 4096;

const STACK = 1 << 16;
const LEAVES = 1 << 15;

/** Addresses of the lists a traversal works with. */
export interface ScratchLists {
  readonly stackRoom: number;
  readonly leafRoom: number;
  readonly stack: number; // node pairs to expand
  readonly block: number; // the ones being expanded
  readonly leaves: number; // leaf pairs for the narrow phase
  readonly hits: number;
  readonly unsure: number;
  readonly counts: number;
}

/**
 * Working memory of one running query: about 1.3 MB, and a box per point of the largest body. Lists of node pairs are worked off in
 * blocks, depth first between blocks, so they never grow with the number of overlaps.
 */
export class TraversalScratch implements ScratchLists {
  stackRoom: number = STACK;
  readonly leafRoom: number = LEAVES;
  stack: number;
  readonly block: number;
  readonly leaves: number;
  readonly hits: number;
  readonly unsure: number;
  readonly counts: number;
  readonly frame: number; // six f64
  readonly bounds: number; // six f64

  readonly #memory: KernelMemory;
  #vertexBoxes = 0;
  #vertexBoxCount = 0;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.stack = memory.allocate(8 * (STACK + 1));
    this.block = memory.allocate(8 * (CHUNK + 1));
    this.leaves = memory.allocate(8 * (LEAVES + 1));
    this.hits = memory.allocate(8 * (LEAVES + 1));
    this.unsure = memory.allocate(8 * (LEAVES + 1));
    this.counts = memory.allocate(16);
    this.frame = memory.allocate(48);
    this.bounds = memory.allocate(48);
  }

  /** Makes room on an empty stack: trees may be as deep as they have triangles. */
  ensureStack(pairs: number): void {
    if (pairs <= this.stackRoom) return;
    this.#memory.free(this.stack);
    this.stack = this.#memory.allocate(8 * (pairs + 1));
    this.stackRoom = pairs;
  }

  /** Room for a 16-byte box per point of the largest body met so far. */
  vertexBoxes(count: number): number {
    if (count > this.#vertexBoxCount) {
      this.#memory.free(this.#vertexBoxes);
      this.#vertexBoxes = this.#memory.allocate(16 * count);
      this.#vertexBoxCount = count;
    }
    return this.#vertexBoxes;
  }

  free(): void {
    const { stack, block, leaves, hits, unsure, counts, frame, bounds } = this;
    for (const address of [stack, block, leaves, hits, unsure, counts, frame, bounds, this.#vertexBoxes]) {
      this.#memory.free(address);
    }
    this.#vertexBoxes = this.#vertexBoxCount = 0;
  }
}
