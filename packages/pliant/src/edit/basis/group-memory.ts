import type { AllKernels } from '../../kernels/extra-kernels.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { withExtra } from '../../kernels/with-extra.ts';

/** Functions on vertices of a cage that come and go together. */
export interface FunctionGroup {
  readonly id: number;
  /** Vertices where they are not zero, ascending. Group 0 has all. */
  readonly rows: Uint32Array;
  readonly columns: number;
  /** rows × columns. */
  readonly weights: Float32Array;
}

/** Where a group is in kernel memory. */
export interface PlacedGroup {
  readonly rows: number; // 0: all vertices
  readonly weights: number;
}

interface Entry extends PlacedGroup {
  holders: number;
}

/** Groups of functions in kernel memory, each of them once, for all who work with it. */
export class GroupMemory {
  readonly kernels: AllKernels;
  readonly #entries = new Map<number, Entry>();

  constructor(kernels: Kernels) {
    this.kernels = withExtra(kernels);
  }

  /** Puts it there, or counts another holder: each has to release it. */
  hold({ id, rows, weights }: FunctionGroup): PlacedGroup {
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.holders++;
      return known;
    }
    const { memory } = this.kernels;
    const rowsAddress = id === 0 ? 0 : memory.allocate(rows.byteLength);
    const weightsAddress = memory.allocate(weights.byteLength + 16);
    if (id !== 0) memory.u32.set(rows, rowsAddress >>> 2);
    memory.f32.set(weights, weightsAddress >>> 2);
    const entry = { rows: rowsAddress, weights: weightsAddress, holders: 1 };
    this.#entries.set(id, entry);
    return entry;
  }

  release(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || --entry.holders > 0) return;
    this.#entries.delete(id);
    this.kernels.memory.free(entry.rows);
    this.kernels.memory.free(entry.weights);
  }
}
