import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareSubspaceCertificate, type SubspaceCertificate } from '../../../src/cull/index.ts';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  InputError,
} from '../../../src/index.ts';
import { createBumpyBall } from '../../../src/shapes/index.ts';
import { isLeaf } from '../../../src/tree/tree.ts';
import { direction, type ModalCase, modalCase, modesOn, rolledSheet } from './modal-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 400 : 25;
const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });

/** All pairs, one by one. */
function touchingPairs(body: Body, continuous = false): [number, number][] {
  return findSelfCollisions(body, { method: 'brute-force', continuous }).sortedPairs();
}

/** Touching pairs of triangles that are both below a node. */
function pairsBelow(body: Body, node: number, pairs: readonly (readonly [number, number])[]): number {
  const { order, firstSlot, slotCount } = body.tree;
  const inside = new Set(order.subarray(firstSlot[node], firstSlot[node] + slotCount[node]));
  return pairs.filter(([i, j]) => inside.has(i) && inside.has(j)).length;
}

function withBody<T>(engine: Engine, { mesh, modes }: ModalCase, use: (body: Body) => T): T {
  const body = engine.createModalBody(mesh, modes);
  try {
    return use(body);
  } finally {
    body.dispose();
  }
}

function expectNothingBelowCleared(body: Body, certificate: SubspaceCertificate): void {
  const pairs = touchingPairs(body);
  certificate.begin(false);
  for (let node = 0; node < body.tree.nodeCount; node++) {
    if (isLeaf(body.tree, node)) continue;
    if (certificate.clears(node, node)) expect(pairsBelow(body, node, pairs)).toBe(0);
    const child = body.tree.link[node];
    if (!certificate.clears(child, child + 1)) continue;
    const within = pairsBelow(body, child, pairs) + pairsBelow(body, child + 1, pairs);
    expect(pairsBelow(body, node, pairs) - within).toBe(0);
  }
}

describe('any weights within the radius', () => {
  test('no node touches itself at 0.9999 of its radius, in random poses and towards its witness', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(modalCase, numbers, (it, random) => {
        withBody(engine, it, (body) => {
          const certificate = prepareSubspaceCertificate(body);
          const { lower, upper } = certificate.balls[0];
          const { count } = it.modes;
          for (let node = 0; node < Math.min(body.tree.nodeCount, 40); node++) {
            if (isLeaf(body.tree, node) || !(lower[node] < 1e3)) continue;
            const witness = certificate.findContactPose(node) ?? direction(count, random, node);
            const length = Math.hypot(...witness);
            const towards = [witness.map((x) => x / length), direction(count, random, node)];
            for (const q of towards) {
              body.setPose(Float64Array.from(q, (x) => 0.9999 * lower[node] * x));
              expect(certificate.gaugeOfPose()).toBeLessThan(lower[node]);
              expectNothingBelowCleared(body, certificate);
            }
            if (upper[node] < 1e3) expect(lower[node]).toBeLessThanOrEqual(upper[node]);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('the witness really touches, just beyond the radius', async () => {
    const engine = await createEngine();
    let found = 0,
      asked = 0;
    fc.assert(
      fc.property(modalCase, (it) => {
        withBody(engine, it, (body) => {
          const certificate = prepareSubspaceCertificate(body);
          const q = certificate.findContactPose();
          if (q === undefined || !(certificate.balls[0].upper[0] < 1e3)) return;
          asked++;
          // Exactly there the two meet but for rounding; a little further on is enough, or on the other side of it.
          const touches = [1, 1 + 1e-9, 1 + 1e-6, 1 + 1e-3].some((s) => {
            body.setPose(q.map((x) => s * x));
            return touchingPairs(body).length > 0;
          });
          if (touches) found++;
        });
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(0.6 * asked); // else they touch in a single point, which rounding may miss
    expect(asked).toBeGreaterThan(RUNS / 5);
  });

  test.each([1, 2, 3])(
    'at every level the radius is at least 95 %% of what touches: no level adds to what the last one gave away, %i',
    async (seed) => {
      const engine = await createEngine();
      const mesh = createTriangleMesh(createBumpyBall({ triangles: 320, seed }).source);
      const random = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k + seed));
      withBody(engine, { mesh, modes: modesOn(mesh, 8, random, true) }, (body) => {
        const { lower, upper, cappedPairs } = prepareSubspaceCertificate(body).balls[0];
        let inner = 0,
          close = 0;
        for (let node = 0; node < body.tree.nodeCount; node++) {
          if (isLeaf(body.tree, node)) continue;
          const child = body.tree.link[node];
          expect(lower[node]).toBeLessThanOrEqual(Math.min(upper[child], upper[child + 1]));
          inner++;
          if (!(upper[node] < Infinity) || lower[node] >= upper[node] * (Math.sqrt(0.91) - 2e-6)) close++;
        }
        expect(inner - close).toBeLessThanOrEqual(cappedPairs);
        expect(close).toBeGreaterThan(0.98 * inner);
        expect(lower[0]).toBeGreaterThan(upper[0] * (Math.sqrt(0.91) - 2e-6));
      });
    },
  );

  test('a lying radius is found out', async () => {
    const engine = await createEngine();
    const lie = fc.property(modalCase, (it) => {
      withBody(engine, it, (body) => {
        const certificate = prepareSubspaceCertificate(body);
        const q = certificate.findContactPose();
        if (q === undefined) return;
        certificate.balls[0].lower[0] *= 1.2;
        body.setPose(q.map((x) => 1.05 * x));
        expectNothingBelowCleared(body, certificate);
      });
    });
    expect(() => fc.assert(lie, { numRuns: 2000, endOnFailure: true })).toThrow();
  });

  test.each(['auto', 'batch'] as const)(
    'a lie about pairs of nodes is found out by the answer, %s',
    async (method) => {
      const engine = await createEngine();
      const lie = fc.property(modalCase, (it) => {
        withBody(engine, it, (body) => {
          const certificate = prepareSubspaceCertificate(body);
          const q = certificate.findContactPose();
          if (q === undefined) return;
          certificate.balls[0].pairs.radius.forEach((radius, k, all) => {
            all[k] = 1.2 * radius;
          });
          body.setPose(q.map((x) => 1.05 * x));
          const found = findSelfCollisions(body, { method, certificates: [certificate] });
          expect(found.sortedPairs()).toEqual(touchingPairs(body));
        });
      });
      expect(() => fc.assert(lie, { numRuns: 2000, endOnFailure: true })).toThrow();
    },
  );

  test('a query with it gives what one without gives, however large the weights', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(modalCase, numbers, fc.double({ min: 0, max: 3, noNaN: true }), (it, random, scale) => {
        withBody(engine, it, (body) => {
          const certificates = [prepareSubspaceCertificate(body)];
          const radius = Math.min(certificates[0].balls[0].lower[0], 10) || 1;
          body.setPose(direction(it.modes.count, random, 3).map((x) => scale * radius * x));
          const truth = touchingPairs(body);
          for (const method of ['auto', 'batch', 'on-demand', 'depth-first'] as const) {
            expect(findSelfCollisions(body, { method, certificates }).sortedPairs()).toEqual(truth);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('motions', () => {
  test('both ends within one ball: nothing touches on the way', async () => {
    const engine = await createEngine();
    fc.assert(
      fc.property(modalCase, numbers, (it, random) => {
        withBody(engine, it, (body) => {
          const { count } = it.modes;
          const far = direction(count, random, 5).map((x) => 0.3 * x);
          const certificate = prepareSubspaceCertificate(body, { centres: [new Array(count).fill(0), far] });
          const radius = Math.min(certificate.balls[0].lower[0], 2);
          const [start, end] = [1, 2].map((k) =>
            direction(count, random, 11 * k).map((x) => (0.5 + 0.4 * k) * radius * x),
          );
          body.setMotion(start, end);
          const truth = touchingPairs(body, true);
          const report = findSelfCollisions(body, { continuous: true, certificates: [certificate] });
          expect(report.sortedPairs()).toEqual(truth);
        });
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });

  test('ends within two different balls prove nothing about the way between them', async () => {
    const engine = await createEngine();
    const it = { mesh: createTriangleMesh(twoTriangles()), modes: slidingMode() };
    withBody(engine, it, (body) => {
      const certificate = prepareSubspaceCertificate(body, { centres: [[0], [4]] });
      expect(certificate.balls.map(({ lower }) => lower[0] > 1)).toEqual([true, true]);
      body.setMotion([0], [4]); // through each other at 2
      expect(findSelfCollisions(body, { continuous: true, certificates: [certificate] }).pairCount).toBe(1);
      for (const q of [0, 4]) {
        body.setPose([q]);
        certificate.begin(false);
        expect(certificate.clears(0, 0)).toBe(true);
      }
    });
  });
});

/** Two parallel triangles, one two above the other. */
function twoTriangles() {
  return {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 2, 0, 1, 2],
    triangles: [0, 1, 2, 3, 4, 5],
  };
}

/** Moves the second one down. */
function slidingMode() {
  return { count: 1, displacements: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1] };
}

describe('known cases', () => {
  test('one mode: the weight at which they meet', async () => {
    const engine = await createEngine();
    withBody(engine, { mesh: createTriangleMesh(twoTriangles()), modes: slidingMode() }, (body) => {
      const { lower } = prepareSubspaceCertificate(body).balls[0];
      expect(lower[0]).toBeGreaterThan(2 * Math.sqrt(0.91) - 1e-5);
      expect(lower[0]).toBeLessThan(2);
    });
  });

  test('two modes that close a gap together need 1/√2 of each', async () => {
    const engine = await createEngine();
    const { displacements } = slidingMode();
    const modes = { count: 2, displacements: [...displacements, ...displacements.map((x) => -x)] };
    withBody(engine, { mesh: createTriangleMesh(twoTriangles()), modes }, (body) => {
      const { lower } = prepareSubspaceCertificate(body).balls[0];
      expect(lower[0]).toBeGreaterThan(Math.SQRT2 * Math.sqrt(0.91) - 1e-5);
      expect(lower[0]).toBeLessThan(Math.SQRT2);
    });
  });

  test('modes within the plane never close a gap across it', async () => {
    const engine = await createEngine();
    const displacements = Array.from({ length: 36 }, (_, k) => (k % 3 === 2 ? 0 : Math.sin(k)));
    withBody(
      engine,
      { mesh: createTriangleMesh(twoTriangles()), modes: { count: 2, displacements } },
      (body) => {
        const certificate = prepareSubspaceCertificate(body);
        expect(certificate.balls[0].lower[0]).toBe(Infinity);
        certificate.begin(false);
        expect(certificate.clears(0, 0)).toBe(true);
        body.setPose([300, -300]);
        certificate.begin(false);
        expect(certificate.clears(0, 0)).toBe(true);
        body.setPose([1e40, -1e40]); // where rounding is larger than any gap, nothing is proved
        certificate.begin(false);
        expect(certificate.clears(0, 0)).toBe(false);
        expect(findSelfCollisions(body, { certificates: [certificate] }).pairCount).toBe(0);
      },
    );
  });

  test('never negative weights reach further, and a box that is never full proves it for good', async () => {
    const engine = await createEngine();
    const { displacements } = slidingMode();
    const modes = { count: 1, displacements: displacements.map((x) => -x) }; // away from each other
    withBody(engine, { mesh: createTriangleMesh(twoTriangles()), modes }, (body) => {
      expect(prepareSubspaceCertificate(body).balls[0].lower[0]).toBeLessThan(2);
      const [oneSided, box] = (['one-sided', 'box'] as const).map((gauge) =>
        prepareSubspaceCertificate(body, { gauge }),
      );
      expect(oneSided.balls[0].lower[0]).toBeGreaterThan(1e6);
      expect(box.balls[0].lower[0]).toBeGreaterThan(1); // all weights that are allowed
      body.setPose([-3]); // but a negative weight is none of its business
      for (const certificate of [oneSided, box]) {
        expect(certificate.gaugeOfPose()).toBeNaN();
        expect(findSelfCollisions(body, { certificates: [certificate] }).pairCount).toBe(0);
        certificate.begin(false);
        expect(certificate.clears(0, 0)).toBe(false);
      }
      body.setPose([-2]);
      expect(findSelfCollisions(body, { certificates: [oneSided] }).pairCount).toBe(1);
    });
  });
});

describe('gauges', () => {
  test.each(['one-sided', 'box'] as const)(
    '%s: no contact within the radius, for weights that are not negative',
    async (gauge) => {
      const engine = await createEngine();
      fc.assert(
        fc.property(modalCase, numbers, (it, random) => {
          withBody(engine, it, (body) => {
            const certificate = prepareSubspaceCertificate(body, { gauge });
            const ball = prepareSubspaceCertificate(body).balls[0];
            const { lower } = certificate.balls[0];
            if (gauge === 'one-sided' && certificate.balls[0].cappedPairs === 0) {
              const tolerance = Math.sqrt(0.91) - 1e-4;
              for (let node = 0; node < body.tree.nodeCount; node++) {
                if (lower[node] < 1e6)
                  expect(lower[node]).toBeGreaterThan(tolerance * ball.lower[node] - 1e-9);
              }
            }
            for (let k = 0; k < 8; k++) {
              const q = direction(it.modes.count, random, 7 * k).map(Math.abs);
              const size = gauge === 'box' ? Math.max(...q) : 1;
              const reach = 0.9999 * Math.min(lower[0], 5);
              body.setPose(q.map((x) => (reach * x) / size));
              expectNothingBelowCleared(body, certificate);
            }
          });
        }),
        { numRuns: RUNS },
      );
    },
  );

  test('a metric only changes the units: scaled modes, a dense matrix and a rotated basis agree', async () => {
    const engine = await createEngine();
    const mesh = createTriangleMesh(rolledSheet(6, 3));
    const random = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k + 1));
    const modes = modesOn(mesh, 3, random, true);
    const plain = withBody(engine, { mesh, modes }, (body) => prepareSubspaceCertificate(body).balls[0]);
    const factors = [2, 0.5, 3];
    const scaled = {
      count: 3,
      displacements: Float64Array.from(
        modes.displacements as Float64Array,
        (x, k) => x * factors[Math.floor(k / (3 * mesh.vertexCount))],
      ),
    };
    const weights = factors.map((s) => s * s);
    const dense = [weights[0], 0, 0, 0, weights[1], 0, 0, 0, weights[2]];
    for (const metric of [weights, dense]) {
      const { lower } = withBody(
        engine,
        { mesh, modes: scaled },
        (body) => prepareSubspaceCertificate(body, { metric }).balls[0],
      );
      lower.forEach((radius, node) => {
        if (plain.lower[node] < 1e6) expect(radius / plain.lower[node]).toBeCloseTo(1, 1);
      });
    }
  });

  test('contacts at rest can be left out; they are still reported', async () => {
    const engine = await createEngine();
    const source = twoTriangles();
    source.positions.push(0.1, 0.1, -0.5, 0.2, 0.2, 0.5, 0.3, 0.1, 0.5); // pierces the first
    source.triangles.push(6, 7, 8);
    const mesh = createTriangleMesh(source);
    const modes = { count: 1, displacements: [...slidingMode().displacements, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
    withBody(engine, { mesh, modes }, (body) => {
      expect(prepareSubspaceCertificate(body).balls[0].lower[0]).toBe(0);
      const certificate = prepareSubspaceCertificate(body, { ignoreRestContacts: true });
      expect(certificate.balls[0].lower[0]).toBeGreaterThan(1);
      const report = findSelfCollisions(body, { certificates: [certificate] });
      expect(report.sortedPairs()).toEqual([[0, 2]]);
    });
  });
});

describe('bad input', () => {
  test.each([
    [{ metric: [1] }, 'metric must have 2 weights or 2 × 2 numbers, not 1'],
    [{ metric: [1, 0] }, 'metric[1] must be a positive number, not 0'],
    [{ metric: [1, 2, 2, 1] }, 'metric is not positive definite'],
    [{ metric: [1, 2, 0, 1] }, 'metric is not symmetric'],
    [{ metric: [2, 1, 1, 2], gauge: 'one-sided' }, 'metric must be weights of the modes'],
    [{ gauge: 'cube' }, 'gauge must be ball, one-sided or box'],
    [{ gauge: 'box', limits: [1, -1] }, 'limits[1] must be a positive number'],
    [{ gauge: 'box', centres: [[1, 0]] }, 'the rest pose only'],
    [{ centres: [[0]] }, 'centres[0]'],
    [{ centres: [[0, Number.NaN]] }, 'centres[0][1]'],
    [{ centres: [] }, 'at least one pose'],
    [{ reach: 0 }, 'reach must be more than 0'],
    [{ tolerance: 1 }, 'tolerance must be between 0 and 1'],
    [{ onProgress: 1 }, 'onProgress must be a function'],
    [null, 'options'],
  ])('%j', async (options, message) => {
    const engine = await createEngine();
    const { displacements } = slidingMode();
    const body = engine.createModalBody(createTriangleMesh(twoTriangles()), {
      count: 2,
      displacements: [...displacements, ...displacements],
    });
    const attempt = () => prepareSubspaceCertificate(body, options as object);
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
  });

  test('bodies without modes, or with a skin, get a certificate of another kind', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(createTriangleMesh(twoTriangles()));
    expect(() => prepareSubspaceCertificate(body)).toThrow(/moved by modes alone/);
  });
});
