import type { GltfMesh, GltfScene, Poser } from '../../src/gltf/index.ts';

/** World positions of a mesh in the poser's current pose, vertex by vertex: morph targets, then skin or node. */
export function posedPositions(scene: GltfScene, poser: Poser, m: number): Float64Array {
  const mesh = scene.meshes[m];
  const points = morphedPositions(mesh, poser, m);
  const matrix = new Float64Array(12);
  poser.worldMatrix(m, matrix);
  const joints = new Float64Array(12 * (mesh.skin?.joints.length ?? 0));
  if (mesh.skin !== undefined) poser.jointMatrices(m, joints);
  for (let v = 0; v < points.length / 3; v++) {
    const p = points.slice(3 * v, 3 * v + 3);
    if (mesh.skin === undefined) points.set(transformed(matrix, 0, p), 3 * v);
    else points.set(skinned(mesh, joints, v, p), 3 * v);
  }
  return points;
}

export function modelSize(positions: readonly Float64Array[]): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const list of positions) {
    list.forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3], x);
      high[i % 3] = Math.max(high[i % 3], x);
    });
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`${a.length} numbers and ${b.length}`);
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference; // NaN stays
  }
  return largest;
}

/** Every triangle with its corners turned so that the smallest comes first: packing may turn them. */
export function turnedTriangles(triangles: ArrayLike<number>): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => triangles[3 * t + k]);
    const first = corners.indexOf(Math.min(...corners));
    return [0, 1, 2].map((k) => corners[(first + k) % 3]);
  });
}

function morphedPositions({ positions, morphs }: GltfMesh, poser: Poser, m: number): Float64Array {
  const points = positions.slice();
  if (morphs === undefined) return points;
  const weights = new Float64Array(morphs.count);
  poser.morphWeights(m, weights);
  weights.forEach((weight, target) => {
    for (let i = 0; i < points.length; i++) points[i] += weight * morphs.deltas[target * points.length + i];
  });
  return points;
}

function skinned({ skin }: GltfMesh, joints: Float64Array, v: number, p: Float64Array): number[] {
  const { influences, jointIndex, weights } = skin!;
  const sum = [0, 0, 0];
  for (let i = influences * v; i < influences * (v + 1); i++) {
    transformed(joints, 12 * jointIndex[i], p).forEach((x, axis) => {
      sum[axis] += weights[i] * x;
    });
  }
  return sum;
}

function transformed(m: Float64Array, o: number, [x, y, z]: Float64Array): number[] {
  return [0, 4, 8].map((row) => m[o + row] * x + m[o + row + 1] * y + m[o + row + 2] * z + m[o + row + 3]);
}
