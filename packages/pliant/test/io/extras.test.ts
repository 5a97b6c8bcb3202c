import { expect, test } from 'vitest';
import { readDmat } from '../../src/io/dmat.ts';
import { readInterp } from '../../src/io/interp.ts';
import { readTgf } from '../../src/io/tgf.ts';
import { expectInputError } from './expect-input-error.ts';
import { ByteWriter, text } from './sample-files.ts';

test('DMAT, ascii and binary, column by column', () => {
  const expected = { rows: 3, columns: 2, values: Float64Array.of(1, 2, 3, 4, 5, 6) };
  expect(readDmat(text('2 3\n1\n2\n3\n4\n5\n6\n'), 'a')).toEqual(expected);
  expect(readDmat(new ByteWriter().text('0 0\n2 3\n').float64(1, 2, 3, 4, 5, 6).bytes(), 'a')).toEqual(
    expected,
  );
  expect(readDmat(text('0 0\n'), 'a')).toEqual({ rows: 0, columns: 0, values: new Float64Array(0) });
  expectInputError(() => readDmat(text('2 30000\n1\n2\n'), 'a'), 'truncated', 'a:1: values: 60000');
  expectInputError(
    () => readDmat(text('0 0\n2 3\n1234'), 'a'),
    'truncated',
    'a: byte 8: values: 6, but only 4',
  );
  expectInputError(() => readDmat(text('-2 -3\n'), 'a'), 'syntax', 'a:1: a matrix of -3 by -2');
});

test('TGF points and bones', () => {
  expect(readTgf(text('1 0 0 0 9 9\n2 1 2 3\n#\n1 2\n2 1 0 1\n#\n1 2\n'), 'a')).toEqual({
    positions: Float64Array.of(0, 0, 0, 1, 2, 3),
    bones: Uint32Array.of(0, 1, 1, 0),
  });
  expectInputError(
    () => readTgf(text('1 0 0 0\n#\n1 2\n'), 'a'),
    'index-out-of-range',
    'a:3: a bone uses point 2',
  );
  expectInputError(() => readTgf(text('7 0 0 0\n'), 'a'), 'syntax', 'a:1: point 7, expected 1');
});

test('interpolation weights', () => {
  expect(readInterp(text('0 9 0.5 8 0.25 7 0.25 6 0\n1 1 1 2 0 3 0 4 0\n'), 'a')).toEqual({
    nodes: Uint32Array.of(9, 8, 7, 6, 1, 2, 3, 4),
    weights: Float64Array.of(0.5, 0.25, 0.25, 0, 1, 0, 0, 0),
  });
  expectInputError(() => readInterp(text('1 9 0.5'), 'a'), 'syntax', 'a:1: vertex 1, expected 0');
  expectInputError(() => readInterp(text('0 9 0.5 8'), 'a'), 'truncated', 'a:1: expected a number');
});
