// The small projects of npm run scratch: one program, built in several ways.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SPIKES = 400;

/** What the program has to find. Each spike goes through the one triangle below it, and through nothing else. */
export const PAIRS = SPIKES;

/** The program. `workers` may say how workers are made; where they are found by themselves it is left out. */
const PROGRAM = `
import { CollisionReport, createEngine, createTaskPool, createTriangleMesh, findSelfCollisions } from 'pliant';
import { prepareSubspaceCertificate, prepareSubspaceCertificateAsync } from 'pliant/cull';
import { createSpring } from 'pliant/shapes';

export function createSpikes(count) {
  const positions = [], triangles = [];
  for (let k = 0; k < count; k++) {
    const x = 3 * (k % 20), y = 3 * Math.floor(k / 20);
    positions.push(x, y, 0, x + 2, y, 0, x, y + 2, 0); // lies flat
    positions.push(x + 0.5, y + 0.5, -1, x + 0.5, y + 0.5, 1, x + 0.6, y + 0.7, 1); // stands in it
    triangles.push(6 * k, 6 * k + 1, 6 * k + 2, 6 * k + 3, 6 * k + 4, 6 * k + 5);
  }
  return { positions, triangles };
}

export async function run(workers = {}) {
  const source = createSpikes(${SPIKES});
  const engine = await createEngine({ threads: 2, createWorker: workers.pool });
  const body = engine.createFreeBody(createTriangleMesh(source));
  const report = new CollisionReport();
  const pairs = findSelfCollisions(body, { report }).pairCount;
  const lifted = Float64Array.from(source.positions, (x, k) => (k % 3 === 2 && k % 18 > 8 ? x + 2 : x));
  body.setPose(lifted);
  const apart = findSelfCollisions(body, { report }).pairCount;

  // The same certificate here and in a worker.
  const spring = createSpring({ triangles: 100 });
  const mesh = createTriangleMesh(spring.source);
  const deltas = Float64Array.from({ length: 6 * mesh.vertexCount }, (_, k) => Math.sin(k) / 50);
  const modal = engine.createModalBody(mesh, { count: 2, displacements: deltas });
  const here = prepareSubspaceCertificate(modal);
  const pool = await createTaskPool({ threads: 1, createWorker: workers.task });
  const there = await prepareSubspaceCertificateAsync(modal, { pool });
  const radii = ({ balls }) => JSON.stringify(balls, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value));
  const worker = radii(here) === radii(there) && radii(here).length > 1000 ? 'same' : 'different';
  const found = { kernels: engine.kernels.name, threads: engine.threads, pairs, apart, worker };
  pool.dispose();
  engine.dispose();
  return found;
}
`;

const IN_NODE = "import { run } from './spikes.mjs';\nconsole.log(JSON.stringify(await run()));\n";
/** What it found becomes the title's neighbour: tests read it from there. */
const inPage = (from, workers = '') => `import { run } from '${from}';
run(${workers}).then(
  (found) => { globalThis.found = found; },
  (error) => { globalThis.found = { error: String(error?.stack ?? error) }; },
);
`;
const html = (script, head = '') => `<!doctype html><meta charset="utf-8"><title>scratch</title>
<link rel="icon" href="data:,">${head}
<script type="module" src="${script}"></script>
`;

/** Named as a page without a bundler has to name them. */
const IMPORT_MAP = `<script type="importmap">${JSON.stringify({
  imports: Object.fromEntries(
    ['', '/cull', '/shapes'].map((path) => [
      `pliant${path}`,
      `../node_modules/pliant/dist${path || '/index'}.js`,
    ]),
  ),
})}</script>`;

const ESBUILD_WORKERS = `{
  pool: () => new Worker('./pool.worker.js', { type: 'module' }),
  task: () => new Worker('./task.worker.js', { type: 'module' }),
}`;

export function writeProjects(folder) {
  const write = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('spikes.mjs', PROGRAM);
  write('program.mjs', IN_NODE);
  write('spikes.obj', writeObj());
  for (const name of ['vite', 'webpack', 'esbuild', 'plain']) {
    mkdirSync(join(folder, name), { recursive: true });
    copyFileSync(join(folder, 'spikes.mjs'), join(folder, name, 'spikes.mjs'));
    write(`${name}/main.mjs`, inPage('./spikes.mjs', name === 'esbuild' ? ESBUILD_WORKERS : ''));
  }
  write('vite/index.html', html('/main.mjs'));
  write('webpack/dist/index.html', html('main.js'));
  write('esbuild/index.html', html('main.js'));
  write('plain/index.html', html('main.mjs', IMPORT_MAP));
}

function writeObj() {
  const lines = [];
  for (let k = 0; k < SPIKES; k++) {
    const x = 3 * (k % 20),
      y = 3 * Math.floor(k / 20);
    lines.push(`v ${x} ${y} 0`, `v ${x + 2} ${y} 0`, `v ${x} ${y + 2} 0`);
    lines.push(`v ${x + 0.5} ${y + 0.5} -1`, `v ${x + 0.5} ${y + 0.5} 1`, `v ${x + 0.6} ${y + 0.7} 1`);
    lines.push(`f ${6 * k + 1} ${6 * k + 2} ${6 * k + 3}`, `f ${6 * k + 4} ${6 * k + 5} ${6 * k + 6}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Workers have several files, which needs the format 'es'. */
export async function buildWithVite(folder) {
  const { build } = await import('vite');
  await build({
    root: join(folder, 'vite'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { target: 'es2022' },
    worker: { format: 'es' },
  });
}

export async function buildWithWebpack(folder) {
  const { default: webpack } = await import('webpack');
  const compiler = webpack({
    mode: 'production',
    context: join(folder, 'webpack'),
    entry: './main.mjs',
    output: { path: join(folder, 'webpack/dist'), filename: 'main.js' },
    performance: { hints: false },
    optimization: { minimize: false }, // most of the time, and it is not ours to test
  });
  await new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const problems = stats?.toJson({ all: false, errors: true, warnings: true });
      const [problem] = [...(problems?.errors ?? []), ...(problems?.warnings ?? [])];
      compiler.close(() => {});
      if (error ?? problem) reject(error ?? new Error(problem.message));
      else resolve();
    });
  });
}

/** For pages esbuild is told of the workers: it does not find them by itself. */
export async function buildWithEsbuild(folder, platform) {
  const { build } = await import('esbuild');
  const isNode = platform === 'node';
  const { warnings } = await build({
    absWorkingDir: folder,
    entryPoints: isNode
      ? { program: 'program.mjs', 'pool.worker': 'pliant/pool.worker', 'task.worker': 'pliant/task.worker' }
      : {
          main: 'esbuild/main.mjs',
          'pool.worker': 'pliant/pool.worker',
          'task.worker': 'pliant/task.worker',
        },
    outdir: isNode ? 'esbuild-node' : 'esbuild',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform,
    target: 'es2022',
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error(warnings[0].text);
}
