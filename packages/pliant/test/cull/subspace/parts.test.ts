import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AsyncSubspaceCertificateOptions,
  prepareSubspaceCertificate,
  prepareSubspaceCertificateAsync,
  type SubspaceCertificate,
  type SubspaceCertificateOptions,
} from '../../../src/cull/index.ts';
import { readPart, writePart } from '../../../src/cull/subspace/part-bytes.ts';
import {
  type Body,
  createEngine,
  createTaskPool,
  createTriangleMesh,
  InputError,
} from '../../../src/index.ts';
import { inlineWorkers } from '../../worker/inline-worker.ts';
import { modesOn, rolledSheet } from './modal-cases.ts';

const FULL = process.env.PLIANT_FULL !== undefined;
const RUNS = FULL ? 200 : 6;
const engine = await createEngine();

/** Large enough to fall into several parts. */
function createBody(seed = 1, count = 4): Body {
  const mesh = createTriangleMesh(rolledSheet(60, 5, 0.9 - 0.01 * seed));
  const random = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k + 1));
  return engine.createModalBody(mesh, modesOn(mesh, count, random, true));
}

const body = createBody();
/** What is quickly done. */
const quick = { tolerance: 0.5, reach: 0.15 };

/** All that a certificate knows. */
function contentOf({ record }: SubspaceCertificate): unknown {
  return record;
}

async function partsOf(of: Body, options: AsyncSubspaceCertificateOptions): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  await prepareSubspaceCertificateAsync(of, { ...options, onPart: (part) => parts.push(part) });
  return parts;
}

describe('workers', () => {
  test.each<[string, SubspaceCertificateOptions]>([
    ['no reach given', { tolerance: 0.7 }],
    ['near', quick],
    ['one-sided', { ...quick, gauge: 'one-sided' }],
    ['box', { gauge: 'box', limits: [1, 2, 1, 0.5], reach: 0.05, tolerance: 0.7 }],
    [
      'two centres, a metric',
      {
        ...quick,
        centres: [
          [0, 0, 0, 0],
          [0.02, 0, 0, 0],
        ],
        metric: [1, 2, 3, 4],
      },
    ],
    ['rest contacts', { ...quick, ignoreRestContacts: true }],
  ])('any number of them gives the same bits: %s', async (_, options) => {
    const alone = prepareSubspaceCertificate(body, options);
    expect(contentOf(await prepareSubspaceCertificateAsync(body, { ...options, slice: 1 }))).toEqual(
      contentOf(alone),
    );
    for (const threads of options === quick || FULL ? [1, 2, 4] : [2]) {
      const { made, createWorker } = inlineWorkers();
      const pool = await createTaskPool({ threads, createWorker });
      const shares: number[] = [];
      const certificate = await prepareSubspaceCertificateAsync(body, {
        ...options,
        pool,
        onProgress: (share) => shares.push(share),
      });
      expect(contentOf(certificate)).toEqual(contentOf(alone));
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(made.every(({ received }) => received.length > 1)).toBe(true);
      pool.dispose();
    }
  });

  test('a body that touches itself at rest, and one that is a single triangle', async () => {
    const pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
    const sheet = rolledSheet(60, 5, 1.02); // closes and goes on through itself
    const single = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
    for (const source of [sheet, single]) {
      const mesh = createTriangleMesh(source);
      const random = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k));
      const it = engine.createModalBody(mesh, modesOn(mesh, 3, random, true));
      for (const options of [{ tolerance: 0.7 }, { ...quick, ignoreRestContacts: true }]) {
        const alone = prepareSubspaceCertificate(it, options);
        const together = await prepareSubspaceCertificateAsync(it, { ...options, pool });
        expect(contentOf(together)).toEqual(contentOf(alone));
      }
      it.dispose();
    }
    pool.dispose();
  });

  test('can be stopped, and the same pool does it afterwards', async () => {
    const pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
    const stop = new AbortController();
    let parts = 0;
    const attempt = prepareSubspaceCertificateAsync(body, {
      ...quick,
      pool,
      signal: stop.signal,
      onPart: () => ++parts === 3 && stop.abort(new Error('three are enough')),
    });
    await expect(attempt).rejects.toThrow('three are enough');
    expect(parts).toBe(3);
    const again = await prepareSubspaceCertificateAsync(body, { ...quick, pool });
    expect(contentOf(again)).toEqual(contentOf(prepareSubspaceCertificate(body, quick)));
    pool.dispose();
  });

  test('without workers it can be stopped too', async () => {
    const stop = new AbortController();
    const attempt = prepareSubspaceCertificateAsync(body, {
      signal: stop.signal,
      slice: 1,
      onProgress: (share) => share > 0.2 && stop.abort(new Error('enough')),
    });
    await expect(attempt).rejects.toThrow('enough');
  });
});

describe('taking up where it was', () => {
  test('any of the parts, in any order, give the same bits; the others are made anew', async () => {
    const whole = prepareSubspaceCertificate(body, quick);
    const parts = await partsOf(body, quick);
    expect(parts.length).toBeGreaterThan(4);
    fc.assert(
      fc.property(fc.shuffledSubarray(parts), (some) => {
        const made: Uint8Array[] = [];
        const certificate = prepareSubspaceCertificate(body, {
          ...quick,
          parts: some,
          onPart: (part) => made.push(part),
        });
        expect(contentOf(certificate)).toEqual(contentOf(whole));
        expect(made.length).toBe(parts.length - some.length);
        const all = [...some, ...made].map((part) => Buffer.from(part).toString('base64')).sort();
        expect(all).toEqual(parts.map((part) => Buffer.from(part).toString('base64')).sort());
      }),
      { numRuns: RUNS },
    );
  });

  test('with workers, and around several centres', async () => {
    const options = { ...quick, centres: [new Array(4).fill(0), [0.02, 0, 0, 0]] };
    const pool = await createTaskPool({ threads: 2, createWorker: inlineWorkers().createWorker });
    const parts = await partsOf(body, { ...options, pool });
    const some = parts.filter((_, k) => k % 3 !== 1);
    let made = 0;
    const onPart = () => made++;
    const certificate = await prepareSubspaceCertificateAsync(body, {
      ...options,
      pool,
      parts: some,
      onPart,
    });
    expect(contentOf(certificate)).toEqual(contentOf(prepareSubspaceCertificate(body, options)));
    expect(made).toBe(parts.length - some.length);
    pool.dispose();
  });

  test('parts are believed: one that lies is in the result', async () => {
    const parts = await partsOf(body, quick);
    const lie = parts.map((bytes) => {
      const { hash, index, part } = readPart(bytes, 'it');
      if (index === undefined) return bytes;
      part.radii.lower.forEach((radius, k, all) => {
        all[k] = 2 * radius;
      });
      return writePart(hash, index, part);
    });
    const honest = prepareSubspaceCertificate(body, { ...quick, parts });
    const lied = prepareSubspaceCertificate(body, { ...quick, parts: lie });
    expect(contentOf(lied)).not.toEqual(contentOf(honest));
  });
});

describe('parts that do not belong', () => {
  test('another body, other modes, other options', async () => {
    const parts = await partsOf(body, quick);
    const other = createBody(2),
      more = createBody(1, 5);
    const attempts: [Body, SubspaceCertificateOptions][] = [
      [other, quick],
      [more, quick],
      [body, { ...quick, tolerance: 0.6 }],
      [body, { ...quick, reach: 0.1 }],
      [body, { ...quick, gauge: 'one-sided' }],
      [body, { ...quick, metric: [1, 1, 1, 2] }],
      [body, { ...quick, centres: [[0, 0, 0, 0.01]] }],
    ];
    for (const [of, options] of attempts) {
      const attempt = () => prepareSubspaceCertificate(of, { ...options, parts: parts.slice(2) });
      expect(attempt).toThrow(InputError);
      expect(attempt).toThrow('parts[0] belongs to another body or to other options');
    }
    const mixed = [...parts, ...(await partsOf(other, quick)).slice(0, 1)];
    expect(() => prepareSubspaceCertificate(body, { ...quick, parts: mixed })).toThrow(
      `parts[${parts.length}]`,
    );
  });

  test('damaged ones are noticed, whatever the byte', async () => {
    const [reach, part] = await partsOf(body, quick);
    for (const good of [reach, part]) {
      fc.assert(
        fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const bad = good.slice();
          bad[at] ^= change;
          expect(() => prepareSubspaceCertificate(body, { ...quick, parts: [bad] })).toThrow(InputError);
        }),
        { numRuns: 5 * RUNS },
      );
      for (const bad of [good.slice(0, -1), good.slice(4), good.slice(0, 20), new Uint8Array(0)]) {
        expect(() => prepareSubspaceCertificate(body, { ...quick, parts: [bad] })).toThrow(/parts\[0\] is /);
      }
    }
  });

  test.each([
    [{ parts: [3] }, 'parts[0] must be a Uint8Array'],
    [{ parts: 3 }, 'parts must be a list of bytes'],
    [{ onPart: 3 }, 'onPart must be a function'],
  ])('%j', (options, message) => {
    expect(() => prepareSubspaceCertificate(body, options as object)).toThrow(message);
  });
});
