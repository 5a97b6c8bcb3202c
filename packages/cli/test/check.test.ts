import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePc2 } from 'pliant/io';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCheck, schemaErrors } from './support/check-output.ts';
import { compressed } from './support/compressed-gltf.ts';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb, sampleGltf } from './support/sample-gltf.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

const APART = 'v 0 0 0\nv 2 0 0\nv 0 2 0\nv .5 .5 3\nv .5 .5 4\nv 1 1 4\nf 1 2 3\nf 4 5 6\n';
const CROSSING = APART.replace('v .5 .5 3', 'v .5 .5 -1');

beforeAll(() => {
  writeFileSync(file('sample.glb'), sampleGlb());
  writeFileSync(file('sample.gltf'), JSON.stringify(sampleGltf().json));
  writeFileSync(file('apart.obj'), APART);
  writeFileSync(file('crossing.obj'), CROSSING);
  mkdirSync(file('frames'));
  writeFileSync(file('frames/f1.obj'), APART);
  writeFileSync(file('frames/f2.obj'), CROSSING);
  writeFileSync(file('frames/f10.obj'), APART);
});

describe('check', () => {
  test('writes the contract for a glTF scene, and exits with 1', async () => {
    const { code, stdout, stderr } = await pliant([
      'check',
      file('sample.glb'),
      '--fps',
      '10',
      '--json',
      '-',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pliant: 17 frames in /);
    const found = readCheck(stdout);
    expect(schemaErrors(found)).toEqual([]);
    expect(Object.keys(found)).toEqual(['version', 'files', 'meshes', 'method', 'frames', 'total', 'state']);
    expect(found.files).toEqual(['sample.glb']);
    expect(found.meshes).toEqual([
      { name: 'Plate', node: 0, vertices: 4, triangles: 2, firstTriangle: 0 },
      { name: 'Spike', node: 1, vertices: 3, triangles: 1, firstTriangle: 2 },
    ]);
    expect(found.frames.map(({ clip, index }) => `${clip} ${index}`)).toEqual([
      ...Array.from({ length: 11 }, (_, k) => `Fall ${k}`),
      ...Array.from({ length: 6 }, (_, k) => `Hover ${k}`),
    ]);
    expect(found.frames.map(({ count }) => count)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0,
    ]);
    expect(found.frames[8]).toEqual({ index: 8, clip: 'Fall', time: 0.8, count: 1, pairs: [[0, 2]] });
    expect([found.total, found.state, found.method]).toEqual([3, 'complete', 'auto']);
  });

  test('reads .gltf, prints a summary, and is silent with --quiet', async () => {
    const loud = await pliant(['check', file('sample.gltf')]);
    expect(loud.stdout).toContain('Plate');
    expect(loud.stdout).toMatch(/contacts in \d+ of 47 frames/);
    expect(loud.stdout).not.toContain('\x1b[');
    const quiet = await pliant(['check', file('sample.gltf'), '--quiet']);
    expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([1, '', '']);
  });

  test('chooses clips, frames and times', async () => {
    const run = async (...args: string[]) => {
      const { stdout } = await pliant(['check', file('sample.glb'), '--quiet', '--json', '-', ...args]);
      return readCheck(stdout).frames.map(
        ({ clip, index, time, count }) => `${clip}/${index}@${time}:${count}`,
      );
    };
    expect(await run('--clip', 'Hover', '--fps', '2')).toEqual(['Hover/0@0:0', 'Hover/1@0.5:0']);
    expect(await run('--clip', '0', '--times', '0.5,0.9')).toEqual(['Fall/0@0.5:0', 'Fall/1@0.9:1']);
    expect(await run('--fps', '10', '--frames', '5-8')).toEqual([
      'Fall/5@0.5:0',
      'Fall/6@0.6:0',
      'Fall/7@0.7:0',
      'Fall/8@0.8:1',
      'Hover/5@0.5:0',
    ]);
  });

  test('looks within, between, at steps, and at few pairs', async () => {
    const total = async (...args: string[]) =>
      readCheck(
        (await pliant(['check', file('sample.glb'), '--quiet', '--json', '-', '--fps', '10', ...args]))
          .stdout,
      );
    expect((await total('--self')).total).toBe(0);
    expect((await total('--between')).total).toBe(3);
    const cut = await total('--max-pairs', '0');
    expect([cut.total, cut.state, cut.frames[8].pairs]).toEqual([3, 'truncated', []]);
    const steps = await total('--continuous', '--clip', 'Fall');
    expect(steps.frames.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(steps.frames[7].times![0]).toBeCloseTo(0.5, 6); // from 0.7 s to 0.8 s; the tip arrives at 0.75 s
    expect(schemaErrors(steps)).toEqual([]);
  });

  test('takes one mesh, a folder, a list and a point cache', async () => {
    const run = async (...args: string[]) => {
      const outcome = await pliant(['check', '--quiet', '--json', '-', ...args]);
      const { files, frames } = readCheck(outcome.stdout);
      return [outcome.code, files.join(), frames.map(({ count }) => count).join()];
    };
    const positions = (z: number) =>
      Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, z, 0.5, 0.5, 4, 1, 1, 4);
    writeFileSync(file('cache.pc2'), writePc2([positions(3), positions(-1)]));
    expect(await run(file('apart.obj'))).toEqual([0, 'apart.obj', '0']);
    expect(await run(file('crossing.obj'))).toEqual([1, 'crossing.obj', '1']);
    expect(await run(file('frames'))).toEqual([1, 'f1.obj,f2.obj,f10.obj', '0,1,0']);
    expect(await run(file('crossing.obj'), file('apart.obj'))).toEqual([1, 'crossing.obj,apart.obj', '1,0']);
    expect(await run(file('apart.obj'), file('cache.pc2'))).toEqual([1, 'apart.obj,cache.pc2', '0,1']);
  });

  test('holds two files against each other, each with its own ids', async () => {
    const { stdout, code } = await pliant([
      'check',
      file('crossing.obj'),
      file('apart.obj'),
      '--between',
      '--json',
      '-',
    ]);
    const { meshes, frames } = readCheck(stdout);
    expect(code).toBe(1);
    expect(meshes.map(({ firstTriangle }) => firstTriangle)).toEqual([0, 0]);
    expect(frames[0].pairs).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
  });

  test('plays clips of the same name together in two glTF files', async () => {
    const files = [file('sample.glb'), file('sample.gltf')];
    const { stdout } = await pliant([
      'check',
      ...files,
      '--between',
      '--fps',
      '10',
      '--clip',
      'Fall',
      '--json',
      '-',
    ]);
    const { frames, files: names } = readCheck(stdout);
    expect(names).toEqual(['sample.glb', 'sample.gltf']);
    const always = '0,0 0,1 1,0 1,1 2,2'; // each plate with the other one, each spike with the other one
    expect(frames.map(({ pairs }) => pairs.join(' '))).toEqual([
      ...Array(8).fill(always),
      ...Array(3).fill('0,0 0,1 0,2 1,0 1,1 2,0 2,2'),
    ]);
  });

  test('finds folds with --adjacent only', async () => {
    writeFileSync(file('fold.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 1 4\n');
    expect((await pliant(['check', file('fold.obj'), '--quiet'])).code).toBe(0);
    expect((await pliant(['check', file('fold.obj'), '--quiet', '--adjacent'])).code).toBe(1);
  });

  test('reads Draco and meshopt', async () => {
    for (const kind of ['draco', 'meshopt'] as const) {
      writeFileSync(file(`${kind}.glb`), await compressed(sampleGlb(), kind));
      const { stdout } = await pliant(['check', file(`${kind}.glb`), '--fps', '10', '--json', '-']);
      expect(readCheck(stdout).total, kind).toBe(3);
    }
  });

  test('takes vertices of a sequence apart where a frame does', async () => {
    const seam = (x: number) =>
      `v 0 0 0\nv 1 0 0\nv 0 1 0\nv ${x} 0 0\nv -1 0 0\nv 0 -1 0\nf 1 2 3\nf 4 5 6\n`;
    writeFileSync(file('seam1.obj'), seam(0));
    writeFileSync(file('seam2.obj'), seam(0.25)); // now a corner lies on the other triangle's edge
    writeFileSync(file('seam3.obj'), seam(-0.25));
    const names = ['seam1.obj', 'seam2.obj', 'seam3.obj'].map(file);
    const { stdout } = await pliant(['check', ...names, '--json', '-']);
    expect(readCheck(stdout).frames.map(({ pairs }) => pairs)).toEqual([[], [[0, 1]], []]);
  });

  test('gives the outer faces of tetrahedra their ids', async () => {
    const text =
      'MeshVersionFormatted 1\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 -1 0\n';
    writeFileSync(file('two.mesh'), `${text}Tetrahedra\n2\n1 2 3 4 0\n1 3 2 5 0\nEnd\n`);
    const { stdout, code } = await pliant(['check', file('two.mesh'), '--json', '-']);
    expect(code).toBe(0);
    expect(readCheck(stdout).meshes).toEqual([
      { name: 'two', node: null, vertices: 5, triangles: 6, firstTriangle: 0 },
    ]);
  });

  test('writes the same bytes for any number of threads, and for merged shards', async () => {
    const run = async (name: string, ...args: string[]) => {
      const options = ['--fps', '10', '--quiet', '--json', file(name), ...args];
      expect((await pliant(['check', file('sample.glb'), ...options])).stderr).toBe('');
      return readFileSync(file(name), 'utf8');
    };
    const one = await run('one.json', '--threads', '1');
    expect(await run('two.json', '--threads', '2')).toBe(one);
    const parts = ['0/3', '1/3', '2/3'];
    for (const [k, shard] of parts.entries()) {
      const part = await run(`part${k}.json`, '--shard', shard, '--threads', String(1 + (k % 2)));
      expect(schemaErrors(readCheck(part))).toEqual([]);
    }
    const merged = await pliant([
      'merge',
      file('part2.json'),
      file('part0.json'),
      file('part1.json'),
      '-o',
      '-',
    ]);
    expect([merged.code, merged.stdout]).toEqual([0, one]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('merge refuses what does not belong together', async () => {
    const make = (name: string, ...args: string[]) =>
      pliant(['check', file('sample.glb'), '--quiet', '--json', file(name), ...args]);
    await make('a.json', '--shard', '0/2');
    await make('b.json', '--shard', '1/2', '--fps', '20');
    await make('c.json', '--shard', '1/2');
    await make('whole.json');
    writeFileSync(file('cut.json'), readFileSync(file('c.json'), 'utf8').slice(0, -40));
    const message = async (...names: string[]) => {
      const { code, stdout, stderr } = await pliant(['merge', ...names.map(file), '-o', file('merged.json')]);
      expect([code, stdout]).toEqual([2, '']);
      return stderr;
    };
    expect(await message('a.json', 'b.json')).toMatch(
      /b\.json: was made from other files or with other options/,
    );
    expect(await message('a.json')).toMatch(/shard 1\/2 is missing/);
    expect(await message('a.json', 'a.json', 'c.json')).toMatch(/holds the same shard/);
    expect(await message('whole.json')).toMatch(/this is not a shard/);
    expect(await message('a.json', 'cut.json')).toMatch(/cut\.json: (is cut short|is damaged|its)/);
    expect(await message('a.json', 'none.json')).toMatch(/none\.json: there is no such file/);
    expect(readdirSync(folder)).not.toContain('merged.json');
  });

  test('volumes of any kind lead to the same pairs', async () => {
    const outputs = [];
    for (const bounds of ['auto', 'boxes', 'two-largest', 'sphere', 'sphere-skin']) {
      const args = ['--bounds', bounds, '--method', 'on-demand', '--json', file('bounds.json')];
      const { code } = await pliant(['check', file('sample.glb'), '--fps', '10', ...args]);
      expect(code).toBe(1);
      outputs.push(readFileSync(file('bounds.json'), 'utf8'));
    }
    expect(new Set(outputs).size).toBe(1);
  });

  test('writes statistics and a report beside the JSON', async () => {
    const args = ['--stats', file('stats.json'), '--html', file('report.html'), '--json', file('out.json')];
    const { code } = await pliant(['check', file('sample.glb'), '--fps', '10', ...args]);
    expect(code).toBe(1);
    const stats = JSON.parse(readFileSync(file('stats.json'), 'utf8'));
    expect(stats.frames).toHaveLength(17);
    expect(stats.frames[0]).toMatchObject({ index: 0, clip: 'Fall', count: 0 });
    expect(stats.checkSeconds).toBeGreaterThan(0);
    const html = readFileSync(file('report.html'), 'utf8');
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('sample.glb');
    expect(html).not.toMatch(/(src|href)="https?:/);
  });
});

describe('bake and info', () => {
  test('bake writes world positions with 17 digits in file order', async () => {
    const { code } = await pliant([
      'bake',
      file('sample.glb'),
      '--times',
      '0.8,1',
      '-o',
      file('baked'),
      '--quiet',
    ]);
    expect(code).toBe(0);
    const names = [
      'frame_Fall_0.obj',
      'frame_Fall_1.obj',
      'frame_Hover_0.obj',
      'frame_Hover_1.obj',
      'frames.json',
    ];
    expect(readdirSync(file('baked')).sort()).toEqual(names);
    const lines = readFileSync(file('baked/frame_Fall_1.obj'), 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('v '))).toHaveLength(7);
    expect(lines).toContain('v -1.0000000000000000 -1.0000000000000000 0.0000000000000000');
    expect(lines.filter((line) => line.startsWith('f '))).toEqual(['f 1 2 3', 'f 1 3 4', 'f 5 6 7']);
    const { frames } = JSON.parse(readFileSync(file('baked/frames.json'), 'utf8'));
    expect(frames[0]).toEqual({ file: 'frame_Fall_0.obj', index: 0, clip: 'Fall', time: 0.8 });
  });

  test('bake at rest, and of clips whose names are no file names', async () => {
    const { json } = sampleGltf();
    (json.animations as { name: string }[]).forEach((clip, k) => {
      clip.name = ['../a/b', '../a?b'][k];
    });
    writeFileSync(file('odd.gltf'), JSON.stringify(json));
    await pliant(['bake', file('odd.gltf'), '--times', '0', '-o', file('odd'), '--quiet']);
    expect(readdirSync(file('odd')).sort()).toEqual([
      'frame_.._a_b_0.obj',
      'frame_.._a_b~2_0.obj',
      'frames.json',
    ]);
    await pliant(['bake', file('apart.obj'), '-o', file('rest'), '--quiet']);
    expect(readdirSync(file('rest'))).toContain('frame_rest_0.obj');
  });

  test('info counts, as text and as JSON', async () => {
    const text = await pliant(['info', file('sample.glb')]);
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/Fall\s+1\.000 s/);
    const { stdout } = await pliant(['info', file('sample.glb'), '--json', '-']);
    const found = JSON.parse(stdout);
    expect(found.clips).toEqual([
      { name: 'Fall', duration: 1 },
      { name: 'Hover', duration: 0.5 },
    ]);
    expect(found.meshes[0]).toMatchObject({
      name: 'Plate',
      vertices: 4,
      triangles: 2,
      closed: false,
      components: 1,
    });
    expect(found.meshes[0].defects.boundaryEdges).toBe(4);
    expect(found.meshes[0].names).toEqual(['Steel', 'Plate', 'PlateMesh']);
  });
});
