// One bundle per subpath in package.json, with shared chunks: `./io` is src/io/index.ts becoming dist/io.js.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { exports } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
const folders = Object.keys(exports)
  .filter((subpath) => subpath !== '.' && existsSync(here(`src/${subpath}/index.ts`)))
  .map((subpath) => subpath.slice('./'.length));

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'pool.worker': 'src/worker/pool.worker.ts', // stands beside the chunk that starts it
    'task.worker': 'src/worker/task.worker.ts',
    ...Object.fromEntries(folders.map((name) => [name, `src/${name}/index.ts`])),
  },
  outDir: '.dist-new', // scripts/build-steps.mjs moves it to dist
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  hash: false,
  dts: true,
  sourcemap: true,
  tsconfig: 'tsconfig.json',
  report: false,
  failOnWarn: false,
});
