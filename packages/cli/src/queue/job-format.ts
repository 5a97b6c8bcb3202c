import { readFileSync } from 'node:fs';
import type { CullingPlan } from '../culling/plan-culling.ts';
import type { CheckOptions } from '../frames/check-options.ts';
import type { PartInput } from '../scene/inputs.ts';

/** Everything a worker has to know about a check, once. Paths are `<folder>/<name>` below a folder of the worker. */
export interface CheckSpec {
  readonly release: string;
  readonly inputs: readonly PartInput[];
  readonly options: CheckOptions;
  readonly culling: CullingPlan | undefined;
  readonly certificates:
    | {
        readonly file: FileRef;
        readonly path: string; // for messages
        readonly isMeasured: boolean;
        readonly salt: number;
        readonly kinds: readonly { readonly mesh: number; readonly kinds: readonly string[] }[];
      }
    | undefined;
  readonly files: readonly FileRef[]; // that every job needs
}

/** A file, by its content. */
export interface FileRef {
  readonly path: string; // `<folder>/<name>`
  readonly bytes: number;
  readonly sha256: string;
  readonly shared?: string; // its path below the shared folder; undefined: it is in Redis
}

/** Frames `first` to `first + count - 1` of a check. */
export interface FrameJob {
  readonly release: string;
  readonly check: string;
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly files: readonly FileRef[]; // besides those of the check
}

/** Raise this whenever what is sent changes its meaning. */
const PROTOCOL = 2;

/** Those with equal ones understand each other, and give the same answers. */
export function release(): { readonly version: string; readonly id: string } {
  const url = new URL('../package.json', import.meta.url); // of the built command
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
  return { version, id: `${version}+${PROTOCOL}` };
}

/** The version for people. */
export function versionOf(releaseId: string): string {
  return releaseId.replace(/\+\d+$/, (protocol) =>
    protocol === `+${PROTOCOL}` ? '' : ` (protocol ${protocol.slice(1)})`,
  );
}

/** Names in Redis. A check owns four keys, so that it is removed by naming them. */
export class QueueKeys {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** BullMQ's name for the jobs of a release: other releases never see them. */
  jobs(releaseId: string): string {
    return `frames-${releaseId}`;
  }

  get workers(): string {
    return `${this.prefix}:workers`;
  }

  get checks(): string {
    return `${this.prefix}:checks`;
  }

  /** There as long as somebody waits for the answers. */
  alive(check: string): string {
    return `${this.prefix}:check:${check}:alive`;
  }

  spec(check: string): string {
    return `${this.prefix}:check:${check}:spec`;
  }

  /** A hash: `<sha256>:<number>` → a piece of a file. */
  files(check: string): string {
    return `${this.prefix}:check:${check}:files`;
  }

  /** A stream of answers. */
  answers(check: string): string {
    return `${this.prefix}:check:${check}:answers`;
  }

  allOf(check: string): string[] {
    return [this.alive(check), this.spec(check), this.files(check), this.answers(check)];
  }
}

/** `4f2a…-17`: the job's name in BullMQ. */
export function jobId({ check, number }: Pick<FrameJob, 'check' | 'number'>): string {
  return `${check}-${number}`;
}
