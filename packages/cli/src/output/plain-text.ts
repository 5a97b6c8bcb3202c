/**
 * Characters that steer a terminal, hide text or end a line: controls (C0 and C1), formats (changes of direction, no
 * width), separators of lines and paragraphs, halves of surrogate pairs.
 */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const STEERING_IN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** What build servers take for commands: `::name::` at the start of a line; `##[name]` and its like anywhere. */
const COMMAND_START = /^(\s*)::/gmu;
const COMMAND_INSIDE = /##(?=\w*\[)/gu;

/** One line of text as it may be shown anywhere: a dot stands for every character that would steer its reader. */
export function plainLine(text: string): string {
  return text.replace(STEERING, '·');
}

/** Lines of text as they may be shown in a terminal and in the log of a build server. */
export function plainLines(text: string): string {
  return text.replace(STEERING_IN_LINES, '·').replace(COMMAND_START, '$1·::').replace(COMMAND_INSIDE, '#·');
}

/** Most JSON has nothing of the kind, and there may be much of it. */
const UNUSUAL = /[^\n\x20-\x22\x24-\x7e]/; // # is \x23

/** JSON text with the same values, in which characters that would steer its reader are written as escapes. */
export function plainJson(json: string): string {
  if (!UNUSUAL.test(json)) return json;
  return json
    .replace(/[\t\r]/g, ' ') // outside of strings: within, they are escaped already
    .replace(STEERING_IN_LINES, escaped)
    .replace(COMMAND_INSIDE, '#\\u0023');
}

/** `\u202e`; two of them for what takes two code units. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, k) => character.charCodeAt(k));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
