import { CommandError } from '../command-error.ts';
import type { FrameResult } from '../frames/frame-checker.ts';
import type { PlannedFrame } from '../frames/frame-plan.ts';
import type { AllowList } from './allow-list.ts';

export interface VerdictOptions {
  readonly idCount: number;
  readonly minFrames: number;
  readonly allowed: AllowList | undefined;
  /** Gathers the contacts that count, allowed or not. */
  readonly collect: AllowList | undefined;
}

/**
 * Which contacts count: those that last for `minFrames` frames of a clip in a row and are not in the list of known
 * ones. What touches is not its business: that is in the JSON whatever counts.
 */
export class Verdict {
  readonly #options: VerdictOptions;
  #runs = new Map<number, number>(); // how many frames each pair of the last frame has lasted
  #lastClip: string | null = null;
  #lastIndex = -2;
  /** Contacts that count, summed over frames. */
  total = 0;
  /** All contacts that are in the list of known ones. */
  known = 0;

  constructor(options: VerdictOptions) {
    this.#options = options;
  }

  /** How many contacts of this frame count. */
  judge(frame: PlannedFrame, { pairs, count }: FrameResult): number {
    const { idCount, minFrames, allowed, collect } = this.#options;
    const known = allowed?.pairsOf(frame.clip);
    const collected = collect?.pairsOf(frame.clip, true);
    let counted = count;
    if (minFrames > 1 || known || collected) {
      if (2 * count > pairs.length) throw new CommandError(needsAllPairs(frame, count, pairs.length / 2));
      counted = 0;
      const isNext = frame.clip === this.#lastClip && frame.index === this.#lastIndex + 1;
      const runs = new Map<number, number>();
      for (let k = 0; k < pairs.length; k += 2) {
        const key = pairs[k] * idCount + pairs[k + 1];
        if (minFrames > 1) {
          const length = 1 + ((isNext && this.#runs.get(key)) || 0);
          runs.set(key, length);
          if (length < minFrames) continue;
        }
        collected?.add(key);
        if (known?.has(key)) this.known++;
        else counted++;
      }
      this.#runs = runs;
      this.#lastClip = frame.clip;
      this.#lastIndex = frame.index;
    }
    this.total += counted;
    return counted;
  }
}

function needsAllPairs({ index, clip }: PlannedFrame, count: number, listed: number): string {
  const where = clip === null ? `frame ${index}` : `frame ${index} of ${clip}`;
  const why = '--allow, --write-allow and --min-frames need all of them';
  return `${where} has ${count} contacts, of which ${listed} are listed, but ${why}; use a higher --max-pairs`;
}
