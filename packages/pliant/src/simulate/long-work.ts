/** Work in stages, between which it can be stopped and others have their turn. */
export interface LongWork {
  /** Told what is going on and how much of it is done, from 0 to 1. */
  onProgress?: (stage: string, fraction: number) => void;
  /** Stops the work when it aborts: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How long to work before giving way to others, in milliseconds. Default: 30. */
  slice?: number;
}

/** The default of `LongWork.slice`. */
export const SLICE = 30;

/** What others who work long are to be given of one's options. */
export function pickWork({ onProgress, signal, slice }: LongWork): LongWork {
  return { onProgress, signal, slice };
}
