// What npm would publish: which files, how large, whether tools find what they need, and that nothing tells where it
// was built.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { captureNpm, root, runTool, StepError } from './run.mjs';

/** What each package may consist of, and what must be there. Sizes in bytes. */
const PACKAGES = [
  {
    folder: 'packages/pliant',
    may: /^(package\.json|README\.md|LICENSE|dist\/[\w.-]+\.(js|js\.map|d\.ts|wasm))$/,
    must: ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/task.worker.js'],
    largestFile: 1_000_000,
    largest: 2_500_000,
    attw: [
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'kernels.wasm',
      'extra-kernels.wasm',
      'factor.wasm',
    ],
  },
  {
    folder: 'packages/cli',
    may: /^(package\.json|README\.md|LICENSE|bin\/pliant\.mjs|schema\/[\w.-]+\.json|dist\/[\w.-]+\.js(\.map)?|dist\/studio\/(index\.html|assets\/[\w.-]+))$/,
    must: [
      'package.json',
      'README.md',
      'LICENSE',
      'bin/pliant.mjs',
      'dist/pliant.js',
      'dist/studio/index.html',
    ],
    largestFile: 1_500_000,
    largest: 3_000_000,
  },
];

/** Resolves to what was checked, in words. Errors: StepError for the first thing that is wrong. */
export async function checkContents() {
  const store = mkdtempSync(join(tmpdir(), 'pliant-pack-'));
  try {
    const folders = PACKAGES.map(({ folder }) => join(root, folder));
    const packed = JSON.parse(
      await captureNpm(['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', store]),
    );
    const notes = [];
    for (const [k, rules] of PACKAGES.entries()) {
      checkFiles(packed[k], rules);
      await lint(rules.folder);
      if (rules.attw) {
        const path = join(store, packed[k].filename);
        const exitCode = await runTool('@arethetypeswrong/cli', [path, ...rules.attw], {
          output: 'held-back',
        });
        if (exitCode !== 0) throw new StepError(`${packed[k].name}: attw is not content`, exitCode);
      }
      notes.push(
        `${packed[k].name}: ${packed[k].files.length} files, ${Math.round(packed[k].size / 1000)} kB packed`,
      );
    }
    return notes.join('; ');
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

function checkFiles({ name, size, files }, { folder, may, must, largestFile, largest }) {
  const paths = files.map(({ path }) => path);
  const fail = (message) => {
    throw new StepError(`${name} as it would be published: ${message}`);
  };
  for (const path of must) if (!paths.includes(path)) fail(`${path} is missing`);
  for (const { path, size: bytes } of files) {
    if (!may.test(path)) fail(`${path} should not be in it`);
    if (bytes > largestFile) fail(`${path} has ${bytes} bytes, the limit is ${largestFile}`);
    if (!/\.(js|mjs|map|html|json|ts|css)$/.test(path)) continue;
    const text = readFileSync(join(root, folder, path), 'utf8');
    if (text.includes(root)) fail(`${path} names the folder that it was built in`);
    if (!path.endsWith('.map')) continue;
    const source = JSON.parse(text).sources.find((from) => isAbsolute(from) || from.startsWith('file:'));
    if (source !== undefined) fail(`${path} has a source on this machine: ${source}`);
  }
  if (size > largest) fail(`${size} bytes packed, the limit is ${largest}`);
}

/** The rules of publint, suggestions among them. */
async function lint(folder) {
  const { messages } = await publint({ pkgDir: join(root, folder), pack: false, strict: true });
  if (messages.length === 0) return;
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  throw new StepError(`${folder}: publint says: ${formatMessage(messages[0], manifest)}`);
}
