import { checkNumbers } from '../mesh/check-input.ts';
import { checkTetrahedralMesh, checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Of a solid of density 1. */
export interface MassProperties {
  readonly volume: number;
  /** Centre of mass. */
  readonly centre: Float64Array;
  /** About the centre of mass, 3×3 row-major: ∫ (|x|² I − x xᵀ). */
  readonly inertia: Float64Array;
}

/**
 * Of the solid inside a closed surface turned outwards; where it is not closed, of the cone over its triangles from
 * their middle. The volume is negative when the surface is inside out. Errors: 'singular' when there is no volume.
 */
export function surfaceMassProperties(mesh: TriangleMesh): MassProperties {
  checkTriangleMesh(mesh);
  const { positions, triangles } = mesh;
  const sum = new MomentSum(positions, triangles);
  for (let t = 0; t < triangles.length; t += 3) {
    sum.addCone(positions, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
  }
  return sum.finish('the surface');
}

/**
 * Of tetrahedra, however their corners are ordered. `weights`: the density of each, such as the fill of a lattice.
 * Default: 1. Errors: 'singular' when there is no volume.
 */
export function tetrahedralMassProperties(
  mesh: TetrahedralMesh,
  weights?: Float64Array | readonly number[],
): MassProperties {
  checkTetrahedralMesh(mesh);
  const { positions, tetrahedra, tetrahedronCount } = mesh;
  if (weights !== undefined) checkNumbers('weights', weights, tetrahedronCount);
  const sum = new MomentSum(positions, tetrahedra);
  for (let i = 0; i < tetrahedronCount; i++) {
    const density = (weights === undefined ? 1 : weights[i]) * (mesh.sign[i] < 0 ? -1 : 1);
    sum.addTetrahedron(positions, tetrahedra, 4 * i, density);
  }
  return sum.finish('the mesh of tetrahedra');
}

/** Signed volumes times quadratic moments of tetrahedra, exact for polynomials of degree two. */
class MomentSum {
  readonly #middle = new Float64Array(3); // everything is taken from here
  #volume = 0;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(6); // xx, yy, zz, xy, yz, zx
  readonly #p = new Float64Array(12);

  constructor(positions: Float64Array, corners: Uint32Array) {
    for (let i = 0; i < corners.length; i++) {
      for (let k = 0; k < 3; k++) this.#middle[k] += positions[3 * corners[i] + k] / corners.length;
    }
  }

  addCone(positions: Float64Array, a: number, b: number, c: number): void {
    this.#p.fill(0, 0, 3);
    this.#load(positions, a, 3);
    this.#load(positions, b, 6);
    this.#load(positions, c, 9);
    this.#add(1);
  }

  addTetrahedron(positions: Float64Array, corners: Uint32Array, o: number, density: number): void {
    for (let k = 0; k < 4; k++) this.#load(positions, 3 * corners[o + k], 3 * k);
    this.#add(density);
  }

  #load(positions: Float64Array, from: number, to: number): void {
    for (let k = 0; k < 3; k++) this.#p[to + k] = positions[from + k] - this.#middle[k];
  }

  #add(density: number): void {
    const p = this.#p;
    const ux = p[3] - p[0],
      uy = p[4] - p[1],
      uz = p[5] - p[2];
    const vx = p[6] - p[0],
      vy = p[7] - p[1],
      vz = p[8] - p[2];
    const wx = p[9] - p[0],
      wy = p[10] - p[1],
      wz = p[11] - p[2];
    const det = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
    const volume = (density * det) / 6;
    this.#volume += volume;
    // ∫ x_i x_j = V/20 (Σ p_i p_j over corners + Σ p_i · Σ p_j)
    const sx = p[0] + p[3] + p[6] + p[9],
      sy = p[1] + p[4] + p[7] + p[10],
      sz = p[2] + p[5] + p[8] + p[11];
    this.#first[0] += (volume * sx) / 4;
    this.#first[1] += (volume * sy) / 4;
    this.#first[2] += (volume * sz) / 4;
    const m = this.#second;
    const share = volume / 20;
    m[0] += share * (p[0] * p[0] + p[3] * p[3] + p[6] * p[6] + p[9] * p[9] + sx * sx);
    m[1] += share * (p[1] * p[1] + p[4] * p[4] + p[7] * p[7] + p[10] * p[10] + sy * sy);
    m[2] += share * (p[2] * p[2] + p[5] * p[5] + p[8] * p[8] + p[11] * p[11] + sz * sz);
    m[3] += share * (p[0] * p[1] + p[3] * p[4] + p[6] * p[7] + p[9] * p[10] + sx * sy);
    m[4] += share * (p[1] * p[2] + p[4] * p[5] + p[7] * p[8] + p[10] * p[11] + sy * sz);
    m[5] += share * (p[2] * p[0] + p[5] * p[3] + p[8] * p[6] + p[11] * p[9] + sz * sx);
  }

  finish(what: string): MassProperties {
    const volume = this.#volume;
    if (volume === 0 || !Number.isFinite(1 / volume)) {
      throw new InputError('singular', `${what} encloses no volume`);
    }
    const [x, y, z] = this.#first.map((m) => m / volume);
    const [m0, m1, m2, m3, m4, m5] = this.#second;
    const xx = m0 - volume * x * x,
      yy = m1 - volume * y * y,
      zz = m2 - volume * z * z;
    const xy = m3 - volume * x * y,
      yz = m4 - volume * y * z,
      zx = m5 - volume * z * x;
    return {
      volume,
      centre: Float64Array.of(x + this.#middle[0], y + this.#middle[1], z + this.#middle[2]),
      inertia: Float64Array.of(yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy),
    };
  }
}
