import {
  checkSeed,
  checkTriangleTarget,
  createShape,
  type MotionOptions,
  motionOf,
  type Shape,
  swing,
} from './shape.ts';

/** A figure that is meshed at rest, by a wished number of triangles, and then moved vertex by vertex. */
export interface MeshedPlan {
  readonly name: string;
  readonly triangles: number; // unless the options say otherwise
  mesh(
    triangles: number,
    seed: number,
  ): { readonly positions: Float64Array; readonly triangles: Uint32Array };
  /** From rest, which is in `out`, to `depth` (see `swing`); `periods` is the time counted in them. */
  move(out: Float64Array, depth: number, periods: number): void;
}

export interface MeshedOptions extends MotionOptions {
  triangles?: number;
  seed?: number;
}

export function createMeshedShape(plan: MeshedPlan, options: MeshedOptions): Shape {
  const { amplitude, period } = motionOf(options);
  const { triangles = plan.triangles, seed = 1 } = options;
  checkTriangleTarget(triangles);
  checkSeed(seed);
  const mesh = plan.mesh(triangles, seed);
  return createShape(plan.name, mesh.triangles, mesh.positions.length / 3, (time, out) => {
    out.set(mesh.positions);
    plan.move(out, amplitude * swing(time, period), time / period);
  });
}
