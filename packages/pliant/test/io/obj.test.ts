import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readObj, readObjStream } from '../../src/io/obj.ts';
import { expectInputError, expectIsInputError } from './expect-input-error.ts';
import { objSample, POINTS, TRIANGLES, text } from './sample-files.ts';

const read = (content: string) => readObj(text(content), 'a.obj');
const V3 = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';

describe('a sample of everything', () => {
  test('vertices, fanned polygons and named runs', () => {
    const mesh = readObj(objSample(), 'models/thing.v2.obj');
    expect(mesh.name).toBe('thing.v2');
    expect([...mesh.positions]).toEqual(POINTS);
    expect([...mesh.triangles]).toEqual(TRIANGLES);
    expect(mesh.groups).toEqual([
      { object: 'thing', name: 'left', material: 'red', firstTriangle: 0, triangleCount: 2 },
      { object: 'thing', name: 'right', material: 'red', firstTriangle: 2, triangleCount: 2 },
    ]);
  });

  test.each(['\r\n', '\r'])('the same with line ends %j', (lineEnd) => {
    const content = new TextDecoder().decode(objSample()).replaceAll('\n', lineEnd);
    expect(read(content)).toEqual({ ...readObj(objSample(), 'a.obj') });
  });

  test('the same in pieces of any size', async () => {
    const bytes = objSample();
    const whole = readObj(bytes, 'a.obj');
    for (let size = 1; size < 40; size++) {
      expect(await readObjStream(inPieces(bytes, size), 'a.obj')).toEqual(whole);
    }
  });
});

describe('corners', () => {
  test.each([
    ['f 1 2 3', [0, 1, 2]],
    ['f 1/1 2/1 3/1', [0, 1, 2]],
    ['f -1 -2 -3', [2, 1, 0]],
    ['f\t3//4\t2//4  1//4 ', [2, 1, 0]],
    ['f 1 2 3 # comment', [0, 1, 2]],
    ['f 1 2\\\n3', [0, 1, 2]],
    ['f 1 2 \\\r\n3', [0, 1, 2]],
    ['f 1 1 1', [0, 0, 0]], // degenerate, but it keeps its id
    ['f 1 2', []],
    ['f', []],
    ['l 1 2\np 1', []],
  ])('%j', (face, expected) => {
    expect([...read(V3 + face).triangles]).toEqual(expected);
  });

  test('a face may come before its vertices', () => {
    expect([...read(`f 1 2 3\n${V3}`).triangles]).toEqual([0, 1, 2]);
  });
});

test('names: repeated ones make no new run, empty runs are dropped, unnamed triangles are a run', () => {
  const { groups } = read(`${V3}f 1 2 3\ng a b \ng c\nf 1 2 3\ng c\nf 1 2 3\nusemtl Weiß\nf 1 2 3\ng d`);
  expect(groups).toEqual([
    { object: '', name: '', material: '', firstTriangle: 0, triangleCount: 1 },
    { object: '', name: 'c', material: '', firstTriangle: 1, triangleCount: 2 },
    { object: '', name: 'c', material: 'Weiß', firstTriangle: 3, triangleCount: 1 },
  ]);
});

test.each([
  ['v 1 2', 'truncated', 'a.obj:1: expected a number, found the end of the file'],
  ['v 1 2\nv 1 2 3', 'syntax', 'a.obj:1: expected a number, found the end of the line'],
  ['\n\nv 1 x 3', 'syntax', 'a.obj:3: expected a number, found "x"'],
  ['v 1 nan 3', 'not-finite', 'a.obj:1: "nan" is not a finite number'],
  ['v 1 1e999 3', 'not-finite', 'a.obj:1: "1e999" is too large a number'],
  [
    `${V3}f 1 2 4\nf 1 2 3`,
    'index-out-of-range',
    'a.obj:4: a face uses vertex 4, but the file has 3 vertices',
  ],
  [`${V3}f 0 1 2`, 'index-out-of-range', 'a.obj:4: a face uses vertex 0'],
  [`${V3}f -4 1 2`, 'index-out-of-range', 'a.obj:4: a face uses vertex -4'],
  [`${V3}f 1 2 99999999999`, 'index-out-of-range', 'a.obj:4: a face uses vertex 99999999999'],
  [`${V3}f 1 2 3x`, 'syntax', 'a.obj:4: expected a vertex index, found "3x"'],
  [`${V3}f 1 2 /3`, 'syntax', 'a.obj:4: expected an integer, found "/3"'],
  [`${V3}\u0001\u0002`, 'syntax', 'a.obj:4: expected a statement, found byte 1'],
  ['', 'empty', 'a.obj:1: no vertex, face or group'],
] as const)('%j is refused', (content, code, said) => {
  expectInputError(() => read(content), code, said);
});

test('errors of a stream name the line of the whole file', async () => {
  const bytes = text(`${V3}f 1 2 9\nf 1 2 3\n${'# filler\n'.repeat(100)}`);
  const outOfRange = await readObjStream(inPieces(bytes, 7), 'a.obj').catch((e) => e);
  expectIsInputError(outOfRange, 'index-out-of-range', 'a.obj:4: a face uses vertex 9');
  const broken = await readObjStream(inPieces(text(`${V3.repeat(50)}v 1 ?`), 11), 'a.obj').catch((e) => e);
  expectIsInputError(broken, 'syntax', 'a.obj:151: expected a number');
  const endless = await readObjStream(inPieces(text(' '.repeat(5_000_000)), 1 << 16), 'a.obj').catch(
    (e) => e,
  );
  expectIsInputError(endless, 'too-large', 'a.obj:1: a line of over');
});

test('any polygon of n corners gives n − 2 triangles around its first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 3, maxLength: 30 }), (corners) => {
      const { triangles } = read(`${'v 0 0 0\n'.repeat(50)}f ${corners.join(' ')}`);
      const expected = corners.slice(2).flatMap((corner, i) => [corners[0], corners[i + 1], corner]);
      expect([...triangles]).toEqual(expected.map((corner) => corner - 1));
    }),
  );
});

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
