import { readFile } from 'node:fs/promises';
import { CommandError, describeError } from '../command-error.ts';
import type { FrameResult } from '../frames/frame-checker.ts';
import type { WorkerStart } from '../frames/worker-messages.ts';
import type { PartInput } from '../scene/inputs.ts';
import { tell, tellFrames } from './answers.ts';
import { type FileCache, MissingFile } from './file-cache.ts';
import { type FrameThread, FrameThreads } from './frame-threads.ts';
import type { CheckSpec, FileRef, FrameJob, QueueKeys } from './job-format.ts';
import { ConnectionFailed, type RedisClient } from './redis-client.ts';
import { FOLDER_MARK } from './scene-files.ts';

/** What a job came to. `abandoned`: nobody waits for it. `stopped`: the worker ends, and others have to do it. */
export type JobOutcome = 'done' | 'abandoned' | 'stopped';

class Abandoned extends Error {}

interface OpenCheck {
  readonly files: readonly FileRef[]; // that every job needs
  readonly start: WorkerStart;
}

const TELL_BYTES = 4e6; // results that are told together
const TELL_EVERY = 500; // milliseconds

/** Does the jobs of a worker: fetches files, checks frames in threads, and tells what it finds. */
export class JobRunner {
  frames = 0;
  readonly #client: RedisClient;
  readonly #keys: QueueKeys;
  readonly #worker: string;
  readonly #cache: FileCache;
  readonly #threads: FrameThreads;
  readonly #checks = new Map<string, Promise<OpenCheck | undefined>>();
  readonly #running = new Map<string, number>(); // jobs of each check
  readonly #ended = new Set<string>();
  #isStopping = false;

  constructor(client: RedisClient, keys: QueueKeys, worker: string, cache: FileCache, threads: number) {
    this.#client = client;
    this.#keys = keys;
    this.#worker = worker;
    this.#cache = cache;
    this.#threads = new FrameThreads(threads);
  }

  get jobs(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Throws when it is worth trying again. */
  async run(job: FrameJob, attempt: number): Promise<JobOutcome> {
    const { check } = job;
    this.#running.set(check, (this.#running.get(check) ?? 0) + 1);
    try {
      return await this.#run(job, attempt);
    } catch (error) {
      if (this.#isStopping) return 'stopped';
      if (error instanceof Abandoned || this.#ended.has(check)) return 'abandoned';
      const stream = this.#keys.answers(check);
      const isMissing = error instanceof MissingFile;
      const message = this.#withoutFolder(check, describeError(error));
      const answer = isMissing ? 'missing' : 'trouble';
      await tell(this.#client, stream, this.#worker, { kind: answer, job: job.number, message });
      throw new Error(message);
    } finally {
      const left = this.#running.get(check)! - 1;
      if (left > 0) this.#running.set(check, left);
      else this.#running.delete(check);
      if (left === 0 && this.#ended.has(check)) await this.#cache.forget(check);
    }
  }

  /** Forgets the checks that have ended; their jobs stop. */
  async forgetEnded(): Promise<void> {
    for (const check of this.#checks.keys()) {
      if (await this.#isWaitedFor(check)) continue;
      this.#ended.add(check);
      this.#checks.delete(check);
      await this.#threads.terminate(check);
      if (!this.#running.has(check)) await this.#cache.forget(check);
    }
  }

  /** What is not done by now is given back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#threads.terminate();
  }

  async #run(job: FrameJob, attempt: number): Promise<JobOutcome> {
    const { check, files } = job;
    if (this.#isStopping) return 'stopped';
    if (!(await this.#isWaitedFor(check))) return 'abandoned';
    this.#ended.delete(check);
    const open = await this.#open(check);
    if (open === undefined) return 'abandoned';
    await this.#cache.hold(check, this.#keys.files(check), files);
    try {
      if (this.#isStopping) return 'stopped'; // while its files were fetched: there was no thread yet to be stopped
      const thread = await this.#threads.acquire(check, () => open.start);
      try {
        await this.#checkFrames(job, attempt, thread);
      } finally {
        thread.isBusy = false;
      }
      return 'done';
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof ConnectionFailed) throw error;
      if (!(await this.#cache.hasAll(check, [...open.files, ...files]))) throw error;
      const message = this.#withoutFolder(check, describeError(error));
      const answer = { kind: 'error', job: job.number, message } as const;
      await tell(this.#client, this.#keys.answers(check), this.#worker, answer);
      return 'done'; // it would be the same anywhere
    } finally {
      await this.#cache.letGo(check, files);
    }
  }

  async #checkFrames(job: FrameJob, attempt: number, thread: FrameThread): Promise<void> {
    const stream = this.#keys.answers(job.check);
    let results: FrameResult[] = [];
    let bytes = 0;
    let lastTime = Date.now();
    let telling: Promise<void> = Promise.resolve();
    const tellResults = () => {
      const batch = { results, prepared: thread.prepared };
      results = [];
      bytes = 0;
      lastTime = Date.now();
      telling = telling.then(async () => {
        const isHeard = await tellFrames(this.#client, stream, this.#worker, {
          job: job.number,
          attempt,
          batch,
        });
        if (!isHeard) throw new Abandoned();
      });
      telling.catch((error) => thread.terminate(error));
    };
    await thread.run(job, (result) => {
      this.frames++;
      results.push(result);
      bytes += result.pairs.byteLength + (result.times?.byteLength ?? 0) + 1_000;
      if (bytes >= TELL_BYTES || Date.now() - lastTime >= TELL_EVERY) tellResults();
    });
    if (results.length > 0) tellResults();
    await telling;
  }

  /** Once for all jobs of a check, unless it fails. */
  #open(check: string): Promise<OpenCheck | undefined> {
    let open = this.#checks.get(check);
    if (open === undefined) {
      open = this.#fetchCheck(check);
      this.#checks.set(check, open);
      open.then(
        (found) => found ?? this.#checks.delete(check),
        () => this.#checks.delete(check),
      );
    }
    return open;
  }

  async #fetchCheck(check: string): Promise<OpenCheck | undefined> {
    const text = (await this.#client.persist(() => this.#client.send(['GET', this.#keys.spec(check)]))) as
      | string
      | null;
    if (text === null) return undefined;
    const { inputs, options, culling, certificates, files } = JSON.parse(text) as CheckSpec;
    const all = certificates ? [...files, certificates.file] : files;
    await this.#cache.hold(check, this.#keys.files(check), all);
    const local = (path: string) => this.#cache.localPath(check, path);
    const start: WorkerStart = {
      inputs: inputs.map((input) => localInput(input, local)),
      options,
      culling,
      certificates: certificates && {
        path: certificates.path,
        bytes: await readFile(local(certificates.file.path)),
        isMeasured: certificates.isMeasured,
        salt: certificates.salt,
        kinds: certificates.kinds,
      },
    };
    return { files, start };
  }

  async #isWaitedFor(check: string): Promise<boolean> {
    return (await this.#client.persist(() => this.#client.send(['EXISTS', this.#keys.alive(check)]))) === 1;
  }

  /** The check puts its own names there. */
  #withoutFolder(check: string, message: string): string {
    return message.replaceAll(`${this.#cache.folder(check)}/`, FOLDER_MARK);
  }
}

function localInput(input: PartInput, local: (path: string) => string): PartInput {
  if (input.kind === 'sequence') return { kind: 'sequence', paths: input.paths.map(local) };
  if (input.kind === 'modal') {
    const { poses } = input;
    const main = { kind: input.kind, path: local(input.path), modes: local(input.modes) };
    return poses === undefined ? main : { ...main, poses: local(poses) };
  }
  if (input.kind !== 'cached') return { kind: input.kind, path: local(input.path) };
  return { kind: 'cached', path: local(input.path), cache: local(input.cache) };
}
