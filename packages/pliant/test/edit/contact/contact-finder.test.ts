import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/body/engine.ts';
import { ContactFinder } from '../../../src/edit/contact/contact-finder.ts';
import type { ContactOptions } from '../../../src/edit/contact/contact-options.ts';
import type { ContactRows } from '../../../src/edit/contact/contact-rows.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { createEngine } from '../../../src/worker/create-engine.ts';
import { type CagePose, forkCage, poseCage, pushedBalls, squeezed, twoBalls } from './scenes.ts';

let engine: Engine, fork: Cage, balls: Cage;
beforeAll(async () => {
  engine = await createEngine();
  fork = forkCage();
  balls = twoBalls();
});

const finderOf = (cage: Cage, options: ContactOptions = {}) => new ContactFinder(engine, cage, options);
const find = (finder: ContactFinder, { positions, controls }: CagePose) => finder.find(positions, controls);
const all = (rows: ContactRows, value: number) => new Float64Array(rows.count).fill(value);

const pushed = (dx: number, dy = 0) => pushedBalls(balls, dx, dy);

describe('rows of self-contact', () => {
  test('none without contact', () => {
    const finder = finderOf(fork);
    expect(find(finder, squeezed(fork, 0)).count).toBe(0);
    expect(find(finder, squeezed(fork, 0.3)).count).toBe(0);
    expect([finder.maxDepth, finder.crossingPairs, finder.insideVertices]).toEqual([0, 0, 0]);
  });

  test('are violated where they are found: no normal is flipped', () => {
    for (const amount of [0.6, 0.8, 1, 1.2]) {
      const finder = finderOf(fork);
      const pose = squeezed(fork, amount);
      const rows = find(finder, pose);
      expect(rows.count).toBeGreaterThan(0);
      for (const [k, row] of rows.toArray().entries()) {
        const { vertices, weights } = row.point;
        expect(row.depth).toBeGreaterThan(0);
        expect(row.other).toBe(-1);
        expect(weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(0, 12);
        expect(Math.hypot(...row.normal)).toBeCloseTo(1, 12);
        expect(vertices.length).toBe(4);
        expect(rows.slack(k, pose.positions)).toBeCloseTo(-row.depth - row.offset, 12);
        // Out of the prong that is hit: left walls look to the right, other walls not to the left.
        const side = Math.sign(fork.surface.positions[3 * vertices[0]]);
        expect(row.normal[0] * side).toBeGreaterThan(-0.1);
      }
    }
  });

  test('are saved as a value, in memory of its own or of another one', () => {
    const finder = finderOf(fork);
    const rows = find(finder, squeezed(fork, 1));
    finder.noteMultipliers(all(rows, -1));
    const first = finder.save();
    const once = first.rows.toArray();
    expect(once).toEqual(rows.toArray());
    find(finder, squeezed(fork, 0.6));
    const second = finder.save();
    const reused = finder.save(first);
    expect(reused.rows).toBe(first.rows);
    expect(reused.rows.toArray()).toEqual(second.rows.toArray());
    expect(reused.before).toEqual(second.before);
    finder.restore(reused);
    expect(finder.rows.toArray()).toEqual(second.rows.toArray());
    finder.dispose();
  });

  test('depth is how far the surfaces are in each other', () => {
    const finder = finderOf(balls);
    find(finder, pushed(0.2));
    // They are 1/11 apart at rest.
    expect(finder.maxDepth).toBeGreaterThan(0.08);
    expect(finder.maxDepth).toBeLessThan(0.12);
  });

  test('a shape that follows its rows comes apart, and rests at the margin', () => {
    const finder = finderOf(balls, { margin: 0.01 });
    let dx = 0.25;
    let before = Infinity;
    for (let step = 0; step < 30; step++) {
      const pose = pushed(dx, 0.03);
      const rows = find(finder, pose);
      // One unknown: the most violated row decides; its multiplier is the only one below 0.
      let worst = -1,
        least = 0;
      for (let k = 0; k < rows.count; k++) {
        const by = rows.slack(k, pose.positions) / -Math.abs(rows.normal[3 * k]);
        if (worst >= 0 && by <= least) continue;
        worst = k;
        least = by;
      }
      const multipliers = all(rows, 0);
      if (worst >= 0) multipliers[worst] = -1;
      finder.noteMultipliers(multipliers);
      before = dx;
      if (worst >= 0) dx -= least;
    }
    expect(Math.abs(before - dx)).toBeLessThan(1e-9);
    const rows = find(finder, pushed(dx, 0.03));
    expect(rows.count).toBe(1);
    expect(finder.maxDepth).toBe(0);
    expect([finder.crossingPairs, finder.insideVertices]).toEqual([0, 0]);
    expect(rows.depth[0]).toBeCloseTo(-0.01, 6);
  });

  test('what touches at rest is left alone, and narrow gaps keep half of themselves', () => {
    const overlapping = twoBallsOverlapping();
    const finder = finderOf(overlapping);
    expect(
      find(
        finder,
        poseCage(overlapping, (x, y, z) => [x, y, z]),
      ).count,
    ).toBe(0);
    expect(finder.crossingPairs).toBe(0);

    const narrow = forkCage(0.01, 0.1);
    const rows = find(finderOf(narrow, { margin: 0.05 }), squeezed(narrow, 0.3, 0.01));
    expect(rows.count).toBeGreaterThan(0);
    for (let k = 0; k < rows.count; k++) {
      const { vertices, weights } = rows.at(k).point;
      const { positions } = narrow.surface;
      const gap = Math.hypot(
        ...[0, 1, 2].map((a) => weights.reduce((sum, w, j) => sum + w * positions[3 * vertices[j] + a], 0)),
      );
      expect(rows.offset[k]).toBeCloseTo(Math.min(0.05, gap / 2), 12);
    }
  });
});

function twoBallsOverlapping(): Cage {
  const { positions, controls } = pushed(0.2);
  return {
    ...balls,
    surface: { ...balls.surface, positions },
    tetrahedra: { ...balls.tetrahedra, positions: controls },
    embedding: { ...balls.embedding, controlPositions: controls },
  };
}

describe('contacts last', () => {
  test('by sign: what presses is there again, outside too; what pulls is gone', () => {
    const finder = finderOf(balls);
    const first = find(finder, pushed(0.2));
    const keys = first.toArray().map(({ key }) => key);
    finder.noteMultipliers(all(first, -1));
    const apart = find(finder, pushed(0.085)); // a little apart
    expect(finder.crossingPairs).toBe(0);
    expect(apart.count).toBeGreaterThan(0);
    for (const { key, depth } of apart.toArray()) {
      expect(keys).toContain(key);
      expect(depth).toBeLessThanOrEqual(0);
    }
    finder.noteMultipliers(all(apart, 1));
    expect(find(finder, pushed(0.085)).count).toBe(0);
  });

  test('by band: what is near stays a candidate', () => {
    const finder = finderOf(balls, { rule: 'band', margin: 0.01, band: 0.03 });
    expect(find(finder, pushed(0.1)).count).toBeGreaterThan(0);
    const near = find(finder, pushed(0.085));
    expect(near.count).toBeGreaterThan(0);
    for (const { depth } of near.toArray()) expect(depth).toBeGreaterThan(-0.03);
    expect(find(finder, pushed(0.05)).count).toBe(0);
  });

  test('sliding contacts are where the surface has gone', () => {
    const finder = finderOf(balls, { rule: 'band', margin: 0.02 });
    let rows = find(finder, pushed(0.12));
    for (let dy = 0; dy <= 0.06; dy += 0.01) {
      const pose = pushed(0.12, dy);
      finder.noteMultipliers(all(rows, -1));
      rows = find(finder, pose);
      for (let k = 0; k < rows.count; k++) {
        // n points from one centre to the other, as both are balls.
        const [nx, ny] = rows.normal.subarray(3 * k, 3 * k + 2);
        const side = Math.sign(balls.surface.positions[3 * rows.vertices[4 * k]]);
        expect(nx * side).toBeGreaterThan(0.7);
        if (dy >= 0.04) expect(ny * side).toBeGreaterThan(-0.6);
      }
    }
    expect(rows.count).toBeGreaterThan(0);
  });

  test('state is a value', () => {
    const finder = finderOf(balls);
    const rows = find(finder, pushed(0.2));
    finder.noteMultipliers(all(rows, -1));
    const state = finder.save();
    const expected = find(finder, pushed(0.085)).toArray();
    finder.clear();
    expect(find(finder, pushed(0.085)).count).toBe(0);
    finder.restore(state);
    expect(find(finder, pushed(0.085)).toArray()).toEqual(expected);
  });
});

describe('thinning', () => {
  test('keeps the deepest of each cell, and what presses', () => {
    const cellOf = (v: number) => v % 3;
    const every = find(finderOf(balls), pushed(0.2)).toArray();
    const finder = finderOf(balls, { cellOf, perCell: 2 });
    const rows = find(finder, pushed(0.2));
    expect(rows.count).toBe(6);
    for (let cell = 0; cell < 3; cell++) {
      const depths = (list: typeof every) =>
        list
          .filter(({ point }) => cellOf(point.vertices[0]) === cell)
          .map(({ depth }) => depth)
          .sort((a, b) => b - a)
          .slice(0, 2);
      expect(depths(rows.toArray())).toEqual(depths(every));
    }
    const keys = rows.toArray().map(({ key }) => key);
    finder.noteMultipliers(all(rows, -1));
    expect(
      find(finder, pushed(0.2))
        .toArray()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(keys.sort());
  });
});

describe('a handle', () => {
  test('is pushed out of obstacles', () => {
    const finder = finderOf(balls, {
      margin: 0.02,
      obstacles: [{ kind: 'plane', normal: [0, 0, 2], offset: balls.centre[2] - 0.1 * balls.scale }],
    });
    const target = Float64Array.from([0.1, 0.2, -0.4]);
    expect(finder.pushOut(0, target)).toBe(true);
    expect(target[2]).toBeCloseTo(-0.08, 12);
    expect(finder.pushOut(0, target)).toBe(false);
  });

  test('is pushed back from where the surface touches itself', () => {
    const finder = finderOf(balls, { margin: 0.02 });
    const rows = find(finder, pushed(0.12));
    const v = rows.vertices[0];
    const pose = pushed(0.12);
    const target = pose.positions.slice(3 * v, 3 * v + 3);
    const side = Math.sign(balls.surface.positions[3 * v]);
    target[0] -= side * 0.1; // deeper
    expect(finder.pushOut(v, target)).toBe(true);
    expect(side * target[0]).toBeGreaterThan(side * pose.positions[3 * v]);
    const far = balls.surface.positions.findIndex((x, i) => i % 3 === 0 && side * x > 0.45) / 3;
    expect(finder.pushOut(far, pose.positions.slice(3 * far, 3 * far + 3))).toBe(false);
  });
});
