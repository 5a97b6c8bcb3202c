// npm run docs -- --check: every sample compiles and runs, every link leads somewhere, the help of the command is what the
// command says, the map of equations names files and functions that exist, figures are those of the published results, and
// commits that are named are in the history.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkCommands } from './docs-commands.mjs';
import { checkCommits } from './docs-commits.mjs';
import { checkFigures, listFigurePages, readResults, updateFigures } from './docs-figures.mjs';
import { checkHelp, updateHelp } from './docs-help.mjs';
import { checkLinks, listOtherTexts, listPages } from './docs-links.mjs';
import { root } from './run.mjs';
import { bundleSamples, checkSampleTypes, extractSamples, runSamples, writeSamples } from './samples.mjs';

/** Besides pages: texts that people copy commands from. */
const COMMAND_TEXTS = [
  'packages/pliant/README.md',
  'packages/cli/src/command/help-texts.ts',
  'packages/cli/src/command/program.ts',
  'examples/three-characters/main.mjs',
];
const EQUATIONS = 'docs/equations.md';
/** Code on these pages is from the sources of the bench, not for users of the library. */
const ABOUT_BENCH = /^docs\/(reproduce\.md|results\/)/;

export async function checkDocs() {
  const pages = listPages();
  const checks = [
    ['links', () => checkLinks([...pages, ...listOtherTexts(), 'docs/.vitepress/config.ts'])],
    ['commands', () => checkCommands([...pages, ...listOtherTexts(), ...COMMAND_TEXTS])],
    ['equations', checkEquations],
    ['figures', () => checkFigures(listFigurePages(['README.md', ...pages]))],
    ['commits', () => checkCommits(readResults().commits, ['README.md', 'CHANGELOG.md', ...pages])],
    ['help texts', checkHelp],
    ['samples', () => checkSamples(pages)],
  ];
  let failures = 0;
  for (const [name, check] of checks) {
    const start = Date.now();
    const { count, problems, note = '' } = await check();
    for (const problem of problems) console.error(problem);
    failures += problems.length;
    const outcome = problems.length === 0 ? note || 'ok' : `${problems.length} FAILED`;
    const seconds = `${((Date.now() - start) / 1000).toFixed(1)} s`;
    console.log(`${String(count).padStart(5)} ${name.padEnd(12)}${seconds.padStart(8)}  ${outcome}`);
  }
  return failures === 0 ? 0 : 1;
}

export async function updateDocs() {
  console.log(`docs/command.md: ${await updateHelp()} help texts`);
  const changed = updateFigures(listFigurePages(['README.md', ...listPages()]));
  console.log(`${changed} figures changed to those of docs/results`);
}

async function checkSamples(pages) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/docs-samples-')); // below the root, so that `pliant` is found
  try {
    const samples = pages.filter((page) => !ABOUT_BENCH.test(page)).flatMap(extractSamples);
    writeSamples(folder, samples);
    const running = runSamples(folder, samples); // while types are checked here
    const problems = [
      ...(await checkSampleTypes(samples, listSources())),
      ...(await bundleSamples(folder, samples)),
    ];
    if ((await running) !== 0) problems.push('samples fail when they are run, see above');
    return { count: samples.length, problems };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figures. What VitePress is told is left to itself: its types alone take longer than all this. */
function listSources() {
  const folder = join(root, 'docs/.vitepress/theme/figures');
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Rows of the tables in equations.md: files that exist, and names that at least one of them has. */
function checkEquations() {
  const problems = [];
  let count = 0;
  for (const [k, row] of readFileSync(join(root, EQUATIONS), 'utf8').split('\n').entries()) {
    if (!row.startsWith('|') || /^\|[\s|:-]+$/.test(row) || row.includes('| file |')) continue;
    count++;
    const cells = row.split('|').map((cell) => cell.trim());
    const files = [...row.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map(([, path]) => path);
    const names = [...(cells.at(-2) ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name);
    const fail = (text) => problems.push(`${EQUATIONS}:${k + 1}: ${text}`);
    if (files.length === 0) fail('the row names no file');
    if (names.length === 0) fail('the row names no function');
    const texts = files
      .filter((path) => existsSync(join(root, path)))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    if (texts.length < files.length) fail(`one of ${files.join(', ')} does not exist`);
    for (const name of names) {
      const pattern = new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`);
      if (!texts.some((text) => pattern.test(text))) fail(`no file of the row has ${name}`);
    }
  }
  return { count, problems };
}
