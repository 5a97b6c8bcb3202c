import { describe, expect, test } from 'vitest';
import { createPoser, type GltfScene, readGltf } from '../../src/gltf/index.ts';
import { readPc2 } from '../../src/io/point-cache.ts';
import { hasSharedData, sharedFile } from '../io/shared-data.ts';
import { largestDifference, modelSize, posedPositions } from './posed-positions.ts';
import { ThreeModel } from './three-model.ts';

const TOLERANCE = 1e-5; // of the model's size
const FRACTIONS = [0, 0.13, 0.371, 0.5, 0.84, 1, 1.3]; // of the duration; beyond it the last pose holds
const FEW_FRACTIONS = [0.371, 1];
const MANY_CLIPS = 20;
const TRUTH: Record<string, Truth> = hasSharedData ? JSON.parse(text('truth/summary.json')).files : {};
const FILES = Object.keys(TRUTH).filter((path) => /^(skinned|morph)\/.*\.gl(b|tf)$/.test(path));
const BAKED = ['CesiumMan', 'Fox-Run', 'RobotExpressive-Dance', 'Horse', 'AnimatedMorphSphere'];

interface Truth {
  vertices: number;
  triangles: number;
}

interface Baked {
  source: string;
  clipIndex: number;
  times: number[];
}

describe.skipIf(!hasSharedData)('real files', () => {
  test('there are some', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(18);
  });

  test.each(FILES)('%s has its vertices and triangles', async (path) => {
    const { meshes } = await readGltf(sharedFile(path), path);
    const total = (count: (mesh: GltfScene['meshes'][number]) => number) =>
      meshes.reduce((sum, mesh) => sum + count(mesh), 0);
    expect(total(({ positions }) => positions.length / 3)).toBe(TRUTH[path].vertices);
    expect(total(({ triangles }) => triangles.length / 3)).toBe(TRUTH[path].triangles);
  });

  test.each(FILES)('%s is posed as three.js poses it', async (path) => {
    const scene = await readGltf(sharedFile(path), path, { influences: 4 });
    const three = await ThreeModel.load(sharedFile(path));
    expect(three.clips.length).toBe(scene.clips.length);
    const rest = compare(scene, three, undefined, 0);
    let worst = rest.difference;
    let farthest = 0;
    for (let clip = 0; clip < scene.clips.length; clip++) {
      const { duration } = scene.clips[clip];
      expect(Math.fround(duration)).toBe(three.clips[clip].duration); // three.js reads it from the float32 keys
      for (const fraction of scene.clips.length > MANY_CLIPS ? FEW_FRACTIONS : FRACTIONS) {
        const posed = compare(scene, three, clip, fraction * duration);
        worst = Math.max(worst, posed.difference);
        farthest = Math.max(farthest, largestDifference(posed.positions, rest.positions) / rest.size);
      }
    }
    expect(worst).toBeLessThan(TOLERANCE);
    if (scene.clips.length > 0) expect(farthest).toBeGreaterThan(0.01); // something moved
  });

  test.each(BAKED)('%s is posed as an independent evaluator posed it', async (name) => {
    const baked: Baked = JSON.parse(text(`baked/${name}.json`));
    const cache = readPc2(sharedFile(`baked/${name}.pc2`), name);
    const scene = await readGltf(sharedFile(baked.source), baked.source);
    const poser = createPoser(scene);
    let worst = 0;
    baked.times.forEach((time, frame) => {
      poser.pose(baked.clipIndex, time);
      const expected = cache.frame(frame, new Float64Array(3 * cache.pointCount));
      const ours = Float64Array.from(scene.meshes.flatMap((_, m) => [...posedPositions(scene, poser, m)]));
      worst = Math.max(worst, largestDifference(ours, expected) / modelSize([expected]));
    });
    expect(worst).toBeLessThan(TOLERANCE);
  });

  test('a wrong pose would be noticed', async () => {
    const scene = await readGltf(sharedFile('skinned/Fox.glb'), 'Fox.glb');
    const three = await ThreeModel.load(sharedFile('skinned/Fox.glb'));
    three.pose(2, 0.5);
    const poser = createPoser(scene);
    poser.pose(2, 0.501);
    const [mesh] = three.primitives(scene.meshes[0].node);
    const expected = ThreeModel.worldPositions(mesh);
    const difference = largestDifference(posedPositions(scene, poser, 0), expected) / modelSize([expected]);
    expect(difference).toBeGreaterThan(10 * TOLERANCE);
  });

  test('weights that do not sum to 1 are counted', async () => {
    const { meshes } = await readGltf(sharedFile('skinned/RobotExpressive.glb'), 'RobotExpressive.glb');
    const skins = meshes.flatMap(({ skin }) => (skin === undefined ? [] : [skin]));
    const renormalised = skins.reduce((sum, skin) => sum + skin.renormalised, 0);
    expect(renormalised).toBeGreaterThan(700);
    for (const { influences, weights } of skins) {
      for (let o = 0; o < weights.length; o += influences) {
        const sum = weights.slice(o, o + influences).reduce((total, weight) => total + weight);
        expect(Math.abs(sum - 1)).toBeLessThan(1e-15);
      }
    }
  });
});

/** The worst difference over all vertices, relative to the size; corners of triangles must be the same. */
function compare(scene: GltfScene, three: ThreeModel, clip: number | undefined, time: number) {
  const poser = createPoser(scene);
  poser.pose(clip, time);
  three.pose(clip, time);
  let worst = 0;
  const all: Float64Array[] = [];
  scene.meshes.forEach((mesh, m) => {
    const ours = posedPositions(scene, poser, m);
    const primitives = three.primitives(mesh.node);
    expect(primitives.length).toBe(mesh.primitives.length);
    mesh.primitives.forEach(({ firstVertex, vertexCount, firstTriangle, triangleCount }, k) => {
      const theirs = ThreeModel.worldPositions(primitives[k]);
      const part = ours.subarray(3 * firstVertex, 3 * (firstVertex + vertexCount));
      worst = Math.max(worst, largestDifference(part, theirs));
      all.push(theirs);
      if (clip !== undefined) return;
      const corners = mesh.triangles.slice(3 * firstTriangle, 3 * (firstTriangle + triangleCount));
      const index = primitives[k].geometry.index?.array ?? corners.map((_, i) => i);
      expect(corners.map((v) => v - firstVertex)).toEqual(Uint32Array.from(index));
    });
  });
  const size = modelSize(all);
  return { difference: worst / size, size, positions: Float64Array.from(all.flatMap((part) => [...part])) };
}

function text(path: string): string {
  return new TextDecoder().decode(sharedFile(path));
}
