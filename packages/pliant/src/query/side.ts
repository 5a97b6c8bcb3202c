import type { Body, Boxes64 } from '../body/body.ts';
import type { PointSource } from '../deform/point-source.ts';
import type { Bounds } from '../refit/bounds.ts';
import type { QuantisedBoxes } from '../refit/quantised-boxes.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** One of the two bodies of a query; both sides of a self-query are the same body in its own coordinates. */
export class Side {
  body!: Body;
  mesh!: ResidentMesh;
  source!: PointSource;
  bounds: Bounds | undefined;
  boxes: QuantisedBoxes | undefined;
  /** f64 boxes of all nodes, for the depth-first method. */
  boxes64: Boxes64 | undefined;
  /** What had been computed before this query. */
  volumesBefore = 0;
  evaluatedBefore = 0;
  /** The box that ensureBox spoke of last. */
  nodeBox: Float32Array | Float64Array = new Float64Array(6);
  nodeOffset = 0;
  readonly smallBox = new Float64Array(6);
  /** Points at the start and at the end, valid in kernel memory as it is now. */
  start: Float64Array = new Float64Array(0);
  end: Float64Array = new Float64Array(0);
}

/** From here on counts what is computed for this side. */
export function noteStart(side: Side): void {
  side.volumesBefore = volumesOf(side);
  side.evaluatedBefore = side.source.evaluated;
}

/** What that has cost, see body/effort.ts. */
export function spentOn(side: Side): number {
  const { volume, point } = side.body.effort;
  return (
    (volumesOf(side) - side.volumesBefore) * volume + (side.source.evaluated - side.evaluatedBefore) * point
  );
}

export function volumesOf(side: Side): number {
  return side.bounds ? side.bounds.refitted : 0;
}
