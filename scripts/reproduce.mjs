// npm run reproduce -- [PAPER...] [--quick]: builds what is missing, then runs the benches behind the papers' tables.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runMain } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(async (args) => {
  await setUp({ parts: ['kernels', 'library', 'bench'] });
  const { runReproduce } = await import(pathToFileURL(join(root, 'bench/dist/reproduce.js')));
  const interrupt = new AbortController();
  process.on('SIGINT', () => interrupt.abort());
  process.on('SIGTERM', () => interrupt.abort());
  const folder = process.env.INIT_CWD ?? process.cwd(); // where npm was called: paths are relative to that
  process.chdir(root); // git and the benches look from here
  return runReproduce(args, {
    root,
    folder,
    signal: interrupt.signal,
    say: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  });
});
