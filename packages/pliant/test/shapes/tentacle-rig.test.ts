import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { createTentacleBall } from '../../src/shapes/tentacle-ball.ts';
import { BALL_TERMS, createTentacleRig, type TentacleRig } from '../../src/shapes/tentacle-rig.ts';
import { countSelfContacts } from './self-contact.ts';

/** A ball that is moved by a 3×4 matrix. */
function ballOf(matrix: readonly number[]): Float64Array {
  const ball = new Float64Array(3 * BALL_TERMS);
  for (let c = 0; c < 3; c++) {
    ball[BALL_TERMS * c] = matrix[4 * c + 3];
    for (let d = 0; d < 3; d++) ball[BALL_TERMS * c + 1 + d] = matrix[4 * c + d];
  }
  return ball;
}

function move(matrix: readonly number[], points: Float64Array): Float64Array {
  return points.map((_, k) => {
    const [x, y, z] = points.subarray(k - (k % 3), k - (k % 3) + 3);
    const [a, b, c, d] = matrix.slice(4 * (k % 3));
    return a * x + b * y + c * z + d;
  });
}

function farthest(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
}

const REST = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const MOVED = [0, -1, 0, 3, 0.6, 0, -0.8, -2, 0.8, 0, 0.6, 5]; // turned and shifted

/** Every joint bent sideways, more so towards the tip. */
function bentJoints({ restJoints, joints, spacing }: TentacleRig, by: number): Float64Array {
  return restJoints.map((x, k) => {
    const up = Math.max(0, (Math.floor(k / 3) % joints) - 1) * spacing;
    return k % 3 === 0 ? x + by * up * up : x;
  });
}

const SIZES = process.env.PLIANT_FULL ? [10_000, 50_000, 200_000, 1_000_000] : [10_000, 30_000];

describe('a tentacle ball that is moved by joints', () => {
  test.each(SIZES)('asked for %i triangles it is closed and does not touch itself at rest', (triangles) => {
    const { source, tentacles, radius, spacing } = createTentacleRig({ triangles });
    const mesh = createTriangleMesh(source);
    expect(mesh.triangleCount).toBeGreaterThan(0.85 * triangles);
    expect(mesh.triangleCount).toBeLessThan(1.15 * triangles);
    expect([mesh.isClosed, mesh.componentCount, tentacles]).toEqual([true, 1, 92]);
    expect(mesh.vertexCount - mesh.edgeCount + mesh.triangleCount).toBe(2);
    expect(countSelfContacts(source.positions, source.triangles)).toBe(0);
    expect(radius).toBeGreaterThan(0.04);
    expect(radius).toBeLessThan(0.1);
    expect(spacing).toBeCloseTo(0.16, 12);
  });

  test('at rest it is the shape of that name', () => {
    const { source } = createTentacleRig({ triangles: 8000, tentacles: 42, length: 1 });
    const shape = createTentacleBall({ triangles: 8000, tentacles: 42, length: 1 });
    expect(source.triangles).toEqual(shape.source.triangles);
    expect(farthest(source.positions, shape.source.positions)).toBeLessThan(1e-12);
  });

  test.each([
    ['rest', REST],
    ['a rigid motion', MOVED],
  ])('goes along with %s', (_, matrix) => {
    const rig = createTentacleRig({ triangles: 8000 });
    const out = new Float64Array(rig.source.positions.length);
    rig.place(ballOf(matrix), move(matrix, rig.restJoints), out);
    expect(farthest(out, move(matrix, rig.source.positions))).toBeLessThan(1e-12);
  });

  test('quadratic terms of the ball move what is not on a tentacle', () => {
    const rig = createTentacleRig({ triangles: 8000 });
    const out = new Float64Array(rig.source.positions.length);
    const ball = ballOf(REST);
    ball[BALL_TERMS + 7] = 0.25; // y += x y / 4
    rig.place(ball, rig.restJoints, out);
    let moved = 0;
    for (let o = 0; o < out.length; o += 3) {
      const [x, y, z] = rig.source.positions.subarray(o, o + 3);
      if (x * x + y * y + z * z > 1 + 1e-9) continue; // on a tentacle
      expect(out[o + 1]).toBeCloseTo(y + 0.25 * x * y, 12);
      moved = Math.max(moved, Math.abs(out[o + 1] - y));
    }
    expect(moved).toBeGreaterThan(0.1);
  });

  test('a joint moves its own tentacle and nothing else, without tearing or thinning it', () => {
    const rig = createTentacleRig({ triangles: 20_000 });
    const { positions, triangles } = rig.source;
    const out = new Float64Array(positions.length);
    const joints = rig.restJoints.slice();
    const last = 3 * (rig.joints - 1);
    const rest = bentJoints(rig, 1.2).subarray(0, last + 3);
    joints.set(rest); // those of the first tentacle
    rig.place(ballOf(REST), joints, out);
    const axis = rig.restJoints.subarray(3, 6);
    let moved = 0;
    for (let o = 0; o < out.length; o += 3) {
      if (farthest(out.subarray(o, o + 3), positions.subarray(o, o + 3)) < 1e-12) continue;
      moved++;
      const [x, y, z] = positions.subarray(o, o + 3);
      const along = x * axis[0] + y * axis[1] + z * axis[2];
      expect(Math.sqrt(x * x + y * y + z * z - along * along)).toBeLessThan(0.12); // about the first axis
    }
    expect(moved).toBeGreaterThan(20);
    const edge = (at: Float64Array, a: number, b: number) =>
      Math.hypot(at[a] - at[b], at[a + 1] - at[b + 1], at[a + 2] - at[b + 2]);
    let longest = 0,
      shortest = Infinity;
    for (let t = 0; t < triangles.length; t++) {
      const a = 3 * triangles[t],
        b = 3 * triangles[t % 3 === 2 ? t - 2 : t + 1];
      const ratio = edge(out, a, b) / edge(positions, a, b);
      longest = Math.max(longest, ratio);
      shortest = Math.min(shortest, ratio);
    }
    expect(longest).toBeLessThan(2);
    expect(shortest).toBeGreaterThan(0.5);
  });

  test('gives the same bits on every run and platform', () => {
    const rig = createTentacleRig({ triangles: 4000, tentacles: 42 });
    const out = new Float64Array(rig.source.positions.length);
    rig.place(ballOf(MOVED), move(MOVED, bentJoints(rig, 0.5)), out);
    const digest = createHash('sha256').update(rig.source.positions).update(out);
    expect(digest.digest('hex').slice(0, 16)).toBe('64d9ad23ab73f315');
  });

  test('refuses wrong options and arrays', () => {
    for (const options of [
      { triangles: -1 },
      { tentacles: 0 },
      { length: 0 },
      { joints: 3 },
      { joints: 4.5 },
    ]) {
      expect(() => createTentacleRig(options)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    const rig = createTentacleRig({ triangles: 2000, tentacles: 12 });
    const out = new Float64Array(rig.source.positions.length);
    const ball = ballOf(REST);
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(() => rig.place(ball.subarray(1), rig.restJoints, out)).toThrow(code('wrong-length'));
    expect(() => rig.place(ball, rig.restJoints.subarray(3), out)).toThrow(code('wrong-length'));
    expect(() => rig.place(ball, rig.restJoints, out.subarray(3))).toThrow(code('wrong-length'));
    expect(() => rig.place(ball.fill(Number.NaN), rig.restJoints, out)).toThrow(code('not-finite'));
  });
});
