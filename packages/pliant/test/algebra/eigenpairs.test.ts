import { describe, expect, test } from 'vitest';
import { gramOf } from '../../src/algebra/dense/columns.ts';
import {
  type EigenOptions,
  type EigenProblem,
  type EigenProgress,
  eigenpairSteps,
  NotConverged,
  smallestEigenpairs,
} from '../../src/algebra/eigenpairs.ts';
import {
  addScaled,
  diagonalMatrix,
  factoriseSparse,
  multiply,
  type SymmetricMatrix,
  SymmetricMatrixBuilder,
} from '../../src/algebra/sparse/index.ts';

describe('the second difference on a grid, with fixed ends', () => {
  test.each([
    [[60], 12],
    [[9, 9], 20],
    [[6, 6, 6], 25],
    [[5, 6, 7], 30],
    [[3], 3],
    [[4, 4], 16],
  ])('%j: the %i smallest, as often as they occur', async (sides, count) => {
    const found = await solveGrid(sides, count);
    const expected = sidesEigenvalues(sides).slice(0, count);
    found.values.forEach((value, k) => {
      expect(Math.abs(value - expected[k])).toBeLessThan(1e-9 * expected[k]);
    });
  });

  test('more equal ones than the block has columns', async () => {
    // One chain twelve times over: each eigenvalue occurs 12 times, and one look finds no more than 2 of them.
    const [copies, length] = [12, 150];
    const builder = new SymmetricMatrixBuilder(copies * length);
    for (let copy = 0; copy < copies; copy++) addChain(builder, copy * length, length);
    const found = await solveProblem(builder.build(), undefined, 0, { count: 30, block: 2 });
    found.values.forEach((value, k) => {
      const expected = 2 - 2 * Math.cos(((Math.trunc(k / copies) + 1) * Math.PI) / (length + 1));
      expect(Math.abs(value - expected)).toBeLessThan(1e-9);
    });
  });

  test('with free ends: the constant vector, shifted, or kept out when it is known', async () => {
    const size = 50;
    const builder = new SymmetricMatrixBuilder(size);
    for (let k = 0; k + 1 < size; k++) {
      builder.add(k, k, 1);
      builder.add(k + 1, k + 1, 1);
      builder.add(k + 1, k, -1);
    }
    const matrix = builder.build();
    const exact = (k: number) => 2 - 2 * Math.cos((k * Math.PI) / size);
    const free = await solveProblem(matrix, undefined, 0.01, { count: 6 });
    free.values.forEach((value, k) => {
      expect(Math.abs(value - exact(k))).toBeLessThan(1e-12);
    });
    const deflate = new Float64Array(size).fill(1 / Math.sqrt(size));
    const elastic = await solveProblem(matrix, undefined, 0.01, { count: 6, deflate });
    elastic.values.forEach((value, k) => {
      expect(Math.abs(value - exact(k + 1))).toBeLessThan(1e-12);
    });
  });
});

describe('in the inner product of a mass', () => {
  const size = 80;
  const mass = diagonalMatrix(Float64Array.from({ length: size }, (_, k) => 1 + (k % 7)));
  const chain = () => {
    const builder = new SymmetricMatrixBuilder(size);
    addChain(builder, 0, size);
    return builder.build();
  };

  test('vectors are orthonormal and residuals are as stated', async () => {
    const { values, vectors, residuals } = await solveProblem(chain(), mass, 0, {
      count: 15,
      tolerance: 1e-10,
    });
    const image = new Float64Array(vectors.length);
    multiply(mass, vectors, image, 15);
    const gram = gramOf(vectors, 15, image, 15, size);
    gram.forEach((x, k) => {
      expect(Math.abs(x - (k % 16 === 0 ? 1 : 0))).toBeLessThan(1e-12);
    });
    const stiff = new Float64Array(vectors.length);
    multiply(chain(), vectors, stiff, 15);
    values.forEach((value, k) => {
      let difference = 0,
        length = 0;
      for (let i = k * size; i < (k + 1) * size; i++) {
        difference += (stiff[i] - value * image[i]) ** 2;
        length += image[i] ** 2;
      }
      expect(residuals[k]).toBeCloseTo(Math.sqrt(difference / length) / value, 15);
      expect(residuals[k]).toBeLessThan(1e-10);
    });
  });

  test('two runs give the same bits', async () => {
    const [a, b] = [
      await solveProblem(chain(), mass, 0, { count: 5 }),
      await solveProblem(chain(), mass, 0, { count: 5 }),
    ];
    expect(a).toEqual(b);
  });

  test('progress ends with all settled', async () => {
    const problem = await createProblem(chain(), mass, 0);
    const said: EigenProgress[] = [];
    const steps = eigenpairSteps(problem, { count: 10 });
    for (let next = steps.next(); !next.done; next = steps.next()) said.push(next.value);
    expect(said.at(-1)).toMatchObject({ settled: 10, wanted: 10, step: said.length });
  });

  test('what is not reached is an error, and a solver that lies is found out', async () => {
    const problem = await createProblem(chain(), mass, 0);
    expect(() => smallestEigenpairs(problem, { count: 20, maximumSteps: 3 })).toThrow(NotConverged);
    const lying: EigenProblem = {
      ...problem,
      solve(b, columns) {
        problem.solve(b, columns);
        for (let i = 0; i < b.length; i++) b[i] *= 1 + 1e-3 * (i % size);
      },
    };
    expect(() => smallestEigenpairs(lying, { count: 5 })).toThrow(NotConverged);
    expect(() => smallestEigenpairs(problem, { count: 81 })).toThrow('81 eigenpairs');
    expect(() => smallestEigenpairs(problem, { count: 0 })).toThrow('0 eigenpairs');
  });
});

async function solveGrid(sides: readonly number[], count: number) {
  const size = sides.reduce((product, side) => product * side, 1);
  const builder = new SymmetricMatrixBuilder(size);
  for (let cell = 0; cell < size; cell++) {
    let stride = 1;
    for (const side of sides) {
      builder.add(cell, cell, 2);
      if (Math.trunc(cell / stride) % side > 0) builder.add(cell, cell - stride, -1);
      stride *= side;
    }
  }
  return solveProblem(builder.build(), undefined, 0, { count });
}

/** Sums of 2 − 2 cos(kπ / (n + 1)), one per side, ascending. */
function sidesEigenvalues(sides: readonly number[]): number[] {
  let sums = [0];
  for (const side of sides) {
    const own = Array.from({ length: side }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (side + 1)));
    sums = sums.flatMap((sum) => own.map((value) => sum + value));
  }
  return sums.sort((a, b) => a - b);
}

function addChain(builder: SymmetricMatrixBuilder, from: number, size: number): void {
  for (let k = 0; k < size; k++) {
    builder.add(from + k, from + k, 2);
    if (k > 0) builder.add(from + k, from + k - 1, -1);
  }
}

async function solveProblem(
  stiffness: SymmetricMatrix,
  mass: SymmetricMatrix | undefined,
  shift: number,
  options: EigenOptions,
) {
  return smallestEigenpairs(await createProblem(stiffness, mass, shift), options);
}

async function createProblem(
  stiffness: SymmetricMatrix,
  mass = diagonalMatrix(new Float64Array(stiffness.size).fill(1)),
  shift = 0,
): Promise<EigenProblem> {
  const factor = await factoriseSparse(addScaled(stiffness, mass, shift));
  return {
    size: stiffness.size,
    shift,
    applyStiffness: (x, y, columns) => multiply(stiffness, x, y, columns),
    applyMass: (x, y, columns) => multiply(mass, x, y, columns),
    solve: (b, columns) => factor.solve(b, columns),
  };
}
