import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultsFile } from './report.ts';

/** docs/results/index.md: a line for each release whose results were published, the newest first. */
export function writeReleaseList(folder: string): void {
  const versions = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'results.json')))
    .map(({ name }) => name)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  writeFileSync(
    join(folder, 'index.md'),
    formatReleaseList(versions.map((version) => describe(folder, version))),
  );
}

function formatReleaseList(lines: readonly string[]): string {
  const list =
    lines.length === 0
      ? 'Nothing has been published yet: `npm run reproduce -- --publish` does it.'
      : lines.join('\n');
  return `# Results by release\n\nWhat [the tables of five papers](../reproduce.md) look like with ours beside them.\n\n${list}\n`;
}

function describe(folder: string, version: string): string {
  const { info, cases } = JSON.parse(
    readFileSync(join(folder, version, 'results.json'), 'utf8'),
  ) as ResultsFile;
  const { cpu, cores, node } = info.machine;
  const pages = `[${version}](${version}/index.md)`;
  const commits = [...new Set(cases.map(({ result }) => result.commit))].map((commit) =>
    commit === 'unknown' ? 'a commit that is not in the history' : commit,
  );
  const measuredAt = `measured at ${commits.length === 0 ? info.commit : commits.join(', ')}`;
  return `- ${pages}: ${info.date.slice(0, 10)}, ${cases.length} cases, ${measuredAt}, ${cpu}, ${cores} cores, Node ${node}`;
}
