import { randomBytes } from 'node:crypto';
import { CommandError, describeError } from '../command-error.ts';
import type { FrameRun } from '../frames/run-frames.ts';
import { plural } from '../output/text.ts';
import { type ReceivedAnswer, readAnswers, removeAnswers } from './answers.ts';
import { CheckKeeper } from './check-keeper.ts';
import { FileStore } from './file-store.ts';
import { decodeFrames } from './frame-codec.ts';
import { FrameOrder } from './frame-order.ts';
import { QueueKeys, release } from './job-format.ts';
import { JobSize } from './job-size.ts';
import { OpenJobs } from './open-jobs.ts';
import { QueueLink } from './queue-link.ts';
import type { QueueCheckSettings } from './queue-settings.ts';
import { ConnectionFailed, ConnectionLost } from './redis-client.ts';
import { RedisError } from './resp.ts';
import { SceneFiles } from './scene-files.ts';

/** A run of frames by the workers of a queue. */
export interface QueueRun extends FrameRun {
  readonly note: (text: string) => void;
  /** Told how many frames are here, in order or not, and who works on them. */
  readonly onProgress: (received: number, workers: string) => void;
}

const BLOCK = 400; // milliseconds: how long an interruption may go unnoticed
const REVIEW_EVERY = 2_000; // milliseconds
const LOST_AFTER = 2_000; // milliseconds before a job is looked for
const LEAST_IDLE = 10_000; // milliseconds for which workers may leave jobs alone, at the least
const FEWEST_OPEN = 8; // jobs
const OPEN_PER_THREAD = 4;
const MOST_OPEN = 256;
const HURRY = 2_000; // milliseconds that Redis may be away once we are interrupted
const LAST = 5_000; // milliseconds for tidying up, and for ending after an interruption

/**
 * Checks every frame of the plan on other machines, with results in order. Returns how many threads took part. Ends
 * soon after `run.signal` aborts, wherever it is, and whatever Redis does.
 */
export async function runInQueue(run: QueueRun, settings: QueueCheckSettings): Promise<number> {
  const { signal } = run;
  try {
    const link = await QueueLink.open(settings, release().id, signal);
    const timers: NodeJS.Timeout[] = [];
    const hurry = () => {
      timers.push(
        setTimeout(() => link.abandon(), HURRY),
        setTimeout(() => link.cut(), LAST),
      );
    };
    signal.addEventListener('abort', hurry);
    if (signal.aborted) hurry();
    try {
      return await runWith(link, run, settings);
    } finally {
      signal.removeEventListener('abort', hurry);
      for (const timer of timers) clearTimeout(timer);
    }
  } catch (error) {
    if (signal.aborted && isOfConnection(error)) return 1;
    if (!(error instanceof RedisError)) throw error;
    throw new CommandError(`Redis refuses a command: ${describeError(error)}`); // no memory, no permission
  }
}

async function runWith(link: QueueLink, run: QueueRun, settings: QueueCheckSettings): Promise<number> {
  let check: QueueCheck | undefined;
  try {
    check = await QueueCheck.open(run, settings, link);
    await check.run();
    return check.threads;
  } finally {
    await tidyUp(link, settings, async () => {
      await check?.close();
      await link.close();
    });
  }
}

/** Removes what a check has put into Redis. What cannot be removed in time expires there by itself. */
async function tidyUp(
  link: QueueLink,
  { patience }: QueueCheckSettings,
  work: () => Promise<void>,
): Promise<void> {
  const timer = setTimeout(() => link.cut(), Math.min(LAST, patience.later));
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Whether Redis being away, or our having left it, is all that has happened. */
function isOfConnection(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof ConnectionFailed) return true;
  return (
    error instanceof Error && (error.name === 'AbortError' || /^Connection is closed/.test(error.message))
  );
}

/** One check and its jobs. */
class QueueCheck {
  readonly #run: QueueRun;
  readonly #settings: QueueCheckSettings;
  readonly #link: QueueLink;
  readonly #stream: string;
  readonly #keeper: CheckKeeper;
  readonly #files: SceneFiles;
  readonly #jobs: OpenJobs;
  readonly #order: FrameOrder;
  readonly #size: JobSize;
  readonly #workers = new Set<string>(); // that have told us something
  readonly #repeated = new Map<number, number>(); // jobs that were begun more than once: how often
  readonly #failures = new Map<number, string>(); // by job: what is wrong with the input
  #nextOut: number;
  #lastId = '0';
  #reviewAt = 0;
  #idleSince: number | undefined; // since when jobs have been waiting and no worker has had one

  static async open(run: QueueRun, settings: QueueCheckSettings, link: QueueLink): Promise<QueueCheck> {
    const id = randomBytes(8).toString('hex');
    const keys = new QueueKeys(settings.name);
    const files = await SceneFiles.list(run.scene, run.plan);
    const store = await FileStore.open(link.client, keys.files(id), settings.sharedRoot);
    const keeper = new CheckKeeper(link.client, keys, id, link.release, store, settings);
    try {
      await keeper.watchWorkers(run.note); // before anything is sent
      await keeper.begin(run, files);
      return new QueueCheck(run, settings, link, id, keys, files, keeper, store);
    } catch (error) {
      await tidyUp(link, settings, () => keeper.end());
      throw error;
    }
  }

  private constructor(
    run: QueueRun,
    settings: QueueCheckSettings,
    link: QueueLink,
    id: string,
    keys: QueueKeys,
    files: SceneFiles,
    keeper: CheckKeeper,
    store: FileStore,
  ) {
    this.#run = run;
    this.#settings = settings;
    this.#link = link;
    this.#stream = keys.answers(id);
    this.#keeper = keeper;
    this.#files = files;
    this.#jobs = new OpenJobs(link, id, files, store);
    this.#order = new FrameOrder(run.plan.firstFrame);
    this.#size = new JobSize(settings.jobFrames);
    this.#nextOut = run.plan.firstFrame;
  }

  get threads(): number {
    return this.#keeper.threadsOf(this.#workers);
  }

  get #end(): number {
    return this.#run.plan.firstFrame + this.#run.plan.frameCount;
  }

  async run(): Promise<void> {
    const { signal, onResult } = this.#run;
    try {
      while (this.#order.next < this.#end && !signal.aborted) await this.#step();
    } catch (error) {
      if (!(signal.aborted && isOfConnection(error))) throw error;
    }
    if (signal.aborted) for (const result of this.#order.takeRest()) await onResult(result);
    this.#run.note(this.#summary());
  }

  async #step(): Promise<void> {
    await this.#handOut();
    await this.#listen(BLOCK);
    await this.#deliver();
    if (Date.now() >= this.#reviewAt) await this.#review();
    this.#run.onProgress(this.#order.received, this.#keeper.describeWorkers());
  }

  /** Leaves nothing behind in Redis. Jobs that a worker has at the moment are dropped by it. */
  async close(): Promise<void> {
    for (const { job } of this.#jobs.all()) await this.#jobs.remove(job.number);
    for (const number of this.#repeated.keys()) await this.#jobs.remove(number);
    await this.#keeper.end();
  }

  /** As many jobs as are allowed to be open; those behind a slow one count, too, for their results are held. */
  async #handOut(): Promise<void> {
    const limit = this.#settings.openJobs ?? this.#defaultLimit();
    while (
      this.#nextOut < this.#end &&
      Math.max(this.#jobs.count, this.#jobs.span) < limit &&
      this.#failures.size === 0 &&
      !this.#run.signal.aborted
    ) {
      const count = Math.min(this.#size.frames, this.#end - this.#nextOut);
      await this.#jobs.handOut(this.#nextOut, count);
      this.#nextOut += count;
    }
  }

  #defaultLimit(): number {
    return Math.max(FEWEST_OPEN, Math.min(MOST_OPEN, OPEN_PER_THREAD * this.#keeper.threads));
  }

  /** Takes in what has been told. Returns how much that was. */
  async #listen(block: number): Promise<number> {
    const answers = await this.#link.reader.persist(() =>
      readAnswers(this.#link.reader, this.#stream, this.#lastId, block),
    );
    for (const received of answers) {
      await this.#take(received);
      this.#lastId = received.id;
    }
    await removeAnswers(
      this.#link.client,
      this.#stream,
      answers.map(({ id }) => id),
    );
    return answers.length;
  }

  async #take({ worker, answer }: ReceivedAnswer): Promise<void> {
    if (answer.kind === 'hello') return;
    this.#workers.add(worker);
    this.#idleSince = undefined;
    const { job } = answer;
    const open = this.#jobs.get(job);
    if (answer.kind === 'frames') {
      if (answer.attempt > 1) this.#repeat(job, answer.attempt);
      const { results, prepared } = decodeFrames(answer.payload);
      this.#run.onPrepared?.(prepared);
      for (const result of results) {
        this.#size.learn(result.milliseconds);
        if (this.#order.add(result)) await this.#jobs.receive(job, result.frame);
        else this.#repeat(job, 2);
      }
    } else if (open === undefined) {
      this.#repeat(job, 2); // done already, by somebody else
    } else if (answer.kind === 'error') {
      this.#failures.set(job, answer.message);
    } else {
      this.#reviewAt = 0;
      if (answer.kind === 'missing') await this.#keeper.restoreFiles();
      if (answer.kind === 'trouble') {
        const { first, count } = open.job;
        const what = this.#files.withOurNames(answer.message);
        this.#run.note(`${frameText(first, count)} failed on a worker and will be tried again: ${what}`);
      }
    }
  }

  #repeat(job: number, times: number): void {
    this.#repeated.set(job, Math.max(times, this.#repeated.get(job) ?? 0));
  }

  /** In order. A failure counts once all frames before it are done: so it is the one that a single machine tells of. */
  async #deliver(): Promise<void> {
    for (let result = this.#order.take(); result !== undefined; result = this.#order.take()) {
      await this.#run.onResult(result);
      if (this.#run.signal.aborted) return;
    }
    const stuck = this.#jobs.of(this.#order.next);
    const failure = stuck && this.#failures.get(stuck.job.number);
    if (failure !== undefined) throw new CommandError(this.#files.withOurNames(failure));
  }

  /** Looks after everything that nobody tells us. */
  async #review(): Promise<void> {
    this.#reviewAt = Date.now() + REVIEW_EVERY;
    await this.#keeper.restore();
    await this.#keeper.watchWorkers(this.#run.note);
    const now = Date.now();
    let isWaiting = false;
    for (const open of this.#jobs.all()) {
      if (now - open.since < LOST_AFTER || this.#failures.has(open.job.number)) continue;
      const state = await this.#jobs.stateOf(open);
      if (state === 'failed') await this.#fail(open.job.number);
      if (state === 'unknown') await this.#find(open.job.number);
      if (state === 'waiting') isWaiting = true;
    }
    if (isWaiting && (await this.#jobs.activeCount()) === 0) this.#watchIdle();
    else this.#idleSince = undefined;
  }

  /** Workers that are there and do not take what waits for them will not do so later. */
  #watchIdle(): void {
    this.#idleSince ??= Date.now();
    const idle = Date.now() - this.#idleSince;
    if (this.#keeper.threads === 0 || idle < Math.max(LEAST_IDLE, this.#settings.patience.later)) return;
    const workers = this.#keeper.describeWorkers();
    throw new CommandError(
      `no job has been taken for ${Math.round(idle / 1000)} s, although ${workers} said to be there`,
    );
  }

  /** A job that Redis does not know is done, or lost. Workers tell results before they say that a job is done. */
  async #find(number: number): Promise<void> {
    while ((await this.#listen(0)) > 0);
    const open = this.#jobs.get(number);
    if (open !== undefined && !this.#failures.has(number)) await this.#jobs.handOutAgain(open);
  }

  async #fail(number: number): Promise<void> {
    while ((await this.#listen(0)) > 0);
    const open = this.#jobs.get(number);
    if (open === undefined || this.#failures.has(number)) return;
    const { first, count } = open.job;
    const reason = this.#files.withOurNames(await this.#jobs.failureOf(open));
    const text = /stalled/.test(reason) ? 'worker after worker ended while it had them' : reason;
    throw new CommandError(
      `${frameText(first, count)} could not be checked: ${describeError(new Error(text))}`,
    );
  }

  #summary(): string {
    const { handedOut, again } = this.#jobs;
    const parts = [`queue: ${plural(handedOut, 'job')} by ${plural(this.#workers.size, 'worker')}`];
    const extra = [...this.#repeated.values()].reduce((sum, times) => sum + times - 1, 0);
    if (extra > 0) parts.push(`begun again ${extra === 1 ? 'once' : `${extra} times`}`);
    if (again > 0) parts.push(`${again} handed out again`);
    if (this.#order.duplicates > 0) {
      parts.push(`${plural(this.#order.duplicates, 'frame')} came twice and were taken once`);
    }
    return parts.join(', ');
  }
}

function frameText(first: number, count: number): string {
  return count === 1 ? `frame ${first}` : `frames ${first} to ${first + count - 1}`;
}
