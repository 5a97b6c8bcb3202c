import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pliant, temporaryFolder } from '../support/run.ts';
import { sampleGltf } from '../support/sample-gltf.ts';

const folder = temporaryFolder();
/** Escape sequences, a bell, C1, changes of direction, line breaks of all kinds, and commands of build servers. */
const HOSTILE = [
  '\x1b]0;title\x07\x1b[2J\x1b[31m',
  '\x9b31m\x85\x7f',
  '\u202eevil\u2066\u200b\ufeff\u{e0041}',
  'a\n::warning::forged',
  '::warning file=x::forged',
  'a\r::error::forged\u2028::error::forged',
  ' \u3000::set-output name=x::forged',
  '##[error]forged ##vso[task.complete]x ##teamcity[x]',
  ']]>&<failure message="x"/>\ud800',
];
const [ESCAPES, C1, BIDI, BREAK, COMMAND, RETURN, SPACES, HASHES, MARKUP] = HOSTILE;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\ufffd]/u;
const FORGED_COMMAND = /^\s*::(?!error file=[^\n:]*,title=[^\n:]*::)|##\w*\[/mu;

function expectPlain(text: string): void {
  expect(text).not.toMatch(RAW);
  expect(text).not.toMatch(FORGED_COMMAND);
}

beforeAll(() => {
  const { json } = sampleGltf();
  const nodes = json.nodes as { name: string }[];
  const meshes = json.meshes as { name: string }[];
  const materials = json.materials as { name: string }[];
  const animations = json.animations as { name: string }[];
  [nodes[0].name, nodes[1].name] = [BREAK, COMMAND + ESCAPES];
  [meshes[0].name, meshes[1].name] = [BIDI, RETURN];
  [materials[0].name, materials[1].name] = [MARKUP, C1];
  [animations[0].name, animations[1].name] = [SPACES + HASHES + BREAK + BIDI, COMMAND + C1];
  (json as { extensionsUsed?: string[] }).extensionsUsed = [`EXT_${ESCAPES}${BREAK}`];
  writeFileSync(join(folder, 'sample.gltf'), JSON.stringify(json));
  const named = join(folder, '::warning::a\n::error::b\x1b[31m\u202e');
  mkdirSync(named);
  writeFileSync(join(named, '::warning::\x1b.gltf'), JSON.stringify(json));
  writeFileSync(join(folder, 'broken.gltf'), JSON.stringify({ ...json, nodes: [{ name: BREAK, mesh: 9 }] }));
  writeFileSync(
    join(folder, 'colours.obj'),
    `o ${COMMAND}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\ng ${ESCAPES}\nf 1 2 4\n`,
  );
});

describe('names from files', () => {
  const FILE = ['check', '::warning::\x1b.gltf'];
  test.each<[string, string[], number]>([
    ['text', ['check', 'sample.gltf'], 1],
    ['github', ['check', 'sample.gltf', '--format', 'github'], 1],
    ['github, of the file', [...FILE, '--format', 'github'], 1],
    ['junit', ['check', 'sample.gltf', '--format', 'junit'], 1],
    ['junit, of the file', [...FILE, '--format', 'junit'], 1],
    ['junit, of several files', ['check', 'sample.gltf', 'broken.gltf', '--format', 'junit'], 2],
    ['JSON', ['check', 'sample.gltf', '--json', '-'], 1],
    ['info', ['info', 'sample.gltf'], 0],
    ['info, JSON', ['info', 'sample.gltf', '--json', '-'], 0],
    ['info of a mesh', ['info', 'colours.obj'], 0],
    ['errors that list clips', ['check', 'sample.gltf', '--clip', `x${ESCAPES}`], 2],
    ['errors that list meshes', ['modes', 'sample.gltf', '-o', 'x.pliant'], 2],
    ['errors of readers', ['check', 'broken.gltf'], 2],
    ['errors of the command line', ['check', `--x${ESCAPES}${BREAK}`], 2],
    ['commands that do not exist', [`${ESCAPES}${BREAK}`], 2],
    ['patterns that match nothing', ['check', 'sample.gltf', '--ignore', `x${ESCAPES}${BREAK}`], 1],
    ['files that do not exist', ['check', `${ESCAPES}${BREAK}.glb`], 2],
  ])('%s: neither steer a terminal nor a build server', async (_, args, exitCode) => {
    const cwd = args[1]?.startsWith(':') ? join(folder, '::warning::a\n::error::b\x1b[31m\u202e') : folder;
    const { code, stdout, stderr } = await pliant(args, { cwd });
    expectPlain(stdout);
    expectPlain(stderr);
    expect(code).toBe(exitCode);
  });

  test('in JSON nothing is lost', async () => {
    const { stdout } = await pliant(['check', 'sample.gltf', '--json', '-'], { cwd: folder });
    const { meshes, frames } = JSON.parse(stdout);
    expect(meshes.map(({ name }: { name: string }) => name)).toEqual([BREAK, COMMAND + ESCAPES]);
    expect(frames[0].clip).toBe(SPACES + HASHES + BREAK + BIDI);
  });

  test('JUnit XML keeps to the characters of XML', async () => {
    const { stdout } = await pliant(['check', 'sample.gltf', '--format', 'junit'], { cwd: folder });
    expect(stdout.match(/<failure /g)).toHaveLength(1);
    expect(stdout).not.toContain(']]>');
    expect(stdout).not.toMatch(/="[^"]*\n/); // attributes of one line
  });

  test('the report in HTML', async () => {
    expect((await pliant(['check', 'sample.gltf', '--html', 'report.html'], { cwd: folder })).code).toBe(1);
    const html = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(html).not.toMatch(RAW);
    expect(html).not.toContain('<failure');
  });

  test('written as OBJ, they stay names', async () => {
    expect((await pliant(['bake', 'sample.gltf', '-o', 'baked', '--times', '0'], { cwd: folder })).code).toBe(
      0,
    );
    const { frames } = JSON.parse(readFileSync(join(folder, 'baked/frames.json'), 'utf8'));
    const text = readFileSync(join(folder, 'baked', frames[0].file), 'utf8');
    expect(text.split('\n').filter((line) => !/^([ovfg] |usemtl |#|$)/.test(line))).toEqual([]);
  });
});
