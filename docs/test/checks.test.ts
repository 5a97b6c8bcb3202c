import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkCommands } from '../../scripts/docs-commands.mjs';
import { checkLinks, listOtherTexts, listPages } from '../../scripts/docs-links.mjs';
import { root } from '../../scripts/run.mjs';
import { extractSamples, runSamples, writeSamples } from '../../scripts/samples.mjs';

mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/docs-test-'));
const page = relative(root, join(folder, 'page.md')).replaceAll('\\', '/');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(...lines: string[]): void {
  writeFileSync(join(root, page), lines.join('\n'));
}

describe('links', () => {
  test.each([
    ['[a](missing.md)', 'which does not exist'],
    ['[a](#nowhere)', 'has no heading #nowhere'],
    ['![a](missing.png)', 'which does not exist'],
    ['[a](https://)', 'is no address'],
    ['[a](http://host)', 'names no host'],
    ['[a](javascript:alert)', 'only http and https'],
  ])('%s is found out, with its line', (link, problem) => {
    write('# Title', '', `Text ${link} text.`);
    const { count, problems } = checkLinks([page]);
    expect(count).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${page}:3: `);
    expect(problems[0]).toContain(problem);
  });

  test('good ones pass, and code is no link', () => {
    write(
      '# A title, here',
      '[a](#a-title-here) [b](page.md) [c](https://nodejs.org)',
      '```sh',
      '[d](no.md)',
      '```',
      '`[e](no)`',
    );
    expect(checkLinks([page])).toEqual({ count: 3, problems: [] });
  });
});

describe('commands', () => {
  test.each([
    'npx pliant check hero.glb',
    'npx pliant-cli check hero.glb',
    'npx --yes pliant check hero.glb',
    'npm install pliant',
    'npm install three pliant',
    'npm i -g pliant-cli',
    'Run `npx pliant` there.',
  ])('%s is found out, with its line', (command) => {
    write('# Title', '', command);
    const { problems } = checkCommands([page]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${page}:3: `);
  });

  test('what runs our own passes', () => {
    write(
      'npx --no-install pliant check hero.glb',
      'pliant check hero.glb',
      'npm install three path/to/clone/pliant-0.1.0.tgz',
      'npm pack --workspace pliant',
      'npm run build, then `import … from pliant`',
    );
    expect(checkCommands([page]).problems).toEqual([]);
  });

  test('no page tells people to run the package of others', () => {
    const texts = ['packages/pliant/README.md', 'packages/cli/src/command/help-texts.ts'];
    expect(checkCommands([...listPages(), ...listOtherTexts(), ...texts]).problems).toEqual([]);
  });
});

describe('samples', () => {
  test('are blocks of JavaScript and TypeScript, with their lines and flags', () => {
    write(
      '```js',
      'one',
      '```',
      '```sh',
      'no',
      '```',
      '  ```ts browser',
      'two',
      '  ```',
      '````md',
      '```js',
      'no',
      '```',
      '````',
    );
    const samples = extractSamples(page).map(({ line, language, isBrowser, code }) => [
      line,
      language,
      isBrowser,
      code,
    ]);
    expect(samples).toEqual([
      [1, 'js', false, 'one'],
      [7, 'ts', true, 'two'],
    ]);
  });

  test('one that fails gives an exit code; one for browsers is not run', async () => {
    write(
      '```js',
      "throw new Error('no')",
      '```',
      '```js browser',
      "throw new Error('no')",
      '```',
      '```ts',
      'const x: number = 1;',
      '```',
    );
    const samples = extractSamples(page);
    writeSamples(folder, samples);
    expect(await runSamples(folder, samples)).toBe(1);
    expect(await runSamples(folder, samples.slice(1))).toBe(0);
  });
});
