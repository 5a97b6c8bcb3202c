import { expect, test } from 'vitest';
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
