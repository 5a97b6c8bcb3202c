import { formatNumber } from '../table.ts';
import type { Figures, Found } from './figures.ts';
import type { Line, Paper, PaperTable, Source } from './paper.ts';
import { casesOf } from './paper.ts';
import { formatSeconds } from './progress.ts';
import type { RunInfo } from './report.ts';
import { comparisonOf, isSameCommit, type StoredCase } from './stored-case.ts';

/** The page of one paper. `plots`: names of the SVG files that were drawn. */
export function formatPaper(
  paper: Paper,
  figures: Figures,
  info: RunInfo,
  plots: ReadonlySet<string>,
): string {
  const { title, authors, machine, remarks, tables } = paper;
  const marks = new Marks(info);
  const body = tables.map((table) => formatTable(table, figures, marks));
  const drawn = paper.plots.filter(({ name }) => plots.has(name));
  const pictures = drawn.map(
    ({ name, place, title: what }) => `**${place}.** ${what}\n\n![${what}](${name}.svg)`,
  );
  return [
    `# ${title}`,
    `${authors}. Measured there on: ${machine}.`,
    describeRun(info, figures),
    ...(figures.quick ? [QUICK] : []),
    'The ratio is above 1 where ours is better: ours over the paper’s for what should be large, the paper’s over ours for what should be small. Figures of scenes without such a side have none.',
    ...(tables.some(({ lines }) => lines.some(hasCounterpart)) ? [STRONGER] : []),
    ...remarks,
    ...body,
    ...marks.notes(),
    ...(drawn.length > 0 ? ['## Plots', ...pictures] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** All headlines, and what was run. */
export function formatSummary(papers: readonly Paper[], figures: Figures, info: RunInfo): string {
  const marks = new Marks(info);
  const sections = papers.map((paper) => {
    const lines = paper.tables.flatMap(({ place, lines: all }) =>
      all.filter(({ isHeadline }) => isHeadline).map((each) => ({ ...each, what: `${place}, ${each.what}` })),
    );
    return `## [${paper.title}](${paper.name}.md)\n\n${paper.authors}. ${coverage(paper, figures)}\n\n${formatLines(lines, figures, marks, true)}`;
  });
  return [
    `# Five papers, reproduced`,
    describeRun(info, figures),
    ...(figures.quick ? [QUICK] : []),
    'Every figure stands beside the paper’s; a ratio above 1 means that ours is better. Scenes are rebuilt, machines differ by 7 to 21 years: ratios between two methods on one machine say more than milliseconds. Each paper’s page has all lines, remarks and plots.',
    STRONGER,
    ...sections,
    ...marks.notes(),
    ...formatFailures(info),
    '## Cases',
    formatCases(figures),
  ]
    .join('\n\n')
    .concat('\n');
}

const STRONGER =
  'A speed-up in “ours” is over the baseline of the paper: depth-first traversal with boxes refitted on all vertices, or, for shapes, the full space factored anew. “over our fastest” is the same figure over the fastest way of ours that does without the method of the paper; it is what somebody gains who has the choice.';

const QUICK =
  '**A quick run**: scenes have about a tenth of the triangles and few frames. It shows that everything works and that answers agree; its figures cannot be compared with the papers’, so that there are no ratios.';

function describeRun({ version, commit, date, machine }: RunInfo, figures: Figures): string {
  const { cpu, cores, memoryGb, os, node } = machine;
  const compared = [...figures.cases.values()].filter((stored) => comparisonOf(stored) !== 'not compared');
  return (
    `Pliant ${version}, ${describeCommit(commit)}, ${date.slice(0, 10)}. ${cpu}, ${cores} cores, ${memoryGb} GB, ${os}, Node ${node}. ` +
    `Figures that were measured at another commit have a mark. Answers of two or more ways were compared in ${compared.length} of ${figures.cases.size} cases; a wrong one would be named. In the other cases nothing was compared.`
  );
}

function describeCommit(commit: string): string {
  return commit === 'unknown' ? 'a commit that is not in the history' : `commit ${commit}`;
}

function coverage(paper: Paper, figures: Figures): string {
  const lines = paper.tables.flatMap((table) => table.lines);
  const isThere = (each: Line) => typeof each.ours !== 'string' && figures.find(each.ours).kind === 'value';
  const cases = casesOf(paper);
  const done = cases.filter((name) => figures.cases.has(name)).length;
  return `${lines.filter(isThere).length} of ${lines.length} figures, ${done} of ${cases.length} cases run.`;
}

function formatTable({ place, title, remark, lines }: PaperTable, figures: Figures, marks: Marks): string {
  const head = `## ${place}: ${title}`;
  return [head, ...(remark === undefined ? [] : [remark]), formatLines(lines, figures, marks)].join('\n\n');
}

/**
 * `isSummary`: with the share of frames that have contact, as calm motion can buy any ratio, and how deep bodies are in
 * one another.
 */
function formatLines(lines: readonly Line[], figures: Figures, marks: Marks, isSummary = false): string {
  const withFastest = lines.some(hasCounterpart);
  const rows = lines.map((each) => {
    const found = typeof each.ours === 'string' ? each.ours : figures.find(each.ours);
    const cells = [
      each.what,
      formatPaperFigure(each),
      formatOurs(each, found, marks),
      formatRatio(each, found, figures.quick),
      ...(withFastest ? [formatCounterpart(each, found)] : []),
      ...(isSummary ? [formatContact(each, found)] : []),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const head = [
    'what',
    'paper',
    'ours',
    'ratio',
    ...(withFastest ? ['over our fastest'] : []),
    ...(isSummary ? ['frames with contact'] : []),
  ];
  const rule = head.map((_, k) => (k === 0 ? '---' : '---:'));
  return [`| ${head.join(' | ')} |`, `|${rule.join('|')}|`, ...rows].join('\n');
}

/** Metrics over the baseline of a paper, and the same over our fastest way without the method. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  'speedup-vs-depth-first': 'speedup-vs-fastest',
  'speedup-vs-normal-cones': 'speedup-vs-normal-cones-fastest',
  'simulation-speedup': 'simulation-speedup-vs-fastest',
  'refactor-ratio-mean': 'schur-ratio-mean',
  'refactor-ratio-max': 'schur-ratio-max',
};

function hasCounterpart({ ours }: Line): boolean {
  return typeof ours !== 'string' && ours.metrics.length === 1 && ours.metrics[0] in COUNTERPARTS;
}

function formatCounterpart(each: Line, found: Found | string): string {
  const { ours } = each;
  if (typeof ours === 'string' || !hasCounterpart(each)) return '';
  const value = valueBeside(ours, found, COUNTERPARTS[ours.metrics[0]]);
  return value === undefined ? '–' : formatFigure(value, 'x');
}

/** Another metric of the case that a line was found in. */
function valueBeside(ours: Source, found: Found | string, metric: string): number | undefined {
  if (typeof found === 'string' || found.kind !== 'value') return undefined;
  return found.stored.result.rows.find((each) => each.case === ours.row && each.metric === metric)?.value;
}

function formatContact({ ours }: Line, found: Found | string): string {
  if (typeof ours === 'string') return '–';
  const share = valueBeside(ours, found, 'contact-frames');
  if (share === undefined) return '–';
  const depth = valueBeside(ours, found, 'deepest-in-last-second');
  const deep = depth === undefined ? '' : `; bodies up to ${formatFigure(depth, '%')} of their size deep`;
  return `${formatFigure(share, '%')}${deep}`;
}

function formatPaperFigure({ paper, unit }: Line): string {
  return typeof paper === 'string' ? paper : formatFigure(paper, unit);
}

function formatOurs({ unit, note }: Line, found: Found | string, marks: Marks): string {
  if (typeof found === 'string') return found;
  switch (found.kind) {
    case 'value':
      return `${formatFigure(found.value, unit)}${marks.of(found.stored)}${note === undefined ? '' : marks.add(note)}`;
    case 'not-measured':
      return 'not measured';
    case 'skipped':
      return 'not measured: its data is not here';
    case 'wrong':
      return '**answers disagree**';
    case 'missing':
      return `**no figure ${found.metric}**`;
  }
}

function formatRatio({ paper, better }: Line, found: Found | string, isQuick: boolean): string {
  if (typeof found === 'string' || found.kind !== 'value' || typeof paper === 'string') return '–';
  if (isQuick || better === 'neither' || found.value === 0 || !Number.isFinite(found.value)) return '–';
  return formatNumber(better === 'higher' ? found.value / paper : paper / found.value);
}

export function formatFigure(value: number, unit: string): string {
  const number = withCommas(
    Number.isFinite(value) && Math.abs(value) < 0.001 && value !== 0
      ? value.toExponential(1)
      : formatNumber(value),
  );
  if (unit === '') return number;
  return unit === 'x' || unit.startsWith('×') ? `${number}${unit.replace('x', '×')}` : `${number} ${unit}`;
}

function withCommas(number: string): string {
  return /^-?\d{5,}$/.test(number) ? number.replace(/\B(?=(\d{3})+$)/g, ',') : number;
}

/** Signs beside figures that were measured with another version or machine, or that need a word beside them. */
export class Marks {
  readonly #info: RunInfo;
  readonly #notes: string[] = [];

  constructor(info: RunInfo) {
    this.#info = info;
  }

  of({ code, date, result }: Pick<StoredCase, 'code' | 'date' | 'result'>): string {
    const isSame = code === this.#info.code || isSameCommit(result.commit, this.#info.commit);
    const parts = [
      ...(isSame ? [] : [describeVersion(result.commit, code), date.slice(0, 10)]),
      ...(result.machine === this.#info.machineLine ? [] : [result.machine]),
    ];
    return parts.length === 0 ? '' : this.add(`measured ${parts.join(', ')}`);
  }

  add(note: string): string {
    if (!this.#notes.includes(note)) this.#notes.push(note);
    return ` ${superscript(this.#notes.indexOf(note) + 1)}`;
  }

  notes(): string[] {
    if (this.#notes.length === 0) return [];
    return [this.#notes.map((note, k) => `${superscript(k + 1)} ${note}`).join('  \n')];
  }
}

/** A version whose commit is not known has at least the hash of its program. */
function describeVersion(commit: string, code: string): string {
  if (commit !== 'unknown') return `at commit ${commit}`;
  return `at a commit that is not in the history${code === '' ? '' : ` (program ${code})`}`;
}

function superscript(number: number): string {
  return [...String(number)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
}

function formatFailures({ failures }: RunInfo): string[] {
  if (failures.length === 0) return [];
  return ['## Failed', failures.map(({ name, reason }) => `- \`${name}\`: ${reason}`).join('\n')];
}

function formatCases(figures: Figures): string {
  const rows = [...figures.cases.values()].map((stored) => {
    const { bench, case: name, date, seconds, load, result } = stored;
    const pairs = result.rows[0]?.pairs ?? null;
    const cells = [
      `\`${bench}\``,
      `\`${name}\``,
      result.rows.length === 0 ? 'its data is not here' : String(result.rows.length),
      pairs === null ? '–' : withCommas(String(pairs)),
      comparisonOf(stored).replace(/^disagree$/, '**disagree**'),
      seconds > 0 ? formatSeconds(seconds) : '–',
      load > 0 ? load.toFixed(1) : '–',
      date.slice(0, 10),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| bench | case | figures | pairs | answers | took | load before | date |\n|---|---|---:|---:|---|---:|---:|---|';
  return [head, ...rows].join('\n');
}
