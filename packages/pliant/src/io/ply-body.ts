import { BinaryReader } from './binary-reader.ts';
import { PLY_TYPE_SIZE, type PlyHeader, type PlyProperty, type PlyType } from './ply-header.ts';
import { TextScanner } from './text-scanner.ts';

/** The values behind a PLY header, one after the other, whatever they are written in. */
export interface PlyBody {
  /** Refuses a count of entries that the rest of the file cannot hold. */
  checkCount(what: string, count: number, bytesEach: number): void;
  /** The next value, finite. */
  scalar(type: PlyType): number;
  /** The next value as an integer from `lowest` to below `bound`. */
  index(type: PlyType, lowest: number, bound: number): number;
  /** The length of a list, checked against the rest of the file. */
  listLength(property: PlyProperty): number;
  skipValues(type: PlyType, count: number): void;
  fail: TextScanner['fail'];
}

export function openPlyBody(bytes: Uint8Array, fileName: string, { format, bodyStart }: PlyHeader): PlyBody {
  return format === 'ascii'
    ? new AsciiBody(bytes, fileName, bodyStart)
    : new BinaryBody(bytes, fileName, bodyStart, format === 'binary_little_endian');
}

class AsciiBody extends TextScanner implements PlyBody {
  constructor(bytes: Uint8Array, fileName: string, start: number) {
    super(bytes, fileName);
    this.position = start;
  }

  scalar(): number {
    return this.nextNumber();
  }

  index(_type: PlyType, lowest: number, bound: number): number {
    const value = this.nextInteger();
    if (value < lowest || value >= bound) {
      this.fail('index-out-of-range', `vertex ${value}, but the file has ${bound} (numbered from 0)`);
    }
    return value;
  }

  listLength(): number {
    return this.nextCount('values of a list', 2);
  }

  skipValues(_type: PlyType, count: number): void {
    for (let i = 0; i < count; i++) this.skipWord('a value');
  }
}

class BinaryBody extends BinaryReader implements PlyBody {
  constructor(bytes: Uint8Array, fileName: string, start: number, littleEndian: boolean) {
    super(bytes, fileName, littleEndian, start);
  }

  scalar(type: PlyType): number {
    const start = this.position;
    const value = this.value(type);
    if (!Number.isFinite(value)) this.fail('not-finite', `a coordinate is ${value}`, start);
    return value;
  }

  index(type: PlyType, lowest: number, bound: number): number {
    const start = this.position;
    const value = this.value(type);
    if (!(value >= lowest && value < bound && Number.isInteger(value))) {
      this.fail('index-out-of-range', `vertex ${value}, but the file has ${bound} (numbered from 0)`, start);
    }
    return value;
  }

  listLength({ type, countType }: PlyProperty): number {
    const start = this.position;
    const count = this.value(countType!);
    this.checkCount('values of a list', count, PLY_TYPE_SIZE[type], start);
    return count;
  }

  skipValues(type: PlyType, count: number): void {
    this.skip(PLY_TYPE_SIZE[type] * count, 'a value');
  }

  private value(type: PlyType): number {
    const { view, littleEndian, position } = this;
    this.need(PLY_TYPE_SIZE[type], 'a value');
    this.position += PLY_TYPE_SIZE[type];
    switch (type) {
      case 'int8':
        return view.getInt8(position);
      case 'uint8':
        return view.getUint8(position);
      case 'int16':
        return view.getInt16(position, littleEndian);
      case 'uint16':
        return view.getUint16(position, littleEndian);
      case 'int32':
        return view.getInt32(position, littleEndian);
      case 'uint32':
        return view.getUint32(position, littleEndian);
      case 'float32':
        return view.getFloat32(position, littleEndian);
      case 'float64':
        return view.getFloat64(position, littleEndian);
    }
  }
}
