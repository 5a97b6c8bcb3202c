import { expect, test } from 'vitest';
import { readOff } from '../../src/io/off.ts';
import { expectInputError } from './expect-input-error.ts';
import { offSample, POINTS, TRIANGLES, text } from './sample-files.ts';

const read = (content: string) => readOff(text(content), 'a.off');

test('vertices and fanned faces', () => {
  const mesh = readOff(offSample(), 'a.off');
  expect([...mesh.positions]).toEqual(POINTS);
  expect([...mesh.triangles]).toEqual(TRIANGLES);
});

test.each([
  ['counts on the first line', 'OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'],
  ['counts glued to the word', 'OFF3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'],
  ['no word', '3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'],
  ['no edge count', 'OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'],
  ['all on one line', 'OFF 3 1 0 0 0 0 1 0 0 0 1 0 3 0 1 2'],
  ['comments everywhere', '# a\nOFF # b\n# c\n3 1 0 # d\n# e\n0 0 0 # f\n1 0 0\n0 1 0\n#\n3 0 1 2 # g\n'],
  ['\\r\\n', 'OFF\r\n3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n'],
  ['colours', 'COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n0 1 0 255 0 0 255\n3 0 1 2 0.1 0.2 0.3\n'],
  ['normals', 'NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n'],
  ['all of it', 'STCNOFF 3 1 0\n0 0 0 0 0 1 1 1 1 0 0\n1 0 0 0\n0 1 0 0\n3 0 1 2\n'],
])('%s', (_, content) => {
  const mesh = read(content);
  expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  expect([...mesh.triangles]).toEqual([0, 1, 2]);
});

test.each([
  ['PLY\n', 'syntax', 'a.off:1: expected OFF, found "PLY"'],
  ['4OFF\n', 'syntax', 'a.off:1: expected an integer, found "4OFF"'],
  ['nOFF\n3\n', 'unsupported', 'a.off:1: nOFF: only three coordinates can be read'],
  ['OFF BINARY\n', 'unsupported', 'a.off:1: binary OFF'],
  ['OFF\n1000000 1 0\n0 0 0\n', 'truncated', 'a.off:2: vertices: 1000000, but only 11 bytes follow'],
  ['OFF\n1 99 0\n0 0 0\n', 'truncated', 'a.off:2: faces: 99'],
  ['OFF\n1 1 0\n0 0 0\n3 0 0 1\n', 'index-out-of-range', 'a.off:4: a face uses vertex 1, but the file has 1'],
  ['OFF\n1 1 0\n0 0 0\n3 0 0 -1\n', 'index-out-of-range', 'a.off:4: a face uses vertex -1'],
  ['OFF\n1 1 0\n0 0 0\n3 0 0', 'truncated', 'a.off:4: corners of a face: 3'],
  ['OFF\n2 0 0\n0 0 0\n1 nan 0', 'not-finite', 'a.off:4: "nan"'],
  ['', 'truncated', 'a.off:1: expected an integer, found the end of the file'],
] as const)('%j is refused', (content, code, said) => {
  expectInputError(() => read(content), code, said);
});
