import { type Body, checkBody } from '../body/body.ts';
import type { Certificate } from '../cull/certificate.ts';
import { hashOfFreeBody } from '../cull/energy/energy-certificate.ts';
import { hashOfModalBody } from '../cull/subspace/subspace-certificate.ts';
import { checkMade, checkObject, describe } from '../mesh/check-input.ts';
import { ContentHash } from '../mesh/content-hash.ts';
import { InputError } from '../mesh/input-error.ts';
import { verifyCertificates } from '../verify/verify-certificates.ts';
import { readEnergyCertificate } from './energy-file.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { readStored, type StoredArray, type StoredData, storedArray, writeStored } from './stored-file.ts';
import { readSubspaceCertificate } from './subspace-file.ts';

/** Where in a file a body comes from: for people. What counts is the hash of the body. */
export interface BodyAddress {
  /** Of the node or the mesh. */
  readonly name: string;
  /** Index of the glTF node; null in other formats. */
  readonly node: number | null;
  /** Of one primitive, where it is a body of its own as in three.js; null for all of a node's. */
  readonly primitive: number | null;
  readonly triangles: number;
}

/** One certificate in a file of several. */
export interface CertificateRecord {
  /** Of the certificate's own file, such as 'subspace-certificate'. */
  readonly kind: string;
  /** The hash of the body it was prepared for. */
  readonly madeFrom: string;
  readonly body: BodyAddress;
  /** What it was prepared with, as JSON would keep it. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The certificate's own file. */
  readonly bytes: Uint8Array;
}

/** Certificates of the bodies of a model, in one file. */
export interface CertificatesFile {
  readonly fileName: string; // for messages
  /** Base names of the model's files. */
  readonly files: readonly string[];
  readonly records: readonly CertificateRecord[];
}

/** How certificates of a kind are found and read. Further kinds are further rows, the cheapest proof first. */
interface CertificateKind {
  /** What a body must be the same in; undefined for bodies that cannot have such a certificate. */
  hashOf(body: Body): string | undefined;
  read(bytes: Uint8Array, fileName: string, body: Body): Certificate;
}

const KIND = 'certificates';
const KINDS: Readonly<Record<string, CertificateKind>> = {
  'subspace-certificate': {
    hashOf: (body) => (isModal(body) ? hashOfModalBody(body) : undefined),
    read: readSubspaceCertificate,
  },
  'energy-certificate': {
    hashOf: (body) => (body.deformer.handles?.kind === 'rest' ? undefined : hashOfFreeBody(body)),
    read: readEnergyCertificate,
  },
};

/** Kinds of certificates that this version can read; files of later ones may hold others. */
export const CERTIFICATE_KINDS: readonly string[] = Object.keys(KINDS);

function isModal({ deformer }: Body): boolean {
  return deformer.handles?.kind === 'modes' && deformer.handles.modeCount > 0;
}

/** A certificate's own file, as `writeSubspaceCertificate` makes it, for a file of several. */
export function createRecord(
  file: FileBytes,
  body: BodyAddress,
  options: Readonly<Record<string, unknown>> = {},
): CertificateRecord {
  const bytes = fileBytes(file, 'the certificate');
  const { kind, madeFrom } = readStored(bytes, 'the certificate');
  return { kind, madeFrom, body, options, bytes };
}

/** One file: version, and of each certificate kind, body, hash, options and its own file; all checksummed. */
export function writeCertificates(
  files: readonly string[],
  records: readonly CertificateRecord[],
): Uint8Array {
  if (!isTextList(files)) throw new InputError('wrong-type', 'files must be a list of names');
  if (!Array.isArray(records)) {
    throw new InputError('wrong-type', `records must be a list, not ${describe(records)}`);
  }
  const hash = new ContentHash().addText(KIND);
  const arrays: Record<string, StoredArray> = {};
  const entries = records.map((record: CertificateRecord, k) => {
    checkMade(`records[${k}]`, record, 'createRecord', 'kind', 'madeFrom', 'bytes');
    const { kind, madeFrom, body, options, bytes } = record;
    hash.addText(kind).addText(madeFrom);
    arrays[`certificate-${k}`] = bytes;
    return { kind, madeFrom, body, options };
  });
  return writeStored({ kind: KIND, madeFrom: hash.finish(), settings: { files, entries }, arrays });
}

/** Errors as in `readStored`. Whether the certificates are still good for a body, `certificatesFor` finds out. */
export function readCertificates(file: FileBytes, fileName: string): CertificatesFile {
  const data = readStored(file, fileName, KIND);
  const { files, entries } = data.settings;
  if (!isTextList(files) || !Array.isArray(entries)) {
    throw new InputError('syntax', `${fileName}: the list of certificates is not what it should be`);
  }
  return { fileName, files, records: entries.map((entry, k) => readRecord(data, fileName, entry, k)) };
}

export interface CertificatesForOptions {
  /**
   * False: the file is believed, which is for files that this program has verified or made itself. Default: true, which
   * looks for counterexamples with `verifyCertificates` and takes a fraction of the time that preparing takes.
   */
  verify?: boolean;
}

/**
 * The certificates of a file that were made for just this body, whatever it is called: for `body.setCertificates`. Error
 * 'mismatch' when there is none, which says why; 'refuted' when one of them says something that is not so.
 */
export function certificatesFor(
  file: CertificatesFile,
  body: Body,
  options: CertificatesForOptions = {},
): Certificate[] {
  const found = matchingRecords(file, body);
  checkObject('options', options);
  if (found.length === 0) throw new InputError('mismatch', whyNone(file, body));
  const certificates = found.map(({ kind, bytes }) => KINDS[kind].read(bytes, file.fileName, body));
  const { verify = true } = options;
  const { refutation } = verify ? verifyCertificates(body, certificates) : {};
  if (refutation === undefined) return certificates;
  for (const certificate of certificates) certificate.dispose?.();
  throw new InputError(
    'refuted',
    `${file.fileName}: the certificate of "${body.name}" is wrong: ${refutation}`,
  );
}

/** What a certificate of this kind for this body is made from; undefined when it cannot have one. */
export function hashForCertificate(kind: string, body: Body): string | undefined {
  checkBody('the body', body);
  return CERTIFICATE_KINDS.includes(kind) ? KINDS[kind].hashOf(body) : undefined;
}

/** Those made for just this body, the cheapest proof first. */
export function matchingRecords(file: CertificatesFile, body: Body): CertificateRecord[] {
  checkMade('file', file, 'readCertificates', 'records');
  checkBody('the body', body);
  const { records } = file;
  return Object.entries(KINDS).flatMap(([kind, { hashOf }]) => {
    const candidates = records.filter((record) => record.kind === kind);
    const hash = candidates.length > 0 ? hashOf(body) : undefined;
    return hash === undefined ? [] : candidates.filter(({ madeFrom }) => madeFrom === hash);
  });
}

function whyNone({ fileName, records, files }: CertificatesFile, body: Body): string {
  const what = body.name ? `"${body.name}"` : 'this body';
  if (records.length > 0 && records.every(({ kind }) => hashForCertificate(kind, body) === undefined)) {
    const isRigid = body.deformer.handles?.kind === 'rest';
    const reason = isRigid ? 'it keeps its shape' : 'it is not moved by modes or morph targets alone';
    return `${fileName} has no certificate for ${what}: ${reason}`;
  }
  const namesakes = records.filter(({ body: { name } }) => name === body.name);
  const isForChecks = namesakes.length > 0 && namesakes.every(({ options }) => options.for === 'check');
  const list = [...new Set(records.map(({ body: { name } }) => name))].slice(0, 8).join(', ');
  const reason =
    namesakes.length > 0
      ? `its certificate of ${what} is for another shape or other targets`
      : `it was made for ${list || 'nothing'} of ${files.join(', ')}`;
  const remedy = isForChecks ? '`pliant certify --for three`' : '`pliant certify`';
  return `${fileName} is stale or of another model: ${reason}; make it anew with ${remedy}`;
}

function readRecord(data: StoredData, fileName: string, entry: unknown, k: number): CertificateRecord {
  const { kind, madeFrom, body, options } = (entry ?? {}) as Partial<CertificateRecord>;
  if (typeof kind !== 'string' || typeof madeFrom !== 'string' || !isAddress(body)) {
    throw new InputError('syntax', `${fileName}: entry ${k} of the list is not what it should be`);
  }
  const bytes = storedArray(data, fileName, `certificate-${k}`, 'uint8');
  return { kind, madeFrom, body, options: options ?? {}, bytes };
}

function isAddress(value: unknown): value is BodyAddress {
  if (typeof value !== 'object' || value === null) return false;
  const { name, node, primitive, triangles } = value as BodyAddress;
  const areNumbers = [node, primitive].every((x) => x === null || typeof x === 'number');
  return typeof name === 'string' && areNumbers && typeof triangles === 'number';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
