import { Engine } from '../body/engine.ts';
import { chooseKernels } from '../kernels/choose-kernels.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { checkObject, quote } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ThreadWorker } from './start-worker.ts';

export interface EngineOptions {
  /** 'wasm' throws where WebAssembly with SIMD is refused; 'auto' then takes 'ts'. Default: 'auto'. */
  kernels?: 'auto' | 'wasm' | 'ts';
  /**
   * How many threads share a large query, this one included. More than one needs shared memory, which browsers
   * give to cross-origin isolated pages only; elsewhere there is one, and `engine.threads` says so. Default: 1.
   */
  threads?: number;
  /**
   * Bytes of kernel memory that the engine may take: trees, positions, volumes and lists of its bodies and queries,
   * about 250 bytes per triangle. What would need more throws InputError 'out-of-memory'; the engine stays usable.
   * Meshes and reports are outside of it. At least 4 MB. Default: 4 GB, which is all that wasm32 has.
   */
  memoryLimit?: number;
  /** Makes a worker that runs `pliant/pool.worker`. Default: started from beside this module. */
  createWorker?: () => ThreadWorker;
}

/** Owns the memory in which bodies live and queries work. There are no globals: engines know nothing of each other. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  checkObject('options', options);
  const { kernels = 'auto', threads = 1, memoryLimit = Infinity, createWorker } = options;
  if (kernels !== 'auto' && kernels !== 'wasm' && kernels !== 'ts') {
    throw new InputError('bad-option', `kernels must be 'auto', 'wasm' or 'ts', not ${quote(kernels)}`);
  }
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= 64)) {
    throw new InputError('bad-option', `threads must be a whole number from 1 to 64, not ${quote(threads)}`);
  }
  if (!(typeof memoryLimit === 'number' && memoryLimit >= LEAST_MEMORY)) {
    throw new InputError(
      'bad-option',
      `memoryLimit must be a number of bytes of at least ${LEAST_MEMORY}, not ${quote(memoryLimit)}`,
    );
  }
  const limit = (chosen: Kernels) => {
    chosen.memory.limit = memoryLimit;
    return chosen;
  };
  if (threads > 1 && kernels !== 'ts' && typeof SharedArrayBuffer === 'function') {
    const { SharedThreadPool } = await import('./thread-pool.ts');
    try {
      const pool = await SharedThreadPool.create(threads, createWorker);
      return new Engine(limit(pool.kernels), pool);
    } catch (error) {
      if (error instanceof InputError) throw error; // a worker; else WebAssembly is refused, and so are threads
    }
  }
  return new Engine(limit(await chooseKernels(kernels)));
}

/** What the lists of two queries, one inside the other, need. */
const LEAST_MEMORY = 4e6;
