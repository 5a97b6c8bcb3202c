import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatForAxes, SymmetricMatrixBuilder } from '../../../src/algebra/sparse/matrix-builder.ts';
import {
  addScaled,
  checkSymmetricMatrix,
  createSymmetricMatrix,
  diagonalMatrix,
  isSamePattern,
  multiply,
  permuteSymmetric,
  type SymmetricMatrix,
} from '../../../src/algebra/sparse/symmetric-matrix.ts';
import { definiteMatrix, randomNumbers, toDense } from './matrices.ts';

const RUNS = process.env.PLIANT_FULL ? 2000 : 200;

/** Contributions to blocks, in any order and with repeats. */
function contributions(maxNodes = 8) {
  return fc
    .record({ nodes: fc.integer({ min: 1, max: maxNodes }), b: fc.constantFrom(1, 2, 3) })
    .chain(({ nodes, b }) =>
      fc.record({
        nodes: fc.constant(nodes),
        b: fc.constant(b),
        list: fc.array(
          fc.tuple(
            fc.nat(nodes - 1),
            fc.nat(nodes - 1),
            fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: b * b, maxLength: b * b }),
          ),
          { maxLength: 40 },
        ),
      }),
    );
}

describe('a builder', () => {
  test('sums contributions in the order in which they came', () => {
    fc.assert(
      fc.property(contributions(), ({ nodes, b, list }) => {
        const size = nodes * b;
        const builder = new SymmetricMatrixBuilder(size, { blockSize: b, expected: 1 });
        const expected = new Float64Array(size * size);
        for (const [i, j, block] of list) {
          builder.addBlock(i, j, block);
          for (let r = 0; r < b; r++) {
            for (let c = 0; c < b; c++) {
              if (i === j && c > r) continue;
              const at = i * b + r,
                other = j * b + c;
              expected[at * size + other] += block[r * b + c];
              if (at !== other) expected[other * size + at] += block[r * b + c];
            }
          }
        }
        const matrix = builder.build();
        checkSymmetricMatrix(matrix);
        expect(toDense(matrix)).toEqual(expected);
        expect(isSamePattern(builder.build(), matrix)).toBe(true); // building changes nothing
      }),
      { numRuns: RUNS },
    );
  });

  test('refuses what is not there or not finite', () => {
    const builder = new SymmetricMatrixBuilder(3);
    expect(() => builder.add(3, 0, 1)).toThrow('entry (3, 0) is outside a matrix of 3');
    expect(() => builder.add(0, -1, 1)).toThrow('outside');
    expect(() => builder.add(Number.NaN, 0, 1)).toThrow('outside');
    expect(() => new SymmetricMatrixBuilder(4, { blockSize: 3 })).toThrow(
      'blockSize 3 does not divide the size 4',
    );
    expect(() => new SymmetricMatrixBuilder(-1)).toThrow('size');
    builder.add(2, 1, Number.NaN);
    expect(() => builder.build()).toThrow('the entry in row 2, column 1 adds up to NaN');
    expect(() => new SymmetricMatrixBuilder(3, { blockSize: 3 }).add(0, 0, 1)).toThrow('addBlock');
  });
});

describe('operations', () => {
  test('multiply is the dense product, and several columns are each as alone', () => {
    fc.assert(
      fc.property(definiteMatrix(20), fc.nat(), (matrix, seed) => {
        const { size } = matrix;
        const random = randomNumbers(seed);
        const x = Float64Array.from({ length: 3 * size }, () => random() - 0.5);
        const y = new Float64Array(3 * size);
        multiply(matrix, x, y, 3);
        const dense = toDense(matrix);
        for (let c = 0; c < 3; c++) {
          const alone = new Float64Array(size);
          multiply(matrix, x.subarray(c * size, (c + 1) * size), alone);
          expect(y.subarray(c * size, (c + 1) * size)).toEqual(alone);
          for (let i = 0; i < size; i++) {
            let sum = 0;
            for (let j = 0; j < size; j++) sum += dense[i * size + j] * x[c * size + j];
            expect(alone[i]).toBeCloseTo(sum, 10);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('addScaled adds, on equal and on different patterns', () => {
    fc.assert(
      fc.property(definiteMatrix(20), fc.nat(), (a, seed) => {
        const random = randomNumbers(seed);
        const diagonal = diagonalMatrix(Float64Array.from({ length: a.size }, () => random()));
        const same: SymmetricMatrix = { ...a, value: a.value.map(() => random()) };
        for (const b of [diagonal, same]) {
          const sum = addScaled(a, b, 0.25);
          checkSymmetricMatrix(sum);
          const denseA = toDense(a),
            denseB = toDense(b);
          expect(toDense(sum)).toEqual(denseA.map((v, k) => v + 0.25 * denseB[k]));
          const swapped = addScaled(b, a, 0.25);
          checkSymmetricMatrix(swapped);
          expect(toDense(swapped)).toEqual(denseB.map((v, k) => v + 0.25 * denseA[k]));
        }
        expect(addScaled(a, same, 2).row).toBe(a.row); // an equal pattern is shared
      }),
      { numRuns: RUNS },
    );
  });

  test('permuteSymmetric moves rows and columns', () => {
    fc.assert(
      fc.property(definiteMatrix(15), fc.nat(), (matrix, seed) => {
        const { size } = matrix;
        const random = randomNumbers(seed);
        const order = Int32Array.from({ length: size }, (_, i) => i);
        for (let i = size - 1; i > 0; i--) {
          const j = Math.floor(random() * (i + 1));
          [order[i], order[j]] = [order[j], order[i]];
        }
        const moved = permuteSymmetric(matrix, order);
        checkSymmetricMatrix(moved);
        const from = toDense(matrix),
          to = toDense(moved);
        for (let i = 0; i < size; i++)
          for (let j = 0; j < size; j++) expect(to[i * size + j]).toBe(from[order[i] * size + order[j]]);
      }),
      { numRuns: RUNS },
    );
    expect(() => permuteSymmetric(diagonalMatrix([1, 2]), Int32Array.of(0, 0))).toThrow('not a permutation');
  });

  test('repeatForAxes applies the matrix to each axis', () => {
    const matrix = createSymmetricMatrix(
      2,
      Int32Array.of(0, 2, 3),
      Int32Array.of(0, 1, 1),
      Float64Array.of(4, 1, 3),
    );
    const three = repeatForAxes(matrix, 3);
    checkSymmetricMatrix(three);
    const x = Float64Array.of(1, 10, 100, 2, 20, 200),
      y = new Float64Array(6);
    multiply(three, x, y);
    expect(y).toEqual(Float64Array.of(6, 60, 600, 7, 70, 700));
  });
});

describe('a matrix at the door', () => {
  const start = Int32Array.of(0, 2, 3),
    row = Int32Array.of(0, 1, 1),
    value = Float64Array.of(2, 1, 2);
  test.each([
    ['a start too short', 2, start.subarray(1), row, value, 'start has 2 numbers, expected 3'],
    [
      'a missing diagonal',
      2,
      Int32Array.of(0, 1, 2),
      Int32Array.of(0, 0),
      value.subarray(1),
      'column 1 does not begin',
    ],
    [
      'an empty column',
      2,
      Int32Array.of(0, 2, 2),
      Int32Array.of(0, 1),
      value.subarray(1),
      'column 1 does not begin',
    ],
    [
      'rows out of order',
      2,
      Int32Array.of(0, 3, 4),
      Int32Array.of(0, 1, 1, 1),
      Float64Array.of(1, 1, 1, 1),
      'follows',
    ],
    ['a row too large', 2, start, Int32Array.of(0, 2, 1), value, 'column 0: row 2 follows row 0 of 2'],
    ['NaN', 2, start, row, Float64Array.of(2, Number.NaN, 2), 'the entry in row 1, column 0 is NaN'],
    ['infinity', 2, start, row, Float64Array.of(2, 1, Infinity), 'the entry in row 1, column 1 is Infinity'],
    ['values too few', 2, start, row, value.subarray(1), 'value has 2 numbers, expected 3'],
    ['a fraction of a size', 1.5, start, row, value, 'whole number'],
  ])('%s is refused', (_, size, s, r, v, message) => {
    expect(() => createSymmetricMatrix(size, s, r, v)).toThrow(message);
  });

  test('a good one is taken as it is, an empty one too', () => {
    expect(createSymmetricMatrix(2, start, row, value).value).toBe(value);
    const none = createSymmetricMatrix(0, new Int32Array(1), new Int32Array(0), new Float64Array(0));
    expect(none.size).toBe(0);
  });
});
