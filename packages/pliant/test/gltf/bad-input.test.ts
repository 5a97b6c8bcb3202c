import { describe, expect, test } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';
import type { InputErrorCode } from '../../src/mesh/input-error.ts';
import { expectIsInputError } from '../io/expect-input-error.ts';
import { type RawGltf, skinnedSquare } from './raw-gltf.ts';
import { refusal } from './refusal.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON to be spoilt
type Json = any;
type Case = [InputErrorCode, said: string, spoil: (json: Json, raw: RawGltf) => unknown];

const primitive = (json: Json) => json.meshes[0].primitives[0];
const put = (raw: RawGltf, place: number, added: number) => {
  raw.json.accessors[place] = raw.json.accessors[added];
};

test('the file that the cases spoil is good', async () => {
  await expect(readGltf(skinnedSquare().glb(), 'hero.glb')).resolves.toMatchObject({ name: 'hero' });
});

const CASES: Record<string, Case[]> = {
  'the document': [
    ['wrong-type', 'asset must be an object, not undefined', (json) => delete json.asset],
    ['wrong-type', 'asset.version must be a string', (json) => (json.asset = {})],
    ['unsupported', 'the glTF version is not 2', (json) => (json.asset.version = '1.0')],
    [
      'unsupported',
      'requires EXT_warp, KHR_node_warp',
      (json) => (json.extensionsRequired = ['EXT_warp', 'KHR_node_warp']),
    ],
    ['wrong-type', 'extensionsUsed[0] must be a string', (json) => (json.extensionsUsed = [3])],
    ['wrong-type', 'meshes must be an array, not an object', (json) => (json.meshes = {})],
    ['wrong-type', 'nodes[1] must be an object, not null', (json) => (json.nodes[1] = null)],
  ],
  nodes: [
    ['mismatch', 'is its own ancestor', (json) => (json.nodes[3].children = [0])],
    ['mismatch', 'node 0 is its own ancestor', (json) => (json.nodes[0].children = [0])],
    ['mismatch', 'node 3 is a child of node 1 and of node 2', (json) => (json.nodes[1].children = [3])],
    [
      'index-out-of-range',
      'nodes[2].children[0] is 9, but there are 4 nodes',
      (json) => (json.nodes[2].children = [9]),
    ],
    [
      'wrong-type',
      'nodes[2].children[0] must be an integer, not a string',
      (json) => (json.nodes[2].children = ['3']),
    ],
    ['index-out-of-range', 'nodes[1].mesh is 5, but there are 1 meshes', (json) => (json.nodes[1].mesh = 5)],
    ['index-out-of-range', 'nodes[1].skin is -1, but there are 1 skins', (json) => (json.nodes[1].skin = -1)],
    [
      'wrong-length',
      'nodes[3].translation has 2 numbers, expected 3',
      (json) => (json.nodes[3].translation = [1, 2]),
    ],
    [
      'wrong-type',
      'nodes[3].rotation[3] must be a number, not null',
      (json) => (json.nodes[3].rotation = [0, 0, 0, null]),
    ],
    [
      'wrong-length',
      'nodes[3].matrix has 12 numbers, expected 16',
      (json) => (json.nodes[3].matrix = new Array(12).fill(0)),
    ],
    ['index-out-of-range', 'scene is 1, but there are 1 scenes', (json) => (json.scene = 1)],
    [
      'index-out-of-range',
      'scenes[0].nodes[0] is 4, but there are 4 nodes',
      (json) => (json.scenes[0].nodes = [4]),
    ],
    [
      'wrong-length',
      'nodes[1].weights has 2 numbers, expected 1',
      (json) => (json.nodes[1].weights = [1, 2]),
    ],
  ],
  buffers: [
    ['truncated', 'bufferViews[0] ends at byte 9000', (json) => (json.bufferViews[0].byteLength = 9000)],
    ['truncated', 'buffers[0] should have 1000000 bytes', (json) => (json.buffers = [{ byteLength: 1e6 }])],
    ['wrong-type', 'buffers[0].byteLength must be an integer', (json) => (json.buffers = [{}])],
    [
      'index-out-of-range',
      'bufferViews[0].buffer is 1, but there are 1 buffers',
      (json) => (json.bufferViews[0].buffer = 1),
    ],
    ['out-of-range', 'bufferViews[0].byteOffset is -4', (json) => (json.bufferViews[0].byteOffset = -4)],
    [
      'wrong-type',
      'bufferViews[0].byteLength must be an integer',
      (json) => delete json.bufferViews[0].byteLength,
    ],
    ['out-of-range', 'elements of 12 bytes overlap', (json) => (json.bufferViews[0].byteStride = 8)],
    ['truncated', 'accessors[0]: 4 elements end at byte', (json) => (json.bufferViews[0].byteStride = 100)],
  ],
  accessors: [
    [
      'index-out-of-range',
      'primitive 0, POSITION is 77, but there are 10 accessors',
      (json) => (primitive(json).attributes.POSITION = 77),
    ],
    ['unsupported', 'accessors[0].type is unknown', (json) => (json.accessors[0].type = 'VEC5')],
    ['unsupported', 'accessors[0].type is unknown', (json) => (json.accessors[0].type = 'constructor')],
    [
      'unsupported',
      'accessors[0].componentType is unknown',
      (json) => (json.accessors[0].componentType = 5124),
    ],
    [
      'wrong-type',
      'accessors[0].normalized must be true or false',
      (json) => (json.accessors[0].normalized = 1),
    ],
    ['wrong-type', 'accessors[0].count must be an integer', (json) => (json.accessors[0].count = 1.5)],
    ['out-of-range', 'accessors[0].count is -1', (json) => (json.accessors[0].count = -1)],
    ['too-large', 'accessors[0].count is 67108865', (json) => (json.accessors[0].count = 2 ** 26 + 1)],
    [
      'truncated',
      'accessors[0]: 5 elements end at byte 60, but bufferViews[0] has 48',
      (json) => (json.accessors[0].count = 5),
    ],
    ['truncated', 'accessors[0]: 4 elements end at byte 52', (json) => (json.accessors[0].byteOffset = 4)],
    ['index-out-of-range', 'accessors[0].bufferView is 99', (json) => (json.accessors[0].bufferView = 99)],
    [
      'wrong-type',
      'POSITION is accessor 1 of type SCALAR, not VEC3',
      (json) => (primitive(json).attributes.POSITION = 1),
    ],
    ['wrong-type', 'indices is accessor 0 of type VEC3', (json) => (primitive(json).indices = 0)],
    [
      'wrong-type',
      'indices is accessor 6 of FLOAT, not of UNSIGNED_BYTE, UNSIGNED_SHORT',
      (json) => (primitive(json).indices = 6),
    ],
    ['wrong-type', 'JOINTS_0 is accessor 3 of FLOAT', (json) => (primitive(json).attributes.JOINTS_0 = 3)],
  ],
  'sparse accessors': [
    [
      'out-of-range',
      'accessors[0].sparse.count is 5',
      (json) => (json.accessors[0].sparse = sparse({ count: 5 })),
    ],
    [
      'wrong-type',
      'accessors[0].sparse.indices must be an object',
      (json) => (json.accessors[0].sparse = sparse({ indices: 3 })),
    ],
    [
      'wrong-type',
      'sparse.indices are of FLOAT',
      (json) => (json.accessors[0].sparse = sparse({ indices: { bufferView: 2, componentType: 5126 } })),
    ],
    [
      'truncated',
      'accessors[0].sparse.values: 1 elements end at byte 72',
      (json) => (json.accessors[0].sparse = sparse({ values: { bufferView: 0, byteOffset: 60 } })),
    ],
    [
      'index-out-of-range',
      'accessors[0].sparse.indices: element 0 is 9, but the accessor has 4',
      (json, raw) => {
        const bufferView = raw.view(new Uint8Array([9]));
        json.accessors[0].sparse = sparse({ indices: { bufferView, componentType: 5121 } });
      },
    ],
  ],
  meshes: [
    ['wrong-type', 'mesh 0 "Square": primitives must be an array', (json) => (json.meshes[0].primitives = 5)],
    ['out-of-range', 'mesh 0 "Square", primitive 0: mode is 7', (json) => (primitive(json).mode = 7)],
    [
      'index-out-of-range',
      'primitive 0: material is 0, but there are 0 materials',
      (json) => (primitive(json).material = 0),
    ],
    [
      'wrong-length',
      'mesh 0 "Square", primitive 0: 5 indices are not three per triangle',
      (json) => (json.accessors[1].count = 5),
    ],
    ['wrong-length', '4 vertices are not three per triangle', (json) => delete primitive(json).indices],
    [
      'index-out-of-range',
      'mesh 0 "Square", primitive 0, indices: element 4 is vertex 8, but the primitive has 4',
      (_, raw) => put(raw, 1, raw.accessor(new Uint8Array([0, 1, 2, 2, 8, 3]), 'SCALAR')),
    ],
    [
      'not-finite',
      'mesh 0 "Square", primitive 0, POSITION: element 2, component 1, is NaN',
      (_, raw) =>
        put(raw, 0, raw.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, Number.NaN, 0, 1, 1, 0]), 'VEC3')),
    ],
    [
      'not-finite',
      'target 0 POSITION: element 0, component 0, is Infinity',
      (_, raw) =>
        put(raw, 4, raw.accessor(new Float32Array([Infinity, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0]), 'VEC3')),
    ],
    ['mismatch', 'accessor 4 has 3 elements, but POSITION has 4', (json) => (json.accessors[4].count = 3)],
    [
      'mismatch',
      'mesh 0 "Square": 2 weights, but 1 morph targets',
      (json) => (json.meshes[0].weights = [1, 2]),
    ],
    [
      'mismatch',
      'mesh 0 "a·b…": 2 weights',
      (json) => Object.assign(json.meshes[0], { weights: [1, 2], name: `a\nb${'…'}` }),
    ],
  ],
  skins: [
    [
      'mismatch',
      'is shown with a skin, but has no JOINTS_0',
      (json) => (primitive(json).attributes = { POSITION: 0 }),
    ],
    ['mismatch', 'has JOINTS_0, but no WEIGHTS_0', (json) => delete primitive(json).attributes.WEIGHTS_0],
    ['mismatch', 'has WEIGHTS_1, but no JOINTS_1', (json) => (primitive(json).attributes.WEIGHTS_1 = 3)],
    ['empty', 'skin 0 "legs" has no joints', (json) => (json.skins[0].joints = [])],
    [
      'index-out-of-range',
      'skin 0 "legs": joints[1] is 8, but there are 4 nodes',
      (json) => (json.skins[0].joints = [2, 8]),
    ],
    [
      'index-out-of-range',
      'mesh 0 "Square": vertex 1 uses joint 1, but skin 0 "legs" has 1 joints',
      (json) => (json.skins[0].joints = [2]),
    ],
    [
      'mismatch',
      'skin 0 "legs": 1 inverse bind matrices for 2 joints',
      (json) => (json.accessors[5].count = 1),
    ],
    [
      'wrong-type',
      'inverseBindMatrices is accessor 0 of type VEC3, not MAT4',
      (json) => (json.skins[0].inverseBindMatrices = 0),
    ],
    [
      'unsupported',
      'inverseBindMatrices: element 0: the last row is not 0 0 0 1',
      (_, raw) => put(raw, 5, raw.accessor(new Float32Array(32).fill(1), 'MAT4')),
    ],
    [
      'not-finite',
      'skin 0 "legs", inverseBindMatrices: element 1, component 0, is NaN',
      (_, raw) =>
        put(
          raw,
          5,
          raw.accessor(
            Float32Array.from({ length: 32 }, (__, i) => (i === 16 ? Number.NaN : i % 5 === 0 ? 1 : 0)),
            'MAT4',
          ),
        ),
    ],
    [
      'out-of-range',
      'WEIGHTS_0: element 0 has the weight -1',
      (_, raw) => put(raw, 3, raw.accessor(new Float32Array(16).fill(-1), 'VEC4')),
    ],
    [
      'not-finite',
      'WEIGHTS_0: element 3, component 3, is NaN',
      (_, raw) =>
        put(
          raw,
          3,
          raw.accessor(
            Float32Array.from({ length: 16 }, (__, i) => (i === 15 ? Number.NaN : 1)),
            'VEC4',
          ),
        ),
    ],
  ],
  clips: [
    [
      'index-out-of-range',
      'animation 0 "walk", channel 0: target.node is 44',
      (json) => (json.animations[0].channels[0].target.node = 44),
    ],
    [
      'wrong-type',
      'animation 0 "walk", channel 0: target must be an object',
      (json) => delete json.animations[0].channels[0].target,
    ],
    [
      'unsupported',
      'channel 0: target.path is "colour"',
      (json) => (json.animations[0].channels[0].target.path = 'colour'),
    ],
    [
      'index-out-of-range',
      'channel 0: sampler is 9, but there are 4 samplers',
      (json) => (json.animations[0].channels[0].sampler = 9),
    ],
    [
      'unsupported',
      'channel 0: interpolation is "BEZIER"',
      (json) => (json.animations[0].samplers[0].interpolation = 'BEZIER'),
    ],
    [
      'mismatch',
      'channel 0: 3 values, expected 3 for each of 3 times',
      (json) => (json.animations[0].samplers[0].interpolation = 'CUBICSPLINE'),
    ],
    [
      'mismatch',
      'channel 2: 2 values, expected 1 for each of 3 times',
      (json) => (json.accessors[9].count = 2),
    ],
    [
      'mismatch',
      'channel 1: translation of node 2 has two channels',
      (json) => (json.animations[0].channels[1] = json.animations[0].channels[0]),
    ],
    [
      'wrong-type',
      'channel 1, values is accessor 7 of type VEC3, not VEC4',
      (json) => (json.animations[0].samplers[1].output = 7),
    ],
    [
      'wrong-type',
      'channel 0, times is accessor 0 of type VEC3',
      (json) => (json.animations[0].samplers[0].input = 0),
    ],
    ['empty', 'channel 0 has no keys', (json) => (json.accessors[6].count = 0)],
    [
      'out-of-range',
      'animation 0 "walk", channel 0, times: element 2 is 0.5, before 1',
      (_, raw) => put(raw, 6, raw.accessor(new Float32Array([0, 1, 0.5]), 'SCALAR')),
    ],
    [
      'not-finite',
      'channel 0, times: element 1 is NaN',
      (_, raw) => put(raw, 6, raw.accessor(new Float32Array([0, Number.NaN, 2]), 'SCALAR')),
    ],
    [
      'not-finite',
      'channel 1, values: element 0, component 0, is -Infinity',
      (_, raw) => put(raw, 8, raw.accessor(new Float32Array(12).fill(-Infinity), 'VEC4')),
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%s: %s', async (code, said, spoil) => {
    const raw = skinnedSquare();
    spoil(raw.json, raw);
    expectIsInputError(await refusal(raw.glb()), code, said);
  });
});

describe('the container', () => {
  const glb = skinnedSquare().glb();
  const changed = (change: (view: DataView) => unknown) => {
    const copy = glb.slice();
    change(new DataView(copy.buffer));
    return copy;
  };
  const jsonLength = new DataView(glb.buffer).getUint32(12, true);

  test.each<[InputErrorCode, string, Uint8Array]>([
    ['empty', 'hero.glb: the file is empty', new Uint8Array(0)],
    ['syntax', 'byte 0: this is not JSON', new Uint8Array([1, 2, 3])],
    ['syntax', 'byte 0: this is not JSON', new TextEncoder().encode('{"asset":\n')],
    ['wrong-type', 'the glTF JSON must be an object, not an array', new TextEncoder().encode('[]')],
    ['truncated', 'the version needs 4 bytes', glb.slice(0, 6)],
    ['truncated', `byte 8: the file should have ${glb.length} bytes, but has 100`, glb.slice(0, 100)],
    ['unsupported', 'byte 4: glTF version 1', changed((view) => view.setUint32(4, 1, true))],
    [
      'truncated',
      'byte 12: a chunk of 4294967295 bytes',
      changed((view) => view.setUint32(12, 2 ** 32 - 1, true)),
    ],
    ['syntax', 'byte 12: the first chunk is not JSON', changed((view) => view.setUint32(16, 7, true))],
    ['truncated', 'byte 12: the JSON chunk is missing', changed((view) => view.setUint32(8, 12, true))],
    ['syntax', 'byte 20: this is not JSON', changed((view) => view.setUint8(20, 0x5b))],
    ['missing-file', 'buffers[0] has no data', changed((view) => view.setUint32(24 + jsonLength, 7, true))],
  ])('%s: %s', async (code, said, bytes) => {
    expectIsInputError(await refusal(bytes), code, said);
  });

  test('unknown chunks after the binary one, and bytes after the end, are passed over', async () => {
    const longer = new Uint8Array(glb.length + 5);
    longer.set(glb);
    await expect(readGltf(longer, 'hero.glb')).resolves.toMatchObject({ name: 'hero' });
  });

  test('a wrong option', async () => {
    const read = readGltf(glb, 'hero.glb', { influences: 5 as 4 }).catch((error: unknown) => error);
    expectIsInputError(await read, 'bad-option', "influences must be 'all' or 4");
  });
});

function sparse(change: Json): Json {
  const indices = { bufferView: 1, componentType: 5123 };
  return { count: 1, indices, values: { bufferView: 0 }, ...change };
}
