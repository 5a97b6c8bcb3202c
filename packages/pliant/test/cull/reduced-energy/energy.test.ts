import fc from 'fast-check';
import { expect, test } from 'vitest';
import { symmetricEigen } from '../../../src/algebra/dense/symmetric-eigen.ts';
import { BendingMetric, cotangentAt } from '../../../src/cull/reduced-energy/bending-metric.ts';
import type { NodeFunctions } from '../../../src/cull/reduced-energy/node-functions.ts';
import { restOf } from '../../../src/cull/reduced-energy/node-functions.ts';
import { createEngine } from '../../../src/index.ts';
import { movingCase, poseOf } from '../blend-cases.ts';
import { property, provenPairs, type Tried } from './held-nodes.ts';
import { columnsOf, distance, factorOf, functionsOf, pointsOf, restPoint, whitened } from './patch-math.ts';

const RUNS = process.env.PLIANT_FULL ? 300 : 12;
const LONG = 600_000;

/** L u of the bending energy, row by row, straight from the triangles: u has `width` numbers per local point. */
function laplacianOf(tried: Tried, functions: NodeFunctions, u: readonly number[][]): number[][] {
  const { points, corners, triangleCount, positions } = functions;
  const body = pointsOf(tried.body);
  const rest = restOf(body);
  const areas = new Float64Array(rest.length / 3);
  for (let c = 0; c < body.corners.length; c += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => [
      ...rest.subarray(3 * body.corners[c + k], 3 * body.corners[c + k] + 3),
    ]);
    const [a, b] = [q.map((x, k) => x - p[k]), r.map((x, k) => x - p[k])];
    const area =
      Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]) / 2;
    for (let k = c; k < c + 3; k++) areas[body.corners[k]] += area / 3;
  }
  const sums = u.map((row) => row.map(() => 0));
  for (let t = 0; t < triangleCount; t++) {
    for (let c = 0; c < 3; c++) {
      const [p, i, j] = [0, 1, 2].map((k) => corners[3 * t + ((c + k) % 3)]);
      const w = cotangentAt(positions, p, i, j) / 2;
      u[i].forEach((x, k) => {
        sums[i][k] += w * (x - u[j][k]);
        sums[j][k] -= w * (x - u[j][k]);
      });
    }
  }
  const largest = Math.max(...points.map((p) => areas[p]));
  return sums.map((row, i) => row.map((x) => x / Math.sqrt(Math.max(areas[points[i]], 1e-6 * largest))));
}

function squares(rows: readonly number[][]): number {
  return rows.flat().reduce((sum, x) => sum + x * x, 0);
}

const ROOT = 0;
/** Sheets: slivers of loose triangles have energies beyond all comparison. */
const sheet = movingCase.filter(({ mesh }) => mesh.vertexCount > 20);

test('the reduced energy is that of the whole mesh in the pose', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let compared = 0;
  const check = (tried: Tried) => {
    const { body, certificate, of } = tried;
    if (certificate.patchOfNode[ROOT] < 0) return;
    body.setPose(poseOf(of, of.start));
    certificate.begin(false);
    const { A } = certificate.proof.evaluate(certificate.patchOfNode[ROOT]);
    const functions = functionsOf(tried, ROOT);
    const { functionCount: k, points } = functions;
    // Q of the bending energy, whatever the certificate itself measures with.
    const source = pointsOf(body);
    const Q = new Float64Array(k * k);
    new BendingMetric(restOf(source), source.corners).write(functions, Q);
    const Y = columnsOf(functions, of.start, of.kind !== 'modes'),
      Y0 = new Float64Array(3 * k);
    functions.writeRest(Y0);
    const apply = (x: readonly number[]) =>
      [0, 3, 6].map((row) => A[row] * x[0] + A[row + 1] * x[1] + A[row + 2] * x[2]);
    const C = Y.map((column, f) => apply(column).map((x, row) => x - Y0[3 * f + row]));
    let reduced = 0;
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < k; j++) {
        const q = Q[Math.max(i, j) * k + Math.min(i, j)];
        reduced += q * C[i].reduce((sum, x, row) => sum + x * C[j][row], 0);
      }
    }
    // u = A x − X of every point, from where the body itself puts it.
    const posed = body.getLocalPositions(),
      { vertexOfPoint } = body.resident;
    const u = points.map((p, i) =>
      apply([...posed.subarray(3 * vertexOfPoint[p], 3 * vertexOfPoint[p] + 3)]).map(
        (x, row) => x - restPoint(functions, i)[row],
      ),
    );
    const full = squares(laplacianOf(tried, functions, u));
    const moved = points.map((p) =>
      apply([...posed.subarray(3 * vertexOfPoint[p], 3 * vertexOfPoint[p] + 3)]),
    );
    const size = squares(laplacianOf(tried, functions, moved)) + 1;
    // Rounding of posed points, in the scale of the rest shape.
    const far = (Math.max(...A.map(Math.abs)) * Math.max(1, ...posed.map(Math.abs))) / functions.radius;
    if (!(far < 1e4)) return;
    expect(Math.abs(reduced - full)).toBeLessThanOrEqual(1e-9 * size * Math.max(1, far));
    compared++;
  };
  fc.assert(property(engine, sheet, check), { numRuns: 2 * RUNS });
  expect(compared).toBeGreaterThan(RUNS / 2);
});

test('the compliance of the functions is not above that of all vertices', { timeout: LONG }, async () => {
  const engine = await createEngine();
  let compared = 0;
  const check = (tried: Tried) => {
    const { certificate } = tried;
    const functions = functionsOf(tried, ROOT);
    const n = functions.pointCount,
      patch = certificate.patchOfNode[ROOT];
    if (patch < 0 || n > 45) return;
    const units = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
    const L = laplacianOf(tried, functions, units);
    const K = new Float64Array(n * n);
    for (const row of L) {
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) K[i * n + j] += row[i] * row[j];
    }
    const { values, vectors } = symmetricEigen(K, n);
    const components = values.filter((value) => value < 1e-10 * values[n - 1]).length;
    if (components !== 1) return; // several parts: all is free between them
    const factor = factorOf(tried, patch);
    const psi = whitened(functions, factor);
    // F is rounded to single precision, which its condition magnifies.
    const pivots = factor.map((row, i) => Math.abs(row[i]));
    const tolerance = Math.max(1e-5, (pivots.length * 2 ** -24 * Math.max(...pivots)) / Math.min(...pivots));
    for (let c = 0; c < 40; c++) {
      const i = (7 * c) % n,
        j = (11 * c + 3) % n;
      let compliance = 0;
      for (let e = 1; e < n; e++) compliance += (vectors[e * n + i] - vectors[e * n + j]) ** 2 / values[e];
      const reduced = distance(psi[i], psi[j]) ** 2;
      expect(reduced).toBeLessThanOrEqual(compliance * (1 + tolerance));
    }
    compared++;
  };
  const bending = (tried: Tried) => {
    if (tried.certificate.metric === 'bending') check(tried);
  };
  fc.assert(property(engine, sheet, bending), { numRuns: 3 * RUNS });
  expect(compared).toBeGreaterThan(0);
});

test('no points of triangles in question have a smaller ratio, and corners come close to it', async () => {
  const engine = await createEngine();
  let close = 0,
    compared = 0;
  const check = (tried: Tried) => {
    const { certificate, body } = tried;
    const patch = certificate.patchOfNode[ROOT];
    if (patch < 0) return;
    const functions = functionsOf(tried, ROOT);
    const psi = whitened(functions, factorOf(tried, patch));
    const slotOf = new Map([...body.tree.order].map((t, slot) => [t, slot]));
    const pointOf = (t: number, [u, v]: readonly number[]) => {
      const [a, b, c] = functions.corners.subarray(3 * slotOf.get(t)!, 3 * slotOf.get(t)! + 3);
      const mix = (of: (i: number) => readonly number[]) =>
        of(a).map((x, k) => (1 - u - v) * x + u * of(b)[k] + v * of(c)[k]);
      return { X: mix((i) => restPoint(functions, i)), psi: mix((i) => psi[i]) };
    };
    let least = Infinity;
    provenPairs(tried, ROOT, ROOT).forEach(([s, t], k) => {
      for (let c = 0; c < 9; c++) {
        const p = pointOf(s, PLACES[(k + c) % 5]),
          q = pointOf(t, PLACES[(3 * k + 2 * c) % 5]);
        least = Math.min(least, distance(p.X, q.X) / distance(p.psi, q.psi));
      }
    });
    if (least === Infinity) return;
    expect(certificate.patches.least[patch]).toBeLessThanOrEqual(least * (1 + 1e-9));
    compared++;
    if (certificate.patches.least[patch] > 0.8 * least) close++;
  };
  fc.assert(property(engine, sheet, check), { numRuns: RUNS });
  expect(close).toBeGreaterThan(compared / 2);
});

/** Weights of corners: corners, edges and the inside. */
const PLACES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [0.5, 0],
  [0.25, 0.25],
];
