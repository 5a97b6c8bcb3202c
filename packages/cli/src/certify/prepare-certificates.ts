import { type Body, type Engine, PairBuffer, type TaskPool } from 'pliant';
import {
  type EnergyCertificate,
  prepareEnergyCertificateAsync,
  prepareSubspaceCertificateAsync,
  type SubspaceCertificate,
} from 'pliant/cull';
import {
  type CertificateRecord,
  createRecord,
  matchingRecords,
  readEnergyCertificate,
  readSubspaceCertificate,
  writeEnergyCertificate,
  writeSubspaceCertificate,
} from 'pliant/io';
import { isExpected } from '../command-error.ts';
import type { StageProgress } from '../output/stage-progress.ts';
import type { CertifyJob, JobOptions, ModalJob } from './certify-jobs.ts';
import { hasOptions, UnfinishedCertificate } from './unfinished-certificate.ts';

/** A certificate of this run, and what to tell about it. */
export interface MadeCertificate {
  readonly record: CertificateRecord;
  readonly weights?: WeightProofs; // of what is moved by modes or morph targets
  readonly restContacts: number; // pairs that are always tested
  readonly memory: number; // bytes, while it is in use
  readonly seconds: number;
  readonly isReused: boolean;
  readonly resumedParts: number; // that an interrupted run had left
}

/** What is known of the weights of a pose. */
export interface WeightProofs {
  readonly targets: number; // morph targets or modes
  readonly freeUpTo: number; // no contact at all while the gauge is below
  readonly limit: number; // the gauge up to which anything is known
}

export interface PrepareWork {
  readonly engine: Engine;
  readonly jobs: readonly CertifyJob[];
  /** Those of earlier runs: taken as they are where body and options are the same. */
  readonly known: readonly CertificateRecord[];
  readonly progress: StageProgress;
  readonly signal: AbortSignal;
  /** Workers, started when there is something for them to do; undefined: this thread does it. */
  readonly pool: () => Promise<TaskPool | undefined>;
  /** Told that there is more to keep than before. */
  readonly onProgress: () => void;
}

/** Prepares certificates one after the other. Bodies that are the same to the last bit share one. */
export class CertificatePreparation {
  readonly #work: PrepareWork;
  readonly #made: MadeCertificate[] = [];
  #unfinished: UnfinishedCertificate | undefined;

  constructor(work: PrepareWork) {
    this.#work = work;
  }

  /** What is there so far, the parts of an unfinished one included: what the next run need not do again. */
  records(): CertificateRecord[] {
    const records = this.#made.map(({ record }) => record);
    return this.#unfinished ? [...records, ...this.#unfinished.records()] : records;
  }

  async run(): Promise<readonly MadeCertificate[]> {
    const { jobs, engine, onProgress } = this.#work;
    for (const [k, job] of jobs.entries()) {
      const { name } = job.body;
      const body = job.modes
        ? engine.createModalBody(job.shape, job.modes, { name })
        : engine.createFreeBody(job.shape, { name, split: 'connected' });
      try {
        if (this.#shareWithTwin(job, body)) continue;
        this.#made.push(await this.#prepare(job, body, k));
        this.#unfinished = undefined;
        onProgress();
      } finally {
        body.dispose();
      }
    }
    return this.#made;
  }

  #shareWithTwin({ options, purpose }: CertifyJob, body: Body): boolean {
    const made = this.#made;
    const records = made.map(({ record }) => record);
    const twin = findRecord(records, body, options);
    if (twin === undefined) return false;
    const m = records.indexOf(twin);
    const uses = twin.options.for === purpose ? purpose : 'both';
    made[m] = { ...made[m], record: { ...twin, options: { ...twin.options, for: uses } } };
    return true;
  }

  async #prepare(job: CertifyJob, body: Body, k: number): Promise<MadeCertificate> {
    const { jobs, known, progress } = this.#work;
    const { body: address, options, purpose } = job;
    const start = performance.now();
    const stage = jobs.length > 1 ? `"${address.name}", ${k + 1} of ${jobs.length}` : `"${address.name}"`;
    if (jobs.length > 1) progress.announce(stage);
    progress.update(stage, 0);
    const old = findRecord(known, body, options);
    const [certificate, bytes] = job.modes
      ? await this.#prepareModal(job, body, stage, old)
      : await this.#prepareFree(body, stage, old);
    const exceptions = new PairBuffer();
    certificate.exceptions(0, 0, exceptions);
    return {
      record: createRecord(bytes, address, { for: purpose, ...options }),
      ...(job.modes && { weights: weightProofs(job, certificate as SubspaceCertificate) }),
      restContacts: exceptions.count,
      memory: certificate.bytes,
      seconds: (performance.now() - start) / 1000,
      isReused: old !== undefined,
      resumedParts: this.#unfinished?.resumed ?? 0,
    };
  }

  async #prepareModal(
    job: ModalJob,
    body: Body,
    stage: string,
    old: CertificateRecord | undefined,
  ): Promise<[SubspaceCertificate, Uint8Array]> {
    if (old) return [readSubspaceCertificate(old.bytes, 'the earlier result', body), old.bytes];
    const certificate = await this.#prepareAnew(job, body, stage);
    return [certificate, writeSubspaceCertificate(certificate)];
  }

  async #prepareFree(
    body: Body,
    stage: string,
    old: CertificateRecord | undefined,
  ): Promise<[EnergyCertificate, Uint8Array]> {
    if (old) return [readEnergyCertificate(old.bytes, 'the earlier result', body), old.bytes];
    const { signal, progress } = this.#work;
    const certificate = await prepareEnergyCertificateAsync(body, {
      signal,
      slice: 50,
      onProgress: (share) => progress.update(stage, share),
    });
    return [certificate, writeEnergyCertificate(certificate)];
  }

  async #prepareAnew(job: ModalJob, body: Body, stage: string): Promise<SubspaceCertificate> {
    const { known, signal, progress, onProgress } = this.#work;
    const pool = await this.#work.pool();
    const { gauge, reach, tolerance, ignoreRestContacts, centres } = job.options;
    const unfinished = new UnfinishedCertificate(job, body, known);
    this.#unfinished = unfinished;
    const prepare = (parts: readonly Uint8Array[]) =>
      prepareSubspaceCertificateAsync(body, {
        gauge,
        reach: reach ?? undefined,
        tolerance,
        ignoreRestContacts,
        ...(centres.length > 0 && { centres: [new Float64Array(job.modes.count), ...centres] }),
        signal,
        pool,
        slice: 50,
        parts,
        onPart: (part) => unfinished.add(part),
        onProgress: (share) => {
          progress.update(stage, share);
          onProgress();
        },
      });
    const parts = unfinished.parts.slice();
    try {
      return await prepare(parts);
    } catch (error) {
      if (parts.length === 0 || !isExpected(error)) throw error;
      unfinished.forget(); // of another version
      return await prepare([]);
    }
  }
}

function weightProofs({ modes }: ModalJob, { balls: [{ lower, limit }] }: SubspaceCertificate): WeightProofs {
  return { targets: modes.count, freeUpTo: lower[0], limit };
}

/** Of the same body, prepared in the same way. */
function findRecord(
  records: readonly CertificateRecord[],
  body: Body,
  options: JobOptions,
): CertificateRecord | undefined {
  const found = matchingRecords({ fileName: '', files: [], records }, body);
  return found.find((record) => hasOptions(record, options));
}
