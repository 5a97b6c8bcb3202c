// npm run demo: installs and builds what is missing, then runs the demo in the terminal. Options go to the demo.
import { join } from 'node:path';
import { root, runMain, runNode } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  await setUp({ parts: ['kernels', 'library'] });
  return runNode([join(root, 'examples/demo.mjs'), ...args]);
});
