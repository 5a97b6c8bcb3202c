import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { npyModes, readNpy, writeNpy } from '../../src/io/npy.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { expectInputError } from './expect-input-error.ts';
import { mutate, Random } from './mutate.ts';

const FILES = process.env.PLIANT_FULL ? 20_000 : 500;

/** Written by NumPy 2.4: np.asfortranarray((np.arange(24).reshape(2, 3, 4) / 8 - 1).astype('>f4')). */
const FORTRAN_BIG =
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPmY0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMywgNCksIH0gICAg' +
  'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAq/gAAAPwAAAL8AAAA/gAAAAAAAAD/A' +
  'AAC/YAAAPyAAAL7AAAA/kAAAPgAAAD/QAAC/QAAAP0AAAL6AAAA/oAAAPoAAAD/gAAC/IAAAP2AAAL4AAAA/sAAAPsAAAD/wAAA=';
/** np.arange(3.0), format 2. */
const FORMAT_2 =
  'k05VTVBZAgB0AAAAeydkZXNjcic6ICc8ZjgnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAg' +
  'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAAAAAAAAAPA/AAAAAAAA' +
  'AEA=';
/** np.array(2.5). */
const SCALAR =
  'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0gICAgICAgICAg' +
  'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAEQA==';

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

describe('reading', () => {
  test('what NumPy wrote', () => {
    const { shape, values } = readNpy(fromBase64(FORTRAN_BIG), 'a.npy');
    expect(shape).toEqual([2, 3, 4]);
    expect([...values]).toEqual(Array.from({ length: 24 }, (_, k) => k / 8 - 1));
    expect(readNpy(fromBase64(FORMAT_2), 'a.npy')).toEqual({ shape: [3], values: Float64Array.of(0, 1, 2) });
    expect(readNpy(fromBase64(SCALAR), 'a.npy')).toEqual({ shape: [], values: Float64Array.of(2.5) });
  });

  test('what we wrote: the same bits, in every layout', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
        fc.constantFrom('f4' as const, 'f8' as const),
        fc.boolean(),
        fc.boolean(),
        (shape, type, bigEndian, fortranOrder) => {
          const count = shape.reduce((product, side) => product * side, 1);
          const values = Float64Array.from({ length: count }, (_, k) =>
            type === 'f4' ? k / 4 - 7 : Math.sin(k),
          );
          const bytes = writeNpy(shape, values, { type, bigEndian, fortranOrder });
          expect(bytes.length % 4).toBe(0);
          expect(readNpy(bytes, 'a.npy')).toEqual({ shape, values });
        },
      ),
    );
  });

  test('our bytes are those of NumPy', () => {
    const values = Array.from({ length: 24 }, (_, k) => k / 8 - 1);
    const bytes = writeNpy([2, 3, 4], values, { type: 'f4', bigEndian: true, fortranOrder: true });
    expect(bytes).toEqual(fromBase64(FORTRAN_BIG));
    expect(writeNpy([], [2.5])).toEqual(fromBase64(SCALAR));
  });
});

describe('refusing', () => {
  const withHeader = (text: string, data = 16) => {
    const bytes = new Uint8Array(10 + text.length + data);
    bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length, 0]);
    bytes.set(new TextEncoder().encode(text), 10);
    return bytes;
  };

  test.each([
    [
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
      'unsupported',
      "byte 20: numbers of type '<i4'",
    ],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 'truncated', 'only 16 bytes follow'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 99999999), }", 'truncated', 'values'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 'syntax', '8 bytes follow the array'],
    ["{'descr': '<f8', 'fortran_order': 0, 'shape': (2,), }", 'syntax', 'neither True nor False'],
    ["{'descr': '<f8', 'fortran_order': False, }", 'syntax', 'lacks'],
    ["{'descr': '<f8', 'descr': '<f8', }", 'syntax', "'descr' occurs twice"],
    ["{'toString': '<f8', }", 'syntax', "unknown entry 'toString'"],
    ["{'descr': '<f8", 'syntax', 'string without an end'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (2,), } x", 'syntax', 'something follows'],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }", 'syntax', 'no side'],
  ] as const)('%s', (header, code, said) => {
    expectInputError(() => readNpy(withHeader(header), 'a.npy'), code, said);
  });

  test('a file that is cut, not one, or holds what is no number', () => {
    expectInputError(
      () => readNpy(fromBase64(SCALAR).subarray(0, 100), 'a.npy'),
      'truncated',
      'the header needs',
    );
    expectInputError(() => readNpy(fromBase64(SCALAR).subarray(0, 130), 'a.npy'), 'truncated', 'byte 128');
    expectInputError(
      () => readNpy(new Uint8Array(40), 'a.npy'),
      'syntax',
      'a.npy: byte 0: no NUMPY signature',
    );
    expectInputError(() => readNpy(writeNpy([2], [1, Number.NaN]), 'a.npy'), 'not-finite', 'byte 136');
    expectInputError(() => writeNpy([2, 2], [1, 2, 3]), 'wrong-length', '(2, 2)');
  });

  test('damaged files: an InputError or an array that fits its shape', () => {
    const random = new Random('npy');
    const samples = [FORTRAN_BIG, FORMAT_2, SCALAR].map(fromBase64);
    for (let k = 0; k < FILES; k++) {
      try {
        const { shape, values } = readNpy(mutate(random.pick(samples), random), 'a.npy');
        expect(values.length).toBe(shape.reduce((product, side) => product * side, 1));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
      }
    }
  });
});

test('mode matrices in three shapes', () => {
  // Two modes of one vertex: (1, 2, 3) and (4, 5, 6).
  const expected = { count: 2, displacements: Float64Array.of(1, 2, 3, 4, 5, 6) };
  expect(npyModes({ shape: [3, 2], values: Float64Array.of(1, 4, 2, 5, 3, 6) }, 1)).toEqual(expected);
  expect(npyModes({ shape: [2, 3], values: expected.displacements }, 1)).toEqual(expected);
  expect(npyModes({ shape: [2, 1, 3], values: expected.displacements }, 1)).toEqual(expected);
  expectInputError(
    () => npyModes({ shape: [6], values: expected.displacements }, 1),
    'mismatch',
    'shape (6)',
  );
  expectInputError(
    () => npyModes({ shape: [2, 3], values: expected.displacements }, 2),
    'mismatch',
    '(6, modes)',
  );
});
