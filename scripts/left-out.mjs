// What a run of the tests left out because of the machine: counted by a reporter of vitest, told in a line by npm test.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from './find-tools.mjs';

const path = join(dirname(fileURLToPath(import.meta.url)), '../.cache/left-out.json');

/** Reporter of vitest: counts skipped tests by `meta.needs`, the name of a tool, or else as 'other'. */
export default class LeftOutReporter {
  onTestRunEnd(modules) {
    const counts = {};
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const { needs } = test.meta();
        counts[needs ?? 'other'] = (counts[needs ?? 'other'] ?? 0) + 1;
      }
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(counts));
  }
}

/** Options that add the reporter to those that `args` ask for. */
export function reporterOptions(args, env = process.env) {
  const others = args.some((arg) => /^--reporters?(=|$)/.test(arg)) ? [] : ['default'];
  if (others.length > 0 && env.GITHUB_ACTIONS === 'true') others.push('github-actions'); // as vitest does by itself
  return [...others, fileURLToPath(import.meta.url)].map((name) => `--reporter=${name}`);
}

/** Counts of the last run, `{ browser: 131, … }`; empty when it was not counted. */
export function takeCounts() {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  } finally {
    rmSync(path, { force: true });
  }
}

/** One line: what was left out, why, and how to have it. Undefined when this machine has everything. */
export function describeLeftOut(found, counts) {
  const missing = Object.keys(TOOLS).filter((name) => found[name].path === undefined);
  if (missing.length === 0) return undefined;
  const tests = (count = 0) => `${count} ${count === 1 ? 'test' : 'tests'}`;
  const parts = missing.map((name) => {
    const pages = name === 'browser' ? ' and the pages of scratch' : '';
    return `${tests(counts[name])}${pages} for want of ${TOOLS[name].title} (${found[name].problem})`;
  });
  if (counts.other > 0)
    parts.push(`${tests(counts.other)} on recorded meshes (PLIANT_DATA) or long (npm run test:full)`);
  const titles = missing.map((name) => TOOLS[name].title).join(', ');
  const packages = missing.flatMap((name) => TOOLS[name].packages).join(' ');
  const variables = missing.map((name) => TOOLS[name].variable).join(', ');
  return (
    `left out: ${parts.join('; ')}. Install ${titles} (apt-get install ${packages}; PLIANT_INSTALL=1 npm test as root ` +
    `does it), or name programs in ${variables}.`
  );
}
