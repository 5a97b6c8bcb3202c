import type { TetrahedralMesh } from '../../mesh/tetrahedral-mesh.ts';
import { tetrahedronGradients } from '../../mesh/tetrahedron-gradients.ts';
import { Gram } from './gram.ts';
import type { ReducedSource } from './reduced-source.ts';
import { gatherByVertex } from './stvk-assembly.ts';

const TETRAHEDRA_PER_BLOCK = 32;
const ROWS = 5; // four corners and their sum

/** Entries of a symmetric matrix: xx, yy, zz, xy, xz, yz. */
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

/**
 * How mass goes with u = Uq, exactly: all that kinetic energy needs is ∫ρ f g over the solid for f, g among the
 * coordinates of x and of the modes. On a tetrahedron of mass m, linear functions have ∫ρ f g = m/20 (Σ f g + Σf Σg)
 * over its corners.
 */
export class ReducedInertia {
  readonly modeCount: number;
  readonly mass: number;
  /** Centre of mass at rest. */
  readonly centre: Float64Array;
  /** UᵀMU, row after row: the unit matrix for mass-orthonormal modes. */
  readonly massMatrix: Float64Array;
  /** ∫ρ uᵢ, three per mode: 0 for modes of a free body, which then has its centre of mass where its frame is. */
  readonly modeMomenta: Float64Array;
  /** Inertia tensor at rest about the centre of mass, six entries. */
  readonly restInertia: Float64Array;

  /** Set by `evaluate`: the inertia tensor of the deformed body, … */
  readonly inertia = new Float64Array(6);
  /** … its derivatives, all modes for each entry, … */
  readonly inertiaSlopes: Float64Array;
  /** … ∫ρ (x + u) × uⱼ, all modes for each axis, … */
  readonly swirl: Float64Array;
  /** … ∫ρ u̇ × uⱼ, all modes for each axis, … */
  readonly swirlRate: Float64Array;
  /** … and the angular momentum of the deformation itself, ∫ρ (x + u) × u̇. */
  readonly spin = new Float64Array(3);

  readonly #linear: Float64Array; // of the inertia: all modes for each entry
  readonly #quadratic: Float64Array; // r × r for each entry, symmetric
  readonly #restSwirl: Float64Array; // ∫ρ x × uⱼ
  readonly #cross: Float64Array; // ∫ρ uᵢ × uⱼ at i r + j for each axis, antisymmetric

  constructor(source: ReducedSource, modeCount: number) {
    const n = modeCount;
    this.modeCount = n;
    const { mass, centre } = findCentre(source);
    this.mass = mass;
    this.centre = centre;
    const modes = gatherByVertex(source.modes, n, source.mesh.vertexCount);
    this.modeMomenta = findMomenta(source, modes, n);
    const product = sumProducts(source, modes, n, centre);
    const create = (width: number) => new Float64Array(width * n);
    this.massMatrix = create(n);
    this.restInertia = new Float64Array(6);
    this.inertiaSlopes = create(6);
    this.swirl = create(3);
    this.swirlRate = create(3);
    this.#linear = create(6);
    this.#quadratic = create(6 * n);
    this.#restSwirl = create(3);
    this.#cross = create(3 * n);

    for (let entry = 0; entry < 6; entry++) {
      const a = ROW[entry],
        b = COLUMN[entry];
      // tr(J) I − J of the symmetric second moment J.
      const moment = (i: number, j: number) => {
        const symmetric = (product(i, a, j, b) + product(i, b, j, a)) / 2;
        return entry < 3
          ? product(i, 0, j, 0) + product(i, 1, j, 1) + product(i, 2, j, 2) - symmetric
          : -symmetric;
      };
      this.restInertia[entry] = moment(0, 0);
      for (let i = 0; i < n; i++) {
        this.#linear[entry * n + i] = 2 * moment(0, i + 1);
        for (let j = 0; j < n; j++) this.#quadratic[(entry * n + i) * n + j] = moment(i + 1, j + 1);
      }
    }
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j < n; j++) {
        for (let axis = 0; axis < 3; axis++) {
          const a = (axis + 1) % 3,
            b = (axis + 2) % 3;
          const cross = product(i, a, j + 1, b) - product(i, b, j + 1, a);
          if (i === 0) this.#restSwirl[axis * n + j] = cross;
          else this.#cross[(axis * n + i - 1) * n + j] = cross;
          if (i > 0) this.massMatrix[(i - 1) * n + j] += product(i, axis, j + 1, axis);
        }
      }
    }
  }

  /** Sets everything that depends on the deformation q and its velocity v. */
  evaluate(q: Float64Array, v: Float64Array): void {
    const n = this.modeCount;
    for (let entry = 0; entry < 6; entry++) {
      let value = this.restInertia[entry];
      for (let i = 0, o = entry * n; i < n; i++, o++) {
        let sum = 0;
        for (let j = 0, k = o * n; j < n; j++, k++) sum += this.#quadratic[k] * q[j];
        value += q[i] * (this.#linear[o] + sum);
        this.inertiaSlopes[o] = this.#linear[o] + 2 * sum;
      }
      this.inertia[entry] = value;
    }
    for (let axis = 0; axis < 3; axis++) {
      let spin = 0;
      for (let j = 0, o = axis * n; j < n; j++, o++) {
        let swirl = this.#restSwirl[o],
          rate = 0;
        // cᵢⱼ = −cⱼᵢ: a row is read in place of a column.
        for (let i = 0, k = o * n; i < n; i++, k++) {
          swirl -= q[i] * this.#cross[k];
          rate -= v[i] * this.#cross[k];
        }
        this.swirl[o] = swirl;
        this.swirlRate[o] = rate;
        spin += swirl * v[j];
      }
      this.spin[axis] = spin;
    }
  }
}

function massOf(source: ReducedSource, t: number, scratch: Float64Array): number {
  const volume = tetrahedronGradients(source.mesh, t, scratch);
  return volume * source.material.density * (source.weights?.[t] ?? 1);
}

function findCentre(source: ReducedSource): { mass: number; centre: Float64Array } {
  const { positions, tetrahedra, tetrahedronCount } = source.mesh;
  const centre = new Float64Array(3),
    scratch = new Float64Array(12);
  let mass = 0;
  for (let t = 0; t < tetrahedronCount; t++) {
    const m = massOf(source, t, scratch);
    mass += m;
    for (let c = 4 * t; c < 4 * t + 4; c++) {
      for (let k = 0; k < 3; k++) centre[k] += (m / 4) * positions[3 * tetrahedra[c] + k];
    }
  }
  for (let k = 0; k < 3; k++) centre[k] /= mass;
  return { mass, centre };
}

function findMomenta(source: ReducedSource, modes: Float64Array, n: number): Float64Array {
  const { tetrahedra, tetrahedronCount } = source.mesh;
  const momenta = new Float64Array(3 * n),
    scratch = new Float64Array(12);
  for (let t = 0; t < tetrahedronCount; t++) {
    const m = massOf(source, t, scratch);
    for (let c = 4 * t; c < 4 * t + 4; c++) {
      for (let k = 0, o = 3 * n * tetrahedra[c]; k < 3 * n; k++, o++) momenta[k] += (m / 4) * modes[o];
    }
  }
  return momenta;
}

/** ∫ρ of coordinate a of field i times coordinate b of field j; field 0 is x − centre, the others are the modes. */
function sumProducts(
  source: ReducedSource,
  modes: Float64Array,
  n: number,
  centre: Float64Array,
): (i: number, a: number, j: number, b: number) => number {
  const { mesh } = source;
  const gram = new Gram(3 * (n + 1), ROWS * TETRAHEDRA_PER_BLOCK);
  const scratch = new Float64Array(12);
  for (let first = 0; first < mesh.tetrahedronCount; first += TETRAHEDRA_PER_BLOCK) {
    const end = Math.min(first + TETRAHEDRA_PER_BLOCK, mesh.tetrahedronCount);
    gram.block.fill(0);
    for (let t = first; t < end; t++) {
      const scale = Math.sqrt(massOf(source, t, scratch) / 20);
      setRows(gram, mesh, t, ROWS * (t - first), scale, modes, n, centre);
    }
    gram.add();
  }
  return (i, a, j, b) => gram.at(3 * i + a, 3 * j + b);
}

function setRows(
  gram: Gram,
  { positions, tetrahedra }: TetrahedralMesh,
  t: number,
  row: number,
  scale: number,
  modes: Float64Array,
  n: number,
  centre: Float64Array,
): void {
  for (let column = 0; column < 3 * (n + 1); column++) {
    let o = gram.place(column) + 4 * row,
      sum = 0;
    for (let corner = 0; corner < 4; corner++, o += 4) {
      const v = tetrahedra[4 * t + corner];
      const value = column < 3 ? positions[3 * v + column] - centre[column] : modes[3 * n * v + column - 3];
      sum += value;
      gram.block[o] = scale * value;
    }
    gram.block[o] = scale * sum;
  }
}
