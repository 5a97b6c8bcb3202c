// npm run examples: installs and builds what is missing, then serves the pages of examples/ and lists them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain } from './run.mjs';
import { setUp } from './setup.mjs';

const folder = join(root, 'examples');

/** Names of the examples that are pages. */
export const PAGES = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'index.html')));

/** Serves them by Vite, as in development. Shared memory needs the two headers. */
export async function serveExamples({ port = 5173, logLevel = 'warn', watch = true } = {}) {
  const { createServer } = await import('vite');
  const server = await createServer({
    root: folder,
    configFile: false,
    cacheDir: join(root, '.cache/vite-examples'),
    logLevel,
    optimizeDeps: { include: ['three', 'three/addons/controls/OrbitControls.js'] },
    server: {
      port,
      fs: { allow: [root] },
      ...(watch ? {} : { watch: null }),
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
  });
  await server.listen();
  return { address: `http://localhost:${server.config.server.port}`, server };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    await setUp({ parts: ['kernels', 'library'] });
    const { server } = await serveExamples({ logLevel: 'info' });
    const [address] = server.resolvedUrls.local;
    console.log(`${address}\n`);
    for (const name of PAGES) console.log(`  ${address}${name}/`);
    console.log('\nCtrl-C ends it. In the terminal: npm run demo, node examples/batch-check/main.mjs');
    await new Promise(() => {});
  });
}
