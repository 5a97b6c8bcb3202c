import { describe, expect, test } from 'vitest';
import { isAsciiStl, readStl } from '../../src/io/stl.ts';
import { expectInputError } from './expect-input-error.ts';
import { asciiStlSample, binaryStlSample, POINTS, TRIANGLES, text } from './sample-files.ts';

const CORNERS = TRIANGLES.flatMap((v) => POINTS.slice(3 * v, 3 * v + 3));

describe.each([
  ['ascii', asciiStlSample()],
  ['binary', binaryStlSample()],
  ['binary with another header', binaryStlSample('made by hand')],
])('%s', (_, bytes) => {
  test('three vertices for each triangle, in order', () => {
    const mesh = readStl(bytes, 'a.stl');
    expect([...mesh.positions]).toEqual(CORNERS);
    expect([...mesh.triangles]).toEqual(CORNERS.map((_, i) => i).slice(0, CORNERS.length / 3));
  });

  test('a shorter file is refused, unless it ends behind a whole solid', () => {
    const whole = [readStl(bytes, 'a.stl').triangles.length, 6]; // 6: the first solid alone
    let refused = 0;
    for (let length = 0; length < bytes.length; length++) {
      try {
        expect(whole).toContain(readStl(bytes.slice(0, length), 'a.stl').triangles.length);
      } catch (error) {
        expect(String(error)).toMatch(/^InputError: a\.stl/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0.8 * bytes.length);
  });
});

test('each ascii solid is a group', () => {
  expect(readStl(asciiStlSample(), 'a.stl').groups).toEqual([
    { object: 'first part', name: '', material: '', firstTriangle: 0, triangleCount: 2 },
    { object: '', name: '', material: '', firstTriangle: 2, triangleCount: 2 },
  ]);
});

test('what starts with "solid" is binary when its length or a zero byte says so', () => {
  expect(isAsciiStl(asciiStlSample())).toBe(true);
  expect(isAsciiStl(binaryStlSample('solid'))).toBe(false);
  expect(isAsciiStl(binaryStlSample('solid\0'.padEnd(80, '\0')).slice(0, -7))).toBe(false);
  expect(isAsciiStl(text('\n  SOLID x\nendsolid'))).toBe(true);
});

test('bytes behind the last facet of a binary file are ignored', () => {
  const bytes = new Uint8Array([...binaryStlSample('x'), 1, 2, 3]);
  expect(readStl(bytes, 'a.stl').triangles.length).toBe(12);
});

test.each([
  [
    'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nendloop',
    'syntax',
    'a.stl:5: expected a number, found "endloop"',
  ],
  ['solid a\nvertex 0 0 0', 'syntax', 'a.stl:2: expected facet or endsolid, found "vertex"'],
  ['solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf', 'not-finite', 'a.stl:4: "inf"'],
  ['solid a\n', 'truncated', 'a.stl:2: expected facet or endsolid, found the end of the file'],
  ['nonsense', 'truncated', 'a.stl: byte 0: the header needs 80 bytes, but 8 are left'],
] as const)('%j is refused', (content, code, said) => {
  expectInputError(() => readStl(text(content), 'a.stl'), code, said);
});

test('a facet count that the file cannot hold is refused', () => {
  const bytes = binaryStlSample('x');
  bytes.fill(255, 80, 84);
  expectInputError(
    () => readStl(bytes, 'a.stl'),
    'truncated',
    'a.stl: byte 80: facets: 4294967295, but only 200 bytes follow',
  );
});
