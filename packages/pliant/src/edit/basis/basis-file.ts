import type { SymmetricMatrix } from '../../algebra/sparse/symmetric-matrix.ts';
import {
  checkMadeFrom,
  readStored,
  type StoredData,
  storedArray,
  writeStored,
} from '../../io/stored-file.ts';
import { type PoolOption, readPool } from '../../long-work/task-pool.ts';
import { checkMade, checkNumbers } from '../../mesh/check-input.ts';
import { ContentHash } from '../../mesh/content-hash.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { Cage } from '../types.ts';
import { weightCount } from './basis-problem.ts';
import { checkBytes, checkCage, PROJECTION_BYTES } from './create-shape-basis.ts';
import { NONE } from './farthest-points.ts';
import type { GroupMemory } from './group-memory.ts';
import type { Hierarchy } from './hierarchy.ts';
import { ShapeBasis } from './shape-basis.ts';

const KIND = 'shape-basis';

/** A basis as a file, with the groups that are ready: version, hash of the cage, checksums. */
export function writeShapeBasis(basis: ShapeBasis): Uint8Array {
  checkMade('basis', basis, 'createShapeBasis', 'hierarchy', 'readyGroups');
  const { vertex, parent, childGroup, cell, groupLevel, groupStart, rowStart, row, levels } = basis.hierarchy;
  const groups = basis.readyGroups();
  const weights = new Float32Array(groups.reduce((sum, group) => sum + group.weights.length, 0));
  let at = 0;
  for (const group of groups) {
    weights.set(group.weights, at);
    at += group.weights.length;
  }
  const ready = Uint32Array.from(groups, ({ id }) => id);
  return writeStored({
    kind: KIND,
    madeFrom: hashOfCage(basis.cage),
    settings: { levels },
    arrays: { vertex, parent, childGroup, cell, groupLevel, groupStart, rowStart, row, ready, weights },
  });
}

export interface ReadShapeBasisOptions extends PoolOption {
  /** Default: 64 MiB. See `ShapeBasisOptions`. */
  projectionBytes?: number;
  /** See `ShapeBasisOptions`. @internal */
  memory?: GroupMemory;
}

/** Errors as in `readStored`; 'mismatch' when it was made for another cage. */
export function readShapeBasis(
  bytes: Uint8Array,
  fileName: string,
  cage: Cage,
  laplacian: SymmetricMatrix,
  options: ReadShapeBasisOptions = {},
): ShapeBasis {
  const pool = readPool(options);
  const { projectionBytes = PROJECTION_BYTES, memory } = options;
  checkBytes(projectionBytes);
  checkCage(cage, laplacian);
  const data = readStored(bytes, fileName, KIND);
  checkMadeFrom(data, fileName, hashOfCage(cage), 'this cage');
  const hierarchy = readHierarchy(data, fileName, cage.tetrahedra.vertexCount);
  const basis = new ShapeBasis({ cage, laplacian, hierarchy, pool, projectionBytes, memory });
  const ready = storedArray(data, fileName, 'ready', 'uint32'),
    weights = storedArray(data, fileName, 'weights', 'float32');
  checkRange(fileName, 'ready', ready, hierarchy.groupCount, false);
  checkNumbers(`${fileName}: weights`, weights);
  let at = 0;
  for (const id of ready) {
    const end = at + weightCount(hierarchy, id);
    if (end > weights.length) refuse(fileName, 'weights', `end before those of group ${id} do`);
    basis.adopt(id, weights.slice(at, end));
    at = end;
  }
  if (at !== weights.length) refuse(fileName, 'weights', `are ${weights.length}, not ${at}`);
  return basis;
}

/** Of everything that the functions depend on. */
export function hashOfCage({ tetrahedra, glue, ties }: Cage): string {
  return new ContentHash()
    .addText(KIND)
    .addNumbers(tetrahedra.positions)
    .addNumbers(tetrahedra.tetrahedra)
    .addNumbers(glue)
    .addNumbers(ties.start)
    .addNumbers(ties.vertex)
    .addNumbers(ties.weight)
    .finish();
}

function readHierarchy(data: StoredData, fileName: string, vertexCount: number): Hierarchy {
  const read = (name: string, length?: number) => storedArray(data, fileName, name, 'uint32', length);
  const { levels } = data.settings;
  if (!(typeof levels === 'number' && Number.isInteger(levels) && levels >= 1)) {
    throw new InputError('syntax', `${fileName}: the settings of this ${KIND} are not what they should be`);
  }
  const vertex = read('vertex'),
    groupLevel = read('groupLevel');
  const nodeCount = vertex.length,
    groupCount = groupLevel.length;
  const rowStart = read('rowStart', groupCount + 1),
    groupStart = read('groupStart', groupCount + 1);
  const hierarchy = {
    vertexCount,
    levels,
    nodeCount,
    vertex,
    parent: read('parent', nodeCount),
    childGroup: read('childGroup', nodeCount),
    cell: read('cell', levels * vertexCount),
    groupCount,
    groupLevel,
    groupStart,
    rowStart,
    row: read('row', rowStart[groupCount]),
  };
  checkRange(fileName, 'vertex', vertex, vertexCount, false);
  checkRange(fileName, 'parent', hierarchy.parent, nodeCount, true);
  checkRange(fileName, 'childGroup', hierarchy.childGroup, groupCount, true);
  checkRange(fileName, 'cell', hierarchy.cell, nodeCount, true);
  checkRange(fileName, 'groupLevel', groupLevel, levels, false);
  checkRange(fileName, 'row', hierarchy.row, vertexCount, false);
  checkStarts(fileName, 'groupStart', groupStart, nodeCount);
  checkStarts(fileName, 'rowStart', rowStart, hierarchy.row.length);
  if (groupCount === 0) refuse(fileName, 'groupLevel', 'is empty');
  if (rowStart[1] !== vertexCount) refuse(fileName, 'rowStart', `gives the global group ${rowStart[1]} rows`);
  return hierarchy;
}

function checkRange(
  fileName: string,
  name: string,
  values: Uint32Array,
  count: number,
  mayBeNone: boolean,
): void {
  const k = values.findIndex((value) => value >= count && !(mayBeNone && value === NONE));
  if (k < 0) return;
  throw new InputError('index-out-of-range', `${fileName}: ${name}[${k}] is ${values[k]} of ${count}`);
}

function checkStarts(fileName: string, name: string, start: Uint32Array, end: number): void {
  const isRising = start.every((value, k) => k === 0 || value >= start[k - 1]);
  if (isRising && start[0] === 0 && start[start.length - 1] === end) return;
  refuse(fileName, name, `does not lead from 0 to ${end}`);
}

function refuse(fileName: string, name: string, what: string): never {
  throw new InputError('syntax', `${fileName}: array ${name} of this ${KIND} ${what}`);
}
