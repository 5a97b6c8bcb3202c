import type { ContenderMaker } from './contenders.ts';
import type { Row, Series } from './result.ts';

export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** What `--only` may name. */
  readonly cases: readonly string[];
  run(options: BenchOptions): Promise<BenchOutcome>;
}

export interface BenchOptions {
  /** A tenth of the triangles, few frames and rounds; nothing is judged. */
  readonly quick: boolean;
  /** Default: what the bench thinks right. */
  readonly frames?: number;
  readonly rounds?: number;
  readonly only?: string;
  /** Told what is going on. */
  readonly log: (line: string) => void;
  /** Another way to answer, which takes part and is checked like ours. For tests. */
  readonly also?: ContenderMaker;
}

export interface BenchOutcome {
  readonly rows: Row[];
  /** What a reader of the figures should know. */
  readonly notes: string[];
  /** For plots: what one figure per case cannot tell. */
  readonly series?: Series[];
}

export function isWanted(name: string, { only }: BenchOptions): boolean {
  return only === undefined || only === name;
}

export function roundsOf({ quick, rounds }: BenchOptions): number {
  return rounds ?? (quick ? 2 : 3);
}
