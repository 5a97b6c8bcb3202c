import { checkLongWork, runInSlices, runSteps } from '../../long-work/in-slices.ts';
import { pause } from '../../long-work/pause.ts';
import { type PoolOption, readPool, type TaskKind } from '../../long-work/task-pool.ts';
import { checkMade, checkNumbers, describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { type LongWork, SLICE } from '../long-work.ts';
import { lameConstants } from '../material.ts';
import type { VibrationModes } from './compute-modes.ts';
import { createElasticSolver, type SolverOptions } from './elastic-solver.ts';
import { type ElasticSystem, gatherFree, spreadToVertices } from './elastic-system.ts';
import { systemMass } from './mass-basis.ts';
import { type PrincipalModes, pcaSteps } from './principal-modes.ts';
import { solveStatics } from './statics.ts';

export interface ModalDerivatives {
  /** r (r + 1) / 2 for r modes. */
  readonly count: number;
  /** 3 per vertex, one after another: Φ_00, Φ_01, … Φ_0r, Φ_11, …; Φ_ij = Φ_ji. */
  readonly vectors: Float64Array;
}

export interface ModalDerivativesOptions extends SolverOptions, PoolOption {}

export interface DerivativesInput {
  readonly modes: VibrationModes;
  readonly factor: SolverOptions['factor'];
}

export const DERIVATIVES_TASK: TaskKind<DerivativesInput, ModalDerivatives> = { name: 'modal-derivatives' };

const BATCH = 8;

/**
 * How each mode changes when the body is deformed along another (Barbič and James 2005): with loads K Σ p_i Φ_i the
 * static displacement of a St. Venant–Kirchhoff body is Σ p_i Φ_i + ½ Σ p_i p_j Φ_ij + …, where
 *
 *     K Φ_ij = −(second derivative of the internal forces along Φ_i and Φ_j).
 *
 * Of a body that nothing holds the rigid part is left out. With `pool` a worker does it; the result is the same.
 */
export async function modalDerivatives(
  modes: VibrationModes,
  options: ModalDerivativesOptions = {},
): Promise<ModalDerivatives> {
  const pool = readPool(options);
  checkLongWork(options);
  checkModes(modes);
  const { system, modeCount, vectors, rigidModes, rigidVectors } = modes;
  const stride = 3 * system.mesh.vertexCount;
  checkNumbers('modes.vectors', vectors, modeCount * stride);
  const rigid = { count: rigidModes, vectors: gatherFree(system, rigidVectors, rigidModes) }; // hinges too
  const { onProgress, signal } = options;
  if (pool !== undefined) {
    return pool.run(DERIVATIVES_TASK, { modes, factor: options.factor }, { onProgress, signal });
  }
  const gradients = Array.from({ length: modeCount }, (_, m) =>
    displacementGradients(system, vectors.subarray(m * stride, (m + 1) * stride)),
  );
  const pairs = gradients.flatMap((a, i) => gradients.slice(i).map((b) => [a, b] as const));
  const out = new Float64Array(pairs.length * stride);
  const solver = await createElasticSolver(system, options);
  try {
    for (let from = 0; from < pairs.length; from += BATCH) {
      signal?.throwIfAborted();
      const batch = pairs.slice(from, from + BATCH);
      const loads = new Float64Array(batch.length * system.size);
      batch.forEach(([a, b], k) => {
        addSecondForces(system, a, b, loads.subarray(k * system.size, (k + 1) * system.size));
      });
      solveStatics({ ...solver, rigid }, loads, batch.length);
      out.set(spreadToVertices(system, loads, batch.length), from * stride);
      onProgress?.('derivatives', Math.min(1, (from + BATCH) / pairs.length));
      await pause();
    }
  } finally {
    solver.dispose();
  }
  return { count: pairs.length, vectors: out };
}

/**
 * A basis for large deformations: modes and derivatives, weighted by how far the same energy takes them (λ₀ / λ_i and
 * λ₀² / (λ_i λ_j)), and of these the `count` directions that hold most.
 */
export function nonlinearBasis(
  modes: VibrationModes,
  derivatives: ModalDerivatives,
  count: number,
): PrincipalModes {
  checkBasisInput(modes, derivatives, count);
  return runSteps(basisSteps(modes, derivatives, count), {});
}

export interface NonlinearBasisOptions extends LongWork, PoolOption {}

/** The same in slices between which other work can run, or in a worker of `pool`: seconds for some hundred derivatives. */
export async function nonlinearBasisAsync(
  modes: VibrationModes,
  derivatives: ModalDerivatives,
  count: number,
  options: NonlinearBasisOptions = {},
): Promise<PrincipalModes> {
  const pool = readPool(options);
  checkLongWork(options);
  checkBasisInput(modes, derivatives, count);
  const { onProgress, signal, slice = SLICE } = options;
  if (pool !== undefined) {
    return pool.run(BASIS_TASK, { modes, derivatives, count }, { onProgress, signal });
  }
  const report = (share: number) => onProgress?.('basis', share);
  return runInSlices(basisSteps(modes, derivatives, count), { signal, slice }, report);
}

export interface BasisInput {
  readonly modes: VibrationModes;
  readonly derivatives: ModalDerivatives;
  readonly count: number;
}

export const BASIS_TASK: TaskKind<BasisInput, PrincipalModes> = { name: 'nonlinear-basis' };

function checkModes(modes: VibrationModes): void {
  checkMade('modes', modes, 'computeModes', 'system', 'vectors', 'eigenvalues');
}

function checkBasisInput(modes: VibrationModes, derivatives: ModalDerivatives, count: number): void {
  checkModes(modes);
  checkMade('derivatives', derivatives, 'modalDerivatives', 'count', 'vectors');
  if (Number.isInteger(count) && count >= 1) return;
  throw new InputError('bad-option', `count must be a whole number of at least 1, not ${describe(count)}`);
}

function basisSteps(
  modes: VibrationModes,
  derivatives: ModalDerivatives,
  count: number,
): Generator<number, PrincipalModes> {
  const { system, modeCount, vectors, eigenvalues } = modes;
  const stride = 3 * system.mesh.vertexCount;
  const all = new Float64Array((modeCount + derivatives.count) * stride);
  const put = (from: Float64Array, source: number, to: number, factor: number) => {
    for (let i = 0; i < stride; i++) all[to * stride + i] = factor * from[source * stride + i];
  };
  const reach = Float64Array.from(eigenvalues, (value) => eigenvalues[0] / value);
  for (let m = 0; m < modeCount; m++) put(vectors, m, m, reach[m]);
  let pair = 0;
  for (let i = 0; i < modeCount; i++) {
    for (let j = i; j < modeCount; j++, pair++) {
      put(derivatives.vectors, pair, modeCount + pair, reach[i] * reach[j]);
    }
  }
  return pcaSteps(systemMass(system), all, modeCount + derivatives.count, { count });
}

/** 9 per tetrahedron, row by row: ∂u_r / ∂x_c. */
function displacementGradients({ mesh, shapes }: ElasticSystem, u: Float64Array): Float64Array {
  const { tetrahedra, tetrahedronCount } = mesh;
  const { gradients: g } = shapes;
  const out = new Float64Array(9 * tetrahedronCount);
  for (let t = 0; t < tetrahedronCount; t++) {
    for (let a = 0; a < 4; a++) {
      const v = 3 * tetrahedra[4 * t + a],
        o = 12 * t + 3 * a;
      for (let r = 0; r < 3; r++) {
        out[9 * t + 3 * r] += u[v + r] * g[o];
        out[9 * t + 3 * r + 1] += u[v + r] * g[o + 1];
        out[9 * t + 3 * r + 2] += u[v + r] * g[o + 2];
      }
    }
  }
  return out;
}

/**
 * Minus the second derivative of the internal forces at rest. With displacement gradients A and B and the linear
 * stress S(G) = λ tr(G) I + μ (G + Gᵀ), that of the first Piola–Kirchhoff stress is
 *
 *     A S(B) + B S(A) + λ tr(AᵀB) I + μ (AᵀB + BᵀA).
 */
function addSecondForces(system: ElasticSystem, A: Float64Array, B: Float64Array, out: Float64Array): void {
  const { mesh, material, shapes, weights, freeIndex } = system;
  const { lambda, mu } = lameConstants(material);
  const { volumes, gradients: g } = shapes;
  const stressA = new Float64Array(9),
    stressB = new Float64Array(9),
    P = new Float64Array(9);
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    const o = 9 * t;
    setStress(A, o, lambda, mu, stressA);
    setStress(B, o, lambda, mu, stressB);
    let trace = 0;
    for (let k = 0; k < 9; k++) trace += A[o + k] * B[o + k];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = r === c ? lambda * trace : 0;
        for (let k = 0; k < 3; k++) {
          sum += A[o + 3 * r + k] * stressB[3 * k + c] + B[o + 3 * r + k] * stressA[3 * k + c];
          sum += mu * (A[o + 3 * k + r] * B[o + 3 * k + c] + B[o + 3 * k + r] * A[o + 3 * k + c]);
        }
        P[3 * r + c] = sum;
      }
    }
    const volume = weights[t] * volumes[t];
    for (let a = 0; a < 4; a++) {
      const i = freeIndex[mesh.tetrahedra[4 * t + a]];
      if (i < 0) continue;
      const at = 12 * t + 3 * a;
      for (let r = 0; r < 3; r++) {
        out[3 * i + r] -= volume * (P[3 * r] * g[at] + P[3 * r + 1] * g[at + 1] + P[3 * r + 2] * g[at + 2]);
      }
    }
  }
}

function setStress(G: Float64Array, o: number, lambda: number, mu: number, out: Float64Array): void {
  const pressure = lambda * (G[o] + G[o + 4] + G[o + 8]);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[3 * r + c] = mu * (G[o + 3 * r + c] + G[o + 3 * c + r]);
    out[4 * r] += pressure;
  }
}
