import { describe, expect, test } from 'vitest';
import {
  type BlendCertificate,
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
} from '../../src/cull/index.ts';
import { createPoser, readGltf, weldAttributes } from '../../src/gltf/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
  findSelfCollisionsAsync,
  InputError,
  PairBuffer,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';
import { codeOf } from '../io/expect-input-error.ts';
import { hasSharedData, sharedFile } from '../io/shared-data.ts';
import { selfPairs } from '../oracles/brute-force.ts';

const SIDE = 12;
const source = grid(SIDE, SIDE);
const vertexCount = source.positions.length / 3;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const TURN = [0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5];
const FLAT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const LINE = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];

function skin(weightsOf: (x: number) => number[]) {
  const weights = Array.from({ length: vertexCount }, (_, v) =>
    weightsOf(source.positions[3 * v] / SIDE),
  ).flat();
  const jointCount = weights.length / vertexCount;
  const joints = weights.map((_, k) => k % jointCount);
  return { jointCount, influences: jointCount, joints, weights };
}

const CONSTANT = skin(() => [0.1, 0.7, 0.2]);
const SMOOTH = skin((x) => [1 - x, x]);

function patchesOf({ tree }: Body, { patchOfNode }: BlendCertificate): number[] {
  return Array.from({ length: tree.nodeCount }, (_, node) => patchOfNode[node]).filter((patch) => patch >= 0);
}

describe('constant weights', () => {
  test('deviate by exactly 0, and prove the whole mesh under any regular matrices', async () => {
    const engine = await createEngine();
    const body = engine.createSkinnedBody(createTriangleMesh(source), CONSTANT);
    const certificate = prepareBlendCertificate(body);
    body.setPose([...TURN, ...IDENTITY.map((x) => 5 * x), ...TURN]);
    certificate.begin(false);
    for (const patch of patchesOf(body, certificate)) {
      expect(certificate.proof.evaluate(patch, 0)).toBe(0);
      expect(certificate.proof.holds(patch, false)).toBe(true);
    }
    expect(certificate.clears(0, 0)).toBe(true);
    expect(certificate.clears(1, 2)).toBe(false);
  });

  test.each([
    ['a line', LINE],
    ['a point', new Array(12).fill(0)],
  ])('… but nothing when they become %s', async (_, matrix) => {
    const engine = await createEngine();
    const body = engine.createSkinnedBody(createTriangleMesh(source), CONSTANT);
    const certificate = prepareBlendCertificate(body, { smallest: 2 });
    body.setPose([...matrix, ...matrix, ...matrix]);
    certificate.begin(false);
    for (const patch of patchesOf(body, certificate))
      expect(certificate.proof.holds(patch, false)).toBe(false);
  });

  test('a flat sheet that becomes flatter is proved, a bent one is not', async () => {
    const engine = await createEngine();
    const bent = source.positions.map((x, k) =>
      k % 3 === 2 ? 3 * Math.abs(source.positions[k - 2] - 6) : x,
    );
    for (const positions of [source.positions, bent]) {
      const body = engine.createSkinnedBody(createTriangleMesh({ ...source, positions }), CONSTANT);
      const certificate = prepareBlendCertificate(body);
      const down = positions === bent ? [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] : FLAT;
      body.setPose([...down, ...down, ...down]);
      certificate.begin(false);
      expect(certificate.clears(0, 0)).toBe(positions !== bent);
      certificate.patches.slope.fill(0); // “nothing is across”: a lie about the bent one, and it would be believed
      expect(certificate.proof.holds(certificate.patchOfNode[0], false)).toBe(true);
      expect(findSelfCollisions(body, { method: 'batch' }).pairCount > 0).toBe(positions === bent);
    }
  });

  test('… nor over a motion that passes through a mirror', async () => {
    const engine = await createEngine();
    const body = engine.createSkinnedBody(createTriangleMesh(source), CONSTANT);
    const certificate = prepareBlendCertificate(body, { smallest: 2 });
    const mirror = IDENTITY.map((x, k) => (k === 0 ? -1 : x));
    const three = (m: number[]) => [...m, ...m, ...m];
    body.setMotion(three(IDENTITY), three(mirror));
    certificate.begin(true);
    for (const patch of patchesOf(body, certificate))
      expect(certificate.proof.holds(patch, true)).toBe(false);
    body.setMotion(three(mirror), three(mirror.map((x, k) => (k === 3 ? 7 : x))));
    certificate.begin(true);
    expect(certificate.clears(0, 0)).toBe(true);
  });
});

test('a rest pose, wherever it is, is proved by one node', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), SMOOTH);
  const certificates = [prepareBlendCertificate(body)];
  for (const matrix of [
    IDENTITY,
    TURN,
    TURN.map((x) => 1e-3 * x),
    IDENTITY.map((x, k) => (k % 4 === 3 ? 1e3 : x)),
  ]) {
    body.setPose([...matrix, ...matrix]);
    for (const method of ['batch', 'on-demand', 'auto'] as const) {
      const { counters, pairCount } = findSelfCollisions(body, { method, certificates });
      expect([pairCount, counters.nodePairsTested, counters.nodePairsCleared]).toEqual([0, 0, 1]);
    }
  }
});

test('positions so far away that rounding could close a gap are not proved', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), SMOOTH);
  const certificate = prepareBlendCertificate(body);
  const far = IDENTITY.map((x, k) => (k % 4 === 3 ? 1e13 : x));
  body.setPose([...far, ...far]);
  certificate.begin(false);
  expect(certificate.clears(0, 0)).toBe(false);
  expect(findSelfCollisions(body, { certificates: [certificate] }).sortedPairs()).toEqual(
    selfPairs(body.mesh, body.getLocalPositions()),
  );
});

test('meshless and embedded bodies are blended ones', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const [{ joints, weights, influences }] = [SMOOTH];
  const meshless = engine.createMeshlessBody(mesh, {
    nodePositions: [0, 6, 0, 12, 6, 0],
    influences,
    nodes: joints,
    weights,
  });
  const still = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  meshless.setPose({
    displacements: [0, 0, 1, 0, 0.5, 0],
    gradients: [...still, 0, 0.1, 0.2, 0, 0, 0, 0, 0, 0],
  });
  // Between the corners of a cage: trilinear weights, which are negative outside.
  const corners = Array.from({ length: 8 }, (_, k) =>
    [k & 1, (k >> 1) & 1, k >> 2].map((c) => 12 * c),
  ).flat();
  const cageWeights = Array.from({ length: vertexCount }, (_, v) =>
    Array.from({ length: 8 }, (_, k) =>
      [0, 1, 2].reduce((product, a) => {
        const x = source.positions[3 * v + a] / 12 + (a === 2 ? 0.5 : 0);
        return product * ((k >> a) & 1 ? x : 1 - x);
      }, 1),
    ),
  ).flat();
  const embedded = engine.createEmbeddedBody(mesh, {
    controlPositions: corners,
    influences: 8,
    controls: cageWeights.map((_, k) => k % 8),
    weights: cageWeights,
  });
  embedded.setPose(corners.map((x, k) => x + 0.3 * Math.sin(k)));
  for (const body of [meshless, embedded]) {
    const certificate = prepareBlendCertificate(body, { smallest: 8 });
    expect(selfPairs(mesh, body.getLocalPositions())).toEqual([]);
    const { counters, pairCount } = findSelfCollisions(body, {
      method: 'batch',
      certificates: [certificate],
    });
    expect(pairCount).toBe(0);
    expect(counters.nodePairsCleared).toBeGreaterThan(0);
    expect(counters.nodePairsTested).toBeLessThan(
      findSelfCollisions(body, { method: 'batch' }).counters.nodePairsTested,
    );
  }
});

test('pairs that touch at rest are exceptions, unless they are too many', async () => {
  const engine = await createEngine();
  // Two sheets with one point in common: neighbours in space, yet no shared vertex.
  const upper = source.positions.map((x, k) => (k % 3 === 2 ? 1 : x));
  upper[3 * 80 + 2] = 0;
  upper[3 * 80] += 0.25;
  upper[3 * 80 + 1] += 0.125;
  const both = {
    positions: [...source.positions, ...upper],
    triangles: [...source.triangles, ...source.triangles.map((v) => v + vertexCount)],
  };
  const twice = {
    ...SMOOTH,
    joints: [...SMOOTH.joints, ...SMOOTH.joints],
    weights: [...SMOOTH.weights, ...SMOOTH.weights],
  };
  const body = engine.createSkinnedBody(createTriangleMesh(both), twice);
  const certificate = prepareBlendCertificate(body, { largest: 1000 });
  const expected = selfPairs(body.mesh, body.getLocalPositions());
  expect(expected.length).toBeGreaterThan(2);
  const exceptions = new PairBuffer();
  certificate.begin(false);
  expect(certificate.clears(0, 0)).toBe(true);
  certificate.exceptions(0, 0, exceptions);
  expect(exceptions.count).toBe(expected.length);
  const report = findSelfCollisions(body, { method: 'batch', certificates: [certificate] });
  expect(report.sortedPairs()).toEqual(expected);
  expect(report.counters.nodePairsTested).toBe(0);

  const flat = {
    ...both,
    positions: both.positions.map((x, k) => (k % 3 === 2 ? 0 : x + (k < 3 * vertexCount ? 0 : 0.3))),
  };
  const crowded = engine.createSkinnedBody(createTriangleMesh(flat), twice);
  const silent = prepareBlendCertificate(crowded, { largest: 1000 });
  expect(silent.patchOfNode[0]).toBe(-1);
  expect(findSelfCollisions(crowded, { certificates: [silent] }).totalCount).toBe(
    findSelfCollisions(crowded).totalCount,
  );
});

test('a query about a pose inside one about a motion does not weaken the outer proof', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), CONSTANT);
  const certificate = prepareBlendCertificate(body);
  const certificates = [certificate];
  const three = (m: number[]) => [...m, ...m, ...m];
  body.setMotion(three(IDENTITY), three(IDENTITY.map((x, k) => (k === 0 ? -1 : x))));
  const controller = new AbortController();
  const { signal } = controller;
  const outer = findSelfCollisionsAsync(body, { certificates, continuous: true, slice: 1e-9, signal });
  expect(findSelfCollisions(body, { certificates }).pairCount).toBe(0);
  expect(certificate.clears(0, 0)).toBe(false); // the whole motion is still asked for
  controller.abort();
  await outer;
  body.setPose(three(IDENTITY));
  for (let k = 0; k < 8; k++) {
    body.setPose(three(IDENTITY)); // alone again; it may take some poses until it is tried
    findSelfCollisions(body, { certificates });
  }
  expect(certificate.clears(0, 0)).toBe(true);
});

test('a certificate of another body of the same mesh is refused', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const [first, second] = [engine.createSkinnedBody(mesh, CONSTANT), engine.createSkinnedBody(mesh, SMOOTH)];
  const certificates = [prepareBlendCertificate(first)];
  expect(first.tree).toBe(second.tree);
  expect(() => findSelfCollisions(second, { certificates })).toThrow('another body of the same mesh');
  expect(findSelfCollisions(first, { certificates, method: 'on-demand' }).pairCount).toBe(0);
});

test('what fails is tried again', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), SMOOTH);
  const certificate = prepareBlendCertificate(body);
  const asks = (matrix: number[]) => {
    body.setPose([...IDENTITY, ...matrix]);
    certificate.begin(false);
    return certificate.clears(0, 0);
  };
  for (let k = 0; k < 20; k++) expect(asks(LINE)).toBe(false);
  const answers = Array.from({ length: 8 }, () => asks(IDENTITY));
  expect(answers).toContain(true);
  expect(answers[7]).toBe(true);
});

test('in slices it comes to the same, tells how far it is, and can be stopped', async () => {
  const engine = await createEngine();
  const body = engine.createSkinnedBody(createTriangleMesh(source), SMOOTH);
  const shares: number[] = [];
  const certificate = await prepareBlendCertificateAsync(body, {
    smallest: 2,
    slice: 1e-9,
    onProgress: (s) => shares.push(s),
  });
  expect(certificate.patches).toEqual(prepareBlendCertificate(body, { smallest: 2 }).patches);
  expect(certificate.bytes).toBeGreaterThan(certificate.patches.bytes);
  expect(shares.length).toBeGreaterThan(5);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  const controller = new AbortController();
  const stopped = prepareBlendCertificateAsync(body, { slice: 1e-9, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});

test('bad input is named', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(source);
  const body = engine.createSkinnedBody(mesh, SMOOTH);
  expect(codeOf(() => prepareBlendCertificate({} as Body))).toBe('wrong-type');
  expect(codeOf(() => prepareBlendCertificate(engine.createRigidBody(mesh)))).toBe('unsupported');
  expect(codeOf(() => prepareBlendCertificate(engine.createFreeBody(mesh)))).toBe('unsupported');
  expect(codeOf(() => prepareBlendCertificate(body, { largest: 1 }))).toBe('bad-option');
  expect(codeOf(() => prepareBlendCertificate(body, { smallest: Number.NaN }))).toBe('bad-option');
  expect(codeOf(() => prepareBlendCertificate(body, null as never))).toBe('wrong-type');
  await expect(prepareBlendCertificateAsync(body, { slice: 0 })).rejects.toThrow(InputError);
  const certificate = prepareBlendCertificate(body);
  body.dispose();
  expect(codeOf(() => certificate.begin(false))).toBe('disposed');
  expect(codeOf(() => prepareBlendCertificate(body))).toBe('disposed');
});

describe.skipIf(!hasSharedData)('CesiumMan', () => {
  test('walks as it does without a certificate, and is mostly proved', { timeout: 600_000 }, async () => {
    const scene = await readGltf(sharedFile('skinned/CesiumMan.glb'), 'CesiumMan.glb');
    const gltf = scene.meshes.find((mesh) => mesh.skin !== undefined)!;
    const { positions, triangles, skin: bind } = gltf;
    const { joints, influences, jointIndex, weights } = bind!;
    const mesh = createTriangleMesh({ positions, triangles, attributes: weldAttributes(gltf) });
    const engine = await createEngine();
    const body = engine.createSkinnedBody(mesh, {
      jointCount: joints.length,
      influences,
      joints: jointIndex,
      weights,
    });
    const certificate = prepareBlendCertificate(body);
    const poser = createPoser(scene);
    const frames = process.env.PLIANT_FULL ? 24 : 6;
    const matrices = [0, 1].map(() => new Float64Array(12 * joints.length));
    const move = (frame: number) => {
      [0, 1].forEach((k) => {
        poser.pose(0, (scene.clips[0].duration * (frame + k)) / frames);
        poser.jointMatrices(scene.meshes.indexOf(gltf), matrices[k]);
      });
    };
    let cleared = 0;
    for (let frame = 0; frame < frames; frame++) {
      move(frame);
      body.setPose(matrices[0]);
      const method = process.env.PLIANT_FULL ? 'brute-force' : 'depth-first';
      const expected = findSelfCollisions(body, { method }).sortedPairs();
      for (const method of ['auto', 'batch', 'on-demand'] as const) {
        const report = findSelfCollisions(body, { method, certificates: [certificate] });
        expect(report.sortedPairs()).toEqual(expected);
        cleared += report.counters.nodePairsCleared;
      }
      body.setMotion(matrices[0], matrices[1]);
      const moving = findSelfCollisions(body, { method: 'depth-first', continuous: true }).sortedPairs();
      const report = findSelfCollisions(body, {
        method: 'batch',
        continuous: true,
        certificates: [certificate],
      });
      expect(report.sortedPairs()).toEqual(moving);
    }
    expect(cleared).toBeGreaterThan(10 * frames);
  });
});
