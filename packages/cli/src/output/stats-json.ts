import type { Counters } from 'pliant';
import type { FrameResult } from '../frames/frame-checker.ts';
import type { PlannedFrame } from '../frames/frame-plan.ts';
import type { CullingSummary } from './culling-summary.ts';
import type { OutputFile } from './output-file.ts';
import type { ProofSummary } from './proof-summary.ts';

/** Times, counts of work and the way taken, frame by frame: what may differ from run to run. */
export class StatsJson {
  readonly #file: OutputFile;
  readonly #sum: Partial<Record<keyof Counters, number>> = {};
  #frames = 0;

  constructor(file: OutputFile) {
    this.#file = file;
  }

  async begin(files: readonly string[]): Promise<void> {
    const machine = { node: process.version, platform: process.platform, arch: process.arch };
    await this.#file.write(
      `{"version":1,"files":${JSON.stringify(files)},"machine":${JSON.stringify(machine)},"frames":[`,
    );
  }

  async add({ index, clip }: PlannedFrame, result: FrameResult): Promise<void> {
    const { count, milliseconds, method, reason, counters, proofs } = result;
    for (const [name, value] of Object.entries(counters) as [keyof Counters, number][]) {
      this.#sum[name] = (this.#sum[name] ?? 0) + value;
    }
    const line = {
      index,
      clip,
      count,
      milliseconds: round(milliseconds),
      method,
      reason,
      counters,
      ...(proofs.length > 0 && { proofs }),
    };
    await this.#file.write(`${this.#frames++ > 0 ? ',' : ''}\n${JSON.stringify(line)}`);
  }

  async end(
    timing: RunTiming,
    proofs: ProofSummary | undefined,
    culling: CullingSummary | undefined,
  ): Promise<void> {
    const { threads, loadSeconds, checkSeconds } = timing;
    const tail = {
      counters: this.#sum,
      certificates: proofs?.toJson() ?? null,
      culling: culling?.toJson() ?? null,
      threads,
      loadSeconds: round(loadSeconds),
      checkSeconds: round(checkSeconds),
      framesPerSecond: round(this.#frames / Math.max(1e-9, checkSeconds)),
      memoryMegabytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
    };
    await this.#file.write(`\n],${JSON.stringify(tail).slice(1)}\n`);
  }
}

export interface RunTiming {
  readonly threads: number;
  readonly loadSeconds: number;
  readonly checkSeconds: number;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
