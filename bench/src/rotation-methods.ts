import { factorInPlace, solveInPlace } from '../../packages/pliant/src/algebra/dense/cholesky.ts';
import { chooseRotationSamples, sampleRotations } from '../../packages/pliant/src/edit/arap/cubature.ts';
import { createEnergy } from '../../packages/pliant/src/edit/arap/energy.ts';
import { ReducedClusters } from '../../packages/pliant/src/edit/arap/reduced-clusters.ts';
import type { SpokeEnergy } from '../../packages/pliant/src/edit/arap/spoke-energy.ts';
import { createCage, createShapeBasis } from '../../packages/pliant/src/edit/index.ts';
import { createWasmKernels } from '../../packages/pliant/src/kernels/wasm-kernels.ts';
import { withExtra } from '../../packages/pliant/src/kernels/with-extra.ts';
import type { TriangleMesh } from '../../packages/pliant/src/mesh/triangle-mesh.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import { bestTimeOf } from './stopwatch.ts';

export interface RotationFigures {
  readonly name: string;
  /** The largest distance from shapes with a rotation for every vertex, % of the size. */
  readonly deviation: number;
  readonly milliseconds: number; // of the local step
}

/** Uᵀb from coefficients, three rows of numbers each. */
type Local = (v: Float64Array) => Float64Array;

const HANDLES = 6;
const REACH = 0.2; // of targets, in sizes
const STEPS = 40;

/** The local step with a rotation for every vertex, for clusters, and for samples (cubature), on drags of random handles. */
export async function compareRotations(
  mesh: TriangleMesh,
  vertices: number,
  manipulators: number,
  trainings: number,
): Promise<RotationFigures[]> {
  const kernels = withExtra(await createWasmKernels());
  const { memory } = kernels;
  const cage = createCage(mesh, { vertices });
  const energy = createEnergy(kernels, cage) as SpokeEnergy;
  const basis = await createShapeBasis(cage, energy.laplacian, { manipulators, prepared: 0 });
  const { columns: r, weights: W, manipulators: places, rows } = basis.global;
  const { vertexCount: n, positions: rest } = cage.tetrahedra;
  const p = memory.allocate(24 * n),
    b = memory.allocate(24 * n),
    w = memory.allocate(4 * n * r + 16),
    vAt = memory.allocate(24 * r + 16),
    out = memory.allocate(24 * r + 16);
  memory.f32.set(W, w >>> 2);
  const read = (address: number, count: number) => memory.f64.slice(address >>> 3, (address >>> 3) + count);
  const gather = (v: Float64Array) => {
    memory.f64.set(v, vAt >>> 3);
    kernels.gatherGroup(0, n, w, r, vAt, r, p, 0);
    return read(p, 3 * n);
  };
  const byVertex: Local = (v) => {
    memory.f64.set(v, vAt >>> 3);
    kernels.gatherGroup(0, n, w, r, vAt, r, p, 0);
    energy.rhsAt(p, b);
    memory.f64.fill(0, out >>> 3, (out >>> 3) + 3 * r);
    kernels.projectGroup(0, n, w, r, b, out, r);
    return read(out, 3 * r);
  };
  const byCluster = (level: number): [string, Local] => {
    const clusters = new ReducedClusters(kernels, energy, basis.clusters(level));
    clusters.add(0, { rows, columns: r, weights: W });
    const local: Local = (v) => {
      memory.f64.set(v, vAt >>> 3);
      memory.f64.fill(0, out >>> 3, (out >>> 3) + 3 * r);
      clusters.begin();
      clusters.gather(0, vAt, r);
      clusters.fit();
      clusters.scatter(0, out, r);
      return read(out, 3 * r);
    };
    return [`clusters-level-${level}`, local];
  };

  const L = basis.projection(0, 0);
  const handles = Array.from({ length: HANDLES }, (_, k) => Math.floor(((k + 0.5) * n) / HANDLES));
  let rho = 0;
  for (let i = 0; i < r; i++) rho += (1e3 * L[i * r + i]) / r;
  const A = L.slice();
  for (const h of handles) {
    for (let i = 0; i < r; i++) for (let j = 0; j < r; j++) A[i * r + j] += rho * W[h * r + i] * W[h * r + j];
  }
  factorInPlace(A, r);
  const atRest = new Float64Array(3 * r);
  places.forEach((vertex, c) => {
    for (let a = 0; a < 3; a++) atRest[a * r + c] = rest[3 * vertex + a];
  });
  const drag = (targets: readonly number[][], local: Local, keep: Float64Array[] = []) => {
    let v: Float64Array = atRest;
    for (let step = 0; step < STEPS; step++) {
      const x = local(v);
      for (let a = 0; a < 3; a++) {
        handles.forEach((h, k) => {
          for (let c = 0; c < r; c++) x[a * r + c] += rho * W[h * r + c] * targets[k][a];
        });
        solveInPlace(A, r, x, a * r);
      }
      v = x;
      if (step % 10 === 9) keep.push(v.slice());
    }
    return v;
  };
  const random = createRandom(1);
  const pull = () => handles.map((h) => [0, 1, 2].map((a) => rest[3 * h + a] + REACH * (random() - 0.5)));
  const training: Float64Array[] = [];
  for (let k = 0; k < trainings; k++) drag(pull(), byVertex, training);
  const tests = [pull(), pull(), pull()];
  const expected = tests.map((targets) => gather(drag(targets, byVertex)));
  const methods: [string, Local][] = [['vertices', byVertex], byCluster(0), byCluster(1), byCluster(2)];
  for (const count of [150, 400]) {
    const candidates = Uint32Array.from(new Set(Array.from({ length: 900 }, () => Math.floor(random() * n))));
    const samples = chooseRotationSamples(kernels, energy.spokes, basis.global, {
      training,
      candidates,
      count,
    });
    methods.push([`cubature-${count}`, (v) => sampleRotations(kernels, samples, v)]);
  }
  const bent = drag(tests[0], byVertex);
  return methods.map(([name, local]) => {
    let deviation = 0;
    tests.forEach((targets, k) => {
      gather(drag(targets, local)).forEach((x, i) => {
        deviation = Math.max(deviation, 100 * Math.abs(x - expected[k][i]));
      });
    });
    return { name, deviation, milliseconds: bestTimeOf(20, () => void local(bent)) };
  });
}
