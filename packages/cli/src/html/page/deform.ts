import type { PageMesh, PagePose } from './read-payload.ts';

/** Vertices of one mesh in one frame, in world coordinates, into `out` from `at` on. */
export function deformMesh(
  mesh: PageMesh,
  pose: PagePose,
  world: Float32Array,
  out: Float32Array,
  at: number,
): void {
  const length = mesh.positions.length;
  const points = out.subarray(at, at + length);
  if (pose.positions) {
    points.set(pose.positions());
  } else {
    points.set(mesh.positions);
    if (mesh.morphs && pose.morphWeights) addMorphs(points, mesh.morphs, pose.morphWeights);
    if (mesh.skin && pose.joints) blendJoints(points, mesh.skin, pose.joints);
  }
  applyMatrix(points, world);
}

function addMorphs(points: Float32Array, morphs: readonly Float32Array[], weights: Float32Array): void {
  for (let k = 0; k < morphs.length; k++) {
    const weight = weights[k];
    if (weight === 0) continue;
    const delta = morphs[k];
    for (let i = 0; i < points.length; i++) points[i] += weight * delta[i];
  }
}

function blendJoints(
  points: Float32Array,
  skin: NonNullable<PageMesh['skin']>,
  matrices: Float32Array,
): void {
  const { influences, joints, weights } = skin;
  for (let v = 0, p = 0, i = 0; p < points.length; v++, p += 3) {
    const x = points[p],
      y = points[p + 1],
      z = points[p + 2];
    let X = 0,
      Y = 0,
      Z = 0;
    for (const end = influences * (v + 1); i < end; i++) {
      const w = weights[i];
      if (w === 0) continue;
      const m = 12 * joints[i];
      X += w * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
      Y += w * (matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7]);
      Z += w * (matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11]);
    }
    points[p] = X;
    points[p + 1] = Y;
    points[p + 2] = Z;
  }
}

function applyMatrix(points: Float32Array, m: Float32Array): void {
  for (let p = 0; p < points.length; p += 3) {
    const x = points[p],
      y = points[p + 1],
      z = points[p + 2];
    points[p] = m[0] * x + m[1] * y + m[2] * z + m[3];
    points[p + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    points[p + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
}
