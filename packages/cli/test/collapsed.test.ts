import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { describe, expect, test } from 'vitest';
import { pliantGuarded } from './support/guarded.ts';
import { temporaryFolder } from './support/run.ts';

const folder = temporaryFolder();

/** Keys of the scale that hides a mesh: whole at 0 s, hidden at 1 s. */
const HIDE = [1, 1, 1, 0, 0, 0];

interface HiddenOptions {
  readonly cells: number; // 2 · cells² triangles
  readonly kind: 'skinned' | 'rigid' | 'half-skinned' | 'morph';
  readonly scale?: readonly number[]; // of the two keys
}

/** A bent sheet "Cape", hidden by the clip "Hide", before a still sheet "Wall" that it does not touch. */
async function writeHidden(name: string, { cells, kind, scale = HIDE }: HiddenOptions): Promise<string> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (array: Float32Array | Uint32Array | Uint16Array, type: string) =>
    document
      .createAccessor()
      .setArray(array)
      .setType(type as 'VEC3')
      .setBuffer(buffer);
  const row = cells + 1;
  const points = Float32Array.from({ length: 3 * row * row }, (_, k) => {
    const v = Math.floor(k / 3);
    const x = v % row,
      y = Math.floor(v / row);
    return [x / cells, y / cells, 0.2 * Math.sin((3 * x) / cells)][k % 3];
  });
  const corners: number[] = [];
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const v = y * row + x;
      corners.push(v, v + 1, v + row, v + 1, v + row + 1, v + row);
    }
  }
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(points, 'VEC3'))
    .setIndices(accessor(Uint32Array.from(corners), 'SCALAR'));
  const mesh = document.createMesh('Cape').addPrimitive(primitive);
  const cape = document.createNode('Cape').setMesh(mesh);
  const scene = document.createScene().addChild(cape);
  let target = cape;
  let path = 'scale';
  let values = Float32Array.from(scale);
  if (kind === 'skinned' || kind === 'half-skinned') {
    const isHalf = kind === 'half-skinned';
    const joints = [document.createNode('Root'), document.createNode('Tail')];
    for (const joint of joints) scene.addChild(joint);
    const counts = points.length / 3;
    const used = Uint16Array.from({ length: 4 * counts }, (_, k) =>
      k % 4 === 0 && isHalf && k / 4 > counts / 2 ? 1 : 0,
    );
    const weights = Float32Array.from({ length: 4 * counts }, (_, k) => (k % 4 === 0 ? 1 : 0));
    primitive
      .setAttribute('JOINTS_0', accessor(used, 'VEC4'))
      .setAttribute('WEIGHTS_0', accessor(weights, 'VEC4'));
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const inverse = accessor(Float32Array.from([...identity, ...identity]), 'MAT4');
    const skin = document.createSkin().setInverseBindMatrices(inverse);
    for (const joint of joints) skin.addJoint(joint);
    cape.setSkin(skin);
    target = joints[isHalf ? 1 : 0];
  }
  if (kind === 'morph') {
    const negative = accessor(
      points.map((x) => -x),
      'VEC3',
    );
    primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', negative));
    mesh.setWeights([0]);
    path = 'weights';
    values = Float32Array.from([0, 1]);
  }
  const wall = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(Float32Array.from([-9, -9, -3, 9, -9, -3, 0, 9, -3]), 'VEC3'));
  scene.addChild(document.createNode('Wall').setMesh(document.createMesh('Wall').addPrimitive(wall)));
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor(Float32Array.from([0, 1]), 'SCALAR'))
    .setOutput(accessor(values, path === 'weights' ? 'SCALAR' : 'VEC3'))
    .setInterpolation('STEP');
  const channel = document
    .createAnimationChannel()
    .setTargetNode(target)
    .setTargetPath(path as 'scale')
    .setSampler(sampler);
  document.createAnimation('Hide').addSampler(sampler).addChannel(channel);
  const file = join(folder, `${name}.glb`);
  writeFileSync(file, await new NodeIO().writeBinary(document));
  return file;
}

interface Frame {
  readonly count: number;
  readonly pairs: number[][];
  readonly times?: number[];
  readonly collapsed?: number[];
}

async function check(file: string, ...options: string[]) {
  const outcome = await pliantGuarded(['check', file, '--fps', '1', '--json', '-', ...options], {
    seconds: 120,
  });
  expect(outcome.ended).toBeUndefined();
  const { frames } = JSON.parse(outcome.stdout || '{}') as { frames?: Frame[] };
  return { ...outcome, frames: frames ?? [] };
}

/** Pairs of triangles of the sheet that share no vertex, by counting. */
function pairsApart(cells: number): number {
  const row = cells + 1;
  const trianglesAt = new Uint32Array(row * row);
  const corners: number[][] = [];
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const v = y * row + x;
      corners.push([v, v + 1, v + row], [v + 1, v + row + 1, v + row]);
    }
  }
  for (const triangle of corners) for (const v of triangle) trianglesAt[v]++;
  let touching = 0;
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      if (corners[i].some((v) => corners[j].includes(v))) touching++;
    }
  }
  return (corners.length * (corners.length - 1)) / 2 - touching;
}

describe('meshes that are flattened or shrunk to a point', () => {
  test.each(['skinned', 'rigid', 'morph'] as const)(
    'a %s mesh hidden by an animation is named and left out',
    async (kind) => {
      const file = await writeHidden(kind, { cells: 70, kind });
      const { code, frames, stderr } = await check(file);
      expect(code).toBe(0);
      expect(frames.map(({ count }) => count)).toEqual([0, 0]);
      expect(frames.map(({ collapsed }) => collapsed)).toEqual([undefined, [0]]);
      expect(stderr).toContain(
        '"Cape" is flattened or shrunk to a point in 1 frame, first in frame 1 of Hide; left out',
      );
    },
  );

  test('a step into hiding, and one from hiding on, leave it out as well', async () => {
    const file = await writeHidden('steps', { cells: 70, kind: 'skinned' });
    const { code, frames } = await check(file, '--continuous');
    expect(code).toBe(0);
    expect(frames.map(({ count, collapsed }) => [count, collapsed])).toEqual([[0, [0]]]);
  });

  test.each([
    ['flattened along an axis', [1, 1, 1, 1, 0, 1]],
    ['shrunk to less than a billionth', [1, 1, 1, 1e-12, 1e-12, 1e-12]],
  ])('a mesh %s is left out', async (name, scale) => {
    const file = await writeHidden(name.replaceAll(' ', '-'), { cells: 20, kind: 'skinned', scale });
    expect((await check(file)).frames.map(({ collapsed }) => collapsed)).toEqual([undefined, [0]]);
  });

  test('a mesh that is only small, or turned inside out, is looked at', async () => {
    for (const scale of [
      [1, 1, 1, 1e-3, 1e-3, 1e-3],
      [1, 1, 1, -1, 1, 1],
    ]) {
      const file = await writeHidden('small', { cells: 20, kind: 'skinned', scale });
      expect((await check(file)).frames.map(({ collapsed }) => collapsed)).toEqual([undefined, undefined]);
    }
  });

  test('--include-collapsed finds every pair of its triangles, in a pose and over the step', async () => {
    const file = await writeHidden('included', { cells: 14, kind: 'skinned' });
    const all = pairsApart(14);
    const posed = await check(file, '--include-collapsed', '--self');
    expect(posed.code).toBe(1);
    expect(posed.frames.map(({ count }) => count)).toEqual([0, all]);
    const moved = await check(file, '--include-collapsed', '--self', '--continuous');
    expect(moved.frames.map(({ count }) => count)).toEqual([all]);
    expect(new Set(moved.frames[0].times)).toEqual(new Set([1]));
  });

  test('a joint that hides a part of a mesh is named', async () => {
    const file = await writeHidden('half', { cells: 10, kind: 'half-skinned' });
    const { frames, stderr } = await check(file, '--self');
    expect(frames[1].count).toBeGreaterThan(0);
    expect(frames[1].collapsed).toBeUndefined();
    expect(stderr).toContain(
      '"Cape": joint "Tail" has a singular matrix in 1 frame, first in frame 1 of Hide',
    );
  });
});
