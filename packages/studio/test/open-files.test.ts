import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInputs } from '../../cli/src/scene/inputs.ts';
import { openScene } from '../../cli/src/scene/open-scene.ts';
import type { PartMoment } from '../../cli/src/scene/scene.ts';
import { sampleGlb } from '../../cli/test/support/sample-gltf.ts';
import { openFiles } from '../src/files/open-files.ts';

type Files = Readonly<Record<string, Uint8Array>>;

const text = (...lines: readonly string[]) => new TextEncoder().encode(`${lines.join('\n')}\n`);
const triangle = (z: number) => ['v 0 0 0', 'v 1 0 0', `v 0 1 ${z}`];
const frame = (z: number) => text('g body', 'usemtl cloth', ...triangle(z), 'f 1 2 3', 'g lid', 'f 3 2 1');

/** TetGen: a file of points, and one of tetrahedra. */
const POINTS = text('4 3 0 0', '0 0 0 0', '1 1 0 0', '2 0 1 0', '3 0 0 1');
const ONE = text('1 4 0', '0 0 1 2 3'),
  NONE = text('0 4 0');

/** LightWave MDD: a frame for each time, moved by that time. */
function cache(points: number, times: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 + 4 * times.length + 12 * points * times.length));
  view.setInt32(0, times.length);
  view.setInt32(4, points);
  times.forEach((time, k) => void view.setFloat32(8 + 4 * k, time));
  const first = 8 + 4 * times.length;
  times.forEach((time, k) => {
    for (let i = 0; i < 3 * points; i++) view.setFloat32(first + 4 * (3 * points * k + i), i + time);
  });
  return new Uint8Array(view.buffer);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pliant-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As `pliant check` opens them. */
async function openByCommand(files: Files) {
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const paths = Object.keys(files).map((name) => join(folder, name));
  return openScene(await findInputs(paths, false));
}

async function openInStudio(files: Files) {
  return (await openFiles(Object.entries(files).map(([path, bytes]) => ({ path, bytes })))).scene;
}

describe('the studio opens what the command opens', () => {
  const SAMPLES: [string, Files, PartMoment[]][] = [
    ['glTF', { 'hero.glb': sampleGlb() }, [{}, { clip: 0, time: 0.5 }, { clip: 1, time: 0.25 }]],
    ['a mesh', { 'a.obj': frame(0) }, [{}]],
    ['tetrahedra', { 'a.node': POINTS, 'a.ele': ONE }, [{}]],
    ['a sequence', { 'f1.obj': frame(0), 'f2.obj': frame(1) }, [{ frame: 0 }, { frame: 1 }, { frame: 0 }]],
    [
      'a mesh and its cache',
      { 'a.obj': frame(0), 'a.mdd': cache(3, [0, 0.5]) },
      [{ frame: 0 }, { frame: 1 }],
    ],
  ];

  test.each(SAMPLES)('%s', async (_, files, moments) => {
    const [command, studio] = [await openByCommand(files), await openInStudio(files)];
    expect(studio.meshes).toEqual(command.meshes);
    expect(studio.triangleCount).toBe(command.triangleCount);
    const [mine, theirs] = [studio.parts[0], command.parts[0]];
    expect(mine.clips).toEqual(theirs.clips);
    expect(mine.sequence).toEqual(theirs.sequence);
    for (const moment of moments) expect(await mine.poses(moment)).toEqual(await theirs.poses(moment));
  });
});

describe('and refuses what does not fit together', () => {
  const longer = text(...triangle(0), 'v 5 5 5', 'f 1 2 3', 'f 3 2 1');
  const fewer = text(...triangle(0), 'f 1 2 3');
  const turned = text(...triangle(0), 'f 1 2 3', 'f 3 1 2');

  test.each([
    ['other vertices', longer, '4 vertices, but DIR/a.obj has 3'],
    ['fewer triangles', fewer, '1 triangles, but DIR/a.obj has 2'],
    ['other triangles', turned, 'triangle 1 is another one than in DIR/a.obj'],
  ])('a sequence with %s', async (_, second, said) => {
    const files = { 'a.obj': frame(0), 'b.obj': second };
    const [part] = (await openByCommand(files)).parts;
    await expect(part.poses({ frame: 1 })).rejects.toMatchObject({
      name: 'InputError',
      code: 'mismatch',
      message:
        `${join(folder, 'b.obj')}: ${said.replace('DIR/', join(folder, '/'))}; ` +
        'frames of a sequence need the same triangles (two files against each other: --between)',
    });
    await expect(openInStudio(files)).rejects.toMatchObject({
      name: 'InputError',
      code: 'mismatch',
      message: 'b.obj: other triangles than in a.obj; frames of a sequence need the same triangles',
    });
  });

  test('a cache of another mesh', async () => {
    const files = { 'a.obj': frame(0), 'a.mdd': cache(5, [0]) };
    const [mesh, points] = [join(folder, 'a.obj'), join(folder, 'a.mdd')];
    await expect(openByCommand(files)).rejects.toThrow(`${points}: 5 points, but ${mesh} has 3 vertices`);
    await expect(openInStudio(files)).rejects.toThrow('a.mdd: 5 points, but a.obj has 3 vertices');
  });

  test('tetrahedra without any', async () => {
    const files = { 'none.node': POINTS, 'none.ele': NONE };
    await expect(openByCommand(files)).rejects.toThrow(`${join(folder, 'none.node')}: no tetrahedra`);
    await expect(openInStudio(files)).rejects.toThrow('none.node: no tetrahedra');
  });
});
