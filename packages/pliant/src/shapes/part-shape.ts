import { marchTetrahedra } from './marching-tetrahedra.ts';
import { createMeshedShape, type MeshedOptions, type MeshedPlan } from './meshed-shape.ts';
import { type PartGroup, PartSurface } from './part-surface.ts';
import { createRandom } from './random.ts';
import { remesh } from './remesh.ts';
import type { Shape } from './shape.ts';

/** A figure that is put together from parts. */
export interface PartPlan extends Omit<MeshedPlan, 'mesh'> {
  readonly size: number; // of a unit of the parts
  readonly cell: number; // finds the thinnest of them, in their units
  readonly fewest: number; // triangles that still show all parts
  createGroups(random: () => number): PartGroup[];
}

export function createPartShape(plan: PartPlan, options: MeshedOptions): Shape {
  const mesh = (triangles: number, seed: number) => {
    const surface = new PartSurface(plan.createGroups(createRandom(seed)));
    const made = remesh(surface, marchTetrahedra(surface, plan.cell), Math.max(triangles, plan.fewest));
    return { positions: made.positions.map((x) => plan.size * x), triangles: made.triangles };
  };
  return createMeshedShape({ ...plan, mesh }, options);
}
