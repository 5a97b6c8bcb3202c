import { describe, expect, test } from 'vitest';
import { ContactFinder } from '../../../src/edit/contact/contact-finder.ts';
import { EDGE_EDGE } from '../../../src/edit/contact/contact-rows.ts';
import { CrossingEdges } from '../../../src/edit/contact/crossing-edges.ts';
import { SurfaceGeometry } from '../../../src/edit/contact/surface-geometry.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { crossedBars, loweredBar } from './scenes.ts';

describe('edges that cross', () => {
  test('two bars are held by one row, and come to rest at the margin', async () => {
    const cage = crossedBars();
    const finder = new ContactFinder(await createEngine(), cage, { margin: 0.01 });
    let by = 0.03; // apart by 0.06 at rest
    const step = () => {
      const { positions, controls } = loweredBar(cage, by);
      const rows = finder.find(positions, controls);
      const slack = rows.count > 0 ? rows.slack(0, positions) : 0;
      finder.noteMultipliers(new Float64Array(rows.count).fill(-1));
      return { rows, slack };
    };
    expect(step().rows.count).toBe(0);
    by = 0.1;
    const { rows } = step();
    expect(rows.count).toBe(1);
    expect(rows.kind[0]).toBe(EDGE_EDGE);
    expect(rows.depth[0]).toBeCloseTo(0.04, 9);
    expect(Math.abs(rows.normal[2])).toBeCloseTo(1, 9);
    expect(rows.toArray()[0].point.weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(0, 12);
    for (let k = 0; k < 4; k++) by += step().slack;
    expect(by).toBeCloseTo(0.05, 9);
    expect(finder.crossingPairs).toBe(0);
    expect(step().rows.count).toBe(1); // it presses, so it stays
  });

  /** Upright triangles: one stands on its edge along x at `height`, the other hangs below its edge along y at 0. */
  const upright = (height: number) =>
    Float64Array.from([-1, 0, height, 1, 0, height, 0, 0, height + 3, 0, -1, 0, 0, 1, 0, 0, 0, -3]);

  test('without normals that face each other, the side before decides', () => {
    const mesh = createTriangleMesh({ positions: upright(0.5), triangles: [0, 1, 2, 3, 4, 5] });
    const edges = new CrossingEdges(new SurfaceGeometry(mesh));
    expect(edges.find(upright(-0.25), undefined, 0, 1)).toBe(false);
    expect(edges.find(upright(-0.25), upright(0.5), 0, 1)).toBe(true);
    expect(edges.gap).toBeCloseTo(-0.25, 12);
    expect(edges.normal[2]).toBeCloseTo(1, 12);
    expect([...edges.vertices]).toEqual([0, 1, 3, 4]);
    expect([...edges.weights]).toEqual([0.5, 0.5, -0.5, -0.5]);
    expect(edges.update(upright(0.1), Uint32Array.from([0, 1, 3, 4]), 0, edges.turn)).toBe(true);
    expect(edges.gap).toBeCloseTo(0.1, 12);
  });

  test('a corner through a face is not edge against edge', () => {
    const positions = Float64Array.from([-1, -1, 0, 1, -1, 0, 0, 2, 0, 0, 0, -0.2, -0.5, 0, 1, 0.5, 0, 1]);
    const mesh = createTriangleMesh({ positions, triangles: [0, 1, 2, 3, 4, 5] });
    expect(new CrossingEdges(new SurfaceGeometry(mesh)).find(positions, undefined, 0, 1)).toBe(false);
  });
});
