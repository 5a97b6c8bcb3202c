import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Body,
  type Certificate,
  createEngine,
  createTriangleMesh,
  type Engine,
  findCollisions,
  findFirstSelfHit,
  findSelfCollisions,
  type PairBuffer,
  type Tree,
} from '../../src/index.ts';
import { gridWithPose, triangleSoup } from '../arbitraries.ts';
import { foldedPairs, movingSelfPairs, selfPairs } from '../oracles/brute-force.ts';
import { splitRule } from '../tree/split-rules.ts';
import { bodyPlan, createBody, KERNELS } from './scenes.ts';

const RUNS = process.env.PLIANT_FULL ? 1000 : 100;
/** A lie has to come out; how small the case can be made is not the question here. */
const CAUGHT = { numRuns: 2000, endOnFailure: true };
const USING = ['auto', 'batch', 'on-demand'] as const; // the methods that try certificates

type Pair = readonly [number, number];

interface CertificateStyle {
  /** Leaves out up to this many contacts per proof, and says so. */
  exceptions: number;
  /** Offers `filter`. */
  filters: boolean;
  /** Is silent about every n-th question; 0: always answers. */
  silence: number;
}

/**
 * A proof by brute force: clears what the truth says is clear. With exceptions it also clears what has a few
 * contacts, and lists those together with some pairs that turn out not to touch, or to be neighbours.
 */
function honest(
  tree: Tree,
  contacts: readonly Pair[],
  { exceptions, filters, silence }: CertificateStyle,
): Certificate {
  const slotOf = new Uint32Array(tree.order.length);
  tree.order.forEach((t, slot) => {
    slotOf[t] = slot;
  });
  const isUnder = (node: number, t: number) =>
    slotOf[t] >= tree.firstSlot[node] && slotOf[t] < tree.firstSlot[node] + tree.slotCount[node];
  const below = (a: number, b: number) =>
    contacts.filter(([i, j]) => (isUnder(a, i) && isUnder(b, j)) || (isUnder(a, j) && isUnder(b, i)));
  let begun = false,
    asked = 0;
  const clears = (a: number, b: number) => {
    if (!begun) throw new Error('asked before begin');
    if (silence > 0 && ++asked % silence === 0) return false;
    return below(a, b).length <= exceptions;
  };
  const listExceptions = (a: number, b: number, out: PairBuffer) => {
    for (const [i, j] of below(a, b)) out.push(i, j);
    if (a === b && tree.slotCount[a] > 1)
      out.push(tree.order[tree.firstSlot[a]], tree.order[tree.firstSlot[a] + 1]);
  };
  return {
    tree,
    begin: () => {
      begun = true;
    },
    clears,
    ...(exceptions > 0 && { exceptions: withoutDecoys(listExceptions) }),
    ...(filters && {
      filter: (nodes: Uint32Array, first: number, count: number, out: PairBuffer) => {
        let kept = first;
        for (let o = first; o < first + 2 * count; o += 2) {
          const a = nodes[o],
            b = nodes[o + 1];
          if (clears(a, b)) {
            if (exceptions > 0) for (const [i, j] of below(a, b)) out.push(i, j);
            continue;
          }
          nodes[kept++] = a;
          nodes[kept++] = b;
        }
        return (kept - first) / 2;
      },
    }),
  };

  /** The extra pair may be a real contact, and then it is listed already: a proof lists each once. */
  function withoutDecoys(list: typeof listExceptions): typeof listExceptions {
    return (a, b, out) => {
      const from = out.count;
      list(a, b, out);
      const seen = new Set<string>();
      let kept = from;
      for (let k = from; k < out.count; k++) {
        const i = out.data[2 * k],
          j = out.data[2 * k + 1];
        const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        out.data[2 * kept] = i;
        out.data[2 * kept++ + 1] = j;
      }
      out.count = kept;
    };
  }
}

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
          expect(findFirstSelfHit(body, { method, certificates }) !== undefined).toBe(contacts.length > 0);
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

describe('the change from on-demand to batch inside a query', () => {
  test.each(KERNELS)('%s kernels: the answer stays the same, and the report says so', async (kernels) => {
    const engine = await createEngine({ kernels });
    let changes = 0;
    fc.assert(
      fc.property(
        bodyPlan({ kind: 'rigid', triangles: 200 }),
        bodyPlan({ kind: 'rigid', triangles: 200 }),
        (first, second) => {
          const [a, b] = [createBody(engine, first), createBody(engine, second)];
          try {
            const report = findCollisions(a, b);
            expect(report.sortedPairs()).toEqual(
              findCollisions(a, b, { method: 'brute-force' }).sortedPairs(),
            );
            if (report.reason === 'this query looked at many nodes') {
              changes++;
              expect(report.method).toBe('batch');
            }
          } finally {
            a.dispose();
            b.dispose();
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(changes).toBeGreaterThan(5);
  });

  test.each(KERNELS)(
    '%s kernels: in a self-query with a certificate that soon falls silent',
    async (kernels) => {
      const engine = await createEngine({ kernels });
      let changes = 0;
      const sheets = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 });
      fc.assert(
        fc.property(
          sheets,
          fc.integer({ min: 0, max: 4 }),
          fc.boolean(),
          splitRule,
          (noise, answers, listing, split) => {
            const mesh = crumpledGrid(14, noise);
            const body = engine.createRigidBody(mesh, { split });
            try {
              const contacts = selfPairs(mesh, mesh.positions);
              const certificate = honest(body.tree, contacts, {
                exceptions: listing ? 2 : 0,
                filters: listing,
                silence: 0,
              });
              let left = answers;
              const tiring: Certificate = {
                ...certificate,
                clears: (n, m) => certificate.clears(n, m) && left-- > 0,
                filter: undefined,
              };
              const report = findSelfCollisions(body, { certificates: [tiring] });
              expect(report.sortedPairs()).toEqual(contacts);
              if (report.reason === 'this query looked at many nodes') changes++;
            } finally {
              body.dispose();
            }
          },
        ),
        { numRuns: Math.ceil(RUNS / 4) },
      );
      expect(changes).toBeGreaterThan(5);
    },
  );
});

/** A sheet whose vertices are pushed about by less than a cell or so. */
function crumpledGrid(side: number, noise: readonly number[]) {
  const positions: number[] = [],
    triangles: number[] = [];
  for (let y = 0; y <= side; y++) {
    for (let x = 0; x <= side; x++) {
      const k = positions.length;
      positions.push(x + 2 * noise[k % 60], y + 2 * noise[(k + 1) % 60], noise[(k + 2) % 60]);
    }
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const a = (side + 1) * y + x;
      triangles.push(a, a + 1, a + side + 1, a + 1, a + side + 2, a + side + 1);
    }
  }
  return createTriangleMesh({ positions, triangles });
}
