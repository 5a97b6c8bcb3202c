import { describe, expect, test } from 'vitest';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  findAllCollisions,
  findAnySelfCollision,
  findCollisions,
  findSelfCollisions,
} from '../../src/index.ts';
import { codeOf } from '../io/expect-input-error.ts';
import { movingSelfPairs, pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import { KERNELS, METHODS } from './scenes.ts';

/** Random triangles in a unit cube; `size` shrinks them. */
function crowd(count: number, seed: number, size = 1) {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const positions: number[] = [];
  for (let t = 0; t < count; t++) {
    const centre = [random(), random(), random()];
    for (let k = 0; k < 9; k++) positions.push(centre[k % 3] + size * (random() - 0.5));
  }
  return createTriangleMesh({ positions, triangles: Array.from({ length: 3 * count }, (_, i) => i) });
}

const mesh = crowd(300, 3);
const truth = selfPairs(mesh, mesh.positions);
/** More overlapping pairs than one step of any method looks at. */
const larger = crowd(400, 4);
const largerTruth = selfPairs(larger, larger.positions);

/** Half of the triangles turn over: few touch at rest, many on the way. */
const small = crowd(36, 5, 0.25);
const smallEnd = small.positions.map((x, i) => (Math.floor(i / 9) % 2 ? x : 1 - x));
const moving = movingSelfPairs(small, small.positions, smallEnd).map(([i, j]) => [i, j]);
const still = selfPairs(small, small.positions);

/** Makes kernel memory grow. */
const large = crowd(8000, 1, 0.001);
const halves = (_: unknown, __: number, count: number) => count >> 1;

const MOVED = [1, 0, 0, 0.25, 0, 1, 0, 0.125, 0, 0, 1, 0.0625];

describe.each(KERNELS)('%s kernels', (kernels) => {
  describe.each(METHODS)('a query from within a query: %s', (method) => {
    test('on the same body, in every other way', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(mesh);
      const other = engine.createRigidBody(mesh);
      other.setPose(MOVED);
      const between = pairsBetween(mesh, body.getPositions(), mesh, other.getPositions());
      let told = 0;
      const report = findSelfCollisions(body, {
        method,
        onPair: () => {
          if (++told !== 1 && told !== 2000) return undefined;
          for (const inner of METHODS) {
            expect(findSelfCollisions(body, { method: inner }).pairCount).toBe(truth.length);
            expect(findCollisions(body, other, { method: inner }).pairCount).toBe(between.length);
            expect(findCollisions(other, body, { method: inner }).pairCount).toBe(between.length);
            expect(findAnySelfCollision(body, { method: inner })).toBeDefined();
          }
          return undefined;
        },
      });
      expect(report.sortedPairs()).toEqual(truth);
      expect(told).toBe(truth.length);
    });

    test('in the coordinates of a body while the outer one works in those of the world', async () => {
      const engine = await createEngine({ kernels });
      const [body, other] = [engine.createFreeBody(larger), engine.createFreeBody(larger)];
      for (const b of [body, other]) b.setWorldMatrix([1, 0, 0, 10, 0, 1, 0, 0, 0, 0, 1, 0]);
      const expected = findCollisions(body, other, { method: 'batch' }).sortedPairs();
      let told = 0;
      const report = findCollisions(body, other, {
        method,
        onPair: () => {
          if (++told === 1) expect(findSelfCollisions(body, { method }).pairCount).toBe(largerTruth.length);
          return undefined;
        },
      });
      expect(report.pairCount).toBe(expected.length);
      expect(report.sortedPairs()).toEqual(expected);
    });

    test('about a pose while the outer one is about a motion, and the other way round', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createFreeBody(small);
      body.setMotion(small.positions, smallEnd);
      expect(moving.length).toBeGreaterThan(still.length + 50);
      let told = 0;
      const outer = findSelfCollisions(body, {
        method,
        continuous: true,
        onPair: () => {
          if (told++ % 10 === 0) expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(still);
          return undefined;
        },
      });
      expect(outer.sortedPairs()).toEqual(moving);
      let inside = 0;
      const turned = findSelfCollisions(body, {
        method,
        onPair: () => {
          if (inside++ === 0) {
            expect(findSelfCollisions(body, { method, continuous: true }).sortedPairs()).toEqual(moving);
          }
          return undefined;
        },
      });
      expect(turned.sortedPairs()).toEqual(still);
    });

    test('nested three deep', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(crowd(40, 8));
      const expected = findSelfCollisions(body, { method: 'brute-force' }).sortedPairs();
      let queries = 0;
      const ask = (depth: number): CollisionReport =>
        findSelfCollisions(body, {
          method,
          onPair: () => {
            if (depth > 0 && queries++ < 40) expect(ask(depth - 1).sortedPairs()).toEqual(expected);
            return undefined;
          },
        });
      expect(ask(3).sortedPairs()).toEqual(expected);
      expect(queries).toBeGreaterThan(3);
    });

    test('kernel memory may grow in the middle', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createRigidBody(mesh);
      const before = engine.kernels.memory.buffer.byteLength;
      const made: Body[] = [];
      const report = findSelfCollisions(body, {
        method,
        onPair: () => {
          if (made.length < 3) {
            made.push(engine.createFreeBody(large, { split: halves }));
            made.at(-1)!.setMotion(large.positions, large.positions);
          }
          return undefined;
        },
      });
      expect(engine.kernels.memory.buffer.byteLength).toBeGreaterThan(before);
      expect(report.sortedPairs()).toEqual(truth);
    });

    test('… also in the middle of a motion', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createFreeBody(small);
      body.setMotion(small.positions, smallEnd);
      let made = 0;
      const report = findSelfCollisions(body, {
        method,
        continuous: true,
        onPair: () => {
          if (made++ < 2) engine.createFreeBody(large, { split: halves });
          return undefined;
        },
      });
      expect(report.sortedPairs()).toEqual(moving);
    });

    test('a pose cannot change under a query, and the query goes on', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createFreeBody(mesh);
      const other = engine.createRigidBody(mesh);
      const codes = new Set<string>();
      let tries = 0;
      const attempts = () => {
        if (tries++ > 50) return undefined;
        codes.add(codeOf(() => body.setPose(mesh.positions)));
        codes.add(codeOf(() => body.setMotion(mesh.positions, mesh.positions)));
        codes.add(codeOf(() => body.moveTo(mesh.positions)));
        codes.add(codeOf(() => body.setWorldMatrix(MOVED)));
        codes.add(codeOf(() => body.setWorldMotion(MOVED, MOVED)));
        codes.add(codeOf(() => body.dispose()));
        return undefined;
      };
      expect(findSelfCollisions(body, { method, onPair: attempts }).sortedPairs()).toEqual(truth);
      const between = pairsBetween(mesh, mesh.positions, mesh, mesh.positions);
      expect(findCollisions(body, other, { method, onPair: attempts }).sortedPairs()).toEqual(between);
      expect(findCollisions(other, body, { method, onPair: attempts }).sortedPairs()).toEqual(between);
      expect([...codes]).toEqual(['busy']);
      body.setPose(mesh.positions.map((x) => 2 * x)); // idle again
      expect(findSelfCollisions(body, { method }).pairCount).toBe(truth.length);
    });

    test('a callback that throws leaves everything usable', async () => {
      const engine = await createEngine({ kernels });
      const body = engine.createFreeBody(mesh);
      const other = engine.createRigidBody(mesh);
      const bang = () => {
        throw new Error('bang');
      };
      for (let round = 0; round < 3; round++) {
        expect(() => findSelfCollisions(body, { method, onPair: bang })).toThrow('bang');
        expect(() => findCollisions(body, other, { method, onPair: bang })).toThrow('bang');
        expect(() => findAllCollisions([body, other], { method, onPair: bang })).toThrow('bang');
      }
      body.setPose(mesh.positions);
      expect(findSelfCollisions(body, { method }).sortedPairs()).toEqual(truth);
      const { bytes } = engine.usage;
      expect(() => findSelfCollisions(body, { method, onPair: bang })).toThrow('bang');
      expect(engine.usage.bytes).toBe(bytes);
    });
  });

  test('among many bodies, none can change while the query runs', async () => {
    const engine = await createEngine({ kernels });
    const bodies = [0, 1, 2].map(() => engine.createRigidBody(mesh));
    const codes = new Set<string>();
    const expected = findAllCollisions(bodies).sortedPairs();
    let tries = 0;
    const report = findAllCollisions(bodies, {
      onPair: () => {
        if (tries++ < 50) for (const body of bodies) codes.add(codeOf(() => body.setPose(MOVED)));
        return undefined;
      },
    });
    expect([...codes]).toEqual(['busy']);
    expect(report.sortedPairs()).toEqual(expected);
  });

  test('among many bodies, none can be disposed of while the query runs', async () => {
    const engine = await createEngine({ kernels });
    const bodies = [0, 1, 2].map(() => engine.createRigidBody(mesh));
    const codes = new Set<string>();
    findAllCollisions(bodies, {
      onPair: () => {
        codes.add(codeOf(() => bodies[2].dispose()));
        return undefined;
      },
    });
    expect([...codes]).toEqual(['busy']);
  });

  test('an engine cannot be disposed of under a query', async () => {
    const engine = await createEngine({ kernels });
    const body = engine.createRigidBody(mesh);
    const codes = new Set<string>();
    const report = findSelfCollisions(body, {
      onPair: () => {
        codes.add(codeOf(() => engine.dispose()));
        return undefined;
      },
    });
    expect([...codes]).toEqual(['busy']);
    expect(report.sortedPairs()).toEqual(truth);
  });

  test('a report cannot serve two queries at once', async () => {
    const engine = await createEngine({ kernels });
    const body = engine.createRigidBody(mesh);
    const report = new CollisionReport();
    const codes = new Set<string>();
    findSelfCollisions(body, {
      report,
      onPair: () => {
        codes.add(codeOf(() => findSelfCollisions(body, { report })));
        return codes.has('busy') ? undefined : false;
      },
    });
    expect([...codes]).toEqual(['busy']);
    expect(report.sortedPairs()).toEqual(truth);
  });
});

test('reports go from query to query, of whatever kind', async () => {
  const engine = await createEngine();
  const [a, b] = [engine.createRigidBody(mesh), engine.createRigidBody(mesh)];
  b.setPose(MOVED);
  const [c, d] = [engine.createRigidBody(small), engine.createRigidBody(small)];
  d.setMotion(MOVED, [1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1, 9]);
  const report = new CollisionReport();
  const ask = (target?: CollisionReport) => [
    () => findSelfCollisions(a, { report: target, method: 'batch' }),
    () => findCollisions(a, b, { report: target, method: 'batch', maxPairs: 5 }),
    () => findAllCollisions([a, b], { report: target, method: 'depth-first', self: true }),
    () => findSelfCollisions(a, { report: target, method: 'batch', budget: { nodePairs: 0 } }),
    () => findCollisions(b, a, { report: target, method: 'on-demand' }),
    () => findAllCollisions([], { report: target }),
    () => findCollisions(c, d, { report: target, method: 'batch', continuous: true }),
    () => findSelfCollisions(b, { report: target, method: 'batch', adjacent: true }),
  ];
  const fresh = ask(),
    reused = ask(report);
  for (let round = 0; round < 3; round++) {
    for (let k = 0; k < fresh.length; k++) expect(summary(reused[k]())).toEqual(summary(fresh[k]()));
  }

  function summary(r: CollisionReport) {
    return {
      pairs: r.sortedPairs(),
      times: r.times?.slice(0, r.pairCount),
      bodies: r.bodies?.slice(0, 2 * r.pairCount),
      total: r.totalCount,
      state: r.state,
      method: r.method,
      unresolved: r.unresolved.data.slice(0, 2 * r.unresolved.count),
      tested: r.counters.nodePairsTested,
    };
  }
});
