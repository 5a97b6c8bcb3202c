import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLink, LOOK_NAMES, parseLink } from '../src/app/link.ts';
import { linkOf, looksOf } from '../src/app/looks.ts';

describe('links', () => {
  test('read what people write', () => {
    const link = parseLink('#scene=crowd&people=12&frame=7&paused=1&show=boxes,culling&level=3&theme=dark');
    expect(link).toEqual({
      scene: 'crowd',
      values: { people: '12' },
      frame: 7,
      paused: true,
      show: ['boxes', 'culling'],
      level: 3,
      theme: 'dark',
    });
  });

  test('an empty link says nothing', () => {
    expect(parseLink('')).toEqual({ values: {} });
    expect(parseLink('#')).toEqual({ values: {} });
  });

  test.each([
    '#frame=-1',
    '#frame=1e9',
    '#frame=12345678901',
    '#camera=1,2,3',
    '#camera=1,2,3,4,5,x',
    '#theme=pink',
    '#clip=one',
    '#kernels=gpu',
  ])('leaves out what makes no sense: %s', (hash) => {
    expect(parseLink(hash)).toEqual({ values: {} });
  });

  test('values named like parts of objects are just values', () => {
    const { values } = parseLink('#__proto__=1&constructor=2&scene=x');
    expect(values.constructor).toBe('2');
    expect(({} as Record<string, unknown>).constructor).toBe(Object);
    expect(Object.keys(values).sort()).toEqual(['__proto__', 'constructor']);
  });

  test('what is written is read', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 });
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((x) => Number(x.toPrecision(5)) + 0);
    const state = fc.record(
      {
        scene: text,
        values: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}[0-9]$/), text, { maxKeys: 6 }),
        clip: fc.integer({ min: 1, max: 99 }),
        frame: fc.integer({ min: 0, max: 1e6 }),
        paused: fc.constant(true),
        show: fc.uniqueArray(fc.constantFrom(...LOOK_NAMES), { minLength: 1 }),
        level: fc.integer({ min: 0, max: 30 }),
        theme: fc.constantFrom('light' as const, 'dark' as const),
        camera: fc.array(number, { minLength: 6, maxLength: 6 }),
        open: text,
      },
      { requiredKeys: ['values'] },
    );
    fc.assert(
      fc.property(state, (given) => {
        const read = parseLink(formatLink(given));
        expect({ ...read, values: { ...read.values } }).toEqual({ ...given, values: { ...given.values } });
      }),
    );
  });

  test('any text can be read', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void parseLink(text)));
  });
});

test('looks survive a link', () => {
  const flag = fc.boolean();
  const looks = fc.record({
    glass: flag,
    contacts: flag,
    curves: flag,
    boxes: flag,
    culling: flag,
    boxLevel: fc.integer({ min: -1, max: 30 }),
  });
  fc.assert(
    fc.property(looks, (given) => {
      expect(looksOf(parseLink(formatLink({ values: {}, ...linkOf(given) })))).toEqual(given);
    }),
  );
});
