import { describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../packages/pliant/src/index.ts';
import { createTrack } from '../src/scenes.ts';
import { spotCheck } from '../src/spot-check.ts';
import { KMeansQuery } from '../src/trees/k-means-query.ts';
import { buildKMeansTree } from '../src/trees/k-means-tree.ts';
import { createSahSplit } from '../src/trees/sah-split.ts';

const track = createTrack('spring-16k', { scale: 0.1, frames: 5 })!;
const flat = createTriangleMesh({
  // nine equal triangles: nothing to divide by
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
  triangles: Array.from({ length: 9 }, () => [0, 1, 2]).flat(),
});

describe('k-means tree', () => {
  test.each([
    ['spring', track.mesh],
    ['equal triangles', flat],
  ])('%s: every triangle is in one leaf, children follow their parent', (_, mesh) => {
    const { nodeCount, firstChild, childCount, order } = buildKMeansTree(mesh);
    const seen = new Set<number>(),
      parents = new Uint32Array(nodeCount);
    for (let node = 0; node < nodeCount; node++) {
      if (childCount[node] === 0) seen.add(order[firstChild[node]]);
      for (let c = firstChild[node]; c < firstChild[node] + childCount[node]; c++) {
        expect(c).toBeGreaterThan(node);
        parents[c]++;
      }
    }
    expect(seen.size).toBe(mesh.triangleCount);
    expect(Array.from(parents.subarray(1)).every((count) => count === 1)).toBe(true);
  });

  test('finds our pairs', async () => {
    const engine = await createEngine({ kernels: 'ts' });
    const body = engine.createFreeBody(track.mesh);
    const query = new KMeansQuery(track.mesh, buildKMeansTree(track.mesh));
    for (const pose of track.poses) {
      body.setPose(pose);
      expect(query.run(pose).sortedPairs()).toEqual(findSelfCollisions(body).sortedPairs());
    }
  });
});

describe('SAH tree', () => {
  test.each(['batch', 'depth-first', 'on-demand'] as const)('%s finds our pairs', async (method) => {
    const engine = await createEngine({ kernels: 'ts' });
    const body = engine.createFreeBody(track.mesh),
      other = engine.createFreeBody(track.mesh, { split: createSahSplit(track.mesh) });
    let boxTests = 0,
      otherTests = 0;
    for (const pose of track.poses) {
      body.setPose(pose);
      other.setPose(pose);
      const expected = findSelfCollisions(body, { method: 'depth-first' });
      const found = findSelfCollisions(other, { method });
      boxTests += expected.counters.nodePairsTested;
      otherTests += found.counters.nodePairsTested;
      expect(found.sortedPairs()).toEqual(expected.sortedPairs());
    }
    expect(otherTests).toBeLessThan(boxTests);
  });

  test('equal triangles are divided somehow', async () => {
    const engine = await createEngine({ kernels: 'ts' });
    const body = engine.createFreeBody(flat, { split: createSahSplit(flat) });
    expect(body.tree.nodeCount).toBe(17);
  });
});

test('the spot check sees a missing and an invented pair', async () => {
  const engine = await createEngine({ kernels: 'ts' });
  const body = engine.createFreeBody(track.mesh);
  const pose = track.poses[2];
  body.setPose(pose);
  const report = findSelfCollisions(body);
  expect(report.pairCount).toBeGreaterThan(1);
  const all = track.mesh.triangleCount * 4; // random, so that surely each of the triangles below is among them
  expect(spotCheck(track.mesh, report, 50, pose)).toEqual([]);
  const [i, j] = [report.pairs[0], report.pairs[1]];
  report.pairs[1] = i === 0 ? 1 : 0; // far along the list, or its neighbour: not what touches i
  const lines = spotCheck(track.mesh, report, all, pose);
  expect(lines).toContain(`${i} and ${j} touch and are not reported`);
  expect(lines).toContain(`${i} and ${report.pairs[1]} are reported and do not touch`);
});
