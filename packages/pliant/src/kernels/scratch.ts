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
    const list = 8 * (LEAVES + 1);
    const pieces = memory.allocateAll(8 * (STACK + 1), 8 * (CHUNK + 1), list, list, list, 16, 48, 48);
    [this.stack, this.block, this.leaves, this.hits, this.unsure, this.counts, this.frame, this.bounds] =
      pieces;
  }

  /** Makes room on an empty stack: trees may be as deep as they have triangles. */
  ensureStack(pairs: number): void {
    if (pairs <= this.stackRoom) return;
    const larger = this.#memory.allocate(8 * (pairs + 1));
    this.#memory.free(this.stack);
    this.stack = larger;
    this.stackRoom = pairs;
  }

  /** Room for a 16-byte box per point of the largest body met so far. */
  vertexBoxes(count: number): number {
    if (count > this.#vertexBoxCount) {
      this.#memory.free(this.#vertexBoxes);
      this.#vertexBoxes = this.#vertexBoxCount = 0; // stays so when there is no room
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
