import { CommandError } from '../command-error.ts';

/** Values of options, from the command line or a settings file. Each names its option when it refuses. */

export function parseNumber(option: string, value: unknown, low: number, high: number): number {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim()
        ? Number(value)
        : Number.NaN;
  if (number >= low && number <= high) return number;
  throw new CommandError(`${option} must be a number from ${low} to ${high}, not ${show(value)}`);
}

export function parseInteger(option: string, value: unknown, low: number, high: number): number {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? Number.NaN : Number(value);
  if (Number.isInteger(number) && number >= low && number <= high) return number;
  throw new CommandError(`${option} must be a whole number from ${low} to ${high}, not ${show(value)}`);
}

/** `A-B`, or one number. */
export function parseRange(option: string, value: unknown): [number, number] {
  const [, first, last] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(String(value)) ?? [];
  const range: [number, number] = [Number(first), Number(last ?? first)];
  if (first !== undefined && range[0] <= range[1]) return range;
  throw new CommandError(`${option} must be like 10-20, not ${show(value)}`);
}

/** `t,t,…`, or a list in a settings file. */
export function parseTimes(option: string, value: unknown): number[] {
  const items = Array.isArray(value) ? value : String(value).split(',');
  const times = items.map((item) => (String(item).trim() === '' ? Number.NaN : Number(item)));
  if (times.length > 0 && times.every((time) => time >= 0 && time < Number.POSITIVE_INFINITY)) return times;
  throw new CommandError(`${option} must be seconds like 0,0.5,1, not ${show(value)}`);
}

/** `i/n` with i < n. */
export function parseShard(option: string, value: unknown): { index: number; count: number } {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(String(value)) ?? [];
  if (index !== undefined && Number(index) < Number(count))
    return { index: Number(index), count: Number(count) };
  throw new CommandError(`${option} must be like 0/4, from 0/4 to 3/4, not ${show(value)}`);
}

export function parseChoice<Choice extends string>(
  option: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  if (choices.includes(value as Choice)) return value as Choice;
  const list = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : choices[0];
  throw new CommandError(`${option} must be ${list}, not ${show(value)}`);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}
