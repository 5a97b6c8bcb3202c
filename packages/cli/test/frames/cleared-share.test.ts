import { expect, test } from 'vitest';
import { clearedShare } from '../../src/frames/cleared-share.ts';

/** 32 triangles in a perfect tree: node k has the children 2k + 1 and 2k + 2. */
const LEAVES = 32;
const nodeCount = 2 * LEAVES - 1;
const tree = {
  nodeCount,
  link: Uint32Array.from({ length: nodeCount }, (_, k) => 2 * k + 1),
  slotCount: Uint32Array.from({ length: nodeCount }, (_, k) => LEAVES / 2 ** Math.floor(Math.log2(k + 1))),
};

const clearing = (...nodes: number[]) => ({
  begin() {},
  clears: (a: number, b: number) => a === b && nodes.includes(a),
});

test('all, nothing, and a half', () => {
  expect(clearedShare([clearing(0)], tree, false)).toBe(1);
  expect(clearedShare([clearing()], tree, false)).toBe(0);
  expect(clearedShare([clearing(1)], tree, false)).toBeCloseTo(31 / 63, 12); // all but the root and its second child
});

test('several certificates add up, and each is told about motions', () => {
  const told: boolean[] = [];
  const half = { ...clearing(1), begin: (swept: boolean) => void told.push(swept) };
  expect(clearedShare([half, clearing(2)], tree, true)).toBeCloseTo(62 / 63, 12); // only the root was opened
  expect(told).toEqual([true]);
});
