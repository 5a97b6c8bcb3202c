import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Figures } from './figures.ts';
import type { Machine } from './machine.ts';
import { formatPaper, formatSummary } from './markdown.ts';
import type { Paper } from './paper.ts';
import { renderPngs } from './png.ts';
import type { Failure } from './run-cases.ts';
import type { StoredCase } from './stored-case.ts';

/** What a reader of the tables should know. */
export interface RunInfo {
  readonly version: string;
  readonly commit: string;
  readonly code: string;
  readonly date: string; // ISO
  readonly machine: Machine;
  readonly machineLine: string; // as benches print it
  readonly failures: readonly Failure[];
}

/** What `results.json` holds; `--merge` reads it again. */
export interface ResultsFile {
  readonly format: 1;
  readonly quick: boolean;
  readonly info: RunInfo;
  readonly cases: readonly StoredCase[];
}

const MOST_PNG_BYTES = 100_000; // of what is published

/** Writes pages, plots and figures to a folder; returns what there was to complain about. */
export async function writeReport(
  folder: string,
  papers: readonly Paper[],
  cases: readonly StoredCase[],
  quick: boolean,
  info: RunInfo,
  { publish = false, png = true } = {},
): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const figures = new Figures(cases, quick);
  const drawn = drawPlots(folder, papers, figures);
  for (const paper of papers) {
    writeFileSync(join(folder, `${paper.name}.md`), formatPaper(paper, figures, info, drawn));
  }
  writeFileSync(join(folder, 'index.md'), formatSummary(papers, figures, info));
  const results: ResultsFile = { format: 1, quick, info, cases };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, publish ? 0 : 1)}\n`);
  const complaints = missingFigures(papers, figures);
  if (!png) return complaints;
  const problem = await renderPngs(folder, [...drawn]);
  if (problem !== undefined) complaints.push(problem);
  if (publish) removeLargePngs(folder);
  return complaints;
}

/** Names of the plots for which there were figures; what is left of an earlier run goes. */
function drawPlots(folder: string, papers: readonly Paper[], figures: Figures): Set<string> {
  const drawn = new Set<string>();
  for (const { name, draw } of papers.flatMap(({ plots }) => plots)) {
    const svg = draw(figures);
    for (const ending of ['svg', 'png']) rmSync(join(folder, `${name}.${ending}`), { force: true });
    if (svg === undefined) continue;
    writeFileSync(join(folder, `${name}.svg`), svg);
    drawn.add(name);
  }
  return drawn;
}

/** Figures that the tables ask for and that a case which was run does not have. */
export function missingFigures(papers: readonly Paper[], figures: Figures): string[] {
  const missing = new Set<string>();
  for (const { ours } of papers.flatMap(({ tables }) => tables.flatMap(({ lines }) => lines))) {
    if (typeof ours === 'string') continue;
    const found = figures.find(ours);
    if (found.kind === 'missing') missing.add(`no figure ${found.metric}, which a table asks for`);
  }
  return [...missing];
}

function removeLargePngs(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.png'))) {
    const path = join(folder, name);
    if (existsSync(path) && statSync(path).size > MOST_PNG_BYTES) rmSync(path);
  }
}
