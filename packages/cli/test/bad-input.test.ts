import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb, sampleGltf } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const inside = join(folder, 'inside');

function edited(edit: (json: ReturnType<typeof sampleGltf>['json']) => void): string {
  const { json } = sampleGltf();
  edit(json);
  return JSON.stringify(json);
}

const FILES: Record<string, string | Uint8Array> = {
  'empty.glb': '',
  'cut.glb': sampleGlb().subarray(0, 900),
  'header.glb': sampleGlb().subarray(0, 14),
  'noise.glb': Uint8Array.from({ length: 4000 }, (_, k) => (k * 7919) & 255),
  'corrupt.glb': sampleGlb().map((byte, k) => (k > 30 && k < 60 ? 255 - byte : byte)),
  'missing.gltf': JSON.stringify(sampleGltf({ uri: 'gone.bin' }).json),
  'parent.gltf': JSON.stringify(sampleGltf({ uri: '../secret.bin' }).json),
  'encoded.gltf': JSON.stringify(sampleGltf({ uri: '%2e%2e/secret.bin' }).json),
  'absolute.gltf': JSON.stringify(sampleGltf({ uri: '/etc/hostname' }).json),
  'network.gltf': JSON.stringify(sampleGltf({ uri: 'http://127.0.0.1:9/a.bin' }).json),
  'file.gltf': JSON.stringify(sampleGltf({ uri: 'file:///etc/hostname' }).json),
  'link.gltf': JSON.stringify(sampleGltf({ uri: 'link.bin' }).json),
  'folder.gltf': JSON.stringify(sampleGltf({ uri: 'sub' }).json),
  'short.gltf': JSON.stringify(sampleGltf({ uri: 'short.bin' }).json),
  'short.bin': new Uint8Array(10),
  'cycle.gltf': edited((json) => {
    json.nodes = [
      { mesh: 0, children: [1] },
      { mesh: 1, children: [0] },
    ];
  }),
  'self.gltf': edited((json) => {
    json.nodes = [{ mesh: 0, children: [0] }, { mesh: 1 }];
  }),
  'count.gltf': edited((json) => {
    (json.accessors as { count: number }[])[0].count = 4e9;
  }),
  'sparse.gltf': edited((json) => {
    const accessors = json.accessors as Record<string, unknown>[];
    accessors[0] = {
      componentType: 5126,
      type: 'VEC3',
      count: 2 ** 31,
      sparse: { count: 1, indices: { bufferView: 6, componentType: 5125 }, values: { bufferView: 0 } },
    };
  }),
  'index.gltf': edited((json) => {
    (json.meshes as { primitives: { indices: number }[] }[])[0].primitives[0].indices = 99;
  }),
  'long.gltf': edited((json) => {
    json.buffers = [longClipBuffer()];
  }),
  'notjson.gltf': '{ "asset": ',
  'points.gltf': edited((json) => {
    for (const { primitives } of json.meshes as { primitives: { mode?: number }[] }[]) primitives[0].mode = 0;
  }),
  'bad.obj': 'v 0 0 0\nv 1 0 0\nv 0 x 0\nf 1 2 3\n',
  'range.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n',
  'none.obj': '# nothing\n',
  'count.ply':
    'ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n',
  'swapped.pc2': Buffer.concat([
    Buffer.from('POINTCACHE2\0'),
    Buffer.from([0, 0, 0, 1, 0, 0, 0, 3]),
    Buffer.alloc(60),
  ]),
  'good.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
  'other.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n',
  'cut.obj.gz': gzipSync('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n').subarray(0, 30),
};

/** The clip "Fall" gets a last key at 1e30 seconds. */
function longClipBuffer() {
  const { buffer } = sampleGltf();
  new DataView(buffer.buffer).setFloat32(4 * (12 + 9 + 1), 1e30, true);
  const uri = `data:application/octet-stream;base64,${Buffer.from(buffer).toString('base64')}`;
  return { byteLength: buffer.length, uri };
}

beforeAll(() => {
  mkdirSync(join(inside, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'secret.bin'), sampleGltf().buffer);
  symlinkSync('../secret.bin', join(inside, 'link.bin'));
  for (const [name, contents] of Object.entries(FILES)) writeFileSync(join(inside, name), contents);
});

describe('bad input: exit 2, one line that names the file, nothing on stdout', () => {
  test.each<[string, string[], RegExp]>([
    ['an empty file', ['empty.glb'], /empty/],
    ['a truncated .glb', ['cut.glb'], /bytes/],
    ['a truncated header', ['header.glb'], /byte/],
    ['noise', ['noise.glb'], /not JSON/],
    ['damaged JSON', ['corrupt.glb'], /JSON|must be/],
    ['a missing buffer', ['missing.gltf'], /gone\.bin.*no such file/],
    ['a buffer in the parent folder', ['parent.gltf'], /leaves the model's folder/],
    ['the same, encoded', ['encoded.gltf'], /leaves the model's folder/],
    ['an absolute path', ['absolute.gltf'], /absolute/],
    ['an address in the network', ['network.gltf'], /scheme/],
    ['a file: address', ['file.gltf'], /scheme/],
    ['a link out of the folder', ['link.gltf'], /leads out of the model's folder/],
    ['a folder as buffer', ['folder.gltf'], /not a file/],
    ['a short buffer', ['short.gltf'], /184 bytes, but has 10/],
    ['cyclic nodes', ['cycle.gltf'], /node/],
    ['a node that is its own child', ['self.gltf'], /node/],
    ['an absurd count', ['count.gltf'], /accessor|4000000000/],
    ['a sparse accessor that blows up', ['sparse.gltf'], /accessor|bytes|limit|elements/],
    ['a reference to nothing', ['index.gltf'], /99/],
    ['a clip without end', ['long.gltf'], /frames; choose some with --frames/],
    ['broken JSON', ['notjson.gltf'], /not JSON/],
    ['no triangles', ['points.gltf'], /no triangles/],
    ['a bad number', ['bad.obj'], /bad\.obj:3/],
    ['a vertex that is not there', ['range.obj'], /range\.obj:4/],
    ['nothing', ['none.obj'], /none\.obj/],
    ['an absurd count in PLY', ['count.ply'], /count\.ply/],
    ['a cache with swapped bytes', ['good.obj', 'swapped.pc2'], /swapped\.pc2/],
    ['frames with other triangles', ['good.obj', 'other.obj'], /other\.obj: triangle 0 is another one/],
    ['truncated gzip', ['cut.obj.gz'], /cut\.obj\.gz: not a whole gzip file/],
    ['a device', ['/dev/zero'], /not a file/],
    ['a folder without meshes', ['sub'], /sub: no mesh files/],
  ])('%s', async (_, paths, message) => {
    const begin = Date.now();
    const { code, stdout, stderr } = await pliant(['check', ...paths, '--json', '-'], { cwd: inside });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^pliant: [^\n]+\n$/);
    expect(stderr).not.toContain('internal error');
    expect([code, stdout]).toEqual([2, '']);
    expect(Date.now() - begin).toBeLessThan(10_000);
  });
});
