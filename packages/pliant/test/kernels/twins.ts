import { expect } from 'vitest';
import type { AllKernels } from '../../src/kernels/extra-kernels.ts';
import { arrayStore, FIRST_ADDRESS, KernelMemory } from '../../src/kernels/memory.ts';
import { createTsKernels } from '../../src/kernels/ts-kernels.ts';
import { createWasmKernels } from '../../src/kernels/wasm-kernels.ts';
import { withExtra } from '../../src/kernels/with-extra.ts';

type Data = Float64Array | Float32Array | Uint32Array | Int32Array | Int16Array;

/**
 * Both sets of kernels with the same data at the same addresses. `run` calls one kernel of each and expects the
 * same result and the same bytes everywhere.
 */
export class Twins {
  readonly wasm: AllKernels;
  readonly ts: AllKernels;
  #pieces: number[] = [];
  #end = FIRST_ADDRESS;

  static async create(): Promise<Twins> {
    const ts = createTsKernels(new KernelMemory(arrayStore(1 << 20)));
    return new Twins(withExtra(await createWasmKernels()), withExtra(ts));
  }

  constructor(wasm: AllKernels, ts: AllKernels) {
    this.wasm = wasm;
    this.ts = ts;
  }

  /** Forgets all pieces. */
  reset(): this {
    for (const address of this.#pieces) {
      this.wasm.memory.free(address);
      this.ts.memory.free(address);
    }
    for (const { memory } of [this.wasm, this.ts]) memory.u8.fill(0, FIRST_ADDRESS, this.#end);
    this.#pieces = [];
    this.#end = FIRST_ADDRESS;
    return this;
  }

  reserve(bytes: number): number {
    const address = this.wasm.memory.allocate(bytes);
    expect(this.ts.memory.allocate(bytes)).toBe(address);
    this.#pieces.push(address);
    this.#end = Math.max(this.#end, address + bytes + 16);
    return address;
  }

  place(data: Data): number {
    const address = this.reserve(data.byteLength + 16);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.wasm.memory.u8.set(bytes, address);
    this.ts.memory.u8.set(bytes, address);
    return address;
  }

  /** `spare` names byte ranges that either may leave as it likes: what lies behind the end of a list. */
  run(call: (kernels: AllKernels) => unknown, spare?: (result: number) => [number, number][]): number {
    const first = call(this.wasm),
      second = call(this.ts);
    expect(first).toBe(second);
    if (spare) {
      for (const [from, to] of spare(first as number)) {
        for (const { memory } of [this.wasm, this.ts]) memory.u8.fill(0, from, to);
      }
    }
    const a = this.wasm.memory.u8.subarray(FIRST_ADDRESS, this.#end),
      b = this.ts.memory.u8.subarray(FIRST_ADDRESS, this.#end);
    if (Buffer.compare(a, b) !== 0) {
      const at = a.findIndex((byte, i) => byte !== b[i]);
      const word = (FIRST_ADDRESS + at) & ~7;
      const [x, y] = [this.wasm, this.ts].map(({ memory }) => memory.f64[word >>> 3]);
      const [p, q] = [this.wasm, this.ts].map(({ memory }) => memory.u8.slice(word, word + 8).join(' '));
      throw new Error(`bytes ${word}… of ${this.#pieces.join(', ')}: wasm ${p} (${x}), ts ${q} (${y})`);
    }
    return first as number;
  }

  /** `run` for a kernel that fills lists, as long as the numbers at `counts` say: [address, room in pairs] each. */
  runLists(call: (kernels: AllKernels) => unknown, counts: number, lists: [number, number][]): void {
    this.run(call, () =>
      lists.map(([address, room], k) => [address + 8 * this.u32(counts, k + 1)[k], address + 8 * room]),
    );
  }

  u32(address: number, count: number): Uint32Array {
    return this.wasm.memory.u32.slice(address >>> 2, (address >>> 2) + count);
  }

  f32(address: number, count: number): Float32Array {
    return this.wasm.memory.f32.slice(address >>> 2, (address >>> 2) + count);
  }

  f64(address: number, count: number): Float64Array {
    return this.wasm.memory.f64.slice(address >>> 3, (address >>> 3) + count);
  }

  pairs(address: number, count: number): [number, number][] {
    const list = this.u32(address, 2 * count);
    return Array.from({ length: count }, (_, k) => [list[2 * k], list[2 * k + 1]]);
  }

  /** Cells of a quantised box, decoded. */
  box(address: number): { lo: number[]; hi: number[]; flags: [number, number] } {
    const lanes = new Int16Array(this.wasm.memory.buffer as ArrayBuffer, address, 8);
    return {
      lo: [lanes[0], lanes[1], lanes[2]],
      hi: [32767 - lanes[4], 32767 - lanes[5], 32767 - lanes[6]],
      flags: [lanes[3], lanes[7]],
    };
  }
}
