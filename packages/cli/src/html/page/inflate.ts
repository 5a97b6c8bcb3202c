/** Unpacks gzip: by the browser where it can, else by `inflate` below (browsers from before 2023). */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === 'undefined') return inflateGzip(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** RFC 1952 as zlib writes it: a header of ten bytes without extras. The checksum is not verified. */
export function inflateGzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = bytes.length;
  const size = new DataView(bytes.buffer, bytes.byteOffset, end).getUint32(end - 4, true);
  const bits = new BitReader(bytes, 10);
  const out = new Uint8Array(size);
  let at = 0;
  for (let last = 0; last === 0; ) {
    last = bits.read(1);
    const kind = bits.read(2);
    if (kind === 0) at = copyStored(bits, out, at);
    else if (kind === 1) at = inflateBlock(bits, FIXED_LITERALS, FIXED_DISTANCES, out, at);
    else at = inflateBlock(bits, ...readCodes(bits), out, at);
  }
  return out;
}

class BitReader {
  readonly bytes: Uint8Array;
  position: number;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes;
    this.position = position;
  }

  read(count: number): number {
    while (this.#count < count) {
      this.#held |= this.bytes[this.position++] << this.#count;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }

  skipToByte(): void {
    this.#held = this.#count = 0;
  }
}

/** Canonical Huffman code: how many codes of each length, and the symbols in code order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function codeOf(lengths: ArrayLike<number>): Code {
  const counts = new Uint16Array(16);
  for (let k = 0; k < lengths.length; k++) counts[lengths[k]]++;
  counts[0] = 0;
  const next = new Uint16Array(16);
  for (let length = 1; length < 15; length++) next[length + 1] = next[length] + counts[length];
  const symbols = new Uint16Array(lengths.length);
  for (let k = 0; k < lengths.length; k++) if (lengths[k] > 0) symbols[next[lengths[k]]++] = k;
  return { counts, symbols };
}

function readSymbol(bits: BitReader, { counts, symbols }: Code): number {
  let code = 0,
    first = 0,
    index = 0;
  for (let length = 1; length < 16; length++) {
    code |= bits.read(1);
    const count = counts[length];
    if (code - count < first) return symbols[index + (code - first)];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new Error('the data of this report is damaged');
}

const FIXED_LITERALS = codeOf(
  Array.from({ length: 288 }, (_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8)),
);
const FIXED_DISTANCES = codeOf(new Uint8Array(30).fill(5));
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function copyStored(bits: BitReader, out: Uint8Array, at: number): number {
  bits.skipToByte();
  const from = bits.position + 4;
  const length = bits.bytes[bits.position] | (bits.bytes[bits.position + 1] << 8);
  out.set(bits.bytes.subarray(from, from + length), at);
  bits.position = from + length;
  return at + length;
}

function readCodes(bits: BitReader): [Code, Code] {
  const literals = bits.read(5) + 257,
    distances = bits.read(5) + 1,
    coded = bits.read(4) + 4;
  const lengths = new Uint8Array(19);
  for (let k = 0; k < coded; k++) lengths[LENGTH_ORDER[k]] = bits.read(3);
  const lengthCode = codeOf(lengths);
  const all = new Uint8Array(literals + distances);
  for (let k = 0; k < all.length; ) {
    const symbol = readSymbol(bits, lengthCode);
    if (symbol < 16) {
      all[k++] = symbol;
      continue;
    }
    const value = symbol === 16 ? all[k - 1] : 0;
    const times = symbol === 16 ? 3 + bits.read(2) : symbol === 17 ? 3 + bits.read(3) : 11 + bits.read(7);
    all.fill(value, k, k + times);
    k += times;
  }
  return [codeOf(all.subarray(0, literals)), codeOf(all.subarray(literals))];
}

/** Lengths and distances come in steps that double: `extra` bits follow the symbol. */
function inflateBlock(bits: BitReader, literals: Code, distances: Code, out: Uint8Array, at: number): number {
  for (;;) {
    const symbol = readSymbol(bits, literals);
    if (symbol === 256) return at;
    if (symbol < 256) {
      out[at++] = symbol;
      continue;
    }
    const length = readLength(bits, symbol - 257);
    const from = at - readDistance(bits, readSymbol(bits, distances));
    for (let k = 0; k < length; k++) out[at + k] = out[from + k]; // may overlap: byte by byte
    at += length;
  }
}

function readLength(bits: BitReader, step: number): number {
  if (step < 8) return 3 + step;
  if (step === 28) return 258;
  const extra = (step >> 2) - 1;
  return 3 + ((4 + (step & 3)) << extra) + bits.read(extra);
}

function readDistance(bits: BitReader, step: number): number {
  if (step < 4) return 1 + step;
  const extra = (step >> 1) - 1;
  return 1 + ((2 + (step & 1)) << extra) + bits.read(extra);
}
