import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FreeDeformer } from '../../src/deform/free.ts';
import { transformPoint } from '../../src/deform/matrix.ts';
import { PlacedPoints } from '../../src/deform/placed.ts';
import type { PointSource } from '../../src/deform/point-source.ts';
import { RestShape } from '../../src/deform/rest.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { arrayStore, KernelMemory } from '../../src/kernels/memory.ts';
import { createTsKernels } from '../../src/kernels/ts-kernels.ts';
import { createWasmKernels } from '../../src/kernels/wasm-kernels.ts';
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { FreeBoxes, SMALL_NODE } from '../../src/refit/aabb-free.ts';
import { PlacedBoxes, placeBox } from '../../src/refit/aabb-placed.ts';
import type { Bounds } from '../../src/refit/bounds.ts';
import { buildTree } from '../../src/tree/build-tree.ts';
import { ResidentMesh } from '../../src/tree/resident-mesh.ts';
import { grid, gridWithPose, triangleSoup } from '../arbitraries.ts';
import { splitRule } from '../tree/split-rules.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 150;

const kernelsOf = { ts: createTsKernels(new KernelMemory(arrayStore())), wasm: await createWasmKernels() };

/** Singular, mirrored, sheared, tiny and huge ones. */
const entry = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
  { weight: 4, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: -(2 ** 300), max: 2 ** 300, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1e-300, 2 ** 300, 1 / 3) },
);
const anyMatrix = fc.array(entry, { minLength: 12, maxLength: 12 });

/** A mesh with a tree, and two poses of it. */
const meshWithPoses = fc
  .oneof(
    triangleSoup(30).map((source) => ({ source, pose: undefined })),
    gridWithPose(5),
  )
  .chain(({ source, pose }) =>
    fc
      .record({ split: splitRule, factor: fc.constantFrom(1, -3, 1e60, 1e-200, 1 / 3) })
      .map(({ split, factor }) => {
        const mesh = createTriangleMesh(source);
        const start = pose ?? Float64Array.from(source.positions as number[]);
        return { mesh, split, start, end: start.map((x) => x * factor) };
      }),
  );

function createResident(kernels: Kernels, mesh: TriangleMesh, split: Parameters<typeof buildTree>[1] = {}) {
  return new ResidentMesh(kernels, mesh, buildTree(mesh, split));
}

/** Every point under every node with a volume lies in it, at the ends asked for. */
function expectContained(
  kernels: Kernels,
  bounds: Bounds,
  mesh: ResidentMesh,
  source: PointSource,
  swept: boolean,
): void {
  bounds.begin(swept);
  const { tree } = mesh;
  const ends = swept ? ([0, 1] as const) : ([0] as const);
  for (const end of ends) source.ensureAll(end);
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.slotCount[node] < SMALL_NODE) continue;
    expect(node).toBeLessThan(bounds.boundedNodes);
    bounds.ensure(node);
    const { f64, u32 } = kernels.memory;
    const { box } = bounds;
    const first = (mesh.corners >>> 2) + 3 * tree.firstSlot[node];
    for (const end of ends) {
      const points = source.address(end) >>> 3;
      for (let c = first; c < first + 3 * tree.slotCount[node]; c++) {
        for (let k = 0; k < 3; k++) {
          const x = f64[points + 3 * u32[c] + k];
          if (!(box[6 * node + k] <= x && x <= box[6 * node + 3 + k])) {
            throw new Error(
              `node ${node}, axis ${k}: ${x} is not in [${box[6 * node + k]}, ${box[6 * node + 3 + k]}]`,
            );
          }
        }
      }
    }
  }
}

describe.each(['ts', 'wasm'] as const)('%s kernels', (name) => {
  const kernels = kernelsOf[name];

  test('FreeBoxes hold every point, at both ends of a motion, and are tight', () => {
    fc.assert(
      fc.property(meshWithPoses, ({ mesh, split, start, end }) => {
        const resident = createResident(kernels, mesh, { split });
        const deformer = new FreeDeformer(kernels, resident);
        const bounds = new FreeBoxes(kernels, resident, deformer);
        expectContained(kernels, bounds, resident, deformer, false);
        deformer.setMotion(start, end);
        expectContained(kernels, bounds, resident, deformer, false);
        expectContained(kernels, bounds, resident, deformer, true);
        deformer.setPose(end);
        expectContained(kernels, bounds, resident, deformer, true); // a pose has no motion: the same box
        if (mesh.triangleCount >= SMALL_NODE) expectTightRoot(bounds, resident, end);
        deformer.free();
        resident.free();
      }),
      { numRuns: RUNS },
    );
  });

  test('PlacedBoxes hold every point as the matrix moves it, at both ends of a motion', () => {
    fc.assert(
      fc.property(
        meshWithPoses,
        anyMatrix,
        anyMatrix,
        fc.boolean(),
        ({ mesh, split, start, end }, m, n, rigid) => {
          const resident = createResident(kernels, mesh, { split });
          const deformer = rigid ? new RestShape(resident) : new FreeDeformer(kernels, resident);
          const placed = new PlacedPoints(kernels, deformer, resident.pointCount);
          const local = new FreeBoxes(kernels, resident, deformer);
          const bounds = new PlacedBoxes(local, placed);
          expectContained(kernels, bounds, resident, placed, false);
          placed.setMatrix(m);
          expectContained(kernels, bounds, resident, placed, false);
          placed.setMatrices(m, n);
          expectContained(kernels, bounds, resident, placed, false);
          expectContained(kernels, bounds, resident, placed, true);
          if (deformer instanceof FreeDeformer) {
            deformer.setMotion(start, end);
            expectContained(kernels, bounds, resident, placed, true);
            placed.setMatrix(n);
            expectContained(kernels, bounds, resident, placed, true); // only the shape moves
            deformer.setPose(end);
            expectContained(kernels, bounds, resident, placed, true);
          }
          placed.free();
          deformer.free();
          resident.free();
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a point evaluated alone has the bits it has when all are', () => {
    fc.assert(
      fc.property(
        meshWithPoses,
        anyMatrix,
        anyMatrix,
        fc.array(fc.nat(), { maxLength: 12 }),
        ({ mesh, start, end }, m, n, picks) => {
          const resident = createResident(kernels, mesh);
          const deformer = new FreeDeformer(kernels, resident);
          deformer.setMotion(start, end);
          const alone = new PlacedPoints(kernels, deformer, resident.pointCount);
          const all = new PlacedPoints(kernels, deformer, resident.pointCount);
          for (const placed of [alone, all]) placed.setMatrices(m, n);
          for (const e of [0, 1] as const) {
            for (const pick of picks) alone.ensurePoint(e, pick % resident.pointCount);
            all.ensureAll(e);
            for (const pick of picks) {
              const p = pick % resident.pointCount;
              const bits = (address: number) =>
                kernels.memory.u32.slice((address >>> 2) + 6 * p, (address >>> 2) + 6 * p + 6);
              expect(bits(alone.address(e))).toEqual(bits(all.address(e)));
            }
          }
          const distinct = new Set(picks.map((p) => p % resident.pointCount)).size;
          expect(alone.evaluated).toBe(2 * distinct); // asked twice, computed once
          expect(all.evaluated).toBe(2 * resident.pointCount);
          alone.free();
          all.free();
          deformer.free();
          resident.free();
        },
      ),
      { numRuns: RUNS },
    );
  });
});

function expectTightRoot({ box }: Bounds, { mesh }: ResidentMesh, pose: Float64Array): void {
  const used = [...new Set(mesh.triangles)].map((v) => 3 * mesh.sourceVertex[v]);
  for (let k = 0; k < 3; k++) {
    const list = used.map((o) => pose[o + k]);
    expect(box[k] + 0).toBe(Math.min(...list) + 0);
    expect(box[3 + k] + 0).toBe(Math.max(...list) + 0);
  }
}

test('placeBox holds the image of every point of a box, corners first of all', () => {
  fc.assert(
    fc.property(
      anyMatrix,
      fc.array(fc.tuple(entry, entry), { minLength: 3, maxLength: 3 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
      (m, sides, inside) => {
        const matrix = Float64Array.from(m);
        const lo = sides.map(([a, b]) => Math.min(a, b)),
          hi = sides.map(([a, b]) => Math.max(a, b));
        const out = new Float64Array(6),
          image = new Float64Array(3);
        placeBox(matrix, Float64Array.from([...lo, ...hi]), 0, out, 0, false);
        const between = inside.map((s, k) => Math.min(hi[k], Math.max(lo[k], lo[k] + s * (hi[k] - lo[k]))));
        for (let corner = 0; corner <= 8; corner++) {
          const p = [0, 1, 2].map((k) => (corner === 8 ? between[k] : (corner >> k) & 1 ? hi[k] : lo[k]));
          transformPoint(matrix, Float64Array.from(p), 0, image, 0);
          for (let k = 0; k < 3; k++) {
            expect(out[k]).toBeLessThanOrEqual(image[k]);
            expect(out[3 + k]).toBeGreaterThanOrEqual(image[k]);
          }
        }
      },
    ),
    { numRuns: 10 * RUNS },
  );
});

test('placeBox holds the image of a box of denormal numbers under a huge matrix', () => {
  const tiny = 5e-324;
  const matrix = Float64Array.of(2 ** 300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const out = new Float64Array(6),
    image = new Float64Array(3);
  placeBox(matrix, Float64Array.of(tiny, 0, 0, tiny, 0, 0), 0, out, 0, false);
  transformPoint(matrix, Float64Array.of(tiny, 0, 0), 0, image, 0);
  expect(out[0]).toBeLessThanOrEqual(image[0]);
  expect(out[3]).toBeGreaterThanOrEqual(image[0]);
});

test('a rigid body pays for the volumes it is asked for, once each', () => {
  const kernels = kernelsOf.ts;
  const mesh = createTriangleMesh(grid(8, 8));
  const resident = createResident(kernels, mesh);
  const rest = new RestShape(resident);
  const placed = new PlacedPoints(kernels, rest, resident.pointCount);
  const bounds = new PlacedBoxes(new FreeBoxes(kernels, resident, rest), placed);
  bounds.begin(false);
  for (const node of [0, 1, 0, 2, 1]) bounds.ensure(node);
  expect(bounds.refitted).toBe(3);
  bounds.begin(false); // the same pose
  bounds.ensure(0);
  expect(bounds.refitted).toBe(3);
  placed.setMatrix([2, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0]);
  bounds.begin(false);
  bounds.ensure(0);
  expect(bounds.refitted).toBe(4);
  expect([...bounds.box.subarray(0, 6)].map((x) => Math.round(x) + 0)).toEqual([5, 0, 0, 21, 8, 0]);
});
