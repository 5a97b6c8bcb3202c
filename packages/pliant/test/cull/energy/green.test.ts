import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GreenDistances } from '../../../src/cull/energy/green.ts';
import { PairEnergy } from '../../../src/cull/energy/pair-energy.ts';
import { Patch } from '../../../src/cull/energy/patch.ts';
import { computeSurfaceWeights } from '../../../src/cull/energy/surface-weights.ts';
import { createEngine, createTriangleMesh, type TriangleMesh } from '../../../src/index.ts';
import { apply, denseGreen, denseLaplacian, gram } from './dense-oracle.ts';
import { randomNumbers, smallMesh } from './energy-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 20;
const engine = await createEngine();

/** The whole mesh as one patch. */
function patchOf(mesh: TriangleMesh) {
  const body = engine.createFreeBody(mesh);
  const surface = computeSurfaceWeights(body.resident);
  const slots = Array.from({ length: mesh.triangleCount }, (_, s) => s);
  const patch = new Patch(surface);
  patch.load(0, slots.length);
  const green = new GreenDistances(surface);
  const isUsable = green.compute(patch);
  body.dispose();
  return { surface, slots, patch, green, isUsable };
}

/** Many triangles around one edge, thin ones among them. */
const book = createTriangleMesh({
  positions: [
    0,
    0,
    0,
    0,
    0,
    1,
    ...Array.from({ length: 120 }, (_, k) => [1 + k / 9, (k * k) % 7, k % 3 ? 0.5 : 40]).flat(),
  ],
  triangles: Array.from({ length: 120 }, (_, k) => [0, 1, 2 + k]).flat(),
});

test('weights of edges are 16-bit numbers, however their triangles are grouped', () => {
  fc.assert(
    fc.property(fc.oneof(smallMesh, fc.constant(book)), (mesh) => {
      const { patch } = patchOf(mesh);
      for (let e = 0; e < patch.start[patch.vertexCount]; e++) {
        const units = patch.weight[e] * 1024;
        expect(Number.isInteger(units)).toBe(true);
        expect(Math.abs(units)).toBeLessThan(32768);
      }
    }),
    { numRuns: RUNS },
  );
});

test('distances are those of the pseudo-inverse of K, never below', () => {
  fc.assert(
    fc.property(smallMesh, (mesh) => {
      const { surface, slots, patch, green, isUsable } = patchOf(mesh);
      expect(isUsable).toBe(true);
      const { points, n, L } = denseLaplacian(surface, slots);
      const G = denseGreen(L, n);
      const at = points.map((p) => patch.vertexOf(p));
      let most = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < i; j++) most = Math.max(most, G[i * n + i] + G[j * n + j]);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) {
          const g = G[i * n + i] + G[j * n + j] - 2 * G[i * n + j];
          const found = green.distance[at[i] * n + at[j]] ** 2;
          expect(found).toBeGreaterThan(g * (1 - 1e-9) - 1e-9 * most);
          expect(found).toBeLessThan(g * (1 + 1e-6) + 1e-7 * most);
        }
      }
      expect(green.excess).toBeLessThan(1e-6 * most);
    }),
    { numRuns: RUNS },
  );
});

test('no form between two triangles exceeds the largest of its nine distances', () => {
  fc.assert(
    fc.property(smallMesh, fc.nat(), (mesh, seed) => {
      const next = randomNumbers(seed);
      const { surface, slots } = patchOf(mesh);
      const { points, n, L } = denseLaplacian(surface, slots);
      const G = denseGreen(L, n);
      for (let k = 0; k < 20; k++) {
        const [s, t] = [0, 1].map(() => Math.floor(((next() + 1) / 2) * slots.length));
        const a = new Float64Array(n);
        [s, t].forEach((slot, side) => {
          const w = [0, 1, 2].map(() => (next() + 1) / 2);
          const sum = w[0] + w[1] + w[2];
          w.forEach((x, c) => {
            a[points.indexOf(surface.corners[3 * slot + c])] += (side === 0 ? x : -x) / sum;
          });
        });
        let form = 0,
          most = 0;
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) form += a[i] * a[j] * G[i * n + j];
        for (let c = 0; c < 9; c++) {
          const i = points.indexOf(surface.corners[3 * s + (c % 3)]),
            j = points.indexOf(surface.corners[3 * t + Math.floor(c / 3)]);
          most = Math.max(most, G[i * n + i] + G[j * n + j] - 2 * G[i * n + j]);
        }
        expect(form).toBeLessThanOrEqual(most * (1 + 1e-9) + 1e-9);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Two triangles of a patch that share no vertex. */
function somePair(
  mesh: TriangleMesh,
  corners: Uint32Array,
  next: () => number,
): [number, number] | undefined {
  for (let k = 0; k < 30; k++) {
    const [s, t] = [0, 1].map(() => Math.floor(((next() + 1) / 2) * mesh.triangleCount));
    const own = corners.subarray(3 * s, 3 * s + 3);
    if (!own.some((p) => corners.subarray(3 * t, 3 * t + 3).includes(p))) return [s, t];
  }
  return undefined;
}

test('the energy of a pair is its minimum over all points of both: below every sample, above the bound', () => {
  fc.assert(
    fc.property(smallMesh, fc.nat(), (mesh, seed) => {
      const next = randomNumbers(seed);
      const { surface, patch, green } = patchOf(mesh);
      const { rest, corners } = surface;
      const pairs = new PairEnergy(rest);
      pairs.load(patch.points, green.distance, patch.vertexCount);
      for (let k = 0; k < 5; k++) {
        const pair = somePair(mesh, corners, next);
        if (pair === undefined) continue;
        const local = pair.map((slot) => corners.slice(3 * slot, 3 * slot + 3).map((p) => patch.vertexOf(p)));
        const exact = pairs.exact(local[0], 0, local[1], 0);
        const bound = pairs.rootLowerBound(local[0], 0, local[1], 0);
        expect(bound ** 2).toBeLessThanOrEqual(exact * (1 + 1e-9));
        let least = Infinity;
        for (let sample = 0; sample < 400; sample++) {
          const w = local.map(() => {
            const raw = [0, 1, 2].map(() => Math.max(0, next()));
            const sum = raw[0] + raw[1] + raw[2] || 1;
            return sum === 1 && raw[0] === 0 ? [1, 0, 0] : raw.map((x) => x / sum);
          });
          const vertices = [...local[0], ...local[1]],
            a = [...w[0], ...w[1].map((x) => -x)];
          const offset = [0, 0, 0];
          let g = 0;
          for (let i = 0; i < 6; i++) {
            for (let c = 0; c < 3; c++) offset[c] += a[i] * rest[3 * patch.points[vertices[i]] + c];
            for (let j = 0; j < 6; j++) {
              g -= (a[i] * a[j] * green.distance[vertices[i] * patch.vertexCount + vertices[j]] ** 2) / 2;
            }
          }
          least = Math.min(least, (offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2) / g);
        }
        expect(exact).toBeLessThanOrEqual(least * (1 + 1e-7));
      }
    }),
    { numRuns: RUNS },
  );
});

test('a displacement u = −G a (aᵀX) / g brings two vertices together with the energy that is promised', () => {
  fc.assert(
    fc.property(smallMesh, fc.nat(), (mesh, seed) => {
      const next = randomNumbers(seed);
      const { surface, slots, patch, green } = patchOf(mesh);
      const { points, n, L } = denseLaplacian(surface, slots);
      const G = denseGreen(L, n);
      const i = Math.floor(((next() + 1) / 2) * n),
        j = (i + 1 + Math.floor(((next() + 1) / 2) * (n - 1))) % n;
      const g = G[i * n + i] + G[j * n + j] - 2 * G[i * n + j];
      const gap = [0, 1, 2].map((k) => surface.rest[3 * points[i] + k] - surface.rest[3 * points[j] + k]);
      const u = new Float64Array(surface.rest.length);
      points.forEach((p, k) => {
        for (let c = 0; c < 3; c++) u[3 * p + c] = (-(G[k * n + i] - G[k * n + j]) * gap[c]) / g;
      });
      for (let c = 0; c < 3; c++) {
        const left = gap[c] + u[3 * points[i] + c] - u[3 * points[j] + c];
        expect(Math.abs(left)).toBeLessThan(1e-8);
      }
      const Lu = apply(L, points, u);
      const C = gram(Lu, Lu);
      const promised =
        Math.hypot(...gap) / green.distance[patch.vertexOf(points[i]) * n + patch.vertexOf(points[j])];
      expect(Math.sqrt(C[0] + C[4] + C[8]) / promised).toBeCloseTo(1, 5);
    }),
    { numRuns: RUNS },
  );
});

test('a patch in two pieces has no distances', () => {
  const mesh = createTriangleMesh({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0, 6, 1, 0],
    triangles: [0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6],
  });
  const { patch, isUsable } = patchOf(mesh);
  expect(patch.isConnected).toBe(false);
  expect(isUsable).toBe(false);
});

test('degenerate triangles are taken as they are', () => {
  const mesh = createTriangleMesh({
    positions: [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0.5, 2, 1, 0],
    triangles: [0, 1, 2, 0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4, 3, 3, 4],
  });
  const { surface, isUsable } = patchOf(mesh);
  expect([...surface.weight, ...surface.scale].every(Number.isFinite)).toBe(true);
  expect(typeof isUsable).toBe('boolean');
});
