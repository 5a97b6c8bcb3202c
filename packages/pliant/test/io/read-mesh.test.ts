import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { FileBytes } from '../../src/io/file-bytes.ts';
import { readMesh, sniffFormat } from '../../src/io/read-mesh.ts';
import { expectIsInputError } from './expect-input-error.ts';
import * as sample from './sample-files.ts';
import { POINTS, TETS, text } from './sample-files.ts';

const SAMPLES: [string, Uint8Array][] = [
  ['obj', sample.objSample()],
  ['off', sample.offSample()],
  ['ply', sample.asciiPlySample()],
  ['ply', sample.binaryPlySample(false)],
  ['stl', sample.asciiStlSample()],
  ['stl', sample.binaryStlSample('anything')],
  ['mesh', sample.meditSample()],
  ['msh', sample.gmsh2Sample()],
  ['msh', sample.binaryGmsh4Sample()],
  ['vtk', sample.vtkSample()],
  ['veg', sample.vegSample()],
];

test.each(SAMPLES)('%s is known by its extension and by its content', async (extension, bytes) => {
  expect(sniffFormat(bytes)).toBe(extension);
  const byName = await readMesh(bytes, `a.${extension.toUpperCase()}`);
  const byContent = await readMesh(bytes, 'a.bin');
  expect(byContent).toEqual(byName);
  expect(byName.positions.length).toBeGreaterThanOrEqual(POINTS.length);
});

test.each(SAMPLES)('%s is read from what fetch, Blob and fs give', async (extension, bytes) => {
  const name = `a.${extension}`;
  const expected = await readMesh(bytes, name);
  const padded = new Uint8Array(bytes.length + 16); // as a Buffer lies in its pool
  padded.set(bytes, 8);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const views: FileBytes[] = [
    bytes.slice().buffer,
    shared.buffer,
    Buffer.from(padded.buffer, 8, bytes.length),
    new DataView(padded.buffer, 8, bytes.length) as unknown as FileBytes,
    runInNewContext(`new Uint8Array([${bytes.join()}])`),
    runInNewContext(`new Uint8Array([${bytes.join()}]).buffer`),
  ];
  for (const view of views) expect(await readMesh(view, name)).toEqual(expected);
});

test('text, other numbers and missing names are refused in words that help', async () => {
  const wrong = async (file: unknown, name: unknown, message: string) =>
    expectIsInputError(await refusal(readMesh(file as FileBytes, name as string)), 'wrong-type', message);
  await wrong(
    'v 0 0 0',
    'a.obj',
    'a.obj: the contents must be a Uint8Array or an ArrayBuffer, not a string; encode text with new TextEncoder()',
  );
  await wrong(
    new Float32Array(9),
    'a.stl',
    'a.stl: the contents must be a Uint8Array or an ArrayBuffer, not a F',
  );
  await wrong({ [Symbol.toStringTag]: 'Uint8Array' }, 'a.stl', 'a.stl: the contents must be');
  await wrong(text('v 0 0 0'), undefined, 'fileName must be a string, not undefined');
});

test.each(['node', 'ele'])('a TetGen pair is read from its .%s', async (extension) => {
  const files: Record<string, Uint8Array> = {
    'x/a.node': sample.nodeSample(),
    'x/a.ele': sample.eleSample(),
  };
  const file = await readMesh(files[`x/a.${extension}`], `x/a.${extension}`, {
    readSibling: async (name) => files[name],
  });
  expect(file.kind === 'tetrahedra' && [...file.tetrahedra]).toEqual(TETS);
  expect(file.name).toBe('a');
});

const refusal = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

test('what is not known is refused', async () => {
  expectIsInputError(
    await refusal(readMesh(text('hello'), 'a.txt')),
    'unsupported',
    'a.txt: neither the extension',
  );
  expectIsInputError(
    await refusal(readMesh(new Uint8Array(0), 'a')),
    'unsupported',
    'a: neither the extension',
  );
  expectIsInputError(
    await refusal(readMesh(text('glTF'), 'a.glb')),
    'unsupported',
    'a.glb: glTF is read by pliant/gltf',
  );
  expectIsInputError(
    await refusal(readMesh(sample.nodeSample(), 'a.node')),
    'missing-file',
    'needs a.ele as well',
  );
});
