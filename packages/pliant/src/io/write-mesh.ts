import { checkArray, checkIndices, checkNumbers, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { MeshGroup } from './mesh-file.ts';

/** What can be written: a `MeshFile`, or the arrays of any mesh. */
export interface WritableMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly groups?: readonly MeshGroup[];
}

/** OBJ with 17 significant digits: reading it back gives the same float64. */
export function writeObj(mesh: WritableMesh): Uint8Array {
  checkWritable(mesh);
  const { positions, triangles, groups = [] } = mesh;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = '';
  const add = (line: string) => {
    text += line;
    if (text.length > 1 << 20) {
      pieces.push(encoder.encode(text));
      text = '';
    }
  };
  for (let i = 0; i < positions.length; i += 3) {
    add(`v ${digits17(positions[i])} ${digits17(positions[i + 1])} ${digits17(positions[i + 2])}\n`);
  }
  let object = '';
  let name = '';
  let material = '';
  let nextGroup = 0;
  for (let t = 0; 3 * t < triangles.length; t++) {
    if (nextGroup < groups.length && groups[nextGroup].firstTriangle === t) {
      const group = groups[nextGroup++];
      if (group.object !== object) add(`o ${onOneLine((object = group.object))}\n`);
      if (group.name !== name) add(`g ${onOneLine((name = group.name))}\n`);
      if (group.material !== material) add(`usemtl ${onOneLine((material = group.material))}\n`);
    }
    add(`f ${triangles[3 * t] + 1} ${triangles[3 * t + 1] + 1} ${triangles[3 * t + 2] + 1}\n`);
  }
  pieces.push(encoder.encode(text));
  return concatenated(pieces);
}

/** Binary little-endian PLY with float64 positions. */
export function writePly(mesh: WritableMesh): Uint8Array {
  checkWritable(mesh);
  const { positions, triangles } = mesh;
  const vertexCount = positions.length / 3;
  const triangleCount = triangles.length / 3;
  const header = new TextEncoder().encode(
    'ply\nformat binary_little_endian 1.0\n' +
      `element vertex ${vertexCount}\nproperty double x\nproperty double y\nproperty double z\n` +
      `element face ${triangleCount}\nproperty list uchar uint vertex_indices\nend_header\n`,
  );
  const bytes = new Uint8Array(header.length + 24 * vertexCount + 13 * triangleCount);
  const view = new DataView(bytes.buffer);
  bytes.set(header);
  let at = header.length;
  for (const value of positions) {
    view.setFloat64(at, value, true);
    at += 8;
  }
  for (let t = 0; t < triangleCount; t++) {
    view.setUint8(at, 3);
    for (let corner = 0; corner < 3; corner++)
      view.setUint32(at + 1 + 4 * corner, triangles[3 * t + corner], true);
    at += 13;
  }
  return bytes;
}

/** Binary STL: positions rounded to float32, connectivity lost. */
export function writeStl(mesh: WritableMesh): Uint8Array {
  checkWritable(mesh);
  const { positions, triangles } = mesh;
  const triangleCount = triangles.length / 3;
  const bytes = new Uint8Array(84 + 50 * triangleCount);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, triangleCount, true);
  for (let t = 0; t < triangleCount; t++) {
    const at = 84 + 50 * t;
    writeNormal(
      view,
      at,
      positions,
      3 * triangles[3 * t],
      3 * triangles[3 * t + 1],
      3 * triangles[3 * t + 2],
    );
    for (let i = 0; i < 9; i++) {
      const value = positions[3 * triangles[3 * t + Math.floor(i / 3)] + (i % 3)];
      if (!Number.isFinite(Math.fround(value)))
        throw new InputError('out-of-range', `triangle ${t}: ${value} does not fit in float32`);
      view.setFloat32(at + 12 + 4 * i, value, true);
    }
  }
  return bytes;
}

/** Refuses what readers would refuse. */
function checkWritable(mesh: WritableMesh): void {
  checkObject('mesh', mesh);
  const { positions, triangles, groups } = mesh;
  checkNumbers('positions', positions);
  checkArray('triangles', triangles);
  if (positions.length % 3 > 0 || triangles.length % 3 > 0) {
    throw new InputError('wrong-length', 'positions and triangles come in threes');
  }
  checkIndices('', 'triangle', 3, triangles, positions.length / 3);
  if (groups !== undefined && !Array.isArray(groups)) {
    throw new InputError('wrong-type', `groups must be a list, not ${describe(groups)}`);
  }
}

/** The unit normal; left 0 for a degenerate triangle, as readers expect. */
function writeNormal(
  view: DataView,
  at: number,
  positions: Float64Array,
  a: number,
  b: number,
  c: number,
): void {
  const ux = positions[b] - positions[a];
  const vx = positions[c] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const vy = positions[c + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.hypot(x, y, z);
  if (!(length > 0 && length < Infinity)) return;
  view.setFloat32(at, x / length, true);
  view.setFloat32(at + 4, y / length, true);
  view.setFloat32(at + 8, z / length, true);
}

function onOneLine(name: string): string {
  return name.replace(/[\r\n]/g, ' ');
}

function digits17(value: number): string {
  return Object.is(value, -0) ? '-0' : value.toPrecision(17);
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
