import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTetrahedralMesh, createTriangleMesh, type TriangleMesh } from 'pliant';
import { readModes, readNpy, readObj, type StoredModes } from 'pliant/io';
import { createReducedModel } from 'pliant/simulate';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasSharedData, pliant, sharedPath, temporaryFolder } from './support/run.ts';
import { sampleGltf } from './support/sample-gltf.ts';
import { barTetrahedra, boxesObj, meditMesh } from './support/sample-solids.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const BOX = boxesObj([0, 0, 0, 4, 1, 1.3]);

beforeAll(() => {
  writeFileSync(file('box.obj'), BOX);
  writeFileSync(file('two.obj'), boxesObj([0, 0, 0, 2, 1, 1], [5, 0, 0, 2, 1, 1]));
  writeFileSync(file('bar.mesh'), meditMesh(barTetrahedra(4)));
  const { json } = sampleGltf();
  (json.meshes as { primitives: { targets?: object[] }[] }[])[0].primitives[0].targets = [{ POSITION: 0 }];
  writeFileSync(file('morph.gltf'), JSON.stringify(json));
});

/** Runs the command in the folder; it must succeed. */
async function modes(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await pliant(['modes', ...args], { cwd: folder });
  expect([code, stderr.match(/error/i)], stderr).toEqual([0, null]);
  return stdout;
}

function stored(name: string, surface?: TriangleMesh): StoredModes {
  return readModes(readFileSync(file(name)), name, surface);
}

describe('modes of a surface', () => {
  test('are stored for it, the same in every run, and dynamics can be built from them', async () => {
    const args = ['box.obj', '--vertices', '150', '--count', '6', '--quiet'];
    expect(await modes(...args, '-o', 'a.pliant', '--json', 'a.json', '--npy', 'a.npy')).toBe('');
    await modes(...args, '-o', 'b.pliant', '--json', 'b.json', '--npy', 'b.npy');
    for (const type of ['pliant', 'json', 'npy']) {
      expect(readFileSync(file(`a.${type}`)).equals(readFileSync(file(`b.${type}`))), type).toBe(true);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);

    const surface = createTriangleMesh(readObj(Buffer.from(BOX), 'box.obj'));
    const { origin, modes: found, frequencies, residuals, material, solid } = stored('a.pliant', surface);
    expect([origin, found.count, found.displacements.length]).toEqual(['linear', 6, 6 * 24]);
    expect(Array.from(frequencies!)).toEqual(Array.from(frequencies!).sort((a, b) => a - b));
    expect(frequencies![0]).toBeGreaterThan(0);
    expect(Math.max(...residuals!)).toBeLessThan(1e-6);
    const mesh = createTetrahedralMesh(solid!);
    const model = createReducedModel({
      mesh,
      modes: solid!.vectors,
      weights: solid!.fill,
      material: material!,
      surface,
      surfaceModes: found,
    });
    expect(model.modeCount).toBe(6);

    const json = JSON.parse(readFileSync(file('a.json'), 'utf8'));
    expect(json).toMatchObject({ version: 1, files: ['box.obj'], origin: 'linear', count: 6, notes: [] });
    expect(json.solid).toMatchObject({ vertices: mesh.vertexCount, rigidModes: 6, fixed: 0 });
    expect(json.solid.volume).toBeCloseTo(5.2, 6);
    expect(json.modes[0].frequency).toBe(frequencies![0]);
    const { shape, values } = readNpy(readFileSync(file('a.npy')), 'a.npy');
    expect([shape, values]).toEqual([[6, 8, 3], found.displacements]);
  });

  test('print a table, with the lattice and what was repaired', async () => {
    const text = await modes('box.obj', '-o', 'c.pliant', '--cell-size', '0.9', '--count', '3');
    expect(text).toMatch(/^box\.obj {2}8 vertices, 12 triangles, 3 modes \(linear\)\n/);
    expect(text).toMatch(/\nlattice {3}\d+ vertices, \d+ tetrahedra, cells of 0\.90000\nvolume {4}5\.2000 /);
    expect(text).toMatch(/\nheld {6}nothing; 6 rigid motions left out\n/);
    expect(text).toMatch(
      /\nmode +frequency +residual +moves up to\n {3}0 +\d+\.\d+ Hz +\d\.\de-\d+ +0\.\d+\n/,
    );
    writeFileSync(file('open.obj'), BOX.replace(/f .*\n/, ''));
    expect(await modes('open.obj', '-o', 'c.pliant', '--cell-size', '0.9', '--count', '3')).toMatch(
      /open edges: 3; holes are closed/,
    );
  });

  test('in two parts: says what becomes of them', async () => {
    const text = await modes('two.obj', '-o', 'd.pliant', '--vertices', '120', '--count', '4');
    expect(text).toMatch(/nothing; 12 rigid motions left out/);
    expect(text).toMatch(
      /falls into 2 parts that nothing connects, of \d+, \d+ tetrahedra: each has modes of its own/,
    );
  });

  test('held ones do not move where they are held', async () => {
    const text = await modes(
      'box.obj',
      '-o',
      'e.pliant',
      '--vertices',
      '150',
      '--count',
      '2',
      '--fix',
      'x<10%',
    );
    expect(text).toMatch(/held {6}\d+ of \d+ vertices\n/);
    const { solid, frequencies } = stored('e.pliant');
    expect(frequencies![0]).toBeLessThan(stored('a.pliant').frequencies![0]);
    for (const v of solid!.fixed!) {
      expect(solid!.positions[3 * v]).toBeLessThanOrEqual(0.4);
      expect(Array.from(solid!.vectors.slice(3 * v, 3 * v + 3))).toEqual([0, 0, 0]);
    }
  });

  test.each([
    ['nonlinear', '7', 7],
    ['polynomial', undefined, 24],
  ])('%s ones', async (kind, count, expected) => {
    const args = ['box.obj', '-o', 'f.pliant', '--vertices', '100', '--kind', kind];
    await modes(...args, ...(count ? ['--count', count] : []));
    const { origin, modes: found, frequencies, residuals } = stored('f.pliant');
    expect([origin, found.count, frequencies!.length, residuals]).toEqual([
      kind,
      expected,
      expected,
      undefined,
    ]);
  });
});

describe('modes of tetrahedra', () => {
  test('are those of the file, and of a surface around which it lies', async () => {
    await modes('bar.mesh', '-o', 'g.pliant', '--count', '5', '--young', '3e5', '--quiet');
    const { solid, material, modes: found, frequencies } = stored('g.pliant');
    expect([solid!.embedding, solid!.fill, solid!.tetrahedra.length]).toEqual([undefined, undefined, 4 * 24]);
    expect([found.displacements, material!.young]).toEqual([solid!.vectors, 3e5]);
    writeFileSync(file('core.obj'), boxesObj([1, 0.25, 0.25, 2, 0.5, 0.5]));
    await modes('core.obj', '--tetrahedra', 'bar.mesh', '-o', 'h.pliant', '--count', '5', '--young', '3e5');
    const inside = stored('h.pliant');
    expect([inside.frequencies, inside.solid!.vectors]).toEqual([frequencies, solid!.vectors]);
    expect(inside.modes.displacements.length).toBe(5 * 24);
  });

  test('can be imported, and their frequencies told', async () => {
    await modes('bar.mesh', '-o', 'i.pliant', '--count', '5', '--npy', 'i.npy', '--quiet');
    await modes('bar.mesh', '-o', 'j.pliant', '--import', 'i.npy');
    const [computed, imported] = [stored('i.pliant'), stored('j.pliant')];
    expect(imported.origin).toBe('imported');
    expect(imported.modes).toEqual(computed.modes);
    imported.frequencies!.forEach((frequency, k) => {
      expect(frequency).toBeCloseTo(computed.frequencies![k], 6);
    });
  });
});

describe('given modes', () => {
  test('of a surface, from NumPy, as they are', async () => {
    await modes('box.obj', '-o', 'k.pliant', '--count', '3', '--vertices', '80', '--npy', 'k.npy', '--quiet');
    const text = await modes('box.obj', '-o', 'l.pliant', '--import', 'k.npy');
    expect(text).toMatch(/3 modes \(imported\)/);
    expect(stored('l.pliant').modes).toEqual(stored('k.pliant').modes);
    expect(stored('l.pliant').solid).toBeUndefined();
  });

  test('morph targets, with their names', async () => {
    await modes('morph.gltf', '-o', 'm.pliant', '--kind', 'morph', '--mesh', 'Plate');
    const { origin, modes: found, names } = stored('m.pliant');
    expect([origin, found.count, names]).toEqual(['morph-targets', 1, ['0']]);
    expect(Array.from(found.displacements)).toEqual([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  });

  test('frames come back from the modes of a sequence', async () => {
    mkdirSync(file('frames'));
    const frame = (k: number) => boxesObj([0, k / 7, 0, 4 + Math.sin(k), 1, 1.3 + k * k]);
    for (let k = 0; k < 6; k++) writeFileSync(file(`frames/${k}.obj`), frame(k));
    const text = await modes('frames', '-o', 'n.pliant');
    expect(text).toMatch(/3 modes \(sequence\)/);
    const { modes: found, poses } = stored('n.pliant');
    const rest = readObj(Buffer.from(frame(0)), 'rest').positions;
    for (let k = 0; k < 6; k++) {
      const { positions } = readObj(Buffer.from(frame(k)), 'frame');
      positions.forEach((x, i) => {
        let sum = rest[i];
        for (let m = 0; m < 3; m++) sum += poses![3 * k + m] * found.displacements[24 * m + i];
        expect(sum).toBeCloseTo(x, 9);
      });
    }
  });
});

describe('pliant info of stored files', () => {
  test('shows kind, version, hash, counts and settings', async () => {
    await modes('bar.mesh', '-o', 'o.pliant', '--count', '4', '--fix', 'x<0', '--quiet');
    const { code, stdout } = await pliant(['info', 'o.pliant'], { cwd: folder });
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^o\.pliant {2}modes, format 1, [\d,]+ bytes$/),
    ]);
    expect(stdout).toMatch(/\nmade from +[0-9a-f]{32}\norigin +linear\ncount +4\n/);
    expect(stdout).toMatch(/\ndetails\.fix +x<0\n/);
    expect(stdout).toMatch(/\ntetrahedra +uint32 +96\n/);
    expect(stdout).toMatch(/\nmode +frequency/);
    const json = JSON.parse((await pliant(['info', 'o.pliant', '--json', '-'], { cwd: folder })).stdout);
    expect(json).toMatchObject({ kind: 'modes', formatVersion: 1, settings: { count: 4, origin: 'linear' } });
    expect(json.modes.frequencies).toEqual(Array.from(stored('o.pliant').frequencies!));
  });

  test('refuses damaged ones', async () => {
    const bytes = readFileSync(file('a.pliant'));
    bytes[bytes.length - 3] ^= 4;
    writeFileSync(file('damaged.pliant'), bytes);
    const { code, stdout, stderr } = await pliant(['info', 'damaged.pliant'], { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^pliant: damaged\.pliant: .*is damaged.*\n$/);
  });
});

test.runIf(hasSharedData)('a real surface in its tetrahedra, and a face', async () => {
  const at = (name: string) => sharedPath(`tet/asianDragon/asianDragon.${name}`);
  const text = await modes(at('obj'), '--tetrahedra', at('veg'), '-o', 'p.pliant', '--count', '5');
  expect(text).toMatch(/solid {5}959 vertices, 2,591 tetrahedra\n/);
  expect(text).toMatch(/\d+ vertices outside the tetrahedra, carried by the nearest\n/);
  expect(Math.max(...stored('p.pliant').residuals!)).toBeLessThan(1e-6);
  await modes(sharedPath('morph/ict-face-10.glb'), '-o', 'q.pliant', '--kind', 'morph', '--quiet');
  expect(stored('q.pliant').names).toContain('jawOpen');
});

test('Ctrl-C: exit code 130, and nothing is written', async () => {
  mkdirSync(file('stopped'));
  const outputs = ['-o', 'stopped/x.pliant', '--npy', 'stopped/x.npy', '--json', 'stopped/x.json'];
  const args = ['modes', 'box.obj', '--vertices', '20000', '--count', '60', ...outputs];
  const { code, stdout, stderr } = await pliant(args, { cwd: folder, interruptAfter: 1500 });
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(/pliant: stopped; nothing was written\n$/);
  expect(readdirSync(file('stopped'))).toEqual([]);
});
