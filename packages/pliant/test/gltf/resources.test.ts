import { describe, expect, test } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { expectIsInputError } from '../io/expect-input-error.ts';
import { skinnedSquare } from './raw-gltf.ts';

const BYTES = skinnedSquare().binary();

test('buffers beside the model are read through the caller, each once', async () => {
  const asked: string[] = [];
  const readResource = async (path: string) => {
    asked.push(path);
    return BYTES;
  };
  const scene = await readGltf(skinnedSquare().gltf('./parts//my%20data.bin'), 'a.gltf', { readResource });
  expect(asked).toEqual(['parts/my data.bin']);
  expect(scene).toEqual(await readGltf(skinnedSquare().gltf(), 'a.gltf'));
});

describe('URIs that leave the folder are refused before anything is read', () => {
  test.each([
    'http://example.com/a.bin',
    'HTTPS://example.com/a.bin',
    'file:///etc/passwd',
    'blob:x',
    'c:a.bin',
    'C:\\a.bin',
    '/etc/passwd',
    '//host/share/a.bin',
    '\\\\host\\share',
    '../a.bin',
    'a/../../b.bin',
    'a/..',
    '..',
    '.. /a.bin',
    '.../a.bin',
    '%2e%2e/a.bin',
    '%2E./a.bin',
    '..%2fa.bin',
    'a%2f..%2f..%2fb.bin',
    '%2fetc/passwd',
    '..%5ca.bin',
    'a\\b.bin',
    '%252e%252e/a.bin',
    'a.bin?x=1',
    'a.bin#x',
    'a%00.bin',
    'a\n.bin',
    'a%zz.bin',
    '%66ile%3A///etc/passwd',
    '',
    '.',
    './',
  ])('%s', async (uri) => {
    let asked = 0;
    const readResource = async () => {
      asked++;
      return BYTES;
    };
    const error = await readGltf(skinnedSquare().gltf(uri), 'a.gltf', { readResource }).catch(
      (e: unknown) => e,
    );
    expectIsInputError(error, 'unsupported', 'a.gltf: buffers[0].uri');
    expect(asked).toBe(0);
  });
});

describe('what cannot be had', () => {
  const read = (uri: string, readResource?: (path: string) => Promise<Uint8Array>) =>
    readGltf(skinnedSquare().gltf(uri), 'a.gltf', { readResource }).catch((caught: unknown) => caught);

  test('no reader', async () => {
    expectIsInputError(await read('a.bin'), 'missing-file', 'buffers[0].uri is the file "a.bin"');
  });

  test('a reader that fails', async () => {
    const fails = async () => {
      throw new Error('ENOENT: no such file\nat line');
    };
    expectIsInputError(
      await read('a.bin', fails),
      'missing-file',
      '"a.bin" cannot be read: ENOENT: no such file·at',
    );
    const refuses = async () => {
      throw new InputError('too-large', 'a.bin: too large');
    };
    expectIsInputError(await read('a.bin', refuses), 'too-large', 'a.bin: too large');
  });

  test('a reader that returns too little, or something else', async () => {
    const short = async () => BYTES.subarray(1);
    expectIsInputError(
      await read('a.bin', short),
      'truncated',
      `buffers[0] should have ${BYTES.length} bytes`,
    );
    const text = async () => 'text' as unknown as Uint8Array;
    expectIsInputError(await read('a.bin', text), 'wrong-type', 'gave no Uint8Array');
  });

  test('damaged data URIs', async () => {
    expectIsInputError(
      await read('data:application/octet-stream;base64,AA$A'),
      'syntax',
      'base64 text is damaged',
    );
    expectIsInputError(await read('data:text/plain,AAAA'), 'unsupported', 'without base64');
    expectIsInputError(await read('data:;base64,AAAA'), 'truncated', 'but has 3');
  });

  test('a .gltf whose buffer has no URI', async () => {
    const raw = skinnedSquare();
    raw.gltf();
    delete raw.json.buffers[0].uri;
    const bytes = new TextEncoder().encode(JSON.stringify(raw.json));
    const error = await readGltf(bytes, 'a.gltf').catch((caught: unknown) => caught);
    expectIsInputError(error, 'missing-file', 'buffers[0] has no data');
  });
});
