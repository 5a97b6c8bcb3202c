import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkNumbers,
  checkObject,
  type NumberArray,
} from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkOption } from '../shapes/shape.ts';
import { type CholeskyFactor, factorCholesky } from './cholesky.ts';
import { findNeighbourhoods, type Neighbourhoods } from './moving-least-squares.ts';
import { NODE_LIMIT } from './sample-nodes.ts';

export interface ElasticOptions {
  /** Young's modulus: the force per area that would double a rod's length. Default: 2000. */
  stiffness?: number;
  /** How much a rod narrows when stretched, 0 … 0.45. Default: 0.35. */
  poissonRatio?: number;
  /** Mass per volume. Default: 1. */
  density?: number;
  /** Neighbours of a node. Default: 16; more where these lie in a plane. */
  neighbours?: number;
  /** Resistance against what gradients do not see, in units of the shear modulus. Default: 0.5. */
  stabilisation?: number;
}

interface StoredFactor {
  readonly step: number;
  readonly pinned: Uint8Array;
  readonly factor: CholeskyFactor;
}

const STORED_FACTORS = 4;

/**
 * An elastic solid made of nodes, after Müller et al. 2004: gradients of the displacement by moving least squares,
 * an energy per node, and its forces on the node and its neighbours. In place of their material, which gives way
 * when pressed flat, the energy density of Smith et al. 2018 without its logarithm,
 *
 *     Ψ = μ/2 (|F|² − 3) − μ (J − 1) + λ/2 (J − 1)²        F = I + ∇uᵀ, J = det F
 *
 * smooth for every F, turned inside out as well, and with the same stiffness near rest when λ is raised by μ. The
 * gradients are blind to displacements that alternate from node to node, so what the linear fit leaves over,
 * r_ij = u_j − u_i − ∇u_iᵀ x_ij, costs energy too; it vanishes for all affine motions. Nothing depends on where the
 * body is or how it is turned.
 *
 * Bodies of one shape share a model.
 */
export class ElasticModel {
  readonly nodeCount: number;
  readonly positions: Float64Array; // at rest
  readonly volumes: Float64Array;
  readonly masses: Float64Array;
  /** Mean distance from a node to the nearest other one. */
  readonly spacing: number;
  readonly #neighbourhoods: Neighbourhoods;
  readonly #mu: number;
  readonly #lambda: number;
  readonly #kappa: number; // of the residuals
  readonly #stored: StoredFactor[] = [];
  #stiffness: Float64Array | undefined;

  /** `sample` is what `sampleNodes` returns, or positions and volumes of your own. */
  constructor(sample: { positions: NumberArray; volumes: NumberArray }, options: ElasticOptions = {}) {
    checkSample(sample);
    checkObject('options', options);
    const { stiffness = 2000, poissonRatio = 0.35, density = 1, neighbours = 16 } = options;
    const { stabilisation = 0.5 } = options;
    checkOption('stiffness', stiffness, 1e-12, 1e12);
    checkOption('poissonRatio', poissonRatio, 0, 0.45);
    checkOption('density', density, 1e-12, 1e12);
    checkOption('neighbours', neighbours, 4, NODE_LIMIT);
    checkOption('stabilisation', stabilisation, 0, 100);
    this.positions = Float64Array.from(sample.positions as ArrayLike<number>);
    this.volumes = Float64Array.from(sample.volumes as ArrayLike<number>);
    this.masses = this.volumes.map((v) => v * density);
    this.nodeCount = this.volumes.length;
    this.#neighbourhoods = findNeighbourhoods(this.positions, Math.round(neighbours));
    this.spacing = this.#neighbourhoods.spacing;
    this.#mu = stiffness / (2 * (1 + poissonRatio));
    this.#lambda = (stiffness * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio)) + this.#mu;
    this.#kappa = stabilisation * this.#mu;
  }

  /** The elastic energy of a state. Sets `forces`, the negative of its gradient. */
  evaluate(displacements: Float64Array, forces: Float64Array): number {
    const { start, node, offset, slope, share } = this.#neighbourhoods;
    const mu = this.#mu,
      lambda = this.#lambda,
      kappa = this.#kappa;
    const u = displacements,
      f = forces;
    let energy = 0;
    f.fill(0);
    for (let i = 0; i < this.nodeCount; i++) {
      const v = this.volumes[i];
      const ux = u[3 * i],
        uy = u[3 * i + 1],
        uz = u[3 * i + 2];
      let xx = 0,
        xy = 0,
        xz = 0,
        yx = 0,
        yy = 0,
        yz = 0,
        zx = 0,
        zy = 0,
        zz = 0; // row: component of u, column: direction
      for (let e = start[i]; e < start[i + 1]; e++) {
        const j = 3 * node[e];
        const dx = u[j] - ux,
          dy = u[j + 1] - uy,
          dz = u[j + 2] - uz;
        const bx = slope[3 * e],
          by = slope[3 * e + 1],
          bz = slope[3 * e + 2];
        xx += dx * bx;
        xy += dx * by;
        xz += dx * bz;
        yx += dy * bx;
        yy += dy * by;
        yz += dy * bz;
        zx += dz * bx;
        zy += dz * by;
        zz += dz * bz;
      }
      const a = 1 + xx,
        b = 1 + yy,
        c = 1 + zz;
      // The cofactors of F: ∂J/∂F.
      const cxx = b * c - yz * zy,
        cxy = yz * zx - yx * c,
        cxz = yx * zy - b * zx;
      const cyx = xz * zy - xy * c,
        cyy = a * c - xz * zx,
        cyz = xy * zx - a * zy;
      const czx = xy * yz - xz * b,
        czy = xz * yx - a * yz,
        czz = a * b - xy * yx;
      const grown = a * cxx + xy * cxy + xz * cxz - 1; // J − 1
      const squared = xx * xx + yy * yy + zz * zz + xy * xy + xz * xz + yx * yx + yz * yz + zx * zx + zy * zy;
      const density = (mu / 2) * (2 * (xx + yy + zz) + squared) - mu * grown + (lambda / 2) * grown * grown;
      // P = μ (F − cof F) + λ (J − 1) cof F, exactly 0 at rest.
      const s = lambda * grown - mu;
      const pxx = mu * a + s * cxx,
        pxy = mu * xy + s * cxy,
        pxz = mu * xz + s * cxz;
      const pyx = mu * yx + s * cyx,
        pyy = mu * b + s * cyy,
        pyz = mu * yz + s * cyz;
      const pzx = mu * zx + s * czx,
        pzy = mu * zy + s * czy,
        pzz = mu * c + s * czz;
      let residuals = 0,
        fx = 0,
        fy = 0,
        fz = 0;
      for (let e = start[i]; e < start[i + 1]; e++) {
        const j = 3 * node[e];
        const x = offset[3 * e],
          y = offset[3 * e + 1],
          z = offset[3 * e + 2];
        const rx = u[j] - ux - (xx * x + xy * y + xz * z),
          ry = u[j + 1] - uy - (yx * x + yy * y + yz * z),
          rz = u[j + 2] - uz - (zx * x + zy * y + zz * z);
        const k = kappa * share[e];
        residuals += k * (rx * rx + ry * ry + rz * rz);
        const bx = slope[3 * e],
          by = slope[3 * e + 1],
          bz = slope[3 * e + 2];
        // The fit is best, so residuals do not change with the gradient: no term through ∇u.
        const gx = v * (pxx * bx + pxy * by + pxz * bz + k * rx),
          gy = v * (pyx * bx + pyy * by + pyz * bz + k * ry),
          gz = v * (pzx * bx + pzy * by + pzz * bz + k * rz);
        f[j] -= gx;
        f[j + 1] -= gy;
        f[j + 2] -= gz;
        fx += gx;
        fy += gy;
        fz += gz;
      }
      f[3 * i] += fx;
      f[3 * i + 1] += fy;
      f[3 * i + 2] += fz;
      energy += v * (density + residuals / 2);
    }
    return energy;
  }

  /** ∇u of every node, nine numbers each: entry 3a + b is ∂u_b / ∂x_a, as a meshless body's pose wants them. */
  setGradients(displacements: Float64Array, out: Float64Array): void {
    const { start, node, slope } = this.#neighbourhoods;
    const u = displacements;
    out.fill(0);
    for (let i = 0, o = 0; i < this.nodeCount; i++, o += 9) {
      for (let e = start[i]; e < start[i + 1]; e++) {
        const j = 3 * node[e];
        const dx = u[j] - u[3 * i],
          dy = u[j + 1] - u[3 * i + 1],
          dz = u[j + 2] - u[3 * i + 2];
        for (let a = 0; a < 3; a++) {
          const b = slope[3 * e + a];
          out[o + 3 * a] += b * dx;
          out[o + 3 * a + 1] += b * dy;
          out[o + 3 * a + 2] += b * dz;
        }
      }
    }
  }

  /**
   * A factor of M/h² + K, with K the stiffness near rest: the metric in which steps go downhill. Pinned nodes are
   * taken out. The last few are kept.
   */
  factorFor(step: number, pinned: Uint8Array): CholeskyFactor {
    for (const stored of this.#stored) {
      if (stored.step === step && areEqual(stored.pinned, pinned)) return stored.factor;
    }
    const n = this.nodeCount;
    this.#stiffness ??= this.#assemble();
    const matrix = this.#stiffness.slice();
    for (let i = 0; i < n; i++) {
      matrix[i * n + i] += this.masses[i] / (step * step);
      if (pinned[i] === 0) continue;
      for (let k = 0; k < n; k++) matrix[i * n + k] = matrix[k * n + i] = 0;
      matrix[i * n + i] = 1;
    }
    const factor = factorCholesky(matrix, n);
    if (factor === undefined) throw new InputError('singular', 'the time step is too long for this model');
    if (this.#stored.length === STORED_FACTORS) this.#stored.shift();
    this.#stored.push({ step, pinned: pinned.slice(), factor });
    return factor;
  }

  /** K for one coordinate: (2μ + λ) Σ v |∇u|² and the residuals, as a full matrix. */
  #assemble(): Float64Array {
    const { nodeCount: n } = this;
    const { start, node, offset, slope, share } = this.#neighbourhoods;
    const K = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      const first = start[i],
        count = start[i + 1] - first;
      const members = [...node.subarray(first, first + count), i];
      // Row a of the gradient as coefficients of the members; the node's own is what makes constants vanish.
      const rows = [0, 1, 2].map((a) => {
        const row = Array.from({ length: count }, (_, e) => slope[3 * (first + e) + a]);
        return [...row, -row.reduce((sum, b) => sum + b, 0)];
      });
      const stretch = (2 * this.#mu + this.#lambda) * this.volumes[i],
        stray = this.#kappa * this.volumes[i];
      const moment = new Float64Array(9);
      for (let e = 0; e < count; e++) {
        for (let k = 0; k < 9; k++) {
          const x = offset[3 * (first + e) + Math.trunc(k / 3)],
            y = offset[3 * (first + e) + (k % 3)];
          moment[k] += share[first + e] * x * y;
        }
      }
      for (let p = 0; p <= count; p++) {
        for (let q = 0; q <= count; q++) {
          let sum = 0;
          for (let a = 0; a < 3; a++) {
            sum += stretch * rows[a][p] * rows[a][q];
            for (let b = 0; b < 3; b++) sum -= stray * moment[3 * a + b] * rows[a][p] * rows[b][q];
          }
          K[members[p] * n + members[q]] += sum;
        }
      }
      for (let e = 0; e < count; e++) {
        const j = members[e],
          k = stray * share[first + e];
        K[j * n + j] += k;
        K[i * n + i] += k;
        K[i * n + j] -= k;
        K[j * n + i] -= k;
      }
    }
    return K;
  }
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function checkSample(sample: { positions: NumberArray; volumes: NumberArray }): void {
  checkObject('sample', sample);
  const { positions, volumes } = sample;
  checkArray('sample.positions', positions);
  const count = checkCount('sample.positions', positions, 3);
  if (count < 4 || count > NODE_LIMIT) {
    throw new InputError('bad-option', `a model has 4 to ${NODE_LIMIT} nodes, not ${count}`);
  }
  checkCoordinates('sample.positions', positions);
  checkNumbers('sample.volumes', volumes, count);
  for (let i = 0; i < count; i++) {
    if (!(volumes[i] > 0)) {
      throw new InputError('out-of-range', `node ${i} has the volume ${volumes[i]}; it must be positive`);
    }
  }
}
