// npm run scratch: packs the packages, installs them in a fresh folder outside of this repository, without a network,
// and uses them in every way that we promise: Node, Vite, webpack, esbuild, a plain page, a page that refuses WebAssembly,
// and the command. Prints a table; exit code 1 when one of them fails. Without a browser pages are built and not opened.
// --keep leaves the folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runMain, runNpm, StepError } from './run.mjs';
import { openBrowser, servePages } from './scratch-browser.mjs';
import { runCommand, startStudio } from './scratch-command.mjs';
import {
  buildWithEsbuild,
  buildWithVite,
  buildWithWebpack,
  PAIRS,
  writeProjects,
} from './scratch-projects.mjs';
import { setUp } from './setup.mjs';

const PACKAGES = ['packages/pliant', 'packages/cli'];
/** What they need at run time, taken from our node_modules: nothing is fetched. */
const NEEDED = ['commander', 'draco3dgltf', 'meshoptimizer', '@gltf-transform/core', 'property-graph'];

/** What could not be tried on this machine. The message says why. */
class NotTried extends Error {}

await runMain(async (args) => {
  await setUp();
  const start = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'pliant-scratch-'));
  const rows = [];
  /** One row of the table. What it resolves to is the note; what it throws is the failure. */
  const step = async (name, work) => {
    const begun = Date.now();
    let note, error, skipped;
    try {
      note = await work();
    } catch (thrown) {
      if (thrown instanceof NotTried) skipped = thrown.message;
      else error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    rows.push({ name, note, error, skipped, seconds: (Date.now() - begun) / 1000 });
  };
  try {
    await step('npm pack and npm install', () => install(folder));
    if (rows[0].error) throw new StepError(`cannot install: ${rows[0].error.message}`);
    writeProjects(folder);
    await inNode(folder, step);
    await inBrowser(folder, step);
    await theCommand(folder, step);
  } finally {
    if (args.includes('--keep')) console.log(folder);
    else rmSync(folder, { recursive: true, force: true });
  }
  printTable(rows, (Date.now() - start) / 1000);
  return rows.some(({ error }) => error) ? 1 : 0;
});

/** As from the registry: tarballs, unpacked by npm into a project of its own. */
async function install(folder) {
  const store = join(folder, 'store');
  mkdirSync(store);
  const folders = [...PACKAGES, ...NEEDED.map((name) => `node_modules/${name}`)].map((path) =>
    join(root, path),
  );
  const missing = folders.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing`);
  const pack = ['pack', ...folders, '--ignore-scripts', '--pack-destination', store];
  if ((await runNpm(pack, { output: 'held-back' })) !== 0) throw new Error('npm pack failed');
  const tarballs = [...PACKAGES, ...NEEDED.map((name) => `node_modules/${name}`)].map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return join(store, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  });
  writeFileSync(join(folder, 'package.json'), '{ "name": "scratch", "private": true, "type": "module" }\n');
  const flags = [
    '--offline',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
  ];
  const code = await runNpm(['install', ...tarballs, ...flags], { output: 'held-back', cwd: folder });
  if (code !== 0) throw new Error('npm install failed');
  const inside = join(folder, 'node_modules/pliant');
  if (!existsSync(join(inside, 'dist/index.js'))) throw new Error('pliant has no dist/index.js');
  return `${tarballs.length} tarballs`;
}

async function inNode(folder, step) {
  await step('Node', () => runProgram(folder, 'program.mjs'));
  await step('esbuild, in Node', async () => {
    await buildWithEsbuild(folder, 'node');
    return runProgram(folder, 'esbuild-node/program.js');
  });
}

/** A program that prints what it found as JSON. */
async function runProgram(folder, path) {
  const { code, stdout, stderr } = await runCommand(process.execPath, [join(folder, path)], folder);
  if (code !== 0) throw new Error(stderr || `exit code ${code}`);
  return check(JSON.parse(stdout), { threads: 2 });
}

async function inBrowser(folder, step) {
  const browser = await openBrowser();
  const server = await servePages(folder);
  /** Opens a page and looks at what it found; without a browser the row says that it did not. */
  const open = async (path, wanted) => {
    if (browser.problem !== undefined) throw new NotTried(browser.problem);
    return check(await browser.open(`${server.address}/${path}`), wanted);
  };
  try {
    await step('Vite', async () => {
      await buildWithVite(folder);
      return open('vite/dist/', { threads: 2 });
    });
    await step('webpack', async () => {
      await buildWithWebpack(folder);
      return open('webpack/dist/', { threads: 2 });
    });
    await step('esbuild', async () => {
      await buildWithEsbuild(folder, 'browser');
      return open('esbuild/', { threads: 2 });
    });
    await step('a plain page', () => open('plain/', { threads: 2 }));
    await step('a page, not isolated', () => open('plain/?shared=no', { threads: 1 }));
    await step('a page without wasm-unsafe-eval', () =>
      open('plain/?wasm=no', { threads: 1, kernels: 'ts' }),
    );
  } finally {
    await browser.close?.();
    await server.close();
  }
}

async function theCommand(folder, step) {
  const bin = join(folder, 'node_modules/pliant-cli/bin/pliant.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
  await step('pliant --version', async () => {
    const { stdout } = await runCommand(process.execPath, [bin, '--version'], folder);
    if (stdout.trim() !== version) throw new Error(`it says ${stdout.trim()}, and is ${version}`);
    return version;
  });
  await step('pliant check', async () => {
    const { code, stdout, stderr } = await runCommand(
      process.execPath,
      [bin, 'check', 'spikes.obj', '--json', '-'],
      folder,
    );
    if (code !== 1) throw new Error(`exit code ${code} instead of 1: ${stderr}`);
    const pairs = JSON.parse(stdout).frames[0].count;
    if (pairs !== PAIRS) throw new Error(`${pairs} pairs instead of ${PAIRS}`);
    return `${pairs} pairs`;
  });
  await step('pliant studio', () => startStudio(bin, folder));
}

/** Errors unless everything is as it must be. */
function check(found, { threads, kernels = 'wasm' }) {
  if (found.error) throw new Error(found.error);
  const wanted = { kernels, threads, pairs: PAIRS, apart: 0, worker: 'same' };
  for (const [key, value] of Object.entries(wanted)) {
    if (found[key] !== value) throw new Error(`${key}: ${found[key]} instead of ${value}`);
  }
  const helpers = threads > 1 ? `${threads} threads` : 'one thread';
  return `${found.pairs} pairs, kernels ${found.kernels}, ${helpers}, workers`;
}

function printTable(rows, seconds) {
  for (const { name, note, error, skipped, seconds: own } of rows) {
    const outcome = error ? 'FAILED' : skipped ? 'skipped' : 'ok';
    console.log(`${name.padEnd(34)}${outcome.padEnd(8)}${`${own.toFixed(1)} s`.padStart(8)}  ${note ?? ''}`);
  }
  for (const { name, error } of rows) if (error) console.log(`\n${name}: ${error.message}`);
  const left = rows.filter(({ skipped }) => skipped);
  const done = rows.filter(({ error, skipped }) => !error && !skipped);
  const skips = left.length === 0 ? '' : `; ${left.length} skipped: ${left[0].skipped}`;
  console.log(`\n${done.length} of ${rows.length} in ${seconds.toFixed(1)} s${skips}`);
}
