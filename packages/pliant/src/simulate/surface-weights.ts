import type { Meshless } from '../deform/meshless.ts';
import {
  checkArray,
  checkCoordinates,
  checkCount,
  checkObject,
  type NumberArray,
} from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { checkOption } from '../shapes/shape.ts';
import { NearestNodes } from './nearest-nodes.ts';

export interface SurfaceWeightOptions {
  /** How many nodes carry a vertex at most. Default: 8. */
  influences?: number;
}

/**
 * Convex weights with which the nearest nodes carry each vertex: (1 − r²/h²)³, a polynomial in the form of a Gaussian,
 * divided by their sum. The support h of a vertex ends where its first idle node stands, so every vertex has a
 * node, and a node's weight is 0 when another takes its place: weights are continuous over the surface. Distances
 * are straight: a limb that lies close to another at rest is carried by nodes of both.
 */
export function createSurfaceWeights(
  mesh: TriangleMesh,
  nodePositions: NumberArray,
  options: SurfaceWeightOptions = {},
): Meshless {
  checkTriangleMesh(mesh);
  checkObject('options', options);
  const { influences: wanted = 8 } = options;
  checkOption('influences', wanted, 1, 64);
  if (!Number.isInteger(wanted)) {
    throw new InputError('bad-option', `influences must be a whole number, not ${wanted}`);
  }
  checkArray('nodePositions', nodePositions);
  const nodeCount = checkCount('nodePositions', nodePositions, 3);
  checkCoordinates('nodePositions', nodePositions);

  const positions = Float64Array.from(nodePositions as ArrayLike<number>);
  const influences = Math.min(wanted, nodeCount);
  const nearest = new NearestNodes(positions, influences + 1);
  const weightsOfVertex = new Float64Array(influences);
  const nodes = new Uint32Array(influences * mesh.sourceVertexCount);
  const weights = new Float64Array(influences * mesh.sourceVertexCount);
  for (let s = 0; s < mesh.sourceVertexCount; s++) {
    const o = 3 * mesh.weldedVertex[s];
    nearest.find(mesh.positions[o], mesh.positions[o + 1], mesh.positions[o + 2]);
    weigh(nearest, influences, weightsOfVertex);
    nodes.set(nearest.indices.subarray(0, influences), influences * s);
    weights.set(weightsOfVertex, influences * s);
  }
  return { nodePositions: positions, influences, nodes, weights };
}

/** Where all nodes carry the vertex, the support ends this much beyond the last. */
const BEYOND_LAST = 1.5;

function weigh({ squaredDistances }: NearestNodes, influences: number, out: Float64Array): void {
  const hasIdle = squaredDistances.length > influences;
  const support = hasIdle
    ? squaredDistances[influences]
    : BEYOND_LAST * BEYOND_LAST * squaredDistances[influences - 1];
  let sum = 0;
  for (let k = 0; k < influences; k++) {
    const q = support > 0 ? Math.max(0, 1 - squaredDistances[k] / support) : 0;
    out[k] = q * q * q;
    sum += out[k];
  }
  if (sum > 0) for (let k = 0; k < influences; k++) out[k] /= sum;
  else out.fill(1 / influences); // all equally far
}
