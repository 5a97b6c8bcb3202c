import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    pliant: 'src/pliant.ts',
    'frame-worker': 'src/frames/frame-worker.ts', // stands beside the chunk that starts it
  },
  outDir: '.dist-new', // scripts/build-steps.mjs moves it to dist
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  hash: false,
  dts: false,
  sourcemap: true,
  tsconfig: 'tsconfig.json',
  report: false,
  failOnWarn: false,
});
