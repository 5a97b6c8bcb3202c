import { BoxGeometry, Mesh } from 'three';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/body/engine.ts';
import { findAllCollisions } from '../../src/query/all-collisions.ts';
import { findCollisions } from '../../src/query/collisions.ts';
import { bodyFromObject3D, CollisionHelper } from '../../src/three/index.ts';
import { createEngine } from '../../src/worker/create-engine.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

afterAll(() => engine.dispose());

function boxes() {
  return [0, 0.7].map((x) => {
    const mesh = new Mesh(new BoxGeometry());
    mesh.position.set(x, 0.1, 0.2 * x);
    mesh.updateMatrixWorld();
    return bodyFromObject3D(engine, mesh).body;
  });
}

const drawn = ({ geometry }: CollisionHelper['triangles'] | CollisionHelper['curves']) =>
  Array.from(geometry.getAttribute('position').array.slice(0, 3 * geometry.drawRange.count));

test('draws both triangles of every pair where they are in the world', () => {
  const [a, b] = boxes();
  const report = findCollisions(a, b);
  const helper = new CollisionHelper();
  helper.update(report, [a, b]);
  expect(report.pairCount).toBeGreaterThan(0);
  const corners = drawn(helper.triangles);
  expect(corners.length).toBe(18 * report.pairCount);
  const cornerOf = (body: typeof a, triangle: number) => {
    const v = body.mesh.triangles[3 * triangle];
    return Array.from(Float32Array.from(body.getPositions().subarray(3 * v, 3 * v + 3)));
  };
  for (let k = 0; k < report.pairCount; k++) {
    expect(corners.slice(18 * k, 18 * k + 3)).toEqual(cornerOf(a, report.pairs[2 * k]));
    expect(corners.slice(18 * k + 9, 18 * k + 12)).toEqual(cornerOf(b, report.pairs[2 * k + 1]));
  }
});

test('curves lie in both boxes', () => {
  const [a, b] = boxes();
  const helper = new CollisionHelper();
  helper.update(findAllCollisions([a, b]), [a, b]);
  const points = drawn(helper.curves);
  expect(points.length).toBeGreaterThan(0);
  for (let k = 0; k < points.length; k += 3) {
    expect(points[k]).toBeGreaterThan(0.199);
    expect(points[k]).toBeLessThan(0.501);
  }
  const plain = new CollisionHelper({ curves: false });
  plain.update(findAllCollisions([a, b]), [a, b]);
  expect(drawn(plain.curves)).toEqual([]);
});

test('is empty again when nothing touches, and refuses bodies of another report', () => {
  const [a, b] = boxes();
  const helper = new CollisionHelper();
  const report = findCollisions(a, b);
  helper.update(report, [a, b]);
  expect(() => helper.update(report, [])).toThrow('none are given');
  const far = [...bodyFromObject3D(engine, new Mesh(new BoxGeometry(1e-3, 1e-3, 1e-3))).bodies];
  helper.update(findCollisions(a, far[0]), [a, far[0]]);
  expect(drawn(helper.triangles)).toEqual([]);
  helper.dispose();
});
