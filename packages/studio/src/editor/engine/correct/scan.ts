import type { Posing } from './posing.ts';

/** How many pairs touch in some frames, from one of them on. */
export interface ScannedFrames {
  readonly first: number;
  readonly pairs: readonly number[];
  readonly atBind: readonly number[]; // among them
}

const SLICE = 40; // milliseconds between two reports

/** Looks at all frames of a clip, and tells of them now and then; other commands are heard in between. */
export async function scanFrames(
  posing: Posing,
  signal: AbortSignal,
  tell: (frames: ScannedFrames) => void,
): Promise<void> {
  const { count } = posing.frames;
  for (let first = 0; first < count && !signal.aborted; ) {
    const pairs: number[] = [],
      atBind: number[] = [];
    const until = performance.now() + SLICE;
    do {
      const found = posing.countAt(first + pairs.length);
      pairs.push(found.pairs);
      atBind.push(found.atBind);
    } while (first + pairs.length < count && performance.now() < until);
    tell({ first, pairs, atBind });
    first += pairs.length;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
