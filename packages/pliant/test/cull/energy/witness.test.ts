import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeSurfaceWeights, type SurfaceWeights } from '../../../src/cull/energy/surface-weights.ts';
import { type EnergyCertificate, prepareEnergyCertificate } from '../../../src/cull/index.ts';
import { type Body, createEngine, type TriangleMesh } from '../../../src/index.ts';
import { selfPairs } from '../../oracles/brute-force.ts';
import {
  apply,
  bestMap,
  denseGreen,
  denseLaplacian,
  gram,
  leastRootEnergy,
  rootEnergy,
} from './dense-oracle.ts';
import { amount, deform, randomNumbers, resized, smallMesh, squashedBall } from './energy-cases.ts';
import { ProgramView } from './program-view.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 15;
const engine = await createEngine();

interface Case {
  readonly body: Body;
  readonly surface: SurfaceWeights;
  readonly certificate: EnergyCertificate;
  /** Of a proof: slots, dense L over their points, and which slots are in its first and second node. */
  readonly part: (
    item: number,
  ) => ReturnType<typeof denseLaplacian> & { slots: number[]; sides: [number[], number[]] };
  /** Sets a pose given per point, and sums energies. */
  readonly pose: (x: Float64Array) => void;
}

function withCase(mesh: TriangleMesh, check: (it: Case) => void): void {
  const body = engine.createFreeBody(mesh, { split: 'connected' });
  try {
    const surface = computeSurfaceWeights(body.resident);
    const certificate = prepareEnergyCertificate(body, { maxTriangles: 60, minTriangles: 12 });
    const { firstSlot, slotCount } = body.tree;
    const smallNodes = certificate.program.smallNodes;
    const view = new ProgramView(certificate);
    const below = (node: number) => Array.from({ length: slotCount[node] }, (_, k) => firstSlot[node] + k);
    const part = (item: number) => {
      const [a, b] = certificate.program.nodes.subarray(2 * item, 2 * item + 2);
      const sides: [number[], number[]] = [below(a), below(b)];
      // All that its energy is summed over: patches around two that hardly hang together count as well.
      const slots = view.smallPatchesOf(item).flatMap((patch) => below(smallNodes[patch]));
      return { slots, sides, ...denseLaplacian(surface, slots) };
    };
    const { vertexOfPoint } = body.resident;
    const pose = (x: Float64Array) => {
      const positions = new Float64Array(3 * mesh.vertexCount);
      vertexOfPoint.forEach((v, p) => {
        for (let k = 0; k < 3; k++) positions[3 * v + k] = x[3 * p + k];
      });
      body.setPose(positions);
      certificate.begin(false);
      for (let node = 0; node < body.tree.nodeCount; node++) certificate.clears(node, node);
    };
    check({ body, surface, certificate, part, pose });
  } finally {
    body.dispose();
  }
}

/** The pose of a free body, by points. */
function pointsOf({ body }: Case, positions: Float64Array): Float64Array {
  const { vertexOfPoint } = body.resident;
  return Float64Array.from(
    { length: 3 * vertexOfPoint.length },
    (_, k) => positions[3 * vertexOfPoint[Math.floor(k / 3)] + (k % 3)],
  );
}

test('two points that are brought together with the least energy are never proved apart', () => {
  let looked = 0;
  fc.assert(
    fc.property(smallMesh, fc.nat(), (mesh, seed) => {
      const next = randomNumbers(seed);
      const pick = (list: readonly number[]) => list[Math.floor(((next() + 1) / 2) * list.length)];
      withCase(mesh, (it) => {
        const { certificate, surface } = it;
        const items = new ProgramView(certificate).energyItems;
        if (items.length === 0) return;
        const item = pick(items);
        const { points, n, L, sides } = it.part(item);
        const G = denseGreen(L, n);
        for (let k = 0; k < 10; k++) {
          const pair = [pick(sides[0]), pick(sides[1])];
          const corners = pair.map((slot) => [...surface.corners.subarray(3 * slot, 3 * slot + 3)]);
          if (corners[0].some((p) => corners[1].includes(p))) continue;
          looked++;
          const a = new Float64Array(n);
          corners.forEach((list, side) => {
            const w = list.map(() => Math.max(0, next()) + (k % 2 === 0 ? 0 : 1e-9));
            if (Math.max(...w) === 0) w[0] = 1;
            const sum = w[0] + w[1] + w[2];
            list.forEach((p, c) => {
              a[points.indexOf(p)] += (side === 0 ? w[c] : -w[c]) / sum;
            });
          });
          const Ga = a.map((_, i) => a.reduce((sum, w, j) => sum + w * G[i * n + j], 0));
          const g = a.reduce((sum, x, i) => sum + x * Ga[i], 0);
          const x = surface.rest.slice();
          for (let c = 0; c < 3; c++) {
            const gap = a.reduce((sum, w, i) => sum + w * surface.rest[3 * points[i] + c], 0);
            points.forEach((p, i) => {
              x[3 * p + c] -= (Ga[i] * gap) / g;
            });
          }
          it.pose(x);
          expect(certificate.program.isCalm(item)).toBe(false);
        }
      });
    }),
    { numRuns: 3 * RUNS },
  );
  expect(looked).toBeGreaterThan(RUNS);
});

/** Of traces: what matrices give away where shapes are flat. */
const RIDGE = 2e-6;

test('Grams put together from parts are those of the whole patch, and proofs are the comparison they promise', () => {
  const kept: number[] = [];
  fc.assert(
    fc.property(smallMesh, fc.nat(), amount, (mesh, seed, size) => {
      withCase(mesh, (it) => {
        const { certificate, surface, body } = it;
        const { program } = certificate;
        const view = new ProgramView(certificate);
        view.useExact(); // loose Grams are shown to be no smaller in parts.test.ts
        const x = pointsOf(it, deform(mesh, seed, size));
        it.pose(x);
        for (const item of new ProgramView(certificate).energyItems) {
          const isCalm = program.isCalm(item);
          const { points, L } = it.part(item);
          const Lx = apply(L, points, x),
            LX = apply(L, points, surface.rest);
          const { f64 } = body.engine.kernels.memory;
          const o = view.gramOfItem(item);
          const C = gram(Lx, Lx),
            B = gram(LX, Lx);
          const expected = [
            ...[C[0], C[1], f64[o + 2], C[4], C[2], C[5], B[8], C[8]],
            ...[B[2], B[5], B[0], B[1], B[3], B[4], B[6], B[7]],
          ];
          const scale =
            C[0] + C[4] + C[8] + gram(LX, LX).reduce((sum, value, k) => sum + (k % 4 === 0 ? value : 0), 0);
          expected.forEach((value, k) => {
            // Both Laplacians are float32.
            expect(Math.abs(f64[o + k] - value)).toBeLessThan(1e-4 * scale);
          });
          const A = bestMap(Lx, LX);
          const energy = rootEnergy(Lx, LX, A);
          const limit = view.limitOf(item);
          const squares = A.reduce((sum, a) => sum + a * a, 0);
          const left = view.limitAfterRounding(item, squares);
          if (isCalm) expect(energy).toBeLessThan(limit);
          else expect(energy ** 2 + RIDGE * squares * scale).toBeGreaterThan(left * (1 - 1e-3));
          // Shapes that are not squashed to next to nothing lose little.
          if (squares < 30) kept.push(left / limit ** 2);
        }
      });
    }),
    { numRuns: RUNS },
  );
  kept.sort((a, b) => a - b);
  expect(kept[Math.floor(kept.length / 20)]).toBeGreaterThan(0.9);
});

/** Proofs with limits just below the true energy of slight deformations, which float32 cannot tell: how many are made. */
function countFalseProofs(trusting: boolean, runs: number): number {
  let count = 0;
  fc.assert(
    fc.property(
      fc.oneof(smallMesh, squashedBall),
      fc.nat(),
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom(1e-12, 1, 1e6, 1e14),
      fc.constantFrom(1e-20, 1e-6, 1, 1e8),
      (mesh, seed, digits, meshSize, poseSize) => {
        withCase(resized(mesh, meshSize), (it) => {
          const { certificate, surface } = it;
          const { program } = certificate;
          const view = new ProgramView(certificate);
          if (trusting) view.forgetRounding();
          const moved = deform(mesh, seed, 10 ** -digits);
          const x = pointsOf(
            it,
            moved.map((value, k) => (value + (k % 3) * (seed % 3)) * meshSize * poseSize),
          );
          it.pose(x);
          for (const item of new ProgramView(certificate).energyItems) {
            const { points, L } = it.part(item);
            const least = leastRootEnergy(apply(L, points, x), apply(L, points, surface.rest));
            view.setLimit(item, least * (1 - 1e-6));
            if (program.isCalm(item)) count++;
          }
        });
      },
    ),
    { numRuns: runs },
  );
  return count;
}

test('nothing is proved that rounding alone would prove, at any size; without what is taken off for it much is', () => {
  expect(countFalseProofs(false, 6 * RUNS)).toBe(0);
  expect(countFalseProofs(true, RUNS)).toBeGreaterThan(0);
});

test('an affine map changes nothing, and turning a flat patch costs no energy', () => {
  fc.assert(
    fc.property(smallMesh, fc.nat(), amount, fc.nat(), (mesh, seed, size, other) => {
      const next = randomNumbers(other);
      const M = Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1.5 : 0) + 0.4 * next());
      withCase(mesh, (it) => {
        const { certificate, surface } = it;
        const x = pointsOf(it, deform(mesh, seed, size));
        const turned = x.map((_, k) => {
          const o = 3 * Math.floor(k / 3),
            row = 3 * (k % 3);
          return M[row] * x[o] + M[row + 1] * x[o + 1] + M[row + 2] * x[o + 2] + row;
        });
        for (const item of new ProgramView(certificate).energyItems) {
          const { points, L } = it.part(item);
          const LX = apply(L, points, surface.rest);
          const before = apply(L, points, x),
            after = apply(L, points, turned);
          const energy = rootEnergy(before, LX, bestMap(before, LX));
          const size = Math.sqrt(gram(LX, LX).reduce((sum, value, k) => sum + (k % 4 === 0 ? value : 0), 0));
          expect(Math.abs(rootEnergy(after, LX, bestMap(after, LX)) - energy)).toBeLessThan(1e-5 * size);
          expect(new ProgramView(certificate).limitOf(item)).toBeLessThan(size); // 0 is an affine map, too
        }
        it.pose(
          surface.rest.map((value, k) =>
            k % 3 === 0 ? surface.rest[k + 1] : k % 3 === 1 ? -surface.rest[k - 1] : value,
          ),
        );
        for (const item of new ProgramView(certificate).energyItems)
          expect(certificate.program.isCalm(item)).toBe(true);
      });
    }),
    { numRuns: RUNS },
  );
});

test('where triangles touch, no matrix brings the energy below the limit', () => {
  let looked = 0;
  fc.assert(
    fc.property(smallMesh, fc.nat(), fc.double({ min: 1, max: 6, noNaN: true }), (mesh, seed, size) => {
      const next = randomNumbers(seed);
      withCase(mesh, (it) => {
        const { certificate, surface, body } = it;
        const positions = deform(mesh, seed, size);
        const contacts = selfPairs(mesh, positions).map((pair) =>
          pair.map((t) => body.resident.slotOfTriangle[t]),
        );
        const x = pointsOf(it, positions);
        for (const item of contacts.length > 0 ? new ProgramView(certificate).energyItems : []) {
          const { points, L, sides } = it.part(item);
          const isIn = contacts.some(
            ([s, t]) =>
              (sides[0].includes(s) && sides[1].includes(t)) ||
              (sides[0].includes(t) && sides[1].includes(s)),
          );
          if (!isIn) continue;
          looked++;
          const Lx = apply(L, points, x),
            LX = apply(L, points, surface.rest);
          const random = Array.from({ length: 9 }, next);
          const rankOne = random.map((_, k) => random[k % 3] * random[3 + Math.floor(k / 3)]);
          for (const A of [
            new Array(9).fill(0),
            random,
            rankOne,
            [-1, 0, 0, 0, 1, 0, 0, 0, 1],
            bestMap(Lx, LX),
          ]) {
            expect(rootEnergy(Lx, LX, A)).toBeGreaterThan(new ProgramView(certificate).limitOf(item));
          }
        }
      });
    }),
    { numRuns: 2 * RUNS },
  );
  expect(looked).toBeGreaterThan(0);
});

test('along a motion at a fixed matrix, no energy is above that of both ends', () => {
  fc.assert(
    fc.property(smallMesh, fc.nat(), amount, amount, (mesh, seed, first, second) => {
      const next = randomNumbers(seed);
      withCase(mesh, (it) => {
        const start = pointsOf(it, deform(mesh, seed, first)),
          end = pointsOf(it, deform(mesh, seed + 1, second));
        const A = Array.from({ length: 9 }, next);
        for (const item of new ProgramView(it.certificate).energyItems.slice(0, 3)) {
          const { points, L } = it.part(item);
          const LX = apply(L, points, it.surface.rest);
          const at = (t: number) =>
            rootEnergy(
              apply(
                L,
                points,
                start.map((x, k) => (1 - t) * x + t * end[k]),
              ),
              LX,
              A,
            );
          const most = Math.max(at(0), at(1));
          for (const t of [0.25, 0.5, 0.8]) expect(at(t)).toBeLessThanOrEqual(most * (1 + 1e-9));
        }
      });
    }),
    { numRuns: RUNS },
  );
});

test('numbers that are none, or too large, prove nothing', () => {
  const mesh = fc.sample(smallMesh, { numRuns: 1, seed: 3 })[0];
  withCase(mesh, (it) => {
    const { certificate, surface, body } = it;
    expect(certificate.proofs).toBeGreaterThan(0);
    for (const factor of [2 ** 280, -(2 ** 290)]) {
      it.pose(surface.rest.map((x, k) => x * (k % 5 === 0 ? factor : 1)));
      for (let item = 0; item < certificate.proofs; item++) {
        expect(certificate.program.isCalm(item)).toBe(false);
        expect(certificate.program.isSmooth(item)).toBe(false);
      }
    }
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      for (let k = 0; k < 16; k++) {
        it.pose(surface.rest);
        const item = new ProgramView(certificate).energyItems.at(-1)!;
        expect(certificate.program.isCalm(item)).toBe(true);
        const { f64 } = body.engine.kernels.memory;
        const [patch] = new ProgramView(certificate).patchesOf(item);
        const o = new ProgramView(certificate).gramOf(patch) + k;
        const before = f64[o];
        f64[o] = bad;
        expect(certificate.program.isCalm(item)).toBe(k === 2 && bad === -Infinity); // a reach below all others
        f64[o] = before;
      }
    }
  });
});
