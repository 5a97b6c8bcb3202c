import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/body/engine.ts';
import {
  CageCertificate,
  prepareCageCertificate,
  prepareCageCertificateAsync,
} from '../../../src/edit/contact/cage-certificate.ts';
import { ContactFinder } from '../../../src/edit/contact/contact-finder.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { findSelfCollisions } from '../../../src/query/self-collisions.ts';
import { PairBuffer } from '../../../src/report/pair-buffer.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { createTaskPool } from '../../../src/worker/create-task-pool.ts';
import { inlineWorkers } from '../../worker/inline-worker.ts';
import { type CagePose, forkCage, poseCage, squeezed } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 400 : 40;

let engine: Engine, cage: Cage;
beforeAll(async () => {
  engine = await createEngine();
  cage = forkCage(0.2, 0.12, 0);
});

const createBody = () => engine.createFreeBody(cage.surface, { split: 'connected' });

/** Prongs bent towards each other, then waves, noise and an affine map: from rest to a knot. */
const pose = fc
  .record({
    squeeze: fc.double({ min: 0, max: 1.2, noNaN: true }),
    wave: fc.double({ min: 0, max: 0.15, noNaN: true }),
    noise: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.05, noNaN: true })),
    affine: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
    phase: fc.nat(1000),
  })
  .map(({ squeeze, wave, noise, affine, phase }) => {
    let state = phase;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    return poseCage(cage, (x, y, z) => {
      const up = Math.max(0, (z + 0.25) / 0.75);
      const bent = [x - Math.sign(x) * squeeze * 0.2 * up * up, y, z];
      for (let k = 0; k < 3; k++) bent[k] += wave * Math.sin(phase + 7 * bent[(k + 1) % 3]) + noise * next();
      return [0, 1, 2].map((k) =>
        bent.reduce((sum, b, j) => sum + ((j === k ? 1.5 : 0) + affine[3 * k + j] / 2) * b, 0),
      );
    });
  });

/** Pairs under cleared nodes that touch although they are no exception: there must be none. */
function contradictions(certificate: CageCertificate, { positions, controls }: CagePose): number {
  const { body, tree } = certificate;
  body.setPose(positions);
  certificate.setPose(controls);
  certificate.begin(false);
  const slot = body.resident.slotOfTriangle;
  const touching = findSelfCollisions(body, { method: 'brute-force' }).sortedPairs();
  const left = new PairBuffer();
  let count = 0;
  for (let node = 0; node < tree.nodeCount; node++) {
    if (!certificate.clears(node, node)) continue;
    cleared++;
    left.clear();
    certificate.exceptions(node, node, left);
    const isLeft = new Set<string>();
    for (let k = 0; k < 2 * left.count; k += 2) isLeft.add([left.data[k], left.data[k + 1]].sort().join());
    const first = tree.firstSlot[node],
      end = first + tree.slotCount[node];
    const isUnder = (t: number) => slot[t] >= first && slot[t] < end;
    for (const [i, j] of touching) if (isUnder(i) && isUnder(j) && !isLeft.has([i, j].sort().join())) count++;
  }
  return count;
}

let cleared = 0;

/** Knows the true patches, but takes straight ways for granted. */
function lying({ patches, body }: CageCertificate): CageCertificate {
  return new CageCertificate(cage, body, {
    ...patches,
    kappa: patches.kappa.map((kappa) => Math.min(1, kappa)),
  });
}

describe('the certificate of a cage', () => {
  test('nothing touches under what it clears', () => {
    const certificate = prepareCageCertificate(cage, createBody(), {
      largest: 4096,
      smallest: 8,
      mostKappa: 100,
    });
    cleared = 0;
    fc.assert(
      fc.property(pose, (at) => contradictions(certificate, at) === 0),
      { numRuns: RUNS },
    );
    expect(cleared).toBeGreaterThan(10 * RUNS);
  });

  test('one that lies about ways makes that test fail', () => {
    const certificate = prepareCageCertificate(cage, createBody(), {
      largest: 4096,
      smallest: 8,
      mostKappa: 100,
    });
    const amounts = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2];
    const count = (asked: CageCertificate) =>
      amounts.reduce((sum, amount) => sum + contradictions(asked, squeezed(cage, amount)), 0);
    expect(count(certificate)).toBe(0);
    expect(count(lying(certificate))).toBeGreaterThan(0);
    const check = fc.property(pose, (at) => contradictions(lying(certificate), at) === 0);
    expect(() => fc.assert(check, { numRuns: 10 * RUNS, endOnFailure: true, seed: 1 })).toThrow(
      'Property failed',
    );
  });

  test('queries answer the same with it', () => {
    const body = createBody();
    const certificate = prepareCageCertificate(cage, body, { largest: 256 });
    let touching = 0;
    fc.assert(
      fc.property(pose, ({ positions, controls }) => {
        body.setPose(positions);
        certificate.setPose(controls);
        const expected = findSelfCollisions(body).sortedPairs();
        touching += expected.length;
        for (const method of ['batch', 'on-demand', 'depth-first'] as const) {
          expect(findSelfCollisions(body, { method, certificates: [certificate] }).sortedPairs()).toEqual(
            expected,
          );
        }
      }),
      { numRuns: RUNS },
    );
    expect(touching).toBeGreaterThan(0);
  });

  test('queries over motions answer the same with it', () => {
    const body = createBody();
    const certificate = prepareCageCertificate(cage, body, { largest: 4096, mostKappa: 100 });
    const rest = poseCage(cage, (x, y, z) => [x, y, z]);
    body.setMotion(rest.positions, squeezed(cage, 0.9).positions);
    certificate.setPose(rest.controls);
    const expected = findSelfCollisions(body, { continuous: true }).sortedPairs();
    expect(expected.length).toBeGreaterThan(0);
    const found = findSelfCollisions(body, { continuous: true, certificates: [certificate] });
    expect(found.sortedPairs()).toEqual(expected);
  });

  test('a finder of contacts finds the same with it', () => {
    const plain = new ContactFinder(engine, cage),
      helped = new ContactFinder(engine, cage);
    helped.setCertificate(prepareCageCertificate(cage, helped.body!, { largest: 64 }));
    for (const amount of [0, 0.4, 0.7, 1]) {
      const { positions, controls } = squeezed(cage, amount);
      const expected = plain.find(positions, controls).toArray();
      expect(helped.find(positions, controls).toArray()).toEqual(expected);
    }
    helped.setCertificate(undefined);
    expect(helped.body!.certificates).toEqual([]);
  });

  test('clears everything at rest and after affine maps, however far they go', () => {
    const certificate = prepareCageCertificate(cage, createBody(), { largest: 4096, mostKappa: 100 });
    const isCleared = ({ positions, controls }: CagePose) => {
      certificate.body.setPose(positions);
      certificate.setPose(controls);
      certificate.begin(false);
      return certificate.clears(0, 0);
    };
    expect(isCleared(poseCage(cage, (x, y, z) => [x, y, z]))).toBe(true);
    expect(isCleared(poseCage(cage, (x, y, z) => [3 * x + y, 0.1 * y + 5, -z + x]))).toBe(true);
    expect(isCleared(poseCage(cage, (x, y) => [x, y, 0]))).toBe(false); // flat: σmin is 0
  });

  test('proves nothing of poses it was not told of, of motions, and of points that are elsewhere', () => {
    const certificate = prepareCageCertificate(cage, createBody(), { largest: 4096, mostKappa: 100 });
    const { body } = certificate;
    const rest = poseCage(cage, (x, y, z) => [x, y, z]);
    body.setPose(rest.positions);
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(false);
    body.setMotion(rest.positions, squeezed(cage, 1).positions);
    certificate.setPose(rest.controls);
    certificate.begin(true);
    expect(certificate.clears(0, 0)).toBe(false);
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(true);
    body.setPose(rest.positions.map((x, i) => (i === 30 ? x + 0.1 : x)));
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(false);
    certificate.setPose(rest.controls);
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(false);
    certificate.setPose(rest.controls.map((x, i) => (i === 30 ? Number.NaN : x)));
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(false);
  });

  test('is the same when a worker prepares it, or slices do', async () => {
    const pool = await createTaskPool({ threads: 1, createWorker: inlineWorkers().createWorker });
    const body = createBody();
    const shares: number[] = [];
    const onProgress = (share: number) => void shares.push(share);
    const here = prepareCageCertificate(cage, body, { largest: 64 });
    const there = await prepareCageCertificateAsync(cage, body, { largest: 64, pool, onProgress });
    const sliced = await prepareCageCertificateAsync(cage, body, { largest: 64 });
    pool.dispose();
    expect(there.patches).toEqual(here.patches);
    expect(sliced.patches).toEqual(here.patches);
    expect(shares.at(-1)).toBeCloseTo(1, 9);
  });

  test('is not for bodies of other surfaces', () => {
    const other = engine.createFreeBody(
      createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }),
    );
    expect(() => prepareCageCertificate(cage, other)).toThrow('not one of the surface');
    expect(() => prepareCageCertificate(cage, createBody(), { largest: 0 })).toThrow('largest');
  });
});
