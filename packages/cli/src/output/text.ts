import { plainLine } from './plain-text.ts';

/** `1,234,567`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Columns as wide as needed; those whose heading begins with `>` are flush right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const isRight = headings.map((heading) => heading.startsWith('>'));
  const lines = [headings.map((heading, c) => (isRight[c] ? heading.slice(1) : heading)), ...rows];
  const widths = headings.map((_, c) => Math.max(...lines.map((line) => displayWidth(line[c]))));
  return lines.map((line) =>
    line
      .map((cell, c) => {
        const space = ' '.repeat(widths[c] - displayWidth(cell));
        return isRight[c] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

function displayWidth(text: string): number {
  return [...text].length;
}

/** One line, without characters that would steer a terminal. */
export function printable(text: string, limit = 40): string {
  const plain = plainLine(text);
  return [...plain].length > limit ? `${[...plain].slice(0, limit - 1).join('')}…` : plain;
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** A row of blocks: the largest value of each stretch, a blank for none. */
export function sparkline(values: readonly number[], width: number, highest: number): string {
  const columns = Math.min(width, values.length);
  let line = '';
  for (let c = 0; c < columns; c++) {
    let most = 0;
    const end = Math.floor(((c + 1) * values.length) / columns);
    for (let k = Math.floor((c * values.length) / columns); k < end; k++) most = Math.max(most, values[k]);
    line += most === 0 ? '·' : LEVELS[Math.min(7, Math.floor((8 * most) / (highest + 1e-9)))];
  }
  return line;
}
