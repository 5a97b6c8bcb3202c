import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, createTriangleMesh, type Engine, findSelfCollisions } from '../../src/index.ts';
import { createFace } from '../../src/shapes/index.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

afterAll(() => engine.dispose());

/** How many pairs touch at given weights, in the order of the morph targets. */
function counter(triangles: number): (...weights: number[]) => number {
  const { source, morphs, morphNames } = createFace({ triangles });
  const count = morphNames.length;
  const body = engine.createModalBody(createTriangleMesh(source), { count, displacements: morphs });
  return (...weights) => {
    body.setPose(Float64Array.from({ length: count }, (_, m) => weights[m] ?? 0));
    return findSelfCollisions(body).pairCount;
  };
}

describe.each([1500, 4500, 12_000])('a face of %i triangles', (triangles) => {
  test('is closed, faces outwards and does not touch itself', () => {
    const { source, morphs, morphNames } = createFace({ triangles });
    const mesh = createTriangleMesh(source);
    expect(Object.values(mesh.defects).every((count) => count === 0)).toBe(true);
    expect(volume(source.positions, source.triangles)).toBeGreaterThan(2);
    expect(morphs.length).toBe(morphNames.length * source.positions.length);
    expect(morphs.every(Number.isFinite)).toBe(true);
    expect(counter(triangles)()).toBe(0);
    if (triangles > 2000) expect(Math.abs(mesh.triangleCount / triangles - 1)).toBeLessThan(0.35);
  });

  test('lips and lids meet, but not before they are nearly closed', () => {
    const count = counter(triangles);
    for (const morph of [0, 3, 4]) {
      const at = (weight: number) =>
        count(...Array.from({ length: 8 }, (_, m) => (m === morph ? weight : 0)));
      expect(at(0.75)).toBe(0);
      expect(at(1)).toBeGreaterThan(0);
    }
    for (const quiet of [1, 5, 6, 7]) {
      expect(count(...Array.from({ length: 8 }, (_, m) => (m === quiet ? 1 : 0)))).toBe(0);
    }
  });
});

test('equal options give equal bits; every morph target moves something', () => {
  const [a, b] = [createFace(), createFace()];
  expect(a).toEqual(b);
  const length = a.source.positions.length;
  a.morphNames.forEach((name, m) => {
    const moved = a.morphs.subarray(m * length, (m + 1) * length).some((x) => Math.abs(x) > 0.01);
    expect(moved, name).toBe(true);
  });
});

test('eyes are mirrored: a blink of one side moves nothing of the other', () => {
  const { source, morphs } = createFace({ triangles: 3000 });
  const { positions } = source;
  for (let o = 0; o < positions.length; o += 3) {
    const [left, right] = [3, 4].map((m) => morphs[m * positions.length + o + 1]);
    if (positions[o] < 0) expect(left).toBe(0);
    if (positions[o] > 0) expect(right).toBe(0);
  }
});

test('bad options are refused', () => {
  expect(() => createFace({ triangles: 0 })).toThrow('triangles must be a number');
  expect(() => createFace(3 as never)).toThrow('options');
});

function volume(p: Float64Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}
