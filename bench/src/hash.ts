import type { CollisionReport } from '../../packages/pliant/src/index.ts';
import { finishHash, mixHash } from '../../packages/pliant/src/mesh/hash.ts';

/** Of an answer: pairs in order, their bodies, and the bits of their times or distances. */
export function hashReport({ pairCount, pairs, bodies, times, distances }: CollisionReport): number {
  let hash = mixHash(0, pairCount);
  for (let k = 0; k < 2 * pairCount; k++) hash = mixHash(hash, pairs[k]);
  if (bodies) for (let k = 0; k < 2 * pairCount; k++) hash = mixHash(hash, bodies[k]);
  const values = times ?? distances;
  if (values) hash = hashNumbers(values.subarray(0, pairCount), hash);
  return finishHash(hash) >>> 0;
}

/** Of the bits of all poses, in order. */
export function hashPoses(poses: readonly Float64Array[]): string {
  let hash = mixHash(0, poses.length);
  for (const pose of poses) hash = hashNumbers(pose, hash);
  return (finishHash(hash) >>> 0).toString(16).padStart(8, '0');
}

/** Copied first: the words of a view need not start at a multiple of eight. */
function hashNumbers(values: Float64Array, hash: number): number {
  const words = new Uint32Array(values.slice().buffer);
  let h = mixHash(hash, values.length);
  for (let i = 0; i < words.length; i++) h = mixHash(h, words[i]);
  return h;
}
