import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareSubspaceCertificate } from '../../src/cull/index.ts';
import { createEngine, createTriangleMesh, findSelfCollisions, InputError } from '../../src/index.ts';
import { crc32 } from '../../src/io/checksum.ts';
import {
  isStored,
  readStored,
  readSubspaceCertificate,
  type StoredData,
  writeStored,
  writeSubspaceCertificate,
} from '../../src/io/index.ts';
import { ContentHash } from '../../src/mesh/content-hash.ts';
import { modesOn, rolledSheet } from '../cull/subspace/modal-cases.ts';
import { expectInputError } from './expect-input-error.ts';

const SAMPLE: StoredData = {
  kind: 'sample',
  madeFrom: '0123456789abcdef0123456789abcdef',
  settings: { tolerance: 0.09, name: 'größe' },
  arrays: {
    a: Float64Array.of(1, -0.5, Number.POSITIVE_INFINITY, Number.NaN),
    b: Uint8Array.of(1, 2, 3),
    c: Float32Array.of(0.25),
    d: Uint32Array.of(0xffffffff, 7),
    e: new Float64Array(0),
  },
};

test('what is written is read again, and its layout never changes', () => {
  const bytes = writeStored(SAMPLE);
  expect(isStored(bytes)).toBe(true);
  expect(readStored(bytes, 'x.pliant')).toEqual(SAMPLE);
  expect(crc32(bytes).toString(16)).toBe('a158e084'); // a change of the format needs a new version
});

test('the checksum is that of zip files', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

describe('damage', () => {
  test('any single byte that changes is found out, between two arrays, too', () => {
    const bytes = writeStored(SAMPLE);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at] ^= change;
        expect(() => readStored(damaged, 'x.pliant')).toThrow(InputError);
      }),
      { numRuns: 500 },
    );
  });

  test('every shorter file is refused, and a longer one, too', () => {
    const bytes = writeStored({ ...SAMPLE, arrays: { a: SAMPLE.arrays.a } });
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readStored(bytes.subarray(0, length), 'x.pliant')).toThrow(InputError);
    }
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expectInputError(() => readStored(longer, 'x.pliant'), 'syntax', '1 bytes too many');
  });

  test('messages say what and where', () => {
    const bytes = writeStored(SAMPLE);
    const changed = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return () => readStored(copy, 'x.pliant');
    };
    expectInputError(changed(0, 0x51), 'syntax', 'not a file written by Pliant');
    expectInputError(changed(8, 2), 'unsupported', 'format version 2');
    expectInputError(changed(22, 0x20), 'syntax', 'the header is damaged');
    expectInputError(changed(bytes.length - 1, 0x77), 'syntax', 'array d is damaged');
    expectInputError(
      () => readStored(bytes, 'x.pliant', 'other'),
      'mismatch',
      'x.pliant holds a sample, not a other',
    );
  });
});

describe('content hashes', () => {
  test('one bit, a length or a type makes another one; zero has no sign', () => {
    const hash = (...arrays: Float64Array[]) =>
      arrays.reduce((sum, a) => sum.addNumbers(a), new ContentHash()).finish();
    const one = Float64Array.of(1, 2, 3);
    const others = [
      hash(Float64Array.of(1, 2, 3 + 2 ** -51)),
      hash(Float64Array.of(1, 2), Float64Array.of(3)),
      hash(Float64Array.of(1, 2, 3, 0)),
      new ContentHash().addNumbers(Float32Array.of(1, 2, 3)).finish(),
      new ContentHash().finish(),
    ];
    expect(new Set([hash(one), ...others]).size).toBe(6);
    expect(hash(Float64Array.of(0, 1))).toBe(hash(Float64Array.of(-0, 1)));
    expect(hash(one)).toMatch(/^[0-9a-f]{32}$/);
    expect(hash(one)).toBe('69956f254a345019c43eebc95dc2c25a');
  });
});

describe('certificates', () => {
  const random = Array.from({ length: 97 }, (_, k) => Math.sin(37 * k + 1));
  const mesh = createTriangleMesh(rolledSheet(6, 4));
  const modes = modesOn(mesh, 4, random, true);

  test.each([
    {},
    { metric: [1, 2, 3, 4] },
    { gauge: 'one-sided' as const },
    { gauge: 'box' as const, limits: [1, 2, 1, 0.5] },
    { centres: [new Array(4).fill(0), [0.01, 0, 0, 0]], reach: 3 },
  ])('come back as they were: %j', async (options) => {
    const engine = await createEngine();
    const body = engine.createModalBody(mesh, modes);
    const certificate = prepareSubspaceCertificate(body, options);
    const again = readSubspaceCertificate(writeSubspaceCertificate(certificate), 'x.pliant', body);
    expect(again.balls).toEqual(certificate.balls);
    for (const scale of [0, 0.05, 0.4]) {
      body.setPose(Float64Array.of(scale, scale / 2, scale / 3, scale / 4));
      expect(again.gaugeOfPose()).toBeCloseTo(certificate.gaugeOfPose(), 12);
      const truth = findSelfCollisions(body, { method: 'brute-force' }).sortedPairs();
      expect(findSelfCollisions(body, { certificates: [again] }).sortedPairs()).toEqual(truth);
    }
  });

  test('stale ones are refused: another shape, other modes, another tree', async () => {
    const engine = await createEngine();
    const bytes = writeSubspaceCertificate(prepareSubspaceCertificate(engine.createModalBody(mesh, modes)));
    const moved = rolledSheet(6, 4);
    (moved.positions as number[])[0] += 1e-12;
    const displacements = Float64Array.from(modes.displacements as Float64Array);
    displacements[5] += 1e-9;
    const others = [
      engine.createModalBody(createTriangleMesh(moved), modes),
      engine.createModalBody(mesh, { count: 4, displacements }),
      engine.createModalBody(mesh, modes, { split: (_, __, count) => Math.max(1, Math.floor(count / 3)) }),
    ];
    for (const body of others) {
      expectInputError(
        () => readSubspaceCertificate(bytes, 'x.pliant', body),
        'mismatch',
        'x.pliant is stale',
      );
    }
  });
});
