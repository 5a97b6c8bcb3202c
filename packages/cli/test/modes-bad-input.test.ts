import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNpy } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.ts';
import { parseFixRule, selectFixed } from '../src/modes/fix-rules.ts';
import { modesSettings } from '../src/modes/modes-settings.ts';
import { naming } from '../src/modes/named-errors.ts';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGltf } from './support/sample-gltf.ts';
import { barTetrahedra, boxesObj, meditMesh } from './support/sample-solids.ts';

const folder = temporaryFolder();
const BOX = boxesObj([0, 0, 0, 2, 1, 1]);

/** A bar whose tetrahedra were changed. */
function bar(change: (mesh: ReturnType<typeof barTetrahedra>) => void): string {
  const mesh = barTetrahedra(2);
  change(mesh);
  return meditMesh(mesh);
}

const ones = (...shape: number[]) => new Float64Array(shape.reduce((a, b) => a * b)).fill(1);
const stillMode = ones(2, 24).fill(0, 24);

const FILES: Record<string, string | Uint8Array> = {
  'box.obj': BOX,
  'triangle.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
  'tent.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 2\nf 1 2 4\nf 1 4 2\n',
  'none.obj': '# nothing\n',
  'bad.obj': 'v 0 0 0\nv 1 0 x\n',
  'one.mesh': bar((mesh) => mesh.tetrahedra.splice(1)),
  'bar.mesh': bar(() => {}),
  'inverted.mesh': bar(({ tetrahedra }) => tetrahedra[7].reverse().push(tetrahedra[7].shift()!)),
  'flat.mesh': bar(({ positions, tetrahedra }) => {
    positions.push([0, 0, 5], [1, 0, 5], [0, 1, 5], [1, 1, 5]);
    tetrahedra.splice(3, 0, [12, 13, 14, 15]);
  }),
  'index.mesh': bar(({ tetrahedra }) => tetrahedra.push([0, 1, 2, 99])),
  'shape.npy': writeNpy([2, 7, 3], ones(2, 7, 3)),
  'nan.npy': writeNpy([2, 24], ones(2, 24).fill(Number.NaN, 30)),
  'still.npy': writeNpy([2, 24], stillMode),
  'empty.npy': writeNpy([0, 24], new Float64Array(0)),
  'cut.npy': writeNpy([2, 24], ones(2, 24)).subarray(0, 300),
  'good.npy': writeNpy([2, 24], ones(2, 24)),
  'sample.gltf': JSON.stringify(sampleGltf().json),
};

beforeAll(() => {
  for (const [name, contents] of Object.entries(FILES)) writeFileSync(join(folder, name), contents);
  mkdirSync(join(folder, 'frames'));
  for (let k = 0; k < 3; k++) writeFileSync(join(folder, `frames/${k}.obj`), BOX);
});

describe('bad input: exit 2, one line, nothing on stdout, nothing written', () => {
  test.each<[string, string[], RegExp]>([
    ['a flat surface', ['triangle.obj'], /triangle\.obj: the surface is flat: it encloses no volume/],
    ['a surface without volume', ['tent.obj'], /tent\.obj: the surface encloses no volume/],
    ['no triangles', ['none.obj'], /none\.obj/],
    ['a bad file', ['bad.obj'], /bad\.obj:2/],
    ['a missing file', ['gone.obj'], /gone\.obj: there is no such file/],
    [
      'too few ways to deform',
      ['one.mesh'],
      /one\.mesh: count is 30, but the body has only 6 ways to deform/,
    ],
    [
      'an inverted tetrahedron',
      ['inverted.mesh', '--count', '3'],
      /inverted\.mesh: tetrahedron 7 is inverted/,
    ],
    ['a flat tetrahedron', ['flat.mesh', '--count', '3'], /flat\.mesh: tetrahedron 3 is flat/],
    ['a corner that is not there', ['index.mesh'], /index\.mesh/],
    ['too many cells', ['box.obj', '--cell-size', '1e-9'], /box\.obj: .*cells/],
    ['everything held', ['bar.mesh', '--fix', 'x<100%'], /all vertices are fixed/],
    ['nothing held', ['bar.mesh', '--fix', 'y<-1'], /--fix y<-1 holds no vertex: y runs from 0 to 1/],
    [
      'held polynomials',
      ['bar.mesh', '--fix', 'x<0', '--kind', 'polynomial'],
      /--fix has no part in polynomial/,
    ],
    [
      'too many polynomials',
      ['bar.mesh', '--count', '25', '--kind', 'polynomial'],
      /--count is 25, but there are 18/,
    ],
    ['triangles as tetrahedra', ['box.obj', '--tetrahedra', 'box.obj'], /box\.obj: there are no tetrahedra/],
    ['no targets', ['box.obj', '--kind', 'morph'], /box\.obj: there are no morph targets/],
    ['targets and stiffness', ['box.obj', '--kind', 'morph', '--young', '1'], /--young has no part in morph/],
    ['one frame', ['box.obj', '--kind', 'sequence'], /box\.obj: --kind sequence needs frames/],
    ['frames without motion', ['frames'], /frames\/0\.obj: all displacements are zero/],
    ['frames as a solid', ['frames', '--kind', 'linear'], /linear modes are made of one mesh/],
    [
      'frames in a lattice',
      ['frames', '--vertices', '100'],
      /--vertices has no part in the modes of a recorded/,
    ],
    [
      'a matrix of another mesh',
      ['box.obj', '--import', 'shape.npy'],
      /shape\.npy: an array of shape \(2, 7, 3\)/,
    ],
    ['a matrix that is no number', ['box.obj', '--import', 'nan.npy'], /nan\.npy/],
    ['a truncated matrix', ['box.obj', '--import', 'cut.npy'], /cut\.npy/],
    ['a mode that moves nothing', ['box.obj', '--import', 'still.npy'], /still\.npy: mode 1 moves nothing/],
    ['an empty matrix', ['box.obj', '--import', 'empty.npy'], /empty\.npy: there are no modes/],
    ['no matrix', ['box.obj', '--import', 'box.obj'], /box\.obj.*NUMPY/],
    [
      'a matrix and a count',
      ['box.obj', '--import', 'good.npy', '--count', '1'],
      /--count has no part in imported/,
    ],
    ['several meshes', ['sample.gltf'], /sample\.gltf: choose one of 2 meshes with --mesh: Plate, Spike/],
    [
      'an unknown mesh',
      ['sample.gltf', '--mesh', 'Cape'],
      /no meshes are called "Cape"; there are Plate, Spike/,
    ],
    ['a mesh of an OBJ', ['box.obj', '--mesh', 'Cape'], /--mesh is for glTF files/],
    [
      'an unwritable output',
      ['box.obj', '--npy', 'no/such/x.npy'],
      /cannot be written: there is no such folder/,
    ],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await pliant(['modes', ...args, '-o', 'out.pliant'], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
    expect(stderr).not.toMatch(/internal error/);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(folder).filter((name) => /out\.pliant|\.tmp$/.test(name))).toEqual([]);
  });

  test('an output that is an input', async () => {
    const { code, stderr } = await pliant(['modes', 'box.obj', '-o', './box.obj'], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      'pliant: ./box.obj: this is an input; give the result another name\n',
    ]);
    expect(readFileSync(join(folder, 'box.obj'), 'utf8')).toBe(BOX);
  });

  test('no output', async () => {
    const { code, stderr } = await pliant(['modes', 'box.obj'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^pliant: required option '-o, --out <path>'/)]);
  });
});

describe('options that are refused before a file is read', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a bad rule', { fix: ['y<1', 'up<3'] }, /--fix must be like "y<0\.1".*not "up<3"/],
    ['a rule without a number', { fix: ['x<'] }, /--fix must be like/],
    ['a rule without an end', { fix: ['x<1e999'] }, /--fix must be like/],
    ['an unknown kind', { kind: 'magic' }, /--kind must be linear, .* not "magic"/],
    ['no modes', { count: '0' }, /--count must be a whole number/],
    ['no stiffness', { young: '0' }, /--young must be a number/],
    ['no compressibility', { poisson: '0.5' }, /--poisson must be a number/],
    ['a cell without size', { cellSize: '-1' }, /--cell-size must be a number/],
    ['two sizes', { vertices: '100', cellSize: '1' }, /--vertices and --cell-size exclude/],
    ['a matrix and a kind', { import: 'good.npy', kind: 'linear' }, /--import and --kind exclude/],
  ])('%s', (_, options, message) => {
    expect(() => modesSettings({ out: 'x.pliant', ...options })).toThrow(message);
    expect(() => modesSettings({ out: 'x.pliant', ...options })).toThrow(CommandError);
  });

  test('rules hold what they say', () => {
    const rules = (...texts: string[]) => texts.map((text) => parseFixRule('--fix', text));
    const positions = Float64Array.from([0, 0, 0, 1, 0, 0, 2, 5, 0, 3, 5, 9]);
    const held = (...texts: string[]) => Array.from(selectFixed(rules(...texts), positions, positions));
    expect(held()).toEqual([]);
    expect(held('x<1')).toEqual([0, 1]);
    expect(held('x >= 2.5e0')).toEqual([3]);
    expect(held('Y>50%')).toEqual([2, 3]);
    expect(held('x>0.5,y<1')).toEqual([1]);
    expect(held('z>99%', 'x<-0')).toEqual([0, 3]);
  });
});

test('what does not succeed says what to do about it', async () => {
  const failing = (name: string) => () => {
    throw Object.assign(new Error('3 of 30 settled'), { name });
  };
  const message = /^x\.obj: the modes did not converge: 3 of 30 settled; ask for another --count$/;
  await expect(naming('x.obj', failing('NotConverged'))).rejects.toThrow(message);
  await expect(naming('x.obj', failing('NotConverged'))).rejects.toThrow(CommandError);
  await expect(naming('x.obj', failing('NotPositiveDefinite'))).rejects.toThrow(CommandError);
  await expect(naming('x.obj', failing('TypeError'))).rejects.not.toThrow(CommandError);
});
