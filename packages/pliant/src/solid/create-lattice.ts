import type { TetrahedralEmbedding } from '../deform/embed-in-tetrahedra.ts';
import {
  checkLongWork,
  type ProgressOptions,
  runSlices,
  runSteps,
  type SliceOptions,
} from '../long-work/in-slices.ts';
import { type PoolOption, readPool, type TaskKind } from '../long-work/task-pool.ts';
import { checkNumbers, checkObject, describe } from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTetrahedralMesh, type TetrahedralMesh } from '../mesh/tetrahedral-mesh.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { buildLattice, type RawLattice } from './build-lattice.ts';
import { chooseCell, learnCurvature, supportOf, type VertexForecast } from './choose-cell.ts';
import { findParts, type LatticeReport, reportLattice } from './lattice-report.ts';
import { prepareSolid, type SolidSurface } from './prepare-solid.ts';

export interface LatticeOptions extends ProgressOptions {
  /** The side of a cube of the lattice; tetrahedra are as long, and half as wide. Instead of `vertices`. */
  cellSize?: number;
  /** About how many vertices the lattice should have, within 10 % where that can be reached. Default: 10,000. */
  vertices?: number;
  /** Shifts the lattice, in cells, each number from 0 to 1. Default: one by which little coincides. */
  offset?: readonly number[];
}

export type AsyncLatticeOptions = LatticeOptions & SliceOptions & PoolOption;

/** Equal tetrahedra that follow a surface, with the surface embedded. Plain data: it can be sent to other threads. */
export interface Lattice {
  /** All dihedral angles are 60° or 90°, all volumes equal. Two may lie in the same place without being connected. */
  readonly tetrahedra: TetrahedralMesh;
  /** Where the vertices of the surface lie, for `engine.createEmbeddedBody`; no weight is below 0. */
  readonly embedding: TetrahedralEmbedding;
  /**
   * Two tetrahedra each: the neighbours through a face. Three may meet in one face where the solid forks, so faces
   * with equal vertices are no sign of it.
   */
  readonly glue: Uint32Array;
  /** Per tetrahedron: which share of it is solid, from 0 to 1. Some are nearly empty: give them some mass. */
  readonly fill: Float64Array;
  /** Per tetrahedron: which of the parts that nothing connects it belongs to; 0 is the largest. */
  readonly component: Uint32Array;
  readonly report: LatticeReport;
}

/** Coincides with little that people or programs build; a trace of it is added to every other offset too. */
const OFFSET = [0.137_035_99, 0.271_828_18, 0.414_213_56];
const TRACE = 1e-5;
const VERTICES = 10_000;
const FEWEST = 8;
/** A count further from the wanted one is improved by another lattice, so many times. */
const TOLERANCE = 0.095; // of its logarithm: never more than a tenth
const ATTEMPTS = 3;

/**
 * Fills a surface with a body-centred cubic lattice of tetrahedra. A tetrahedron that the solid passes several times
 * is there several times, so what is apart stays apart: fingers, coils, even walls that touch. Surfaces may be open,
 * inside out, non-manifold or of several shells; shells that overlap become one. Equal input gives equal output.
 * 10,000 vertices take about a second.
 *
 * Errors: 'singular' when there is no volume, 'too-large' when there would be too many cells, 'bad-option'.
 */
export function createLattice(mesh: TriangleMesh, options: LatticeOptions = {}): Lattice {
  return runSteps(createInSteps(mesh, options), options);
}

/** The same in slices between which other work can run, or in a worker of `pool`. */
export async function createLatticeAsync(
  mesh: TriangleMesh,
  options: AsyncLatticeOptions = {},
): Promise<Lattice> {
  const pool = readPool(options);
  const steps = createInSteps(mesh, options);
  if (pool === undefined) return runSlices(steps, options);
  checkLongWork(options);
  const { cellSize, vertices, offset, onProgress, signal } = options;
  const input = { mesh, options: { cellSize, vertices, offset } };
  return pool.run(LATTICE_TASK, input, { onProgress, signal });
}

export interface LatticeInput {
  readonly mesh: TriangleMesh;
  readonly options: Omit<LatticeOptions, 'onProgress'>;
}

export const LATTICE_TASK: TaskKind<LatticeInput, Lattice> = { name: 'lattice' };

/** Checks at once; the steps yield the share that is done. */
function createInSteps(mesh: TriangleMesh, options: LatticeOptions): Generator<number, Lattice> {
  checkTriangleMesh(mesh);
  checkObject('options', options);
  const { cellSize, vertices, offset = OFFSET } = options;
  if (cellSize !== undefined && vertices !== undefined) {
    throw new InputError('bad-option', 'cellSize and vertices exclude each other');
  }
  if (cellSize !== undefined && !(typeof cellSize === 'number' && cellSize > 0 && cellSize < Infinity)) {
    throw new InputError('bad-option', `cellSize must be more than 0, not ${describe(cellSize)}`);
  }
  if (
    vertices !== undefined &&
    !(typeof vertices === 'number' && vertices >= FEWEST && vertices < Infinity)
  ) {
    throw new InputError('bad-option', `vertices must be at least ${FEWEST}, not ${describe(vertices)}`);
  }
  checkNumbers('offset', offset, 3);
  for (const shift of offset) {
    if (!(shift >= 0 && shift <= 1)) throw new InputError('bad-option', `offset ${shift} is not from 0 to 1`);
  }
  const shifts = OFFSET.map((trace, k) => offset[k] + TRACE * trace);
  return build(mesh, cellSize, vertices ?? VERTICES, shifts);
}

/** The surface counts for a twentieth of the work, each attempt for half of what is left. */
function* build(
  given: TriangleMesh,
  cellSize: number | undefined,
  vertices: number,
  offset: readonly number[],
): Generator<number, Lattice> {
  const solid = yield* counted(prepareSolid(given));
  yield 0.05;
  let forecast: VertexForecast = { volume: solid.volume, support: supportOf(solid.mesh), curvature: 0 };
  let done = 0.05;
  let best: RawLattice | undefined;
  let bestMiss = Infinity;
  for (let attempt = 1; ; attempt++) {
    const cell = cellSize !== undefined ? cellSize / solid.size : chooseCell(forecast, vertices);
    const share = (1 - done) * (cellSize === undefined && attempt < ATTEMPTS ? 0.5 : 1);
    const raw = yield* scaled(buildLattice(solid, cell, offset), done, share);
    done += share;
    const count = raw.assembly.corners.length / 3;
    const miss = Math.abs(Math.log(count / vertices));
    if (best === undefined || miss < bestMiss) {
      best = raw;
      bestMiss = miss;
    }
    if (cellSize !== undefined || miss <= TOLERANCE || attempt === ATTEMPTS) {
      const lattice = finish(given, solid, best);
      yield 1;
      return lattice;
    }
    forecast = learnCurvature(forecast, cell, count);
  }
}

function* counted<T>(work: Generator<undefined, T>): Generator<number, T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield 0;
  }
}

function* scaled<T>(work: Generator<number, T>, from: number, share: number): Generator<number, T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield from + share * value;
  }
}

/** Back from the unit box to the surface's own coordinates. */
function finish(given: TriangleMesh, solid: SolidSurface, raw: RawLattice): Lattice {
  const { origin, size } = solid;
  const { cell, low, assembly } = raw;
  const positions = assembly.corners.map((x, i) => origin[i % 3] + size * (low[i % 3] + cell * x));
  const tetrahedra = createTetrahedralMesh({ positions, tetrahedra: assembly.tetrahedra, name: given.name });
  const parts = findParts(tetrahedra.tetrahedronCount, assembly.glue);
  return {
    tetrahedra,
    embedding: bindSources(given, solid, raw, tetrahedra),
    glue: assembly.glue,
    fill: raw.fill,
    component: parts.ofTetrahedron,
    report: reportLattice(given, solid, raw, tetrahedra, parts.sizes),
  };
}

function bindSources(
  given: TriangleMesh,
  { vertexOf }: SolidSurface,
  { embedding }: RawLattice,
  mesh: TetrahedralMesh,
): TetrahedralEmbedding {
  const count = given.sourceVertexCount;
  const tetrahedron = new Uint32Array(count),
    controls = new Uint32Array(4 * count),
    weights = new Float64Array(4 * count);
  for (let s = 0; s < count; s++) {
    const v = vertexOf[given.weldedVertex[s]],
      t = embedding.tetrahedron[v];
    tetrahedron[s] = t;
    controls.set(mesh.tetrahedra.subarray(4 * t, 4 * t + 4), 4 * s);
    weights.set(embedding.weights.subarray(4 * v, 4 * v + 4), 4 * s);
  }
  return { controlPositions: mesh.positions, influences: 4, controls, weights, tetrahedron, outside: 0 };
}
