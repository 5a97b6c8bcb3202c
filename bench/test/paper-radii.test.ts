import { describe, expect, test } from 'vitest';
import { symmetricEigen } from '../../packages/pliant/src/algebra/dense/symmetric-eigen.ts';
import { prepareSubspaceCertificate } from '../../packages/pliant/src/cull/index.ts';
import { type ModeShapes, PairRadius } from '../../packages/pliant/src/cull/subspace/pair-radius.ts';
import { createEngine, createTriangleMesh } from '../../packages/pliant/src/index.ts';
import { createTorusKnot } from '../../packages/pliant/src/shapes/index.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import { smoothModes } from '../../packages/pliant/test/cull/subspace/smooth-modes.ts';
import { runCommand } from '../src/command.ts';
import { findContradictions, modeShapesOf, slotsOf } from '../src/subspace-cases.ts';
import { buildKMeansTree } from '../src/trees/k-means-tree.ts';
import { extremeEigenvalues, PaperPair } from '../src/trees/paper-pair.ts';
import { findPaperRadii } from '../src/trees/paper-radii.ts';

const EPSILON = 0.1;

/** Two triangles. */
function createPair(rest: readonly number[], rows: readonly number[]): ModeShapes {
  const modeCount = rows.length / 18;
  const largest = Math.max(...rest.map(Math.abs));
  return {
    pointCount: 6,
    modeCount,
    rest: Float64Array.from(rest),
    rows: Float64Array.from(rows),
    corners: Uint32Array.of(0, 1, 2, 3, 4, 5),
    largest,
  };
}

function randomPair(seed: number, modes: number, variation: number): ModeShapes {
  const random = createRandom(seed);
  const number = () => 2 * random() - 1;
  const rest = Array.from({ length: 18 }, (_, k) => number() + (k >= 9 && k % 3 === 2 ? 2.5 : 0));
  const sides = [0, 1].map(() => Array.from({ length: 3 * modes }, number));
  const rows = Array.from({ length: 6 }, (_, p) =>
    sides[p < 3 ? 0 : 1].map((x) => x + variation * number()),
  ).flat();
  return createPair(rest, rows);
}

describe('two triangles', () => {
  test.each([0.05, 0.2, 0.5])(
    'bounds hold for any two points, and agree with ours; modes vary by %f',
    (variation) => {
      let close = 0;
      for (let seed = 1; seed <= 40; seed++) {
        const shapes = randomPair(seed, 5, variation);
        const paper = new PaperPair(shapes, 2000);
        const estimate = paper.estimate(0, 1);
        paper.search(0, 1, Infinity, EPSILON);
        expect(estimate).toBeLessThanOrEqual(paper.upper);
        const ours = new PairRadius(shapes, 'ball');
        ours.load(0, 1);
        if (ours.touchAtRest()) {
          expect(paper.upper).toBe(0);
          continue;
        }
        ours.search(Infinity, 0.99);
        expect(Math.sqrt(paper.lower)).toBeLessThanOrEqual(ours.upper);
        expect(ours.lower).toBeLessThanOrEqual(Math.sqrt(paper.upper) * (1 + 1e-9));
        if (paper.lower >= (1 - EPSILON) * paper.upper) close++;
        const random = createRandom(seed);
        for (let k = 0; k < 50; k++) {
          const square = meetingSquare(shapes, random);
          expect(paper.lower).toBeLessThanOrEqual(square * (1 + 1e-9));
          expect(estimate).toBeLessThanOrEqual(square * (1 + 1e-9));
        }
      }
      if (variation < 0.1) expect(close).toBeGreaterThan(20);
    },
  );

  test('the printed Eq. 10 would be too large here: squares need (1 + κ)²', () => {
    // The nearest corner moves by 1 + δ, the others by less: touches at 1 / (1 + δ) and not at its root.
    const delta = 0.5;
    const rest = [-5, 0, -5, 5, 0, -5, 0, 0, 9, 0, 1, 0, -1, 2, -1, 1, 2, -1];
    const rows = [0, 0, 0, 1 + delta, 1 - delta / 2, 1 - delta / 2].flatMap((s) => [
      -s,
      0,
      0,
      0,
      -s,
      0,
      0,
      0,
      -s,
    ]);
    const pair = new PaperPair(createPair(rest, rows), 20_000);
    pair.search(0, 1, Infinity, EPSILON);
    expect(pair.lower).toBeLessThanOrEqual(1 / (1 + delta) ** 2);
    expect(pair.upper).toBeGreaterThanOrEqual((1 - 1e-9) / (1 + delta) ** 2);
    expect(pair.lower).toBeGreaterThan(0.5 / (1 + delta) ** 2);
  });

  test('that touch at rest have 0', () => {
    const shapes = randomPair(1, 4, 0.1);
    shapes.rest.set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.2, 0.2, 1, 0.3, 0.2, 1]);
    const pair = new PaperPair(shapes, 100);
    pair.search(0, 1, Infinity, EPSILON);
    expect([pair.lower, pair.upper]).toEqual([0, 0]);
  });

  test('eigenvalues', () => {
    const random = createRandom(3);
    for (let k = 0; k < 200; k++) {
      const S = Float64Array.from({ length: 6 }, () => 10 ** (6 * random() - 3) * (2 * random() - 1));
      const full = Float64Array.of(S[0], S[1], S[2], S[1], S[3], S[4], S[2], S[4], S[5]);
      const expected = Array.from(symmetricEigen(full, 3).values).sort((a, b) => a - b);
      const size = Math.max(...S.map(Math.abs));
      const [least, largest] = extremeEigenvalues(S);
      expect(Math.abs(least - expected[0])).toBeLessThan(1e-12 * size);
      expect(Math.abs(largest - expected[2])).toBeLessThan(1e-12 * size);
    }
  });
});

/** ‖q‖² at which two random points meet. */
function meetingSquare({ rest, rows, modeCount }: ModeShapes, random: () => number): number {
  const weights = [0, 1].flatMap((side) => {
    const w = [0, 1, 2].map(() => -Math.log(random()));
    const sum = w[0] + w[1] + w[2];
    return w.map((x) => (side === 0 ? x : -x) / sum);
  });
  const P = [0, 1, 2].map((k) => weights.reduce((sum, w, p) => sum + w * rest[3 * p + k], 0));
  const D = Array.from({ length: 3 * modeCount }, (_, k) =>
    weights.reduce((sum, w, p) => sum + w * rows[3 * modeCount * p + k], 0),
  );
  const dot = (i: number, j: number) =>
    Array.from({ length: modeCount }, (_, m) => D[i * modeCount + m] * D[j * modeCount + m]).reduce(
      (a, b) => a + b,
    );
  // Cramer's rule for S n = P.
  const S = [0, 1, 2].map((i) => [0, 1, 2].map((j) => dot(i, j)));
  const det = (A: number[][]) =>
    A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
    A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
    A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
  return [0, 1, 2].reduce((sum, k) => {
    const replaced = S.map((row, i) => row.map((x, j) => (j === k ? P[i] : x)));
    return sum + (P[k] * det(replaced)) / det(S);
  }, 0);
}

describe('a whole body', () => {
  test('radii of both trees never contradict each other; a lie does', async () => {
    const engine = await createEngine({ kernels: 'ts' });
    const mesh = createTriangleMesh(createTorusKnot({ triangles: 200 }).source);
    const body = engine.createModalBody(mesh, smoothModes(mesh, 5));
    const ball = prepareSubspaceCertificate(body).balls[0];
    const tree = buildKMeansTree(mesh);
    const radii = findPaperRadii(modeShapesOf(body), tree, slotsOf(body), { reach: ball.limit, most: 2000 });
    expect(findContradictions(body, ball, tree, radii)).toEqual([]);
    expect(radii.lower[0]).toBeGreaterThan(0);
    expect(radii.lower[0]).toBeLessThanOrEqual(radii.upper[0]);
    expect(radii.evaluations).toBeGreaterThan(0);
    const more = { ...radii, lower: radii.lower.map((x) => 16 * x) };
    expect(findContradictions(body, ball, tree, more).length).toBeGreaterThan(0);
    const larger = { ...ball, lower: ball.lower.map((x) => 1.3 * x) };
    expect(findContradictions(body, larger, tree, radii).length).toBeGreaterThan(0);
  });

  test.each([
    ['sscc-reference', 'torus-knot'],
    ['sscc-tightness', 'spring'],
  ])('bench %s runs', async (name, only) => {
    let out = '';
    const output = { out: (text: string) => void (out += text), err: () => {} };
    expect(await runCommand([name, '--quick', '--only', only, '--json'], output)).toBe(0);
    for (const row of JSON.parse(out).rows) expect(Number.isFinite(row.value), row.metric).toBe(true);
  });
});
