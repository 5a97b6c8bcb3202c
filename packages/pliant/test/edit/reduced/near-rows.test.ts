import { expect, test } from 'vitest';
import { createSymmetricMatrix } from '../../../src/algebra/sparse/index.ts';
import { ContactRows } from '../../../src/edit/contact/contact-rows.ts';
import { NearRows } from '../../../src/edit/reduced/near-rows.ts';

const COUNT = 12;

/** A chain of vertices, some further apart than others; each is its own vertex of the surface. */
function createChain(): NearRows {
  const start = Int32Array.from({ length: COUNT + 1 }, (_, j) => Math.min(2 * j, 2 * COUNT - 1));
  const row = Int32Array.from({ length: 2 * COUNT - 1 }, (_, p) => (p + 1) >>> 1);
  const value = Float64Array.from(row, (_, p) => (p % 2 === 0 ? 2 : -1));
  const rest = Float64Array.from({ length: 3 * COUNT }, (_, i) => (i % 3 === 0 ? (i / 3) ** 1.2 : 0));
  return new NearRows(createSymmetricMatrix(COUNT, start, row, value), rest, (vertex) => vertex);
}

function rowBetween(vertex: number, hit: readonly number[], other = -1): ContactRows {
  const rows = new ContactRows();
  rows.add();
  rows.terms[0] = 4;
  rows.vertices.set([vertex, ...hit]);
  rows.weights.set([1, -0.3, -0.3, -0.4]);
  rows.other[0] = other;
  return rows;
}

test('contacts with what is up to four edges away are folds', () => {
  const near = createChain();
  for (let from = 0; from < COUNT; from++) {
    for (let to = 0; to + 2 < COUNT; to++) {
      const hit = [to, to + 1, to + 2];
      const nearest = Math.min(...hit.map((v) => Math.abs(v - from)));
      expect(near.isNear(rowBetween(from, hit), 0)).toBe(nearest <= 4);
    }
  }
});

test('obstacles are never near', () => {
  expect(createChain().isNear(rowBetween(0, [1, 2, 3], 0), 0)).toBe(false);
});
