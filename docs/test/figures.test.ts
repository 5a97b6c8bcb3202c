import { createEngine, createTriangleMesh, findSelfCollisions } from 'pliant';
import { prepareEnergyCertificate, prepareSubspaceCertificate } from 'pliant/cull';
import { describe, expect, test } from 'vitest';
import { bendStrip, COLUMNS, createStrip } from '../.vitepress/theme/figures/folding-strip.ts';
import { createOpenRing } from '../.vitepress/theme/figures/open-ring.ts';

describe('the figures of the page about certificates show what its text says', () => {
  test('the ring: free below the limit, in contact a little beyond, proved by a length alone', async () => {
    const ring = createOpenRing();
    const mesh = createTriangleMesh(ring);
    expect(mesh.isClosed).toBe(true);
    expect(mesh.triangleCount).toBe(820);
    const body = (await createEngine()).createModalBody(mesh, ring.modes);
    const certificate = prepareSubspaceCertificate(body, { reach: 1.5 });
    const limit = certificate.balls[0].lower[0];
    const count = (pose: ArrayLike<number>) => {
      body.setPose(pose);
      return findSelfCollisions(body, { certificates: [] }).pairCount;
    };
    for (let angle = 0; angle < 6.2; angle += 0.1) {
      expect(count([0.999 * limit * Math.cos(angle), 0.999 * limit * Math.sin(angle)])).toBe(0);
    }
    const touching = certificate.findContactPose()!;
    expect(Math.hypot(...touching)).toBeLessThan(1.1 * limit);
    expect(count(touching.map((q) => 1.01 * q))).toBeGreaterThan(0);
    expect(count([1, 0.7])).toBe(0); // its ends go past each other
  });

  test('the strip: proved as a whole, then in parts, and at last it touches itself', async () => {
    const strip = createStrip();
    const body = (await createEngine()).createFreeBody(createTriangleMesh(strip), { split: 'connected' });
    const certificate = prepareEnergyCertificate(body, {
      minTriangles: 32,
      maxTriangles: 512,
      outlines: false,
    });
    const pose = new Float64Array(strip.positions.length);
    const line = new Float64Array(2 * COLUMNS + 2);
    const bend = (degrees: number) => {
      bendStrip((degrees * Math.PI) / 180, 0.5, 0.3, pose, line);
      body.setPose(pose);
      certificate.begin(false);
      const first = body.tree.link[0];
      return {
        isWhole: certificate.clears(0, 0),
        hasPart: certificate.clears(first, first) || certificate.clears(first + 1, first + 1),
        pairs: findSelfCollisions(body, { certificates: [] }).pairCount,
      };
    };
    expect(bend(100)).toEqual({ isWhole: true, hasPart: true, pairs: 0 });
    expect(bend(140)).toEqual({ isWhole: false, hasPart: true, pairs: 0 });
    expect(bend(430).pairs).toBeGreaterThan(0);
    expect(bend(430).isWhole).toBe(false);
  });
});
