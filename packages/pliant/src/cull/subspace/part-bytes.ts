import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createRadii, type RadiusPart } from './radius-parts.ts';
import type { Reach } from './reach.ts';

/**
 * A part in bytes: 14 words of head, the radius, arrays with the widest numbers first, and a hash of all that. The
 * words are little-endian, as on all machines this runs on.
 */
const MAGIC = 0x50534c50; // PLSP
const VERSION = 3; // changes whenever parts of the same body come out differently
const HEAD_WORDS = 14; // an even number: numbers of 8 bytes follow
const HASH_WORDS = 4;
const BYTES_PER_NODE = 28;
const BYTES_PER_PAIR = 16;
/** In place of the number of a part: how far radii are looked for. */
const REACH = 0xffff_ffff;

/** What a body, all settings and one centre are told apart by. */
export type BallHash = string;

export function writePart(hash: BallHash, index: number, part: RadiusPart): Uint8Array {
  const { lower, upper, between, nearest } = part.radii;
  const { a, b, next, radius } = part.pairs;
  const arrays = [Float64Array.of(part.radius), lower, upper, between, nearest, a, b, next, radius];
  return write(
    hash,
    [index, lower.length, a.length, part.evaluations, part.cappedPairs, part.givenUp],
    arrays,
  );
}

export function writeReach(hash: BallHash, reach: Reach): Uint8Array {
  const { cap, isWhole, evaluations, cappedPairs, givenUp } = reach;
  return write(
    hash,
    [REACH, 0, 0, evaluations, cappedPairs, givenUp, Number(isWhole)],
    [Float64Array.of(cap)],
  );
}

function write(hash: BallHash, numbers: readonly number[], arrays: readonly ArrayBufferView[]): Uint8Array {
  const head = new Uint32Array(HEAD_WORDS);
  const [index, nodes, pairs, evaluations, capped, givenUp, isWhole = 0] = numbers;
  head.set([MAGIC, VERSION, ...hashWords(hash), index, nodes, pairs]);
  head.set([evaluations >>> 0, Math.floor(evaluations / 2 ** 32), capped, isWhole, givenUp], 9);
  const size = arrays.reduce((sum, { byteLength }) => sum + byteLength, head.byteLength);
  const bytes = new Uint8Array(size + 4 * HASH_WORDS);
  let to = 0;
  for (const { buffer, byteOffset, byteLength } of [head, ...arrays]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), to);
    to += byteLength;
  }
  const checksum = new ContentHash().addNumbers(new Uint32Array(bytes.buffer, 0, size / 4)).finish();
  new Uint32Array(bytes.buffer, size).set(hashWords(checksum));
  return bytes;
}

/** A part as it was stored, and whose it is. */
export interface StoredPart {
  readonly hash: BallHash;
  /** Undefined: it is the reach. */
  readonly index: number | undefined;
  readonly part: RadiusPart;
  /** Of the reach. */
  readonly isWhole: boolean;
}

/** Errors: 'syntax' for what is no part or a damaged one, 'unsupported' for one of another version. */
export function readPart(given: Uint8Array, where: string): StoredPart {
  const bytes = given.slice(); // aligned
  const damaged = (why: string) => new InputError('syntax', `${where} ${why}`);
  const payload = bytes.length - 4 * HASH_WORDS;
  if (payload < 4 * HEAD_WORDS + 8 || payload % 4 !== 0) throw damaged('is no part of a preparation');
  const words = new Uint32Array(bytes.buffer);
  if (words[0] !== MAGIC) throw damaged('is no part of a preparation');
  if (words[1] !== VERSION) {
    throw new InputError('unsupported', `${where} is of version ${words[1]}, not ${VERSION}`);
  }
  const nodes = words[7],
    pairs = words[8];
  const checksum = new ContentHash().addNumbers(words.subarray(0, payload / 4)).finish();
  const isWhole =
    payload === 4 * HEAD_WORDS + 8 + BYTES_PER_NODE * nodes + BYTES_PER_PAIR * pairs &&
    hashWords(checksum).every((word, k) => word === words[payload / 4 + k]);
  if (!isWhole) throw damaged('is damaged');
  let from = 4 * HEAD_WORDS;
  const take = <T extends Float64Array | Float32Array | Uint32Array>(array: T): T => {
    new Uint8Array(array.buffer).set(bytes.subarray(from, from + array.byteLength));
    from += array.byteLength;
    return array;
  };
  const [radius] = take(new Float64Array(1));
  const { lower, upper, between, nearest } = createRadii(nodes);
  const radii = {
    lower: take(lower),
    upper: take(upper),
    between: take(between),
    nearest: take(nearest),
  };
  const list = () => take(new Uint32Array(pairs));
  return {
    hash: hashText(words.subarray(2, 2 + HASH_WORDS)),
    index: words[6] === REACH ? undefined : words[6],
    isWhole: words[12] === 1,
    part: {
      radius,
      radii,
      pairs: { a: list(), b: list(), next: list(), radius: take(new Float32Array(pairs)) },
      evaluations: words[9] + words[10] * 2 ** 32,
      cappedPairs: words[11],
      givenUp: words[13],
    },
  };
}

function hashWords(hash: string): number[] {
  return Array.from({ length: HASH_WORDS }, (_, k) => Number.parseInt(hash.slice(8 * k, 8 * k + 8), 16));
}

function hashText(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}
