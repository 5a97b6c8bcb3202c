import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { bench: 'src/main.ts' },
  outDir: '.dist-new', // scripts/build-steps.mjs moves it to dist
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  hash: false,
  dts: false,
  sourcemap: true,
  report: false,
  failOnWarn: false,
});
