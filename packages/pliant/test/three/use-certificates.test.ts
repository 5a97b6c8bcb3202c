import { type InstancedMesh, Mesh } from 'three';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/body/engine.ts';
import { prepareSubspaceCertificate } from '../../src/cull/index.ts';
import { createRecord, writeCertificates, writeSubspaceCertificate } from '../../src/io/index.ts';
import { findSelfCollisions } from '../../src/query/self-collisions.ts';
import { bodyFromObject3D, type ObjectBody, useCertificates } from '../../src/three/index.ts';
import { createEngine } from '../../src/worker/create-engine.ts';
import { expectInputError } from '../io/expect-input-error.ts';
import { addMorphs, ballGeometry, createNoise, instancedBalls, place, skinnedBall } from './three-objects.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

afterAll(() => engine.dispose());

function morphBall(seed: number): Mesh {
  const noise = createNoise(seed);
  const mesh = place(new Mesh(addMorphs(ballGeometry(), noise, true)), noise);
  mesh.name = 'Ball';
  mesh.morphTargetInfluences = [0, 0];
  return mesh;
}

/** As `pliant certify` would write it. */
function certify({ body }: ObjectBody): Uint8Array {
  const certificate = prepareSubspaceCertificate(body, {
    gauge: 'one-sided',
    reach: 1,
    ignoreRestContacts: true,
  });
  const address = { name: 'Ball', node: 0, primitive: null, triangles: body.mesh.triangleCount };
  return writeCertificates(['ball.glb'], [createRecord(writeSubspaceCertificate(certificate), address)]);
}

test('an object that is loaded again gets its certificates back, with the same answers', () => {
  const bytes = certify(bodyFromObject3D(engine, morphBall(1)));
  const mesh = morphBall(1);
  const ball = bodyFromObject3D(engine, mesh);
  const fetched = bytes.slice().buffer as ArrayBuffer;
  expect(useCertificates(ball, fetched)).toEqual(ball.body.certificates);
  expect(ball.body.certificates.length).toBe(1);
  let touching = 0,
    spared = 0;
  for (const weights of [
    [0, 0],
    [0.01, 0.02],
    [0.4, 0],
    [0, 0.9],
    [1, 1],
    [2, 3],
    [-0.5, 0.1],
  ]) {
    mesh.morphTargetInfluences = weights;
    ball.update();
    const found = findSelfCollisions(ball.body);
    const without = findSelfCollisions(ball.body, { certificates: [] });
    spared += without.counters.nodePairsTested - found.counters.nodePairsTested;
    touching += found.pairCount > 0 ? 1 : 0;
    expect(found.sortedPairs()).toEqual(without.sortedPairs());
  }
  expect(touching).toBeGreaterThan(0);
  expect(spared).toBeGreaterThan(0);
});

test('instances share them', () => {
  const bytes = certify(bodyFromObject3D(engine, morphBall(2)));
  const balls: InstancedMesh = instancedBalls(3, createNoise(3));
  balls.geometry = morphBall(2).geometry;
  balls.morphTargetInfluences = [0.01, 0];
  const crowd = bodyFromObject3D(engine, balls);
  useCertificates(crowd, bytes);
  expect(new Set(crowd.bodies.map((body) => body.certificates[0])).size).toBe(3);
  for (const body of crowd.bodies) {
    const { nodePairsTested, nodePairsCleared } = findSelfCollisions(body).counters;
    expect(nodePairsCleared).toBeGreaterThan(0);
    expect(nodePairsTested).toBeLessThan(
      findSelfCollisions(body, { certificates: [] }).counters.nodePairsTested,
    );
  }
});

test('refuses what was made for something else, or is no such file, and changes nothing', () => {
  const bytes = certify(bodyFromObject3D(engine, morphBall(4)));
  const other = bodyFromObject3D(engine, morphBall(5));
  expectInputError(() => useCertificates(other, bytes, 'ball.pliant'), 'mismatch', 'ball.pliant is stale');
  const skinned = bodyFromObject3D(engine, skinnedBall(createNoise(6)));
  expectInputError(() => useCertificates(skinned, bytes), 'mismatch', 'not moved by modes');
  expectInputError(() => useCertificates(other, bytes.subarray(0, 300)), 'truncated', '');
  const html = new TextEncoder().encode('<!doctype html><title>Not found</title><p>There is no such file.');
  expectInputError(() => useCertificates(other, html), 'syntax', 'not a file written by Pliant');
  expectInputError(() => useCertificates(other, 'ball.pliant' as never), 'wrong-type', 'not a string');
  expect(other.body.certificates).toEqual([]);
});
