import { describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Float64List, Uint32List } from './growable.ts';
import { type MeshFile, type MeshGroup, meshName } from './mesh-file.ts';
import { countLineEnds, TextScanner } from './text-scanner.ts';

const LONGEST_LINE = 1 << 22; // bytes kept back while a stream has not ended a line

/**
 * Wavefront OBJ. Polygons are fanned from their first corner; faces of one or two corners have no
 * triangle. `o`, `g` and `usemtl` name runs of triangles. Colours after a vertex, texture
 * coordinates, normals, lines, curves and material libraries are skipped.
 */
export function readObj(file: FileBytes, fileName: string): MeshFile {
  const bytes = fileBytes(file, fileName);
  const parser = new ObjParser(fileName);
  parser.parse(new TextScanner(bytes, fileName));
  return parser.finish();
}

/** The same from pieces, as a stream delivers them; holds one piece and the mesh in memory. */
export async function readObjStream(pieces: AsyncIterable<FileBytes>, fileName: string): Promise<MeshFile> {
  if (!isIterable(pieces)) {
    throw new InputError('wrong-type', `${fileName}: a stream is wanted, not ${describe(pieces)}`);
  }
  const parser = new ObjParser(fileName);
  let held = new Uint8Array(0);
  let line = 1;
  for await (const piece of pieces) {
    const bytes = joined(held, fileBytes(piece, fileName));
    const complete = completeLines(bytes);
    parser.parse(new TextScanner(bytes, fileName, line, complete));
    line += countLineEnds(bytes, complete);
    held = bytes.slice(complete);
    if (held.length > LONGEST_LINE)
      throw new InputError('too-large', `${fileName}:${line}: a line of over ${LONGEST_LINE} bytes`);
  }
  parser.parse(new TextScanner(held, fileName, line));
  return parser.finish();
}

function isIterable(pieces: unknown): boolean {
  const found = Object(pieces);
  return Symbol.asyncIterator in found || Symbol.iterator in found;
}

class ObjParser {
  private readonly fileName: string;
  private readonly positions = new Float64List();
  private readonly triangles = new Uint32List();
  private readonly groups: MeshGroup[] = [];
  private firstTriangle = 0; // of the run being filled
  private object = '';
  private name = '';
  private material = '';
  private statements = 0;
  private largestIndex = -1; // a face may name a vertex that comes later
  private largestIndexLine = 0;

  constructor(fileName: string) {
    this.fileName = fileName;
  }

  /** Whole lines; may be called again with those that follow. */
  parse(scanner: TextScanner): void {
    const largestBefore = this.largestIndex;
    let largestAt = 0;
    while (!scanner.atEnd) {
      scanner.skipBlanks();
      const first = scanner.peek();
      const second = scanner.position + 1 < scanner.end ? scanner.bytes[scanner.position + 1] : 32;
      const isWord = second > 32;
      if (first === 0x76 /* v */ && !isWord) this.parseVertex(scanner);
      else if (first === 0x66 /* f */ && !isWord) {
        const largest = this.largestIndex;
        const lineStart = scanner.position;
        this.parseFace(scanner);
        if (this.largestIndex > largest) largestAt = lineStart;
      } else if (scanner.atLineEnd) scanner.skipLine();
      else if (isLetter(first)) this.parseOther(scanner, first, isWord);
      else scanner.failExpected('a statement');
    }
    if (this.largestIndex > largestBefore) this.largestIndexLine = scanner.lineAt(largestAt);
  }

  finish(): MeshFile {
    const { fileName, positions, triangles, largestIndex } = this;
    if (this.statements === 0) throw new InputError('empty', `${fileName}:1: no vertex, face or group`);
    if (largestIndex >= positions.length / 3) {
      throw new InputError(
        'index-out-of-range',
        `${fileName}:${this.largestIndexLine}: a face uses vertex ${largestIndex + 1}, but the file has ${positions.length / 3} vertices`,
      );
    }
    this.endRun();
    return {
      kind: 'triangles',
      name: meshName(fileName),
      positions: positions.toArray(),
      triangles: triangles.toArray(),
      groups: this.groups,
    };
  }

  private parseVertex(scanner: TextScanner): void {
    scanner.position++;
    scanner.skipBlanks();
    const x = scanner.takeNumber();
    scanner.skipBlanks();
    const y = scanner.takeNumber();
    scanner.skipBlanks();
    const z = scanner.takeNumber();
    this.positions.push3(x, y, z);
    this.statements++;
    scanner.skipContinuedLine(); // a weight or a colour
  }

  private parseFace(scanner: TextScanner): void {
    scanner.position++;
    let corners = 0;
    let first = 0;
    let previous = 0;
    for (;;) {
      scanner.skipBlanks();
      if (scanner.atLineEnd) break;
      const corner = this.parseCorner(scanner);
      if (corners === 0) first = corner;
      else if (corners > 1) this.triangles.push3(first, previous, corner);
      previous = corner;
      corners++;
    }
    this.statements++;
    scanner.skipLine();
  }

  /** `7`, `7/1`, `7//3` or `7/1/3`; negative counts back from the latest vertex. */
  private parseCorner(scanner: TextScanner): number {
    const start = scanner.position;
    const written = scanner.takeInteger();
    const { bytes, end } = scanner;
    let p = scanner.position;
    if (p < end && bytes[p] === 0x2f /* / */) while (p < end && bytes[p] > 32 && bytes[p] !== 0x5c) p++;
    else if (p < end && bytes[p] > 32 && bytes[p] !== 0x5c) {
      scanner.position = start;
      scanner.failExpected('a vertex index');
    }
    scanner.position = p;

    const known = this.positions.length / 3;
    const index = written < 0 ? known + written : written - 1;
    if (index < 0 || index > 0xfffffffe) {
      scanner.fail(
        'index-out-of-range',
        `a face uses vertex ${written}; ${known} vertices precede it and the first is 1`,
      );
    }
    if (index > this.largestIndex) this.largestIndex = index;
    return index;
  }

  private parseOther(scanner: TextScanner, first: number, isWord: boolean): void {
    const startsName =
      first === 0x75 /* usemtl */ || (!isWord && (first === 0x67 /* g */ || first === 0x6f)); /* o */
    if (!startsName) {
      scanner.skipContinuedLine();
      return;
    }
    const keyword = scanner.wordOnLine();
    const name = scanner.readLine();
    if (keyword === 'o') this.beginRun(name, this.name, this.material);
    else if (keyword === 'g') this.beginRun(this.object, name, this.material);
    else if (keyword === 'usemtl') this.beginRun(this.object, this.name, name);
  }

  private beginRun(object: string, name: string, material: string): void {
    this.statements++;
    if (object === this.object && name === this.name && material === this.material) return;
    this.endRun();
    this.object = object;
    this.name = name;
    this.material = material;
  }

  private endRun(): void {
    const { object, name, material, firstTriangle } = this;
    const triangleCount = this.triangles.length / 3 - firstTriangle;
    if (triangleCount > 0) this.groups.push({ object, name, material, firstTriangle, triangleCount });
    this.firstTriangle += triangleCount;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Bytes up to the last line end that is certainly one and does not continue its line. */
function completeLines(bytes: Uint8Array): number {
  for (let p = bytes.length - 1; p >= 0; p--) {
    const isLineFeed = bytes[p] === 0x0a;
    const isReturn = bytes[p] === 0x0d && p + 1 < bytes.length && bytes[p + 1] !== 0x0a;
    if (!isLineFeed && !isReturn) continue;
    const before = isLineFeed && bytes[p - 1] === 0x0d ? p - 2 : p - 1;
    if (bytes[before] !== 0x5c) return p + 1;
  }
  return 0;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
