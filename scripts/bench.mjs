// npm run bench -- NAME [--quick] [--json]: builds what is missing, then runs the benchmarks of bench/src/main.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, runNode, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  if (!existsSync(join(root, 'bench/src/main.ts'))) throw new StepError('there is no bench/src/main.ts', 2);
  await setUp({ parts: ['kernels', 'library', 'bench'] });
  return runNode([join(root, 'bench/dist/bench.js'), ...args]);
});
