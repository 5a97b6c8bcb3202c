import { describe, expect, test } from 'vitest';
import { prepareEnergyData } from '../../../src/cull/energy/energy-data.ts';
import { prepareEnergyCertificate, prepareEnergyCertificateAsync } from '../../../src/cull/index.ts';
import {
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  InputError,
} from '../../../src/index.ts';
import { runSteps } from '../../../src/long-work/in-slices.ts';
import { deform, roughSheet, tube } from './energy-cases.ts';

describe('a larger mesh', () => {
  const mesh = roughSheet(24, 24, 0.2, 5);

  test('is proved whole while it is at rest, turned, stretched or bent a little, and not when it is crumpled', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    {
      const certificates = [prepareEnergyCertificate(body, { maxTriangles: 2000 })];
      const tests = (pose: Float64Array) => {
        body.setPose(pose);
        const report = findSelfCollisions(body, { method: 'batch', certificates });
        expect(report.sortedPairs()).toEqual(
          findSelfCollisions(body, { method: 'brute-force' }).sortedPairs(),
        );
        return report.counters.nodePairsTested;
      };
      const affine = mesh.positions.map((_, k) => {
        const [x, y, z] = mesh.positions.subarray(3 * Math.floor(k / 3), 3 * Math.floor(k / 3) + 3);
        return [2 * x - y + 7, 0.3 * x + y + z, x - 3 * z][k % 3];
      });
      expect(tests(mesh.positions)).toBe(0);
      expect(tests(affine)).toBe(0);
      expect(
        tests(
          mesh.positions.map((x, k) => (k % 3 === 2 ? x + 0.3 * Math.sin(0.2 * mesh.positions[k - 2]) : x)),
        ),
      ).toBe(0);
      expect(tests(deform(mesh, 1, 4))).toBeGreaterThan(500);
    }
  });

  test('patches that fail are left alone for a while, and looked at again', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    {
      const certificates = [prepareEnergyCertificate(body)];
      const tested = (pose: Float64Array) => {
        body.setPose(pose);
        return findSelfCollisions(body, { method: 'batch', certificates }).counters.nodePairsTested;
      };
      const first = tested(mesh.positions);
      for (let k = 0; k < 5; k++) tested(deform(mesh, k, 4));
      // It is small: a sample of it is all of it, and it rests for long.
      const counts = Array.from({ length: 130 }, () => tested(mesh.positions));
      expect(counts.slice(-30).filter((count) => count === first).length).toBeGreaterThan(28);
    }
  });

  test('while it clearly pays, one pose in 257 is searched without it, to see that it still does', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    const certificates = [prepareEnergyCertificate(body)];
    const tested = (proofs: typeof certificates) => {
      body.setPose(mesh.positions);
      return findSelfCollisions(body, { method: 'batch', certificates: proofs }).counters.nodePairsTested;
    };
    const plain = tested([]);
    const counts = Array.from({ length: 520 }, () => tested(certificates));
    expect(counts.flatMap((count, k) => (count === plain ? [k] : []))).toEqual([256, 513]);
    expect(Math.max(...counts.filter((count) => count !== plain))).toBeLessThan(plain / 2);
  });

  test('it rests where a sample promises nothing, and is back within eight poses where it does', async () => {
    const engine = await createEngine();
    const mesh = roughSheet(60, 60, 0.2, 5);
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    const certificate = prepareEnergyCertificate(body, { maxTriangles: 128 });
    const { program } = certificate;
    expect(program.samples[0].share + program.samples[1].share).toBeLessThan(0.1);
    const calls: string[] = [];
    for (const name of ['sample', 'list'] as const) {
      const call = program[name].bind(program) as (...args: unknown[]) => void;
      const noted = (...args: unknown[]) => {
        calls.push(name);
        call(...args);
      };
      Object.assign(program, { [name]: noted });
    }
    const askedIn = (pose: Float64Array) => {
      calls.length = 0;
      body.setPose(pose);
      findSelfCollisions(body, { method: 'batch', certificates: [certificate] });
      return calls.join();
    };
    const crumpled = Array.from({ length: 40 }, (_, k) => askedIn(deform(mesh, k, 4)));
    expect(crumpled.filter((asked) => asked.includes('list')).length).toBeLessThan(3);
    expect(crumpled.slice(-16).filter((asked) => asked.includes('sample'))).toHaveLength(2);
    const calm = Array.from({ length: 12 }, () => askedIn(mesh.positions));
    const back = calm.indexOf('sample,sample,list');
    expect(back).toBeGreaterThanOrEqual(0);
    expect(back).toBeLessThan(8);
    expect(calm.slice(back + 1)).toEqual(calm.slice(back + 1).fill('list'));
  });

  test('a tube that is pressed flat touches itself', async () => {
    const engine = await createEngine();
    const hose = tube(16, 20, 3);
    const body = engine.createFreeBody(hose, { split: 'connected' });
    {
      const certificates = [prepareEnergyCertificate(body, { maxTriangles: 2000 })];
      for (const share of [1, 0.5, 0.05, 0, -0.2]) {
        // Not an affine map: each side is moved by another amount.
        body.setPose(hose.positions.map((x, k) => (k % 3 === 2 && x > 0 ? share * x : x)));
        expect(findSelfCollisions(body, { certificates }).sortedPairs()).toEqual(
          findSelfCollisions(body, { method: 'brute-force' }).sortedPairs(),
        );
      }
    }
  });
});

test('what lies behind the lists of the front in memory is not taken for a part of them', async () => {
  const engine = await createEngine();
  const body = engine.createFreeBody(roughSheet(3, 2, 0.2, 1), { split: 'connected' }).prepare();
  const { nodeCount } = body.tree;
  const list = () => runSteps(prepareEnergyData(body, { small: 4, largest: 24, folds: false }), {}).pairs;
  const expected = list();
  for (const front of [body.resident.front.inner, body.resident.front.leaf]) {
    const behind = (front.address >>> 2) + 2 * front.list.pairCount;
    const before = engine.kernels.memory.u32.slice(behind, behind + 2);
    for (let pair = 0; pair < nodeCount * nodeCount; pair++) {
      engine.kernels.memory.u32.set([Math.floor(pair / nodeCount), pair % nodeCount], behind);
      expect(list()).toEqual(expected);
    }
    engine.kernels.memory.u32.set(before, behind);
  }
});

test('it can be prepared in slices, stopped, and asked how far it is', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(12, 12, 0.2, 1);
  const body = engine.createFreeBody(mesh, { split: 'connected' });
  const shares: number[] = [];
  const certificate = await prepareEnergyCertificateAsync(body, {
    slice: 1,
    onProgress: (share) => shares.push(share),
  });
  expect(certificate.proofs).toBe(prepareEnergyCertificate(body).proofs);
  expect(shares.every((share, k) => share >= (shares[k - 1] ?? 0) && share <= 1)).toBe(true);
  await expect(prepareEnergyCertificateAsync(body, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(certificate.bytes / mesh.triangleCount).toBeLessThan(250);
});

test('its memory goes with the mesh', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(12, 12, 0.2, 1);
  const { bytes } = engine.usage;
  const body = engine.createFreeBody(mesh, { split: 'connected' });
  const certificates = [prepareEnergyCertificate(body), prepareEnergyCertificate(body)];
  body.setMotion(mesh.positions, deform(mesh, 1, 0.1));
  const report = new CollisionReport();
  for (const certificate of certificates)
    findSelfCollisions(body, { certificates: [certificate], continuous: true, report });
  body.dispose();
  expect(() => certificates[0].begin(false)).toThrow(InputError);
  engine.idleJobs.splice(0).forEach((job) => {
    job.free();
  });
  expect(engine.usage.bytes).toBe(bytes);
});

test('bad arguments are refused, and another body', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(4, 4, 0.2, 1);
  const [body, twin] = [0, 1].map(() => engine.createFreeBody(mesh, { split: 'connected' }));
  const codeOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error instanceof InputError ? error.code : error;
    }
    return undefined;
  };
  expect(codeOf(() => prepareEnergyCertificate({} as never))).toBe('wrong-type');
  expect(codeOf(() => prepareEnergyCertificate(body, null as never))).toBe('wrong-type');
  for (const size of [1, Number.NaN, 1e9, '64']) {
    expect(codeOf(() => prepareEnergyCertificate(body, { maxTriangles: size as number }))).toBe('bad-option');
    expect(codeOf(() => prepareEnergyCertificate(body, { minTriangles: size as number }))).toBe('bad-option');
  }
  expect(codeOf(() => engine.createFreeBody(mesh, { split: 'median' }))).toBe(undefined);
  expect(codeOf(() => engine.createFreeBody(mesh, { split: 'other' as never }))).toBe('bad-option');
  const certificates = [prepareEnergyCertificate(body)];
  expect(body.tree).toBe(twin.tree);
  expect(codeOf(() => findSelfCollisions(twin, { certificates }))).toBe('mismatch');
  expect(findSelfCollisions(body, { certificates }).pairCount).toBe(0);
});

test('contacts at rest are left to the query', async () => {
  const engine = await createEngine();
  // A sheet, and in its middle a flap that pierces it.
  const sheet = roughSheet(10, 10, 0.1, 2);
  const at = sheet.vertexCount;
  const positions = [...sheet.positions, 5.2, 5.1, -0.5, 5.4, 5.3, 0.6, 0, 0, 3];
  const mesh = createTriangleMesh({
    positions,
    triangles: [...sheet.triangles, at, at + 1, at + 2, at + 2, 0, 1],
  });
  const body = engine.createFreeBody(mesh, { split: 'connected' });
  const certificates = [prepareEnergyCertificate(body, { maxTriangles: 400 })];
  for (const size of [0, 0.02, 0.5]) {
    body.setPose(deform(mesh, 7, size));
    const expected = findSelfCollisions(body, { method: 'brute-force' }).sortedPairs();
    expect(expected.length).toBeGreaterThan(0);
    for (const method of ['batch', 'on-demand'] as const)
      expect(findSelfCollisions(body, { method, certificates }).sortedPairs()).toEqual(expected);
  }
});

test('bodies of one mesh share what was prepared, each with its own pose; others are refused', async () => {
  const engine = await createEngine();
  const mesh = roughSheet(14, 14, 0.2, 3);
  const [body, twin] = [1, 2].map(() => engine.createFreeBody(mesh, { split: 'connected' }));
  const first = prepareEnergyCertificate(body, { maxTriangles: 60, minTriangles: 12 }),
    second = first.forBody(twin);
  expect(second.program.bytes).toBeLessThan(first.program.bytes);
  for (let seed = 0; seed < 6; seed++) {
    body.setPose(deform(mesh, seed, seed % 2 === 0 ? 0.05 : 2));
    twin.setPose(deform(mesh, seed, seed % 2 === 0 ? 2 : 0.05));
    for (const certificate of [first, second]) {
      const found = findSelfCollisions(certificate.body, { certificates: [certificate] }).sortedPairs();
      expect(found).toEqual(findSelfCollisions(certificate.body, { method: 'brute-force' }).sortedPairs());
    }
  }
  const other = engine.createFreeBody(roughSheet(5, 5, 0.2, 3), { split: 'connected' });
  expect(() => first.forBody(other)).toThrow(InputError);
});
