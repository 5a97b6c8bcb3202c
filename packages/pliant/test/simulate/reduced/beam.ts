import { createTetrahedralMesh, type TetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import type { Material } from '../../../src/simulate/material.ts';

export interface ModalBox {
  readonly mesh: TetrahedralMesh;
  readonly material: Material;
  readonly modes: Float64Array;
  readonly eigenvalues: Float64Array;
}

type IsSolid = (i: number, j: number, k: number) => boolean;

/** A box of nx × ny × nz cells, six tetrahedra each, around the origin; without the cells that are not solid. */
export function createBoxMesh(
  cells: readonly number[],
  size: readonly number[],
  isSolid: IsSolid = () => true,
): TetrahedralMesh {
  const [nx, ny, nz] = cells;
  const at = (i: number, j: number, k: number) => (k * (ny + 1) + j) * (nx + 1) + i;
  const positions: number[] = [],
    tetrahedra: number[] = [];
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        positions.push((i / nx - 0.5) * size[0], (j / ny - 0.5) * size[1], (k / nz - 0.5) * size[2]);
      }
    }
  }
  const orders = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx'];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        if (!isSolid(i, j, k)) continue;
        for (const order of orders) {
          const corner = [i, j, k];
          tetrahedra.push(at(i, j, k));
          for (const axis of order) {
            corner['xyz'.indexOf(axis)]++;
            tetrahedra.push(at(corner[0], corner[1], corner[2]));
          }
        }
      }
    }
  }
  const used = [...new Set(tetrahedra)].sort((a, b) => a - b);
  const place = new Map(used.map((v, k) => [v, k]));
  return createTetrahedralMesh({
    positions: used.flatMap((v) => positions.slice(3 * v, 3 * v + 3)),
    tetrahedra: tetrahedra.map((v) => place.get(v)!),
  });
}

/** Its lowest modes: free, without the six rigid ones, or held at the vertices that `isHeld` says. */
export function createModalBox(
  cells: readonly number[],
  size: readonly number[],
  count: number,
  material: Material,
  isHeld?: (x: number, y: number, z: number) => boolean,
  isSolid?: IsSolid,
): ModalBox {
  const mesh = createBoxMesh(cells, size, isSolid);
  const { positions: p, vertexCount } = mesh;
  const free: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (isHeld?.(p[3 * v], p[3 * v + 1], p[3 * v + 2])) continue;
    free.push(3 * v, 3 * v + 1, 3 * v + 2);
  }
  const { K, M } = assemble(mesh, material);
  const n = free.length;
  const pick = (A: Float64Array) => {
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) out[i * n + j] = A[free[i] * 3 * vertexCount + free[j]];
    return out;
  };
  const { values, vectors } = solveGeneralised(pick(K), pick(M), n);
  const skipped = isHeld === undefined ? 6 : 0;
  const modes = new Float64Array(count * 3 * vertexCount);
  for (let m = 0; m < count; m++) {
    for (let i = 0; i < n; i++) modes[m * 3 * vertexCount + free[i]] = vectors[(m + skipped) * n + i];
  }
  return { mesh, material, modes, eigenvalues: values.slice(skipped, skipped + count) };
}

/** Linear stiffness and consistent mass, full matrices. */
export function assemble(mesh: TetrahedralMesh, { young, poisson, density }: Material) {
  const size = 3 * mesh.vertexCount;
  const K = new Float64Array(size * size),
    M = new Float64Array(size * size);
  const lambda = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
    mu = young / (2 * (1 + poisson));
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    const { gradients: g, volume } = restGradients(mesh, t);
    const corners = mesh.tetrahedra.subarray(4 * t, 4 * t + 4);
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 4; b++) {
        const dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            const k = lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i] + (i === j ? mu * dot : 0);
            K[(3 * corners[a] + i) * size + 3 * corners[b] + j] += volume * k;
          }
          const m = ((a === b ? 2 : 1) / 20) * density * volume;
          M[(3 * corners[a] + i) * size + 3 * corners[b] + i] += m;
        }
      }
    }
  }
  return { K, M };
}

/** Gradients of the four hat functions, by Cramer's rule. */
export function restGradients(mesh: TetrahedralMesh, t: number): { gradients: number[][]; volume: number } {
  const at = (c: number) => [
    ...mesh.positions.subarray(3 * mesh.tetrahedra[4 * t + c], 3 * mesh.tetrahedra[4 * t + c] + 3),
  ];
  const [a, b, c, d] = [0, 1, 2, 3].map(at);
  const edges = [b, c, d].map((p) => p.map((x, k) => x - a[k]));
  const cross = (u: number[], v: number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const [u, v, w] = edges;
  const det = u[0] * cross(v, w)[0] + u[1] * cross(v, w)[1] + u[2] * cross(v, w)[2];
  const rows = [cross(v, w), cross(w, u), cross(u, v)].map((row) => row.map((x) => x / det));
  const first = [0, 1, 2].map((k) => -rows[0][k] - rows[1][k] - rows[2][k]);
  return { gradients: [first, ...rows], volume: Math.abs(det) / 6 };
}

/** Energy and gradient of St. Venant-Kirchhoff on the full mesh, from F = I + ∇u, S = λ tr E + 2μ E, P = F S. */
export function directStVK(
  mesh: TetrahedralMesh,
  { young, poisson }: Material,
  u: Float64Array,
  weights?: ArrayLike<number>,
): { energy: number; gradient: Float64Array } {
  const lambda = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
    mu = young / (2 * (1 + poisson));
  const gradient = new Float64Array(u.length);
  const range = [0, 1, 2];
  let energy = 0;
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    const { gradients: g, volume } = restGradients(mesh, t);
    const weight = volume * (weights?.[t] ?? 1);
    const corners = mesh.tetrahedra.subarray(4 * t, 4 * t + 4);
    const F = range.map((i) =>
      range.map((j) => corners.reduce((s, c, a) => s + u[3 * c + i] * g[a][j], i === j ? 1 : 0)),
    );
    const E = range.map((i) =>
      range.map((j) => (range.reduce((s, k) => s + F[k][i] * F[k][j], 0) - (i === j ? 1 : 0)) / 2),
    );
    const trace = E[0][0] + E[1][1] + E[2][2];
    const squared = E.flat().reduce((s, x) => s + x * x, 0);
    energy += weight * ((lambda / 2) * trace * trace + mu * squared);
    const S = E.map((row, i) => row.map((x, j) => 2 * mu * x + (i === j ? lambda * trace : 0)));
    const P = F.map((row) => range.map((j) => row.reduce((s, x, k) => s + x * S[k][j], 0)));
    corners.forEach((c, a) => {
      for (const i of range) gradient[3 * c + i] += weight * range.reduce((s, j) => s + P[i][j] * g[a][j], 0);
    });
  }
  return { energy, gradient };
}

/** Eigenpairs of K x = λ M x, ascending, x M-orthonormal: M = L Lᵀ and Jacobi's rotations. Vectors are rows. */
export function solveGeneralised(
  K: Float64Array,
  M: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array } {
  const L = M.slice();
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = L[i * n + j];
      for (let k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = i === j ? Math.sqrt(sum) : sum / L[j * n + j];
    }
  }
  const A = K.slice();
  for (let pass = 0; pass < 2; pass++) {
    // A ← (L⁻¹ A)ᵀ, twice.
    for (let c = 0; c < n; c++) {
      for (let i = 0; i < n; i++) {
        let sum = A[i * n + c];
        for (let k = 0; k < i; k++) sum -= L[i * n + k] * A[k * n + c];
        A[i * n + c] = sum / L[i * n + i];
      }
    }
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) [A[i * n + j], A[j * n + i]] = [A[j * n + i], A[i * n + j]];
  }
  const V = jacobi(A, n);
  const order = [...Array(n).keys()].sort((a, b) => A[a * n + a] - A[b * n + b]);
  const vectors = new Float64Array(n * n);
  order.forEach((k, m) => {
    for (let i = n - 1; i >= 0; i--) {
      let sum = V[k * n + i];
      for (let j = i + 1; j < n; j++) sum -= L[j * n + i] * vectors[m * n + j];
      vectors[m * n + i] = sum / L[i * n + i];
    }
  });
  return { values: Float64Array.from(order, (k) => A[k * n + k]), vectors };
}

/** Makes a symmetric matrix diagonal in place; returns its eigenvectors as rows. */
function jacobi(A: Float64Array, n: number): Float64Array {
  const V = new Float64Array(n * n);
  for (let i = 0; i < n; i++) V[i * n + i] = 1;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0,
      all = 0;
    for (let i = 0; i < n * n; i++) {
      all += A[i] * A[i];
      if (i % (n + 1) !== 0) off += A[i] * A[i];
    }
    if (off <= 1e-26 * all) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const apq = A[p * n + q];
        if (Math.abs(apq) < 1e-300) continue;
        const theta = (A[q * n + q] - A[p * n + p]) / (2 * apq);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1),
          s = t * c;
        for (let k = 0; k < n; k++) {
          const x = A[k * n + p],
            y = A[k * n + q];
          A[k * n + p] = c * x - s * y;
          A[k * n + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const x = A[p * n + k],
            y = A[q * n + k];
          A[p * n + k] = c * x - s * y;
          A[q * n + k] = s * x + c * y;
          const v = V[p * n + k],
            w = V[q * n + k];
          V[p * n + k] = c * v - s * w;
          V[q * n + k] = s * v + c * w;
        }
      }
    }
  }
  return V;
}
