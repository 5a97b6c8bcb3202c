import { checkTetrahedralMesh, checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { BoxGrid } from './box-grid.ts';
import type { Embedding } from './embedded.ts';
import { squaredPointTriangleDistance } from './point-triangle.ts';

export interface TetrahedralEmbedding extends Embedding {
  /** Per source vertex: the tetrahedron it lies in, or the nearest one. */
  readonly tetrahedron: Uint32Array;
  /** How many welded vertices lie in none. */
  readonly outside: number;
}

/** A point this far outside still counts as inside, in barycentric coordinates. */
const INSIDE = -1e-12;
/** Tetrahedra of less volume, in cubes of their box, are as good as flat: coordinates in them mean nothing. */
const FLAT = 1e-9;
const TETRAHEDRA_PER_CELL = 2;

/**
 * Binds every vertex to the tetrahedron that holds it; where there is none, to the nearest, with weights below 0.
 * Of several the one in which it lies deepest is taken, then the first. Flat tetrahedra take no part.
 */
export function embedInTetrahedra(mesh: TriangleMesh, tetrahedra: TetrahedralMesh): TetrahedralEmbedding {
  checkTriangleMesh(mesh);
  checkTetrahedralMesh(tetrahedra, 'tetrahedra');
  const search = new TetrahedronSearch(tetrahedra);
  const found = new Uint32Array(mesh.vertexCount);
  const coordinates = new Float64Array(4 * mesh.vertexCount);
  let outside = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (!search.find(mesh.positions, 3 * v)) outside++;
    found[v] = search.tetrahedron;
    coordinates.set(search.weights, 4 * v);
  }
  const tetrahedron = new Uint32Array(mesh.sourceVertexCount);
  const controls = new Uint32Array(4 * mesh.sourceVertexCount);
  const weights = new Float64Array(4 * mesh.sourceVertexCount);
  for (let s = 0; s < mesh.sourceVertexCount; s++) {
    const v = mesh.weldedVertex[s];
    tetrahedron[s] = found[v];
    controls.set(tetrahedra.tetrahedra.subarray(4 * found[v], 4 * found[v] + 4), 4 * s);
    weights.set(coordinates.subarray(4 * v, 4 * v + 4), 4 * s);
  }
  const controlPositions = tetrahedra.positions;
  return { controlPositions, influences: 4, controls, weights, tetrahedron, outside };
}

/** Looks up one point after the other; the answer is in the fields. */
class TetrahedronSearch {
  tetrahedron = 0;
  readonly weights = new Float64Array(4);
  readonly #mesh: TetrahedralMesh;
  readonly #solid: Uint32Array; // those that are not flat
  readonly #grid: BoxGrid;
  readonly #trial = new Float64Array(4);

  constructor(mesh: TetrahedralMesh) {
    this.#mesh = mesh;
    const box = new Float64Array(6);
    const solid: number[] = [],
      boxes: number[] = [];
    for (let t = 0; t < mesh.tetrahedronCount; t++) {
      setTetrahedronBox(mesh, t, box);
      const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
      if (!(Math.abs(sixVolumes(mesh, t)) > FLAT * size * size * size)) continue;
      solid.push(t);
      boxes.push(...box);
    }
    if (solid.length === 0) throw new InputError('singular', 'all tetrahedra are flat');
    this.#solid = Uint32Array.from(solid);
    this.#grid = new BoxGrid(Float64Array.from(boxes), TETRAHEDRA_PER_CELL);
  }

  /** True when the point lies in a tetrahedron, false when it is bound to the nearest. */
  find(points: Float64Array, p: number): boolean {
    return this.#findHolder(points, p) || this.#takeNearest(points, p);
  }

  #findHolder(points: Float64Array, p: number): boolean {
    const trial = this.#trial;
    let deepest = -Infinity;
    this.#grid.visitAt(points[p], points[p + 1], points[p + 2], (i) => {
      setBarycentric(this.#mesh, this.#solid[i], points, p, trial);
      const depth = Math.min(trial[0], trial[1], trial[2], trial[3]);
      if (depth <= deepest) return;
      deepest = depth;
      this.tetrahedron = this.#solid[i];
      this.weights.set(trial);
    });
    return deepest >= INSIDE;
  }

  #takeNearest(points: Float64Array, p: number): false {
    let nearest = Infinity;
    this.#grid.visitNear(points[p], points[p + 1], points[p + 2], (i) => {
      const distance = squaredDistance(this.#mesh, this.#solid[i], points, p);
      if (distance < nearest || (distance === nearest && this.#solid[i] < this.tetrahedron)) {
        nearest = distance;
        this.tetrahedron = this.#solid[i];
      }
      return nearest;
    });
    setBarycentric(this.#mesh, this.tetrahedron, points, p, this.weights);
    return false;
  }
}

function setTetrahedronBox({ positions, tetrahedra }: TetrahedralMesh, t: number, box: Float64Array): void {
  box.fill(Infinity, 0, 3);
  box.fill(-Infinity, 3, 6);
  for (let c = 4 * t; c < 4 * t + 4; c++) {
    for (let k = 0, o = 3 * tetrahedra[c]; k < 3; k++) {
      box[k] = Math.min(box[k], positions[o + k]);
      box[3 + k] = Math.max(box[3 + k], positions[o + k]);
    }
  }
}

function sixVolumes({ positions: p, tetrahedra }: TetrahedralMesh, t: number): number {
  const d = 3 * tetrahedra[4 * t + 3];
  return determinant(
    p,
    3 * tetrahedra[4 * t],
    3 * tetrahedra[4 * t + 1],
    3 * tetrahedra[4 * t + 2],
    p[d],
    p[d + 1],
    p[d + 2],
  );
}

/** det(a − o, b − o, c − o) for the point o = (x, y, z). */
function determinant(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = p[a] - x,
    ay = p[a + 1] - y,
    az = p[a + 2] - z;
  const bx = p[b] - x,
    by = p[b + 1] - y,
    bz = p[b + 2] - z;
  const cx = p[c] - x,
    cy = p[c + 1] - y,
    cz = p[c + 2] - z;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** Four numbers that add up to 1 and give the point from the corners; all ≥ 0 inside. */
function setBarycentric(
  mesh: TetrahedralMesh,
  t: number,
  points: Float64Array,
  o: number,
  out: Float64Array,
): void {
  const { positions: p, tetrahedra } = mesh;
  const a = 3 * tetrahedra[4 * t],
    b = 3 * tetrahedra[4 * t + 1],
    c = 3 * tetrahedra[4 * t + 2],
    d = 3 * tetrahedra[4 * t + 3];
  const x = points[o],
    y = points[o + 1],
    z = points[o + 2];
  const whole = sixVolumes(mesh, t);
  out[0] = determinant(p, d, c, b, x, y, z) / whole;
  out[1] = determinant(p, a, c, d, x, y, z) / whole;
  out[2] = determinant(p, a, d, b, x, y, z) / whole;
  out[3] = 1 - out[0] - out[1] - out[2];
}

function squaredDistance(mesh: TetrahedralMesh, t: number, points: Float64Array, o: number): number {
  const { positions: p, tetrahedra } = mesh;
  const a = 3 * tetrahedra[4 * t],
    b = 3 * tetrahedra[4 * t + 1],
    c = 3 * tetrahedra[4 * t + 2],
    d = 3 * tetrahedra[4 * t + 3];
  return Math.min(
    squaredPointTriangleDistance(points, o, p, a, b, c),
    squaredPointTriangleDistance(points, o, p, a, b, d),
    squaredPointTriangleDistance(points, o, p, a, c, d),
    squaredPointTriangleDistance(points, o, p, b, c, d),
  );
}
