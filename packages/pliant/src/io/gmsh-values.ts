import type { InputErrorCode } from '../mesh/input-error.ts';
import type { BinaryReader } from './binary-reader.ts';
import type { TextScanner } from './text-scanner.ts';

/** The numbers of a Gmsh section, whatever they are written in. */
export interface GmshValues {
  readonly isBinary: boolean;
  /** A count written as text, also in a binary file of version 2. */
  textCount(what: string): number;
  /** A C int. */
  int(what: string): number;
  /** A C size_t. */
  size(what: string): number;
  /** A finite double. */
  real(what: string): number;
  /** Refuses a count that the rest of the file cannot hold. */
  checkCount(what: string, count: number, numbersEach: number): void;
  fail(code: InputErrorCode, message: string): never;
}

export class AsciiValues implements GmshValues {
  readonly isBinary = false;
  private readonly scanner: TextScanner;

  constructor(scanner: TextScanner) {
    this.scanner = scanner;
  }

  textCount(): number {
    return this.scanner.nextInteger();
  }

  int(): number {
    return this.scanner.nextInteger();
  }

  size(): number {
    return this.scanner.nextInteger();
  }

  real(): number {
    return this.scanner.nextNumber();
  }

  checkCount(what: string, count: number, numbersEach: number): void {
    this.scanner.checkCount(what, count, 2 * numbersEach); // a digit and a blank
  }

  fail(code: InputErrorCode, message: string): never {
    this.scanner.fail(code, message);
  }
}

/** Keeps the scanner, which reads the section names, at the same place. */
export class BinaryValues implements GmshValues {
  readonly isBinary = true;
  private readonly scanner: TextScanner;
  private readonly reader: BinaryReader;

  constructor(scanner: TextScanner, reader: BinaryReader) {
    this.scanner = scanner;
    this.reader = reader;
  }

  textCount(): number {
    const count = this.scanner.nextInteger();
    this.scanner.skipLine();
    return count;
  }

  int(what: string): number {
    this.reader.position = this.scanner.position;
    const value = this.reader.int32(what);
    this.scanner.position = this.reader.position;
    return value;
  }

  size(what: string): number {
    this.reader.position = this.scanner.position;
    const value = this.reader.uint64(what);
    this.scanner.position = this.reader.position;
    return value;
  }

  real(what: string): number {
    this.reader.position = this.scanner.position;
    const value = this.reader.float64(what);
    this.scanner.position = this.reader.position;
    return value;
  }

  checkCount(what: string, count: number, numbersEach: number): void {
    this.reader.position = this.scanner.position;
    this.reader.checkCount(what, count, 4 * numbersEach);
  }

  fail(code: InputErrorCode, message: string): never {
    this.reader.fail(code, message, this.scanner.position);
  }
}
