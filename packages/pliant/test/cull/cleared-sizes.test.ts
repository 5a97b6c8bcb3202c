import { beforeAll, describe, expect, test } from 'vitest';
import { clearedSizes, type EnergyCertificate, prepareEnergyCertificate } from '../../src/cull/index.ts';
import { type Body, createEngine, findSelfCollisions } from '../../src/index.ts';
import { deform, roughSheet } from './energy/energy-cases.ts';
import { ProgramView } from './energy/program-view.ts';

const mesh = roughSheet(16, 12, 0.2, 5);
let body: Body;
let certificate: EnergyCertificate;

beforeAll(async () => {
  const engine = await createEngine();
  body = engine.createFreeBody(mesh, { split: 'connected' });
  certificate = prepareEnergyCertificate(body, { maxTriangles: 128, minTriangles: 16 });
});

/** The parts that sizes speak of: runs of slots, as long as they say. */
function partsOf({ tree }: EnergyCertificate, sizes: Uint32Array): Set<number>[] {
  const { order, firstSlot, slotCount, nodeCount } = tree;
  const parts: Set<number>[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const triangles = order.subarray(firstSlot[node], firstSlot[node] + slotCount[node]);
    if (triangles.every((t) => sizes[t] === slotCount[node])) parts.push(new Set(triangles));
  }
  return parts;
}

/** Pairs that touch although both are in one part that was cleared. */
function liesAbout(parts: readonly Set<number>[]): number {
  const { pairs, pairCount } = findSelfCollisions(body, { method: 'brute-force' });
  let lies = 0;
  for (let k = 0; k < pairCount; k++) {
    if (parts.some((part) => part.has(pairs[2 * k]) && part.has(pairs[2 * k + 1]))) lies++;
  }
  return lies;
}

describe('sizes of what is cleared', () => {
  test('are those of the largest parts with a proof, and nothing in these touches', () => {
    const asked = certificate.forBody(body);
    const { order, firstSlot, slotCount, nodeCount } = asked.tree;
    const kinds = new Set<number>();
    for (let seed = 1; seed <= 6; seed++) {
      body.setPose(deform(mesh, seed, 0.2 * seed));
      const sizes = clearedSizes(asked);
      const expected = new Uint32Array(mesh.triangleCount);
      const other = certificate.forBody(body);
      other.begin(false);
      for (let node = nodeCount - 1; node >= 0; node--) {
        if (!other.clears(node, node)) continue; // larger ones come later
        for (let s = firstSlot[node]; s < firstSlot[node] + slotCount[node]; s++) {
          expected[order[s]] = Math.max(expected[order[s]], slotCount[node]);
        }
      }
      expect(sizes).toEqual(expected);
      for (const size of sizes) kinds.add(size);
      expect(liesAbout(partsOf(asked, sizes))).toBe(0);
    }
    expect(kinds.has(0)).toBe(true);
    expect(kinds.size).toBeGreaterThan(3);
  });

  test('are the same for one that rests', () => {
    const fresh = certificate.forBody(body);
    for (let k = 0; k < 8; k++) {
      body.setPose(deform(mesh, k, 4));
      findSelfCollisions(body, { method: 'batch', certificates: [certificate] });
    }
    const out = new Uint32Array(mesh.triangleCount);
    for (let k = 0; k < 4; k++) {
      body.setPose(deform(mesh, k, 0.02));
      expect(clearedSizes(certificate, out)).toBe(out);
      expect(out).toEqual(clearedSizes(fresh));
      expect(out.some((size) => size > 0)).toBe(true);
    }
  });

  test('refuses an array of another kind or length', () => {
    body.setPose(mesh.positions);
    for (const out of [new Uint32Array(3), new Float64Array(mesh.triangleCount)]) {
      expect(() => clearedSizes(certificate, out as Uint32Array)).toThrow(
        expect.objectContaining({ code: 'wrong-length' }),
      );
    }
  });

  test('a certificate that lies is found out by the first of these', () => {
    // the last one, as it is never honest again
    new ProgramView(certificate).scaleLimits(1e6);
    body.setPose(deform(mesh, 3, 6));
    expect(liesAbout(partsOf(certificate, clearedSizes(certificate)))).toBeGreaterThan(0);
  });
});
