// npm start: installs and builds what is missing, then serves the studio. Files and options go to `pliant studio`.
import { join, resolve } from 'node:path';
import { root, runMain, runNode } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  await setUp();
  const folder = process.env.INIT_CWD ?? process.cwd(); // where npm was called: paths are relative to that
  return runNode([join(root, 'packages/cli/bin/pliant.mjs'), 'studio', ...args], { cwd: resolve(folder) });
});
