import type { ResidentMesh } from '../tree/resident-mesh.ts';

/** The rest shape in the order of the tree. */
export interface RestSurface {
  readonly rest: Float64Array; // 3 per point
  readonly corners: Uint32Array; // 3 points per slot
}

export function readRestSurface({ mesh, tree, pointCount, vertexOfPoint }: ResidentMesh): RestSurface {
  const rest = new Float64Array(3 * pointCount);
  const pointOfVertex = new Uint32Array(mesh.vertexCount);
  for (let p = 0; p < pointCount; p++) {
    pointOfVertex[vertexOfPoint[p]] = p;
    for (let k = 0; k < 3; k++) rest[3 * p + k] = mesh.positions[3 * vertexOfPoint[p] + k];
  }
  const corners = new Uint32Array(3 * tree.order.length);
  for (let c = 0; c < corners.length; c++) {
    corners[c] = pointOfVertex[mesh.triangles[3 * tree.order[Math.floor(c / 3)] + (c % 3)]];
  }
  return { rest, corners };
}
