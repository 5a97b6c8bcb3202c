import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BlendCertificate, prepareBlendCertificate } from '../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAnySelfCollision,
  findSelfCollisions,
  PairBuffer,
} from '../../src/index.ts';
import { grid } from '../arbitraries.ts';
import { movingSelfPairs, selfPairs, shareVertex } from '../oracles/brute-force.ts';
import { type BlendCase, blendCase, createBlendBody, movingCase, poseOf } from './blend-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 60;
const MOTIONS = RUNS / 4; // brute force over a motion is slow
const LONG = 1_200_000; // milliseconds
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 5000, endOnFailure: true };
const METHODS = ['auto', 'batch', 'on-demand', 'depth-first', 'brute-force'] as const;
const SMALL = { smallest: 2 };

type Pair = readonly [number, number];
interface Tried {
  readonly body: Body;
  readonly certificate: BlendCertificate;
  readonly of: BlendCase;
}

function property(
  engine: Engine,
  check: (tried: Tried) => void,
  prepare = prepareBlendCertificate,
  cases = blendCase,
) {
  return fc.property(cases, (of) => {
    const body = createBlendBody(engine, of);
    try {
      check({ body, certificate: prepare(body, SMALL), of });
    } finally {
      body.dispose();
    }
  });
}

/** Triangle pairs below a node that the proof is about. */
function provenPairs({ body, certificate }: Tried, node: number): Pair[] {
  const { firstSlot, slotCount, order } = body.tree;
  const left = new PairBuffer();
  certificate.exceptions(node, node, left);
  const exceptions = new Set<string>();
  for (let k = 0; k < left.count; k++) exceptions.add(keyOf(left.data[2 * k], left.data[2 * k + 1]));
  const triangles = [...order.subarray(firstSlot[node], firstSlot[node] + slotCount[node])];
  return triangles.flatMap((i, k) =>
    triangles
      .slice(k + 1)
      .map((j): Pair => [i, j])
      .filter(([a, b]) => !shareVertex(body.mesh, a, b) && !exceptions.has(keyOf(a, b))),
  );
}

function keyOf(i: number, j: number): string {
  return `${Math.min(i, j)} ${Math.max(i, j)}`;
}

/** Nodes that hold, each with its patch. */
function heldNodes({ body, certificate }: Tried, swept: boolean): [number, number][] {
  certificate.begin(swept);
  const nodes: [number, number][] = [];
  for (let node = 0; node < body.tree.nodeCount; node++) {
    const patch = certificate.patchOfNode[node];
    if (patch >= 0 && certificate.proof.holds(patch, swept)) nodes.push([node, patch]);
  }
  return nodes;
}

function expectNoHits(tried: Tried, hits: readonly Pair[], swept: boolean): number {
  const touching = new Set(hits.map(([i, j]) => keyOf(i, j)));
  const held = heldNodes(tried, swept);
  for (const [node] of held) {
    for (const [i, j] of provenPairs(tried, node)) expect(touching).not.toContain(keyOf(i, j));
  }
  return held.length;
}

/** A point of a triangle, by barycentric coordinates. */
function pointOf(
  mesh: Body['mesh'],
  positions: Float64Array,
  triangle: number,
  u: number,
  v: number,
): number[] {
  const [a, b, c] = mesh.triangles.subarray(3 * triangle, 3 * triangle + 3);
  return [0, 1, 2].map(
    (k) => (1 - u - v) * positions[3 * a + k] + u * positions[3 * b + k] + v * positions[3 * c + k],
  );
}

/** Weights of corners: corners, edges and the inside. */
const PLACES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [0.5, 0],
  [0.25, 0.25],
];

/** The worst ‖Δφ − B'Δ‖ / (λ ‖Δ‖ + rounding) over points of proven pairs; 1 is the limit. */
function worstDeviation(tried: Tried): number {
  const { body, certificate } = tried;
  const { mesh, tree } = body;
  const posed = body.getLocalPositions();
  certificate.begin(false);
  const size = posed.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  let worst = 0;
  for (let node = 0; node < tree.nodeCount; node += 1 + (node >> 2)) {
    const patch = certificate.patchOfNode[node];
    if (patch < 0) continue;
    const lambda = certificate.proof.evaluate(patch, 0);
    if (!(lambda < Infinity)) continue; // proves nothing: it is asked to be small
    const B = certificate.proof.matrices.slice(0, 9);
    const noise = 1e-11 * (size + B.reduce((sum, x) => sum + Math.abs(x), 0)) + 1e-12;
    provenPairs(tried, node).forEach(([i, j], k) => {
      const [u, v] = PLACES[k % 5],
        [s, t] = PLACES[(3 * k + node) % 5];
      const p = pointOf(mesh, mesh.positions, i, u, v),
        q = pointOf(mesh, mesh.positions, j, s, t);
      const x = pointOf(mesh, posed, i, u, v),
        y = pointOf(mesh, posed, j, s, t);
      const d = p.map((value, a) => value - q[a]);
      const r = [0, 1, 2].map(
        (a) => x[a] - y[a] - (B[3 * a] * d[0] + B[3 * a + 1] * d[1] + B[3 * a + 2] * d[2]),
      );
      worst = Math.max(worst, Math.hypot(...r) / (lambda * Math.hypot(...d) + noise));
    });
  }
  return worst;
}

test('differences deviate from B′ by λ at most', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let most = 0;
  fc.assert(
    property(engine, (tried) => {
      tried.body.setPose(poseOf(tried.of, tried.of.start));
      const worst = worstDeviation(tried);
      expect(worst).toBeLessThanOrEqual(1);
      most = Math.max(most, worst);
    }),
    { numRuns: RUNS },
  );
  expect(most).toBeGreaterThan(0.1); // the bound is not just huge
});

test.each([1e-3, 1e-40, 1e-44, 1e-60, 1e-140])('… also on a mesh of size %s', async (size) => {
  const engine = await createEngine();
  const strip = Array.from({ length: 8 }, (_, k) => [size * k, size * (k % 2), 0]); // neighbours but one are apart
  const triangles = Array.from({ length: 6 }, (_, k) => [k, k + 1, k + 2]);
  const mesh = createTriangleMesh({ positions: strip.flat(), triangles: triangles.flat() });
  const displacements = Float64Array.from(mesh.positions, (_, k) => 1e-3 * Math.sin(k * k));
  const body = engine.createModalBody(mesh, { count: 1, displacements });
  body.setPose([1]);
  const certificate = prepareBlendCertificate(body, SMALL);
  const worst = worstDeviation({ body, certificate, of: undefined as never });
  expect(worst).toBeLessThanOrEqual(1);
  if (size > 1e-41) expect(worst).toBeGreaterThan(0); // λ of smaller ones is out of range, and proves nothing
});

test('… which is noticed when λ is too small', async () => {
  const engine = await createEngine();
  const lies: ((certificate: BlendCertificate) => void)[] = [
    ({ patches }) => scale(patches.steepness, 0.02),
    ({ patches }) => scale(patches.modeSteepness, 0.02),
    ({ patches }) => scale(patches.mean, 0.5),
    ({ patches }) => scale(patches.fit, -1),
    ({ patches }) => scale(patches.modeFit, -1),
  ];
  for (const lie of lies) {
    const prepare: typeof prepareBlendCertificate = (body, options) => {
      const certificate = prepareBlendCertificate(body, options);
      lie(certificate);
      return certificate;
    };
    const lying = property(
      engine,
      (tried) => {
        tried.body.setPose(poseOf(tried.of, tried.of.start));
        expect(worstDeviation(tried)).toBeLessThanOrEqual(1);
      },
      prepare,
    );
    expect(() => fc.assert(lying, CAUGHT)).toThrow('Counterexample');
  }
});

test('products of weights and displacements count', async () => {
  const engine = await createEngine();
  const mesh = createTriangleMesh(grid(8, 2));
  const x = (v: number) => mesh.positions[3 * v] / 8;
  const skin = {
    jointCount: 2,
    influences: 2,
    joints: Array.from({ length: 2 * mesh.vertexCount }, (_, k) => k % 2),
    weights: Array.from({ length: mesh.vertexCount }, (_, v) => [1 - x(v), x(v)]).flat(),
  };
  // The same everywhere: what it does comes from weights alone.
  const modes = { count: 1, displacements: Array.from({ length: mesh.vertexCount }, () => [0, 0, 1]).flat() };
  const body = engine.createSkinnedBody(mesh, skin, { modes });
  body.setPose({
    joints: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0.1, 0, 0, 1, 0, 0, 0, 0, 1, 0],
    modes: [1000],
  });
  const certificate = prepareBlendCertificate(body, SMALL);
  const tried = { body, certificate, of: undefined as never };
  expect(worstDeviation(tried)).toBeLessThanOrEqual(1);
  scale(certificate.patches.plain, 0);
  body.setPose({
    joints: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0.1, 0, 0, 1, 0, 0, 0, 0, 1, 0],
    modes: [1000],
  });
  expect(worstDeviation(tried)).toBeGreaterThan(10);
});

function scale(array: Float32Array | Float64Array, factor: number): void {
  for (let k = 0; k < array.length; k++) array[k] *= factor;
}

test('a node that holds has no contact but its exceptions', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let held = 0,
    cases = 0;
  fc.assert(
    property(engine, (tried) => {
      const { body, of } = tried;
      body.setPose(poseOf(of, of.start));
      const count = expectNoHits(tried, selfPairs(of.mesh, body.getLocalPositions()), false);
      held += count;
      cases += count > 0 ? 1 : 0;
    }),
    { numRuns: RUNS },
  );
  expect(held).toBeGreaterThan(RUNS);
  expect(cases).toBeGreaterThan(RUNS / 4);
});

test('… and none throughout a motion', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let held = 0;
  fc.assert(
    property(
      engine,
      (tried) => {
        const { body, of } = tried;
        body.setPose(poseOf(of, of.end));
        const end = body.getLocalPositions();
        body.setMotion(poseOf(of, of.start), poseOf(of, of.end));
        const start = body.getLocalPositions();
        if (heldNodes(tried, true).length === 0) return;
        const hits = movingSelfPairs(of.mesh, start, end).map(([i, j]): Pair => [i, j]);
        held += expectNoHits(tried, hits, true);
        // A second opinion that shares nothing with the continuous test: many times on the way.
        const posed = start.slice();
        for (let step = 0; step <= 100; step += 10) {
          for (let k = 0; k < posed.length; k++) posed[k] = start[k] + (step / 100) * (end[k] - start[k]);
          expectNoHits(tried, selfPairs(of.mesh, posed), true);
        }
      },
      prepareBlendCertificate,
      movingCase,
    ),
    { numRuns: MOTIONS },
  );
  expect(held).toBeGreaterThan(MOTIONS / 2);
});

describe('all methods find what brute force finds', () => {
  const check = ({ body, certificate, of }: Tried) => {
    const options = { certificates: [certificate] };
    body.setPose(poseOf(of, of.start));
    const expected = selfPairs(of.mesh, body.getLocalPositions());
    for (const method of METHODS) {
      expect(findSelfCollisions(body, { ...options, method }).sortedPairs()).toEqual(expected);
    }
    expect(findAnySelfCollision(body, options) !== undefined).toBe(expected.length > 0);
  };
  const checkMotion = ({ body, certificate, of }: Tried) => {
    const options = { certificates: [certificate], continuous: true };
    body.setMotion(poseOf(of, of.start), poseOf(of, of.end));
    const expected = findSelfCollisions(body, { method: 'brute-force', continuous: true }).sortedPairs();
    for (const method of ['auto', 'batch', 'on-demand'] as const) {
      expect(findSelfCollisions(body, { ...options, method }).sortedPairs()).toEqual(expected);
    }
  };

  test('in a pose', { timeout: LONG }, async () => {
    const engine = await createEngine();
    fc.assert(property(engine, check), { numRuns: RUNS });
  });

  test('over a motion', { timeout: LONG }, async () => {
    const engine = await createEngine();
    const numRuns = process.env.PLIANT_FULL ? MOTIONS : 8;
    fc.assert(property(engine, checkMotion, prepareBlendCertificate, movingCase), { numRuns });
  });

  test.each([
    ['Λ and M', ({ patches }: BlendCertificate) => scale(patches.steepness, 0.02)],
    ['E', ({ patches }: BlendCertificate) => scale(patches.mean, 30)],
  ])('a lie about %s makes that fail', async (_, lie) => {
    const engine = await createEngine();
    const prepare: typeof prepareBlendCertificate = (body, options) => {
      const certificate = prepareBlendCertificate(body, options);
      lie(certificate);
      return certificate;
    };
    expect(() => fc.assert(property(engine, check, prepare), CAUGHT)).toThrow('Counterexample');
  });

  test('a certificate that keeps its exceptions to itself makes that fail', async () => {
    const engine = await createEngine();
    const prepare: typeof prepareBlendCertificate = (body, options) => {
      const certificate = prepareBlendCertificate(body, options);
      certificate.exceptions = () => {};
      return certificate;
    };
    expect(() => fc.assert(property(engine, check, prepare), CAUGHT)).toThrow('Counterexample');
  });
});
