import type { Body } from '../body/body.ts';
import {
  type EnergyCertificate,
  hashOfFreeBody,
  MOST_TRIANGLES,
  restoreEnergyCertificate,
} from '../cull/energy/energy-certificate.ts';
import { MOST_SMALL } from '../cull/energy/energy-patches.ts';
import { checkMade } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { FileBytes } from './file-bytes.ts';
import { checkMadeFrom, readStored, storedArray, writeStored } from './stored-file.ts';

const KIND = 'energy-certificate';

/** A certificate as a file: version, hash of the body, checksums. Only what takes long to find: 1 byte per triangle. */
export function writeEnergyCertificate(certificate: EnergyCertificate): Uint8Array {
  checkMade('certificate', certificate, 'prepareEnergyCertificate', 'record', 'body');
  const { sizes, roots } = certificate.record;
  return writeStored({
    kind: KIND,
    madeFrom: hashOfFreeBody(certificate.body),
    settings: { ...sizes },
    arrays: { ...roots },
  });
}

/** Errors as in `readStored`; 'mismatch' when it was made for another shape or another tree. */
export function readEnergyCertificate(file: FileBytes, fileName: string, body: Body): EnergyCertificate {
  const data = readStored(file, fileName, KIND);
  checkMadeFrom(data, fileName, hashOfFreeBody(body), 'this body');
  const { small, largest, folds: hasFolds } = data.settings as Record<string, unknown>;
  const isSize = (value: unknown, most: number): value is number =>
    typeof value === 'number' && value >= 1 && value <= most;
  if (!isSize(small, MOST_SMALL) || !isSize(largest, MOST_TRIANGLES)) {
    throw new InputError('syntax', `${fileName}: the settings of this ${KIND} are not what they should be`);
  }
  const [self, between, folds] = ['self', 'between', ...(hasFolds === true ? ['folds'] : [])].map((name) => {
    const roots = storedArray(data, fileName, name, 'float32');
    const bad = roots.findIndex((root) => !(root >= 0));
    if (bad < 0) return roots;
    throw new InputError('syntax', `${fileName}: ${name}[${bad}] is ${roots[bad]}, which is no energy`);
  });
  const sizes = { small, largest, folds: hasFolds === true };
  return restoreEnergyCertificate(body, { sizes, roots: { self, between, ...(folds && { folds }) } });
}
