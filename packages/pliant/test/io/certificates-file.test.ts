import { beforeAll, describe, expect, test } from 'vitest';
import { prepareSubspaceCertificate } from '../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  InputError,
} from '../../src/index.ts';
import {
  certificatesFor,
  createRecord,
  matchingRecords,
  readCertificates,
  readStored,
  type StoredArray,
  writeCertificates,
  writeStored,
  writeSubspaceCertificate,
} from '../../src/io/index.ts';
import { modesOn, rolledSheet } from '../cull/subspace/modal-cases.ts';
import { expectInputError } from './expect-input-error.ts';

const numbers = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k + 1));
const addressOf = ({ name, mesh }: Body) => ({
  name,
  node: 3,
  primitive: null,
  triangles: mesh.triangleCount,
});

let engine: Engine;
let roll: Body, flap: Body, bytes: Uint8Array;

function createRoll(name: string, columns: number, turns?: number): Body {
  const mesh = createTriangleMesh(rolledSheet(columns, 4, turns));
  return engine.createModalBody(mesh, modesOn(mesh, 4, numbers, true), { name });
}

function certify(body: Body, gauge: 'one-sided' | 'ball' = 'one-sided') {
  const certificate = prepareSubspaceCertificate(body, { gauge });
  return createRecord(writeSubspaceCertificate(certificate), addressOf(body), { gauge });
}

beforeAll(async () => {
  engine = await createEngine();
  roll = createRoll('Roll', 7);
  flap = createRoll('Flap', 5);
  bytes = writeCertificates(['model.glb'], [certify(roll), certify(flap)]);
});

describe('a file of certificates', () => {
  test('says what is in it', () => {
    const { files, records } = readCertificates(bytes, 'x.pliant');
    expect(files).toEqual(['model.glb']);
    expect(records.map(({ kind, body, options }) => ({ kind, body, options }))).toEqual([
      { kind: 'subspace-certificate', body: addressOf(roll), options: { gauge: 'one-sided' } },
      { kind: 'subspace-certificate', body: addressOf(flap), options: { gauge: 'one-sided' } },
    ]);
  });

  test('gives every body its own, whatever the body is called, and answers stay the same', () => {
    const file = readCertificates(bytes, 'x.pliant');
    for (const body of [roll, flap, createRoll('Twin', 7)]) {
      const certificates = certificatesFor(file, body);
      expect(certificates.length).toBe(1);
      body.setCertificates(certificates);
      for (const size of [0, 0.02, 0.1, 0.5]) {
        body.setPose([size, size / 2, 0, size / 3]);
        const found = findSelfCollisions(body).sortedPairs();
        expect(found).toEqual(findSelfCollisions(body, { certificates: [] }).sortedPairs());
      }
      body.setPose([0, 0, 0, 0]);
      expect(findSelfCollisions(body).counters).toMatchObject({ nodePairsCleared: 1, nodePairsTested: 0 });
      body.setCertificates([]);
    }
  });

  test('a certificate that lies makes such a comparison fail', () => {
    const { records, files } = readCertificates(bytes, 'x.pliant');
    const data = readStored(records[0].bytes, 'x.pliant');
    const arrays: Record<string, StoredArray> = { ...data.arrays };
    for (const name of ['lower-0', 'between-0', 'pair-radius-0']) {
      arrays[name] = new Float32Array(arrays[name].length).fill(1e6);
    }
    const settings = JSON.parse(JSON.stringify(data.settings));
    settings.balls[0].limit = null;
    const lie = createRecord(writeStored({ ...data, settings, arrays }), records[0].body);
    const file = readCertificates(writeCertificates(files, [lie]), 'x.pliant');
    expect(() => certificatesFor(file, roll)).toThrow(/x\.pliant: the certificate of ".*" is wrong: /);
    const certificates = certificatesFor(file, roll, { verify: false });
    roll.setPose([0.5, 0.25, 0, 0.5 / 3]);
    expect(findSelfCollisions(roll, { certificates: [] }).pairCount).toBeGreaterThan(0);
    expect(findSelfCollisions(roll, { certificates }).pairCount).toBe(0);
  });

  test('several of one body come together', () => {
    const file = readCertificates(
      writeCertificates(['model.glb'], [certify(roll, 'ball'), certify(flap), certify(roll)]),
      'x.pliant',
    );
    expect(certificatesFor(file, roll).length).toBe(2);
    expect(certificatesFor(file, flap).length).toBe(1);
  });

  test('kinds of later versions are passed over', () => {
    const { records, files } = readCertificates(bytes, 'x.pliant');
    const later = { ...records[0], kind: 'prophecy' };
    const file = readCertificates(writeCertificates(files, [later, ...records]), 'x.pliant');
    expect(matchingRecords(file, roll).map(({ kind }) => kind)).toEqual(['subspace-certificate']);
  });

  test('may be empty', () => {
    const file = readCertificates(writeCertificates([], []), 'x.pliant');
    expectInputError(() => certificatesFor(file, roll), 'mismatch', 'it was made for nothing');
  });
});

describe('refused, with the reason', () => {
  test('another shape of the same name, another name, a body that does not move by modes', () => {
    const file = readCertificates(bytes, 'x.pliant');
    const changed = createRoll('Roll', 7, 0.8);
    const stranger = createRoll('Stranger', 6);
    const rigid = engine.createRigidBody(roll.mesh, { name: 'Stone' });
    expect(matchingRecords(file, changed)).toEqual([]);
    const refuse = (body: Body, message: string) =>
      expectInputError(() => certificatesFor(file, body), 'mismatch', message);
    refuse(changed, 'its certificate of "Roll" is for another shape or other targets; make it anew');
    refuse(stranger, 'it was made for Roll, Flap of model.glb');
    refuse(rigid, 'no certificate for "Stone": it keeps its shape');
    expectInputError(() => certificatesFor(file, {} as Body), 'wrong-type', 'made by an engine');
  });

  test('a record that claims to be of this body, but is not', () => {
    const { records } = readCertificates(bytes, 'x.pliant');
    const [own, other] = records;
    const lie = { ...own, bytes: other.bytes };
    const file = readCertificates(writeCertificates([], [lie]), 'x.pliant');
    expectInputError(() => certificatesFor(file, roll), 'mismatch', 'x.pliant is stale');
  });

  test('files that hold something else', () => {
    const modes = writeStored({ kind: 'modes', madeFrom: '', settings: {}, arrays: {} });
    expectInputError(
      () => readCertificates(modes, 'x.pliant'),
      'mismatch',
      'x.pliant holds a modes, not a certificates',
    );
    const odd = (settings: Record<string, unknown>) => () =>
      readCertificates(writeStored({ kind: 'certificates', madeFrom: '', settings, arrays: {} }), 'x.pliant');
    expectInputError(odd({}), 'syntax', 'the list of certificates');
    expectInputError(odd({ files: [], entries: [null] }), 'syntax', 'entry 0');
    expectInputError(
      odd({ files: [], entries: [{ kind: 'a', madeFrom: 'b', body: {} }] }),
      'syntax',
      'entry 0',
    );
    const body = { name: 'a', node: null, primitive: null, triangles: 1 };
    expectInputError(
      odd({ files: [], entries: [{ kind: 'a', madeFrom: 'b', body }] }),
      'syntax',
      'array certificate-0',
    );
  });

  test('a byte that changes, wherever it is', () => {
    const damaged = bytes.slice();
    for (let at = 0; at < bytes.length; at += at < 4096 ? 1 : 61) {
      damaged[at] ^= 1 << (at % 8);
      expect(() => readCertificates(damaged, 'x.pliant'), `byte ${at}`).toThrow(InputError);
      damaged[at] = bytes[at];
    }
  });

  test('every shorter file', () => {
    for (let length = 0; length < bytes.length; length += 61) {
      expect(() => readCertificates(bytes.subarray(0, length), 'x.pliant')).toThrow(InputError);
    }
    expect(() => readCertificates(bytes.subarray(0, bytes.length - 1), 'x.pliant')).toThrow(InputError);
  });
});
