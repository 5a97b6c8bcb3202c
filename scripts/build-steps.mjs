// What can be built, from which files. A step runs again when one of its inputs or tools has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { root, runNode, runTool } from './run.mjs';

/** In this order: a step may use what those above it made. */
export const BUILD_STEPS = [
  {
    name: 'kernels',
    title: 'the WebAssembly kernels',
    inputs: ['packages/pliant/kernels', 'scripts/build-kernels.mjs'],
    tools: ['assemblyscript'],
    outputs: () => [
      'packages/pliant/src/kernels/generated/kernels-wasm.ts',
      'packages/pliant/src/kernels/generated/extra-kernels-wasm.ts',
      'packages/pliant/src/kernels/generated/factor-wasm.ts',
      'packages/pliant/dist/kernels.wasm',
      'packages/pliant/dist/extra-kernels.wasm',
      'packages/pliant/dist/factor.wasm',
    ],
    run: () => runNode([join(root, 'scripts/build-kernels.mjs')], { output: 'held-back' }),
  },
  {
    name: 'library',
    title: 'the library',
    inputs: [
      'packages/pliant/src',
      'packages/pliant/package.json',
      'packages/pliant/tsconfig.json',
      'packages/pliant/tsdown.config.mjs',
      'tsconfig.base.json',
    ],
    tools: ['tsdown', 'rolldown', 'rolldown-plugin-dts', 'typescript'],
    outputs: () => ['packages/pliant/dist/index.js', 'packages/pliant/dist/index.d.ts'],
    run: () => bundle('packages/pliant', ['kernels.wasm', 'extra-kernels.wasm', 'factor.wasm']),
  },
  {
    name: 'report-page',
    title: "the report's page",
    inputs: [
      'packages/cli/src/html/page',
      'packages/cli/src/html/heat-ramp.ts',
      'packages/cli/src/html/payload-format.ts',
      'packages/cli/src/html/summary.ts',
      'packages/cli/scripts/build-report-page.mjs',
    ],
    tools: ['rolldown'],
    outputs: () => ['packages/cli/src/html/generated/page-script.ts'],
    run: () => runNode([join(root, 'packages/cli/scripts/build-report-page.mjs')], { output: 'held-back' }),
  },
  {
    name: 'cli',
    title: 'the command',
    inputs: [
      'packages/cli/src',
      'packages/cli/package.json',
      'packages/cli/tsconfig.json',
      'packages/cli/tsdown.config.mjs',
      'tsconfig.base.json',
    ],
    tools: ['tsdown', 'rolldown', 'typescript'],
    outputs: () => ['packages/cli/dist/pliant.js', 'packages/cli/dist/frame-worker.js'],
    run: () => bundle('packages/cli', ['studio/']),
  },
  {
    name: 'studio',
    title: 'the studio',
    inputs: [
      'packages/studio/src',
      'packages/studio/styles',
      'packages/studio/index.html',
      'packages/studio/package.json',
      'packages/studio/vite.config.ts',
      'packages/cli/src/html',
      'packages/cli/src/report/mesh-regions.ts',
      'packages/cli/src/scene',
      'packages/pliant/src',
      'packages/pliant/package.json',
      'scripts/build-studio.mjs',
      'tsconfig.base.json',
    ],
    tools: ['vite', 'rolldown', 'three', 'lil-gui', 'uplot', 'draco3dgltf', 'meshoptimizer'],
    outputs: () => ['packages/studio/dist/index.html', 'packages/cli/dist/studio/index.html'],
    run: () => runNode([join(root, 'scripts/build-studio.mjs')], { output: 'held-back' }),
  },
  {
    name: 'bench',
    title: 'the benchmarks',
    inputs: [
      'bench/src',
      'bench/package.json',
      'bench/tsdown.config.mjs',
      'packages/pliant/src',
      'scripts/find-tools.mjs',
    ],
    tools: ['tsdown', 'rolldown'],
    outputs: () => ['bench/dist/bench.js'],
    run: () => bundle('bench', []),
  },
];

/** Of the contents and names of all inputs, and of the versions of the tools. */
export function inputsHash(step) {
  const hash = createHash('sha256');
  for (const path of step.inputs.flatMap(filesUnder)) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  for (const tool of step.tools) hash.update(`${tool} ${installedVersion(tool)}\n`);
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return [];
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesUnder(`${path}/${name}`));
}

function installedVersion(packageName) {
  const path = join(root, 'node_modules', packageName, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : 'none';
}

/**
 * Runs tsdown into a folder beside `dist` and moves the files over one by one, so that a program which uses
 * `dist` meanwhile never finds it empty. `keep` names files and folders (with a slash) of `dist` that others made.
 */
async function bundle(packageFolder, keep) {
  const folder = join(root, packageFolder);
  const made = join(folder, '.dist-new');
  rmSync(made, { recursive: true, force: true });
  try {
    const exitCode = await runTool('tsdown', ['--config', 'tsdown.config.mjs'], {
      cwd: folder,
      output: 'held-back',
    });
    if (exitCode === 0) replaceFiles(made, join(folder, 'dist'), keep);
    return exitCode;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function replaceFiles(from, to, keep) {
  const made = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
  for (const name of made) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    renameSync(join(from, name), join(to, name));
  }
  const wanted = new Set([...made, ...keep]);
  const folders = keep.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(to.length + 1);
    const isKept = wanted.has(name) || folders.some((folder) => name.startsWith(folder + sep));
    if (entry.isFile() && !isKept) rmSync(path, { force: true });
  }
}
