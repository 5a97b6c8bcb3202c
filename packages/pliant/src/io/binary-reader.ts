import { InputError, type InputErrorCode } from '../mesh/input-error.ts';

/** Walks over the bytes of a binary file; running out of them is an error with the offset. */
export class BinaryReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly fileName: string;
  readonly end: number;
  littleEndian: boolean;
  position: number;

  constructor(bytes: Uint8Array, fileName: string, littleEndian: boolean, position = 0) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.fileName = fileName;
    this.end = bytes.length;
    this.littleEndian = littleEndian;
    this.position = position;
  }

  get remaining(): number {
    return this.end - this.position;
  }

  /** Says that `byteCount` bytes follow, or throws. */
  need(byteCount: number, what: string): void {
    if (byteCount > this.remaining) {
      this.fail('truncated', `${what} needs ${byteCount} bytes, but ${this.remaining} are left`);
    }
  }

  /** Refuses a count before memory is set aside for it. */
  checkCount(what: string, count: number, bytesEach: number, at = this.position): void {
    if (!(count >= 0)) this.fail('syntax', `${what}: ${count}`, at);
    if (count * bytesEach > this.remaining) {
      this.fail('truncated', `${what}: ${count}, but only ${this.remaining} bytes follow`, at);
    }
  }

  skip(byteCount: number, what: string): void {
    this.need(byteCount, what);
    this.position += byteCount;
  }

  int32(what: string): number {
    this.need(4, what);
    this.position += 4;
    return this.view.getInt32(this.position - 4, this.littleEndian);
  }

  uint32(what: string): number {
    this.need(4, what);
    this.position += 4;
    return this.view.getUint32(this.position - 4, this.littleEndian);
  }

  /** An unsigned 64-bit count; above 2⁵³ it is refused, no file holds that much. */
  uint64(what: string): number {
    this.need(8, what);
    const high = this.view.getUint32(this.position + (this.littleEndian ? 4 : 0), this.littleEndian);
    const low = this.view.getUint32(this.position + (this.littleEndian ? 0 : 4), this.littleEndian);
    if (high >= 2 ** 21) this.fail('out-of-range', `${what}: a 64-bit number above 2^53`);
    this.position += 8;
    return high * 2 ** 32 + low;
  }

  /** A coordinate: finite, or refused. */
  float32(what: string): number {
    this.need(4, what);
    const value = this.view.getFloat32(this.position, this.littleEndian);
    if (!Number.isFinite(value)) this.fail('not-finite', `${what}: ${value}`);
    this.position += 4;
    return value;
  }

  float64(what: string): number {
    this.need(8, what);
    const value = this.view.getFloat64(this.position, this.littleEndian);
    if (!Number.isFinite(value)) this.fail('not-finite', `${what}: ${value}`);
    this.position += 8;
    return value;
  }

  fail(code: InputErrorCode, message: string, at = this.position): never {
    throw new InputError(code, `${this.fileName}: byte ${at}: ${message}`);
  }
}
