import type { Body } from '../../body/body.ts';
import { checkLongWork, type ProgressOptions, type SliceOptions } from '../../long-work/in-slices.ts';
import { type PoolOption, readPool } from '../../long-work/task-pool.ts';
import { checkObject } from '../../mesh/check-input.ts';
import type { Tree } from '../../tree/tree.ts';
import {
  type BlendCertificate,
  type BlendCertificateOptions,
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
} from '../blend-certificate.ts';
import type { Certificate } from '../certificate.ts';
import {
  type EnergyCertificate,
  type EnergyCertificateOptions,
  prepareEnergyCertificate,
  prepareEnergyCertificateAsync,
} from '../energy/energy-certificate.ts';
import {
  prepareReducedEnergyCertificate,
  prepareReducedEnergyCertificateAsync,
  type ReducedEnergyCertificate,
  type ReducedEnergyCertificateOptions,
} from '../reduced-energy/reduced-energy-certificate.ts';
import { prepareSubspaceCertificate, prepareSubspaceCertificateAsync } from '../subspace/prepare-subspace.ts';
import type { SubspaceBall, SubspaceCertificate } from '../subspace/subspace-certificate.ts';
import type { SubspaceCertificateOptions } from '../subspace/subspace-settings.ts';
import {
  type CullingChoice,
  type CullingKind,
  type CullingUse,
  chooseCertificate,
} from './choose-certificate.ts';
import { measurePatches } from './patch-shares.ts';

export interface CertificatesOptions extends CullingUse, ProgressOptions {
  /** How each kind is prepared, should it be chosen. Contacts at rest are ignored by default, and always tested. */
  subspace?: Omit<SubspaceCertificateOptions, keyof ProgressOptions>;
  blend?: Omit<BlendCertificateOptions, keyof ProgressOptions>;
  reducedEnergy?: Omit<ReducedEnergyCertificateOptions, keyof ProgressOptions>;
  energy?: Omit<EnergyCertificateOptions, keyof ProgressOptions>;
}

export type AsyncCertificatesOptions = CertificatesOptions & SliceOptions & PoolOption;

/** What `body.setCertificates` takes, and why it is that. */
export interface PreparedCertificates extends CullingChoice {
  /** None when `kind` is 'none'. */
  readonly certificates: readonly Certificate[];
  /** Of typed arrays that they hold. */
  readonly bytes: number;
}

/** Less than this share of the triangles in usable patches is not worth preparing. */
const LEAST_SHARE = 0.5;

/**
 * Chooses the certificates that suit a body, from what is known of its motion and its rest shape and by counts alone,
 * and prepares them: `const { certificates, reason } = prepareCertificates(body)`, then
 * `body.setCertificates(certificates, reason)`. The answers of queries stay the same.
 */
export function prepareCertificates(body: Body, options: CertificatesOptions = {}): PreparedCertificates {
  const choice = choose(body, options);
  if (choice.kind === 'none') return nothing(choice.reason);
  return made(choice, prepare(choice.kind, body, options), options);
}

/** The same in slices between which other work can run; subspace certificates with `pool` in workers. */
export async function prepareCertificatesAsync(
  body: Body,
  options: AsyncCertificatesOptions = {},
): Promise<PreparedCertificates> {
  checkLongWork(options);
  readPool(options);
  const choice = choose(body, options);
  if (choice.kind === 'none') return nothing(choice.reason);
  return made(choice, await prepareAsync(choice.kind, body, options), options);
}

type Proof = Exclude<CullingKind, 'none'>;
type Prepared = SubspaceCertificate | BlendCertificate | ReducedEnergyCertificate | EnergyCertificate;

function prepare(kind: Proof, body: Body, options: CertificatesOptions): Prepared {
  const { onProgress, subspace, blend, reducedEnergy, energy } = options;
  switch (kind) {
    case 'subspace':
      return prepareSubspaceCertificate(body, { ignoreRestContacts: true, ...subspace, onProgress });
    case 'blend':
      return prepareBlendCertificate(body, { ...blend, onProgress });
    case 'reduced-energy':
      return prepareReducedEnergyCertificate(body, { ...reducedEnergy, onProgress });
    case 'energy':
      return prepareEnergyCertificate(body, { ...energy, onProgress });
  }
}

function prepareAsync(kind: Proof, body: Body, options: AsyncCertificatesOptions): Promise<Prepared> {
  const { onProgress, signal, slice, pool, subspace, blend, reducedEnergy, energy } = options;
  const pace = { onProgress, signal, slice };
  switch (kind) {
    case 'subspace': {
      const radii = { ignoreRestContacts: true, ...subspace };
      return prepareSubspaceCertificateAsync(body, { ...radii, ...pace, pool });
    }
    case 'blend':
      return prepareBlendCertificateAsync(body, { ...blend, ...pace });
    case 'reduced-energy':
      return prepareReducedEnergyCertificateAsync(body, { ...reducedEnergy, ...pace });
    case 'energy':
      return prepareEnergyCertificateAsync(body, { ...energy, ...pace });
  }
}

/** By what the body is moved by and how often; then, unless a kind was asked for, by its rest shape. */
function choose(body: Body, options: CertificatesOptions): CullingChoice {
  checkObject('options', options);
  const choice = chooseCertificate(body, options);
  if (choice.kind === 'none' || (options.kind ?? 'auto') !== 'auto') return choice;
  const { connected, clear } = measurePatches(body);
  if (clear < LEAST_SHARE) {
    const share = `${percent(1 - clear)} of its triangles are in parts that touch themselves at rest`;
    return { kind: 'none', reason: `${share}: there is little to prove` };
  }
  if (choice.kind === 'energy' && connected < LEAST_SHARE) {
    const share = `${percent(1 - connected)} of its triangles are in parts that do not hang together`;
    return { kind: 'none', reason: `${share}: split: 'connected' may help` };
  }
  return choice;
}

function made(choice: CullingChoice, certificate: Prepared, use: CullingUse): PreparedCertificates {
  if (!knowsAnything(certificate)) return nothing(whyNothing(choice, certificate));
  if (use.continuous && 'program' in certificate) certificate.program.reserveMotion(); // so that bytes are all
  return { ...choice, certificates: [certificate], bytes: certificate.bytes };
}

function whyNothing({ kind }: CullingChoice, certificate: Prepared): string {
  const givenUp = givenUpOf(certificate);
  if (givenUp > 0 && kind === 'blend') {
    const count = givenUp === 1 ? 'its one part follows' : `all ${givenUp} parts follow`;
    return `${kind} certificates are not worth it: ${count} so many handles that preparing was given up`;
  }
  if (givenUp > 0) {
    const count = givenUp === 1 ? 'a proof' : `${givenUp} proofs`;
    return `${kind} certificates are not worth it: ${count} took so long that preparing was given up`;
  }
  return `${kind} certificates can prove nothing about it`;
}

/** Proofs that would have taken more work than is allowed. */
function givenUpOf(certificate: Prepared): number {
  if (!('balls' in certificate)) return certificate.givenUp;
  return certificate.balls.reduce((sum, { givenUp }) => sum + givenUp, 0);
}

function knowsAnything(certificate: Prepared): boolean {
  if ('proofs' in certificate) return certificate.proofs > 0;
  if ('balls' in certificate) return certificate.balls.some((ball) => frees(certificate.tree, ball));
  return certificate.patches.count > 0;
}

/** Nodes with fewer triangles are as quick to search as to ask about. */
const LEAST_NODE = 16;

/** Whether a ball proves anything about a node that is worth asking about. Small bodies have none, and take any proof. */
function frees({ nodeCount, slotCount, order }: Tree, { limit, lower }: SubspaceBall): boolean {
  if (!(limit > 0)) return false;
  const least = Math.min(LEAST_NODE, order.length);
  for (let node = 0; node < nodeCount; node++) if (slotCount[node] >= least && lower[node] > 0) return true;
  return false;
}

function nothing(reason: string): PreparedCertificates {
  return { kind: 'none', reason, certificates: [], bytes: 0 };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
