import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cotangentLaplacian, createGradients } from '../../../src/edit/arap/laplacian.ts';
import {
  createShapeBasis,
  readShapeBasis,
  type ShapeBasis,
  type ShapeBasisOptions,
  writeShapeBasis,
} from '../../../src/edit/basis/index.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createTaskPool, InputError, type TaskPool } from '../../../src/index.ts';
import { inlineWorkers } from '../../worker/inline-worker.ts';
import { blockCage, cages, dense } from './cages.ts';

const RUNS = process.env.PLIANT_FULL ? 100 : 8;

const laplacianOf = ({ tetrahedra }: Cage) => cotangentLaplacian(tetrahedra, createGradients(tetrahedra));
const create = (cage: Cage, options: ShapeBasisOptions = {}) =>
  createShapeBasis(cage, laplacianOf(cage), { manipulators: 5, children: 4, ...options });

const cage = blockCage(6, 5, 4);

/** n × columns, zeros included. */
function fullWeights(basis: ShapeBasis, id: number): Float64Array {
  const { rows, columns, weights } = basis.ensure(id);
  const full = new Float64Array(basis.hierarchy.vertexCount * columns);
  rows.forEach((v, i) => {
    full.set(weights.subarray(i * columns, (i + 1) * columns), v * columns);
  });
  return full;
}

describe('projections', () => {
  const project = (basis: ShapeBasis, L: Float64Array, a: number, b: number) => {
    const n = basis.hierarchy.vertexCount;
    const A = fullWeights(basis, a),
      B = fullWeights(basis, b);
    const columnsA = A.length / n,
      columnsB = B.length / n;
    const block = new Float64Array(columnsA * columnsB);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const l = L[i * n + j];
        if (l === 0) continue;
        for (let r = 0; r < columnsA; r++) {
          for (let c = 0; c < columnsB; c++)
            block[r * columnsB + c] += A[i * columnsA + r] * l * B[j * columnsB + c];
        }
      }
    }
    return block;
  };

  test('are those of the full functions, for all pairs of groups', async () => {
    await fc.assert(
      fc.asyncProperty(cages(), async (some) => {
        const basis = await create(some);
        const L = dense(basis.laplacian);
        for (let a = 0; a < basis.groupCount; a++) {
          for (let b = 0; b < basis.groupCount; b++) {
            const block = basis.projection(a, b);
            const expected = project(basis, L, a, b);
            expect(block.length).toBe(expected.length);
            for (let k = 0; k < block.length; k++) expect(block[k]).toBeCloseTo(expected[k], 9);
            if (!basis.areCoupled(a, b)) expect(expected.every((value) => value === 0)).toBe(true);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('mirror each other exactly and fit into the bytes they are given', async () => {
    const large = await create(cage),
      small = await create(cage, { projectionBytes: 2000 });
    const last = large.groupCount - 1;
    for (const a of [0, 1, 7, 9, 12, 15, last, 1, 0]) {
      for (const b of [9, 0, last, 1, 14, 6]) {
        const block = large.projection(a, b),
          mirrored = large.projection(b, a);
        const { columns } = large.ensure(b);
        block.forEach((value, k) => {
          expect(mirrored[(k % columns) * large.ensure(a).columns + Math.floor(k / columns)]).toBe(value);
        });
        expect(small.projection(a, b)).toEqual(block);
        expect(small.projectionBytes).toBeLessThanOrEqual(2000);
        expect(large.projection(a, b)).toBe(block);
      }
    }
    expect(large.projectionBytes).toBeGreaterThan(2000);
  });
});

test('projections under way end when the basis is disposed of', async () => {
  const basis = await create(cage);
  const again = readShapeBasis(writeShapeBasis(basis), 'cage.basis', cage, laplacianOf(cage));
  const work = again.prepareProjections({ slice: 1e-3 });
  again.dispose();
  again.dispose(); // once more does no harm
  await expect(work).rejects.toThrow('disposed');
  expect(() => again.projection(0, 1)).toThrow('disposed');
  expect(basis.projection(0, 1).length).toBeGreaterThan(0);
});

describe('groups', () => {
  test('are found around every vertex, with their parents and children', async () => {
    const basis = await create(cage);
    const { hierarchy: h } = basis;
    for (let v = 0; v < h.vertexCount; v++) {
      expect(basis.groupAt(0, v)).toBe(0);
      expect(basis.groupAt(h.levels, v)).toBe(-1);
      for (let level = 1; level < h.levels; level++) {
        const id = basis.groupAt(level, v);
        if (id < 0) continue;
        expect(basis.levelOf(id)).toBe(level);
        expect(basis.parent(id)).toBe(basis.groupAt(level - 1, v));
        expect(basis.childGroups(basis.parent(id))).toContain(id);
        const { rows } = basis.ensure(id);
        const isEarlier = h.vertex.indexOf(v) < h.groupStart[id]; // a manipulator of a level above
        if (!isEarlier) expect(rows).toContain(v);
      }
    }
    for (let id = 0; id < basis.groupCount; id++) {
      const { rows, level } = basis.ensure(id);
      const beside = new Set(
        Array.from(rows, (v) => basis.groupAt(level, v)).filter((g) => g >= 0 && g !== id),
      );
      expect(new Set(basis.neighbours(id))).toEqual(beside);
    }
    expect(basis.parent(0)).toBe(-1);
    expect(basis.global.rows.length).toBe(h.vertexCount);
    expect(() => basis.ensure(basis.groupCount)).toThrow('there is no group');
    expect(() => basis.group(0.5)).toThrow(InputError);
  });

  test('clusters split those above', async () => {
    const basis = await create(cage);
    expect(new Set(basis.clusters(0)).size).toBe(basis.global.columns);
    for (let level = 1; level < basis.levels + 2; level++) {
      const coarse = basis.clusters(level - 1);
      const parentOf = new Map<number, number>();
      basis.clusters(level).forEach((label, v) => {
        if (!parentOf.has(label)) parentOf.set(label, coarse[v]);
        expect(coarse[v]).toBe(parentOf.get(label));
      });
      expect(parentOf.size).toBeGreaterThanOrEqual(new Set(coarse).size);
      expect(Math.max(...parentOf.keys())).toBe(parentOf.size - 1);
    }
  });

  test('are the same when they come late, early, in slices or at once', async () => {
    const all = await create(cage, { prepared: 9 }),
      none = await create(cage, { prepared: 0 });
    expect(none.isReady(1)).toBe(false);
    const ids = Array.from({ length: all.groupCount }, (_, id) => id);
    none.prefetch(ids);
    const third = none.ensure(3);
    const later = await none.ensureAsync(ids, { slice: 0.01 });
    expect(later[3]).toBe(third);
    for (const id of ids) expect(none.group(id)).toEqual(all.group(id));
  });
});

describe('with workers', () => {
  let pool: TaskPool;
  beforeAll(async () => {
    pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
  });
  afterAll(() => pool.dispose());

  test('everything is the same, to the last bit', async () => {
    const here = await create(cage),
      there = await create(cage, { pool });
    expect(there.hierarchy).toEqual(here.hierarchy);
    expect(there.readyGroups()).toEqual(here.readyGroups());
    const deep = here.groupCount - 1;
    const [late] = await there.ensureAsync([deep]);
    expect(late).toEqual(here.ensure(deep));
    there.dispose();
    await expect(there.ensureAsync([deep - 1])).rejects.toThrow('disposed');
  });

  test.each([true, false])('progress rises to 1, and an abort ends it (pool: %s)', async (isPooled) => {
    const options = isPooled ? { pool } : {};
    const shares: number[] = [];
    await create(cage, { ...options, slice: 0.1, onProgress: (share) => shares.push(share) });
    for (let k = 1; k < shares.length; k++) expect(shares[k]).toBeGreaterThanOrEqual(shares[k - 1]);
    expect(shares[shares.length - 1]).toBe(1);
    for (const when of [0, 0.05, 0.3]) {
      const stop = new AbortController();
      const reason = new Error('enough');
      const onProgress = (share: number) => {
        if (share >= when) stop.abort(reason);
      };
      await expect(create(cage, { ...options, slice: 0.1, signal: stop.signal, onProgress })).rejects.toBe(
        reason,
      );
    }
  });
});

test('bad options are refused', async () => {
  const L = laplacianOf(cage);
  const cases = [
    { manipulators: 3 },
    { children: 1 },
    { levels: 0 },
    { prepared: -1 },
    { projectionBytes: Number.NaN },
    { manipulators: 7.5 },
    { slice: 0 },
  ];
  for (const options of cases) {
    await expect(createShapeBasis(cage, L, options)).rejects.toMatchObject({ code: 'bad-option' });
  }
  const other = laplacianOf(blockCage(2, 2, 2));
  await expect(createShapeBasis(cage, other)).rejects.toMatchObject({ code: 'mismatch' });
});
