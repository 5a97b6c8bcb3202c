import { checkObject } from '../mesh/check-input.ts';
import { type FileBytes, fileBytes } from './file-bytes.ts';
import { meshName, type TetFile } from './mesh-file.ts';
import { TextScanner } from './text-scanner.ts';

/** The two files of a TetGen mesh. */
export interface TetgenFiles {
  readonly node: FileBytes;
  readonly nodeName: string;
  readonly ele: FileBytes;
  readonly eleName: string;
}

/** TetGen `.node` and `.ele`, numbered from 0 or from 1. Attributes and markers are skipped. */
export function readTetgen(files: TetgenFiles): TetFile {
  checkObject('files', files);
  const { node, nodeName, ele, eleName } = files;
  const { positions, base } = readNodes(new TextScanner(fileBytes(node, nodeName), nodeName));
  const elements = new TextScanner(fileBytes(ele, eleName), eleName);
  const tetrahedra = readElements(elements, positions.length / 3, base);
  return {
    kind: 'tetrahedra',
    name: meshName(nodeName),
    positions,
    tetrahedra,
    triangles: new Uint32Array(0),
  };
}

function readNodes(scanner: TextScanner): { positions: Float64Array; base: number } {
  const count = scanner.nextCount('nodes', 8); // "0 0 0 0\n"
  const dimension = scanner.nextInteger();
  if (dimension !== 3) scanner.fail('unsupported', `dimension ${dimension}`);
  const extras = scanner.nextInteger() + scanner.nextInteger(); // attributes and a marker
  if (!(extras >= 0 && extras < 1000)) scanner.fail('syntax', `${extras} attributes`);
  scanner.checkCount('nodes', count, 8 + 2 * extras);

  const positions = new Float64Array(3 * count);
  let base = 0;
  for (let v = 0; v < count; v++) {
    base = nextId(scanner, v, base);
    positions[3 * v] = scanner.nextNumber();
    positions[3 * v + 1] = scanner.nextNumber();
    positions[3 * v + 2] = scanner.nextNumber();
    for (let i = 0; i < extras; i++) scanner.skipWord('an attribute');
  }
  return { positions, base };
}

function readElements(scanner: TextScanner, vertexCount: number, base: number): Uint32Array {
  const count = scanner.nextCount('tetrahedra', 10); // "0 0 0 0 0\n"
  const corners = scanner.nextInteger();
  if (corners !== 4) scanner.fail('unsupported', `tetrahedra of ${corners} nodes; only 4 can be read`);
  const extras = scanner.nextInteger();
  if (!(extras >= 0 && extras < 1000)) scanner.fail('syntax', `${extras} attributes`);
  scanner.checkCount('tetrahedra', count, 10 + 2 * extras);

  const tetrahedra = new Uint32Array(4 * count);
  let elementBase = base;
  for (let t = 0; t < count; t++) {
    elementBase = nextId(scanner, t, elementBase);
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      tetrahedra[i] = scanner.nextIndex(base, vertexCount, 'a tetrahedron uses node');
    }
    for (let i = 0; i < extras; i++) scanner.skipWord('an attribute');
  }
  return tetrahedra;
}

/** Ids are consecutive; the first one, 0 or 1, is the base, which is returned. */
export function nextId(scanner: TextScanner, k: number, base: number): number {
  const id = scanner.nextInteger();
  if (k === 0 && (id === 0 || id === 1)) return id;
  if (k === 0 || id !== base + k)
    scanner.fail('syntax', `number ${id}, expected ${k === 0 ? '0 or 1' : base + k}`);
  return base;
}
