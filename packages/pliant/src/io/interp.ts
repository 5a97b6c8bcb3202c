import { type FileBytes, fileBytes } from './file-bytes.ts';
import { Float64List, Uint32List } from './growable.ts';
import { TextScanner } from './text-scanner.ts';

/** For each embedded vertex the four corners of a tetrahedron and their barycentric weights. */
export interface InterpFile {
  readonly nodes: Uint32Array; // 4 per vertex, from 0
  readonly weights: Float64Array; // 4 per vertex
}

/** Vega FEM `.interp`: lines `vertex node weight node weight node weight node weight`, all from 0. */
export function readInterp(file: FileBytes, fileName: string): InterpFile {
  const bytes = fileBytes(file, fileName);
  const scanner = new TextScanner(bytes, fileName);
  const nodes = new Uint32List();
  const weights: Float64List = new Float64List();
  for (let vertex = 0; ; vertex++) {
    scanner.skipSpace();
    if (scanner.atEnd) break;
    const id = scanner.nextInteger();
    if (id !== vertex) scanner.fail('syntax', `vertex ${id}, expected ${vertex}`);
    const a = nextNode(scanner);
    const wa = scanner.nextNumber();
    const b = nextNode(scanner);
    const wb = scanner.nextNumber();
    const c = nextNode(scanner);
    const wc = scanner.nextNumber();
    const d = nextNode(scanner);
    const wd = scanner.nextNumber();
    nodes.push4(a, b, c, d);
    weights.push4(wa, wb, wc, wd);
  }
  return { nodes: nodes.toArray(), weights: weights.toArray() };
}

function nextNode(scanner: TextScanner): number {
  return scanner.nextIndex(0, 0xffffffff, 'a vertex uses node');
}
