import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Float64List } from './growable.ts';
import { TextScanner } from './text-scanner.ts';

/** Points and the bones between them. */
export interface TgfFile {
  readonly positions: Float64Array; // 3 per point
  readonly bones: Uint32Array; // 2 points per bone, from 0
}

/** Trivial graph format of libigl: lines `id x y z …`, then `#`, then lines `from to …`. */
export function readTgf(file: FileBytes, fileName: string): TgfFile {
  const bytes = fileBytes(file, fileName);
  const scanner = new TextScanner(bytes, fileName);
  const positions = new Float64List();
  const bones: number[] = [];
  let section = 0;
  while (!scanner.atEnd && section < 2) {
    scanner.skipBlanks();
    if (scanner.peek() === 0x23 /* # */) section++;
    else if (!scanner.atLineEnd && section === 0) readPoint(scanner, positions);
    else if (!scanner.atLineEnd) {
      const count = positions.length / 3;
      bones.push(
        scanner.nextIndex(1, count, 'a bone uses point'),
        scanner.nextIndex(1, count, 'a bone uses point'),
      );
    }
    scanner.skipLine();
  }
  return { positions: positions.toArray(), bones: Uint32Array.from(bones) };
}

function readPoint(scanner: TextScanner, positions: Float64List): void {
  const id = scanner.nextInteger();
  if (id !== positions.length / 3 + 1)
    scanner.fail('syntax', `point ${id}, expected ${positions.length / 3 + 1}`);
  const x = scanner.nextNumber();
  const y = scanner.nextNumber();
  const z = scanner.nextNumber();
  positions.push3(x, y, z);
}
