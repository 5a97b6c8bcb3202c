import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Body,
  type Certificate,
  createEngine,
  createTriangleMesh,
  type Engine,
  findAnySelfCollision,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { foldedPairs, movingSelfPairs, selfPairs } from '../oracles/brute-force.ts';
import { splitRule } from '../tree/split-rules.ts';
import { type CertificateStyle, honest, type Pair } from './honest-certificate.ts';
import { bodyPlan, createBody, KERNELS } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 50;
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 2000, endOnFailure: true };
const USING = ['auto', 'batch', 'on-demand'] as const; // the methods that try certificates

/** Meshes large enough for batch queries to ask certificates at all. */
const posedMesh = fc
  .oneof(
    triangleSoup(60).map((source) => ({ source, pose: Float64Array.from(source.positions as number[]) })),
    gridWithPose(6),
    calmGrid(),
  )
  .chain(({ source, pose }) => splitRule.map((split) => ({ mesh: createTriangleMesh(source), pose, split })));

/** A flat sheet with a few vertices moved: most of it is clear. */
function calmGrid() {
  return fc.tuple(gridWithPose(6), fc.array(fc.nat(), { maxLength: 3 })).map(([{ source, pose }, moved]) => {
    const calm = Float64Array.from(source.positions as number[]);
    for (const v of moved)
      for (let k = 0; k < 3; k++) calm[(3 * v + k) % calm.length] = pose[(3 * v + k) % calm.length];
    return { source, pose: calm };
  });
}

const style: fc.Arbitrary<CertificateStyle> = fc.record({
  exceptions: fc.constantFrom(0, 0, 1, 3, 1000),
  filters: fc.boolean(),
  silence: fc.constantFrom(0, 2, 3),
});

interface Case {
  readonly body: Body;
  readonly contacts: Pair[];
}

function property(engine: Engine, check: (it: Case, styles: CertificateStyle[]) => void) {
  return fc.property(
    posedMesh,
    fc.array(style, { minLength: 1, maxLength: 2 }),
    ({ mesh, pose, split }, styles) => {
      const body = engine.createFreeBody(mesh, { split });
      try {
        body.setPose(pose);
        check({ body, contacts: selfPairs(mesh, body.getLocalPositions()) }, styles);
      } finally {
        body.dispose();
      }
    },
  );
}

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each(USING)('%s', (method) => {
    test('an honest certificate changes nothing', async () => {
      const engine = await createEngine({ kernels });
      fc.assert(
        property(engine, ({ body, contacts }, styles) => {
          const certificates = styles.map((s) => honest(body.tree, contacts, s));
          const report = findSelfCollisions(body, { method, certificates });
          expect(report.sortedPairs()).toEqual(contacts);
          expect(findAnySelfCollision(body, { method, certificates }) !== undefined).toBe(
            contacts.length > 0,
          );
          const positions = body.getLocalPositions();
          const folds = [...contacts, ...foldedPairs(body.mesh, positions)].sort(
            (p, q) => p[0] - q[0] || p[1] - q[1],
          );
          expect(findSelfCollisions(body, { method, certificates, adjacent: true }).sortedPairs()).toEqual(
            folds,
          );
        }),
        { numRuns: RUNS },
      );
    });

    test('a certificate that lies makes that test fail', async () => {
      const engine = await createEngine({ kernels });
      const lies: Certificate['clears'][] = [() => true, (a, b) => a === b && a === 1];
      for (const clears of lies) {
        expect(() =>
          fc.assert(
            property(engine, ({ body, contacts }) => {
              const lying: Certificate = { tree: body.tree, begin: () => {}, clears };
              expect(findSelfCollisions(body, { method, certificates: [lying] }).sortedPairs()).toEqual(
                contacts,
              );
            }),
            CAUGHT,
          ),
        ).toThrow('Counterexample');
      }
    });

    test('… and so does one that keeps its exceptions to itself', async () => {
      const engine = await createEngine({ kernels });
      expect(() =>
        fc.assert(
          property(engine, ({ body, contacts }) => {
            const { exceptions: _, ...lying } = honest(body.tree, contacts, {
              exceptions: 2,
              filters: false,
              silence: 0,
            });
            expect(findSelfCollisions(body, { method, certificates: [lying] }).sortedPairs()).toEqual(
              contacts,
            );
          }),
          CAUGHT,
        ),
      ).toThrow('Counterexample');
    });
  });

  test('a filter that lies is caught in batch queries', async () => {
    const engine = await createEngine({ kernels });
    expect(() =>
      fc.assert(
        property(engine, ({ body, contacts }) => {
          const lying: Certificate = {
            tree: body.tree,
            begin: () => {},
            clears: () => false,
            filter: () => 0,
          };
          const report = findSelfCollisions(body, { method: 'batch', certificates: [lying] });
          expect(report.sortedPairs()).toEqual(contacts);
        }),
        CAUGHT,
      ),
    ).toThrow('Counterexample');
  });

  test('depth-first and brute-force listen to nobody', async () => {
    const engine = await createEngine({ kernels });
    fc.assert(
      property(engine, ({ body, contacts }) => {
        const lying: Certificate = { tree: body.tree, begin: () => {}, clears: () => true, filter: () => 0 };
        for (const method of ['depth-first', 'brute-force'] as const) {
          const report = findSelfCollisions(body, { method, certificates: [lying] });
          expect(report.sortedPairs()).toEqual(contacts);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('proofs about a motion are asked for as such', async () => {
    const engine = await createEngine({ kernels });
    fc.assert(
      fc.property(gridWithPose(3), style, ({ source, pose }, s) => {
        const mesh = createTriangleMesh(source);
        const body = engine.createFreeBody(mesh);
        body.setMotion(mesh.positions, pose);
        const truth = movingSelfPairs(mesh, mesh.positions, pose);
        const certificate = honest(
          body.tree,
          truth.map(([i, j]) => [i, j]),
          s,
        );
        const sweeps: boolean[] = [];
        const spying = {
          ...certificate,
          begin: (swept: boolean) => {
            sweeps.push(swept);
            certificate.begin(swept);
          },
        };
        for (const method of USING) {
          const report = findSelfCollisions(body, { method, certificates: [spying], continuous: true });
          expect(report.sortedPairs()).toEqual(truth.map(([i, j]) => [i, j]));
        }
        expect(sweeps).toEqual([true, true, true]);
        body.dispose();
      }),
      { numRuns: 5 },
    );
  });

  describe('volumes that lie are caught', () => {
    const undo: (() => void)[] = [];
    afterEach(() => {
      for (const step of undo.splice(0)) step();
    });

    /** The pair test of the conformance table, on rigid and free bodies. */
    function pairProperty(
      engine: Engine,
      method: 'batch' | 'on-demand' | 'depth-first',
      lie: (body: Body) => void,
    ) {
      return fc.property(bodyPlan({ side: 5 }), bodyPlan({ side: 5 }), (first, second) => {
        const [a, b] = [createBody(engine, first), createBody(engine, second)];
        try {
          const expected = findCollisions(a, b, { method: 'brute-force' }).sortedPairs();
          lie(a);
          expect(findCollisions(a, b, { method }).sortedPairs()).toEqual(expected);
          expect(findSelfCollisions(a, { method }).sortedPairs()).toEqual(
            selfPairs(first.mesh, first.local[0]),
          );
        } finally {
          a.dispose();
          b.dispose();
        }
      });
    }

    test('the property holds without a lie', async () => {
      const engine = await createEngine({ kernels });
      for (const method of ['batch', 'on-demand', 'depth-first'] as const) {
        fc.assert(
          pairProperty(engine, method, () => {}),
          { numRuns: RUNS },
        );
      }
    });

    test('on demand: boxes that have shrunk', async () => {
      const engine = await createEngine({ kernels });
      const shrink = (body: Body) => {
        for (const bounds of new Set([body.getLocalBounds(false), body.getWorldBounds(false)])) {
          const ensure = bounds.ensure.bind(bounds);
          bounds.ensure = (node: number) => {
            ensure(node);
            for (let k = 6 * node; k < 6 * node + 3; k++) {
              const middle = (bounds.box[k] + bounds.box[k + 3]) / 2;
              bounds.box[k] = bounds.box[k + 3] = middle;
            }
          };
        }
      };
      expect(() => fc.assert(pairProperty(engine, 'on-demand', shrink), CAUGHT)).toThrow('Counterexample');
    });

    test('batch: one 16-bit box that is too small', async () => {
      const engine = await createEngine({ kernels });
      const { refit } = engine.kernels;
      const patched = engine.kernels as {
        -readonly [K in keyof typeof engine.kernels]: (typeof engine.kernels)[K];
      };
      undo.push(() => {
        patched.refit = refit;
      });
      patched.refit = (nodeCount, link, corners, vertexBoxes, nodeBoxes) => {
        refit(nodeCount, link, corners, vertexBoxes, nodeBoxes);
        const node = nodeCount >> 1;
        engine.kernels.memory.u32[(nodeBoxes >>> 2) + 4 * node] = 0x7fff7fff; // lo.x and lo.y at the far end
      };
      expect(() =>
        fc.assert(
          pairProperty(engine, 'batch', () => {}),
          CAUGHT,
        ),
      ).toThrow('Counterexample');
    });

    test('depth-first: one f64 box that is too small', async () => {
      const engine = await createEngine({ kernels });
      const { refitBoxes } = engine.kernels;
      const patched = engine.kernels as {
        -readonly [K in keyof typeof engine.kernels]: (typeof engine.kernels)[K];
      };
      undo.push(() => {
        patched.refitBoxes = refitBoxes;
      });
      patched.refitBoxes = (nodeCount, link, corners, points, boxes, grow) => {
        refitBoxes(nodeCount, link, corners, points, boxes, grow);
        engine.kernels.memory.f64[(boxes >>> 3) + 6 * (nodeCount >> 1)] = 1e9;
      };
      expect(() =>
        fc.assert(
          pairProperty(engine, 'depth-first', () => {}),
          CAUGHT,
        ),
      ).toThrow('Counterexample');
    });
  });
});

test('certificates make a query look at less', async () => {
  const engine = await createEngine();
  const plain = grid30();
  const body = engine.createRigidBody(plain);
  const certificate = honest(body.tree, [], { exceptions: 0, filters: false, silence: 0 });
  for (const method of ['batch', 'on-demand', 'auto'] as const) {
    const without = findSelfCollisions(body, { method });
    expect(without.pairCount).toBe(0);
    const before = without.counters.nodePairsTested;
    const { counters, state } = findSelfCollisions(body, { method, certificates: [certificate] });
    expect([
      counters.nodePairsTested,
      counters.trianglePairsTested,
      counters.nodePairsCleared,
      state,
    ]).toEqual([0, 0, 1, 'complete']);
    expect(before).toBeGreaterThan(100);
  }
});

function grid30() {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let y = 0; y <= 30; y++) for (let x = 0; x <= 30; x++) positions.push(x, y, 0);
  for (let y = 0; y < 30; y++) {
    for (let x = 0; x < 30; x++) {
      const a = 31 * y + x;
      triangles.push(a, a + 1, a + 31, a + 1, a + 32, a + 31);
    }
  }
  return createTriangleMesh({ positions, triangles });
}
