import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Camera } from '../../src/html/page/camera.ts';
import { Model, placeOf, type Vec3 } from '../../src/html/page/model.ts';
import { firstTriangleOnRay, trianglesInFront } from '../../src/html/page/ray.ts';
import { type PageData, readPayload } from '../../src/html/page/read-payload.ts';
import { findSmoothing } from '../../src/html/page/smoothing.ts';
import { worstFrames } from '../../src/html/page/worst-frames.ts';
import { writePayload } from '../../src/html/write-payload.ts';
import { sampleReport } from './sample-report.ts';

let data: PageData;

beforeAll(async () => {
  data = await readPayload(writePayload(await sampleReport({ frames: 4 })));
});

describe('the camera', () => {
  const number = fc.double({ min: -100, max: 100, noNaN: true });
  const place = fc.integer({ min: -800, max: 800 }).map((eighths) => eighths / 8);
  const cloud = fc
    .array(fc.tuple(place, place, place), { minLength: 1, maxLength: 30 })
    .map((points) => Float32Array.from(points.flat()));
  const angle = fc.double({ min: -3, max: 3, noNaN: true });

  test('fits every point into the part of the picture that nothing covers', () => {
    fc.assert(
      fc.property(cloud, angle, fc.double({ min: 0.3, max: 3, noNaN: true }), (points, yaw, aspect) => {
        const camera = new Camera();
        camera.aspect = aspect;
        camera.setScale(1);
        camera.turn(yaw, 0.1);
        camera.jump(camera.fit(points, 0.15));
        for (let p = 0; p < points.length; p += 3) {
          const [x, y] = project(camera, [points[p], points[p + 1], points[p + 2]]);
          expect(Math.abs(x)).toBeLessThan(1);
          expect(y).toBeGreaterThan(-1);
          expect(y).toBeLessThan(1 - 2 * 0.15 + 0.01);
        }
      }),
    );
  });

  test('a ray through a place on the screen meets what is drawn there', () => {
    fc.assert(
      fc.property(number, number, number, (x, y, z) => {
        const camera = new Camera();
        camera.jump(camera.lookAt([x + 1, y - 0.5, z + 0.25], 20, [0.6, 0.48, 0.64]));
        const [sx, sy] = project(camera, [x, y, z]);
        const ray = camera.ray(sx, sy);
        const to = camera.eye.map((value, k) => [x, y, z][k] - value) as Vec3;
        const along = (to[0] * ray[0] + to[1] * ray[1] + to[2] * ray[2]) / Math.hypot(...ray) ** 2;
        const off = Math.hypot(...to.map((value, k) => value - along * ray[k]));
        expect(off).toBeLessThan(1e-2);
      }),
    );
  });

  function project(camera: Camera, [x, y, z]: Vec3): [number, number] {
    const m = camera.matrix(camera.target, 500);
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    expect(w).toBeGreaterThan(0); // in front of the eye
    return [(m[0] * x + m[4] * y + m[8] * z + m[12]) / w, (m[1] * x + m[5] * y + m[9] * z + m[13]) / w];
  }
});

describe('rays', () => {
  // Two parallel triangles, at z = 0 and z = 1.
  const two = Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0, -1, -1, 1, 1, -1, 1, 0, 1, 1);

  test('find the nearer triangle from either side', () => {
    expect(firstTriangleOnRay(two, [0, 0, 5], [0, 0, -1])).toBe(1);
    expect(firstTriangleOnRay(two, [0, 0, -5], [0, 0, 1])).toBe(0);
    expect(firstTriangleOnRay(two, [0, 0, 5], [0, 0, 1])).toBe(-1);
    expect(firstTriangleOnRay(two, [3, 0, 5], [0, 0, -1])).toBe(-1);
  });

  test('count what stands in front', () => {
    expect(trianglesInFront(two, [0, 0, -1], [0, 0, 1], 9)).toBe(2);
    expect(trianglesInFront(two, [0, 0, 0.5], [0, 0, 1], 9)).toBe(1);
    expect(trianglesInFront(two, [0, 0, 2], [0, 0, 1], 9)).toBe(0);
  });
});

describe('the model', () => {
  test('its normals point away from a ball’s centre', () => {
    const model = new Model(data);
    model.pose(data.shown[0]);
    const { firstTriangle, triangleCount } = data.meshes[1];
    const world = data.shown[0].world.subarray(12);
    const centre = [world[3], world[7], world[11]];
    for (let corner = 3 * firstTriangle; corner < 3 * (firstTriangle + triangleCount); corner++) {
      const n = model.cornerNormals.subarray(4 * corner, 4 * corner + 3);
      const out = centre.map((value, k) => model.cornerPositions[3 * corner + k] - value);
      const cosine =
        (n[0] * out[0] + n[1] * out[1] + n[2] * out[2]) / (Math.hypot(...n) * Math.hypot(...out));
      expect(Math.abs(cosine)).toBeGreaterThan(0.9);
    }
  });

  test('knows which region a triangle belongs to', () => {
    expect(placeOf(data, 0)).toEqual([0, 0]);
    expect(placeOf(data, data.meshes[1].firstTriangle - 1)).toEqual([0, 3]);
    expect(placeOf(data, data.meshes[1].firstTriangle)).toEqual([1, 0]);
  });

  test('a cube keeps its edges, a ball has none', () => {
    const { groupCount } = findSmoothing(data.meshes[1]);
    const points = new Set(
      Array.from({ length: data.meshes[1].lattice.length / 3 }, (_, v) =>
        data.meshes[1].lattice.slice(3 * v, 3 * v + 3).join(),
      ),
    );
    expect(groupCount).toBeLessThanOrEqual(points.size);
    expect(findSmoothing(cube()).groupCount).toBe(24);
  });

  function cube(): PageData['meshes'][number] {
    const lattice = Uint16Array.from({ length: 24 }, (_, k) => (Math.floor(k / 3) >> (k % 3)) & 1);
    const faces = [
      0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
      5,
    ];
    return {
      ...data.meshes[1],
      lattice,
      positions: Float32Array.from(lattice),
      triangles: faces,
      triangleCount: 12,
    };
  }
});

describe('the worst frames', () => {
  test('are peaks, apart from one another, with contacts', () => {
    const counts = [0, 1, 5, 5, 4, 0, 0, 0, 9, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0];
    expect(worstFrames(counts, 0, counts.length)).toEqual([8, 2, 13]);
    expect(worstFrames([0, 0, 0], 0, 3)).toEqual([]);
    expect(worstFrames([3], 0, 1)).toEqual([0]);
  });

  test('are at most five and hold the maximum', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 300 }), (counts) => {
        const worst = worstFrames(counts, 0, counts.length);
        expect(worst.length).toBeLessThanOrEqual(5);
        const most = Math.max(...counts);
        expect(worst.map((k) => counts[k])[0] ?? 0).toBe(most);
      }),
    );
  });
});
