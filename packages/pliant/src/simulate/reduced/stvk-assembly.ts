import { tetrahedronGradients } from '../../mesh/tetrahedron-gradients.ts';
import { lameConstants } from '../material.ts';
import { Gram } from './gram.ts';
import { anyPair, pairCount, pairIndex, quadrupleCount, tripleCount } from './packed-indices.ts';
import type { ReducedSource } from './reduced-source.ts';

/** The elastic energy of a reduced solid as a polynomial in q; each array sorted as packed-indices.ts says. */
export interface ElasticCoefficients {
  readonly modeCount: number;
  /** Kᵢⱼ, the stiffness at rest: the energy begins with ½ Σ Kᵢⱼ qᵢ qⱼ over all ordered pairs. */
  readonly quadratic: Float64Array;
  /** Symmetric: Σ Cᵢⱼₖ qᵢ qⱼ qₖ over all ordered triples. */
  readonly cubic: Float64Array;
  /** Symmetric: Σ Dᵢⱼₖₗ qᵢ qⱼ qₖ qₗ over all ordered quadruples. */
  readonly quartic: Float64Array;
}

const TETRAHEDRA_PER_BLOCK = 24;
const COMPONENTS = 6; // of a strain

/**
 * Sums the polynomial of St. Venant-Kirchhoff solids (Barbič & James 2005). With Aᵢ = ∇uᵢ the strain of a
 * tetrahedron is
 *
 *     E = ½ (FᵀF − I) = Σ qᵢ Lᵢ + Σ qᵢ qⱼ Qᵢⱼ        Lᵢ = sym Aᵢ, Qᵢⱼ = ½ sym(Aᵢᵀ Aⱼ)
 *
 * and its energy ½ ⟨E, E⟩ with ⟨X, Y⟩ = V (λ tr X tr Y + 2μ X:Y). So all coefficients are products of the columns
 * Lᵢ and Qᵢⱼ, six rows per tetrahedron, when these are written in a basis in which ⟨ , ⟩ is the plain product: one
 * large XᵀX. Nothing is sampled; every tetrahedron counts.
 */
export class StVKAssembly {
  readonly #source: ReducedSource;
  readonly #modeCount: number;
  readonly #gram: Gram;
  readonly #modes: Float64Array; // per vertex: x, y, z of mode after mode
  readonly #gradients = new Float64Array(12);
  readonly #A: Float64Array; // 9 per mode: ∂u_a / ∂x_b at 3a + b
  readonly #shear: number; // factors of the basis
  readonly #normal: number;
  readonly #trace: number;
  #next = 0; // the first tetrahedron that is not yet in the sums

  constructor(source: ReducedSource, modeCount: number) {
    this.#source = source;
    this.#modeCount = modeCount;
    this.#gram = new Gram(modeCount + pairCount(modeCount), COMPONENTS * TETRAHEDRA_PER_BLOCK);
    this.#modes = gatherByVertex(source.modes, modeCount, source.mesh.vertexCount);
    this.#A = new Float64Array(9 * modeCount);
    const { lambda, mu } = lameConstants(source.material);
    // (aI + b 11ᵀ)² = 2μ I + λ 11ᵀ for the three diagonal entries; the others count twice.
    this.#normal = Math.sqrt(2 * mu);
    this.#trace = (Math.sqrt(2 * mu + 3 * lambda) - this.#normal) / 3;
    this.#shear = Math.sqrt(4 * mu);
  }

  /** 0 … 1. */
  get progress(): number {
    return this.#next / this.#source.mesh.tetrahedronCount;
  }

  /** Works until the deadline, in terms of performance.now(); true when all is summed. */
  run(deadline: number): boolean {
    const { tetrahedronCount } = this.#source.mesh;
    while (this.#next < tetrahedronCount) {
      this.#addBlock(Math.min(this.#next + TETRAHEDRA_PER_BLOCK, tetrahedronCount));
      if (performance.now() >= deadline) break;
    }
    return this.#next === tetrahedronCount;
  }

  finish(): ElasticCoefficients {
    const n = this.#modeCount;
    const gram = this.#gram;
    const Q = (i: number, j: number) => n + anyPair(i, j);
    const quadratic = new Float64Array(pairCount(n)),
      cubic = new Float64Array(tripleCount(n)),
      quartic = new Float64Array(quadrupleCount(n));
    // In the order of storage: the largest index outside.
    let three = 0,
      four = 0;
    for (let l = 0; l < n; l++) {
      for (let k = 0; k <= l; k++) {
        quadratic[pairIndex(k, l)] = gram.at(k, l);
        for (let j = 0; j <= k; j++) {
          cubic[three++] = (gram.at(l, Q(j, k)) + gram.at(k, Q(j, l)) + gram.at(j, Q(k, l))) / 3;
          for (let i = 0; i <= j; i++) {
            const sum = gram.at(Q(i, j), Q(k, l)) + gram.at(Q(i, k), Q(j, l)) + gram.at(Q(i, l), Q(j, k));
            quartic[four++] = sum / 6;
          }
        }
      }
    }
    return { modeCount: n, quadratic, cubic, quartic };
  }

  #addBlock(end: number): void {
    const { mesh, weights } = this.#source;
    this.#gram.block.fill(0);
    for (let t = this.#next, row = 0; t < end; t++, row += COMPONENTS) {
      const volume = tetrahedronGradients(mesh, t, this.#gradients) * (weights?.[t] ?? 1);
      if (volume > 0) this.#setRows(t, row, Math.sqrt(volume));
    }
    this.#gram.add();
    this.#next = end;
  }

  #setRows(t: number, row: number, scale: number): void {
    const n = this.#modeCount;
    const A = this.#A;
    this.#setGradients(t);
    for (let i = 0; i < n; i++) {
      const a = 9 * i;
      this.#setColumn(
        this.#gram.place(i) + 4 * row,
        scale,
        A[a],
        A[a + 4],
        A[a + 8],
        (A[a + 1] + A[a + 3]) / 2,
        (A[a + 2] + A[a + 6]) / 2,
        (A[a + 5] + A[a + 7]) / 2,
      );
    }
    for (let j = 0, column = n; j < n; j++) {
      const b = 9 * j;
      for (let i = 0; i <= j; i++, column++) {
        const a = 9 * i;
        // ½ Aᵢᵀ Aⱼ, columns of the one with columns of the other.
        this.#setColumn(
          this.#gram.place(column) + 4 * row,
          scale / 2,
          A[a] * A[b] + A[a + 3] * A[b + 3] + A[a + 6] * A[b + 6],
          A[a + 1] * A[b + 1] + A[a + 4] * A[b + 4] + A[a + 7] * A[b + 7],
          A[a + 2] * A[b + 2] + A[a + 5] * A[b + 5] + A[a + 8] * A[b + 8],
          mixed(A, a, b, 0, 1),
          mixed(A, a, b, 0, 2),
          mixed(A, a, b, 1, 2),
        );
      }
    }
  }

  /** A symmetric matrix in the basis in which ⟨ , ⟩ is the plain product. */
  #setColumn(
    o: number,
    scale: number,
    xx: number,
    yy: number,
    zz: number,
    xy: number,
    xz: number,
    yz: number,
  ): void {
    const { block } = this.#gram;
    const a = scale * this.#normal,
      b = scale * this.#trace * (xx + yy + zz),
      c = scale * this.#shear;
    block[o] = a * xx + b;
    block[o + 4] = a * yy + b;
    block[o + 8] = a * zz + b;
    block[o + 12] = c * xy;
    block[o + 16] = c * xz;
    block[o + 20] = c * yz;
  }

  #setGradients(t: number): void {
    const { tetrahedra } = this.#source.mesh;
    const n = this.#modeCount;
    const g = this.#gradients,
      u = this.#modes,
      A = this.#A;
    A.fill(0);
    for (let corner = 0; corner < 4; corner++) {
      const gx = g[3 * corner],
        gy = g[3 * corner + 1],
        gz = g[3 * corner + 2];
      let o = 3 * n * tetrahedra[4 * t + corner];
      for (let a = 0; a < 9 * n; a += 3, o++) {
        A[a] += u[o] * gx;
        A[a + 1] += u[o] * gy;
        A[a + 2] += u[o] * gz;
      }
    }
  }
}

/** Entry (k, l) of sym(Aᵀ B). */
function mixed(A: Float64Array, a: number, b: number, k: number, l: number): number {
  let sum = 0;
  for (let row = 0; row < 9; row += 3)
    sum += A[a + row + k] * A[b + row + l] + A[a + row + l] * A[b + row + k];
  return sum / 2;
}

/** From mode after mode to vertex after vertex: x, y, z of each mode. */
export function gatherByVertex(
  modes: ArrayLike<number>,
  modeCount: number,
  vertexCount: number,
): Float64Array {
  const gathered = new Float64Array(3 * modeCount * vertexCount);
  for (let i = 0, from = 0; i < modeCount; i++) {
    for (let v = 0, to = 3 * i; v < vertexCount; v++, to += 3 * modeCount, from += 3) {
      gathered[to] = modes[from];
      gathered[to + 1] = modes[from + 1];
      gathered[to + 2] = modes[from + 2];
    }
  }
  return gathered;
}
