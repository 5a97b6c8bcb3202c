import { describe, expect, test } from 'vitest';
import { type Certificate, prepareCertificates, prepareCertificatesAsync } from '../../../src/cull/index.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  InputError,
} from '../../../src/index.ts';
import { createMovedBody, rolledMesh } from './auto-cases.ts';

const FORCED = [
  ['modes', 'subspace'],
  ['modes', 'blend'],
  ['modes', 'reduced-energy'],
  ['modes', 'energy'],
  ['handles', 'blend'],
  ['handles', 'reduced-energy'],
  ['handles', 'energy'],
  ['cage', 'blend'],
  ['cage', 'reduced-energy'],
  ['vertices', 'energy'],
  ['vertices', 'none'],
] as const;

/** How many poses have other pairs with the body's certificates than by brute force, and how many touch. */
function compare(body: Body, poses: readonly Float64Array[]) {
  let wrong = 0,
    touching = 0,
    cleared = 0;
  const isEqual = (continuous: boolean) => {
    const report = findSelfCollisions(body, { continuous });
    const expected = findSelfCollisions(body, { continuous, method: 'brute-force', certificates: [] });
    cleared += report.counters.nodePairsCleared;
    if (expected.pairCount > 0) touching++;
    if (JSON.stringify(report.sortedPairs()) !== JSON.stringify(expected.sortedPairs())) wrong++;
  };
  poses.forEach((pose, k) => {
    body.setPose(pose);
    isEqual(false);
    if (k % 3 !== 1) return; // motions take long by brute force
    body.setMotion(poses[k - 1], pose);
    isEqual(true);
  });
  return { wrong, touching, cleared };
}

describe('prepareCertificates', () => {
  test.each(FORCED)('moved by %s, %s: the same pairs', async (movement, kind) => {
    const engine = await createEngine();
    const { body, poses } = createMovedBody(engine, rolledMesh(16, 6), movement);
    const { certificates, reason, bytes, ...prepared } = prepareCertificates(body, {
      kind,
      subspace: { reach: 0.2 },
    });
    expect([prepared.kind, reason]).toEqual([kind, 'asked for']);
    expect(certificates.length).toBe(kind === 'none' ? 0 : 1);
    expect(bytes > 0).toBe(kind !== 'none');
    if (kind === 'energy')
      expect(prepareCertificates(body, { kind, continuous: true }).bytes).toBeGreaterThan(bytes);
    body.setCertificates(certificates, reason);
    const { wrong, touching, cleared } = compare(body, poses);
    expect(wrong).toBe(0);
    expect(touching).toBeGreaterThan(0);
    if (kind !== 'none' && !(movement === 'cage' && kind === 'blend')) expect(cleared).toBeGreaterThan(0);
    const inSlices = await prepareCertificatesAsync(body, { kind, slice: 1, subspace: { reach: 0.2 } });
    expect(inSlices).toMatchObject({ kind, reason, bytes: expect.any(Number) });
  });

  test('a certificate that lies would be noticed', async () => {
    const engine = await createEngine();
    const { body, poses } = createMovedBody(engine, rolledMesh(16, 6), 'vertices');
    const lying: Certificate = { tree: body.tree, begin: () => {}, clears: () => true };
    body.setCertificates([lying]);
    expect(compare(body, poses).wrong).toBeGreaterThan(1);
  });

  test.each([
    ['modes', 'subspace', /modes alone/],
    ['handles', 'blend', /handles/],
  ] as const)('auto, moved by %s: %s, and the report says why', async (movement, kind, why) => {
    const engine = await createEngine();
    const { body, poses } = createMovedBody(engine, rolledMesh(80, 26), movement);
    const shares: number[] = [];
    const prepared = prepareCertificates(body, {
      subspace: { reach: 0.05 },
      onProgress: (s) => shares.push(s),
    });
    expect(prepared.kind).toBe(kind);
    expect(prepared.reason).toMatch(why);
    expect(shares.length).toBeGreaterThan(3);
    body.setCertificates(prepared.certificates, prepared.reason);
    expect(body.culling).toBe(prepared.reason);
    const report = new CollisionReport();
    for (const pose of poses.slice(0, 4)) {
      body.setPose(pose);
      const pairs = findSelfCollisions(body, { report }).sortedPairs();
      expect(report.culling).toBe(prepared.reason);
      expect(pairs).toEqual(findSelfCollisions(body, { report, certificates: [] }).sortedPairs());
      expect(report.culling).toBe('');
    }
  });

  test('auto, vertex by vertex: energy on connected patches only', async () => {
    const engine = await createEngine();
    const mesh = rolledMesh(100, 52);
    const { body, poses } = createMovedBody(engine, mesh, 'vertices');
    const options = { energy: { maxTriangles: 32, minTriangles: 32 } };
    const prepared = prepareCertificates(body, options);
    expect(prepared.kind).toBe('energy');
    body.setCertificates(prepared.certificates, prepared.reason);
    for (const pose of [poses[1], poses[2]]) {
      body.setPose(pose);
      expect(findSelfCollisions(body).sortedPairs()).toEqual(
        findSelfCollisions(body, { certificates: [] }).sortedPairs(),
      );
    }
    const mixed = engine.createFreeBody(mesh, {
      split: ({ order }, _, count) => {
        if (count === order.length) order.sort((s, t) => ((37 * s) % count) - ((37 * t) % count));
        return count >> 1;
      },
    });
    const { kind, reason } = prepareCertificates(mixed, options);
    expect([kind, reason]).toEqual([
      'none',
      "100 % of its triangles are in parts that do not hang together: split: 'connected' may help",
    ]);
  });

  test('auto, too crowded: none', async () => {
    const engine = await createEngine();
    const sheet = rolledMesh(50, 21);
    // Twice the same sheet, a hair apart: everything touches at rest.
    const positions = [...sheet.positions, ...sheet.positions.map((x) => x + 1e-9)];
    const triangles = [...sheet.triangles, ...sheet.triangles.map((v) => v + sheet.vertexCount)];
    const mesh = createTriangleMesh({ positions, triangles });
    const body = engine.createSkinnedBody(mesh, {
      jointCount: 1,
      influences: 1,
      joints: new Uint16Array(mesh.vertexCount),
      weights: new Float64Array(mesh.vertexCount).fill(1),
    });
    expect(prepareCertificates(body)).toEqual({
      kind: 'none',
      reason: '100 % of its triangles are in parts that touch themselves at rest: there is little to prove',
      certificates: [],
      bytes: 0,
    });
  });

  test('what proves nothing is not kept', async () => {
    const engine = await createEngine();
    const { body } = createMovedBody(engine, rolledMesh(4, 3), 'handles');
    expect(prepareCertificates(body, { kind: 'blend' })).toEqual({
      kind: 'none',
      reason: 'blend certificates can prove nothing about it',
      certificates: [],
      bytes: 0,
    });
  });

  test('can be stopped; bad arguments are refused', async () => {
    const engine = await createEngine();
    const { body } = createMovedBody(engine, rolledMesh(16, 6), 'vertices');
    const stopped = { kind: 'energy', signal: AbortSignal.abort() } as const;
    await expect(prepareCertificatesAsync(body, stopped)).rejects.toThrow();
    const code = async (given: unknown, options: unknown) => {
      const failure = await prepareCertificatesAsync(given as Body, options as object).catch((e) => e);
      expect(() => prepareCertificates(given as Body, options as object)).toThrow(InputError);
      return failure.code;
    };
    expect(await code({}, {})).toBe('wrong-type');
    expect(await code(body, null)).toBe('wrong-type');
    expect(await code(body, { kind: 'subspace' })).toBe('unsupported');
    expect(await code(body, { kind: 'best' })).toBe('bad-option');
    expect(await code(body, { kind: 'energy', energy: { maxTriangles: 0 } })).toBe('bad-option');
  });
});
