import { InputError, type InputErrorCode } from '../mesh/input-error.ts';
import { divideTwice, POWERS_OF_TEN } from './decimal.ts';

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const BACKSLASH = 92;
const LONGEST_NUMBER = 4096; // characters; nobody means more
const LONGEST_WORD = 256; // longer ones are cut: no keyword is that long

/**
 * Walks over the bytes of a text file: numbers, words, lines. Makes no strings for numbers and does
 * not count lines until an error needs the place.
 */
export class TextScanner {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly fileName: string;
  readonly firstLine: number; // line number of bytes[0]
  position = 0;
  placesAreBytes = false; // errors name the byte instead of the line: the file is partly binary

  constructor(bytes: Uint8Array, fileName: string, firstLine = 1, end = bytes.length) {
    this.bytes = bytes;
    this.end = end;
    this.fileName = fileName;
    this.firstLine = firstLine;
    if (firstLine === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  /** The next byte without taking it; 0 at the end. */
  peek(): number {
    return this.position < this.end ? this.bytes[this.position] : 0;
  }

  /** True when the next bytes are this ASCII text. */
  startsWith(text: string): boolean {
    for (let i = 0; i < text.length; i++)
      if (this.bytes[this.position + i] !== text.charCodeAt(i)) return false;
    return this.position + text.length <= this.end;
  }

  /** Past blanks and continued line ends (`\` before a line end); stays on the line. */
  skipBlanks(): void {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end) {
      const byte = bytes[p];
      if (byte === SPACE || byte === TAB || byte === 11 || byte === 12) p++;
      else if (byte === BACKSLASH && continuationLength(bytes, p, end) > 0)
        p += continuationLength(bytes, p, end);
      else break;
    }
    this.position = p;
  }

  /** Past blanks, line ends and `#` comments. */
  skipSpace(): void {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end) {
      const byte = bytes[p];
      if (byte === SPACE || (byte >= TAB && byte <= CARRIAGE_RETURN)) p++;
      else if (byte === HASH) p = lineEnd(bytes, p, end);
      else break;
    }
    this.position = p;
  }

  /** True on a line end, a comment or the end of the file. */
  get atLineEnd(): boolean {
    const byte = this.peek();
    return byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === HASH || this.position >= this.end;
  }

  /** To the start of the next line. */
  skipLine(): void {
    this.position = lineEnd(this.bytes, this.position, this.end);
    this.skipLineEnd();
  }

  /** To the start of the next line that does not continue this one. */
  skipContinuedLine(): void {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end && bytes[p] !== LINE_FEED && bytes[p] !== CARRIAGE_RETURN) {
      p += bytes[p] === BACKSLASH ? Math.max(1, continuationLength(bytes, p, end)) : 1;
    }
    this.position = p;
    this.skipLineEnd();
  }

  /** Past one `\n`, `\r\n` or `\r`. */
  skipLineEnd(): void {
    if (this.peek() === CARRIAGE_RETURN) this.position++;
    else if (this.peek() === LINE_FEED) this.position++;
    else return;
    if (this.bytes[this.position - 1] === CARRIAGE_RETURN && this.peek() === LINE_FEED) this.position++;
  }

  /** The rest of the line without surrounding blanks; moves to the next line. */
  readLine(): string {
    const start = this.position;
    const stop = lineEnd(this.bytes, start, this.end);
    this.position = stop;
    this.skipLineEnd();
    return new TextDecoder().decode(this.bytes.subarray(start, stop)).trim();
  }

  /** The word at the cursor, after white space and comments; empty at the end of the file. */
  nextWord(): string {
    this.skipSpace();
    return this.takeWord();
  }

  /** Past the next word; there must be one. */
  skipWord(what: string): void {
    this.skipSpace();
    if (this.atEnd) this.failExpected(what);
    let p = this.position;
    while (p < this.end && this.bytes[p] > SPACE) p++;
    if (p === this.position) this.failExpected(what);
    this.position = p;
  }

  /** The word on this line, empty at its end. */
  wordOnLine(): string {
    this.skipBlanks();
    return this.takeWord();
  }

  /** The next number, over white space, line ends and comments. */
  nextNumber(): number {
    this.skipSpace();
    return this.takeNumber();
  }

  nextInteger(): number {
    this.skipSpace();
    const start = this.position;
    const value = this.takeInteger();
    const byte = this.peek();
    if (byte > SPACE && byte !== BACKSLASH) this.failInteger(start);
    return value;
  }

  /** A count of records that the rest of the file could hold at `bytesEach` characters. */
  nextCount(what: string, bytesEach: number): number {
    this.skipSpace();
    const start = this.position;
    const count = this.nextInteger();
    this.checkCount(what, count, bytesEach, start);
    return count;
  }

  /** Refuses a count before memory is set aside for it. */
  checkCount(what: string, count: number, bytesEach: number, at = this.position): void {
    if (count < 0) this.fail('syntax', `${what}: ${count}`, at);
    // the last record need not be followed by a separator
    if (count * bytesEach > this.end - this.position + 1) {
      this.fail('truncated', `${what}: ${count}, but only ${this.end - this.position} bytes follow`, at);
    }
  }

  /** Index of one of `count` things numbered from `base`, returned from 0. */
  nextIndex(base: number, count: number, what: string): number {
    const value = this.nextInteger();
    if (value < base || value >= base + count) {
      this.fail('index-out-of-range', `${what} ${value}, but the file has ${count} (numbered from ${base})`);
    }
    return value - base;
  }

  /**
   * The number that starts at the cursor, equal to `Number(token)`. Refuses what is not finite.
   *
   * A mantissa below 2⁵³ and a power of ten up to 10²² are both exact, so one multiplication or
   * division rounds correctly (Clinger 1990). Longer mantissas go on to `longNumber`.
   */
  takeNumber(): number {
    const { bytes, end } = this;
    const start = this.position;
    let p = start;
    let byte = p < end ? bytes[p] : 0;
    const negative = byte === MINUS;
    if (negative || byte === PLUS) byte = ++p < end ? bytes[p] : 0;

    const firstDigit = p;
    let mantissa = 0;
    while (byte >= ZERO && byte <= 57) {
      mantissa = 10 * mantissa + (byte - ZERO);
      byte = ++p < end ? bytes[p] : 0;
    }
    let digits = p - firstDigit;
    let exponent = 0;
    if (byte === DOT) {
      const firstDecimal = ++p;
      byte = p < end ? bytes[p] : 0;
      while (byte >= ZERO && byte <= 57) {
        mantissa = 10 * mantissa + (byte - ZERO);
        byte = ++p < end ? bytes[p] : 0;
      }
      exponent = firstDecimal - p;
      digits -= exponent;
    }
    if (digits === 0) this.failNumber(start);
    const mantissaEnd = p;
    if (byte === 69 || byte === 101) {
      byte = ++p < end ? bytes[p] : 0;
      const negativeExponent = byte === MINUS;
      if (negativeExponent || byte === PLUS) byte = ++p < end ? bytes[p] : 0;
      const firstExponentDigit = p;
      let written = 0;
      while (byte >= ZERO && byte <= 57) {
        if (written < 100_000) written = 10 * written + (byte - ZERO);
        byte = ++p < end ? bytes[p] : 0;
      }
      if (p === firstExponentDigit) this.failNumber(start);
      exponent += negativeExponent ? -written : written;
    }
    if (byte > SPACE && byte !== BACKSLASH) this.failNumber(start);
    this.position = p;

    if (mantissa < 9007199254740992 && exponent <= 22 && exponent >= -22) {
      const size = exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent] : mantissa * POWERS_OF_TEN[exponent];
      return negative ? -size : size;
    }
    const size = this.longNumber(firstDigit, mantissaEnd, p, exponent);
    return negative ? -size : size;
  }

  /** The integer at the cursor, exact; what follows it is left to the caller. */
  takeInteger(): number {
    const { bytes, end } = this;
    const start = this.position;
    let p = start;
    let byte = p < end ? bytes[p] : 0;
    const negative = byte === MINUS;
    if (negative || byte === PLUS) byte = ++p < end ? bytes[p] : 0;
    const firstDigit = p;
    let value = 0;
    while (byte >= ZERO && byte <= 57) {
      value = 10 * value + (byte - ZERO);
      byte = ++p < end ? bytes[p] : 0;
    }
    if (p === firstDigit || !(value < 9007199254740992)) this.failInteger(start);
    this.position = p;
    return negative ? -value : value;
  }

  /** Line of a byte, from `firstLine`. */
  lineAt(position: number): number {
    return this.firstLine + countLineEnds(this.bytes, Math.min(position, this.end));
  }

  fail(code: InputErrorCode, message: string, at = this.position): never {
    const place = this.placesAreBytes ? `: byte ${at}` : `:${this.lineAt(at)}`;
    throw new InputError(code, `${this.fileName}${place}: ${message}`);
  }

  /** "found …", with the place. */
  failExpected(what: string): never {
    this.skipBlanks();
    if (this.atEnd) this.fail('truncated', `expected ${what}, found the end of the file`);
    this.fail('syntax', `expected ${what}, found ${this.quote(this.position)}`);
  }

  private takeWord(): string {
    const { bytes, end } = this;
    let p = this.position;
    while (p < end && bytes[p] > SPACE) p++;
    const word = new TextDecoder().decode(
      bytes.subarray(this.position, Math.min(p, this.position + LONGEST_WORD)),
    );
    this.position = p;
    return word;
  }

  /**
   * Mantissas of 16 to 19 digits over a power of ten up to 10²²: divides in twice the precision and
   * rounds once, unless the error bound leaves two candidates. Then, and for all else, `Number`.
   */
  private longNumber(firstDigit: number, mantissaEnd: number, tokenEnd: number, exponent: number): number {
    const { bytes } = this;
    if (exponent <= 0 && exponent >= -22) {
      let high = 0;
      let low = 0;
      let lowScale = 1;
      for (let p = firstDigit; p < mantissaEnd; p++) {
        const digit = bytes[p] - ZERO;
        if (digit < 0) continue; // the point
        if (high < 1e14) high = 10 * high + digit;
        else {
          low = 10 * low + digit;
          lowScale *= 10;
        }
      }
      if (lowScale <= 10000) {
        const size = divideTwice(high, lowScale, low, POWERS_OF_TEN[-exponent]);
        if (size >= 0) return size;
      }
    }
    if (tokenEnd - firstDigit > LONGEST_NUMBER) {
      this.fail('syntax', `a number of ${tokenEnd - firstDigit} characters`, firstDigit);
    }
    const size = Number(String.fromCharCode(...bytes.subarray(firstDigit, tokenEnd)));
    if (size === Infinity)
      this.fail('not-finite', `${this.quote(firstDigit)} is too large a number`, firstDigit);
    return size;
  }

  private failNumber(start: number): never {
    this.position = start;
    const word = new TextDecoder().decode(this.bytes.subarray(start, Math.min(start + 10, this.end)));
    if (/^[+-]?(nan|inf)/i.test(word))
      this.fail('not-finite', `${this.quote(start)} is not a finite number`, start);
    this.failExpected('a number');
  }

  private failInteger(start: number): never {
    this.position = start;
    this.failExpected('an integer');
  }

  /** The word at `start` for an error message: one line, not long. */
  private quote(start: number): string {
    let stop = start;
    while (stop < this.end && stop < start + 40 && this.bytes[stop] > SPACE) stop++;
    if (stop === start)
      return start < this.end && !isLineEnd(this.bytes[start])
        ? `byte ${this.bytes[start]}`
        : 'the end of the line';
    return JSON.stringify(new TextDecoder().decode(this.bytes.subarray(start, stop)));
  }
}

/** Line ends before `end`; `\r\n` is one. */
export function countLineEnds(bytes: Uint8Array, end: number): number {
  let count = 0;
  for (let p = 0; p < end; p++) {
    if (bytes[p] === LINE_FEED || (bytes[p] === CARRIAGE_RETURN && bytes[p + 1] !== LINE_FEED)) count++;
  }
  return count;
}

/** Bytes of a `\` with the line end after it; 0 when no line end follows. */
function continuationLength(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return 0;
  if (bytes[at + 1] === LINE_FEED) return 2;
  if (bytes[at + 1] !== CARRIAGE_RETURN) return 0;
  return at + 2 < end && bytes[at + 2] === LINE_FEED ? 3 : 2;
}

function lineEnd(bytes: Uint8Array, from: number, end: number): number {
  let p = from;
  while (p < end && bytes[p] !== LINE_FEED && bytes[p] !== CARRIAGE_RETURN) p++;
  return p;
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
