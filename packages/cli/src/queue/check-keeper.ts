import { CommandError } from '../command-error.ts';
import type { FrameRun } from '../frames/run-frames.ts';
import { plural } from '../output/text.ts';
import { openAnswers } from './answers.ts';
import type { FileStore } from './file-store.ts';
import { type CheckSpec, type QueueKeys, versionOf } from './job-format.ts';
import { announce, listPresent, type Presence, startHeartbeat, takeLeave } from './presence.ts';
import type { QueueCheckSettings } from './queue-settings.ts';
import type { RedisClient } from './redis-client.ts';
import type { SceneFiles } from './scene-files.ts';

const ALIVE = 60; // seconds after which workers give up on a check that is silent
const KEPT = 3_600; // seconds after which Redis removes what a check that was killed has left

/** What a check has in Redis besides its jobs, and who is there to work on them. */
export class CheckKeeper {
  readonly #client: RedisClient;
  readonly #keys: QueueKeys;
  readonly #check: string;
  readonly #store: FileStore;
  readonly #settings: QueueCheckSettings;
  readonly #presence: Presence;
  #present: Presence[] = []; // workers of our release
  readonly #threads = new Map<string, number>(); // of every worker that was ever seen
  #noneSince: number | undefined;
  #spec = '';
  #stopBeating = () => {};

  constructor(
    client: RedisClient,
    keys: QueueKeys,
    check: string,
    releaseId: string,
    store: FileStore,
    settings: QueueCheckSettings,
  ) {
    this.#client = client;
    this.#keys = keys;
    this.#check = check;
    this.#store = store;
    this.#settings = settings;
    this.#presence = { id: check, release: releaseId, threads: 0 };
  }

  /** Threads of all workers that are there. */
  get threads(): number {
    return this.#present.reduce((sum, { threads }) => sum + threads, 0);
  }

  threadsOf(workers: ReadonlySet<string>): number {
    return Math.max(
      1,
      [...workers].reduce((sum, id) => sum + (this.#threads.get(id) ?? 1), 0),
    );
  }

  describeWorkers(): string {
    return this.#present.length === 0 ? 'no worker' : plural(this.#present.length, 'worker');
  }

  /** Puts what all jobs share where workers find it. */
  async begin({ options, culling, certificates }: FrameRun, files: SceneFiles): Promise<void> {
    await this.#client.persist(() => this.#beat());
    const refs = [];
    for (const file of files.common) refs.push(await this.#store.offer(file));
    const spec: CheckSpec = {
      release: this.#presence.release,
      inputs: files.inputs,
      options,
      culling,
      certificates: certificates && {
        file: await this.#store.offerBytes('certificates/certificates.pliant', certificates.bytes),
        path: certificates.path,
        isMeasured: certificates.isMeasured,
        salt: certificates.salt,
        kinds: certificates.kinds,
      },
      files: refs,
    };
    this.#spec = JSON.stringify(spec);
    await this.restore();
    this.#stopBeating = startHeartbeat(() => this.#beat());
  }

  /** Redis may have lost its data: everything that is missing is put there again. */
  async restore(): Promise<void> {
    const { spec, answers } = this.#names();
    const found = await this.#client.persist(() => this.#client.send(['EXISTS', spec, answers]));
    if (found === 2) return;
    await this.#client.persist(() => this.#client.send(['SET', spec, this.#spec, 'EX', KEPT]));
    const hasStream = await this.#client.persist(() => this.#client.send(['EXISTS', answers]));
    if (hasStream === 0) await openAnswers(this.#client, answers);
    await this.restoreFiles();
  }

  async restoreFiles(): Promise<void> {
    await this.#store.restore();
    await this.#client.persist(() => this.#beat());
  }

  /** Fails when only workers of other versions are there, or none for too long. */
  async watchWorkers(note: (text: string) => void): Promise<void> {
    const all = await this.#client.persist(() => listPresent(this.#client, this.#keys.workers));
    this.#present = all.filter(({ release }) => release === this.#presence.release);
    for (const { id, threads } of this.#present) this.#threads.set(id, threads);
    if (this.#present.length > 0) {
      this.#noneSince = undefined;
      return;
    }
    if (all.length > 0) {
      const versions = [...new Set(all.map(({ release }) => versionOf(release)))].join(', ');
      const ours = versionOf(this.#presence.release);
      throw new CommandError(
        `the workers of this queue are pliant ${versions}, but this is pliant ${ours}; both need the same version`,
      );
    }
    if (this.#noneSince === undefined) {
      this.#noneSince = Date.now();
      note('no worker is there; `pliant worker --queue …` starts one');
    }
    const seconds = (Date.now() - this.#noneSince) / 1000;
    if (1000 * seconds < this.#settings.patience.later) return;
    throw new CommandError(`no worker has been there for ${Math.round(seconds)} s`);
  }

  async end(): Promise<void> {
    this.#stopBeating();
    const client = this.#client;
    const names = this.#keys.allOf(this.#check);
    await client.persist(() => client.send(['UNLINK', ...names])).catch(() => {});
    await client.persist(() => takeLeave(client, this.#keys.checks, this.#presence)).catch(() => {});
  }

  async #beat(): Promise<void> {
    const { alive, spec, files, answers } = this.#names();
    await Promise.all([
      announce(this.#client, this.#keys.checks, this.#presence),
      this.#client.send(['SET', alive, this.#presence.release, 'EX', ALIVE]),
      ...[spec, files, answers].map((key) => this.#client.send(['EXPIRE', key, KEPT])),
    ]);
  }

  #names() {
    const [alive, spec, files, answers] = this.#keys.allOf(this.#check);
    return { alive, spec, files, answers };
  }
}
