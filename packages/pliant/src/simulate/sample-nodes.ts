import { checkObject } from '../mesh/check-input.ts';
import { checkTriangleMesh } from '../mesh/check-mesh.ts';
import { InputError } from '../mesh/input-error.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { createRandom } from '../shapes/random.ts';
import { checkOption, checkSeed } from '../shapes/shape.ts';
import { findInsideCells, type InsideCells } from './inside-cells.ts';

export interface SampleOptions {
  /** How many nodes. Default: 115. */
  count?: number;
  /** Which of the equally good samples. Default: 1. */
  seed?: number;
}

/** Points spread evenly inside a surface, and the share of the volume that is nearest to each. */
export interface NodeSample {
  readonly positions: Float64Array; // 3 per node
  readonly volumes: Float64Array;
}

/** The most nodes of one sample: the solver factors a full matrix of this size. */
export const NODE_LIMIT = 2048;
const CELLS_PER_NODE = 40; // wanted
const FEWEST_CELLS_PER_NODE = 8;
const RELAXATIONS = 12;
const REFINEMENTS = 8;

/**
 * Nodes inside a closed surface. The inside is cut into small cubes; each node is the centre of one. They are first
 * taken farthest from one another, then moved to the middle of their regions. Parts thinner than a cube get no node
 * of their own. The same options give the same nodes, bit by bit.
 */
export function sampleNodes(mesh: TriangleMesh, options: SampleOptions = {}): NodeSample {
  checkTriangleMesh(mesh);
  checkObject('options', options);
  const { count = 115, seed = 1 } = options;
  checkOption('count', count, 4, NODE_LIMIT);
  if (!Number.isInteger(count)) {
    throw new InputError('bad-option', `count must be a whole number, not ${count}`);
  }
  checkSeed(seed);
  if (!mesh.isClosed) {
    throw new InputError('unsupported', 'nodes can be placed only inside a closed surface');
  }
  const cells = chooseCells(mesh, count);
  const nodes = pickFarthest(cells.centres, count, seed);
  const owner = new Uint32Array(cells.centres.length / 3);
  for (let round = 0; round < RELAXATIONS; round++) {
    assignCells(cells.centres, nodes, owner);
    moveToMiddle(cells.centres, nodes, owner);
  }
  assignCells(cells.centres, nodes, owner);
  const volumes = new Float64Array(count);
  for (let c = 0; c < owner.length; c++) volumes[owner[c]] += cells.size * cells.size * cells.size;
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) positions.set(centreOf(cells.centres, nodes[i]), 3 * i);
  return { positions, volumes };
}

/** Cubes small enough that there are many for each node. */
function chooseCells(mesh: TriangleMesh, count: number): InsideCells {
  let size = cubeRoot(Math.abs(volumeOf(mesh)) / (CELLS_PER_NODE * count));
  if (!(size > 0)) throw new InputError('singular', 'the surface encloses no volume');
  for (let k = 0; k < REFINEMENTS; k++) {
    const cells = findInsideCells(mesh, size);
    if (cells.centres.length / 3 >= FEWEST_CELLS_PER_NODE * count) return cells;
    size *= 0.7;
  }
  throw new InputError('bad-option', `the surface is too thin for ${count} nodes`);
}

function volumeOf({ positions: p, triangles }: TriangleMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

/** By Newton's method: Math.cbrt may differ in the last bit between engines. */
function cubeRoot(x: number): number {
  if (!(x > 0 && Number.isFinite(x))) return 0;
  let root = 1;
  while (root * root * root < x) root *= 2;
  while (root * root * root > 8 * x) root /= 2;
  for (let k = 0; k < 60; k++) root -= (root - x / (root * root)) / 3;
  return root;
}

/** Cells, each as far as possible from those before it; the first is random. */
function pickFarthest(centres: Float64Array, count: number, seed: number): Uint32Array {
  const cellCount = centres.length / 3;
  const picked = new Uint32Array(count);
  const squared = new Float64Array(cellCount).fill(Infinity);
  picked[0] = Math.floor(createRandom(seed)() * cellCount);
  for (let i = 1; i < count; i++) {
    const [x, y, z] = centreOf(centres, picked[i - 1]);
    let farthest = 0;
    for (let c = 0; c < cellCount; c++) {
      squared[c] = Math.min(squared[c], squaredTo(centres, c, x, y, z));
      if (squared[c] > squared[farthest]) farthest = c;
    }
    picked[i] = farthest;
  }
  return picked;
}

function assignCells(centres: Float64Array, nodes: Uint32Array, owner: Uint32Array): void {
  const squared = new Float64Array(owner.length).fill(Infinity);
  for (let i = 0; i < nodes.length; i++) {
    const [x, y, z] = centreOf(centres, nodes[i]);
    for (let c = 0; c < owner.length; c++) {
      const d = squaredTo(centres, c, x, y, z);
      if (d >= squared[c]) continue;
      squared[c] = d;
      owner[c] = i;
    }
  }
}

/** Each node to that cell of its region which is nearest to the region's mean; so it stays inside. */
function moveToMiddle(centres: Float64Array, nodes: Uint32Array, owner: Uint32Array): void {
  const sums = new Float64Array(4 * nodes.length);
  for (let c = 0; c < owner.length; c++) {
    const o = 4 * owner[c];
    sums[o] += centres[3 * c];
    sums[o + 1] += centres[3 * c + 1];
    sums[o + 2] += centres[3 * c + 2];
    sums[o + 3]++;
  }
  const squared = new Float64Array(nodes.length).fill(Infinity);
  for (let c = 0; c < owner.length; c++) {
    const o = 4 * owner[c],
      n = sums[o + 3];
    const d = squaredTo(centres, c, sums[o] / n, sums[o + 1] / n, sums[o + 2] / n);
    if (d >= squared[owner[c]]) continue;
    squared[owner[c]] = d;
    nodes[owner[c]] = c;
  }
}

function centreOf(centres: Float64Array, cell: number): [number, number, number] {
  return [centres[3 * cell], centres[3 * cell + 1], centres[3 * cell + 2]];
}

function squaredTo(centres: Float64Array, cell: number, x: number, y: number, z: number): number {
  const dx = centres[3 * cell] - x,
    dy = centres[3 * cell + 1] - y,
    dz = centres[3 * cell + 2] - z;
  return dx * dx + dy * dy + dz * dz;
}
