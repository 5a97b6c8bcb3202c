import { describe, expect, test } from 'vitest';
import { openContainer } from '../../src/gltf/container.ts';
import { createPoser, type GltfScene, readGltf } from '../../src/gltf/index.ts';
import { InputError } from '../../src/mesh/input-error.ts';
import { mutate, Random } from '../io/mutate.ts';
import { hasSharedData, sharedFile } from '../io/shared-data.ts';
import { packGlb, skinnedSquare } from './raw-gltf.ts';

const FILES = process.env.PLIANT_FULL ? 20_000 : 500; // per kind of damage
const LONGEST_MS = 2000;
/** Mostly binary, as real files are: damage there need not be fatal. The only such sample where the data is not. */
const TUBE = new URL('../../../../docs/samples/bent-tube.mjs', import.meta.url).href;
const REAL = [
  'skinned/SimpleSkin.gltf',
  'skinned/RiggedSimple.glb',
  'skinned/RiggedFigure.glb',
  'morph/SimpleMorph.gltf',
  'morph/AnimatedMorphCube.glb',
  'morph/MorphPrimitivesTest.glb',
  'morph/Flamingo.glb',
];

type Damage = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Bytes of the file, anywhere. */
const spoilBytes: Damage = mutate;

/** Values in the JSON, which stays JSON; the binary part too, now and then. */
const spoilValues: Damage = (bytes, random) => {
  const { json, binary } = openContainer(bytes, 'fuzz');
  const copy = structuredClone(json);
  for (let i = 1 + random.integer(3); i > 0; i--) spoilValue(copy, random);
  if (binary === undefined) return new TextEncoder().encode(JSON.stringify(copy));
  return packGlb(copy, random.integer(4) === 0 ? mutate(binary, random) : binary);
};

describe.each<[string, Damage]>([
  ['bytes', spoilBytes],
  ['values', spoilValues],
])('%s', (name, damage) => {
  test(`${FILES} mutated files are read or refused, quickly`, async () => {
    const random = new Random(`gltf ${name}`);
    const square = skinnedSquare();
    const { createBentTube } = await import(TUBE);
    const own: Uint8Array[] = [square.gltf(), square.glb(), await createBentTube()];
    const samples = [...own, ...(hasSharedData ? REAL.map(sharedFile) : [])];
    let refused = 0;
    for (let i = 0; i < FILES; i++) {
      const bytes = damage(samples[i % samples.length], random);
      if (!(await survives(readGltf, bytes, `${name} ${i}`))) refused++;
    }
    expect(refused).toBeGreaterThan(0.1 * FILES); // the mutations bite
    expect(refused).toBeLessThan(0.98 * FILES); // and not all are fatal
  });
});

test('a reader that throws something else or returns rubbish fails that test', async () => {
  const bytes = skinnedSquare().glb();
  const failing = async () => {
    throw new RangeError('x');
  };
  await expect(survives(failing, bytes, 'x')).rejects.toThrow('RangeError');
  const spoilt = (spoil: (scene: GltfScene) => unknown) => async () => {
    const scene = structuredClone(await readGltf(bytes, 'x'));
    spoil(scene);
    return scene;
  };
  await expect(
    survives(
      spoilt((s) => s.meshes[0].triangles.fill(99)),
      bytes,
      'x',
    ),
  ).rejects.toThrow('corner');
  await expect(
    survives(
      spoilt((s) => s.meshes[0].positions.fill(Number.NaN)),
      bytes,
      'x',
    ),
  ).rejects.toThrow('finite');
  await expect(
    survives(
      spoilt((s) => s.meshes[0].skin!.jointIndex.fill(9)),
      bytes,
      'x',
    ),
  ).rejects.toThrow('joint');
});

/** True when read, false when refused as it should; throws for anything else. */
async function survives(read: typeof readGltf, bytes: Uint8Array, label: string): Promise<boolean> {
  const start = performance.now();
  let isRead = true;
  try {
    checkScene(await read(bytes, 'fuzz.glb'), label);
  } catch (error) {
    if (!(error instanceof InputError))
      throw new Error(`${label}: ${error instanceof Error ? error.stack : error}`);
    if (/[\r\n]/.test(error.message) || error.message.length > 300)
      throw new Error(`${label}: ${error.message}`);
    isRead = false;
  }
  expect(performance.now() - start, `${label}: milliseconds`).toBeLessThan(LONGEST_MS);
  return isRead;
}

function checkScene(scene: GltfScene, label: string): void {
  const poser = createPoser(scene);
  scene.clips.forEach((clip, c) => {
    poser.pose(c, 0.4 * clip.duration);
  });
  scene.meshes.forEach(({ positions, triangles, skin, morphs }, m) => {
    const vertexCount = positions.length / 3;
    if (!positions.every(Number.isFinite)) throw new Error(`${label}: a position is not finite`);
    if (triangles.some((v) => v >= vertexCount)) throw new Error(`${label}: a corner out of range`);
    if (morphs !== undefined) {
      if (!morphs.deltas.every(Number.isFinite)) throw new Error(`${label}: a delta is not finite`);
      if (morphs.deltas.length !== morphs.count * positions.length)
        throw new Error(`${label}: deltas are missing`);
      poser.morphWeights(m, new Float64Array(morphs.count));
    }
    if (skin === undefined) return;
    if (skin.jointIndex.some((j) => j >= skin.joints.length))
      throw new Error(`${label}: a joint out of range`);
    if (!skin.weights.every((w) => w >= 0 && w <= 1)) throw new Error(`${label}: a weight out of range`);
    if (skin.weights.length !== skin.influences * vertexCount)
      throw new Error(`${label}: weights are missing`);
    poser.jointMatrices(m, new Float64Array(12 * skin.joints.length));
  });
}

const NASTY: unknown[] = [
  -1,
  0,
  1,
  2,
  3,
  1.5,
  255,
  65536,
  2 ** 26,
  2 ** 31,
  2 ** 32,
  1e18,
  1e300,
  null,
  true,
  '',
  '0',
  'VEC3',
  'MAT4',
  [],
  [0],
  [0, 0, 0],
  {},
  '__proto__',
  5121,
  5123,
  5125,
  5126,
  'CUBICSPLINE',
  'STEP',
  'weights',
];

/** Replaces, removes or copies one value somewhere in the tree. */
function spoilValue(root: unknown, random: Random): void {
  const places: [Record<string, unknown>, string][] = [];
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      stack.push((value as Record<string, unknown>)[key]);
    }
  }
  const [owner, key] = random.pick(places);
  const kind = random.integer(6);
  if (kind === 0) delete owner[key];
  else if (kind === 1) {
    const [other, otherKey] = random.pick(places);
    owner[key] = structuredClone(other[otherKey]);
  } else if (kind < 4 && typeof owner[key] === 'number')
    owner[key] = (owner[key] as number) + random.integer(5) - 2;
  else owner[key] = random.pick(NASTY);
}
