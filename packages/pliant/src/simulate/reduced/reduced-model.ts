import type { Modes } from '../../deform/blend-data.ts';
import { checkNumbers, checkObject } from '../../mesh/check-input.ts';
import { checkTriangleMesh } from '../../mesh/check-mesh.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import {
  createReducedElasticity,
  createReducedElasticityAsync,
  type ReducedElasticity,
  type ReducedWork,
} from './reduced-elasticity.ts';
import { ReducedInertia } from './reduced-inertia.ts';
import { checkReducedSource, type ReducedSource } from './reduced-source.ts';

export interface ReducedModelSource extends ReducedSource {
  /** The surface that is seen and collides. Default: the boundary of the tetrahedra. */
  readonly surface?: TriangleMesh;
  /** Its displacements per mode, as for `engine.createModalBody`. Must be given with `surface`. */
  readonly surfaceModes?: Modes;
  /** Computed before; otherwise it is summed now, which may take long. */
  readonly elasticity?: ReducedElasticity;
}

/** What bodies of one shape and material share: elasticity, inertia, surface. Nothing in it depends on a pose. */
export class ReducedModel {
  readonly modeCount: number;
  readonly elasticity: ReducedElasticity;
  readonly inertia: ReducedInertia;
  readonly surface: TriangleMesh;
  readonly surfaceModes: Modes;
  /** Displacements of the surface's welded vertices: x of all modes, then y, then z. */
  readonly vertexModes: Float64Array;
  /** Diagonal of the surface's box at rest. */
  readonly size: number;
  /** Distance from the centre of mass to the farthest vertex at rest, and how far a unit of each mode moves any. */
  readonly radius: number;
  readonly modeReach: Float64Array;

  /** Use `createReducedModel`. */
  constructor(source: ReducedModelSource, elasticity: ReducedElasticity) {
    const n = elasticity.modeCount;
    const { mesh } = source;
    this.modeCount = n;
    this.elasticity = elasticity;
    this.inertia = new ReducedInertia(source, n);
    this.surface =
      source.surface ?? createTriangleMesh({ positions: mesh.positions, triangles: mesh.boundaryTriangles });
    this.surfaceModes = source.surfaceModes ?? { count: n, displacements: source.modes };
    this.vertexModes = gatherVertexModes(this.surface, this.surfaceModes);
    const { size, radius } = measure(this.surface, this.inertia.centre);
    this.size = size;
    this.radius = radius;
    this.modeReach = findReach(this.vertexModes, n);
  }
}

/** Sums elasticity and inertia over all tetrahedra; see `createReducedElasticity` for how long that takes. */
export function createReducedModel(source: ReducedModelSource): ReducedModel {
  checkSource(source);
  return new ReducedModel(source, source.elasticity ?? createReducedElasticity(source));
}

/** The same in slices between which other work can run; with `pool` a worker sums the elasticity. */
export async function createReducedModelAsync(
  source: ReducedModelSource,
  options: ReducedWork = {},
): Promise<ReducedModel> {
  checkSource(source);
  return new ReducedModel(source, source.elasticity ?? (await createReducedElasticityAsync(source, options)));
}

function checkSource(source: ReducedModelSource): void {
  const n = checkReducedSource(source);
  const { surface, surfaceModes, elasticity } = source;
  if ((surface === undefined) !== (surfaceModes === undefined)) {
    throw new InputError('mismatch', 'surface and surfaceModes go together: give both or none');
  }
  if (surface !== undefined && surfaceModes !== undefined) {
    checkTriangleMesh(surface, 'surface');
    checkObject('surfaceModes', surfaceModes);
    if (surfaceModes.count !== n) {
      throw new InputError(
        'mismatch',
        `surfaceModes has ${surfaceModes.count} modes, the tetrahedra have ${n}`,
      );
    }
    checkNumbers('surfaceModes.displacements', surfaceModes.displacements, 3 * n * surface.sourceVertexCount);
  }
  if (elasticity !== undefined && elasticity.modeCount !== n) {
    throw new InputError(
      'mismatch',
      `elasticity has ${elasticity.modeCount} modes, the tetrahedra have ${n}`,
    );
  }
}

function gatherVertexModes(surface: TriangleMesh, { count, displacements }: Modes): Float64Array {
  const gathered = new Float64Array(3 * count * surface.vertexCount);
  for (let v = 0; v < surface.vertexCount; v++) {
    for (let axis = 0; axis < 3; axis++) {
      for (let k = 0; k < count; k++) {
        const from = 3 * (k * surface.sourceVertexCount + surface.sourceVertex[v]) + axis;
        gathered[(3 * v + axis) * count + k] = displacements[from];
      }
    }
  }
  return gathered;
}

function measure({ positions }: TriangleMesh, centre: Float64Array): { size: number; radius: number } {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  let radius = 0;
  for (let o = 0; o < positions.length; o += 3) {
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const x = positions[o + k];
      low[k] = Math.min(low[k], x);
      high[k] = Math.max(high[k], x);
      squared += (x - centre[k]) ** 2;
    }
    radius = Math.max(radius, Math.sqrt(squared));
  }
  return { size: Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]), radius };
}

function findReach(vertexModes: Float64Array, n: number): Float64Array {
  const reach = new Float64Array(n);
  for (let o = 0; o < vertexModes.length; o += 3 * n) {
    for (let k = 0; k < n; k++) {
      const length = Math.hypot(vertexModes[o + k], vertexModes[o + n + k], vertexModes[o + 2 * n + k]);
      reach[k] = Math.max(reach[k], length);
    }
  }
  return reach;
}
