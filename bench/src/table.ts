import type { Row } from './result.ts';

/** Rows as text, a block per case, columns aligned. */
export function formatRows(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.case,
    row.metric,
    `${formatNumber(row.value)} ${row.unit}`,
    row.target === null ? '' : `${row.better === 'higher' ? '>=' : '<='} ${formatNumber(row.target)}`,
    row.paper === null ? '' : `paper ${formatNumber(row.paper)}`,
    markOf(row),
  ]);
  const widths = [0, 1, 2, 3, 4, 5].map((k) => Math.max(0, ...cells.map((line) => line[k].length)));
  const lines = cells.map((line, r) => {
    const isFirst = r === 0 || rows[r - 1].case !== rows[r].case;
    const texts = line.map((text, k) => (k === 2 ? text.padStart(widths[k]) : text.padEnd(widths[k])));
    if (!isFirst) texts[0] = ' '.repeat(widths[0]);
    const shown = texts.filter((_, k) => widths[k] > 0);
    return `${isFirst && r > 0 ? '\n' : ''}${shown.join('  ').trimEnd()}`;
  });
  return lines.join('\n');
}

function markOf({ ok, answersAgree }: Row): string {
  if (answersAgree === false) return 'ANSWERS DISAGREE';
  if (ok === null) return '';
  return ok ? 'ok' : 'MISSED';
}

/** Three digits that mean something. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1000) return Math.round(value).toString();
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
