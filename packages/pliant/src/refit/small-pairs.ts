import { LEAF } from '../kernels/kernels.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** Triangles that the nodes of a small pair may have. */
export const MOST_SLOTS = 16;

// Words; see kernels/small-pairs.ts.
const SLOT = { leaf: 3, words: 8 } as const;
const RANGE = { count: 1, computed: 2, words: 3 } as const;
const LAST_STAMP = 0xffffffff;
const NAME = 'small pairs';

/**
 * Boxes of triangles for pairs of small nodes, in the pose that was asked about last. All bodies of a mesh take turns
 * with them: what another body, or another pose, has left behind has an old stamp.
 */
export class SmallPairs {
  readonly slotBoxes: number;
  readonly ranges: number;
  readonly newPoints: number;
  stamp = 0;
  #owner = 0;
  #frame = 0;
  readonly #memory: KernelMemory;
  readonly #nodeCount: number;

  /** That of a mesh; made when first asked for. */
  static of(memory: KernelMemory, mesh: ResidentMesh): SmallPairs {
    let part = mesh.parts.get(NAME) as SmallPairs | undefined;
    if (part === undefined) mesh.parts.set(NAME, (part = new SmallPairs(memory, mesh)));
    return part;
  }

  private constructor(memory: KernelMemory, { tree }: ResidentMesh) {
    const { nodeCount, link, firstSlot, slotCount, order } = tree;
    this.#memory = memory;
    this.#nodeCount = nodeCount;
    const points = 4 * (3 * MOST_SLOTS + 1);
    const pieces = memory.allocateAll(4 * SLOT.words * order.length, 4 * RANGE.words * nodeCount, points);
    [this.slotBoxes, this.ranges, this.newPoints] = pieces;
    const { u32 } = memory;
    u32.fill(0, this.slotBoxes >>> 2, (this.slotBoxes >>> 2) + SLOT.words * order.length);
    u32.fill(0, this.newPoints >>> 2, (this.newPoints >>> 2) + 3 * MOST_SLOTS + 1);
    for (let node = 0, range = this.ranges >>> 2; node < nodeCount; node++, range += RANGE.words) {
      u32[range] = firstSlot[node];
      u32[range + RANGE.count] = slotCount[node];
      u32[range + RANGE.computed] = 0;
      if (link[node] >= LEAF) u32[(this.slotBoxes >>> 2) + SLOT.words * firstSlot[node] + SLOT.leaf] = node;
    }
  }

  /** Forgets what does not belong to this frame of this owner. */
  begin(owner: number, frame: number): void {
    if (this.#owner === owner && this.#frame === frame) return;
    this.#owner = owner;
    this.#frame = frame;
    if (this.stamp === LAST_STAMP) {
      const { u32 } = this.#memory;
      const computed = (this.ranges >>> 2) + RANGE.computed;
      for (let node = 0; node < this.#nodeCount; node++) u32[computed + RANGE.words * node] = 0;
      this.stamp = 0;
    }
    this.stamp++;
  }

  free(): void {
    for (const address of [this.slotBoxes, this.ranges, this.newPoints]) this.#memory.free(address);
  }
}
