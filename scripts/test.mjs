// npm test: installs and builds what is missing, then checks everything. `--full` makes the random tests long;
// other options go to vitest. All checks run even when one fails; the first failure gives the exit code. What needs a
// browser or Redis is left out where there is none, and the last line says so.
import { join } from 'node:path';
import { findTools, TOOLS, toolVariables } from './find-tools.mjs';
import { installTools } from './install-tools.mjs';
import { describeLeftOut, reporterOptions, takeCounts } from './left-out.mjs';
import { root, runMain, runNode, runTool } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  await setUp();
  const found = await findOrInstallTools();
  const full = args.includes('--full');
  const env = { ...process.env, ...toolVariables(found), ...(full ? { PLIANT_FULL: '1' } : {}) };
  const ownArgs = args.filter((arg) => arg !== '--full');
  const vitestArgs = ['run', ...ownArgs, ...reporterOptions(ownArgs)];
  const checks = [
    ['lint', () => runTool('@biomejs/biome', ['check', '.'])],
    ['lock file', () => runNode([join(root, 'scripts/check-lock.mjs')])],
    ['types', () => runTool('typescript', ['-p', 'tsconfig.json'])],
    ['package', () => runNode([join(root, 'scripts/check-package.mjs')])],
    ['pages', () => runNode([join(root, 'scripts/docs.mjs'), '--check'])],
    ['scratch', () => runNode([join(root, 'scripts/scratch.mjs')], { env })],
    [full ? 'tests (full)' : 'tests', () => runTool('vitest', vitestArgs, { env })],
  ];

  takeCounts(); // those of an earlier run
  const results = [];
  for (const [name, check] of checks) {
    console.log(`\n── ${name}`);
    const start = Date.now();
    const exitCode = await check();
    results.push({ name, exitCode, seconds: (Date.now() - start) / 1000 });
  }

  console.log('\n── summary');
  for (const { name, exitCode, seconds } of results) {
    const outcome = exitCode === 0 ? 'ok' : `FAILED (exit code ${exitCode})`;
    console.log(`${name.padEnd(14)}${`${seconds.toFixed(1)} s`.padStart(8)}  ${outcome}`);
  }
  const leftOut = describeLeftOut(found, takeCounts());
  if (leftOut !== undefined) console.log(leftOut);
  return results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
});

/** Looks for browser, Redis and openssl, and once more when some of them could be installed. */
async function findOrInstallTools() {
  const found = await findTools();
  const missing = Object.keys(TOOLS).filter((name) => found[name].path === undefined && !isRefused(name));
  const installed = await installTools(missing, (line) => console.error(line));
  return installed ? findTools() : found;
}

/** Whoever names a program, or none, does not want another. */
function isRefused(name) {
  return Boolean(process.env[TOOLS[name].variable]);
}
