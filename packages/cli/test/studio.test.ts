import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from './support/run.ts';
import { sampleGlb } from './support/sample-gltf.ts';

const COMMAND = fileURLToPath(new URL('../bin/pliant.mjs', import.meta.url));
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(file('sample.glb'), sampleGlb());
  mkdirSync(file('frames'));
  for (const name of ['a2.obj', 'a10.obj', '.hidden']) writeFileSync(join(file('frames'), name), 'v 0 0 0\n');
  const gltf = {
    asset: { version: '2.0' },
    buffers: [{ uri: 'sub/data.bin' }, { uri: '../secret' }, { uri: 'data:,' }],
  };
  writeFileSync(file('model.gltf'), JSON.stringify(gltf));
});

describe('pliant studio', () => {
  let child: ChildProcess | undefined;
  let said = ''; // on stderr

  afterEach(() => {
    child?.kill('SIGKILL');
    child = undefined;
  });

  /** Resolves to the address that it prints. */
  function start(args: readonly string[]): Promise<string> {
    const env = { ...process.env, CI: 'true' };
    child = spawn(process.execPath, [COMMAND, 'studio', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return new Promise((resolve, reject) => {
      child!.stdout!.setEncoding('utf8').once('data', (text: string) => {
        resolve(/^Pliant Studio: (http:\S+)\n$/.exec(text)?.[1] ?? `printed ${text}`);
      });
      child!.once('exit', (code) => reject(new Error(`ended with ${code}`)));
    });
  }

  const offered = async (address: string) => {
    const response = await fetch(new URL('served/index.json', address));
    return ((await response.json()) as { files: string[] }).files;
  };

  test('serves the site and the file until it is interrupted', async () => {
    const address = await start(['sample.glb']);
    expect(address).toMatch(/#scene=inspector&open=served$/);
    expect(await (await fetch(address)).text()).toContain('<title>Pliant Studio</title>');
    expect(await offered(address)).toEqual(['sample.glb']);
    const bytes = await (await fetch(new URL('served/0', address))).arrayBuffer();
    expect(Buffer.from(bytes).equals(sampleGlb())).toBe(true);
    const code = new Promise((resolve) => child!.once('exit', resolve));
    child!.kill('SIGINT');
    expect(await code).toBe(0);
  });

  test('offers the frames of a folder, and the buffers of a .gltf that lie below it', async () => {
    expect((await offered(await start(['frames']))).sort()).toEqual(['a10.obj', 'a2.obj']);
    child!.kill('SIGKILL');
    expect(await offered(await start(['model.gltf']))).toEqual(['model.gltf', 'sub/data.bin']);
  });

  test('leaves out buffers and frames that are links out of the folder, and says so', async () => {
    writeFileSync(file('secret'), 'secret');
    mkdirSync(file('linked'));
    symlinkSync(file('secret'), join(file('linked'), 'out.bin'));
    symlinkSync(file('secret'), join(file('linked'), 'frame.obj'));
    symlinkSync('own.bin', join(file('linked'), 'in.bin'));
    writeFileSync(join(file('linked'), 'own.bin'), 'own');
    const buffers = ['out.bin', 'in.bin', 'none.bin'].map((uri) => ({ uri }));
    writeFileSync(join(file('linked'), 'm.gltf'), JSON.stringify({ asset: { version: '2.0' }, buffers }));
    const address = await start(['linked/m.gltf']);
    expect(await offered(address)).toEqual(['m.gltf', 'in.bin', 'none.bin']);
    expect(await (await fetch(new URL('served/1', address))).text()).toBe('own');
    expect(said).toContain('pliant: linked/out.bin leads out of its folder and is not served\n');
    child!.kill('SIGKILL');
    expect((await offered(await start(['linked']))).sort()).toEqual(['in.bin', 'm.gltf', 'own.bin']);
  });

  test('without a file there is nothing to fetch', async () => {
    const address = await start([]);
    expect(address).not.toContain('#');
    expect(await offered(address)).toEqual([]);
  });

  test('refuses a file that is not there, and a bad port', async () => {
    expect(await pliant(['studio', 'none.glb'], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: 'pliant: none.glb: there is no such file\n',
    });
    expect((await pliant(['studio', '--port', '99999'])).stderr).toMatch(/--port must be a whole number/);
  });
});
