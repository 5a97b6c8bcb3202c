import { expect, test } from 'vitest';
import {
  prepareReducedEnergyCertificate,
  prepareReducedEnergyCertificateAsync,
  type ReducedEnergyCertificateOptions,
} from '../../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  findSelfCollisionsAsync,
  InputError,
  PairBuffer,
} from '../../../src/index.ts';
import { grid } from '../../arbitraries.ts';
import { codeOf } from '../../io/expect-input-error.ts';
import { selfPairs } from '../../oracles/brute-force.ts';

const SIDE = 12;
const source = grid(SIDE, SIDE);
const vertexCount = source.positions.length / 3;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const TURN = [0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5];

/** Two joints, the weights going over from one to the other along x. */
function smoothSkin(copies = 1) {
  const weights = Array.from({ length: vertexCount }, (_, v) => {
    const x = source.positions[3 * v] / SIDE;
    return [1 - x, x];
  }).flat();
  const all = Array.from({ length: copies }, () => weights).flat();
  return { jointCount: 2, influences: 2, joints: all.map((_, k) => k % 2), weights: all };
}

async function smoothBody(): Promise<Body> {
  const engine = await createEngine();
  return engine.createSkinnedBody(createTriangleMesh(source), smoothSkin());
}

test.each(['spread', 'bending'] as const)(
  'a rest pose, wherever it is, is proved by one node: %s',
  async (metric) => {
    const body = await smoothBody();
    const certificates = [prepareReducedEnergyCertificate(body, { metric })];
    for (const matrix of [
      IDENTITY,
      TURN,
      TURN.map((x) => 1e-3 * x),
      IDENTITY.map((x, k) => (k % 4 === 3 ? 1e3 : x)),
      IDENTITY.map((x, k) => (k === 0 ? -1 : x)),
    ]) {
      body.setPose([...matrix, ...matrix]);
      for (const method of ['batch', 'on-demand', 'auto'] as const) {
        const { counters, pairCount } = findSelfCollisions(body, { method, certificates });
        expect([pairCount, counters.nodePairsTested, counters.nodePairsCleared]).toEqual([0, 0, 1]);
      }
    }
  },
);

test('nothing is proved where everything falls onto a line, or so far away that rounding could close a gap', async () => {
  const body = await smoothBody();
  const certificate = prepareReducedEnergyCertificate(body, { smallest: 2 });
  const far = IDENTITY.map((x, k) => (k % 4 === 3 ? 1e13 : x));
  for (const matrix of [[1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], new Array(12).fill(0), far]) {
    body.setPose([...matrix, ...matrix]);
    certificate.begin(false);
    for (let patch = 0; patch < certificate.patches.count; patch++) {
      expect(certificate.proof.prove(patch, false)).toBe(0);
    }
    expect(findSelfCollisions(body, { certificates: [certificate], method: 'batch' }).totalCount).toBe(
      findSelfCollisions(body, { method: 'batch' }).totalCount,
    );
  }
});

test('a motion through a mirror is not proved, a rigid one is', async () => {
  const body = await smoothBody();
  const certificate = prepareReducedEnergyCertificate(body, { smallest: 2 });
  const mirror = IDENTITY.map((x, k) => (k === 0 ? -1 : x));
  body.setMotion([...IDENTITY, ...IDENTITY], [...mirror, ...mirror]);
  certificate.begin(true);
  expect(certificate.clears(0, 0)).toBe(false);
  const moved = IDENTITY.map((x, k) => (k === 3 ? 7 : x));
  body.setMotion([...IDENTITY, ...IDENTITY], [...moved, ...moved]);
  for (let k = 0; k < 8; k++) {
    body.setMotion([...IDENTITY, ...IDENTITY], [...moved, ...moved]); // it may take some until it is tried again
    certificate.begin(true);
  }
  expect(certificate.clears(0, 0)).toBe(true);
  expect(certificate.clears(1, 2)).toBe(false); // not asked for
});

test('siblings are proved where that was asked for', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), smoothSkin());
  const certificate = prepareReducedEnergyCertificate(body, { across: true });
  expect([certificate.provesPairs, prepareReducedEnergyCertificate(body).provesPairs]).toEqual([true, false]);
  const { least, leastAcross } = certificate.patches;
  leastAcross.forEach((across, patch) => void expect(across).toBeGreaterThanOrEqual(least[patch]));
  certificate.patches.least.fill(0); // now only they are
  body.setPose([...IDENTITY, ...IDENTITY]);
  certificate.begin(false);
  expect([certificate.clears(0, 0), certificate.clears(1, 2), certificate.clears(2, 3)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('pairs that touch at rest are exceptions, or take their nodes with them', async () => {
  const engine = await createEngine();
  // Two sheets with one point in common: neighbours in space, yet no shared vertex.
  const upper = source.positions.map((x, k) => (k % 3 === 2 ? 1 : x));
  upper[3 * 80 + 2] = 0;
  upper[3 * 80] += 0.25;
  upper[3 * 80 + 1] += 0.125;
  const mesh = createTriangleMesh({
    positions: [...source.positions, ...upper],
    triangles: [...source.triangles, ...source.triangles.map((v) => v + vertexCount)],
  });
  const body = engine.createSkinnedBody(mesh, smoothSkin(2));
  const expected = selfPairs(mesh, body.getLocalPositions());
  expect(expected.length).toBeGreaterThan(2);
  const asked = (options: ReducedEnergyCertificateOptions) => {
    const certificate = prepareReducedEnergyCertificate(body, { largest: 1000, ...options });
    certificate.begin(false);
    const report = findSelfCollisions(body, { method: 'batch', certificates: [certificate] });
    expect(report.sortedPairs()).toEqual(expected);
    return { certificate, report };
  };
  const { certificate, report } = asked({});
  expect(certificate.clears(0, 0)).toBe(true);
  expect(report.counters.nodePairsTested).toBe(0);
  const exceptions = new PairBuffer();
  certificate.exceptions(0, 0, exceptions);
  expect(exceptions.count).toBe(expected.length);
  const strict = asked({ ignoreRestContacts: false });
  expect(strict.certificate.clears(0, 0)).toBe(false);
  expect(strict.report.counters.nodePairsCleared).toBeGreaterThan(0);
});

test('modes, and modes under a skin', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const wave = source.positions.map((_, k) => (k % 3 === 2 ? Math.sin(source.positions[k - 2] / 3) : 0));
  const modes = { count: 2, displacements: [...wave, ...wave.map((x) => x * x)] };
  const modal = engine.createModalBody(mesh, modes),
    both = engine.createSkinnedBody(mesh, smoothSkin(), { modes });
  modal.setPose([0.8, -0.3]);
  both.setPose({ joints: [...IDENTITY, ...IDENTITY.map((x, k) => x + 0.05 * Math.sin(k))], modes: [0.5, 0] });
  for (const body of [modal, both]) {
    const certificate = prepareReducedEnergyCertificate(body);
    certificate.begin(false);
    expect(certificate.clears(0, 0)).toBe(true);
    expect(selfPairs(mesh, body.getLocalPositions())).toEqual([]);
  }
});

test('a query about a pose inside one about a motion does not weaken the outer proof', async () => {
  const body = await smoothBody();
  const certificate = prepareReducedEnergyCertificate(body);
  const certificates = [certificate];
  const mirror = IDENTITY.map((x, k) => (k === 0 ? -1 : x));
  body.setMotion([...IDENTITY, ...IDENTITY], [...mirror, ...mirror]);
  const controller = new AbortController();
  const { signal } = controller;
  const outer = findSelfCollisionsAsync(body, { certificates, continuous: true, slice: 1e-9, signal });
  expect(findSelfCollisions(body, { certificates }).pairCount).toBe(0);
  expect(certificate.clears(0, 0)).toBe(false); // the whole motion is still asked for
  controller.abort();
  await outer;
});

test('in slices it comes to the same, tells how far it is, and can be stopped', async () => {
  const body = await smoothBody();
  const shares: number[] = [];
  const certificate = await prepareReducedEnergyCertificateAsync(body, {
    smallest: 16,
    slice: 1e-9,
    onProgress: (s) => shares.push(s),
  });
  expect(certificate.patches).toEqual(prepareReducedEnergyCertificate(body, { smallest: 16 }).patches);
  expect(certificate.bytes).toBeGreaterThan(certificate.patches.bytes);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect([shares.length > 5, shares.at(-1)]).toEqual([true, 1]);
  const controller = new AbortController();
  const stopped = prepareReducedEnergyCertificateAsync(body, { slice: 1e-9, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});

test('bad input is named', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const body = engine.createSkinnedBody(mesh, smoothSkin());
  const code = (of: unknown, options?: unknown) =>
    codeOf(() => prepareReducedEnergyCertificate(of as Body, options as ReducedEnergyCertificateOptions));
  expect(code({})).toBe('wrong-type');
  expect(code(engine.createRigidBody(mesh))).toBe('unsupported');
  expect(code(engine.createFreeBody(mesh))).toBe('unsupported');
  for (const options of [
    { largest: 1 },
    { smallest: Number.NaN },
    { functions: 'many' },
    { metric: 'none' },
  ]) {
    expect(code(body, options)).toBe('bad-option');
  }
  expect(code(body, null)).toBe('wrong-type');
  await expect(prepareReducedEnergyCertificateAsync(body, { slice: 0 })).rejects.toThrow(InputError);
  const certificate = prepareReducedEnergyCertificate(body);
  const other = engine.createSkinnedBody(mesh, smoothSkin());
  expect(() => findSelfCollisions(other, { certificates: [certificate] })).toThrow('another body');
  body.dispose();
  expect(codeOf(() => certificate.begin(false))).toBe('disposed');
});
