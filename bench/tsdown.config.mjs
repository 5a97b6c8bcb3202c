import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { bench: 'src/main.ts', reproduce: 'src/reproduce/main.ts' },
  outDir: '.dist-new', // scripts/build-steps.mjs moves it to dist
  format: 'esm',
  platform: 'node',
  external: ['playwright-core'], // only for pictures of plots, if it is there
  target: 'node20',
  fixedExtension: false,
  hash: false,
  dts: false,
  sourcemap: true,
  report: false,
  failOnWarn: false,
});
