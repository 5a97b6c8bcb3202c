import {
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedMesh,
  Line,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  Skeleton,
  SphereGeometry,
} from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '../../src/body/body.ts';
import type { Engine } from '../../src/body/engine.ts';
import { findCollisions } from '../../src/query/collisions.ts';
import { findSelfCollisions } from '../../src/query/self-collisions.ts';
import { bodyFromObject3D, type ObjectBodyOptions } from '../../src/three/index.ts';
import { createEngine } from '../../src/worker/create-engine.ts';
import { pairsBetween, selfPairs } from '../oracles/brute-force.ts';
import {
  addMorphs,
  ballGeometry,
  bend,
  createNoise,
  instancedBalls,
  moveInstance,
  place,
  skinnedBall,
  worldVertices,
} from './three-objects.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

afterAll(() => engine.dispose());

/** How far vertices of the body that triangles use are from where three.js has them. */
function largestDifference(body: Body, expected: readonly number[]): number {
  const found = body.getPositions();
  const { weldedVertex, triangles } = body.mesh;
  const used = new Set(triangles);
  let largest = 0;
  weldedVertex.forEach((w, v) => {
    if (!used.has(w)) return;
    for (let axis = 0; axis < 3; axis++) {
      largest = Math.max(largest, Math.abs(found[3 * w + axis] - expected[3 * v + axis]));
    }
  });
  return largest;
}

function expectLikeThree(mesh: Mesh, body: Body, instance?: number): void {
  expect(largestDifference(body, worldVertices(mesh, instance))).toBeLessThan(1e-5);
  expect(findSelfCollisions(body).sortedPairs()).toEqual(selfPairs(body.mesh, body.getLocalPositions()));
}

/** Moves every vertex; equal ones alike. */
function deform(geometry: BufferGeometry, amount: number): void {
  const position = geometry.getAttribute('position');
  for (let v = 0; v < position.count; v++) {
    const [x, y, z] = [position.getX(v), position.getY(v), position.getZ(v)];
    position.setXYZ(v, x + amount * Math.sin(3 * z), y + amount * Math.sin(4 * x), z * (1 - amount));
  }
  position.needsUpdate = true;
}

function expectStale(update: () => void, message: string): void {
  expect(update).toThrow(expect.objectContaining({ name: 'InputError', code: 'mismatch' }));
  expect(update).toThrow(message);
}

describe('a geometry that changes', () => {
  test('is refused by update, not answered about as it was', () => {
    const geometry = new PlaneGeometry(2, 2, 20, 20);
    const mesh = new Mesh(geometry);
    const { body, update } = bodyFromObject3D(engine, mesh);
    expect(findSelfCollisions(body).pairCount).toBe(0);
    const position = geometry.getAttribute('position');
    for (let v = 0; v < position.count; v++) position.setX(v, Math.abs(position.getX(v))); // folded in half
    position.needsUpdate = true;
    expectStale(
      update,
      'its position was changed since its body was made; make the body with { dynamic: true }',
    );
  });

  test('is followed with dynamic, or where its usage says so', () => {
    for (const options of [{ dynamic: true }, {}]) {
      const geometry = new PlaneGeometry(2, 2, 20, 20);
      const position = geometry.getAttribute('position') as BufferAttribute;
      if (!('dynamic' in options)) position.setUsage(DynamicDrawUsage);
      const mesh = place(new Mesh(geometry), createNoise(1));
      const { body, update } = bodyFromObject3D(engine, mesh, options);
      expect(findSelfCollisions(body).pairCount).toBe(0);
      for (let v = 0; v < position.count; v++) position.setX(v, Math.abs(position.getX(v)));
      position.needsUpdate = true;
      update();
      expect(findSelfCollisions(body).pairCount).toBeGreaterThan(3000);
      expectLikeThree(mesh, body);
    }
  });

  test.each(['mesh', 'morphs', 'skin', 'skin and morphs', 'instances'])('followed: %s', (kind) => {
    const noise = createNoise(2);
    const geometry = kind.includes('morphs') ? addMorphs(ballGeometry(), noise, true) : ballGeometry();
    const mesh = kind.startsWith('skin')
      ? skinnedBall(noise, geometry)
      : place(meshOf(kind, geometry, noise), noise);
    mesh.updateMorphTargets();
    const { bodies, update } = bodyFromObject3D(engine, mesh, { dynamic: true });
    for (let k = 0; k < 5; k++) {
      deform(geometry, 0.3 * noise());
      if (kind.includes('morphs')) mesh.morphTargetInfluences = [noise(), noise()];
      if ('isSkinnedMesh' in mesh) bend(mesh as never, noise, 2);
      update();
      bodies.forEach((body, instance) => {
        expectLikeThree(mesh, body, kind === 'instances' ? instance : undefined);
      });
    }
  });

  test('vertices that were one and come apart are named; with weld: false they are followed', () => {
    const geometry = new SphereGeometry(1, 6, 4);
    const mesh = new Mesh(geometry);
    const welded = bodyFromObject3D(engine, mesh, { dynamic: true });
    const apart = bodyFromObject3D(engine, mesh, { dynamic: true, weld: false });
    const position = geometry.getAttribute('position');
    position.setX(6, 1.5); // at the seam
    expectStale(welded.update, 'have come apart; make the body with { weld: false }');
    apart.update();
    expectLikeThree(mesh, apart.body);
  });

  const changes: [string, (mesh: Mesh) => void, string, ObjectBodyOptions?][] = [
    ['another geometry', (mesh) => void (mesh.geometry = ballGeometry()), 'its geometry is another one'],
    [
      'another attribute',
      ({ geometry: g }) => g.setAttribute('position', g.getAttribute('position').clone()),
      'its position was changed',
    ],
    [
      'more vertices',
      ({ geometry: g }) => g.setAttribute('position', new BufferAttribute(new Float32Array(9), 3)),
      'it has 3 vertices instead of',
      { dynamic: true },
    ],
    ['another index', ({ geometry: g }) => g.setIndex([0, 1, 2]), 'its index was changed', { dynamic: true }],
    ['a changed index', ({ geometry: g }) => void (g.index!.needsUpdate = true), 'its index was changed'],
    ['no index', ({ geometry: g }) => g.setIndex(null), 'its index is gone'],
    [
      'a draw range',
      ({ geometry: g }) => g.setDrawRange(0, 30),
      'its drawRange was changed',
      { dynamic: true },
    ],
    [
      'a list of materials',
      (mesh) => void (mesh.material = [new MeshBasicMaterial()]),
      'it had one material and now has a list',
    ],
    [
      'a morph target',
      ({ geometry: g }) => void (g.morphAttributes.position![1].needsUpdate = true),
      'its morph target 1 was changed',
    ],
    [
      'one morph target less',
      ({ geometry: g }) => void g.morphAttributes.position!.pop(),
      'it has another number of morph targets',
    ],
    [
      'weights',
      ({ geometry: g }) => void (g.getAttribute('skinWeight').needsUpdate = true),
      'its skinWeight was changed',
    ],
    [
      'another skeleton',
      (mesh) => (mesh as never as { bind(s: Skeleton): void }).bind(new Skeleton([])),
      'its skeleton has another number of bones',
    ],
  ];
  test.each(changes)('%s is noticed', (_, change, message, options) => {
    const noise = createNoise(3);
    const mesh = skinnedBall(noise, addMorphs(ballGeometry(), noise, true));
    mesh.name = 'Hero';
    const { update } = bodyFromObject3D(engine, mesh, options);
    update();
    change(mesh);
    expectStale(update, `object "Hero": ${message}`);
  });
});

describe('what is drawn', () => {
  test.each([
    [0, Infinity],
    [30, 60],
    [31, 62], // not at a triangle of the index
    [900, 90],
  ])('drawRange %s, %s', (start, count) => {
    for (const geometry of [ballGeometry(), ballGeometry().toNonIndexed()]) {
      const mesh = place(new Mesh(geometry), createNoise(4));
      geometry.setDrawRange(start, count);
      const length = geometry.index?.count ?? geometry.getAttribute('position').count;
      const expected = Math.max(0, Math.floor((Math.min(length, start + count) - start) / 3));
      if (expected === 0) {
        expect(() => bodyFromObject3D(engine, mesh)).toThrow('three.js draws no triangle of it');
        continue;
      }
      const { body, firstCorners } = bodyFromObject3D(engine, mesh);
      expect([...firstCorners]).toEqual(Array.from({ length: expected }, (_, t) => start + 3 * t));
      expectLikeThree(mesh, body);
      expectCorners(mesh, body, firstCorners);
    }
  });

  test('groups of several materials, once where they overlap; without a list all of it', () => {
    const geometry = new BoxGeometry(1, 1, 1);
    geometry.clearGroups();
    geometry.addGroup(6, 12, 0);
    geometry.addGroup(12, 9, 1);
    geometry.addGroup(30, 600, 0);
    geometry.setDrawRange(0, 33);
    const mesh = new Mesh(geometry, [
      new MeshBasicMaterial(),
      new MeshBasicMaterial({ visible: false }),
    ] as never);
    const { body, firstCorners } = bodyFromObject3D(engine, mesh);
    expect([...firstCorners]).toEqual([6, 9, 12, 15, 18, 30]);
    expectCorners(mesh, body, firstCorners);
    mesh.material = new MeshBasicMaterial() as never;
    expect(bodyFromObject3D(engine, mesh).body.mesh.triangleCount).toBe(11);
    geometry.clearGroups();
    mesh.material = [] as never;
    expect(() => bodyFromObject3D(engine, mesh)).toThrow(
      'three.js draws no triangle of it, see its drawRange, groups',
    );
  });

  test('instances: as many as count says, which may change', () => {
    const noise = createNoise(5);
    const mesh = instancedBalls(6, noise);
    mesh.count = 2;
    const made = bodyFromObject3D(engine, mesh);
    const { bodies, update } = made;
    const before = engine.usage.bodies;
    for (const count of [2, 6, 3, 0, 1]) {
      mesh.count = count;
      for (let k = 0; k < count; k++) moveInstance(mesh, k, noise);
      update();
      expect(bodies.length).toBe(count);
      expect(engine.usage.bodies).toBe(before - 2 + count);
      for (let k = 0; k < count; k++) expectLikeThree(mesh, bodies[k], k);
      if (count === 0) expect(() => made.body).toThrow('its count is 0');
    }
    made.dispose();
  });

  test('instances with morph weights of their own', () => {
    const noise = createNoise(6);
    const geometry = addMorphs(ballGeometry(), noise, true);
    const mesh = place(new InstancedMesh(geometry, undefined, 3), noise);
    const own = new Mesh(geometry);
    const weights = Array.from({ length: 3 }, () => [noise(), noise()]);
    for (let k = 0; k < 3; k++) {
      moveInstance(mesh, k, noise);
      own.morphTargetInfluences = weights[k];
      mesh.setMorphAt(k, own);
    }
    const { bodies } = bodyFromObject3D(engine, mesh);
    for (let k = 0; k < 3; k++) {
      mesh.morphTargetInfluences = weights[k];
      expectLikeThree(mesh, bodies[k], k);
    }
    expect(() => bodyFromObject3D(engine, mesh, { dynamic: true })).toThrow('morph targets per instance');
  });

  test('negative scale, invisible objects and materials, children', () => {
    const noise = createNoise(7);
    for (const mesh of [place(new Mesh(ballGeometry()), noise), skinnedBall(noise)]) {
      mesh.scale.set(-1.2, 0.8, 0.7);
      mesh.visible = false;
      mesh.material = new MeshBasicMaterial({ visible: false }) as never;
      mesh.add(new Line(ballGeometry()), new Points(ballGeometry()));
      mesh.parent!.updateMatrixWorld(true);
      const { body } = bodyFromObject3D(engine, mesh);
      expectLikeThree(mesh, body);
      const box = bodyFromObject3D(engine, place(new Mesh(new BoxGeometry(2, 2, 2, 3, 3, 3)), noise)).body;
      const pairs = pairsBetween(body.mesh, body.getPositions(), box.mesh, box.getPositions());
      expect(findCollisions(body, box).sortedPairs()).toEqual(pairs);
    }
  });
});

describe('refused, with a reason', () => {
  const planar = ballGeometry();
  planar.setAttribute('position', new BufferAttribute(new Float32Array(600), 2));
  test.each([
    ['a BatchedMesh', new BatchedMesh(4, 100, 300), 'a BatchedMesh holds many objects in one geometry'],
    ['instanced geometry', new Mesh(new InstancedBufferGeometry()), 'a shader places the instances'],
    ['lines', new Line(ballGeometry()), 'this is a Line'],
    ['points', new Points(ballGeometry()), 'this is a Points'],
    ['points of a plane', new Mesh(planar), 'three numbers per vertex'],
  ])('%s', (_, object, message) => {
    expect(() => bodyFromObject3D(engine, object)).toThrow(message);
  });

  test('options that are none', () => {
    const mesh = new Mesh(ballGeometry());
    expect(() => bodyFromObject3D(engine, mesh, { dynamic: 1 as never })).toThrow(
      'dynamic must be true or false',
    );
    expect(() => bodyFromObject3D(engine, mesh, { weld: 'no' as never })).toThrow(
      'weld must be true or false',
    );
  });
});

function meshOf(kind: string, geometry: BufferGeometry, noise: () => number): Mesh {
  if (kind !== 'instances') return new Mesh(geometry);
  const mesh = new InstancedMesh(geometry, undefined, 3);
  for (let k = 0; k < 3; k++) moveInstance(mesh, k, noise);
  return mesh;
}

/** Corners of the body's triangles are those of the geometry that firstCorners names. */
function expectCorners({ geometry }: Mesh, { mesh }: Body, firstCorners: Uint32Array): void {
  const { index } = geometry;
  const expected = Array.from(firstCorners).flatMap((first) =>
    [0, 1, 2].map((k) => index?.getX(first + k) ?? first + k),
  );
  expect([...mesh.triangles]).toEqual(expected.map((v) => mesh.weldedVertex[v]));
}
