import { describe, expect, test } from 'vitest';
import { createEngine, findAllCollisions } from '../../src/index.ts';
import {
  createCrowdScene,
  createFishScene,
  createHangingScene,
  type SoftScene,
} from '../../src/simulate/index.ts';

interface Row {
  create: (options?: object) => SoftScene;
  bodies: number;
  vertices: number; // of each by default
  small: { count: number; triangles: number; nodes: number };
}

const SCENES: [string, Row][] = [
  [
    'hanging',
    {
      create: createHangingScene,
      bodies: 6,
      vertices: 7500,
      small: { count: 4, triangles: 4000, nodes: 48 },
    },
  ],
  [
    'fish',
    { create: createFishScene, bodies: 24, vertices: 8000, small: { count: 8, triangles: 4000, nodes: 48 } },
  ],
  [
    'crowd',
    { create: createCrowdScene, bodies: 50, vertices: 5000, small: { count: 6, triangles: 1000, nodes: 48 } },
  ],
];

describe.each(SCENES)('%s', (name, { create, bodies, vertices, small }) => {
  test('has the promised size', () => {
    const scene = create({ nodes: 32 });
    expect([scene.name, scene.bodies.length, scene.time]).toEqual([name, bodies, 0]);
    for (const { mesh } of scene.bodies) expect(Math.abs(mesh.vertexCount / vertices - 1)).toBeLessThan(0.05);
    expect(new Set(scene.bodies.map(({ mesh }) => mesh)).size).toBe(1);
  });

  test('bumps, and stays whole', async () => {
    const engine = await createEngine();
    const scene = create(small);
    const list = scene.bodies.map(({ mesh, meshless }) => engine.createMeshlessBody(mesh, meshless));
    let touching = 0;
    for (let frame = 0; frame < 240; frame++) {
      scene.step(1 / 60);
      for (const { pose } of scene.bodies) {
        for (const g of pose.gradients as Float64Array)
          if (!(Math.abs(g) < 4)) throw new Error(`frame ${frame}: ${g}`);
      }
      if (frame % 5 !== 4) continue;
      scene.bodies.forEach(({ pose }, i) => void list[i].setPose(pose));
      if (findAllCollisions(list).pairCount > 0) touching++;
    }
    expect(scene.time).toBeCloseTo(4, 12);
    expect(touching).toBeGreaterThan(0);
  });

  test('moves the same way each time, and another way with another seed', () => {
    const play = (seed: number) => {
      const scene = create({ ...small, count: 3, seed });
      for (let frame = 0; frame < 40; frame++) scene.step(1 / 60);
      return scene.bodies.map(({ pose }) => [...(pose.displacements as Float64Array)]);
    };
    const first = play(1);
    expect(play(1)).toEqual(first);
    expect(play(2)).not.toEqual(first);
  });

  test('refuses senseless options', () => {
    for (const options of [{ count: 0 }, { count: 1.5 }, { nodes: 1 }, { seed: NaN }, { triangles: -1 }]) {
      expect(() => create(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    expect(() => create({ ...small, count: 1 }).step(0)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  });
});
