import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/algebra/sparse/analysis.ts';
import { walkTree } from '../../../src/algebra/sparse/elimination-tree.ts';
import { detectBlockSize, type Graph, graphOf } from '../../../src/algebra/sparse/graph.ts';
import { repeatForAxes } from '../../../src/algebra/sparse/matrix-builder.ts';
import { orderByMinimumDegree } from '../../../src/algebra/sparse/minimum-degree.ts';
import { orderByNestedDissection } from '../../../src/algebra/sparse/nested-dissection.ts';
import { factoriseUpLooking } from '../../../src/algebra/sparse/up-looking.ts';
import { definite, definiteMatrix, type Edge, edges, latticeLaplacian, randomNumbers } from './matrices.ts';

const RUNS = process.env.PLIANT_FULL ? 3000 : 300;

function graphFrom(size: number, list: readonly Edge[]): Graph {
  return graphOf(definite(size, list, 1, 1));
}

function expectPermutation(order: Int32Array, size: number): void {
  expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));
}

/** Entries of L, by eliminating sets of neighbours one after another. */
function bruteForceFill(graph: Graph, order: Int32Array): { counts: Int32Array; total: number } {
  const near = neighbourSets(graph);
  const counts = new Int32Array(graph.size);
  order.forEach((node, k) => {
    counts[k] = 1 + near[node].size;
    eliminate(near, node);
  });
  return { counts, total: counts.reduce((a, b) => a + b, 0) };
}

function neighbourSets({ size, start, neighbour }: Graph): Set<number>[] {
  return Array.from({ length: size }, (_, i) => new Set(neighbour.subarray(start[i], start[i + 1])));
}

function eliminate(near: Set<number>[], node: number): void {
  const around = [...near[node]];
  for (const a of around) {
    near[a].delete(node);
    for (const b of around) if (a !== b) near[a].add(b);
  }
  near[node].clear();
}

/** Always a node with the fewest neighbours, counted exactly; the first of equal ones. */
function exactMinimumDegree(graph: Graph): Int32Array {
  const near = neighbourSets(graph);
  const left = new Set(near.keys());
  const order: number[] = [];
  while (left.size > 0) {
    let best = -1;
    for (const i of left) if (best < 0 || near[i].size < near[best].size) best = i;
    order.push(best);
    left.delete(best);
    eliminate(near, best);
  }
  return Int32Array.from(order);
}

describe('the graph of a matrix', () => {
  test('has both directions in ascending order, of single unknowns and of blocks', () => {
    fc.assert(
      fc.property(edges(20), fc.constantFrom(1, 3), ({ size, edges: list }, b) => {
        const graph = graphOf(definite(size, list, 7, 1, b), b);
        const expected = Array.from({ length: size }, () => new Set<number>());
        for (const [i, j] of list) {
          if (i === j) continue;
          expected[i].add(j);
          expected[j].add(i);
        }
        expected.forEach((near, i) => {
          const found = Array.from(graph.neighbour.subarray(graph.start[i], graph.start[i + 1]));
          expect(found).toEqual([...near].sort((a, c) => a - c));
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('full 3×3 blocks are noticed, others are not', () => {
    fc.assert(
      fc.property(edges(12), ({ size, edges: list }) => {
        expect(detectBlockSize(definite(size, list, 3, 1, 3))).toBe(3);
        expect(detectBlockSize(repeatForAxes(definite(size, list, 3, 1), 3))).toBe(1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('column counts', () => {
  test('are those of brute-force elimination and of the plain factor', () => {
    fc.assert(
      fc.property(definiteMatrix(30), fc.boolean(), (matrix, natural) => {
        const graph = graphOf(matrix);
        const chosen = natural
          ? Int32Array.from({ length: graph.size }, (_, i) => i)
          : orderByMinimumDegree(graph);
        const { order, counts, parent } = walkTree(graph, chosen);
        expectPermutation(order, graph.size);
        expect(counts).toEqual(bruteForceFill(graph, order).counts);
        const plain = factoriseUpLooking(matrix, order);
        expect(counts).toEqual(Int32Array.from(counts, (_, j) => plain.start[j + 1] - plain.start[j]));
        // The parent is the first row below the diagonal, and a postorder does not change the fill.
        parent.forEach((p, j) => {
          expect(p).toBe(counts[j] > 1 ? plain.row[plain.start[j] + 1] : -1);
        });
        expect(bruteForceFill(graph, chosen).total).toBe(plain.row.length);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('minimum degree', () => {
  test('is a permutation with at most 1.5 times the fill of exact minimum degree', () => {
    fc.assert(
      fc.property(edges(40), ({ size, edges: list }) => {
        const graph = graphFrom(size, list);
        const order = orderByMinimumDegree(graph);
        expectPermutation(order, size);
        const exact = bruteForceFill(graph, exactMinimumDegree(graph)).total;
        expect(bruteForceFill(graph, order).total).toBeLessThanOrEqual(1.5 * exact);
      }),
      { numRuns: RUNS },
    );
  });

  test('the natural order would fail that test', () => {
    const arrow = graphFrom(
      30,
      Array.from({ length: 29 }, (_, k): Edge => [k + 1, 0]),
    );
    const natural = Int32Array.from({ length: 30 }, (_, i) => i);
    const exact = bruteForceFill(arrow, exactMinimumDegree(arrow)).total;
    expect(bruteForceFill(arrow, natural).total).toBeGreaterThan(1.5 * exact);
  });

  test('trees and arrows have no fill', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { maxLength: 400 }), (parents) => {
        const graph = graphFrom(
          parents.length + 1,
          parents.map((p, k): Edge => [k + 1, p % (k + 1)]),
        );
        const { counts } = walkTree(graph, orderByMinimumDegree(graph));
        expect(counts.reduce((a, b) => a + b, 0)).toBe(2 * parents.length + 1);
      }),
      { numRuns: 60 },
    );
  });

  test('nodes joined to nearly all come last', () => {
    const size = 600;
    const list: Edge[] = [];
    for (let i = 3; i < size; i++) for (let hub = 0; hub < 3; hub++) list.push([i, hub]);
    for (let i = 4; i < size; i++) list.push([i, i - 1]);
    const order = orderByMinimumDegree(graphFrom(size, list));
    expectPermutation(order, size);
    expect(Array.from(order.slice(-3)).sort()).toEqual([0, 1, 2]);
  });
});

describe('nested dissection', () => {
  test('is a permutation, whatever the graph', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 1500 }),
        fc.nat(3),
        fc.boolean(),
        (seed, size, density, points) => {
          const random = randomNumbers(seed);
          const list = Array.from({ length: density * size }, (): Edge => {
            const i = Math.floor(random() * size);
            return [i, Math.floor(random() ** 3 * size)]; // some have many neighbours; there are several components
          });
          const graph = graphFrom(size, list);
          const at = points
            ? Float64Array.from({ length: 3 * size }, () => Math.floor(4 * random()))
            : undefined;
          expectPermutation(orderByNestedDissection(graph, at), size);
        },
      ),
      { numRuns: process.env.PLIANT_FULL ? 300 : 30 },
    );
  });

  test('long chains and many small pieces are cut without deep recursion', () => {
    const size = 30_000;
    const chain = graphFrom(
      size,
      Array.from({ length: size - 1 }, (_, k): Edge => [k + 1, k]),
    );
    const { counts } = walkTree(chain, orderByNestedDissection(chain));
    expect(counts.reduce((a, b) => a + b, 0)).toBeLessThan(3.1 * size); // minimum degree: 2, separators add a little
    const pieces = graphFrom(
      size,
      Array.from({ length: size / 2 }, (_, k): Edge => [2 * k + 1, 2 * k]),
    );
    expectPermutation(orderByNestedDissection(pieces), size);
  });
});

describe('on lattices', () => {
  // The table of the design note, for a cage of the same kind: 1.06 M entries and 0.31 GFlop with minimum degree at
  // 10k nodes. A box is thicker than an armadillo.
  test('minimum degree at 10k nodes', () => {
    const { matrix } = latticeLaplacian(17, 17, 17);
    const cube = analyse(matrix, { ordering: 'minimum-degree' });
    expect(cube.nonZeros).toBeLessThan(1.3e6);
    expect(cube.flops).toBeLessThan(0.6e9);
    const bar = analyse(latticeLaplacian(9, 9, 60).matrix, { ordering: 'minimum-degree' });
    expect(bar.nonZeros).toBeLessThan(1.06e6);
    expect(bar.flops).toBeLessThan(0.31e9);
  });

  test('nested dissection across points causes less than half the work', () => {
    const { matrix, points } = latticeLaplacian(17, 17, 17);
    const byDegree = analyse(matrix, { ordering: 'minimum-degree' });
    const byPoints = analyse(matrix, { ordering: 'nested-dissection', points });
    const byGraph = analyse(matrix, { ordering: 'nested-dissection' });
    expect(byPoints.flops).toBeLessThan(0.5 * byDegree.flops);
    expect(byGraph.flops).toBeLessThan(1.1 * byDegree.flops);
  });

  test.runIf(process.env.PLIANT_FULL !== undefined)('nested dissection at 49k nodes', () => {
    const { matrix, points } = latticeLaplacian(28, 28, 30);
    const { nonZeros, flops } = analyse(matrix, { points });
    expect(nonZeros).toBeLessThan(16.3e6); // the table
    expect(flops).toBeLessThan(15.5e9);
  });
});
