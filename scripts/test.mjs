// npm test: installs and builds what is missing, then checks everything. `--full` makes the random tests long;
// other options go to vitest. All checks run even when one fails; the first failure gives the exit code.
import { join } from 'node:path';
import { root, runMain, runNode, runTool } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  await setUp();
  const full = args.includes('--full');
  const env = full ? { ...process.env, PLIANT_FULL: '1' } : process.env;
  const vitestArgs = ['run', ...args.filter((arg) => arg !== '--full')];
  const checks = [
    ['lint', () => runTool('@biomejs/biome', ['check', '.'])],
    ['lock file', () => runNode([join(root, 'scripts/check-lock.mjs')])],
    ['types', () => runTool('typescript', ['-p', 'tsconfig.json'])],
    ['package', () => runNode([join(root, 'scripts/check-package.mjs')])],
    ['pages', () => runNode([join(root, 'scripts/docs.mjs'), '--check'])],
    ['scratch', () => runNode([join(root, 'scripts/scratch.mjs')])],
    [full ? 'tests (full)' : 'tests', () => runTool('vitest', vitestArgs, { env })],
  ];

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
  return results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
});
