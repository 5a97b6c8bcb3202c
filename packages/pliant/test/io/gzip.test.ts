import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip, isGzip } from '../../src/io/gzip.ts';
import { readMesh } from '../../src/io/read-mesh.ts';
import { expectIsInputError } from './expect-input-error.ts';
import { eleSample, nodeSample, objSample, POINTS, text } from './sample-files.ts';

test('unpacks what zlib packed', async () => {
  for (const length of [0, 1, 1000, 300_000]) {
    const plain = Uint8Array.from({ length }, (_, i) => (i * i) >> 3);
    const packed = gzipSync(plain);
    expect(isGzip(packed)).toBe(true);
    expect(Buffer.compare(await gunzip(packed, 'a.gz'), plain)).toBe(0);
  }
});

test('readMesh unpacks by content, with or without .gz in the name', async () => {
  const packed = gzipSync(objSample());
  for (const name of ['a.obj.gz', 'a.OBJ.GZ', 'a.obj']) {
    const mesh = await readMesh(packed, name);
    expect([...mesh.positions]).toEqual(POINTS);
    expect(mesh.name).toBe('a');
  }
});

test('both files of a TetGen pair may be packed', async () => {
  const readSibling = async (name: string) => {
    expect(name).toBe('folder/a.ele.gz');
    return gzipSync(eleSample());
  };
  const file = await readMesh(gzipSync(nodeSample()), 'folder/a.node.gz', { readSibling });
  expect([...file.positions]).toEqual(POINTS);
});

const refusal = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

const BOMB = gzipSync(new Uint8Array(100 * 2 ** 20));

test('a bomb is refused before it is unpacked when it admits its size', async () => {
  expect(BOMB.length).toBeLessThan(200_000);
  expectIsInputError(await refusal(gunzip(BOMB, 'a.gz')), 'too-large', 'a.gz: unpacks to 104857600 bytes');
});

test('a bomb that lies about its size is stopped at the bound', async () => {
  const bomb = BOMB.slice();
  bomb.fill(0, bomb.length - 4);
  bomb[bomb.length - 4] = 9;
  expectIsInputError(await refusal(gunzip(bomb, 'a.gz')), 'too-large', 'over the bound of 67108864');
  const small = await refusal(gunzip(gzipSync(new Uint8Array(5000)), 'a.gz', { maxBytes: 4000 }));
  expectIsInputError(small, 'too-large', 'over the bound of 4000');
});

test('a large size that is not true costs no memory', async () => {
  const packed = gzipSync(text('v 0 0 0'));
  new DataView(packed.buffer, packed.byteOffset).setUint32(packed.length - 4, 60_000_000, true);
  expectIsInputError(await refusal(gunzip(packed, 'a.gz')), 'syntax', 'a.gz: not a whole gzip file');
});

test('damage is an InputError', async () => {
  const packed = gzipSync(Uint8Array.from({ length: 5000 }, (_, i) => (i * i) >> 3));
  expectIsInputError(
    await refusal(gunzip(packed.subarray(0, 900), 'a.gz')),
    'truncated',
    'a.gz: not a whole gzip file',
  );
  const flipped = packed.slice();
  flipped[packed.length >> 1] ^= 255;
  expectIsInputError(await refusal(gunzip(flipped, 'a.gz')), 'syntax', 'a.gz: not a whole gzip file');
  expectIsInputError(
    await refusal(gunzip(text('plain text'), 'a.gz')),
    'syntax',
    'a.gz: byte 0: no gzip signature',
  );
});
