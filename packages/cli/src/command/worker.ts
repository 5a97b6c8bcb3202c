import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { printNote } from '../output/streams.ts';
import { plural } from '../output/text.ts';
import { BullClient } from '../queue/bullmq-client.ts';
import { FileCache } from '../queue/file-cache.ts';
import { type FrameJob, QueueKeys, release, versionOf } from '../queue/job-format.ts';
import { JobRunner } from '../queue/job-runner.ts';
import { loadBullMq } from '../queue/load-bullmq.ts';
import { announce, listPresent, type Presence, startHeartbeat, takeLeave } from '../queue/presence.ts';
import { type QueueSettings, queueSettings } from '../queue/queue-settings.ts';
import { redisAddress } from '../queue/redis-address.ts';
import { Interruption } from './interruption.ts';
import { parseInteger, parseNumber } from './parse.ts';

export interface WorkerSettings extends QueueSettings {
  readonly threads: number;
  readonly lease: number; // milliseconds
  readonly grace: number; // milliseconds to finish what was begun
  readonly idle: number | undefined; // milliseconds
  readonly quiet: boolean;
}

const HANDING_BACK = 5_000; // milliseconds
const TRY_AGAIN = 1_000; // milliseconds after the connection broke while a job was asked for
const MOST_STALLS = 4; // workers that may die of a job

export function workerSettings(raw: Readonly<Record<string, unknown>>): WorkerSettings {
  const { threads, lease, grace, idle, quiet } = raw;
  return {
    ...queueSettings(raw),
    threads: threads === undefined ? availableParallelism() : parseInteger('--threads', threads, 1, 256),
    lease: 1000 * (lease === undefined ? 30 : parseNumber('--lease', lease, 1, 3600)),
    grace: 1000 * (grace === undefined ? 5 : parseNumber('--grace', grace, 0, 3600)),
    idle: idle === undefined ? undefined : 1000 * parseNumber('--idle', idle, 1, 1e9),
    quiet: quiet === true,
  };
}

/** Runs `pliant worker`: does jobs of checks until it is interrupted. */
export async function worker(settings: WorkerSettings): Promise<number> {
  const bullmq = await loadBullMq();
  const { url, tls, patience, name, threads, lease, sharedRoot } = settings;
  const interruption = new Interruption();
  const note = (text: string) => {
    if (!settings.quiet) printNote(text);
  };
  const address = await redisAddress(url, tls);
  const client = new BullClient(address, patience, 'pliant-worker');
  const keys = new QueueKeys(name);
  const { version, id } = release();
  const presence: Presence = { id: `${hostname()}-${process.pid}-${randomUUID()}`, release: id, threads };
  let cache: FileCache | undefined;
  try {
    if (!(await connectUntil(client, interruption.signal))) return 0;
    cache = await FileCache.open(client, sharedRoot);
    const runner = new JobRunner(client, keys, presence.id, cache, threads);
    const jobs = new bullmq.Worker<FrameJob>(
      keys.jobs(id),
      async (job, token) => {
        const data = checkedJob(job.data, id, bullmq.UnrecoverableError);
        const outcome = await runner.run(data, job.attemptsStarted);
        if (outcome !== 'stopped') return;
        await job.moveToWait(token);
        throw new bullmq.WaitingError();
      },
      {
        name: presence.id, // BullMQ notes it with the job
        connection: client,
        prefix: keys.prefix,
        concurrency: threads,
        lockDuration: lease,
        stalledInterval: lease,
        maxStalledCount: MOST_STALLS,
        drainDelay: 5,
        runRetryDelay: TRY_AGAIN,
      },
    );
    let done = 0;
    jobs.on('completed', () => done++);
    jobs.on('error', () => {}); // connections come back, and lost jobs are done again
    note(`worker for pliant ${version} at ${address.label}: ${plural(threads, 'thread')}; Ctrl-C ends it`);
    tellOfRedis(client, note);
    const others = new OtherReleases(client, keys, id);
    const end = new Ending(client, interruption.signal);
    const stopBeating = startHeartbeat(async () => {
      await announce(client, keys.workers, presence);
      await runner.forgetEnded();
      await others.tell(note);
      end.watchIdle(settings.idle, runner.jobs, done);
    });
    try {
      const begin = async () => {
        await client.persist(() => announce(client, keys.workers, presence)); // Redis may be gone again by now
        await client.persist(() => others.tell(note));
        await end.reached;
      };
      await Promise.race([begin(), end.reached]);
    } finally {
      stopBeating();
      await closeJobs(jobs, runner, settings.grace, client.status !== 'ready');
    }
    if (client.status === 'ready') await takeLeave(client, keys.workers, presence).catch(() => {});
    note(`${plural(done, 'job')} done, ${plural(runner.frames, 'frame')}`);
    return 0;
  } finally {
    client.disconnectAll();
    await cache?.close();
    interruption.dispose();
  }
}

/** False when the worker was interrupted before Redis answered. */
async function connectUntil(client: BullClient, signal: AbortSignal): Promise<boolean> {
  const stop = () => client.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await client.connect();
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** When the worker is to end: after Ctrl-C, after being idle, or when Redis stays away. */
class Ending {
  readonly reached: Promise<void>;
  #resolve!: () => void;
  #done = -1;
  #idleSince = Date.now();

  constructor(client: BullClient, signal: AbortSignal) {
    this.reached = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      client.once('lost', reject);
    });
    this.reached.catch(() => {}); // it may come before anybody waits
  }

  watchIdle(limit: number | undefined, running: number, done: number): void {
    if (running > 0 || done !== this.#done) this.#idleSince = Date.now();
    this.#done = done;
    if (limit !== undefined && Date.now() - this.#idleSince >= limit) this.#resolve();
  }
}

/** Jobs that take longer than the grace go back to the queue. */
async function closeJobs(
  jobs: { close(force: boolean): Promise<void> },
  runner: JobRunner,
  grace: number,
  isAway: boolean,
): Promise<void> {
  const timer = setTimeout(() => void runner.stop(), grace);
  await Promise.race([jobs.close(isAway), pause(grace + HANDING_BACK, undefined, { ref: false })]).catch(
    () => {},
  );
  clearTimeout(timer);
  await runner.stop();
}

function checkedJob(
  job: FrameJob,
  releaseId: string,
  Unrecoverable: new (message: string) => Error,
): FrameJob {
  if (job.release !== releaseId) {
    throw new Unrecoverable(
      `the check is pliant ${versionOf(job.release)}, the worker ${versionOf(releaseId)}`,
    );
  }
  const numbers = [job.number, job.first, job.count];
  const isWhole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0) && job.count > 0;
  if (isWhole && /^[\w-]{1,64}$/.test(job.check) && Array.isArray(job.files)) return job;
  throw new Unrecoverable('the job is damaged');
}

function tellOfRedis(client: BullClient, note: (text: string) => void): void {
  let isAway = false;
  client.on('close', () => {
    if (!isAway && client.status !== 'end') note('Redis is away; waiting for it');
    isAway = true;
  });
  client.on('ready', () => {
    if (isAway) note('Redis is back');
    isAway = false;
  });
}

/** Tells once of each release that has checks here which are not for us. */
class OtherReleases {
  readonly #client: BullClient;
  readonly #keys: QueueKeys;
  readonly #ours: string;
  readonly #known = new Set<string>();

  constructor(client: BullClient, keys: QueueKeys, ours: string) {
    this.#client = client;
    this.#keys = keys;
    this.#ours = ours;
  }

  async tell(note: (text: string) => void): Promise<void> {
    for (const { release: other } of await listPresent(this.#client, this.#keys.checks)) {
      if (other === this.#ours || this.#known.has(other)) continue;
      this.#known.add(other);
      const both = `this worker is pliant ${versionOf(this.#ours)}, and both need the same version`;
      note(`a check of pliant ${versionOf(other)} is left alone: ${both}`);
    }
  }
}
