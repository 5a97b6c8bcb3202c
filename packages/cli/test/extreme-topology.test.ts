import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCheck } from './support/check-output.ts';
import {
  copiesObj,
  discsObj,
  nodesGlb,
  pointObj,
  polygonObj,
  primitivesGlb,
  starObj,
  stripObj,
} from './support/extreme-files.ts';
import { pliantGuarded, scriptGuarded } from './support/guarded.ts';
import { temporaryFolder } from './support/run.ts';

const INTERRUPT = new URL('support/interrupt.mjs', import.meta.url).href;
const folder = temporaryFolder();

function put(name: string, contents: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

/** Ended at 1 GB. Times are generous: files like these took minutes, or for ever. */
const check = (path: string, ...args: string[]) => pliantGuarded(['check', path, ...args], { seconds: 200 });
const CORNERS = process.env.PLIANT_FULL ? 2_100_000 : 200_000;

describe('cost grows with the file, not with the square of its valence', () => {
  test.each<[string, () => string | Uint8Array]>([
    ['polygon.obj', () => polygonObj(20_000)],
    ['large-polygon.obj', () => polygonObj(CORNERS)],
    ['copies.obj', () => copiesObj(20_000)],
    ['own-vertices.obj', () => copiesObj(20_000, true)],
    ['one-point.obj', () => pointObj(20_000)],
    ['star.obj', () => starObj(20_000)],
    ['strip.obj', () => stripObj(50_000)],
    ['primitives.glb', () => primitivesGlb(200_000)],
    ['apart.glb', () => nodesGlb(20_000, 2)],
  ])('%s', async (name, make) => {
    const outcome = await check(put(name, make()));
    expect(outcome).toMatchObject({ code: 0, ended: undefined });
    expect(outcome.stdout).toContain('no contacts');
  });

  test('two discs, one close above the other, whose triangles the tree mixes', async () => {
    const outcome = await check(put('discs.obj', discsObj(3000)));
    expect(outcome).toMatchObject({ code: 0, ended: undefined });
  });

  test('100,000 nodes in one place can be stopped, and take no memory for each pair', async () => {
    const env = { NODE_OPTIONS: `--import ${INTERRUPT}`, INTERRUPT_AT: '', INTERRUPT_AFTER: '5000' };
    const guard = { seconds: 200, env };
    const outcome = await pliantGuarded(['check', put('crowd.glb', nodesGlb(100_000))], guard);
    expect(outcome).toMatchObject({ code: 130, ended: undefined });
  });

  test('copies that all touch are counted by the library in little memory', async () => {
    const script = `
      import { createEngine, createTriangleMesh, findSelfCollisions } from './index.ts';
      const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0];
      const mesh = createTriangleMesh({
        positions: Array.from({ length: 2000 }, () => triangle).flat(),
        triangles: Array.from({ length: 6000 }, (_, k) => k),
        weld: false,
      });
      const engine = await createEngine({ memoryLimit: 16e6 });
      const report = findSelfCollisions(engine.createFreeBody(mesh), { maxPairs: 1000 });
      console.log(report.totalCount, report.pairCount, report.state, report.pairs.slice(1998, 2000).join());
    `;
    const outcome = await scriptGuarded(script, { memory: 300e6 });
    expect(outcome).toMatchObject({ code: 0, ended: undefined, stdout: '1999000 1000 truncated 0,1000\n' });
  });
});

describe('contacts beyond --max-pairs', () => {
  test('are counted by default, and not listed beyond a million', async () => {
    const path = put('million.glb', nodesGlb(1500));
    const json = join(folder, 'million.json');
    const outcome = await check(path, '--json', json);
    expect(outcome).toMatchObject({ code: 1, ended: undefined });
    expect(outcome.stdout).toMatch(/1,000,000 of 1,124,250 contacts are listed, the lowest of each frame/);
    expect(outcome.stdout).toMatch(/1,124,250 contacts in 1 of 1 frame/);
  });

  test('are left out of the list, the highest first, whatever is ignored and however many threads', async () => {
    const path = put('some.glb', nodesGlb(40));
    const json = async (...args: string[]) => readCheck((await check(path, '--json', '-', ...args)).stdout);
    const all = await json();
    expect([all.total, all.state]).toEqual([780, 'complete']);
    for (const args of [[], ['--threads', '2'], ['--between']]) {
      const cut = await json('--max-pairs', '100', ...args);
      expect([cut.total, cut.state]).toEqual([780, 'truncated']);
      expect(cut.frames[0].pairs).toEqual(all.frames[0].pairs.slice(0, 100));
    }
    const ignored = await json('--ignore', 'n1*', '--with', 'n2*');
    const cut = await json('--ignore', 'n1*', '--with', 'n2*', '--max-pairs', '50');
    expect([cut.total, cut.state]).toEqual([ignored.total, 'truncated']);
    expect(cut.frames[0].pairs).toEqual(ignored.frames[0].pairs.slice(0, 50));
  });

  test('are told in every format', async () => {
    const path = put('told.glb', nodesGlb(10));
    const told = /3 of 45 contacts are listed/;
    for (const args of [[], ['--format', 'github'], ['--format', 'junit']]) {
      expect((await check(path, '--max-pairs', '3', ...args)).stdout).toMatch(told);
      expect((await check(path, ...args)).stdout).not.toMatch(told);
    }
  });

  test.each([['--write-allow'], ['--allow'], ['--min-frames']])(
    '%s refuses to judge without them',
    async (option) => {
      const path = put('judged.glb', nodesGlb(10));
      const known = join(folder, 'known.json');
      expect((await check(path, '--write-allow', known)).code).toBe(1);
      const value = option === '--min-frames' ? '2' : known;
      const { code, stderr } = await check(path, '--max-pairs', '3', option, value);
      expect(code).toBe(2);
      expect(stderr).toMatch(/frame 0 has 45 contacts, of which 3 are listed, but .* need all of them/);
    },
  );
});
