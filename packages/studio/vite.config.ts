import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Beside the script of the package, which does not export it: put into the page by script, it would be refused by the server's policy. */
const guiStyle = join(dirname(createRequire(import.meta.url).resolve('lil-gui')), 'lil-gui.min.css');

/** A decoder that few need, apart: else the bundler puts helpers that all need into the same file. */
const rolldownOptions = {
  output: { codeSplitting: { groups: [{ name: 'decoder', test: /draco3dgltf/ }] } },
};

/** A static site with relative addresses: it can stand under any path of any server. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  resolve: { alias: { 'lil-gui-style': guiStyle } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions,
  },
  worker: { format: 'es', rolldownOptions },
  server: { headers: isolation },
  preview: { headers: isolation },
});
