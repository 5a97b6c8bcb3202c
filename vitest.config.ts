import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*', 'bench', 'docs', 'scripts'].map((folder) => `${folder}/test/**/*.test.ts`),
    setupFiles: ['scripts/localhost.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
