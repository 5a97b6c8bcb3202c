import { InputError } from '../mesh/input-error.ts';

const PAGE = 65536;
const ALIGNMENT = 16;
/** Where pieces begin: the kernels' own tables are below. */
export const FIRST_ADDRESS = 4096;
const LARGEST = 0xffff0000; // wasm32: 4 GiB less one page

/**
 * One growing block of bytes, shared by the kernels and the code around them, cut into pieces by first fit.
 *
 * Growing detaches every view: read `memory.u32` and its siblings again after anything that may allocate.
 * Pieces are named by their byte address, a multiple of 16; address 0 is never handed out.
 */
export class KernelMemory {
  u8!: Uint8Array;
  i32!: Int32Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  /** Bytes in use, for the curious and for leak tests. */
  bytesInUse = 0;
  /** Bytes that the block may grow to; an allocation that needs more throws InputError 'out-of-memory'. */
  limit = Infinity;

  readonly #store: ByteStore;
  readonly #sizes = new Map<number, number>(); // address -> bytes, pieces in use
  readonly #free: { address: number; bytes: number }[] = []; // by address, never two neighbours
  #end = FIRST_ADDRESS;

  constructor(store: ByteStore) {
    this.#store = store;
    this.#readViews();
  }

  get buffer(): ArrayBufferLike {
    return this.#store.buffer;
  }

  /** Several pieces, or none where there is no room for all. */
  allocateAll(...sizes: readonly number[]): number[] {
    const addresses: number[] = [];
    try {
      for (const bytes of sizes) addresses.push(this.allocate(bytes));
    } catch (error) {
      for (const address of addresses) this.free(address);
      throw error;
    }
    return addresses;
  }

  /** A piece of at least `bytes` bytes, filled with whatever was there. */
  allocate(bytes: number): number {
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    const address = this.#takeFree(size) ?? this.#takeNew(size);
    this.#sizes.set(address, size);
    this.bytesInUse += size;
    return address;
  }

  /** For a second instance on shared memory that another thread may have grown. */
  refresh(): void {
    if (this.u8.buffer !== this.#store.buffer) this.#readViews();
  }

  /** Gives a piece back. Freeing 0 does nothing. */
  free(address: number): void {
    if (address === 0) return;
    const bytes = this.#sizes.get(address);
    if (bytes === undefined) throw new Error(`address ${address} is not in use`);
    this.#sizes.delete(address);
    this.bytesInUse -= bytes;
    this.#insertFree(address, bytes);
  }

  #takeFree(size: number): number | undefined {
    const free = this.#free;
    for (let i = 0; i < free.length; i++) {
      const piece = free[i];
      if (piece.bytes < size) continue;
      const { address } = piece;
      if (piece.bytes === size) free.splice(i, 1);
      else {
        piece.address += size;
        piece.bytes -= size;
      }
      return address;
    }
    return undefined;
  }

  #takeNew(size: number): number {
    const address = this.#end;
    const end = address + size;
    const { byteLength } = this.#store.buffer;
    if (end > byteLength) {
      const most = Math.min(LARGEST, this.limit);
      if (end > most) this.#fail(size, most === LARGEST ? 'the most that wasm32 has' : 'the memory limit');
      // Doubling keeps the number of detachments small; the last growth takes what is left.
      const wanted = Math.min(Math.max(end, 2 * byteLength), most);
      if (!this.#store.grow(wanted, end)) this.#fail(size, 'what the system gives');
      this.#readViews();
    }
    this.#end = end;
    return address;
  }

  #fail(size: number, what: string): never {
    const [wanted, used] = [size, this.bytesInUse].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
    const limit = Number.isFinite(this.limit) ? ` of ${(this.limit / 1e6).toFixed(1)} MB` : '';
    throw new InputError(
      'out-of-memory',
      `${wanted} of kernel memory beside the ${used} in use are more than ${what}${limit}`,
    );
  }

  #insertFree(address: number, bytes: number): void {
    const free = this.#free;
    let i = free.length;
    while (i > 0 && free[i - 1].address > address) i--;
    const before = free[i - 1],
      after = free[i];
    const joinsBefore = before !== undefined && before.address + before.bytes === address;
    const joinsAfter = after !== undefined && address + bytes === after.address;
    if (joinsBefore && joinsAfter) {
      before.bytes += bytes + after.bytes;
      free.splice(i, 1);
    } else if (joinsBefore) before.bytes += bytes;
    else if (joinsAfter) {
      after.address = address;
      after.bytes += bytes;
    } else free.splice(i, 0, { address, bytes });
  }

  #readViews(): void {
    const { buffer } = this.#store;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

/** Where the bytes come from. */
export interface ByteStore {
  readonly buffer: ArrayBufferLike;
  /** Makes room for `wanted` bytes, or at least `needed` when there is no room for more. False when there is none. */
  grow(wanted: number, needed: number): boolean;
}

export function wasmStore(memory: WebAssembly.Memory): ByteStore {
  return {
    get buffer() {
      return memory.buffer;
    },
    grow(wanted, needed) {
      return [wanted, needed].some((bytes) => {
        try {
          memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
          return true;
        } catch {
          return false;
        }
      });
    },
  };
}

export function arrayStore(bytes = PAGE): ByteStore {
  let buffer = new ArrayBuffer(bytes);
  return {
    get buffer() {
      return buffer;
    },
    grow(wanted, needed) {
      const larger = allocateBuffer(wanted) ?? allocateBuffer(needed);
      if (!larger) return false;
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
      return true;
    },
  };
}

function allocateBuffer(bytes: number): ArrayBuffer | undefined {
  try {
    return new ArrayBuffer(Math.ceil(bytes / PAGE) * PAGE);
  } catch {
    return undefined;
  }
}
