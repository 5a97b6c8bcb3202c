// Figures on the pages: a ratio, a time or a share is bound to what was measured (docs/results), or says what else it is.
//
//   47.5x<!-- = skin/meeting-28k/speedup-vs-depth-first -->     the number before it is that one, rounded
//   <!-- columns: - | escc/*/frame-ms | paper -->               above a table: what its columns are; * is the first cell
//   <!-- figures: measured 2026-11-16: npm run bench -- x -->   above a block or in a row: what all its numbers are
//
// A source is bench/case/metric, perhaps with /1000 after it. Several numbers of a cell are parted by a semicolon.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** What a number may be that is in no result. */
const KINDS = {
  paper: 'printed in a paper',
  setting: 'a constant of a program or of a scene',
  count: 'counted, the same on every machine',
  example: 'what an example prints',
  measured: 'measured by itself: a date, perhaps a commit, and how',
};
const MEASURED = /^measured \d{4}-\d\d-\d\d(?:, at ([0-9a-f]{7,40}))?: \S/;
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
/** Ratios, times and shares; 3×4 is a size. */
const FIGURE = new RegExp(
  String.raw`(?<![\w.,^-])(${NUMBER})\s?(?:x|×|times|ms|µs|ns|%|percent)(?![\w×])`,
  'g',
);
const BOUND = new RegExp(String.raw`(${NUMBER})\s?(?:[^\d\s<|]+)?\s*<!-- = (.*?) -->`, 'g');
const MARKER = /<!-- (columns|figures): (.*?) -->/;

/** Everything that was published with the newest release, by bench/case/metric. */
export function readResults(folder = join(root, 'docs/results')) {
  const versions = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const newest = join(folder, versions.at(-1) ?? '');
  const values = new Map();
  const commits = new Set();
  for (const name of readdirSync(newest).filter((each) => each.endsWith('.json'))) {
    const file = JSON.parse(readFileSync(join(newest, name), 'utf8'));
    if (file.info) commits.add(file.info.commit);
    for (const { bench, commit, rows } of file.cases?.map(({ result }) => result) ?? [file]) {
      commits.add(commit);
      for (const row of rows) values.set(`${bench}/${row.case}/${row.metric}`, row.value);
    }
  }
  return { values, commits };
}

export function checkFigures(pages, results = readResults()) {
  const problems = [];
  let count = 0;
  for (const page of pages) {
    for (const block of readBlocks(readFileSync(join(root, page), 'utf8'))) {
      const fail = (line, text) => problems.push(`${page}:${line}: ${text}`);
      count += block.isTable ? checkTable(block, results, fail) : checkText(block, results, fail);
    }
  }
  return { count, problems };
}

/** Paragraphs, lists and tables with the marker above them; code and what is between backticks is left out. */
function* readBlocks(text) {
  let block,
    fence = '',
    marker;
  const lines = [...text.split('\n').entries(), [-1, '']];
  for (const [k, raw] of lines) {
    const mark = raw.match(/^\s*(`{3,}|~{3,})/)?.[1];
    if (fence !== '' || mark !== undefined) {
      if (fence === '') fence = mark;
      else if (mark?.startsWith(fence) && raw.trim() === mark) fence = '';
      continue;
    }
    const line = raw.replace(/`[^`]*`/g, (code) => '`'.repeat(code.length)).replace(/\]\([^)]*\)/g, ']');
    if (line.trim() === '') {
      if (block) yield block;
      if (block) marker = undefined;
      block = undefined;
    } else if (!block && MARKER.test(line) && line.trim().replace(MARKER, '') === '') {
      const [, kind, content] = raw.match(MARKER);
      marker = { kind, content, line: k + 1 };
    } else {
      block ??= { lines: [], marker, isTable: line.startsWith('|') };
      block.lines.push({ number: k + 1, text: line, raw });
    }
  }
}

function checkText({ lines, marker }, results, fail) {
  const isOfAKind = isKind(marker, fail);
  let count = 0;
  for (const { number, text } of lines) {
    const { left, checked } = checkBound(text, number, results, fail);
    const figures = [...left.matchAll(FIGURE)];
    count += checked + figures.length;
    if (isOfAKind || isKind(rowMarker(text, number), fail)) continue;
    for (const [figure] of figures)
      fail(number, `${figure} comes from no result and does not say what it is`);
  }
  return count;
}

/** Numbers that name their source; what is left of the line are all others. */
function checkBound(text, number, results, fail) {
  let checked = 0;
  const left = text.replace(BOUND, (_, shown, source) => {
    checked++;
    compare(shown, source, results, (problem) => fail(number, problem));
    return ' ';
  });
  if (left.includes('<!-- = ')) fail(number, 'there is no number before <!-- = … -->');
  return { left: left.replace(/<!--(?! (?:columns|figures):).*?-->/g, ''), checked };
}

function checkTable(block, results, fail) {
  const { lines, marker } = block;
  if (marker?.kind !== 'columns') {
    const isBare = ({ text }) =>
      cellsOf(text).some((cell) => /^[*\d][\d.,*]*(?:\s*[/–]\s*[\d.,]+)*$/.test(cell));
    const unmarked =
      marker === undefined ? lines.slice(2).find((row) => isBare(row) && !rowMarker(row.text)) : undefined;
    if (unmarked)
      fail(unmarked.number, 'a table of numbers that says neither where they are from nor what they are');
    return checkText(block, results, fail);
  }
  const columns = splitCells(marker.content).map((column) => column.split(';').map((each) => each.trim()));
  let count = 0;
  for (const { number, text, raw } of lines.slice(2)) {
    if (isKind(rowMarker(text, number), fail)) continue;
    const { left, checked } = checkBound(text, number, results, fail);
    count += checked;
    const cells = cellsOf(left);
    const [name] = cellsOf(raw).map((cell) =>
      cell
        .replace(/<!--.*?-->/g, '')
        .replaceAll('`', '')
        .trim(),
    );
    if (cells.length !== columns.length)
      fail(number, `${cells.length} cells, but ${columns.length} columns are told`);
    else
      for (const [k, cell] of cells.entries())
        count += checkCell(cell, columns[k], name, results, (problem) => fail(number, problem));
  }
  return count;
}

function checkCell(cell, sources, name, results, fail) {
  const numbers = cell.match(new RegExp(NUMBER, 'g')) ?? [];
  if (sources[0] === '-') {
    for (const [figure] of cell.matchAll(FIGURE)) fail(`${figure} is in a column of words`);
    return 0;
  }
  if (numbers.length === 0) return 0; // nothing is claimed
  if (numbers.length > sources.length)
    fail(`“${cell}” has more numbers than the ${sources.length} that are told`);
  for (const [k, shown] of numbers.entries()) {
    const source = sources[k] ?? '';
    if (source in KINDS || source === '') continue;
    compare(shown, source.replace('*', name), results, fail);
  }
  return numbers.length;
}

/** Equal when the value has these digits after rounding. */
function compare(shown, source, { values }, fail) {
  const [, place, divisor] = source.match(/^(\S+?)(?:\s*\/\s*(\d+))?$/) ?? [];
  const value = values.get(place);
  if (value === undefined) return fail(`there is no result ${source}`);
  const expected = value / Number(divisor ?? 1);
  const decimals = shown.split('.')[1]?.length ?? 0;
  const number = Number(shown.replaceAll(',', ''));
  if (Math.abs(number - expected) <= 0.5001 * 10 ** -decimals) return;
  fail(`${shown} should be ${expected.toPrecision(4)}, which is ${source}`);
}

/** True when a block or row says what its numbers are; complains when it does not say it properly. */
function isKind(marker, fail) {
  if (marker?.kind !== 'figures') return false;
  const [kind] = marker.content.split(/[\s,:]/);
  if (!(kind in KINDS)) fail(marker.line, `“${kind}” is none of ${Object.keys(KINDS).join(', ')}`);
  else if (kind === 'measured' && !MEASURED.test(marker.content)) {
    fail(marker.line, 'write: measured YYYY-MM-DD: COMMAND, or measured YYYY-MM-DD, at COMMIT: COMMAND');
  }
  return true;
}

function rowMarker(text, line = 0) {
  const [, kind, content] = text.match(MARKER) ?? [];
  return kind === 'figures' ? { kind, content, line } : undefined;
}

function cellsOf(row) {
  return splitCells(row.replace(MARKER, '').trim().replace(/^\|/, '').replace(/\|$/, ''));
}

function splitCells(text) {
  return text.split('|').map((cell) => cell.trim());
}

/** Pages that tell figures by hand. Those of results are written by `npm run reproduce`, help texts by the command. */
export function listFigurePages(pages) {
  const others = ['CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md'];
  const readmes = ['cli', 'pliant', 'studio'].map((name) => `packages/${name}/README.md`);
  return [...new Set([...pages, ...others, ...readmes])]
    .filter((page) => !/^docs\/(results|api)\/|^docs\/command\.md$/.test(page))
    .filter((page) => existsSync(join(root, page)));
}
