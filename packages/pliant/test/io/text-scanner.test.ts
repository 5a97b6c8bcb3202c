import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextScanner } from '../../src/io/text-scanner.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { text } from './sample-files.ts';

const scan = (content: string) => new TextScanner(text(content), 'a.txt');
const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

const expectSameAsNumber = (token: string) => {
  const expected = Number(token);
  if (Number.isFinite(expected)) expect(scan(token).nextNumber(), token).toBe(expected);
  else expect(() => scan(token).nextNumber(), token).toThrow('too large');
};

describe('a number is Number(token)', () => {
  test.each([
    '0',
    '-0',
    '+1',
    '.5',
    '5.',
    '-.25e1',
    '1E+2',
    '1e-7',
    '00012',
    '123456789012345678901234567890',
  ])('%s', expectSameAsNumber);

  test.each([
    ['9007199254740993', 'halfway between two floats, to even'],
    ['9007199254740993.0', 'the same with a point'],
    ['900719925474099.3', 'one digit past the exact range'],
    ['0.30000000000000004', '17 digits'],
    ['2.2250738585072011e-308', 'a notorious subnormal boundary'],
    ['4.9e-324', 'the smallest'],
    ['1.7976931348623157e308', 'the largest'],
    ['1e-400', 'underflow to 0'],
    ['0e999', 'zero with an exponent'],
    ['1.00000000000000011102230246251565404', 'just above a tie'],
  ])('%s (%s)', expectSameAsNumber);

  test('for any double, written in any length', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, fc.integer({ min: 1, max: 22 }), (value, precision) => {
        expectSameAsNumber(String(value));
        expectSameAsNumber(value.toPrecision(precision));
        expectSameAsNumber(value.toExponential(Math.min(precision, 20)));
      }),
      { numRuns: 3000 },
    );
  });

  test('for coordinates of 15 to 19 digits, where two roundings could differ', () => {
    fc.assert(
      fc.property(digits(1, 3), digits(13, 18), (whole, decimals) =>
        expectSameAsNumber(`${whole}.${decimals}`),
      ),
      { numRuns: 20_000 },
    );
  });

  test('for any digits, point and exponent', () => {
    const exponent = fc.option(fc.integer({ min: -340, max: 320 }), { nil: undefined });
    fc.assert(
      fc.property(digits(1, 25), digits(0, 25), exponent, (whole, decimals, e) =>
        expectSameAsNumber(`-${whole}.${decimals}${e === undefined ? '' : `e${e}`}`),
      ),
      { numRuns: 5000 },
    );
  });

  test('where the obvious shortcut is not: those properties can fail', () => {
    const shortcut = (decimals: string) => Number(decimals) / 10 ** decimals.length; // rounds twice
    const isRight = fc.property(digits(17, 18), (decimals) => shortcut(decimals) === Number(`0.${decimals}`));
    expect(() => fc.assert(isRight, { numRuns: 2000 })).toThrow('Counterexample');
  });
});

describe('what is not a number is refused with its line', () => {
  test.each([
    ['abc', 'syntax', '"abc"'],
    ['1.2.3', 'syntax', '"1.2.3"'],
    ['--1', 'syntax', '"--1"'],
    ['1e', 'syntax', '"1e"'],
    ['.', 'syntax', '"."'],
    ['1,5', 'syntax', '"1,5"'],
    ['0x10', 'syntax', '"0x10"'],
    ['nan', 'not-finite', '"nan"'],
    ['-Inf', 'not-finite', '"-Inf"'],
    ['1e999', 'not-finite', '"1e999"'],
    ['1.#QNAN', 'syntax', '"1.#QNAN"'],
    ['', 'truncated', 'end of the file'],
    [`0.${'1'.repeat(5000)}`, 'syntax', '5002 characters'],
  ])('%s', (token, code, said) => {
    const error = thrown(() => scan(`1\r\n2\r3\n${token}`), 4);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^a\.txt:4: /);
    expect(error.message).toContain(said);
  });

  function thrown(open: () => TextScanner, count: number): InputError {
    const scanner = open();
    try {
      for (let i = 0; i < count; i++) scanner.nextNumber();
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  }
});

test('integers are exact or refused', () => {
  expect(scan('-12 ').nextInteger()).toBe(-12);
  expect(scan('9007199254740991').nextInteger()).toBe(9007199254740991);
  expect(() => scan('9007199254740992').nextInteger()).toThrow('a.txt:1: expected an integer');
  expect(() => scan('1.0').nextInteger()).toThrow('expected an integer, found "1.0"');
  expect(() => scan('12x').nextInteger()).toThrow('found "12x"');
});

test('a count that the file cannot hold is refused', () => {
  expect(() => scan('1000000000 1 2').nextCount('vertices', 6)).toThrow(
    'vertices: 1000000000, but only 4 bytes follow',
  );
  expect(() => scan('-1').nextCount('vertices', 6)).toThrow('vertices: -1');
  expect(scan('2 1 2').nextCount('things', 2)).toBe(2);
});

test('a byte order mark is skipped', () => {
  expect(new TextScanner(Uint8Array.of(0xef, 0xbb, 0xbf, 0x37), 'a').nextNumber()).toBe(7);
});
