import { Document, NodeIO } from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openContainer } from '../../src/gltf/container.ts';
import { type GltfDecoders, type GltfScene, loadNodeDecoders, readGltf } from '../../src/gltf/index.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { expectIsInputError } from '../io/expect-input-error.ts';
import { mutate, Random } from '../io/mutate.ts';
import { largestDifference, turnedTriangles } from './posed-positions.ts';
import { packGlb } from './raw-gltf.ts';

const GRID = 12;
const decoders: GltfDecoders = {};

beforeAll(async () => {
  Object.assign(decoders, await loadNodeDecoders());
});

test('both decoders are installed here; a missing package is named', async () => {
  expect(Object.keys(decoders).sort()).toEqual(['draco', 'meshopt']);
  expect(Object.keys(await loadNodeDecoders(['meshopt']))).toEqual(['meshopt']);
  vi.doMock('draco3dgltf', () => {
    throw new Error("Cannot find package 'draco3dgltf'");
  });
  try {
    const error = await loadNodeDecoders(['draco']).catch((caught: unknown) => caught);
    expectIsInputError(error, 'missing-file', 'the package draco3dgltf is needed (npm install draco3dgltf)');
    expect(Object.keys(await loadNodeDecoders())).toEqual(['meshopt']); // not asked for by name
  } finally {
    vi.doUnmock('draco3dgltf');
  }
});

describe('Draco', () => {
  test('has the shape of the original, up to its quantisation', async () => {
    const plain = await readGltf(await write(grid()), 'plain.glb');
    const packed = await readGltf(await writeDraco(), 'draco.glb', { decoders });
    const [a, b] = [plain.meshes[0], packed.meshes[0]];
    expect(b.triangles).toEqual(a.triangles); // the sequential method keeps the order
    expect(largestDifference(b.positions, a.positions)).toBeLessThan(2 * GRID * 2 ** -14);
    expect(b.skin!.jointIndex).toEqual(a.skin!.jointIndex);
    expect(largestDifference(b.skin!.weights, a.skin!.weights)).toBeLessThan(1e-3);
    expect(largestDifference(b.morphs!.deltas, a.morphs!.deltas)).toBe(0); // never packed
  });

  test('without a decoder is refused', async () => {
    await expectRefused(
      await writeDraco(),
      {},
      'unsupported',
      'requires KHR_draco_mesh_compression, and no decoder',
    );
    const optional = await respoilt(await writeDraco(), (json) => delete json.extensionsRequired);
    await expectRefused(optional, {}, 'unsupported', 'mesh 0 "Grid", primitive 0 is packed with KHR_draco');
  });

  test('that does not fit its accessors is refused', async () => {
    const count = await respoilt(await writeDraco(), (json) => {
      for (const accessor of json.accessors) accessor.count = Math.max(1, accessor.count - 3);
    });
    await expectRefused(count, decoders, 'mismatch', 'primitive 0: packed attribute');
    const id = await respoilt(await writeDraco(), (json) => {
      json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.attributes.POSITION = 55;
    });
    await expectRefused(id, decoders, 'mismatch', 'the packed data has no attribute 55');
    const view = await respoilt(await writeDraco(), (json) => {
      const { bufferView } = json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression;
      json.bufferViews[bufferView].byteLength = 20;
    });
    await expectRefused(view, decoders, 'syntax', 'KHR_draco_mesh_compression is damaged');
  });
});

describe('meshopt', () => {
  test('is the original, exactly, but for where triangles begin', async () => {
    const plain = await readGltf(await write(grid()), 'same.glb');
    const packed = await readGltf(await writeMeshopt(), 'same.glb', { decoders });
    expect(comparable(packed)).toEqual(comparable(plain));
  });

  test('by its later name too', async () => {
    const renamed = await respoilt(await writeMeshopt(), (json) => {
      Object.assign(json, JSON.parse(JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt')));
    });
    const packed = await readGltf(renamed, 'same.glb', { decoders });
    expect(comparable(packed)).toEqual(comparable(await readGltf(await write(grid()), 'same.glb')));
  });

  test('without a decoder is refused', async () => {
    const needs = 'requires EXT_meshopt_compression, and no decoder';
    await expectRefused(await writeMeshopt(), {}, 'unsupported', needs);
    const optional = await respoilt(await writeMeshopt(), (json) => delete json.extensionsRequired);
    await expectRefused(optional, {}, 'unsupported', 'is packed with EXT_meshopt_compression');
  });

  test.each([
    ['out-of-range', 'byteStride is 6', { byteStride: 6 }],
    ['out-of-range', 'byteStride is 1000', { byteStride: 1000 }],
    ['too-large', 'cannot hold', { count: 2 ** 28 }],
    ['truncated', 'ends at byte', { byteLength: 2 ** 30 }],
    ['unsupported', 'mode is unknown', { mode: 'MAGIC' }],
    ['unsupported', 'filter is unknown', { filter: 7 }],
    ['syntax', 'is damaged', { byteLength: 50 }],
    ['truncated', 'elements end at byte', { count: 1 }],
  ] as const)('%s: %s', async (code, said, change) => {
    const spoilt = await respoilt(await writeMeshopt(), (json) => {
      const view = json.bufferViews.find(
        (v: Json) => v.extensions.EXT_meshopt_compression.mode === 'ATTRIBUTES',
      );
      Object.assign(view.extensions.EXT_meshopt_compression, change);
    });
    await expectRefused(spoilt, decoders, code, said);
  });
});

test('optional compression needs no decoder when the plain data is there too', async () => {
  const plain = await write(grid());
  const both = await respoilt(plain, (json) => {
    json.extensionsUsed = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression'];
    json.meshes[0].primitives[0].extensions = {
      KHR_draco_mesh_compression: { bufferView: 0, attributes: {} },
    };
    for (const view of json.bufferViews) view.extensions = { EXT_meshopt_compression: { buffer: 0 } };
  });
  expect(await readGltf(both, 'same.glb')).toEqual(await readGltf(plain, 'same.glb'));
});

test('damaged compressed data is read or refused', async () => {
  const random = new Random('compressed');
  let refused = 0;
  const runs = process.env.PLIANT_FULL ? 2000 : 100;
  for (let i = 0; i < runs; i++) {
    const packed = i % 2 === 0 ? await writeDraco() : await writeMeshopt();
    const { json, binary } = split(packed);
    const spoilt = mutate(binary, random);
    const glb = packGlb(json, spoilt.length < binary.length ? concat(spoilt, binary.length) : spoilt);
    const error = await readGltf(glb, 'a.glb', { decoders }).catch((caught: unknown) => caught);
    if (error instanceof InputError) refused++;
    else if (error instanceof Error) throw error;
  }
  expect(refused).toBeGreaterThan(0.1 * runs);
  expect(refused).toBeLessThan(runs);
});

// biome-ignore lint/suspicious/noExplicitAny: JSON to be spoilt
type Json = any;

/** A bumpy grid with a skin and a morph target. */
function grid(): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (
    array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
    type: 'SCALAR' | 'VEC3' | 'VEC4',
  ) => document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
  const count = GRID * GRID;
  const points = new Float32Array(3 * count);
  const joints = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  for (let v = 0; v < count; v++) {
    const x = v % GRID;
    points.set([x, Math.floor(v / GRID), Math.sin(v)], 3 * v);
    joints.set([0, 1, 0, 0], 4 * v);
    weights.set([1 - x / GRID, x / GRID, 0, 0], 4 * v);
  }
  const corners: number[] = [];
  for (let y = 0; y + 1 < GRID; y++) {
    for (let x = 0; x + 1 < GRID; x++) {
      const v = GRID * y + x;
      corners.push(v, v + 1, v + GRID, v + GRID, v + 1, v + GRID + 1);
    }
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(points, 'VEC3'))
    .setAttribute('JOINTS_0', accessor(joints, 'VEC4'))
    .setAttribute('WEIGHTS_0', accessor(weights, 'VEC4'))
    .setIndices(accessor(new Uint16Array(corners), 'SCALAR'))
    .addTarget(
      document.createPrimitiveTarget().setAttribute('POSITION', accessor(points.map(Math.cos), 'VEC3')),
    );
  const bones = [document.createNode('a'), document.createNode('b')];
  const skin = document.createSkin().addJoint(bones[0]).addJoint(bones[1]);
  const mesh = document.createMesh('Grid').addPrimitive(primitive);
  const node = document.createNode('grid').setMesh(mesh).setSkin(skin).addChild(bones[0]).addChild(bones[1]);
  document.getRoot().setDefaultScene(document.createScene().addChild(node));
  return document;
}

async function writeDraco(): Promise<Uint8Array> {
  const document = grid();
  const { EncoderMethod } = KHRDracoMeshCompression;
  document
    .createExtension(KHRDracoMeshCompression)
    .setRequired(true)
    .setEncoderOptions({ method: EncoderMethod.SEQUENTIAL, quantizationBits: { POSITION: 14, GENERIC: 12 } });
  const draco = (await import('draco3dgltf' as string)).default; // has no types
  return write(document, { 'draco3d.encoder': await draco.createEncoderModule() });
}

async function writeMeshopt(): Promise<Uint8Array> {
  const document = grid();
  document.createExtension(KHRMeshQuantization).setRequired(true);
  document.createExtension(EXTMeshoptCompression).setRequired(true);
  await MeshoptEncoder.ready;
  return write(document, { 'meshopt.encoder': MeshoptEncoder });
}

function write(document: Document, dependencies: Record<string, unknown> = {}): Promise<Uint8Array> {
  const extensions = [EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization];
  return new NodeIO().registerExtensions(extensions).registerDependencies(dependencies).writeBinary(document);
}

function comparable(scene: GltfScene) {
  return {
    ...scene,
    meshes: scene.meshes.map((mesh) => ({ ...mesh, triangles: turnedTriangles(mesh.triangles) })),
  };
}

async function respoilt(glb: Uint8Array, spoil: (json: Json) => unknown): Promise<Uint8Array> {
  const { json, binary } = split(glb);
  spoil(json);
  return packGlb(json, binary);
}

function split(glb: Uint8Array): { json: Json; binary: Uint8Array } {
  const { json, binary } = openContainer(glb, 'test');
  return { json: structuredClone(json), binary: binary! };
}

function concat(bytes: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

async function expectRefused(
  bytes: Uint8Array,
  given: GltfDecoders,
  code: InputError['code'],
  said: string,
): Promise<void> {
  const error = await readGltf(bytes, 'a.glb', { decoders: given }).catch((caught: unknown) => caught);
  expectIsInputError(error, code, said);
}
