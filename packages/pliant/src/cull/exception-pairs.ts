import type { PairBuffer } from '../report/pair-buffer.ts';
import type { Tree } from '../tree/tree.ts';

/** Triangle pairs that proofs leave out. */
export class ExceptionPairs {
  readonly slots: Uint32Array; // two per pair, the lower one first, sorted
  readonly #tree: Tree;

  constructor(tree: Tree, slots: Uint32Array) {
    this.#tree = tree;
    this.slots = slots;
  }

  /** Those with one triangle under `a` and the other under `b`, which may be the same node. */
  list(a: number, b: number, out: PairBuffer): void {
    const { slots } = this;
    if (slots.length === 0) return;
    const { firstSlot, slotCount, order } = this.#tree;
    const low = firstSlot[a] <= firstSlot[b] ? a : b,
      high = low === a ? b : a;
    const first = firstSlot[high],
      end = first + slotCount[high],
      lastLow = firstSlot[low] + slotCount[low];
    for (let k = this.#lowerBound(firstSlot[low]); k < slots.length && slots[k] < lastLow; k += 2) {
      if (slots[k + 1] >= first && slots[k + 1] < end) out.push(order[slots[k]], order[slots[k + 1]]);
    }
  }

  /** Where the pairs begin whose lower slot is not below `slot`. */
  #lowerBound(slot: number): number {
    let low = 0,
      high = this.slots.length >>> 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.slots[2 * middle] < slot) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }
}
