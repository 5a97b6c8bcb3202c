import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
  prepareCertificates,
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

const EFFORT = 20_000;

interface SkinPlan {
  readonly side: number;
  readonly scale: number;
  readonly height: 'flat' | 'lattice' | 'any';
  readonly jointCount: number;
  readonly influences: number;
  readonly weights: 'even' | 'any' | 'far apart';
  readonly seed: number;
}

/** Skins that nobody would paint: joints anywhere, weights and sizes of any scale, rest shapes on a lattice. */
const skinPlan: fc.Arbitrary<SkinPlan> = fc.record({
  side: fc.integer({ min: 6, max: 12 }),
  scale: fc.constantFrom(1, 1e18, 1e-18),
  height: fc.constantFrom('flat', 'lattice', 'any'),
  jointCount: fc.constantFrom(2, 20, 300, 3000),
  influences: fc.integer({ min: 1, max: 8 }),
  weights: fc.constantFrom('even', 'any', 'far apart'),
  seed: fc.integer({ min: 1, max: 1e6 }),
});

function createSkinned(engine: Engine, plan: SkinPlan): { body: Body; random: () => number } {
  const { side, scale, height, jointCount, influences, weights } = plan;
  const random = createRandom(plan.seed);
  const { positions, triangles } = grid(side, side);
  const z = { flat: () => 0, lattice: () => Math.floor(3 * random()), any: random }[height];
  const mesh = createTriangleMesh({
    positions: positions.map((x, i) => scale * (i % 3 === 2 ? z() : x)),
    triangles,
  });
  const weight = { even: () => 1, any: random, 'far apart': () => 10 ** Math.floor(36 * random() - 18) }[
    weights
  ];
  const joints: number[] = [],
    shares: number[] = [];
  for (let v = 0; v < positions.length / 3; v++) {
    const own = Array.from({ length: influences }, weight);
    const sum = own.reduce((a, b) => a + b, 0);
    for (const w of own) shares.push(w / sum);
    for (let k = 0; k < influences; k++) joints.push(Math.floor(jointCount * random()));
  }
  const body = engine.createSkinnedBody(mesh, { jointCount, influences, joints, weights: shares });
  return { body, random };
}

/** The most comparisons that the proofs of all nodes may take, and one pair of nodes more for each of them. */
function mostComparisons({ tree }: Body, smallest: number, jointCount: number): number {
  let most = 0;
  for (let node = 0; node < tree.nodeCount; node++) {
    const count = tree.slotCount[node];
    if (count >= smallest && count <= 512) most += EFFORT * count + 2 * (2 * jointCount + 1);
  }
  return most;
}

test('any skin is prepared within the stated work, and its certificate changes no answer', async () => {
  const engine = await createEngine();
  fc.assert(
    fc.property(skinPlan, (plan) => {
      const { body, random } = createSkinned(engine, plan);
      const certificate = prepareBlendCertificate(body);
      expect(certificate.comparisons).toBeLessThanOrEqual(mostComparisons(body, 64, plan.jointCount));
      const pose = Float64Array.from({ length: 12 * plan.jointCount }, (_, i) => {
        return (i % 12) % 5 === 0 ? 1 : (i % 4 === 3 ? plan.scale : 1) * 0.3 * random();
      });
      body.setPose(pose);
      const truth = findSelfCollisions(body, { method: 'brute-force', certificates: [] }).sortedPairs();
      for (const method of ['batch', 'on-demand'] as const) {
        const found = findSelfCollisions(body, { method, certificates: [certificate] });
        expect(found.sortedPairs()).toEqual(truth);
      }
      body.dispose();
    }),
    { numRuns: process.env.PLIANT_FULL ? 200 : 12 },
  );
  engine.dispose();
});

const scattered: SkinPlan = {
  side: 16,
  scale: 1,
  height: 'any',
  jointCount: 2000,
  influences: 8,
  weights: 'any',
  seed: 7,
};

test('a skin of scattered joints is given up, with a reason; more effort prepares it', async () => {
  const engine = await createEngine();
  const { body } = createSkinned(engine, scattered);
  const certificate = prepareBlendCertificate(body);
  expect(certificate.givenUp).toBeGreaterThan(0);
  expect(certificate.comparisons).toBeLessThanOrEqual(mostComparisons(body, 64, 2000));
  const shares: number[] = [];
  const again = await prepareBlendCertificateAsync(body, { onProgress: (share) => void shares.push(share) });
  expect(again.comparisons).toBe(certificate.comparisons); // counts, not time
  expect(shares.at(-1)).toBe(1);
  const { kind, reason, certificates } = prepareCertificates(body, { kind: 'blend', blend: { effort: 1 } });
  expect([kind, certificates.length]).toEqual(['none', 0]);
  expect(reason).toMatch(/^blend certificates are not worth it: all \d+ parts follow so many handles/);
  expect(prepareBlendCertificate(body, { smallest: 64, largest: 70, effort: 1e9 }).givenUp).toBe(0);
  for (const effort of [0, Number.NaN, '5' as never]) {
    expect(() => prepareBlendCertificate(body, { effort })).toThrow('effort must be a number above 0');
  }
  const stop = new AbortController();
  stop.abort();
  await expect(prepareBlendCertificateAsync(body, { signal: stop.signal })).rejects.toThrow();
  engine.dispose();
});

test('nothing of a character is given up, by a wide margin', async () => {
  const engine = await createEngine();
  const man = createMan({ triangles: 4000 });
  const body = engine.createSkinnedBody(man.mesh, man.skin);
  const certificate = prepareBlendCertificate(body, { effort: EFFORT / 8 });
  expect(certificate.patches.count).toBeGreaterThan(10);
  expect(certificate.givenUp).toBe(0);
  engine.dispose();
});

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
