import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../..', import.meta.url));
const { exports } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
/** Workers start to work when they are imported; the others are data. */
const modules = Object.keys(exports).filter((path) => !/\.(worker|wasm|json)$/.test(path));

/** A folder in which the built package is installed, and nothing else: no optional peer can be found from there. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pliant-alone-'));
  const installed = join(folder, 'node_modules', 'pliant');
  await mkdir(installed, { recursive: true });
  await cp(join(source, 'dist'), join(installed, 'dist'), { recursive: true });
  await cp(join(source, 'package.json'), join(installed, 'package.json'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function runAlone(program: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: {} });
  return stdout.trim();
}

describe('without optional peers', () => {
  test.each(modules.filter((path) => path !== './three'))('%s can be imported', async (path) => {
    const name = join('pliant', path).replaceAll('\\', '/');
    const count = await runAlone(`console.log(Object.keys(await import(${JSON.stringify(name)})).length)`);
    expect(Number(count)).toBeGreaterThan(0);
  });

  test('./three says that three is missing', async () => {
    const said = await runAlone(`await import('pliant/three').catch((error) => console.log(error.message))`);
    expect(said).toContain("Cannot find package 'three'");
  });

  test('glTF with packed accessors is read; a stride says what to install', async () => {
    const said = await runAlone(`
      import { readGltf } from 'pliant/gltf';
      for (const byteStride of [12, 16]) {
        const bytes = new Uint8Array(3 * byteStride);
        const numbers = new Float32Array(bytes.buffer);
        numbers[byteStride / 4] = numbers[byteStride / 2 + 1] = 1;
        const json = {
          asset: { version: '2.0' },
          scene: 0,
          scenes: [{ nodes: [0] }],
          nodes: [{ mesh: 0 }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
          bufferViews: [{ buffer: 0, byteLength: bytes.length, byteStride }],
          buffers: [{ byteLength: bytes.length, uri: 'data:application/octet-stream;base64,' + Buffer.from(bytes).toString('base64') }],
        };
        try {
          const scene = await readGltf(new TextEncoder().encode(JSON.stringify(json)), 'a.gltf');
          console.log(Object.keys(scene).length > 0 ? 'read' : 'empty');
        } catch (error) {
          console.log(error.name, error.code, error.message);
        }
      }
    `);
    const [packed, strided] = said.split('\n');
    expect(packed).toBe('read');
    expect(strided).toContain('InputError unsupported');
    expect(strided).toContain('accessors[0] has elements with a stride');
    expect(strided).toContain('npm install @gltf-transform/core');
  });
});
