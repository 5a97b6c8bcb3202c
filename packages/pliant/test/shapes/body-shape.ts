import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, findSelfCollisions } from '../../src/index.ts';
import type { MotionOptions, Shape } from '../../src/shapes/shape.ts';
import { doubleArea } from '../../src/shapes/triangle-shape.ts';
import { countFacingPairs } from './facing-pairs.ts';
import { volume } from './skinned.ts';

export interface BodyRow {
  create: (options?: MotionOptions & { triangles?: number; seed?: number }) => Shape;
  triangles: number; // by default
  fewest: number;
  counts: number[]; // others to try
  seeds: number[];
  gap: number; // between parts at rest: at least this, and less than three times it
  calm: number; // the depth up to which nothing touches
  hash: string; // of positions and triangles of the coarsest, at rest and at 0.7 s
}

const isFull = process.env.PLIANT_FULL !== undefined;

/** What a body of parts promises: its form, its distances and when it touches itself. */
export function testBodyShape({ create, triangles, fewest, counts, seeds, gap, calm, hash }: BodyRow): void {
  let usual: Shape;
  let small: Shape;
  beforeAll(() => {
    usual = create();
    small = create({ triangles: 1 });
  });

  test('is one closed surface without handles, about 1 large, standing on the ground', async () => {
    expect(usual.source.triangles.length / 3).toBe(triangles);
    expect(Math.abs(small.source.triangles.length / 3 / fewest - 1)).toBeLessThan(0.05);
    for (const shape of [usual, small]) await expectSound(shape);
    const extent = [0, 1, 2].map((k) => range(usual.source.positions, k));
    expect(Math.abs(extent[1][0])).toBeLessThan(0.003);
    expect(extent[1][1]).toBeGreaterThan(0.9);
    for (const [low, high] of extent) expect(high - low).toBeLessThan(1.3);
  });

  test('has triangles of almost one size', () => {
    const areas = triangleAreas(usual).sort((a, b) => a - b);
    const middle = areas[areas.length >> 1];
    expect(areas[0]).toBeGreaterThan(0.2 * middle);
    expect(areas[Math.trunc(0.01 * areas.length)]).toBeGreaterThan(0.7 * middle);
    expect(areas[Math.trunc(0.99 * areas.length)]).toBeLessThan(1.35 * middle);
    expect(areas[areas.length - 1]).toBeLessThan(2.5 * middle);
  });

  test('its parts lie close together and keep the promised gap', async () => {
    const { source } = isFull ? usual : small;
    expect(await countFacingPairs(source, gap)).toBe(0);
    expect(await countFacingPairs(source, 3 * gap)).toBeGreaterThan(0);
  });

  test('touches itself in some frames, all of them deep in its motion', async () => {
    const engine = await createEngine();
    const body = engine.createFreeBody(createTriangleMesh(small.source));
    const out = small.source.positions.slice();
    let touching = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      small.deform((2 * frame) / FRAMES, out);
      body.setPose(out);
      const { pairCount } = findSelfCollisions(body);
      const depth = (1 - Math.cos((2 * Math.PI * frame) / FRAMES)) / 2;
      if (depth <= calm) expect(pairCount).toBe(0);
      if (depth > 0.95) expect(pairCount).toBeGreaterThan(0);
      if (pairCount > 0) touching++;
    }
    expect(touching).toBeGreaterThan(FRAMES / 8);
    expect(touching).toBeLessThan(FRAMES / 2);
    engine.dispose();
  });

  test('is at rest at time 0 and moves smoothly', () => {
    const before = small.source.positions.slice(),
      after = before.slice();
    small.deform(0.6, after);
    expect(after).not.toEqual(before);
    small.deform(0, after);
    expect(after).toEqual(before);
    let step = 0;
    for (let frame = 1; frame <= 240; frame++) {
      small.deform(frame / 120, after);
      for (let i = 0; i < after.length; i++) step = Math.max(step, Math.abs(after[i] - before[i]));
      before.set(after);
    }
    expect(step).toBeGreaterThan(0.001);
    expect(step).toBeLessThan(0.01);
  });

  test('gives the same bits on every run and platform', () => {
    const pose = small.source.positions.slice();
    small.deform(0.7, pose);
    const digest = createHash('sha256')
      .update(small.source.positions)
      .update(small.source.triangles)
      .update(pose);
    expect(digest.digest('hex').slice(0, 16)).toBe(hash);
  });

  test('refuses wrong options', () => {
    for (const options of [{ triangles: NaN }, { triangles: -5 }, { seed: 0.5 }, { amplitude: -1 }]) {
      expect(() => create(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
  });

  test.each(some(counts))('asked for %i triangles it is sound', async (wished) => {
    const shape = create({ triangles: wished });
    expect(Math.abs(shape.source.triangles.length / 3 / wished - 1)).toBeLessThan(0.05);
    await expectSound(shape);
  });

  test.each(some(seeds))('seed %i is another one, as sound', async (seed) => {
    const shape = create({ triangles: 1, seed });
    expect(shape.source.positions).not.toEqual(small.source.positions);
    await expectSound(shape);
  });

  /** All of them, or those for which there is always time. */
  function some(list: readonly number[]): readonly number[] {
    return isFull ? list : list.slice(0, fewest < 10_000 ? 2 : 0);
  }
}

const FRAMES = 32;

/** Closed, manifold, in one piece, without handles, facing outwards, free of contact. */
async function expectSound({ source }: Shape): Promise<void> {
  const mesh = createTriangleMesh(source);
  expect([mesh.isClosed, mesh.componentCount]).toEqual([true, 1]);
  expect(mesh.vertexCount - mesh.edgeCount + mesh.triangleCount).toBe(2);
  expect(Object.values(mesh.defects)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(volume(mesh.positions, mesh.triangles)).toBeGreaterThan(0.03);
  const engine = await createEngine();
  expect(findSelfCollisions(engine.createFreeBody(mesh)).pairCount).toBe(0);
  engine.dispose();
}

function range(positions: Float64Array, axis: number): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (let i = axis; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  return [low, high];
}

function triangleAreas({ source }: Shape): number[] {
  const { positions, triangles } = source;
  return Array.from({ length: triangles.length / 3 }, (_, t) => {
    return doubleArea(positions, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]) / 2;
  });
}
