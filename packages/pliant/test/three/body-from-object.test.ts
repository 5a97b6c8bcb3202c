import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
} from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '../../src/body/body.ts';
import type { Engine } from '../../src/body/engine.ts';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { findAllCollisions } from '../../src/query/all-collisions.ts';
import { findCollisions } from '../../src/query/collisions.ts';
import { findSelfCollisions } from '../../src/query/self-collisions.ts';
import { bodyFromObject3D } from '../../src/three/index.ts';
import { createEngine } from '../../src/worker/create-engine.ts';
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

/** Positions of every vertex of the geometry, in the world unless given. */
function sourcePositions(body: Body, welded = body.getPositions()): number[] {
  return Array.from(body.mesh.weldedVertex).flatMap((v) => Array.from(welded.subarray(3 * v, 3 * v + 3)));
}

function largestDifference(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length);
  return Math.max(...a.map((x, k) => Math.abs(x - b[k])));
}

describe('positions are those of three.js', () => {
  test('a mesh that is placed', () => {
    const noise = createNoise(1);
    const mesh = place(new Mesh(ballGeometry()), noise);
    const { body, update } = bodyFromObject3D(engine, mesh);
    expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
    mesh.position.x += 2;
    mesh.parent!.updateMatrixWorld(true);
    update();
    expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
  });

  test('a skinned mesh, bone by bone', () => {
    const noise = createNoise(2);
    const mesh = skinnedBall(noise);
    const { body, update } = bodyFromObject3D(engine, mesh);
    for (let k = 0; k < 20; k++) {
      bend(mesh, noise, 2);
      update();
      expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
    }
  });

  test('a skinned mesh in detached mode', () => {
    const noise = createNoise(3);
    const mesh = skinnedBall(noise);
    mesh.bindMode = 'detached';
    const { body, update } = bodyFromObject3D(engine, mesh);
    bend(mesh, noise, 1);
    update();
    expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
  });

  test.each([true, false])('morph targets, as displacements: %s', (isRelative) => {
    const noise = createNoise(4);
    const mesh = place(new Mesh(addMorphs(ballGeometry(), noise, isRelative)), noise);
    const { body, update } = bodyFromObject3D(engine, mesh);
    for (let k = 0; k < 10; k++) {
      mesh.morphTargetInfluences = [noise(), noise()];
      update();
      expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
    }
  });

  test('morph targets below a skin', () => {
    const noise = createNoise(5);
    const mesh = skinnedBall(noise, addMorphs(ballGeometry(), noise, true));
    mesh.updateMorphTargets();
    const { body, update } = bodyFromObject3D(engine, mesh);
    for (let k = 0; k < 10; k++) {
      mesh.morphTargetInfluences = [noise(), noise()];
      bend(mesh, noise, 1.5);
      update();
      expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-5);
    }
  });

  test('instances, one body each', () => {
    const noise = createNoise(6);
    const mesh = instancedBalls(5, noise);
    const { bodies, update } = bodyFromObject3D(engine, mesh);
    expect(bodies.length).toBe(5);
    for (let k = 0; k < 5; k++) moveInstance(mesh, k, noise);
    update();
    bodies.forEach((body, k) => {
      expect(largestDifference(sourcePositions(body), worldVertices(mesh, k))).toBeLessThan(1e-5);
    });
  });

  test('interleaved, normalised and unindexed geometries', () => {
    const data = Float32Array.from({ length: 54 }, (_, k) => ((7 * k) % 11) / 11);
    const interleaved = new BufferGeometry();
    interleaved.setAttribute(
      'position',
      new InterleavedBufferAttribute(new InterleavedBuffer(data, 6), 3, 1),
    );
    const packed = new BufferGeometry();
    const bytes = Int8Array.from({ length: 27 }, (_, k) => ((31 * k) % 200) - 100);
    packed.setAttribute('position', new BufferAttribute(bytes, 3, true));
    for (const geometry of [interleaved, packed]) {
      const mesh = new Mesh(geometry);
      const { body } = bodyFromObject3D(engine, mesh);
      expect(body.mesh.triangleCount).toBe(3);
      expect(largestDifference(sourcePositions(body), worldVertices(mesh))).toBeLessThan(1e-7);
    }
  });
});

describe('pairs are those of bodies made by hand', () => {
  test('within a skinned mesh that is bent hard', () => {
    const noise = createNoise(7);
    const mesh = skinnedBall(noise);
    const { body, update } = bodyFromObject3D(engine, mesh);
    const free = engine.createFreeBody(body.mesh);
    let found = 0;
    for (let k = 0; k < 30; k++) {
      bend(mesh, noise, 5);
      update();
      free.setPose(sourcePositions(body, body.getLocalPositions()));
      const pairs = findSelfCollisions(body).sortedPairs();
      expect(pairs).toEqual(findSelfCollisions(free, { method: 'brute-force' }).sortedPairs());
      found += pairs.length;
    }
    expect(found).toBeGreaterThan(0);
  });

  test('between two meshes, with the triangle ids of their geometries', () => {
    const noise = createNoise(8);
    let found = 0;
    for (let k = 0; k < 8; k++) {
      const ball = place(new Mesh(ballGeometry()), noise);
      const box = place(new Mesh(new BoxGeometry(2, 2, 2, 3, 3, 3)), noise);
      const report = findCollisions(bodyFromObject3D(engine, ball).body, bodyFromObject3D(engine, box).body);
      const direct = [ball, box].map((mesh) => {
        const triangles = Array.from(mesh.geometry.index!.array);
        return engine.createRigidBody(createTriangleMesh({ positions: worldVertices(mesh), triangles }));
      });
      expect(report.sortedPairs()).toEqual(findCollisions(direct[0], direct[1]).sortedPairs());
      found += report.pairCount;
    }
    expect(found).toBeGreaterThan(0);
  });

  test('among instances', () => {
    const noise = createNoise(9);
    const mesh = instancedBalls(6, noise);
    const { bodies, dispose } = bodyFromObject3D(engine, mesh);
    const triangles = Array.from(mesh.geometry.index!.array);
    const direct = bodies.map((_, k) =>
      engine.createRigidBody(createTriangleMesh({ positions: worldVertices(mesh, k), triangles })),
    );
    const report = findAllCollisions(bodies);
    const expected = findAllCollisions(direct);
    expect(report.pairCount).toBeGreaterThan(0);
    expect(report.sortedPairs()).toEqual(expected.sortedPairs());
    expect(report.bodies!.slice(0, 2 * report.pairCount)).toEqual(
      expected.bodies!.slice(0, 2 * expected.pairCount),
    );
    dispose();
  });

  test('a ball with seams does not touch itself', () => {
    const noise = createNoise(10);
    expect(findSelfCollisions(bodyFromObject3D(engine, skinnedBall(noise)).body).pairCount).toBe(0);
  });
});

describe('what is no mesh is refused', () => {
  test.each([
    ['a group', new Group(), 'this is a Group'],
    ['nothing', undefined, 'this is none'],
    ['a mesh without positions', new Mesh(new BufferGeometry()), 'has no positions'],
  ])('%s', (_, object, message) => {
    expect(() => bodyFromObject3D(engine, object as Group)).toThrow(message);
  });
});
