import { expect, test } from 'vitest';
import { scriptGuarded } from '../../../cli/test/support/guarded.ts';

const IS_FULL = process.env.PLIANT_FULL === '1';
/** Normal runs have one seed, so the same files everywhere. Long runs take another one each time, and print it. */
const SEED = process.env.FUZZ_SEED ?? (IS_FULL ? String(Date.now()) : '22');
const FILES = IS_FULL ? 2000 : 600; // per format
const SECONDS = IS_FULL ? 3600 : 300;

test(
  'mutated files and extreme meshes are read or refused within a gigabyte and their time',
  async () => {
    const { code, ended, stdout, stderr, peakBytes } = await scriptGuarded(
      "import { fuzz } from '../test/fuzz/fuzz-program.ts'; await fuzz();",
      {
        seconds: SECONDS,
        env: { FUZZ_SEED: SEED, FUZZ_FILES: String(FILES) },
      },
    );
    const lines = stdout.trimEnd().split('\n');
    const where = `FUZZ_SEED=${SEED}, at: ${lines.at(-1)}\n${stderr}`;
    expect(ended, where).toBeUndefined();
    expect(code, where).toBe(0);
    const outcome = JSON.parse(lines.at(-1)!);
    expect(outcome.refused).toBeGreaterThan(0.1 * outcome.files); // mutations bite
    expect(outcome.read).toBeGreaterThan(0.1 * outcome.files); // and not all are fatal
    console.log(`fuzz, seed ${SEED}: ${lines.at(-1)}, ${Math.round(peakBytes / 1e6)} MB`);
  },
  1000 * (SECONDS + 60),
);

test('a program that eats memory or hangs is ended, and so would fail the test above', async () => {
  const eater = 'const all = []; for (;;) all.push(new Float64Array(1e6).fill(1));';
  expect((await scriptGuarded(eater, { memory: 3e8, seconds: 60 })).ended).toBe('memory');
  expect((await scriptGuarded('for (;;);', { seconds: 1 })).ended).toBe('time');
});
