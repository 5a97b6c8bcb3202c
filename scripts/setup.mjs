// Installs and builds what is missing, and nothing else. Needs only Node and npm. Speaks on stderr, so that what
// comes afterwards can be piped.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD_STEPS, inputsHash } from './build-steps.mjs';
import { withLock } from './lock.mjs';
import { root, runMain, runNpm, StepError } from './run.mjs';

const NEEDED = [20, 19];
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const stamps = join(modules, '.pliant'); // inside node_modules: whoever deletes that deletes these too

/** Afterwards dependencies are installed and the named parts built. `force` builds even what is up to date. */
export async function setUp({
  build = true,
  parts = ['kernels', 'library', 'report-page', 'cli', 'studio'],
  force = false,
} = {}) {
  checkNode();
  const steps = build ? BUILD_STEPS.filter((step) => parts.includes(step.name)) : [];
  if (!force && isInstalled() && steps.every(isBuilt)) return;
  await withLock(join(root, '.cache/setup.lock'), async () => {
    if (!isInstalled()) await install();
    for (const step of steps) {
      if (force || !isBuilt(step)) await buildStep(step);
    }
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new StepError(`needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}`);
}

async function install() {
  const command = existsSync(lockFile) ? 'ci' : 'install';
  const start = Date.now();
  console.error(`Installing dependencies (npm ${command}) …`);
  const exitCode = await runNpm([command, '--include=dev', '--no-audit', '--no-fund'], { output: 'stderr' });
  if (exitCode !== 0) throw new StepError(`npm ${command} failed`, exitCode);
  writeStamp('install', installState());
  console.error(`Installed in ${seconds(start)}.`);
}

/** By our stamp; or by npm's own record, for those who installed by hand. */
function isInstalled() {
  if (!existsSync(join(modules, '.package-lock.json'))) return false; // npm writes it last
  const now = installState();
  const stamp = readStamp('install');
  if (stamp?.lock === now.lock && stamp.platform === now.platform) return true;
  if (stamp !== undefined && stamp.platform !== now.platform) return false; // brought from another machine
  if (!holdsLockedVersions()) return false;
  writeStamp('install', now);
  return true;
}

function installState() {
  const lock = existsSync(lockFile) ? hash(readFileSync(lockFile)) : '';
  return { lock, platform: `${process.platform}-${process.arch}` };
}

function holdsLockedVersions() {
  if (!existsSync(lockFile)) return true;
  const wanted = readJson(lockFile)?.packages ?? {};
  const found = readJson(join(modules, '.package-lock.json'))?.packages ?? {};
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || optional || (Object.hasOwn(found, path) && found[path].version === version),
  );
}

/** The hash is taken before building: what changes meanwhile is built next time. */
async function buildStep(step) {
  const state = { inputs: inputsHash(step) };
  const start = Date.now();
  const exitCode = await step.run();
  if (exitCode !== 0) throw new StepError(`building ${step.title} failed`, exitCode);
  writeStamp(`build-${step.name}`, state);
  console.error(`Built ${step.title} in ${seconds(start)}.`);
}

function isBuilt(step) {
  return (
    step.outputs().every((path) => existsSync(join(root, path))) &&
    readStamp(`build-${step.name}`)?.inputs === inputsHash(step)
  );
}

function readStamp(name) {
  return readJson(join(stamps, `${name}.json`));
}

function writeStamp(name, state) {
  const path = join(stamps, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(state)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

/** Undefined for a file that is missing or damaged. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function hash(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function seconds(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(() => setUp());
