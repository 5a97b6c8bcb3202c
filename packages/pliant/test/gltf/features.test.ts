import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';
import { worstAgainstThree } from './against-three.ts';
import { turnedTriangles } from './posed-positions.ts';
import { RawGltf, skinnedSquare } from './raw-gltf.ts';
import { ThreeModel } from './three-model.ts';

const LINES = 1;
const STRIP = 5;
const FAN = 6;

describe('triangles', () => {
  test('strips and fans are expanded, degenerate triangles keep ids, points and lines have none', async () => {
    const raw = new RawGltf();
    const points = raw.accessor(
      Float32Array.from({ length: 18 }, (_, i) => i),
      'VEC3',
    );
    const strip = raw.accessor(new Uint8Array([0, 1, 2, 2, 3, 4]), 'SCALAR');
    raw.json.materials = [{ name: 'cloth' }, {}];
    raw.json.meshes = [
      {
        name: 'Mixed',
        primitives: [
          { attributes: { POSITION: points }, mode: STRIP, indices: strip, material: 0 },
          { attributes: { POSITION: points }, mode: LINES },
          { attributes: { POSITION: points }, mode: 0, material: 1 },
          { attributes: { POSITION: points }, mode: FAN },
          { attributes: { TEXCOORD_0: 99 } },
          { attributes: { POSITION: points } },
        ],
      },
    ];
    raw.json.nodes = [{ mesh: 0 }];
    const { meshes } = await readGltf(raw.glb(), 'mixed.glb');
    expect(meshes.length).toBe(1);
    const [{ name, primitives, positions, triangles }] = meshes;
    expect(name).toBe('Mixed');
    expect([...triangles]).toEqual([
      ...[0, 1, 2, 1, 2, 2, 2, 2, 3, 2, 4, 3], // strip
      ...[7, 8, 6, 8, 9, 6, 9, 10, 6, 10, 11, 6], // fan
      ...[12, 13, 14, 15, 16, 17],
    ]);
    expect(positions.length).toBe(3 * 18);
    expect(positions.slice(18, 36)).toEqual(positions.slice(0, 18));
    const empty = { triangleCount: 0, vertexCount: 0 };
    expect(primitives).toEqual([
      { firstTriangle: 0, triangleCount: 4, firstVertex: 0, vertexCount: 6, material: 'cloth' },
      { firstTriangle: 4, firstVertex: 6, material: '', ...empty },
      { firstTriangle: 4, firstVertex: 6, material: '', ...empty },
      { firstTriangle: 4, triangleCount: 4, firstVertex: 6, vertexCount: 6, material: '' },
      { firstTriangle: 8, firstVertex: 12, material: '', ...empty },
      { firstTriangle: 8, triangleCount: 2, firstVertex: 12, vertexCount: 6, material: '' },
    ]);
  });

  test('a strip has the same triangles as in three.js', async () => {
    const raw = new RawGltf();
    const points = raw.accessor(
      Float32Array.from({ length: 21 }, (_, i) => (i * i) % 11),
      'VEC3',
    );
    raw.json.meshes = [STRIP, FAN].map((mode) => ({
      primitives: [{ attributes: { POSITION: points }, mode }],
    }));
    raw.json.nodes = [{ mesh: 0 }, { mesh: 1 }];
    raw.json.scenes = [{ nodes: [0, 1] }];
    const { meshes } = await readGltf(raw.glb(), 'strip.glb');
    const three = await ThreeModel.load(raw.glb());
    for (const { node, triangles } of meshes) {
      const [{ geometry }] = three.primitives(node);
      expect(turnedTriangles(triangles)).toEqual(turnedTriangles(geometry.index!.array));
    }
  });
});

describe('scenes', () => {
  test('one entry per node of the default scene, by ascending node; instances share arrays', async () => {
    const raw = square();
    raw.json.nodes = [
      { mesh: 0, name: 'c' },
      { children: [3, 0] },
      { mesh: 0, name: 'other' },
      { mesh: 0, name: 'a' },
    ];
    raw.json.scenes = [{ nodes: [2] }, { nodes: [1] }];
    raw.json.scene = 1;
    const { meshes } = await readGltf(raw.glb(), 'scene.glb');
    expect(meshes.map(({ node, nodeName }) => `${node} ${nodeName}`)).toEqual(['0 c', '3 a']);
    expect(meshes[0].positions).toBe(meshes[1].positions);
    expect(meshes[0].triangles).toBe(meshes[1].triangles);
    expect('skin' in meshes[0]).toBe(false);
  });

  test('without a default all scenes count, without scenes all nodes', async () => {
    const raw = square();
    raw.json.nodes = [{ mesh: 0 }, { mesh: 0 }, { mesh: 0 }];
    raw.json.scenes = [{ nodes: [2] }, { nodes: [1] }];
    const nodesOf = async () => (await readGltf(raw.glb(), 'scene.glb')).meshes.map(({ node }) => node);
    expect(await nodesOf()).toEqual([1, 2]);
    delete raw.json.scenes;
    expect(await nodesOf()).toEqual([0, 1, 2]);
  });

  test('a file without meshes is an empty scene', async () => {
    const scene = await readGltf(
      new TextEncoder().encode('{"asset":{"version":"2.0"}}'),
      'folder/empty.gltf',
    );
    expect(scene).toMatchObject({ name: 'empty', meshes: [], clips: [], ignoredExtensions: [] });
  });

  test('is plain data, compressed or not, from .glb or .gltf', async () => {
    const scene = await readGltf(skinnedSquare().glb(), 'a.glb');
    expect(structuredClone(scene)).toEqual(scene);
    expect(await readGltf(skinnedSquare().gltf(), 'a.gltf')).toEqual(scene);
    expect(await readGltf(new Uint8Array(gzipSync(skinnedSquare().glb())), 'a.glb.gz')).toEqual(scene);
    const shifted = new Uint8Array(skinnedSquare().glb().length + 3); // an odd offset in its buffer
    shifted.set(skinnedSquare().glb(), 3);
    expect(await readGltf(shifted.subarray(3), 'a.glb')).toEqual(scene);
  });

  test('extensions: looks do not matter, other optional ones are named', async () => {
    const raw = square();
    raw.json.extensionsRequired = ['KHR_materials_unlit', 'KHR_texture_basisu', 'KHR_mesh_quantization'];
    raw.json.extensionsUsed = [
      ...raw.json.extensionsRequired,
      'EXT_mesh_gpu_instancing',
      'KHR_lights_punctual',
    ];
    const { ignoredExtensions } = await readGltf(raw.glb(), 'a.glb');
    expect(ignoredExtensions).toEqual(['EXT_mesh_gpu_instancing']);
  });
});

describe('accessors', () => {
  test('interleaved', async () => {
    const raw = new RawGltf();
    const bytes = new Float32Array([9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0]);
    const bufferView = raw.view(bytes, { byteStride: 16 });
    raw.json.accessors.push({ bufferView, byteOffset: 4, componentType: 5126, count: 3, type: 'VEC3' });
    raw.json.meshes = [{ primitives: [{ attributes: { POSITION: 0 } }] }];
    raw.json.nodes = [{ mesh: 0 }];
    const { meshes } = await readGltf(raw.glb(), 'a.glb');
    expect([...meshes[0].positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  test('sparse: over values, over nothing, and with offsets of its own', async () => {
    const raw = new RawGltf();
    const base = raw.view(new Float32Array([7, 7, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0]));
    const indices = raw.view(new Uint8Array([99, 1]));
    const values = raw.view(new Float32Array([5, 6, 7]));
    const sparse = {
      count: 1,
      indices: { bufferView: indices, byteOffset: 1, componentType: 5121 },
      values: { bufferView: values }, // no offset: 0, not the accessor's
    };
    const common = { componentType: 5126, count: 3, type: 'VEC3', sparse };
    raw.json.accessors = [
      { ...common, bufferView: base, byteOffset: 12 },
      common,
      { componentType: 5126, count: 3, type: 'VEC3' }, // zeros
    ];
    raw.json.meshes = [
      {
        primitives: [
          { attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }, { POSITION: 2 }, { NORMAL: 7 }] },
        ],
      },
    ];
    raw.json.nodes = [{ mesh: 0 }];
    const [{ positions, morphs }] = (await readGltf(raw.glb(), 'a.glb')).meshes;
    expect([...positions]).toEqual([0, 0, 0, 5, 6, 7, 0, 1, 0]);
    expect([...morphs!.deltas]).toEqual([0, 0, 0, 5, 6, 7, 0, 0, 0, ...new Array(18).fill(0)]);
  });

  test('quantised', async () => {
    const raw = new RawGltf();
    const integers = [-32768, -32767, 32767, 1, 2, 3, 0, 100, -100];
    raw.accessor(new Int16Array(integers), 'VEC3', { normalized: true });
    raw.accessor(new Int16Array(integers), 'VEC3');
    raw.accessor(new Uint8Array([255, 0, 51, 1, 2, 3, 4, 5, 6]), 'VEC3', { normalized: true });
    raw.accessor(new Int8Array([-128, -127, 127, 1, 2, 3, 4, 5, 6]), 'VEC3', { normalized: true });
    raw.accessor(new Uint16Array([65535, 0, 13107, 1, 2, 3, 4, 5, 6]), 'VEC3', { normalized: true });
    raw.json.meshes = [0, 1, 2, 3, 4].map((a) => ({ primitives: [{ attributes: { POSITION: a } }] }));
    raw.json.nodes = raw.json.meshes.map((_: unknown, mesh: number) => ({ mesh }));
    const { meshes } = await readGltf(raw.glb(), 'a.glb');
    expect([...meshes[0].positions]).toEqual(integers.map((i) => Math.max(i / 32767, -1)));
    expect([...meshes[1].positions]).toEqual(integers);
    expect([...meshes[2].positions.slice(0, 4)]).toEqual([1, 0, 0.2, 1 / 255]);
    expect([...meshes[3].positions.slice(0, 4)]).toEqual([-1, -1, 1, 1 / 127]);
    expect([...meshes[4].positions.slice(0, 4)]).toEqual([1, 0, 0.2, 1 / 65535]);
  });

  test('what is not used may be broken', async () => {
    const raw = square();
    raw.json.accessors.push({ bufferView: 77, componentType: 1, count: -1, type: 'VEC9' });
    raw.json.images = [{ uri: 'http://example.com/a.png' }];
    raw.json.meshes[0].primitives[0].attributes.NORMAL = raw.json.accessors.length - 1;
    expect((await readGltf(raw.glb(), 'a.glb')).meshes.length).toBe(1);
  });
});

describe('skins', () => {
  test('the influences of all sets are scaled to 1; a vertex without any follows its first joint', async () => {
    const raw = skinnedSquare();
    raw.json.accessors[2] =
      raw.json.accessors[
        raw.accessor(new Uint8Array([9, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]), 'VEC4')
      ];
    const unorm = { normalized: true };
    const w = (numbers: number[]) => raw.accessor(new Uint8Array(numbers), 'VEC4', unorm);
    raw.json.accessors[3] = raw.json.accessors[w([0, 255, 0, 0, 51, 51, 0, 0, 0, 0, 0, 0, 204, 0, 0, 0])];
    const more = raw.accessor(new Uint16Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]), 'VEC4');
    const moreWeights = w([0, 0, 0, 0, 102, 0, 0, 0, 0, 0, 0, 0, 51, 0, 0, 0]);
    Object.assign(raw.json.meshes[0].primitives[0].attributes, { JOINTS_1: more, WEIGHTS_1: moreWeights });

    const { skin } = (await readGltf(raw.glb(), 'a.glb')).meshes[0];
    expect(skin).toMatchObject({ influences: 8, renormalised: 2, weightless: 1, joints: [2, 3] });
    expect([...skin!.jointIndex.slice(0, 8)]).toEqual([0, 1, 0, 0, 0, 0, 0, 0]); // 9 had no weight
    expect([...skin!.weights.slice(8, 16)].map(round)).toEqual([0.25, 0.25, 0, 0, 0.5, 0, 0, 0]);
    expect([...skin!.weights.slice(16, 24)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    expect(skin!.jointIndex[16]).toBe(1);
    expect([...skin!.weights.slice(24)].map(round)).toEqual([0.8, 0, 0, 0, 0.2, 0, 0, 0]);

    const four = (await readGltf(raw.glb(), 'a.glb', { influences: 4 })).meshes[0].skin!;
    expect(four.influences).toBe(4);
    expect([...four.weights].map(round)).toEqual([0, 1, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  test('several skins on one mesh, with and without inverse bind matrices, pose as in three.js', async () => {
    const raw = skinnedSquare();
    raw.json.skins.push({ joints: [3, 0] });
    raw.json.nodes.push({ mesh: 0, skin: 1, translation: [100, 0, 0] });
    raw.json.scenes[0].nodes.push(4);
    const scene = await readGltf(raw.glb(), 'a.glb');
    expect(scene.meshes.map(({ skin }) => skin!.joints)).toEqual([
      [2, 3],
      [3, 0],
    ]);
    expect(scene.meshes[0].skin!.weights).toBe(scene.meshes[1].skin!.weights);
    expect([...scene.meshes[1].skin!.inverseBind.slice(12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(await worstAgainstThree(raw.glb(), scene)).toBeLessThan(1e-6);
  });

  test('a mesh may be shown with a skin and without', async () => {
    const raw = skinnedSquare();
    raw.json.nodes.push({ mesh: 0 });
    raw.json.scenes[0].nodes.push(4);
    const { meshes } = await readGltf(raw.glb(), 'a.glb');
    expect(meshes.map(({ skin }) => skin !== undefined)).toEqual([true, false]);
  });
});

describe('morph targets', () => {
  test('names and weights; the node goes before the mesh', async () => {
    const raw = skinnedSquare();
    raw.json.meshes[0].weights = [0.25];
    raw.json.meshes[0].extras = { targetNames: ['smile'] };
    raw.json.nodes.push({ mesh: 0, skin: 0, weights: [0.75] });
    raw.json.scenes[0].nodes.push(4);
    const { meshes } = await readGltf(raw.glb(), 'a.glb');
    expect(meshes.map(({ morphs }) => [...morphs!.defaultWeights])).toEqual([[0.25], [0.75]]);
    expect(meshes[0].morphs).toMatchObject({ count: 1, names: ['smile'] });
    expect([...meshes[0].morphs!.deltas]).toEqual([0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4]);
  });

  test('a primitive with fewer targets is not moved by the others', async () => {
    const raw = square();
    const [primitive] = raw.json.meshes[0].primitives;
    const bump = raw.accessor(new Float32Array([1, 1, 1, 2, 2, 2, 3, 3, 3]), 'VEC3');
    raw.json.meshes[0].primitives = [primitive, { ...primitive, targets: [{ POSITION: bump }] }];
    const { morphs } = (await readGltf(raw.glb(), 'a.glb')).meshes[0];
    expect([...morphs!.deltas]).toEqual([...new Array(9).fill(0), 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(morphs!.names).toEqual(['0']);
  });
});

test('mirrored, non-uniform and matrix nodes are placed as in three.js', async () => {
  const raw = square();
  raw.json.nodes = [
    { children: [1, 2], scale: [-2, 1, 0.5], rotation: [0.6, 0, 0.8, 0], translation: [1, 2, 3] },
    { mesh: 0, scale: [1, -3, 1], rotation: [0, 0.6, 0, 0.8] },
    { mesh: 0, matrix: [0, -2, 0, 0, 3, 0, 0, 0, 0, 0, -1, 0, 5, 6, 7, 1], children: [3] },
    { mesh: 0, matrix: [-0.8, 0, 0.6, 0, 0, 1, 0, 0, 0.6, 0, 0.8, 0, 1, 0, 0, 1] },
  ];
  raw.json.scenes = [{ nodes: [0] }];
  const scene = await readGltf(raw.glb(), 'a.glb');
  expect(await worstAgainstThree(raw.glb(), scene)).toBeLessThan(1e-12);
});

function square(): RawGltf {
  const raw = new RawGltf();
  raw.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 2]), 'VEC3');
  raw.json.meshes = [{ primitives: [{ attributes: { POSITION: 0 } }] }];
  raw.json.nodes = [{ mesh: 0 }];
  return raw;
}

function round(x: number): number {
  return Math.round(x * 1e12) / 1e12;
}
