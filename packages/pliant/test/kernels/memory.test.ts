import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arrayStore,
  type ByteStore,
  FIRST_ADDRESS,
  KernelMemory,
  wasmStore,
} from '../../src/kernels/memory.ts';
import { TraversalScratch } from '../../src/kernels/scratch.ts';
import { InputError } from '../../src/mesh/input-error.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 100;
const PAGE = 65536;

const STORES: [string, () => ByteStore][] = [
  ['an ArrayBuffer', () => arrayStore()],
  ['a wasm memory', () => wasmStore(new WebAssembly.Memory({ initial: 1 }))],
];

interface Piece {
  readonly address: number;
  readonly bytes: number;
  readonly mark: number;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ bytes: fc.oneof(fc.nat(300), fc.nat(40_000)) }) },
  { weight: 2, arbitrary: fc.record({ free: fc.nat() }) },
);

describe.each(STORES)('%s', (_, createStore) => {
  test('pieces never overlap, keep their contents while the memory grows, and join again when freed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const memory = new KernelMemory(createStore());
        const live: Piece[] = [];
        let mark = 0,
          largestEnd = 0;
        for (const action of steps) {
          if ('bytes' in action) {
            const { bytes } = action;
            const address = memory.allocate(bytes);
            expect(address % 16).toBe(0);
            expect(address).toBeGreaterThan(0);
            expect(address + bytes).toBeLessThanOrEqual(memory.buffer.byteLength);
            for (const piece of live) {
              const end = piece.address + Math.max(1, piece.bytes);
              expect(address >= end || address + Math.max(1, bytes) <= piece.address).toBe(true);
            }
            memory.u8.fill(++mark & 255, address, address + bytes);
            live.push({ address, bytes, mark: mark & 255 });
            largestEnd = Math.max(largestEnd, address + Math.max(16, Math.ceil(bytes / 16) * 16));
          } else if (live.length > 0) {
            const [piece] = live.splice(action.free % live.length, 1);
            expectContents(memory, piece);
            memory.free(piece.address);
          }
          const used = live.reduce((sum, { bytes }) => sum + Math.max(16, Math.ceil(bytes / 16) * 16), 0);
          expect(memory.bytesInUse).toBe(used);
        }
        for (const piece of live) expectContents(memory, piece);
        for (const { address } of live) memory.free(address);
        expect(memory.bytesInUse).toBe(0);
        const before = memory.buffer.byteLength;
        if (largestEnd > FIRST_ADDRESS)
          expect(memory.allocate(largestEnd - FIRST_ADDRESS)).toBe(FIRST_ADDRESS); // one piece again
        expect(memory.buffer.byteLength).toBe(before);
      }),
      { numRuns: RUNS },
    );
  });

  test('all views show the memory as it is after growing', () => {
    const memory = new KernelMemory(createStore());
    const stale = memory.u32;
    const small = memory.allocate(16);
    memory.f64[small >>> 3] = Math.PI;
    const large = memory.allocate(20 * PAGE);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(large + 20 * PAGE);
    expect(memory.u32 === stale).toBe(false);
    for (const view of [memory.u8, memory.i32, memory.u32, memory.f64])
      expect(view.buffer).toBe(memory.buffer);
    expect(memory.f64[small >>> 3]).toBe(Math.PI);
  });

  test('a piece is freed once, and only where it begins', () => {
    const memory = new KernelMemory(createStore());
    const address = memory.allocate(64);
    expect(() => memory.free(address + 16)).toThrow('not in use');
    memory.free(address);
    expect(() => memory.free(address)).toThrow('not in use');
    memory.free(0);
    expect(memory.bytesInUse).toBe(0);
  });

  test('more than wasm32 can hold is refused, and nothing is lost by asking', () => {
    const memory = new KernelMemory(createStore());
    const error = (() => {
      try {
        memory.allocate(2 ** 32);
      } catch (e) {
        return e;
      }
    })();
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).code).toBe('out-of-memory');
    expect(memory.bytesInUse).toBe(0);
    expect(memory.allocate(16)).toBe(FIRST_ADDRESS);
  });

  test('scratch memory is given back whole', () => {
    const memory = new KernelMemory(createStore());
    const scratch = new TraversalScratch(memory);
    const inUse = memory.bytesInUse;
    expect(inUse).toBeLessThan(1.7e6);
    const first = scratch.vertexBoxes(100);
    expect(scratch.vertexBoxes(50)).toBe(first);
    scratch.vertexBoxes(1000);
    expect(memory.bytesInUse).toBe(inUse + 16_000);
    scratch.free();
    expect(memory.bytesInUse).toBe(0);
  });
});

function expectContents(memory: KernelMemory, { address, bytes, mark }: Piece): void {
  expect(memory.u8.subarray(address, address + bytes).every((byte) => byte === mark)).toBe(true);
}
