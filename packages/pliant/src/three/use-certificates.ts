import type { Body } from '../body/body.ts';
import type { Certificate } from '../cull/certificate.ts';
import { SubspaceCertificate } from '../cull/subspace/subspace-certificate.ts';
import { type CertificatesForOptions, certificatesFor, readCertificates } from '../io/certificates-file.ts';
import type { FileBytes } from '../io/file-bytes.ts';
import { checkMade } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { ObjectBody } from './body-from-object.ts';

/**
 * Gives an object's bodies what `pliant certify` has prepared for them: queries within a body are then faster, with the
 * same answers. `bytes` is the file, as fetched; `fileName` is for messages. Returns the certificates of the first body.
 * InputError 'mismatch' when none was made for this object, 'refuted' when one is found to be wrong, and others for a file
 * that is damaged: then everything still works, without.
 */
export function useCertificates(
  object: ObjectBody,
  bytes: FileBytes,
  fileName = 'the file of certificates',
  options: CertificatesForOptions = {},
): readonly Certificate[] {
  checkMade('object', object, 'bodyFromObject3D', 'bodies');
  const { bodies } = object;
  const file = readCertificates(bytes, fileName);
  const first = certificatesFor(file, bodies[0], options);
  bodies.forEach((body, k) => {
    body.setCertificates(k === 0 ? first : first.map((certificate) => forInstance(certificate, body)));
  });
  return first;
}

/** Instances share what was prepared. */
function forInstance(certificate: Certificate, body: Body): Certificate {
  if (certificate instanceof SubspaceCertificate) return certificate.forBody(body);
  throw new InputError('unsupported', 'this kind of certificate cannot be shared by instances');
}
