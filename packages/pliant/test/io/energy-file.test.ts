import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareEnergyCertificate } from '../../src/cull/index.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  type Engine,
  findSelfCollisions,
  type TriangleMesh,
} from '../../src/index.ts';
import {
  certificatesFor,
  createRecord,
  readCertificates,
  readEnergyCertificate,
  readStored,
  writeCertificates,
  writeEnergyCertificate,
  writeStored,
} from '../../src/io/index.ts';
import { deform, roughSheet, tube } from '../cull/energy/energy-cases.ts';
import { expectInputError } from './expect-input-error.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.dispose());

const createBody = (mesh: TriangleMesh) => engine.createFreeBody(mesh, { split: 'connected' });
const SIZES = { minTriangles: 12, maxTriangles: 90 };

/** Pairs, and what was looked at to find them. */
function look(body: Body, pose: Float64Array, certificates: Body['certificates']) {
  const report = new CollisionReport();
  body.setPose(pose);
  findSelfCollisions(body, { method: 'batch', certificates, report });
  const { nodePairsTested, trianglePairsTested } = report.counters;
  return { pairs: report.sortedPairs(), nodePairsTested, trianglePairsTested };
}

describe('an energy certificate in a file', () => {
  test.each([
    ['sheet', () => roughSheet(14, 11, 0.3, 3)],
    ['tube', () => tube(12, 16, 5)],
  ])('%s: comes back as it was, for another body of the same shape', (_, create) => {
    const made = prepareEnergyCertificate(createBody(create()), SIZES);
    const bytes = writeEnergyCertificate(made);
    const body = createBody(create());
    const found = readEnergyCertificate(bytes, 'x.pliant', body);
    expect(found.proofs).toBe(made.proofs);
    expect(found.bytes).toBe(made.bytes);
    expect(writeEnergyCertificate(found)).toEqual(bytes);
    let spared = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const pose = deform(body.mesh, seed, seed / 100);
      for (const certificate of [found, made]) certificate.rouse();
      const stored = look(body, pose, [found]);
      expect(stored).toEqual(look(made.body, pose, [made]));
      const plain = look(body, pose, []);
      expect(stored.pairs).toEqual(plain.pairs);
      spared += plain.nodePairsTested - stored.nodePairsTested;
    }
    expect(spared).toBeGreaterThan(1000);
  });

  test('is small', () => {
    const body = createBody(roughSheet(30, 24, 0.3, 3));
    const certificate = prepareEnergyCertificate(body);
    expect(writeEnergyCertificate(certificate).length).toBeLessThan(3 * body.mesh.triangleCount);
  });

  test('lies in a file of several, and is found there', () => {
    const body = createBody(roughSheet(9, 8, 0.3, 3));
    const bytes = writeEnergyCertificate(prepareEnergyCertificate(body, SIZES));
    const address = { name: '', node: null, primitive: null, triangles: body.mesh.triangleCount };
    const file = readCertificates(
      writeCertificates(['walk.obj'], [createRecord(bytes, address)]),
      'w.pliant',
    );
    expect(certificatesFor(file, body).length).toBe(1);
    const other = createBody(roughSheet(9, 8, 0.3, 4));
    expectInputError(() => certificatesFor(file, other), 'mismatch', 'w.pliant is stale or of another model');
  });

  test('is refused by another shape, another tree, and where it is damaged', () => {
    const body = createBody(roughSheet(9, 8, 0.3, 3));
    const bytes = writeEnergyCertificate(prepareEnergyCertificate(body, SIZES));
    const read = (data: Uint8Array, of: Body) => () => readEnergyCertificate(data, 'x.pliant', of);
    expectInputError(read(bytes, createBody(roughSheet(9, 8, 0.3, 4))), 'mismatch', 'x.pliant');
    expectInputError(read(bytes, engine.createFreeBody(body.mesh)), 'mismatch', 'x.pliant');
    const damaged = bytes.slice();
    damaged[damaged.length - 5] ^= 1;
    expectInputError(read(damaged, body), 'syntax', 'its checksum differs');
    const stored = readStored(bytes, 'x.pliant');
    const rewritten = (change: Partial<typeof stored>) => writeStored({ ...stored, ...change });
    const { self, between } = stored.arrays as Record<string, Float32Array>;
    const nan = self.map((root, k) => (k === 3 ? NaN : root));
    expectInputError(read(rewritten({ arrays: { self: nan, between } }), body), 'syntax', 'self[3] is NaN');
    const few = self.subarray(1).slice();
    expectInputError(read(rewritten({ arrays: { self: few, between } }), body), 'mismatch', 'another body');
    for (const settings of [
      {},
      { small: 513, largest: 600 },
      { small: 12, largest: 4097 },
      { small: 0, largest: 90 },
    ]) {
      expectInputError(read(rewritten({ settings }), body), 'syntax', 'settings');
    }
  });

  test('lies when its numbers are too large: so the comparison above can fail', () => {
    const body = createBody(tube(12, 16, 5));
    const bytes = writeEnergyCertificate(prepareEnergyCertificate(body, SIZES));
    const stored = readStored(bytes, 'x.pliant');
    const { self, between } = stored.arrays as Record<string, Float32Array>;
    const lie = writeStored({
      ...stored,
      arrays: { self: self.map((x) => 50 * x), between: between.map((x) => 50 * x) },
    });
    const liar = readEnergyCertificate(lie, 'x.pliant', body);
    let missed = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const pose = deform(body.mesh, seed, seed / 10);
      liar.rouse();
      const found = look(body, pose, [liar]).pairs.length;
      missed += look(body, pose, []).pairs.length - found;
    }
    expect(missed).toBeGreaterThan(0);
  });
});
