import type { Random } from '../io/mutate.ts';

type Growth = (lines: string[], random: Random) => string[];

/** Text files that stay well-formed and become extreme: repeated lines, long polygons, one index everywhere. */
export function growText(bytes: Uint8Array, random: Random): Uint8Array {
  const lines = new TextDecoder('latin1').decode(bytes).split('\n');
  return new TextEncoder().encode(random.pick(GROWTHS)(lines, random).join('\n'));
}

const repeatLine: Growth = (lines, random) => {
  const at = random.integer(lines.length);
  const copies = new Array<string>(1 << random.integer(14)).fill(lines[at]);
  return [...lines.slice(0, at), ...copies, ...lines.slice(at)];
};

/** One line with the words of many. */
const joinLines: Growth = (lines, random) => {
  const at = random.integer(lines.length);
  const words = lines[at].split(/\s+/);
  const long = [
    words[0],
    ...Array.from(
      { length: 1 << random.integer(13) },
      (_, k) => words[1 + (k % Math.max(1, words.length - 1))] ?? '1',
    ),
  ];
  return lines.with(at, long.join(' '));
};

/** The last word of every line that begins alike. */
const oneIndex: Growth = (lines, random) => {
  const word = lines[random.integer(lines.length)].split(/\s+/);
  return lines.map((line) => (line.split(/\s+/)[0] === word[0] ? line.replace(/\S+$/, word.at(-1)!) : line));
};

const zeroNumbers: Growth = (lines) => lines.map((line) => line.replace(/-?\d+\.\d+/g, '0.0'));

const GROWTHS = [repeatLine, joinLines, oneIndex, zeroNumbers];
