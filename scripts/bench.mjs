// npm run bench -- NAME [--quick] [--json]: builds what is missing, then runs the benchmarks of bench/src/main.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, runNode, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  if (!existsSync(join(root, 'bench/src/main.ts'))) throw new StepError('there is no bench/src/main.ts', 2);
  // To stderr, so that --json can be piped; children share our stdout, hence the build says nothing by itself.
  console.log = console.error;
  await setUp({ parts: ['kernels', 'library', 'bench'] });
  return runNode([join(root, 'bench/dist/bench.js'), ...args], { cwd: process.cwd() });
});
