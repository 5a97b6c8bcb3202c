import type { FunctionGroup } from '../../../src/edit/basis/group-memory.ts';
import { ContactRows } from '../../../src/edit/contact/contact-rows.ts';
import type { ReducedSource, SurfaceRows } from '../../../src/edit/reduced/reduced-system.ts';
import type { Kernels } from '../../../src/kernels/kernels.ts';
import { arrayStore, KernelMemory } from '../../../src/kernels/memory.ts';
import { createTsKernels } from '../../../src/kernels/ts-kernels.ts';
import { createWasmKernels } from '../../../src/kernels/wasm-kernels.ts';

export const wasm = await createWasmKernels();
export const ts: Kernels = createTsKernels(new KernelMemory(arrayStore(1 << 20)));

/** Numbers in [-1, 1) that look random and are the same each time. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** A path graph's Laplacian with random weights, functions with random values, and a surface hung on its vertices. */
export interface RandomSystem extends ReducedSource {
  readonly vertexCount: number;
  readonly laplacian: Float64Array; // n × n
  readonly groups: FunctionGroup[];
  readonly surface: SurfaceRows;
  readonly surfaceCount: number;
}

export function createRandomSystem(
  seed: number,
  vertexCount: number,
  columns: readonly number[],
): RandomSystem {
  const random = generator(seed);
  const laplacian = new Float64Array(vertexCount * vertexCount);
  const link = (i: number, j: number) => {
    const w = 1.5 + random();
    laplacian[i * vertexCount + i] += w;
    laplacian[j * vertexCount + j] += w;
    laplacian[i * vertexCount + j] -= w;
    laplacian[j * vertexCount + i] -= w;
  };
  for (let i = 1; i < vertexCount; i++) link(i, i - 1);
  for (let i = 2; i < vertexCount; i++) link(i, Math.floor(((random() + 1) / 2) * (i - 1)));
  const groups = columns.map((count, id): FunctionGroup => {
    const rows =
      id === 0
        ? Uint32Array.from({ length: vertexCount }, (_, i) => i)
        : Uint32Array.from({ length: vertexCount }, (_, i) => i).filter(() => random() < 0.2);
    const weights = Float32Array.from({ length: rows.length * count }, () => random());
    if (id === 0) {
      // Constants are in the span of the global functions, as in a real basis.
      for (let i = 0; i < vertexCount; i++) {
        let sum = 0;
        for (let k = 1; k < count; k++)
          sum += weights[i * count + k] = Math.fround(weights[i * count + k] / 8);
        weights[i * count] = 1 - sum;
      }
    }
    return { id, rows, columns: count, weights };
  });
  const surfaceCount = 2 * vertexCount;
  const surface: SurfaceRows = {
    influences: 2,
    // No two vertices hang alike.
    controls: Uint32Array.from({ length: 2 * surfaceCount }, (_, k) => {
      const own = (k >>> 1) % vertexCount;
      return k % 2 === 0 ? own : (own + (k < 2 * vertexCount ? 1 : 5)) % vertexCount;
    }),
    weights: Float64Array.from({ length: 2 * surfaceCount }, (_, k) => (k % 2 ? 0.3 : 0.7)),
  };
  const projection = (a: number, b: number) => {
    const A = dense(groups[a], vertexCount),
      B = dense(groups[b], vertexCount);
    const out = new Float64Array(groups[a].columns * groups[b].columns);
    for (let i = 0; i < groups[a].columns; i++) {
      for (let j = 0; j < groups[b].columns; j++) {
        let sum = 0;
        for (let r = 0; r < vertexCount; r++) {
          for (let s = 0; s < vertexCount; s++) {
            const l = laplacian[r * vertexCount + s];
            if (l !== 0) sum += A[r * groups[a].columns + i] * l * B[s * groups[b].columns + j];
          }
        }
        out[i * groups[b].columns + j] = sum;
      }
    }
    return out;
  };
  return { vertexCount, laplacian, groups, global: groups[0], surface, surfaceCount, projection };
}

function dense({ rows, columns, weights }: FunctionGroup, vertexCount: number): Float64Array {
  const out = new Float64Array(vertexCount * columns);
  rows.forEach((row, i) => {
    out.set(weights.subarray(i * columns, (i + 1) * columns), row * columns);
  });
  return out;
}

/** Rows of U at vertices of the surface, of the groups listed. */
export function denseRow(system: RandomSystem, ids: readonly number[], vertex: number): number[] {
  const { surface, vertexCount } = system;
  return ids.flatMap((id) => {
    const U = dense(system.groups[id], vertexCount),
      { columns } = system.groups[id];
    return Array.from({ length: columns }, (_, c) => {
      let sum = 0;
      for (let k = 2 * vertex; k < 2 * vertex + 2; k++) {
        sum += surface.weights[k] * U[surface.controls[k] * columns + c];
      }
      return sum;
    });
  });
}

/** Contact rows on random vertices that are not held: every other between two of them. */
export function randomContacts(
  system: RandomSystem,
  seed: number,
  count: number,
  held: Iterable<number>,
): ContactRows {
  const random = generator(seed);
  const rows = new ContactRows();
  const taken = new Set(held);
  const pick = () => {
    for (;;) {
      const vertex = Math.floor(((random() + 1) / 2) * system.surfaceCount);
      if (!taken.has(vertex)) return vertex;
    }
  };
  for (let i = 0; i < count; i++) {
    const row = rows.add();
    const isSelf = i % 2 === 1;
    rows.terms[row] = isSelf ? 4 : 1;
    const weights = isSelf ? [1, -0.2, -0.3, -0.5] : [1, 0, 0, 0];
    for (let k = 0; k < 4; k++) {
      rows.vertices[4 * row + k] = pick();
      rows.weights[4 * row + k] = weights[k];
    }
    const n = [random(), random(), random()];
    const length = Math.hypot(...n);
    for (let k = 0; k < 3; k++) rows.normal[3 * row + k] = n[k] / length;
    rows.offset[row] = 0.5 * random();
    rows.key[row] = i;
    rows.other[row] = isSelf ? -1 : 0;
  }
  return rows;
}

/** Gaussian elimination with pivoting: the oracle. */
export function solvePlainly(matrix: number[][], right: number[]): number[] {
  const n = right.length;
  const A = matrix.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A[i][k]) > Math.abs(A[p][k])) p = i;
    [A[k], A[p]] = [A[p], A[k]];
    for (let i = k + 1; i < n; i++) {
      const f = A[i][k] / A[k][k];
      if (f === 0) continue;
      for (let j = k; j <= n; j++) A[i][j] -= f * A[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = A[i][n];
    for (let j = i + 1; j < n; j++) sum -= A[i][j] * x[j];
    x[i] = sum / A[i][i];
  }
  return x;
}
