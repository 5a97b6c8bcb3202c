import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { Curve } from '../../src/shapes/curve.ts';
import { marchTetrahedra } from '../../src/shapes/marching-tetrahedra.ts';
import { PartSurface, type Point } from '../../src/shapes/part-surface.ts';
import { ball, chain, ellipsoid, limb, mirror } from '../../src/shapes/parts.ts';
import { remesh } from '../../src/shapes/remesh.ts';

const coordinate = fc.double({ min: 0.2, max: 0.8, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate) as fc.Arbitrary<Point>;
const radius = fc.double({ min: 0.06, max: 0.15, noNaN: true });
const part = fc.oneof(
  fc.tuple(point, radius).map(([p, r]) => ball('a', p, r)),
  fc
    .tuple(point, radius, radius, radius)
    .map(([p, x, y, z]) => ellipsoid('b', p, [x, y, z], { turn: [20, -50, 80] })),
  fc
    .tuple(point, point, radius)
    .map(([p, q, r]) => limb('c', p, [q[0], q[1], q[2] + 0.3], r, 0.8 * r, { flat: 0.7 })),
);
const surface = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => {
  const half = parts.length >> 1;
  const groups = [
    { blend: 0.1, parts: parts.slice(half) },
    { blend: 0.05, parts: parts.slice(0, half) },
  ];
  return new PartSurface(groups.filter((group) => group.parts.length > 0));
});

test('shares add up to 1 and the gradient is that of the value', () => {
  fc.assert(
    fc.property(surface, point, (s, [x, y, z]) => {
      const at = new Float64Array(4),
        near = new Float64Array(4),
        shares = new Float64Array(s.partCount);
      s.evaluate(x, y, z, at, shares);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      s.evaluate(x, y, z, near);
      expect(near).toEqual(at);
      // Where distances are estimated the gradient is exact only on the surface, so it is compared there.
      const p = Float64Array.from([x, y, z]);
      s.project(p, 0, 30, near);
      s.evaluate(p[0], p[1], p[2], at);
      if (Math.abs(at[0]) > 1e-9) return; // between two parts projecting may go on for ever
      const length = Math.sqrt(at[1] * at[1] + at[2] * at[2] + at[3] * at[3]);
      if (length < 0.3) return; // a crease
      s.evaluate(p[0] + 1e-6 * at[1], p[1] + 1e-6 * at[2], p[2] + 1e-6 * at[3], near);
      expect(near[0] / 1e-6 / (length * length)).toBeCloseTo(1, 1);
    }),
  );
});

test('the surface on a grid is closed and manifold, under lenses too', () => {
  fc.assert(
    fc.property(surface, point, fc.double({ min: 0, max: 0.85, noNaN: true }), (s, centre, strength) => {
      const mesh = createTriangleMesh(marchTetrahedra(s, 0.05, [{ centre, radius: 0.5, strength }]));
      expect(mesh.isClosed).toBe(true);
      const { degenerateTriangles, ...defects } = mesh.defects;
      expect(degenerateTriangles).toBe(0);
      expect(Object.values(defects)).toEqual([0, 0, 0, 0, 0, 0]);
    }),
    { numRuns: 40 },
  );
});

test('remeshing keeps it closed and its handles, and comes close to the wished count', () => {
  fc.assert(
    fc.property(fc.integer({ min: 800, max: 5000 }), (wished) => {
      // A ring of eight balls and a neck on it.
      const ring = chain('a', [
        [0.5, 0.3, 0.2, 0.08],
        [0.75, 0.3, 0.45, 0.08],
        [0.5, 0.3, 0.7, 0.08],
        [0.25, 0.3, 0.45, 0.08],
        [0.5, 0.3, 0.2, 0.08],
      ]);
      const s = new PartSurface([
        { blend: 0.05, parts: [...ring, limb('b', [0.5, 0.3, 0.2], [0.5, 0.7, 0.2], 0.1, 0.06)] },
      ]);
      const first = marchTetrahedra(s, 0.025);
      const before = createTriangleMesh(first),
        after = createTriangleMesh(remesh(s, first, wished));
      const euler = (mesh: typeof before) => mesh.vertexCount - mesh.edgeCount + mesh.triangleCount;
      expect([after.isClosed, after.componentCount, euler(before), euler(after)]).toEqual([true, 1, 0, 0]);
      expect(Math.abs(after.triangleCount / wished - 1)).toBeLessThan(0.05);
      const at = new Float64Array(4);
      for (let o = 0; o < after.positions.length; o += 3) {
        s.evaluate(after.positions[o], after.positions[o + 1], after.positions[o + 2], at);
        expect(Math.abs(at[0])).toBeLessThan(1e-4);
      }
    }),
    { numRuns: 6 },
  );
});

test('a mirrored part has the mirrored values', () => {
  const parts = [limb('armL', [0.3, 0.4, 0.1], [0.6, 0.9, 0.3], 0.1, 0.05, { across: [1, 0, 1], flat: 0.5 })];
  const left = new PartSurface([{ blend: 0, parts }]),
    right = new PartSurface([{ blend: 0, parts: mirror(parts) }]);
  expect(right.joints).toEqual(['armR']);
  fc.assert(
    fc.property(point, ([x, y, z]) => {
      const a = new Float64Array(4),
        b = new Float64Array(4);
      left.evaluate(x, y, z, a);
      right.evaluate(-x, y, z, b);
      expect([b[0], -b[1], b[2], b[3]].map((v) => v + 0)).toEqual([...a].map((v) => v + 0));
    }),
  );
});

test('a curve goes through its keys, has period 1, no jumps and does not overshoot', () => {
  const curve = new Curve([
    [0.1, 0],
    [0.3, 2],
    [0.5, 2],
    [0.8, -1],
  ]);
  expect([0.1, 0.3, 0.5, 0.8].map((phase) => curve.at(phase))).toEqual([0, 2, 2, -1]);
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (phase) => {
      expect(curve.at(phase + 1)).toBeCloseTo(curve.at(phase), 9);
      expect(Math.abs(curve.at(phase + 1e-4) - curve.at(phase))).toBeLessThan(0.003);
      expect(curve.at(phase)).toBeLessThanOrEqual(2 + 1e-12);
      expect(curve.at(phase)).toBeGreaterThanOrEqual(-1 - 1e-12);
    }),
  );
});
