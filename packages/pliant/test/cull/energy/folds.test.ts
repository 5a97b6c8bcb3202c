import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareEnergyCertificate } from '../../../src/cull/index.ts';
import {
  type Body,
  CollisionReport,
  createEngine,
  createTriangleMesh,
  type Engine,
  findSelfCollisions,
  type TriangleMesh,
} from '../../../src/index.ts';
import {
  readEnergyCertificate,
  readStored,
  writeEnergyCertificate,
  writeStored,
} from '../../../src/io/index.ts';
import { expectInputError } from '../../io/expect-input-error.ts';
import { deform, roughSheet, smallMesh, tube } from './energy-cases.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 60;
const SIZES = { minTriangles: 8, maxTriangles: 64, folds: true };

/** Some vertices go where others are, or across an edge: what a smooth map never does. */
function crease(mesh: TriangleMesh, seed: number, amount: number): Float64Array {
  const out = deform(mesh, seed, amount);
  const { triangles } = mesh;
  const t = 3 * (seed % (triangles.length / 3));
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const share = (seed % 7) / 3 - 0.5; // beyond both ends of the edge, and between
  for (let k = 0; k < 3; k++) out[a + k] = out[b + k] + share * (out[c + k] - out[b + k]);
  return out;
}

function look(body: Body, pose: Float64Array, certificates: Body['certificates']): CollisionReport {
  body.setPose(pose);
  return findSelfCollisions(body, { adjacent: true, certificates, report: new CollisionReport() });
}

describe.each(['wasm', 'ts'] as const)('%s: folds', (kernels) => {
  test('none that is there is proved away', async () => {
    const engine = await createEngine({ kernels });
    let folded = 0,
      spared = 0;
    fc.assert(
      fc.property(smallMesh, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (mesh, seed, amount) => {
        const body = engine.createFreeBody(mesh, { split: 'connected' });
        const certificate = prepareEnergyCertificate(body, SIZES);
        for (const pose of [deform(mesh, seed, amount ** 3), crease(mesh, seed, amount ** 3)]) {
          const plain = look(body, pose, []);
          certificate.rouse();
          const culled = look(body, pose, [certificate]);
          expect(culled.sortedPairs()).toEqual(plain.sortedPairs());
          folded += countNeighbours(mesh, plain);
          spared += plain.counters.trianglePairsTested - culled.counters.trianglePairsTested;
        }
        body.dispose();
      }),
      { numRuns: RUNS },
    );
    expect(folded).toBeGreaterThan(RUNS / 2);
    expect(spared).toBeGreaterThan(RUNS);
    engine.dispose();
  });

  test('limits that are too large are caught', async () => {
    const engine = await createEngine({ kernels });
    let missed = 0;
    for (let seed = 1; seed <= 15; seed++) {
      const body = engine.createFreeBody(tube(9, 8, seed), { split: 'connected' });
      const liar = exaggerate(body, 30);
      const pose = crease(body.mesh, seed, 0.01);
      liar.rouse();
      missed += look(body, pose, []).pairCount - look(body, pose, [liar]).pairCount;
      body.dispose();
    }
    expect(missed).toBeGreaterThan(0);
    engine.dispose();
  });
});

/** A certificate whose limits of folds are larger than they should be. */
function exaggerate(body: Body, factor: number) {
  const stored = readStored(writeEnergyCertificate(prepareEnergyCertificate(body, SIZES)), 'x');
  const { self, between, folds } = stored.arrays as Record<string, Float32Array>;
  const arrays = { self, between, folds: folds.map((root) => factor * root) };
  return readEnergyCertificate(writeStored({ ...stored, arrays }), 'x', body);
}

function countNeighbours({ triangles }: TriangleMesh, report: CollisionReport): number {
  const corners = (t: number) => [...triangles.subarray(3 * t, 3 * t + 3)];
  return report.sortedPairs().filter(([i, j]) => corners(i).some((v) => corners(j).includes(v))).length;
}

describe('a sheet', () => {
  let engine: Engine;
  const create = async () => {
    engine = await createEngine();
    return engine.createFreeBody(roughSheet(24, 24, 0.2, 5), { split: 'connected' });
  };

  test('that is bent a little needs few tests of neighbours; the same from a file', async () => {
    const body = await create();
    const certificate = prepareEnergyCertificate(body, { folds: true });
    const restored = readEnergyCertificate(writeEnergyCertificate(certificate), 'x.pliant', body);
    const pose = deform(body.mesh, 3, 0.001);
    const plain = look(body, pose, []).counters.trianglePairsTested;
    for (const one of [certificate, restored]) {
      one.rouse();
      const { counters, pairCount } = look(body, pose, [one]);
      expect(pairCount).toBe(0);
      expect(counters.trianglePairsTested).toBeLessThan(plain / 2);
    }
    const without = prepareEnergyCertificate(body);
    expect(look(body, pose, [without]).counters.trianglePairsTested).toBeGreaterThan(plain / 2);
    engine.dispose();
  });

  test('that is folded at rest has no proof where it is', async () => {
    engine = await createEngine();
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.25, 0, 2, 0, 0, 2, 1, 0];
    const mesh = createTriangleMesh({ positions, triangles: [0, 1, 2, 1, 0, 3, 1, 4, 5, 1, 5, 2] });
    const body = engine.createFreeBody(mesh, { split: 'connected' });
    const certificate = prepareEnergyCertificate(body, { ...SIZES, minTriangles: 2 });
    expect(look(body, mesh.positions, [certificate]).sortedPairs()).toEqual([[0, 1]]);
    engine.dispose();
  });

  test('what is no boolean is refused', async () => {
    const body = await create();
    expectInputError(
      () => prepareEnergyCertificate(body, { folds: 1 as unknown as boolean }),
      'bad-option',
      'folds must be true or false',
    );
    engine.dispose();
  });
});
