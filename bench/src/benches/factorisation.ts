import { factoriseSparse } from '../../../packages/pliant/src/algebra/sparse/factorise.ts';
import { detectBlockSize, graphOf } from '../../../packages/pliant/src/algebra/sparse/graph.ts';
import { orderGraph } from '../../../packages/pliant/src/algebra/sparse/ordering.ts';
import type { SparseFactor } from '../../../packages/pliant/src/algebra/sparse/sparse-factor.ts';
import {
  multiply,
  type SymmetricMatrix,
} from '../../../packages/pliant/src/algebra/sparse/symmetric-matrix.ts';
import {
  factoriseUpLooking,
  type PlainFactor,
  solvePlain,
} from '../../../packages/pliant/src/algebra/sparse/up-looking.ts';
import { createRandom } from '../../../packages/pliant/src/shapes/random.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { createLattice, type Lattice, laplacianOf, stiffnessOf } from '../lattice-matrices.ts';
import { type CaseResult, createRatio, createRow, createTime, type Row } from '../result.ts';
import { bestTimeOf, timeOf, timeOfAsync } from '../stopwatch.ts';

interface FactorCase {
  readonly name: string;
  readonly cubes: readonly [number, number, number];
  readonly quickCubes: readonly [number, number, number];
  readonly assemble: (lattice: Lattice) => SymmetricMatrix;
}

const CASES: readonly FactorCase[] = [
  { name: 'laplacian-10k', cubes: [17, 17, 17], quickCubes: [8, 8, 8], assemble: laplacianOf },
  { name: 'elasticity-10k', cubes: [17, 17, 17], quickCubes: [8, 8, 8], assemble: stiffnessOf },
  { name: 'laplacian-49k', cubes: [28, 28, 30], quickCubes: [13, 13, 14], assemble: laplacianOf },
];

/** What the two solutions may differ by, and what may be left of the right-hand side. */
const AGREE = 1e-6,
  RESIDUAL = 1e-12;

/** Sparse Cholesky factorisation of what solids in lattices give, against the plain algorithm in TypeScript. */
export const factorisation: Bench = {
  name: 'factorisation',
  summary: 'sparse Cholesky of lattice matrices: supernodes in wasm against plain up-looking TypeScript',
  cases: CASES.map(({ name }) => name),
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const one of CASES) {
      if (!isWanted(one.name, options)) continue;
      const outcome = await runCase(one, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes.map((note) => `${one.name}: ${note}`));
    }
    return { rows, notes };
  },
};

async function runCase(one: FactorCase, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const rounds = roundsOf(options);
  const lattice = createLattice(...(quick ? one.quickCubes : one.cubes));
  const matrix = one.assemble(lattice);
  const { size } = matrix;
  log(`${one.name}: ${size} unknowns, ${matrix.value.length} entries`);
  const { order: ordering, ms: orderingMs } = timeOrdering(matrix, lattice.points, rounds);

  // Everybody gets the same elimination order and does the rest: analysis, permuting, numbers.
  const make = (kernels: 'wasm' | 'ts') => factoriseSparse(matrix, { ordering, kernels, slice: 1e9 });
  let factor = await make('wasm');
  let wasm = Infinity,
    numbers = Infinity,
    ts = Infinity;
  for (let round = 0; round < rounds; round++) {
    factor.dispose();
    wasm = Math.min(wasm, await timeOfAsync(async () => void (factor = await make('wasm'))));
    numbers = Math.min(numbers, await timeOfAsync(() => factor.refactor(matrix.value, { slice: 1e9 })));
    ts = Math.min(ts, await timeOfAsync(async () => (await make('ts')).dispose()));
  }
  let plain: PlainFactor | undefined;
  const upLooking = timeOf(() => void (plain = factoriseUpLooking(matrix, factor.order)));
  const { eight, alone, residual, agrees } = solveAll(matrix, factor, plain!, rounds);
  const { nonZeros, flops, bytes } = factor;
  factor.dispose();

  const of: CaseResult = { name: one.name, isJudged: !quick, pairs: null, answersAgree: agrees };
  const lower = (metric: string, value: number, unit: string) =>
    createRow(of, { metric, better: 'lower', value, unit });
  return {
    rows: [
      createRatio(of, 'speedup-vs-up-looking', upLooking, wasm, 2.5),
      createRatio(of, 'speedup-vs-up-looking-ts', upLooking, ts),
      createTime(of, 'ordering-ms', orderingMs),
      createTime(of, 'analysis-and-factor-ms', wasm),
      createTime(of, 'analysis-and-factor-ms-ts', ts),
      createTime(of, 'analysis-and-factor-ms-up-looking', upLooking),
      createTime(of, 'factor-ms', numbers),
      createRow(of, { metric: 'gflops', better: 'higher', value: flops / 1e6 / numbers, unit: 'GFlop/s' }),
      lower('gflop', flops / 1e9, 'GFlop'),
      lower('nonzeros', nonZeros, 'count'),
      lower('bytes-per-nonzero', bytes / nonZeros, 'bytes'),
      createTime(of, 'solve-8-ms', eight),
      createTime(of, 'solve-1-ms', alone),
      createRow(of, {
        metric: 'residual-digits',
        better: 'higher',
        value: -Math.log10(residual),
        unit: 'digits',
      }),
    ],
    notes: [
      `${size} unknowns; all share one elimination order; operations are those of L without zeros stored for speed`,
    ],
  };
}

/** As `factoriseSparse` would order it, in nodes. */
function timeOrdering(matrix: SymmetricMatrix, points: Float64Array, rounds: number) {
  let order = new Int32Array(0);
  const ms = bestTimeOf(rounds, () => {
    const blockSize = detectBlockSize(matrix);
    order = Int32Array.from(orderGraph(graphOf(matrix, blockSize), blockSize, { points }));
  });
  return { order, ms };
}

/** Times of solving for eight right-hand sides and for one, and whether all agree. */
function solveAll(matrix: SymmetricMatrix, factor: SparseFactor, plain: PlainFactor, rounds: number) {
  const { size } = matrix;
  const random = createRandom(1);
  const b = Float64Array.from({ length: 8 * size }, () => random() - 0.5);
  const x = new Float64Array(8 * size),
    single = new Float64Array(size);
  const eight = bestTimeOf(rounds, () => {
    x.set(b);
    factor.solve(x, 8);
  });
  const alone = bestTimeOf(rounds, () => {
    single.set(b.subarray(0, size));
    factor.solve(single);
  });
  const other = b.slice(0, size);
  solvePlain(plain, other);
  const difference = largest(single.map((v, i) => v - other[i])) / largest(other);
  const residual = residualOf(matrix, x, b, 8);
  const isSame = single.every((v, i) => v === x[i]) && factor.nonZeros === plain.row.length;
  return { eight, alone, residual, agrees: isSame && difference < AGREE && residual < RESIDUAL };
}

/** The largest |A x − b| over the largest |A| |x| + |b|, of all columns. */
function residualOf(matrix: SymmetricMatrix, x: Float64Array, b: Float64Array, columns: number): number {
  const y = new Float64Array(x.length);
  multiply(matrix, x, y, columns);
  return largest(y.map((v, i) => v - b[i])) / (largest(matrix.value) * largest(x) + largest(b));
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
