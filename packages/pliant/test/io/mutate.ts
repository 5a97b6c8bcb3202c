/** Numbers from a seed; the same on every machine. Mulberry32. */
export class Random {
  private state = 1;

  constructor(seed: string) {
    for (const letter of seed) this.state = Math.imul(this.state ^ letter.charCodeAt(0), 0x01000193);
  }

  /** Below `bound`. */
  integer(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(list.length)];
  }
}

const NASTY_NUMBERS = [
  '-1',
  '0',
  '1',
  '4294967295',
  '2147483648',
  '99999999999999999999',
  '1e999',
  'nan',
  '-inf',
  '1e-400',
  '',
  '.',
  '-',
  '0x7f',
  '1.5',
];
const NASTY_BYTES = [0, 1, 9, 10, 13, 32, 35, 36, 42, 92, 127, 128, 255];

/** A copy with one to four things wrong. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let result: Uint8Array = bytes.slice();
  for (let i = 1 + random.integer(4); i > 0; i--) result = random.pick(MUTATIONS)(result, random);
  return result;
}

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Near the start half of the time: headers and counts are there. */
function place(bytes: Uint8Array, random: Random): number {
  return random.integer(random.integer(2) === 0 ? Math.min(bytes.length, 200) : bytes.length);
}

const flipBit: Mutation = (bytes, random) => {
  if (bytes.length > 0) bytes[place(bytes, random)] ^= 1 << random.integer(8);
  return bytes;
};

const setByte: Mutation = (bytes, random) => {
  if (bytes.length > 0) bytes[place(bytes, random)] = random.pick(NASTY_BYTES);
  return bytes;
};

const setWord: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  for (let i = at; i < Math.min(at + 4, bytes.length); i++) bytes[i] = random.pick([0, 127, 128, 255]);
  return bytes;
};

const truncate: Mutation = (bytes, random) => bytes.slice(0, place(bytes, random));

const remove: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return spliced(bytes, at, at + 1 + random.integer(20), new Uint8Array(0));
};

const repeat: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return spliced(bytes, at, at, bytes.slice(at, at + 1 + random.integer(100)));
};

const insert: Mutation = (bytes, random) => {
  const at = place(bytes, random);
  return spliced(
    bytes,
    at,
    at,
    Uint8Array.from({ length: 1 + random.integer(8) }, () => random.integer(256)),
  );
};

/** Replaces a word, most often a number, by one that hurts. */
const replaceWord: Mutation = (bytes, random) => {
  let start = place(bytes, random);
  while (start > 0 && bytes[start - 1] > 32) start--;
  let end = start;
  while (end < bytes.length && end < start + 40 && bytes[end] > 32) end++;
  return spliced(bytes, start, end, new TextEncoder().encode(random.pick(NASTY_NUMBERS)));
};

const MUTATIONS = [flipBit, setByte, setWord, truncate, remove, repeat, insert, replaceWord, replaceWord];

function spliced(bytes: Uint8Array, from: number, to: number, middle: Uint8Array): Uint8Array {
  const end = Math.min(to, bytes.length);
  const result = new Uint8Array(from + middle.length + bytes.length - end);
  result.set(bytes.subarray(0, from));
  result.set(middle, from);
  result.set(bytes.subarray(end), from + middle.length);
  return result;
}
