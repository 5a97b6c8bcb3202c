import type { Body } from 'pliant';
import {
  type CertificateRecord,
  createRecord,
  hashForCertificate,
  readStored,
  type StoredArray,
  writeStored,
} from 'pliant/io';
import type { JobOptions, ModalJob } from './certify-jobs.ts';

const KIND = 'subspace-parts';

/** Parts of a certificate that is being prepared, as they wait in a file for the next run. */
export class UnfinishedCertificate {
  readonly #job: ModalJob;
  readonly #madeFrom: string;
  #parts: Uint8Array[];
  #resumed: number;

  /** With the parts that an earlier run has left. */
  constructor(job: ModalJob, body: Body, known: readonly CertificateRecord[]) {
    this.#job = job;
    this.#madeFrom = hashForCertificate('subspace-certificate', body)!;
    const record = known.find(
      ({ kind, madeFrom, ...rest }) =>
        kind === KIND && madeFrom === this.#madeFrom && hasOptions(rest, job.options),
    );
    const arrays = record ? Object.values(readStored(record.bytes, 'the earlier result').arrays) : [];
    this.#parts = arrays.filter((array): array is Uint8Array<ArrayBuffer> => array instanceof Uint8Array);
    this.#resumed = this.#parts.length;
  }

  /** How many parts come from an earlier run. */
  get resumed(): number {
    return this.#resumed;
  }

  get parts(): readonly Uint8Array[] {
    return this.#parts;
  }

  add(part: Uint8Array): void {
    this.#parts.push(part);
  }

  forget(): void {
    this.#parts = [];
    this.#resumed = 0;
  }

  /** One, or none when there is nothing to keep. */
  records(): CertificateRecord[] {
    if (this.#parts.length === 0) return [];
    const arrays: Record<string, StoredArray> = {};
    for (const [k, part] of this.#parts.entries()) arrays[`part-${k}`] = part;
    const bytes = writeStored({ kind: KIND, madeFrom: this.#madeFrom, settings: {}, arrays });
    const { body, options, purpose } = this.#job;
    return [createRecord(bytes, body, { for: purpose, ...options })];
  }
}

/** Prepared, or to be prepared, in the same way. */
export function hasOptions({ options }: Pick<CertificateRecord, 'options'>, wanted: JobOptions): boolean {
  const { for: _, ...rest } = options;
  return JSON.stringify(rest) === JSON.stringify(wanted);
}
