import { describe, expect, test } from 'vitest';
import { edgeEdgeContact } from '../../src/narrow/edge-edge.ts';
import { testContinuousContact } from './continuous-suite.ts';

describe('edgeEdgeContact', () => {
  testContinuousContact('ee', edgeEdgeContact, [
    [1, 0, 2, 3],
    [0, 1, 3, 2],
    [2, 3, 0, 1],
    [3, 2, 1, 0],
  ]);

  const still = [0, -1, 0, 0, 1, 0];

  test.each([
    ['across', [-1, 0, 3, 1, 0, 3], true],
    ['end on', [0, 0, 3, 1, 0, 3], true],
    ['one ulp short', [2 ** -52, 0, 3, 1, 0, 3], false],
    ['parallel and overlapping', [0, 1, 3, 0, 2, 3], true],
    ['parallel and one ulp short', [0, 1 + 2 ** -52, 3, 0, 2, 3], false],
    ['as a point', [0, 0.5, 3, 0, 0.5, 3], true],
  ])('an edge that falls onto another, %s', (_, edge, touches) => {
    const contact = fall(edge);
    expect(contact.touches).toBe(touches);
    if (touches) expect(Math.abs(contact.time - 0.75)).toBeLessThanOrEqual(2 ** -40);
    else expect(contact.time).toBe(Infinity);
  });

  test('an edge that slides along its own line touches when the ends meet', () => {
    const start = Float64Array.from([...still, 0, 4, 0, 0, 5, 0]);
    const end = Float64Array.from([...still, 0, 0, 0, 0, 1, 0]);
    const { touches, time } = edgeEdgeContact(start, end);
    expect(touches).toBe(true);
    expect(0.75 - time).toBeGreaterThanOrEqual(0);
    expect(0.75 - time).toBeLessThanOrEqual(2 ** -40);
  });

  /** From z = 3 to z = -1. */
  function fall(edge: readonly number[]) {
    const below = edge.map((x, i) => (i % 3 === 2 ? x - 4 : x));
    return edgeEdgeContact(Float64Array.from([...edge, ...still]), Float64Array.from([...below, ...still]));
  }
});
