import { describe, expect, test } from 'vitest';
import { readGltf } from '../../src/gltf/index.ts';
import { expectIsInputError } from '../io/expect-input-error.ts';
import { packGlb, RawGltf, skinnedSquare } from './raw-gltf.ts';
import { refusal } from './refusal.ts';

describe('small files that ask for much', () => {
  test('zeros: an accessor of nothing', async () => {
    const raw = new RawGltf();
    raw.json.accessors = [{ componentType: 5126, type: 'VEC3', count: 2 ** 26 - 1 }];
    raw.json.meshes = [{ primitives: [{ attributes: { POSITION: 0 } }] }];
    raw.json.nodes = [{ mesh: 0 }];
    expectIsInputError(await quickRefusal(raw.glb()), 'too-large', 'accessors[0] needs 2415919068 bytes');
  });

  test('many sparse accessors', async () => {
    const raw = skinnedSquare();
    const count = 3 * 2 ** 18;
    const first = raw.json.accessors.length;
    for (let i = 0; i < 100; i++) raw.json.accessors.push({ componentType: 5126, type: 'VEC3', count });
    raw.json.meshes = [
      {
        primitives: [
          {
            attributes: { POSITION: first },
            targets: Array.from({ length: 99 }, (_, i) => ({ POSITION: first + 1 + i })),
          },
        ],
      },
    ];
    raw.json.nodes = [{ mesh: 0 }];
    delete raw.json.scenes;
    delete raw.json.scene;
    delete raw.json.animations;
    expectIsInputError(await quickRefusal(raw.glb()), 'too-large', 'above the limit of 67108864');
  });

  test('one accessor in many primitives', async () => {
    const raw = new RawGltf();
    raw.accessor(new Float32Array(9000), 'VEC3');
    const primitives = new Array(5000).fill({ attributes: { POSITION: 0 } });
    raw.json.meshes = [{ primitives }];
    raw.json.nodes = [{ mesh: 0 }];
    expectIsInputError(await quickRefusal(raw.glb()), 'too-large', 'mesh 0 needs');
  });

  test('many nodes that show one mesh cost nothing', async () => {
    const raw = new RawGltf();
    raw.accessor(new Float32Array(9000), 'VEC3');
    raw.json.meshes = [{ primitives: [{ attributes: { POSITION: 0 } }] }];
    raw.json.nodes = new Array(50_000).fill({ mesh: 0 });
    const { meshes } = await readGltf(raw.glb(), 'many.glb');
    expect(meshes.length).toBe(50_000);
    expect(meshes[0].positions).toBe(meshes[49_999].positions);
  });

  test('a chain of nodes as long as the file', async () => {
    const raw = new RawGltf();
    const count = 100_000;
    raw.json.nodes = Array.from({ length: count }, (_, n) => (n + 1 < count ? { children: [n + 1] } : {}));
    const { nodes } = await readGltf(raw.glb(), 'chain.glb');
    expect(nodes.order[count - 1]).toBe(count - 1);
    raw.json.nodes[count - 1] = { children: [0] };
    expectIsInputError(
      await quickRefusal(packGlb(raw.json, new Uint8Array(0))),
      'mismatch',
      'is its own ancestor',
    );
  });

  test('the limit can be lowered', async () => {
    const read = readGltf(skinnedSquare().glb(), 'hero.glb', { maxBytes: 100 }).catch(
      (error: unknown) => error,
    );
    expectIsInputError(await read, 'too-large', 'above the limit of 100');
  });
});

async function quickRefusal(bytes: Uint8Array): Promise<unknown> {
  const start = performance.now();
  const error = await refusal(bytes);
  expect(performance.now() - start).toBeLessThan(2000);
  return error;
}
