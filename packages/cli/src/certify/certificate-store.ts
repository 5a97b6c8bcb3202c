import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type CertificateRecord, isStored, readCertificates, readStored, writeCertificates } from 'pliant/io';
import { CommandError, isExpected } from '../command-error.ts';
import { OutputFile } from '../output/output-file.ts';
import { readBytes } from '../scene/read-file.ts';

const SAVE_EVERY = 10_000; // milliseconds

/** Where certificates end up, and where those of a run that was interrupted wait for the next. */
export class CertificateStore {
  readonly path: string;
  readonly partPath: string;
  readonly #files: readonly string[];
  readonly #output: OutputFile;
  #lastSaved = performance.now();
  #saving: Promise<void> | undefined;

  /** Finds out at once, not after an hour of work, whether the file can be written. */
  static async open(path: string, files: readonly string[]): Promise<CertificateStore> {
    await refuseOtherKinds(path);
    return new CertificateStore(path, files, await OutputFile.open(path));
  }

  private constructor(path: string, files: readonly string[], output: OutputFile) {
    this.path = path;
    this.partPath = partPathOf(path);
    this.#files = files;
    this.#output = output;
  }

  /** What earlier runs have left. Files that are damaged or of another version are of no use, but no obstacle. */
  async readKnown(): Promise<CertificateRecord[]> {
    if (this.path === '-') return [];
    const lists = await Promise.all([this.path, this.partPath].map(readRecords));
    return lists.flat();
  }

  /** Writes what is done so far, unless that was done a moment ago: a run that is killed loses little. */
  noteProgress(records: () => readonly CertificateRecord[]): void {
    const now = performance.now();
    if (this.#saving !== undefined || now - this.#lastSaved < SAVE_EVERY) return;
    this.#lastSaved = now;
    this.#saving = this.#writePart(records())
      .catch(() => {}) // another try follows, and what counts is the result
      .finally(() => {
        this.#saving = undefined;
      });
  }

  /** Writes what is done so far, at once. */
  async savePart(records: readonly CertificateRecord[]): Promise<void> {
    await this.#saving; // it must not come last
    await this.#writePart(records);
  }

  async #writePart(records: readonly CertificateRecord[]): Promise<void> {
    if (this.path === '-' || records.length === 0) return;
    const file = await OutputFile.open(this.partPath);
    try {
      await file.write(writeCertificates(this.#files, records));
      await file.commit();
    } finally {
      await file.discard();
    }
  }

  /** Returns the size. */
  async save(records: readonly CertificateRecord[]): Promise<number> {
    await this.#saving;
    const bytes = writeCertificates(this.#files, records);
    await this.#output.write(bytes);
    await this.#output.commit();
    if (this.path !== '-') await rm(this.partPath, { force: true });
    return bytes.length;
  }

  /** Leaves nothing unfinished but what waits for the next run. */
  async discard(): Promise<void> {
    await this.#saving;
    await this.#output.discard();
  }
}

const LONGEST_NAME = 255; // bytes, on the file systems in use

/** Where the part that is done waits: `hero.pliant.part`, in another form when that is too long for a name. */
function partPathOf(path: string): string {
  const name = basename(path);
  if (Buffer.byteLength(name) + 5 <= LONGEST_NAME) return `${path}.part`;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return join(dirname(path), `${[...name].slice(0, 40).join('')}~${hash}.part`);
}

/** Something else may have taken long to make. */
async function refuseOtherKinds(path: string): Promise<void> {
  const bytes = path === '-' ? undefined : await readBytes(path).catch(() => undefined);
  if (bytes === undefined || !isStored(bytes)) return;
  let kind: string;
  try {
    kind = readStored(bytes, path).kind;
  } catch {
    return; // damaged
  }
  if (kind === 'certificates') return;
  throw new CommandError(`${path}: this file holds ${kind}; give the result another name with -o`);
}

async function readRecords(path: string): Promise<readonly CertificateRecord[]> {
  try {
    return readCertificates(await readBytes(path), path).records;
  } catch (error) {
    if (isExpected(error)) return [];
    throw error;
  }
}
