import { describe, expect, test } from 'vitest';
import { vertexFaceContact } from '../../src/narrow/vertex-face.ts';
import { testContinuousContact } from './continuous-suite.ts';

describe('vertexFaceContact', () => {
  testContinuousContact('vf', vertexFaceContact, [
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [0, 2, 1, 3],
    [0, 3, 2, 1],
    [0, 1, 3, 2],
  ]);

  const face = [0, 0, 0, 4, 0, 0, 0, 4, 0];
  const drop = (x: number, y: number) => contactOfVertex([x, y, 3], [x, y, -1]);

  test.each([
    ['inside', 1, 1, true],
    ['on an edge', 2, 2, true],
    ['at a corner', 0, 0, true],
    ['beyond an edge by one ulp', 2, 2 + 2 ** -51, false],
  ])('a vertex that falls through the plane %s', (_, x, y, touches) => {
    const contact = drop(x, y);
    expect(contact.touches).toBe(touches);
    if (touches) expect(Math.abs(contact.time - 0.75)).toBeLessThanOrEqual(2 ** -40);
    else expect(contact.time).toBe(Infinity);
  });

  test('a vertex that slides in the plane of the face touches at its border', () => {
    const { touches, time } = contactOfVertex([-3, 1, 0], [5, 1, 0]);
    expect(touches).toBe(true);
    expect(0.375 - time).toBeGreaterThanOrEqual(0);
    expect(0.375 - time).toBeLessThanOrEqual(2 ** -40);
  });

  test('a face that shrinks to a point and grows again is touched at that point', () => {
    const start = Float64Array.from([0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 1, 0]);
    const end = Float64Array.from([0, 0, -1, 1, 0, 0, -1, 0, 0, 0, -1, 0]);
    const { touches, time } = vertexFaceContact(start, end);
    expect(touches).toBe(true);
    expect(Math.abs(time - 0.5)).toBeLessThanOrEqual(2 ** -40);
  });

  function contactOfVertex(from: readonly number[], to: readonly number[]) {
    return vertexFaceContact(Float64Array.from([...from, ...face]), Float64Array.from([...to, ...face]));
  }
});
