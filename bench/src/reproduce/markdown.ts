import { formatNumber } from '../table.ts';
import type { Figures, Found } from './figures.ts';
import type { Line, Paper, PaperTable } from './paper.ts';
import { casesOf } from './paper.ts';
import { formatSeconds } from './progress.ts';
import type { RunInfo } from './report.ts';
import { isSameCommit } from './stored-case.ts';

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
    ...sections,
    ...marks.notes(),
    ...formatFailures(info),
    '## Cases',
    formatCases(figures),
  ]
    .join('\n\n')
    .concat('\n');
}

const QUICK =
  '**A quick run**: scenes have about a tenth of the triangles and few frames. It shows that everything works and that answers agree; its figures cannot be compared with the papers’, so that there are no ratios.';

function describeRun({ version, commit, date, machine }: RunInfo, figures: Figures): string {
  const { cpu, cores, memoryGb, os, node } = machine;
  const verified = [...figures.cases.values()].filter(({ result }) =>
    result.rows.some(({ pairs }) => pairs !== null),
  ).length;
  return (
    `Pliant ${version}, commit ${commit}, ${date.slice(0, 10)}. ${cpu}, ${cores} cores, ${memoryGb} GB, ${os}, Node ${node}. ` +
    `Answers were compared in ${verified} of ${figures.cases.size} cases (the others have no pairs to compare); a wrong one would be named.`
  );
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

/** `withContact`: a column with the share of frames that have contact, as calm motion can buy any ratio. */
function formatLines(lines: readonly Line[], figures: Figures, marks: Marks, withContact = false): string {
  const rows = lines.map((each) => {
    const found = typeof each.ours === 'string' ? each.ours : figures.find(each.ours);
    const cells = [
      each.what,
      formatPaperFigure(each),
      formatOurs(each, found, marks),
      formatRatio(each, found, figures.quick),
      ...(withContact ? [formatContact(each, found)] : []),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const head = ['what', 'paper', 'ours', 'ratio', ...(withContact ? ['frames with contact'] : [])];
  const rule = head.map((_, k) => (k === 0 ? '---' : '---:'));
  return [`| ${head.join(' | ')} |`, `|${rule.join('|')}|`, ...rows].join('\n');
}

function formatContact({ ours }: Line, found: Found | string): string {
  if (typeof ours === 'string' || typeof found === 'string' || found.kind !== 'value') return '–';
  const row = found.stored.result.rows.find(
    (each) => each.case === ours.row && each.metric === 'contact-frames',
  );
  return row === undefined ? '–' : formatFigure(row.value, '%');
}

function formatPaperFigure({ paper, unit }: Line): string {
  return typeof paper === 'string' ? paper : formatFigure(paper, unit);
}

function formatOurs({ unit }: Line, found: Found | string, marks: Marks): string {
  if (typeof found === 'string') return found;
  switch (found.kind) {
    case 'value':
      return `${formatFigure(found.value, unit)}${marks.of(found.stored)}`;
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

/** Signs beside figures that were measured with another program, on another machine or another day. */
export class Marks {
  readonly #info: RunInfo;
  readonly #notes: string[] = [];

  constructor(info: RunInfo) {
    this.#info = info;
  }

  of({ code, result }: { code: string; result: { commit: string; machine: string } }): string {
    const isSame = code === this.#info.code || isSameCommit(result.commit, this.#info.commit);
    const parts = [
      ...(isSame ? [] : [`commit ${result.commit}`]),
      ...(result.machine === this.#info.machineLine ? [] : [result.machine]),
    ];
    if (parts.length === 0) return '';
    const note = `measured elsewhere: ${parts.join(', ')}`;
    if (!this.#notes.includes(note)) this.#notes.push(note);
    return ` ${superscript(this.#notes.indexOf(note) + 1)}`;
  }

  notes(): string[] {
    if (this.#notes.length === 0) return [];
    return [this.#notes.map((note, k) => `${superscript(k + 1)} ${note}`).join('  \n')];
  }
}

function superscript(number: number): string {
  return [...String(number)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
}

function formatFailures({ failures }: RunInfo): string[] {
  if (failures.length === 0) return [];
  return ['## Failed', failures.map(({ name, reason }) => `- \`${name}\`: ${reason}`).join('\n')];
}

function formatCases(figures: Figures): string {
  const rows = [...figures.cases.values()].map(({ bench, case: name, date, seconds, load, result }) => {
    const pairs = result.rows[0]?.pairs ?? null;
    const cells = [
      `\`${bench}\``,
      `\`${name}\``,
      result.rows.length === 0 ? 'its data is not here' : String(result.rows.length),
      pairs === null ? '–' : withCommas(String(pairs)),
      result.rows.every(({ answersAgree }) => answersAgree) ? 'agree' : '**disagree**',
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
