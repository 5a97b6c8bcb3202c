import { embedInTetrahedra, type TetrahedralEmbedding } from '../deform/embed-in-tetrahedra.ts';
import { type ProgressOptions, runSlices, runSteps, type SliceOptions } from '../long-work/in-slices.ts';
import type { PoolOption } from '../long-work/task-pool.ts';
import { checkObject, describe } from '../mesh/check-input.ts';
import { checkTetrahedralMesh, checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import { createTriangleMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import {
  type AsyncLatticeOptions,
  createLattice,
  createLatticeAsync,
  type Lattice,
  type LatticeOptions,
} from '../solid/create-lattice.ts';
import { findParts } from '../solid/lattice-report.ts';
import { cleanTetrahedra, glueFaces } from './cage-tetrahedra.ts';
import { NO_TIES, tieParts } from './cage-ties.ts';
import { type Cage, NO_VERTEX } from './types.ts';

/** A surface, which is filled with tetrahedra, or tetrahedra with the surface that they carry. */
export type CageSource =
  | TriangleMesh
  | TetrahedralMesh
  | {
      readonly tetrahedra: TetrahedralMesh;
      /** Default: the faces of one tetrahedron only. */
      readonly surface?: TriangleMesh;
    };

export interface CageOptions extends LatticeOptions {
  /** Whether parts that nothing connects are held by larger ones; else they float. Default: true. */
  attach?: boolean;
}

export type AsyncCageOptions = CageOptions & SliceOptions & PoolOption;

/** What was done to the input, and what should be known about it, in words. */
export interface CageReport {
  readonly vertices: number;
  readonly tetrahedra: number;
  /** Tetrahedra of the parts that nothing connects, largest first. */
  readonly components: readonly number[];
  readonly repairs: readonly string[];
  readonly warnings: readonly string[];
}

export interface ReportedCage extends Cage {
  readonly report: CageReport;
}

/**
 * The tetrahedra by which a shape is edited. A surface gets a lattice of them (see `createLattice`): it may be open or
 * of several shells, but it must enclose something. Tetrahedra that are given are used as they are; mirrored ones are
 * turned round and flat ones left out.
 *
 * Errors: those of `createLattice`; 'singular' when all tetrahedra are flat.
 */
export function createCage(source: CageSource, options: CageOptions = {}): ReportedCage {
  const plan = checkSource(source, options);
  if (plan.tetrahedra) return runSteps(buildFromTetrahedra(plan, plan.tetrahedra), options);
  return fromLattice(plan, createLattice(plan.surface, latticeOptions(plan, options)));
}

/** The same in slices between which other work can run, the lattice in a worker of `pool`. */
export async function createCageAsync(
  source: CageSource,
  options: AsyncCageOptions = {},
): Promise<ReportedCage> {
  const plan = checkSource(source, options);
  if (plan.tetrahedra) return runSlices(buildFromTetrahedra(plan, plan.tetrahedra), options);
  const { signal, slice, pool } = options;
  const lattice = await createLatticeAsync(plan.surface, {
    ...latticeOptions(plan, options),
    signal,
    slice,
    pool,
  });
  return fromLattice(plan, lattice);
}

/** The input in the coordinates of the cage. */
interface Plan {
  readonly surface: TriangleMesh;
  readonly tetrahedra: TetrahedralMesh | undefined;
  readonly surfaceVertex: Uint32Array;
  readonly centre: readonly number[];
  readonly scale: number;
  readonly attach: boolean;
}

function checkSource(source: CageSource, options: CageOptions): Plan {
  checkObject('the source of a cage', source);
  checkObject('options', options);
  const { attach = true } = options;
  if (typeof attach !== 'boolean') {
    throw new InputError('bad-option', `attach must be true or false, not ${describe(attach)}`);
  }
  const { tetrahedra, surface, surfaceVertex } = readParts(source);
  const { centre, scale } = boxOf(surface);
  const scaled = (positions: Float64Array) => positions.map((x, i) => (x - centre[i % 3]) / scale);
  return {
    // Vertices in one place that were not welded had a reason, and keep it.
    surface: createTriangleMesh({
      positions: scaled(surface.positions),
      triangles: surface.triangles,
      name: surface.name,
      weld: false,
    }),
    tetrahedra: tetrahedra && { ...tetrahedra, positions: scaled(tetrahedra.positions) },
    surfaceVertex,
    centre,
    scale,
    attach,
  };
}

function readParts(source: CageSource): {
  tetrahedra?: TetrahedralMesh;
  surface: TriangleMesh;
  surfaceVertex: Uint32Array;
} {
  if ('triangleCount' in source) return { surface: source, surfaceVertex: source.weldedVertex };
  const { tetrahedra, surface } =
    'tetrahedronCount' in source ? { tetrahedra: source, surface: undefined } : source;
  checkTetrahedralMesh(tetrahedra, 'the tetrahedra of a cage');
  if (surface === undefined) return { tetrahedra, ...boundaryOf(tetrahedra) };
  checkTriangleMesh(surface, 'the surface of a cage');
  return { tetrahedra, surface, surfaceVertex: surface.weldedVertex };
}

/** Of the vertices of the tetrahedra, those inside have no vertex of the surface. */
function boundaryOf({ positions, vertexCount, boundaryTriangles, name }: TetrahedralMesh) {
  const surfaceVertex = new Uint32Array(vertexCount).fill(NO_VERTEX);
  for (const v of boundaryTriangles) surfaceVertex[v] = 0;
  const used: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (surfaceVertex[v] === NO_VERTEX) continue;
    surfaceVertex[v] = used.length / 3;
    used.push(...positions.subarray(3 * v, 3 * v + 3));
  }
  const triangles = boundaryTriangles.map((v) => surfaceVertex[v]);
  return { surface: createTriangleMesh({ positions: used, triangles, name, weld: false }), surfaceVertex };
}

/** Of the vertices that triangles use. */
function boxOf({ positions, triangles }: TriangleMesh): { centre: number[]; scale: number } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const v of triangles) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], positions[3 * v + k]);
      high[k] = Math.max(high[k], positions[3 * v + k]);
    }
  }
  const scale = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (!(scale > SMALLEST && scale < LARGEST)) {
    throw new InputError('out-of-range', `the surface is ${scale} long; it must be between 2^-300 and 2^300`);
  }
  return { centre: low.map((x, k) => x / 2 + high[k] / 2), scale };
}

const SMALLEST = 2 ** -300;
const LARGEST = 2 ** 300;

function latticeOptions({ scale }: Plan, options: CageOptions): LatticeOptions & ProgressOptions {
  const { cellSize, vertices, offset, onProgress } = options;
  const scaled = typeof cellSize === 'number' ? cellSize / scale : cellSize;
  return { cellSize: scaled, vertices, offset, onProgress } satisfies AsyncLatticeOptions;
}

function fromLattice(plan: Plan, lattice: Lattice): ReportedCage {
  const { glue, embedding, report } = lattice;
  const tetrahedra = turnRound(lattice.tetrahedra);
  return finish(plan, tetrahedra, glue, embedding, [...report.repairs], [...report.warnings]);
}

/** With positive volumes only; the lattice has all of one sign. */
function turnRound(mesh: TetrahedralMesh): TetrahedralMesh {
  if (mesh.defects.invertedTetrahedra === 0) return mesh;
  const tetrahedra = mesh.tetrahedra.slice();
  for (let t = 0; t < mesh.tetrahedronCount; t++) {
    if (mesh.sign[t] > 0) continue;
    tetrahedra[4 * t + 2] = mesh.tetrahedra[4 * t + 3];
    tetrahedra[4 * t + 3] = mesh.tetrahedra[4 * t + 2];
  }
  return createTetrahedralMesh({ positions: mesh.positions, tetrahedra, name: mesh.name });
}

function* buildFromTetrahedra(plan: Plan, given: TetrahedralMesh): Generator<number, ReportedCage> {
  const { mesh, repairs, warnings } = cleanTetrahedra(given);
  yield 0.2;
  const embedding = embedInTetrahedra(plan.surface, mesh);
  if (embedding.outside > 0) {
    warnings.push(
      `vertices of the surface outside of all tetrahedra, hung on the nearest: ${embedding.outside}`,
    );
  }
  yield 0.6;
  const cage = finish(plan, mesh, glueFaces(mesh), embedding, repairs, warnings);
  yield 1;
  return cage;
}

function finish(
  plan: Plan,
  tetrahedra: TetrahedralMesh,
  glue: Uint32Array,
  bound: TetrahedralEmbedding,
  repairs: string[],
  warnings: string[],
): ReportedCage {
  const { surface, surfaceVertex, centre, scale, attach } = plan;
  const parts = findParts(tetrahedra.tetrahedronCount, glue);
  const ties = attach ? tieParts(tetrahedra, parts.ofTetrahedron) : NO_TIES;
  if (ties.start.length > 1) {
    repairs.push(`parts that nothing connects, held by larger ones: ${parts.sizes.length - 1}`);
  }
  return {
    tetrahedra,
    glue,
    component: parts.ofTetrahedron,
    surface,
    ties,
    embedding: bindCorners(bound, tetrahedra),
    surfaceVertex,
    spacing: medianEdge(tetrahedra),
    centre,
    scale,
    report: {
      vertices: tetrahedra.vertexCount,
      tetrahedra: tetrahedra.tetrahedronCount,
      components: parts.sizes,
      repairs,
      warnings,
    },
  };
}

/** The controls of a vertex are the corners of its tetrahedron, in their order; turning round has changed that. */
function bindCorners(bound: TetrahedralEmbedding, mesh: TetrahedralMesh): TetrahedralEmbedding {
  const { tetrahedron, outside } = bound;
  const controls = new Uint32Array(4 * tetrahedron.length),
    weights = new Float64Array(4 * tetrahedron.length);
  for (let v = 0; v < tetrahedron.length; v++) {
    for (let k = 0; k < 4; k++) {
      const corner = mesh.tetrahedra[4 * tetrahedron[v] + k];
      controls[4 * v + k] = corner;
      for (let l = 4 * v; l < 4 * v + 4; l++)
        if (bound.controls[l] === corner) weights[4 * v + k] = bound.weights[l];
    }
  }
  return { controlPositions: mesh.positions, influences: 4, controls, weights, tetrahedron, outside };
}

/** Of all tetrahedra, or of about so many evenly among them. */
const MEASURED = 10_000;

function medianEdge({ positions, tetrahedra, tetrahedronCount }: TetrahedralMesh): number {
  const step = 4 * Math.max(1, Math.floor(tetrahedronCount / MEASURED));
  const lengths: number[] = [];
  for (let o = 0; o < tetrahedra.length; o += step) {
    for (let i = o; i < o + 4; i++) {
      for (let j = i + 1; j < o + 4; j++) {
        const a = 3 * tetrahedra[i],
          b = 3 * tetrahedra[j];
        const x = positions[a] - positions[b],
          y = positions[a + 1] - positions[b + 1],
          z = positions[a + 2] - positions[b + 2];
        lengths.push(Math.sqrt(x * x + y * y + z * z));
      }
    }
  }
  return Float64Array.from(lengths).sort()[lengths.length >>> 1];
}
