import { QUERY_WORDS } from './thread-work.ts';

/**
 * How threads talk: 32-bit words in shared memory. The main thread publishes a query by counting GENERATION up;
 * every thread, the main one included, then takes the next PIECE until there are none, and counts BUSY down.
 */
export const GENERATION = 0;
export const PIECE = 1;
export const PIECE_COUNT = 2;
export const BUSY = 3;
export const STOP = 4;
export const PIECES = 5; // address of three words each: kind, from, to
export const QUERY = 8; // a SharedQuery
export const CONTROL_WORDS = QUERY + QUERY_WORDS;

/**
 * Where a thread leaves what it found, four words a pair (two slots and a float64 time), behind a head of its own.
 * A full box waits to be emptied by the main thread.
 */
export const MAIL_STATE = 0;
export const MAIL_COUNT = 1;
export const MAIL_NODE_PAIRS = 2; // counters of the last query
export const MAIL_TRIANGLE_PAIRS = 3;
export const MAIL_EXACT = 4;
export const MAIL_HEAD_WORDS = 8;
export const MAIL_ROOM = 1 << 14;

export const OPEN = 0;
export const FULL = 1;
export const FAILED = 2;

/** What a worker is told when it starts. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  control: number;
  mail: number;
  scratch: import('../kernels/scratch.ts').ScratchLists;
}
