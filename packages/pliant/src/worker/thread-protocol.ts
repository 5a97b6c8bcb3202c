import { QUERY_WORDS } from './thread-work.ts';

/**
 * How threads talk: 32-bit words in shared memory. The main thread publishes a query by counting GENERATION up; every
 * thread, the main one included, then takes the next PIECE until there are none, and says that it has FINISHED.
 */
export const GENERATION = 0;
export const PIECE = 1;
export const PIECE_COUNT = 2;
export const STOP = 3;
export const PIECES = 4; // address of the list of pieces
export const QUERY = 8; // a SharedQuery
export const CONTROL_WORDS = QUERY + QUERY_WORDS;

/** Words of a piece: kind, from, to, and whose it is. */
export const PIECE_WORDS = 4;
export const PIECE_STATE = 3;

/** States of a piece name their query, so that a thread which is late cannot take a piece of another one. */
export function isOpen(generation: number): number {
  return generation << 8;
}

export function isTaken(generation: number, thread: number): number {
  return (generation << 8) | (2 * thread + 1);
}

/** All pairs of the piece are in the mailbox of `thread`, or have gone through it. */
export function isDone(generation: number, thread: number): number {
  return (generation << 8) | (2 * thread + 2);
}

export const MAIN_THREAD = 0;

/**
 * Where a thread leaves what it found, four words a pair (two slots and a float64 time), behind a head of its own.
 * A full box waits to be emptied by the main thread. A thread may end at any moment: what stands in its head is
 * written so that the main thread can tell the pairs of pieces that are done from those of the one that is not.
 */
export const MAIL_STATE = 0;
export const MAIL_COUNT = 1;
export const MAIL_PIECE = 2; // the one under way, or the last
export const MAIL_BEGIN = 3; // MAIL_COUNT when that piece was begun
export const MAIL_FINISHED = 4; // the GENERATION of the last query that the thread has finished
export const MAIL_BEAT = 5; // counts up as long as the thread gets on
export const MAIL_COUNTERS = 6; // three: those of the query so far
export const MAIL_BEGIN_COUNTERS = 9; // the three when the piece was begun
export const MAIL_QUERY_WORDS = 12; // cleared for every query
export const MAIL_RETIRED = 12; // the main thread no longer counts on this thread
export const MAIL_GONE = 13; // the thread has left its loop
export const MAIL_HEAD_WORDS = 16;
export const MAIL_ROOM = 1 << 14;

export const OPEN = 0;
export const FULL = 1;

/** What a worker is told when it starts. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  control: number;
  mail: number;
  /** Its number, from 1; the main thread is 0. */
  thread: number;
  scratch: import('../kernels/scratch.ts').ScratchLists;
}
