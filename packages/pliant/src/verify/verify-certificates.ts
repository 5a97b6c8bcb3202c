import { type Body, checkBody } from '../body/body.ts';
import type { Certificate } from '../cull/certificate.ts';
import { EnergyCertificate } from '../cull/energy/energy-certificate.ts';
import { SubspaceCertificate } from '../cull/subspace/subspace-certificate.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../long-work/in-slices.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { Verification } from './verification.ts';
import { verifyEnergy } from './verify-energy.ts';
import { verifySubspace } from './verify-subspace.ts';

export interface VerifyOptions extends ProgressOptions {
  /** Motions that are queried without certificates, for each pose around which there are proofs. Default: 6. */
  motions?: number;
  /** Chooses the directions of these motions. Default: another one each time, so that no file can be made for it. */
  seed?: number;
}

export type AsyncVerifyOptions = VerifyOptions & SliceOptions;

/**
 * Looks for counterexamples to certificates that come from a file: poses in which triangles touch although a certificate
 * says that they do not. `refutation` of the result is one of them; without one the certificates may still be wrong by a
 * little, but not grossly. Certificates of other kinds than are stored are passed over. The pose of the body stays.
 */
export function verifyCertificates(
  body: Body,
  certificates: readonly Certificate[],
  options: VerifyOptions = {},
): Verification {
  return runSteps(verifyInSteps(body, certificates, options), options);
}

/** `verifyCertificates` in slices between which other work can run. The pose of the body must not change meanwhile. */
export async function verifyCertificatesAsync(
  body: Body,
  certificates: readonly Certificate[],
  options: AsyncVerifyOptions = {},
): Promise<Verification> {
  return runSlices(verifyInSteps(body, certificates, options), options);
}

function* verifyInSteps(
  body: Body,
  certificates: readonly Certificate[],
  options: VerifyOptions,
): Generator<number, Verification> {
  checkBody('the body', body);
  checkObject('options', options);
  const { motions = 6, seed = Math.floor(Math.random() * 2 ** 32) } = options;
  for (const [name, value] of Object.entries({ motions, seed })) {
    if (Number.isInteger(value) && value >= 0) continue;
    throw new InputError('bad-option', `${name} must be a whole number, not ${describe(value)}`);
  }
  const all = new Verification();
  for (const [k, certificate] of certificates.entries()) {
    const steps =
      certificate instanceof SubspaceCertificate
        ? verifySubspace(body, certificate.record, motions, randomNumbers(seed))
        : certificate instanceof EnergyCertificate
          ? verifyEnergy(body, certificate)
          : undefined;
    for (let step = steps?.next(); step !== undefined; step = steps!.next()) {
      if (step.done) {
        all.add(step.value);
        break;
      }
      yield (k + step.value) / certificates.length;
    }
    if (all.refutation !== undefined) break;
  }
  return all;
}

/** Numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
