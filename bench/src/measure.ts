import { timeOf } from './stopwatch.ts';

/** Somebody who answers the same question frame by frame. */
export interface Contender {
  readonly name: string;
  /** A whole frame: this is timed. */
  run(frame: number): void;
  /** Of what `run` has just found; undefined when it need not agree with the others. */
  answer(): Answer | undefined;
}

export interface Answer {
  readonly hash: number;
  readonly pairs: number;
}

/**
 * Milliseconds per frame of each contender, in order. They take turns: in every round each runs the whole track
 * once, as an application would, each round beginning with another one. Of a frame the fastest round counts,
 * which leaves out what other programs on the machine took; `answers` sees every answer.
 */
export function measureFrames(
  contenders: readonly Contender[],
  frameCount: number,
  rounds: number,
  answers: AnswerBook,
): number[] {
  const best = contenders.map(() => new Float64Array(frameCount).fill(Infinity));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const k = (round + turn) % contenders.length;
      const contender = contenders[k];
      for (let frame = 0; frame < frameCount; frame++) {
        const elapsed = timeOf(() => contender.run(frame));
        if (elapsed < best[k][frame]) best[k][frame] = elapsed;
        answers.note(contender, frame);
      }
    }
  }
  return best.map(mean);
}

/** Milliseconds that one contender runs on at least, in every round. */
const LEAST_RUN = 100;

/**
 * The same for frames of microseconds, for which a clock around each would count most of all: whole tracks are timed, as
 * often as it takes, after as many that warm up. The best round counts.
 */
export function measureTracks(
  contenders: readonly Contender[],
  frameCount: number,
  rounds: number,
  answers: AnswerBook,
): number[] {
  checkFrames(contenders, frameCount, answers);
  const runTrack = (contender: Contender, repeats: number) => {
    for (let k = 0; k < repeats; k++) for (let frame = 0; frame < frameCount; frame++) contender.run(frame);
  };
  const times = contenders.map((contender) => {
    const repeats = Math.max(1, Math.ceil(LEAST_RUN / timeOf(() => runTrack(contender, 1))));
    runTrack(contender, repeats);
    return repeats;
  });
  const best = contenders.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const k = (round + turn) % contenders.length;
      const elapsed = timeOf(() => runTrack(contenders[k], times[k])) / times[k] / frameCount;
      if (elapsed < best[k]) best[k] = elapsed;
    }
  }
  return best;
}

/** Runs each once on every frame, only to hear its answers. */
export function checkFrames(contenders: readonly Contender[], frameCount: number, answers: AnswerBook): void {
  for (const contender of contenders) {
    for (let frame = 0; frame < frameCount; frame++) {
      contender.run(frame);
      answers.note(contender, frame);
    }
  }
}

/** The answers of all contenders: per frame they must be the same. */
export class AnswerBook {
  /** One line per contender and frame that differs from who was asked first. */
  readonly disagreements: string[] = [];
  readonly #first: { answer: Answer; name: string }[] = [];
  readonly #told = new Set<string>();

  note(contender: Contender, frame: number): void {
    const answer = contender.answer();
    if (answer === undefined) return;
    const first = this.#first[frame];
    if (first === undefined) {
      this.#first[frame] = { answer, name: contender.name };
      return;
    }
    if (first.answer.hash !== answer.hash) {
      const counts = `${answer.pairs} pairs, ${first.name} found ${first.answer.pairs}`;
      this.disagree(`frame ${frame}: ${contender.name} found ${counts} (hashes differ)`);
    }
  }

  disagree(line: string): void {
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.disagreements.push(line);
  }

  get agree(): boolean {
    return this.disagreements.length === 0;
  }

  /** Pairs of each frame. */
  get pairs(): number[] {
    return this.#first.map(({ answer }) => answer.pairs);
  }

  get totalPairs(): number {
    return this.pairs.reduce((sum, count) => sum + count, 0);
  }

  /** Share of the frames in which something touches. */
  get contactShare(): number {
    return this.pairs.filter((count) => count > 0).length / Math.max(1, this.#first.length);
  }

  /** The frame with the most pairs. */
  get busiestFrame(): number {
    const { pairs } = this;
    return pairs.indexOf(Math.max(...pairs));
  }
}

function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
