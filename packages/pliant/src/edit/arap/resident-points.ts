import type { Kernels } from '../../kernels/kernels.ts';
import { checkLength } from '../../mesh/check-input.ts';

/** Pieces of kernel memory that belong to one owner and go with it. */
export class Pieces {
  readonly kernels: Kernels;
  readonly #addresses: number[] = [];

  constructor(kernels: Kernels) {
    this.kernels = kernels;
  }

  /** Zeros. */
  reserve(bytes: number): number {
    const { memory } = this.kernels;
    const address = memory.allocate(bytes);
    memory.u8.fill(0, address, address + bytes);
    this.#addresses.push(address);
    return address;
  }

  place(data: Float64Array | Float32Array | Uint32Array): number {
    const address = this.reserve(data.byteLength);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.kernels.memory.u8.set(bytes, address);
    return address;
  }

  free(): void {
    for (const address of this.#addresses) this.kernels.memory.free(address);
    this.#addresses.length = 0;
  }
}

/** Calls a kernel on points that are not in kernel memory: `p` is copied there, `b` from there. */
export class CopiedPoints {
  readonly #pieces: Pieces;
  readonly #length: number;
  #p = 0;
  #b = 0;

  constructor(pieces: Pieces, vertices: number) {
    this.#pieces = pieces;
    this.#length = 3 * vertices;
  }

  run(p: Float64Array, b: Float64Array, call: (p: number, b: number) => number): number {
    checkLength('p', p, this.#length);
    checkLength('b', b, this.#length);
    if (this.#p === 0) {
      this.#p = this.#pieces.reserve(8 * this.#length);
      this.#b = this.#pieces.reserve(8 * this.#length);
    }
    const { memory } = this.#pieces.kernels;
    memory.f64.set(p, this.#p >>> 3);
    const energy = call(this.#p, this.#b);
    b.set(memory.f64.subarray(this.#b >>> 3, (this.#b >>> 3) + this.#length));
    return energy;
  }
}
