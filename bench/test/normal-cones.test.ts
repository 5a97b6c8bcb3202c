import { describe, expect, test } from 'vitest';
import {
  type Body,
  createEngine,
  createTriangleMesh,
  findSelfCollisions,
} from '../../packages/pliant/src/index.ts';
import { createBumpyBall, createCloth } from '../../packages/pliant/src/shapes/index.ts';
import { isLeaf, ROOT } from '../../packages/pliant/src/tree/tree.ts';
import { rolledSheet } from '../../packages/pliant/test/cull/subspace/modal-cases.ts';
import { ALL_DIRECTIONS, NormalConeCertificate } from '../src/trees/normal-cones.ts';

const engine = await createEngine({ kernels: 'ts' });

function createBody(source: Parameters<typeof createTriangleMesh>[0]): Body {
  return engine.createFreeBody(createTriangleMesh(source));
}

function query(body: Body, cones: NormalConeCertificate) {
  return findSelfCollisions(body, { certificates: [cones], method: 'batch' });
}

/** Share of the inner nodes that are left out. */
function clearedShare({ tree }: Body, cones: NormalConeCertificate): number {
  let inner = 0,
    cleared = 0;
  for (let node = 0; node < tree.nodeCount; node++) {
    if (isLeaf(tree, node)) continue;
    inner++;
    if (cones.clears(node, node)) cleared++;
  }
  return cleared / inner;
}

describe('normal cones', () => {
  test('a flat sheet is left out at the root', () => {
    const body = createBody(createCloth({ triangles: 200 }).source);
    const cones = new NormalConeCertificate(body);
    const { counters } = query(body, cones);
    expect(counters.nodePairsCleared).toBe(1);
    expect(counters.nodePairsTested + counters.trianglePairsTested).toBe(0);
    expect(cones.clears(ROOT, ROOT)).toBe(true);
    expect(cones.clears(1, 2)).toBe(false); // it speaks of single nodes only
  });

  test('of a ball only patches are', () => {
    const body = createBody(createBumpyBall({ triangles: 2000, bump: 0 }).source);
    const cones = new NormalConeCertificate(body);
    query(body, cones);
    expect(cones.masks[ROOT]).toBe(0);
    expect(clearedShare(body, cones)).toBeGreaterThan(0.8);
    expect(clearedShare(body, cones)).toBeLessThan(1);
  });

  test('a rolled sheet is left out in parts, and as a whole once it is unrolled', () => {
    const body = createBody(rolledSheet(40, 10));
    const cones = new NormalConeCertificate(body);
    const { counters } = query(body, cones);
    expect(cones.masks[ROOT]).toBe(0);
    expect(counters.nodePairsCleared).toBeGreaterThan(1);
    expect(counters.nodePairsCleared).toBeLessThan(20);
    const flat = rolledSheet(40, 10, 0.1).positions;
    body.setPose(Float64Array.from(flat));
    expect(query(body, cones).counters.nodePairsCleared).toBe(1);
  });

  test('masks are what all normals agree with, one by one', () => {
    const body = createBody(createBumpyBall({ triangles: 320 }).source);
    const { tree, mesh } = body;
    const cones = new NormalConeCertificate(body);
    cones.begin(false);
    const directions = Array.from({ length: 27 }, (_, k) => [
      (k % 3) - 1,
      (Math.floor(k / 3) % 3) - 1,
      Math.floor(k / 9) - 1,
    ]).filter((d) => [1, 3].includes(d.filter((x) => x !== 0).length));
    expect(directions).toHaveLength(14);
    for (let node = 0; node < tree.nodeCount; node++) {
      const under = tree.order.subarray(tree.firstSlot[node], tree.firstSlot[node] + tree.slotCount[node]);
      const agreed = directions.filter((d) =>
        under.every((t) => normalOf(mesh, t).reduce((sum, x, k) => sum + x * d[k], 0) > 0),
      );
      expect(bitsOf(cones.masks[node])).toBe(agreed.length);
      expect(cones.masks[node] & ~ALL_DIRECTIONS).toBe(0);
    }
  });

  test('it misses contacts, so its answers are never compared', () => {
    // A strip that turns by less than a quarter, and another piece of it in the same place.
    const strip = [0, 0, 0, 1, 0, 0.2, 0, 1, 0, 1, 1, 0.2];
    const positions = [...strip, ...strip.map((x, k) => (k % 3 === 2 ? 0.2 - x : x))];
    const body = createBody({ positions, triangles: [0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6] });
    expect(findSelfCollisions(body).pairCount).toBeGreaterThan(0);
    expect(query(body, new NormalConeCertificate(body)).pairCount).toBe(0);
  });

  test('it says nothing of a motion, nor of triangles without area', () => {
    const body = createBody(createCloth({ triangles: 200 }).source);
    const cones = new NormalConeCertificate(body);
    cones.begin(true);
    expect(cones.clears(ROOT, ROOT)).toBe(false);
    body.setPose(new Float64Array(3 * body.mesh.vertexCount));
    cones.begin(false);
    expect(cones.clears(ROOT, ROOT)).toBe(false);
  });
});

function normalOf({ positions, triangles }: Body['mesh'], t: number): number[] {
  const [a, b, c] = [0, 1, 2].map((k) =>
    positions.slice(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3),
  );
  const [u, v] = [b, c].map((p) => Array.from(p, (x, k) => x - a[k]));
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function bitsOf(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}
