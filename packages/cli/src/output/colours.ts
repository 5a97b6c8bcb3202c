import { trusted } from './streams.ts';

/** Text styles: on a terminal that has not asked for plain text (no-color.org). */
export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
}

export function coloursFor(stream: NodeJS.WriteStream): Colours {
  const { NO_COLOR, TERM } = process.env;
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
  const style = (on: number, off: number) => (text: string) =>
    isColoured ? `${trusted(`\x1b[${on}m`)}${text}${trusted(`\x1b[${off}m`)}` : text;
  return { bold: style(1, 22), dim: style(2, 22), red: style(31, 39), green: style(32, 39) };
}
