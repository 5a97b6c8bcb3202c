import {
  type Body,
  createEngine,
  createTriangleMesh,
  type Engine,
  findCollisions,
  findSelfCollisions,
} from 'pliant';
import { createCloth, createSpring } from 'pliant/shapes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FrameTrace } from '../src/host/protocol.ts';
import { traceFrame } from '../src/host/trace.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

afterAll(() => engine.dispose());

/** Meshes drawn as they are, one after the other. */
function placed(bodies: readonly Body[]) {
  let firstVertex = 0;
  return bodies.map(({ mesh }) => {
    const part = { index: mesh.triangles, firstVertex };
    firstVertex += mesh.vertexCount;
    return part;
  });
}

/** Per triangle of all bodies: 0 where the walk did not come, else 1 + level. */
function classes(trace: FrameTrace, bodies: readonly Body[]): Map<string, number> {
  const found = new Map<string, number>();
  for (let k = 0; k + 1 < trace.levelStart.length; k++) {
    for (let o = trace.levelStart[k]; o < trace.levelStart[k + 1]; o += 3) {
      found.set(trace.index.slice(o, o + 3).join(), k);
    }
  }
  expect(trace.index.length).toBe(3 * bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0));
  return found;
}

function leafLevel({ tree, mesh }: Body, triangle: number): number {
  const slot = tree.order.indexOf(triangle);
  let node = 0,
    level = 0;
  while (tree.slotCount[node] > 1) {
    node = slot < tree.firstSlot[tree.link[node] + 1] ? tree.link[node] : tree.link[node] + 1;
    level++;
  }
  expect(mesh.triangleCount).toBeGreaterThan(triangle);
  return level;
}

describe('a trace', () => {
  test('between two bodies reaches the leaf of every touching triangle', () => {
    const cloth = createCloth({ triangles: 800, motion: 'flow' });
    const mesh = createTriangleMesh(cloth.source);
    const bodies = [engine.createRigidBody(mesh), engine.createRigidBody(mesh)];
    bodies[0].setPose([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    bodies[1].setPose([0, -1, 0, 0.3, 1, 0, 0, 0, 0, 0, 1, 0.1]); // upright, through the middle
    const report = findCollisions(bodies[0], bodies[1]);
    const trace = traceFrame(bodies, false, placed(bodies));
    const classOf = classes(trace, bodies);
    expect(report.pairCount).toBeGreaterThan(10);
    for (const pair of report.sortedPairs()) {
      pair.forEach((triangle, side) => {
        const corners = [0, 1, 2].map((c) => mesh.triangles[3 * triangle + c] + side * mesh.vertexCount);
        expect(classOf.get(corners.join())).toBe(1 + leafLevel(bodies[side], triangle));
      });
    }
    expect(trace.boxes.length % 7).toBe(0);
    expect(trace.boxes.length).toBeGreaterThan(7 * 10);
  });

  test('bodies far apart are not visited at all', () => {
    const mesh = createTriangleMesh(createCloth({ triangles: 200 }).source);
    const bodies = [engine.createRigidBody(mesh), engine.createRigidBody(mesh)];
    bodies[1].setPose([1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0]);
    const trace = traceFrame(bodies, false, placed(bodies));
    expect(trace.boxes.length).toBe(0);
    expect(trace.levelStart[1]).toBe(trace.index.length);
  });

  test('within one body: nothing is visited beyond neighbours while nothing comes close', () => {
    const spring = createSpring({ triangles: 2000, period: 2 });
    const mesh = createTriangleMesh(spring.source);
    const body = engine.createFreeBody(mesh);
    const pose = new Float64Array(spring.source.positions.length);
    const visited = [0, 1].map((time) => {
      spring.deform(time, pose);
      body.setPose(pose);
      const trace = traceFrame([body], true, placed([body]));
      const report = findSelfCollisions(body);
      const classOf = classes(trace, [body]);
      for (const triangle of new Set(report.sortedPairs().flat())) {
        expect(classOf.get(mesh.triangles.slice(3 * triangle, 3 * triangle + 3).join())).toBeGreaterThan(0);
      }
      return { boxes: trace.boxes.length, pairs: report.pairCount };
    });
    expect(visited[0].pairs).toBe(0);
    expect(visited[1].pairs).toBeGreaterThan(0);
    expect(visited[1].boxes).toBeGreaterThan(visited[0].boxes);
  });
});
