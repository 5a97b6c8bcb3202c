import type { Queue } from 'bullmq';
import type { FileStore } from './file-store.ts';
import { type FrameJob, jobId } from './job-format.ts';
import type { QueueLink } from './queue-link.ts';
import type { RedisClient } from './redis-client.ts';
import type { SceneFile, SceneFiles } from './scene-files.ts';

export interface OpenJob {
  readonly job: FrameJob;
  readonly files: readonly SceneFile[];
  readonly missing: Set<number>; // frames
  since: number; // when it was handed out
}

const RETRIES = 5;
const BACK_OFF = 1_000; // milliseconds, doubled each time
const KEPT = 86_400; // seconds for which BullMQ keeps a job that failed, should we not be there to remove it

/** Jobs of a check that were handed out, until all their frames are here. */
export class OpenJobs {
  handedOut = 0;
  again = 0; // handed out once more, because Redis had lost them
  readonly #queue: Queue<FrameJob>;
  readonly #client: RedisClient; // of the queue
  readonly #check: string;
  readonly #release: string;
  readonly #files: SceneFiles;
  readonly #store: FileStore;
  readonly #open = new Map<number, OpenJob>(); // in order of their frames

  constructor({ queue, client, release }: QueueLink, check: string, files: SceneFiles, store: FileStore) {
    this.#queue = queue;
    this.#client = client;
    this.#check = check;
    this.#release = release;
    this.#files = files;
    this.#store = store;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Jobs since the oldest that is open, that one included: what may have to be held in memory. */
  get span(): number {
    for (const number of this.#open.keys()) return this.handedOut - number;
    return 0;
  }

  get(number: number): OpenJob | undefined {
    return this.#open.get(number);
  }

  all(): OpenJob[] {
    return [...this.#open.values()];
  }

  /** The job that a frame is part of. */
  of(frame: number): OpenJob | undefined {
    return this.all().find(({ job: { first, count } }) => frame >= first && frame < first + count);
  }

  async handOut(first: number, count: number): Promise<void> {
    const files = this.#files.ofFrames(first, count);
    const refs = [];
    for (const file of files) refs.push(await this.#store.offer(file));
    const number = this.handedOut++;
    const job = { release: this.#release, check: this.#check, number, first, count, files: refs };
    const missing = new Set(Array.from({ length: count }, (_, k) => first + k));
    const open = { job, files, missing, since: Date.now() };
    this.#open.set(number, open);
    await this.#add(open);
  }

  async handOutAgain(open: OpenJob): Promise<void> {
    this.again++;
    open.since = Date.now();
    await this.#add(open);
  }

  /** A frame of the job is here. The last one closes it. */
  async receive(number: number, frame: number): Promise<void> {
    const open = this.#open.get(number);
    if (open === undefined || !open.missing.delete(frame) || open.missing.size > 0) return;
    this.#open.delete(number);
    for (const file of open.files) await this.#store.giveUp(file);
  }

  /** Jobs of all checks that workers have at the moment. */
  activeCount(): Promise<number> {
    return this.#client.persist(() => this.#queue.getActiveCount());
  }

  stateOf({ job }: OpenJob): Promise<string> {
    return this.#client.persist(() => this.#queue.getJobState(jobId(job)));
  }

  /** Why it has failed for good. */
  async failureOf({ job }: OpenJob): Promise<string> {
    const found = await this.#client.persist(() => this.#queue.getJob(jobId(job)));
    return found?.failedReason ?? 'unknown reason';
  }

  /** Takes a job out of the queue, unless a worker has it; then the worker finds out by itself. */
  async remove(number: number): Promise<void> {
    const id = jobId({ check: this.#check, number });
    await this.#client.persist(() => this.#queue.remove(id)).catch(() => {});
  }

  /** A job that is there already stays as it is. */
  async #add({ job }: OpenJob): Promise<void> {
    await this.#client.persist(() =>
      this.#queue.add('frames', job, {
        jobId: jobId(job),
        attempts: RETRIES,
        backoff: { type: 'exponential', delay: BACK_OFF, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: { age: KEPT },
      }),
    );
  }
}
