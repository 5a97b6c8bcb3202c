import { afterAll, describe, expect, test } from 'vitest';
import { createShape } from '../../../src/edit/create-shape.ts';
import { createTetrahedralMesh } from '../../../src/mesh/tetrahedral-mesh.ts';
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { barMesh, createBar, vertexNear } from './scenes.ts';

const mesh = barMesh();
const shape = await createBar({ contact: false });
afterAll(() => shape.dispose());

describe('bad input', () => {
  const code = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return (error as { code?: string }).code;
    }
    return undefined;
  };

  test('handles on vertices that are not there, or twice on one', () => {
    shape.reset();
    for (const vertex of [-1, 1.5, Number.NaN, 1e9, '3' as unknown as number]) {
      expect(code(() => shape.addHandle(vertex))).toBe('index-out-of-range');
    }
    shape.addHandle(7);
    expect(() => shape.addHandle(7)).toThrow('vertex 7 has a handle already');
    expect(shape.handles.length).toBe(1);
  });

  test('targets that are no places', () => {
    shape.reset();
    const handle = shape.addHandle(7);
    expect(() => handle.moveTo([0, Number.NaN, 0])).toThrow('target[1] is NaN');
    expect(code(() => handle.moveTo([0, 1]))).toBe('wrong-length');
    expect(code(() => handle.moveTo([0, 1e9, 0]))).toBe('out-of-range');
    expect(code(() => handle.moveTo('far' as unknown as number[]))).toBe('wrong-type');
    handle.remove();
    handle.remove();
    expect(code(() => handle.moveTo([0, 0, 0]))).toBe('disposed');
    expect(shape.step().state).toBe('moved');
  });

  test('pins and regions', () => {
    shape.reset();
    expect(code(() => shape.pin([]))).toBe('empty');
    expect(code(() => shape.pin([0, 1e7]))).toBe('index-out-of-range');
    const region = shape.addRegionHandle([0, 1, 2, 2]);
    expect(region.vertices).toEqual([0, 1, 2]);
    expect(code(() => region.moveTo([1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0]))).toBe('bad-option');
    expect(() => region.moveTo([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])).toThrow('reflection');
  });

  test('options and settings', async () => {
    for (const options of [
      { maxLevel: -1 },
      { damping: 2 },
      { columnBudget: 0 },
      { speed: 0 },
      { contact: { rule: 'never' } },
      { contact: 3 },
      { contact: { margin: -1 } },
      { contact: { margin: Number.NaN } },
      { rotationLevel: 0.5 },
      { engine: {} },
      { energy: { energy: 'none' } },
    ]) {
      await expect(createShape(mesh, options as never), JSON.stringify(options)).rejects.toThrow();
    }
    expect(code(() => (shape.settings = { damping: -1 }))).toBe('bad-option');
    shape.settings = { damping: 0.25 };
    expect(shape.settings.damping).toBe(0.25);
    expect(shape.settings.maxLevel).toBe(3);
    expect(code(() => shape.setObstacles([]))).toBe('bad-option');
  });

  test('degenerate tetrahedra are left out, and said so; all of them are an error', async () => {
    const flat = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], tetrahedra: [0, 1, 2, 3] };
    await expect(createShape(createTetrahedralMesh(flat))).rejects.toMatchObject({ code: 'singular' });
    const good = {
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0],
      tetrahedra: [0, 1, 2, 3, 0, 1, 2, 4, 1, 2, 3, 4],
    };
    const repaired = await createShape(createTetrahedralMesh(good));
    expect(repaired.report?.repairs.join()).toContain('flat tetrahedra left out: 1');
    repaired.addHandle(0);
    repaired.addHandle(4).moveTo([1.5, 1.5, 0.2]);
    repaired.settle({ steps: 20 });
    expect(repaired.positions.every(Number.isFinite)).toBe(true);
    repaired.dispose();
  });

  test('an open surface is closed, and said so, or refused', async () => {
    const open = createTriangleMesh({
      positions: mesh.positions,
      triangles: mesh.triangles.slice(3),
    });
    const opened = await createShape(open, { cage: { vertices: 200 } });
    expect(opened.report?.warnings.length).toBeGreaterThan(0);
    opened.addHandle(5);
    expect(opened.step().state).toBe('moved');
    opened.dispose();
    const sheet = createTriangleMesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] });
    await createShape(sheet, { cage: { vertices: 100 } }).then(
      (one) => {
        one.addHandle(0);
        one.step();
        expect(one.positions.every(Number.isFinite)).toBe(true);
        one.dispose();
      },
      (error) => expect(error.name).toBe('InputError'),
    );
  });

  test('a shape that has been disposed of', async () => {
    const gone = await createBar({ contact: false });
    gone.dispose();
    gone.dispose();
    expect(code(() => gone.step())).toBe('disposed');
    expect(code(() => gone.addHandle(0))).toBe('disposed');
  });
});

describe('controls', () => {
  test('a handle moves by a limited way per step', () => {
    shape.reset();
    shape.settings = { speed: 0.1 };
    const handle = shape.addHandle(vertexNear(mesh, 1, 0, 0));
    const from = [...handle.target];
    handle.moveTo([from[0], from[1] + 0.35, from[2]]);
    for (const way of [0.1, 0.2, 0.3, 0.35, 0.35]) {
      shape.step();
      expect(handle.held[1] - from[1]).toBeCloseTo(way, 9);
      expect(shape.positions[3 * handle.vertex + 1] - from[1]).toBeCloseTo(way, 6);
    }
  });

  test('pins hold, and a region turns as one', () => {
    shape.reset();
    shape.settings = { speed: 10 };
    const left: number[] = [],
      right: number[] = [];
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (mesh.positions[3 * v] < -0.9) left.push(mesh.sourceVertex[v]);
      if (mesh.positions[3 * v] > 0.8) right.push(mesh.sourceVertex[v]);
    }
    const rest = shape.positions.slice();
    const pin = shape.pin(left);
    const region = shape.addRegionHandle(right);
    const c = Math.cos(0.6),
      s = Math.sin(0.6);
    const matrix = [1, 0, 0, 0.02, 0, c, -s, 0, 0, s, c, 0]; // twisted about x
    region.moveTo(matrix);
    shape.settle({ steps: 100 });
    let worst = 0,
      loose = 0;
    for (const v of right) {
      for (let a = 0; a < 3; a++) {
        let goal = matrix[4 * a + 3];
        for (let b = 0; b < 3; b++) goal += matrix[4 * a + b] * rest[3 * v + b];
        worst = Math.max(worst, Math.abs(shape.positions[3 * v + a] - goal));
      }
    }
    for (const v of left) loose = Math.max(loose, Math.abs(shape.positions[3 * v] - rest[3 * v]));
    expect(worst).toBeLessThan(0.02);
    expect(loose).toBeLessThan(0.02);
    expect(shape.pins.length + shape.regions.length).toBe(2);
    pin.remove();
    region.remove();
    expect(shape.step().state).toBe('moved');
  });

  test('handles side by side can go different ways', () => {
    shape.reset();
    shape.settings = { speed: 10 };
    const a = shape.addHandle(vertexNear(mesh, 0, 0.2, 0)),
      b = shape.addHandle(vertexNear(mesh, 0.13, 0.2, 0)),
      c = shape.addHandle(vertexNear(mesh, 0, 0.2, 0.03));
    shape.addHandle(vertexNear(mesh, -1, 0, 0));
    a.moveTo([a.target[0], a.target[1] + 0.05, a.target[2]]);
    shape.settle();
    for (const handle of [a, b, c]) {
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(shape.positions[3 * handle.vertex + k] - handle.target[k])).toBeLessThan(1e-3);
      }
    }
    expect(Math.max(...shape.positions.map(Math.abs))).toBeLessThan(3);
  });

  test('targets out of reach stretch the shape, no more', () => {
    shape.reset();
    shape.settings = { speed: 1e4 };
    shape.addHandle(vertexNear(mesh, -1, 0, 0));
    shape.addHandle(vertexNear(mesh, 1, 0, 0)).moveTo([1000, 1000, -1000]);
    for (let k = 0; k < 10; k++) {
      expect(shape.step().state).toBe('moved');
      expect(shape.positions.every(Number.isFinite)).toBe(true);
    }
  });
});
