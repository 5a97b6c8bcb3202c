import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Certificate,
  prepareCertificates,
  prepareCertificatesAsync,
  prepareEnergyCertificate,
  prepareEnergyCertificateAsync,
  prepareReducedEnergyCertificate,
  prepareReducedEnergyCertificateAsync,
  prepareSubspaceCertificate,
  prepareSubspaceCertificateAsync,
} from '../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
} from '../../src/index.ts';
import { createMan } from '../../src/shapes/index.ts';
import { grid } from '../arbitraries.ts';

/** Work that goes beyond what is allowed, once per search: two triangles are cut into cells without asking. */
const PAIR = 4000;

interface ModePlan {
  readonly side: number;
  readonly scale: number;
  readonly place: 'flat' | 'lattice' | 'any' | 'far apart';
  readonly jointCount: number;
  readonly modeCount: number;
  readonly size: 'any' | 'lattice' | 'far apart';
  readonly gauge: 'ball' | 'one-sided' | 'box';
  readonly work: number;
  readonly seed: number;
}

/** Bodies that nobody would make: vertices and displacements of any scale, or on a lattice, where many pairs are alike. */
const modePlan: fc.Arbitrary<ModePlan> = fc.record({
  side: fc.integer({ min: 5, max: 9 }),
  scale: fc.constantFrom(1, 1e18, 1e-18),
  place: fc.constantFrom('flat', 'lattice', 'any', 'far apart'),
  jointCount: fc.constantFrom(1, 3, 5),
  modeCount: fc.constantFrom(1, 3, 10),
  size: fc.constantFrom('any', 'lattice', 'far apart'),
  gauge: fc.constantFrom('ball', 'one-sided', 'box'),
  work: fc.constantFrom(1, 10, 100, 1000),
  seed: fc.integer({ min: 1, max: 1e6 }),
});

function shapeOf({ side, scale, place, modeCount, size, seed }: ModePlan) {
  const random = createRandom(seed);
  const far = () => (random() - 0.5) * 10 ** Math.floor(36 * random() - 18);
  const z = { flat: () => 0, lattice: () => Math.floor(3 * random()), any: random, 'far apart': far }[place];
  const { positions, triangles } = grid(side, side);
  const mesh = createTriangleMesh({
    positions: positions.map((x, i) => scale * (i % 3 === 2 ? z() : x)),
    triangles,
  });
  const moved = { any: () => random() - 0.5, lattice: () => Math.floor(3 * random()) - 1, 'far apart': far }[
    size
  ];
  const displacements = Float64Array.from({ length: modeCount * positions.length }, () => scale * moved());
  return { mesh, modes: { count: modeCount, displacements }, random, vertexCount: positions.length / 3 };
}

function expectSameAnswers(body: Body, certificate: Certificate): void {
  const truth = findSelfCollisions(body, { method: 'brute-force', certificates: [] }).sortedPairs();
  for (const method of ['batch', 'on-demand'] as const) {
    const found = findSelfCollisions(body, { method, certificates: [certificate] });
    expect(found.sortedPairs()).toEqual(truth);
  }
}

const numRuns = process.env.PLIANT_FULL ? 300 : 25;

test('any modes are prepared within the stated work, and their certificate changes no answer', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(modePlan, (plan) => {
      const { mesh, modes, random } = shapeOf(plan);
      const body = engine.createModalBody(mesh, modes);
      const { gauge, work: budget } = plan;
      const certificate = prepareSubspaceCertificate(body, {
        gauge,
        budget,
        ignoreRestContacts: plan.seed % 2 === 0,
      });
      const [{ evaluations, lower }] = certificate.balls;
      expect(evaluations).toBeLessThanOrEqual(5 * (budget * mesh.triangleCount + PAIR));
      const reach = lower[0] > 0 && lower[0] < Infinity ? lower[0] : 1;
      // Within what is said to be free, and as far as neighbours are apart.
      for (const most of [0.5 * reach, reach, 0.3, 0.8, 2, 5]) {
        const pose = Float64Array.from({ length: plan.modeCount }, () => most * random());
        if (!pose.every((q) => q < 1e30)) continue;
        body.setPose(pose);
        expectSameAnswers(body, certificate);
      }
      body.dispose();
    }),
    { numRuns },
  );
  engine.dispose();
});

test('any skin has reduced energies within the stated work, and no answer is changed', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(modePlan, (plan) => {
      const { mesh, random, vertexCount } = shapeOf(plan);
      const { jointCount, work: effort } = plan;
      const weights = Array.from({ length: vertexCount }, random).flatMap((w) => [w, 1 - w]);
      const joints = Array.from({ length: 2 * vertexCount }, () => Math.floor(jointCount * random()));
      const body = engine.createSkinnedBody(mesh, { jointCount, influences: 2, joints, weights });
      const certificate = prepareReducedEnergyCertificate(body, {
        effort,
        smallest: 8,
        pointsPerFunction: 0,
      });
      const { slotCount } = body.tree;
      const most = slotCount.reduce((sum, count) => sum + (count < 8 ? 0 : effort * count + 200), 0);
      expect(certificate.comparisons).toBeLessThanOrEqual(most);
      const pose = Float64Array.from({ length: 12 * jointCount }, (_, i) => {
        return ((i % 12) % 5 === 0 ? 1 : 0) + (i % 4 === 3 ? plan.scale : 1) * 0.05 * random();
      });
      body.setPose(pose);
      expectSameAnswers(body, certificate);
      body.dispose();
    }),
    { numRuns },
  );
  engine.dispose();
});

test('any free body has energies within the stated work, and no answer is changed', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(modePlan, (plan) => {
      const { mesh, modes } = shapeOf(plan);
      const body = engine.createFreeBody(mesh, { split: 'connected' });
      const { work: effort } = plan;
      const certificate = prepareEnergyCertificate(body, {
        effort,
        minTriangles: 8,
        folds: plan.seed % 2 === 0,
      });
      // A patch is a node; with as many neighbours as small patches it is in so many pairs, at most.
      const patches = body.tree.slotCount.filter((count) => count >= 2).length;
      const most = patches * (1 + mesh.triangleCount / 8) * (effort * mesh.triangleCount + 200);
      expect(certificate.visits).toBeLessThanOrEqual(most);
      for (const share of [0.01, 0.3, 1]) {
        body.setPose(mesh.positions.map((x, i) => x + share * modes.displacements[i]));
        expectSameAnswers(body, certificate);
      }
      body.dispose();
    }),
    { numRuns },
  );
  engine.dispose();
});

const hard: ModePlan = {
  side: 16,
  scale: 1,
  place: 'any',
  jointCount: 2,
  modeCount: 12,
  size: 'any',
  gauge: 'box',
  work: 1,
  seed: 5,
};

function createHard(engine: Engine, kind: 'modes' | 'skin' | 'free'): Body {
  const { mesh, modes, random, vertexCount } = shapeOf(hard);
  if (kind === 'modes') return engine.createModalBody(mesh, modes);
  if (kind === 'free') return engine.createFreeBody(mesh, { split: 'connected' });
  const weights = Array.from({ length: vertexCount }, random).flatMap((w) => [w, 1 - w]);
  const joints = Array.from({ length: 2 * vertexCount }, (_, k) => k % 2);
  return engine.createSkinnedBody(mesh, { jointCount: 2, influences: 2, joints, weights });
}

test('what takes too long is given up with a reason, and more work prepares it', async () => {
  const engine = await createEngine();
  const modal = createHard(engine, 'modes'),
    skinned = createHard(engine, 'skin'),
    free = createHard(engine, 'free');
  const subspace = { gauge: 'box', budget: 0.01 } as const;
  const given = [
    prepareCertificates(modal, { kind: 'subspace', subspace }),
    prepareCertificates(skinned, { kind: 'reduced-energy', reducedEnergy: { effort: 0.01 } }),
    prepareCertificates(free, { kind: 'energy', energy: { effort: 0.01, outlines: false } }),
    await prepareCertificatesAsync(modal, { kind: 'subspace', subspace }),
  ];
  for (const { kind, reason, certificates } of given) {
    expect([kind, certificates.length]).toEqual(['none', 0]);
    expect(reason).toMatch(/certificates are not worth it: .* took so long that preparing was given up$/);
  }
  expect(prepareReducedEnergyCertificate(skinned, { effort: 1e9 }).givenUp).toBe(0);
  expect(prepareEnergyCertificate(free, { effort: 1e9 }).givenUp).toBe(0);
  expect(prepareSubspaceCertificate(modal, { budget: 1e9 }).balls[0].givenUp).toBe(0);
  for (const value of [0, Number.NaN, '5' as never]) {
    expect(() => prepareSubspaceCertificate(modal, { budget: value })).toThrow(
      'budget must be a number above 0',
    );
    expect(() => prepareReducedEnergyCertificate(skinned, { effort: value })).toThrow('effort must be');
    expect(() => prepareEnergyCertificate(free, { effort: value })).toThrow('effort must be');
  }
  engine.dispose();
});

test('each tells how far it is, and can be stopped', async () => {
  const engine = await createEngine();
  const preparations = [
    [createHard(engine, 'modes'), prepareSubspaceCertificateAsync],
    [createHard(engine, 'skin'), prepareReducedEnergyCertificateAsync],
    [createHard(engine, 'free'), prepareEnergyCertificateAsync],
  ] as const;
  for (const [body, prepare] of preparations) {
    const stop = new AbortController();
    const shares: number[] = [];
    const onProgress = (share: number) => {
      shares.push(share);
      stop.abort(new Error('enough'));
    };
    await expect(prepare(body, { onProgress, signal: stop.signal, slice: 0.001 })).rejects.toThrow('enough');
    expect(shares.length).toBe(1);
  }
  engine.dispose();
});

test('nothing of a character is given up, by a wide margin', async () => {
  const engine = await createEngine();
  const man = createMan({ triangles: 1500 });
  const skinned = engine.createSkinnedBody(man.mesh, man.skin);
  expect(prepareReducedEnergyCertificate(skinned, { effort: 10_000 / 4 }).givenUp).toBe(0);
  const free = engine.createFreeBody(man.mesh, { split: 'connected' });
  expect(prepareEnergyCertificate(free, { effort: 4000 / 8, maxTriangles: 256 }).givenUp).toBe(0);
  const modal = engine.createModalBody(man.mesh, createWaves(man.mesh.positions, 8));
  expect(prepareSubspaceCertificate(modal, { budget: 32_768 / 4 }).balls[0].givenUp).toBe(0);
  engine.dispose();
});

/** Waves along each axis that move points across it. */
function createWaves(positions: Float64Array, count: number) {
  const size = positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const displacements = Float64Array.from({ length: count * positions.length }, (_, k) => {
    const mode = Math.floor(k / positions.length),
      i = k % positions.length;
    const along = positions[i - (i % 3) + ((i + mode + 1) % 3)] / size;
    return 0.1 * size * Math.sin((1 + mode) * along + mode);
  });
  return { count, displacements };
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
