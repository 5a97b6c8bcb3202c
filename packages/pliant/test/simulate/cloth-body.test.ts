import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { ClothBody, ClothSurface } from '../../src/simulate/index.ts';

const CALM = { gravity: [0, 0, 0], gusts: 0, damping: 0 } as const;

function run(cloth: ClothBody, frames: number): ClothBody {
  for (let k = 0; k < frames; k++) cloth.step(1 / 60);
  return cloth;
}

/** The largest ratio of an edge to a cell, of those along rows and columns. */
function stretchOf({ positions, columns, rows }: ClothBody, cell: number): number {
  let most = 0;
  for (let r = 0; r <= rows; r++) {
    for (let c = 0; c <= columns; c++) {
      const p = 3 * (r * (columns + 1) + c);
      for (const q of [c < columns ? p + 3 : p, r < rows ? p + 3 * (columns + 1) : p]) {
        if (q === p) continue;
        const length = Math.hypot(...[0, 1, 2].map((x) => positions[p + x] - positions[q + x]));
        most = Math.max(most, length / cell);
      }
    }
  }
  return most;
}

describe('cloth', () => {
  test('is a sheet of two triangles per cell, nearly flat, where it was put', () => {
    const cloth = new ClothBody({ columns: 9, rows: 5, cell: 0.1, origin: [1, 2, 3], along: [0, -1, 0] });
    const mesh = createTriangleMesh(cloth);
    expect([mesh.triangleCount, mesh.vertexCount, mesh.componentCount]).toEqual([90, 60, 1]);
    const last = cloth.positions.subarray(3 * 59);
    expect([last[0], last[1]]).toEqual([expect.closeTo(1.9, 9), expect.closeTo(1.5, 9)]);
    for (let o = 2; o < 180; o += 3) expect(Math.abs(cloth.positions[o] - 3)).toBeLessThan(0.002);
  });

  test('falls like a stone without air', () => {
    const cloth = run(new ClothBody({ columns: 8, rows: 8, air: 0, damping: 0 }), 30);
    for (let o = 1; o < cloth.positions.length; o += 3) expect(cloth.positions[o]).toBeCloseTo(-9.81 / 8, 1);
    expect(cloth.time).toBeCloseTo(0.5, 12);
  });

  test('layers that are thrown onto each other stay apart, and pass through each other without', () => {
    // Held at both ends, which are above each other: the middle swings down, and the upper half falls onto the lower.
    const swing = (layers: number) => {
      const cloth = new ClothBody({
        columns: 30,
        rows: 4,
        cell: 0.1,
        air: 0,
        layers,
        isHeld: (c) => c === 0 || c === 30,
      });
      const { positions } = cloth;
      for (let o = 0; o < positions.length; o += 3) {
        const x = positions[o];
        if (x > 1.5) positions[o] = 3 - x; // folded in the middle, the second half above the first
        if (x > 1.5) positions[o + 1] += 0.12;
      }
      let least = Infinity;
      for (let k = 0; k < 60; k++) {
        cloth.step(1 / 60);
        for (let p = 0; p < positions.length / 3; p++) {
          for (let q = 0; q < p; q++) {
            if (Math.abs((p % 31) - (q % 31)) <= 2) continue;
            least = Math.min(
              least,
              Math.hypot(...[0, 1, 2].map((x) => positions[3 * p + x] - positions[3 * q + x])),
            );
          }
        }
      }
      return least;
    };
    expect(swing(0.1)).toBeGreaterThan(0.05);
    expect(swing(0)).toBeLessThan(0.02);
  });

  test('air slows it down', () => {
    const cloth = run(new ClothBody({ columns: 8, rows: 8, gusts: 0, air: 4 }), 120);
    const speed = Math.sqrt(9.81 / 4); // where air bears what lies flat
    for (let o = 1; o < cloth.velocities.length; o += 3) {
      expect(Math.abs(cloth.velocities[o])).toBeLessThan(1.3 * speed);
      expect(Math.abs(cloth.velocities[o])).toBeGreaterThan(0.5 * speed);
    }
  });

  test('wind blows a flag away from where it is held, and what is held stays', () => {
    const flag = (speed: number) =>
      new ClothBody({
        columns: 16,
        rows: 12,
        cell: 0.05,
        along: [0, -1, 0],
        isHeld: (column) => column === 0,
        wind: [speed, 0, 0],
      });
    const start = flag(0).positions;
    const reach = [0, 10].map((speed) => {
      const cloth = run(flag(speed), 180);
      for (let r = 0; r <= 12; r++) {
        for (let x = 0; x < 3; x++) expect(cloth.positions[51 * r + x]).toBe(start[51 * r + x]);
      }
      if (speed > 0) expect(stretchOf(cloth, 0.05)).toBeLessThan(1.1);
      return cloth.positions.reduce((sum, x, k) => sum + (k % 3 === 0 ? x : 0), 0) / (17 * 13);
    });
    expect(reach[1]).toBeGreaterThan(reach[0] + 0.1);
  });

  test('it is never blown faster than the wind', () => {
    const cloth = new ClothBody({ columns: 8, rows: 8, ...CALM, wind: [0, 3, 0], air: 1000 });
    let fastest = 0;
    for (let k = 0; k < 30; k++) {
      cloth.step(1 / 60);
      for (let o = 1; o < cloth.velocities.length; o += 3) fastest = Math.max(fastest, cloth.velocities[o]);
    }
    expect(fastest).toBeGreaterThan(2.9);
    expect(fastest).toBeLessThan(3.1);
  });

  test('stays out of balls and planes, and lies on them', () => {
    const cloth = new ClothBody({
      columns: 24,
      rows: 24,
      cell: 0.1,
      origin: [-1.2, 1.2, -1.2],
      thickness: 0.02,
    });
    cloth.addObstacle({ kind: 'ball', centre: [0, 0.5, 0], radius: 0.5, friction: 1 });
    cloth.addObstacle({ kind: 'plane', normal: [0, 1, 0], offset: 0 });
    let nearest = Infinity,
      lowest = Infinity,
      top = 0;
    for (let k = 0; k < 75; k++) {
      cloth.step(1 / 60);
      top = 0;
      for (let o = 0; o < cloth.positions.length; o += 3) {
        const [x, y, z] = cloth.positions.subarray(o, o + 3);
        nearest = Math.min(nearest, Math.hypot(x, y - 0.5, z));
        lowest = Math.min(lowest, y);
        top = Math.max(top, y);
      }
    }
    expect(lowest).toBeGreaterThan(0.02 - 1e-9);
    expect(lowest).toBeLessThan(0.03);
    expect(nearest).toBeGreaterThan(0.5);
    expect(nearest).toBeLessThan(0.521);
    expect(top).toBeGreaterThan(1);
    expect(top).toBeLessThan(1.2);
  });

  test('stiffer cloth folds less', () => {
    const sag = [1e-9, 1e-4].map((softness) => {
      const cloth = new ClothBody({
        columns: 16,
        rows: 4,
        cell: 0.02,
        softness,
        isHeld: (column) => column < 2,
      });
      run(cloth, 60);
      return cloth.positions[3 * 16 + 1];
    });
    expect(sag[0]).toBeGreaterThan(sag[1] + 0.02);
  });

  test('gives the same bits on every run and platform', () => {
    const cloth = run(new ClothBody({ columns: 10, rows: 8, wind: [4, 0, 1], isHeld: (c) => c === 0 }), 30);
    expect(createHash('sha256').update(cloth.positions).digest('hex').slice(0, 16)).toBe('7bd1a6f3fa01b4ab');
  });

  test('refuses wrong options', () => {
    for (const options of [
      { columns: 0 },
      { rows: 1.5 },
      { cell: -1 },
      { substeps: 0 },
      { softness: Number.NaN },
      { isHeld: 3 as never },
    ]) {
      expect(() => new ClothBody(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    expect(() => new ClothBody({ wind: [0, 0] as never })).toThrow(
      expect.objectContaining({ code: 'wrong-length' }),
    );
    const cloth = new ClothBody({ columns: 2, rows: 2 });
    expect(() => cloth.step(0)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    expect(() => cloth.addObstacle({ kind: 'cone' } as never)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  });
});

describe('a finer surface of it', () => {
  const cloth = new ClothBody({ columns: 7, rows: 5, cell: 0.1 });

  test.each([1, 2, 5])(
    'with %i cells for each has as many triangles, and is flat where the cloth is',
    (factor) => {
      const surface = new ClothSurface(cloth, factor);
      expect(surface.triangles.length / 3).toBe(2 * 35 * factor * factor);
      expect(createTriangleMesh(surface).vertexCount).toBe((7 * factor + 1) * (5 * factor + 1));
      const flat = new ClothBody({ columns: 7, rows: 5, cell: 0.1 });
      for (let o = 1; o < flat.positions.length; o += 3) flat.positions[o] = 0.3 * flat.positions[o - 1]; // a slope
      surface.follow(flat);
      for (let r = 0, o = 0; r <= 5 * factor; r++) {
        for (let c = 0; c <= 7 * factor; c++, o += 3) {
          const [x, z] = [(0.1 * c) / factor, (0.1 * r) / factor];
          expect(surface.positions[o]).toBeCloseTo(x, 12);
          expect(surface.positions[o + 1]).toBeCloseTo(0.3 * x, 12);
          expect(surface.positions[o + 2]).toBeCloseTo(z, 12);
        }
      }
    },
  );

  test('has no corners: where two cells meet it goes on as it came', () => {
    const wild = new ClothBody({ columns: 6, rows: 6, cell: 1 });
    for (let o = 1; o < wild.positions.length; o += 3) wild.positions[o] = (7 * o * o) % 5;
    const factor = 60;
    const surface = new ClothSurface(wild, factor);
    const height = (c: number) => surface.positions[3 * (3 * factor * (6 * factor + 1) + c) + 1];
    for (let cell = 1; cell < 6; cell++) {
      const c = cell * factor;
      const [before, after] = [height(c) - height(c - 1), height(c + 1) - height(c)];
      expect(Math.abs(after - before)).toBeLessThan(30 / (factor * factor));
    }
  });

  test('refuses cloth of another size, and what is none', () => {
    const surface = new ClothSurface(cloth, 2);
    expect(() => surface.follow(new ClothBody({ columns: 5, rows: 7 }))).toThrow(
      expect.objectContaining({ code: 'mismatch' }),
    );
    expect(() => surface.follow({} as never)).toThrow(expect.objectContaining({ code: 'wrong-type' }));
    expect(() => new ClothSurface(cloth, 0)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});
