// Figures on the pages: a ratio, a time or a share is bound to what was measured (docs/results), or says what else it is.
//
//   47.5x<!-- = skin/meeting-28k/speedup-vs-depth-first -->     the number before it is that one, rounded
//   <!-- columns: - | escc/*/frame-ms | paper -->               above a table: what its columns are; * is the first cell
//   <!-- rows: a, b -->                                         after it: names for * where first cells are words
//   <!-- figures: measured 2026-11-16: npm run bench -- x -->   above a block or in a row: what all its numbers are
//
// A source is bench/case/metric, perhaps with /1000 after it. Several numbers of a cell are parted by a semicolon.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const MEASURED = /^measured \d{4}-\d\d-\d\d(?:, at [0-9a-f]{7,40})?: \S/;
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
/** Ratios, times and shares; 3×4 is a size. */
const FIGURE = new RegExp(
  String.raw`(?<![\w.,^-])(${NUMBER})\s?(?:x|×|times|ms|µs|ns|%|percent)(?![\w×])`,
  'g',
);
const BOUND = new RegExp(String.raw`(${NUMBER})\s?(?:[^\d\s<|]+)?\s*<!-- = (.*?) -->`, 'g');
const MARKER = /<!-- (columns|rows|figures): (.*?) -->/;

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

/** Messages about figures that differ from their results or come from none, and how many figures there are. */
export function checkFigures(pages, results = readResults()) {
  const problems = [];
  let count = 0;
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const found = readFigures(text, results);
    count += found.count;
    problems.push(...found.problems.map(({ line, message }) => `${page}:${line}: ${message}`));
  }
  return { count, problems };
}

/** Writes the figures of the results into the pages; returns how many have changed. */
export function updateFigures(pages, results = readResults()) {
  let changed = 0;
  for (const page of pages) {
    const path = join(root, page);
    const lines = readFileSync(path, 'utf8').split('\n');
    const { fixes } = readFigures(lines.join('\n'), results);
    for (const { line, start, shown, right } of fixes.reverse()) {
      const text = lines[line - 1];
      lines[line - 1] = text.slice(0, start) + right + text.slice(start + shown.length);
      changed++;
    }
    if (fixes.length > 0) writeFileSync(path, lines.join('\n'));
  }
  return changed;
}

/** Pages that tell figures by hand. Those of results are written by `npm run reproduce`, help texts by the command. */
export function listFigurePages(pages) {
  const others = ['CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md'];
  const readmes = ['cli', 'pliant', 'studio'].map((name) => `packages/${name}/README.md`);
  return [...new Set([...pages, ...others, ...readmes])]
    .filter((page) => !/^docs\/(results|api)\/|^docs\/command\.md$/.test(page))
    .filter((page) => existsSync(join(root, page)));
}

/** `fixes`: numbers that should be others, from the start of the text to its end. */
function readFigures(text, results) {
  const found = { count: 0, problems: [], fixes: [], results };
  for (const block of readBlocks(text)) {
    if (block.isTable) readTable(block, found);
    else readText(block, found);
  }
  return found;
}

/** Paragraphs, lists and tables with the markers above them; without code, and without the addresses of links. */
function* readBlocks(text) {
  const blank = (match) => ' '.repeat(match.length); // places in a line stay what they are
  let block,
    fence = '',
    markers = {};
  for (const [k, raw] of [...text.split('\n'), ''].entries()) {
    const mark = raw.match(/^\s*(`{3,}|~{3,})/)?.[1];
    if (fence !== '' || mark !== undefined) {
      if (fence === '') fence = mark;
      else if (raw.trim() === mark && mark.length >= fence.length) fence = '';
      continue;
    }
    const line = raw.replace(/`[^`]*`/g, blank).replace(/\]\([^)]*\)/g, blank);
    if (line.trim() === '') {
      if (block) {
        yield block;
        markers = {};
      }
      block = undefined;
    } else if (!block && raw.trim().replace(MARKER, '') === '') {
      const [, kind, content] = raw.match(MARKER);
      markers[kind] = { content, line: k + 1 };
    } else {
      block ??= { lines: [], markers, isTable: line.startsWith('|') };
      block.lines.push({ number: k + 1, text: line, raw });
    }
  }
}

function readText({ lines, markers }, found) {
  const isOfAKind = checkKind(markers.figures, found);
  for (const { number, text } of lines) {
    const left = readBound(text, number, found);
    const figures = [...left.matchAll(FIGURE)];
    found.count += figures.length;
    if (isOfAKind || checkKind(rowMarker(text, number), found)) continue;
    for (const [figure] of figures) {
      fail(found, number, `${figure} comes from no result and does not say what it is`);
    }
  }
}

/** Numbers that name their source; what is left of the line are all others. */
function readBound(text, number, found) {
  const left = text.replace(BOUND, (match, shown, source, start) => {
    found.count++;
    compare(shown, source, { line: number, start }, found);
    return ' '.repeat(match.length);
  });
  if (left.includes('<!-- = ')) fail(found, number, 'there is no number before <!-- = … -->');
  return left.replace(/<!-- (?!(?:columns|rows|figures):).*?-->/g, (match) => ' '.repeat(match.length));
}

function readTable(block, found) {
  const { lines, markers } = block;
  if (markers.columns === undefined) {
    const isBare = ({ text }) =>
      cellsOf(text).some(({ cell }) => /^[*\d][\d.,*]*(?:\s*[/–]\s*[\d.,]+)*$/.test(cell.trim()));
    const unmarked = lines.slice(2).find((row) => isBare(row) && !rowMarker(row.text));
    if (unmarked && markers.figures === undefined) {
      fail(
        found,
        unmarked.number,
        'a table of numbers that says neither where they are from nor what they are',
      );
    }
    return readText(block, found);
  }
  const columns = listOf(markers.columns, '|').map((column) => column.split(';').map((each) => each.trim()));
  const names = markers.rows && listOf(markers.rows, ',');
  const rows = lines.slice(2);
  if (names && names.length !== rows.length) {
    fail(found, markers.rows.line, `${names.length} names for ${rows.length} rows`);
  }
  for (const [k, { number, text, raw }] of rows.entries()) {
    if (checkKind(rowMarker(text, number), found)) continue;
    const cells = cellsOf(readBound(text, number, found));
    const name = names?.[k] ?? cellsOf(raw)[0].cell.replaceAll('`', '').trim();
    if (cells.length !== columns.length) {
      fail(found, number, `${cells.length} cells, but ${columns.length} columns are told`);
    } else {
      for (const [c, each] of cells.entries()) readCell(each, columns[c], name, number, found);
    }
  }
}

function readCell({ cell, start }, sources, name, line, found) {
  if (sources[0] === '-') {
    for (const [figure] of cell.matchAll(FIGURE)) fail(found, line, `${figure} is in a column of words`);
    return;
  }
  const numbers = [...cell.matchAll(new RegExp(NUMBER, 'g'))]; // none: nothing is claimed
  if (numbers.length > sources.length) {
    fail(found, line, `“${cell.trim()}” has more numbers than the ${sources.length} that are told`);
  }
  for (const [k, match] of numbers.slice(0, sources.length).entries()) {
    found.count++;
    if (sources[k] in KINDS) continue;
    const place = { line, start: start + match.index };
    compare(match[0], sources[k].replace('*', name), place, found);
  }
}

/** Equal when the value has these digits after rounding. */
function compare(shown, source, { line, start }, found) {
  const [, place, divisor] = source.match(/^(\S+?)(?:\s*\/\s*(\d+))?$/) ?? [];
  const value = found.results.values.get(place);
  if (value === undefined) return fail(found, line, `there is no result ${source}`);
  const expected = value / Number(divisor ?? 1);
  const decimals = shown.split('.')[1]?.length ?? 0;
  const number = Number(shown.replaceAll(',', ''));
  if (Math.abs(number - expected) <= 0.5001 * 10 ** -decimals) return;
  const right = formatLike(shown, expected);
  found.fixes.push({ line, start, shown, right });
  fail(found, line, `${shown} should be ${right}, which is ${source}`);
}

/** Three digits that mean something, with commas where there were some. */
function formatLike(shown, value) {
  const size = Math.abs(value);
  const text = size >= 100 ? value.toFixed(0) : size === 0 ? '0' : String(Number(value.toPrecision(3)));
  return shown.includes(',') || size >= 10_000 ? Number(text).toLocaleString('en') : text;
}

/** True when a block or row says what its numbers are; complains when it does not say it properly. */
function checkKind(marker, found) {
  if (marker === undefined) return false;
  const [kind] = marker.content.split(/[\s,:]/);
  if (!(kind in KINDS)) {
    fail(found, marker.line, `“${kind}” is none of ${Object.keys(KINDS).join(', ')}`);
  } else if (kind === 'measured' && !MEASURED.test(marker.content)) {
    const form = 'measured YYYY-MM-DD: COMMAND, or measured YYYY-MM-DD, at COMMIT: COMMAND';
    fail(found, marker.line, `write: ${form}`);
  }
  return true;
}

function rowMarker(text, line) {
  const [, kind, content] = text.match(MARKER) ?? [];
  return kind === 'figures' ? { content, line } : undefined;
}

/** With where each begins in the row. */
function cellsOf(row) {
  const plain = row.replace(MARKER, (match) => ' '.repeat(match.length)).trimEnd();
  const cells = [];
  let start = 1; // after the first |
  for (const cell of plain.replace(/^\|/, '').replace(/\|$/, '').split('|')) {
    cells.push({ cell, start });
    start += cell.length + 1;
  }
  return cells;
}

function listOf({ content }, separator) {
  return content.split(separator).map((each) => each.trim());
}

function fail({ problems }, line, message) {
  problems.push({ line, message });
}
