import { missingManipulators } from './affine-rank.ts';
import { type CageGraph, createCageGraph, type Solid } from './cage-graph.ts';
import { CellSampler, listByLabel } from './cells.ts';
import { endOf, FarthestPoints, NONE } from './farthest-points.ts';
import { RegionGrower } from './local-region.ts';
import { findRadii } from './region-radii.ts';

/**
 * Which vertices of a cage are manipulators, at which level. A node is a manipulator with its cell: the vertices that
 * are nearer to it than to the other children of its parent. The children of a node form a group, whose functions
 * live on a region around the node's cell; group 0 is all of level 0, and lives everywhere. Plain data.
 */
export interface Hierarchy {
  readonly vertexCount: number;
  readonly levels: number;
  readonly nodeCount: number;
  /** Per node: its manipulator. No vertex is one twice. Nodes of a group stand together, as do those of a level. */
  readonly vertex: Uint32Array;
  /** Per node: the node of the level above whose child it is; NONE at level 0. */
  readonly parent: Uint32Array;
  /** Per node: the group that its children form; NONE when it has none. */
  readonly childGroup: Uint32Array;
  /** Per level, per vertex: the node in whose cell it lies; NONE where cells above have nothing left to split. */
  readonly cell: Uint32Array;
  readonly groupCount: number;
  readonly groupLevel: Uint32Array;
  /** Per group: the first of its nodes, and one more. */
  readonly groupStart: Uint32Array;
  /** Per group: where its rows begin, and one more. */
  readonly rowStart: Uint32Array;
  /**
   * Per group, ascending: the vertices where its functions are not zero by construction. These are its region without
   * the manipulators of earlier levels.
   */
  readonly row: Uint32Array;
}

export interface HierarchyOptions {
  /** How many manipulators level 0 has; parts that nothing connects may need more. Default: 50. */
  manipulators?: number;
  /** The most children of a node, at least 2. Default: 8. */
  children?: number;
  /** The most levels, up to 32. Default: as many as it takes to make every vertex a manipulator. */
  levels?: number;
}

const MANIPULATORS = 50;
const CHILDREN = 8;
const MOST_LEVELS = 32;
const BATCH = 256; // cells between two steps

/** Steps that yield the share that is done. */
export function* hierarchySteps(solid: Solid, options: HierarchyOptions): Generator<number, Hierarchy> {
  const { manipulators = MANIPULATORS, children = CHILDREN, levels = MOST_LEVELS } = options;
  const builder = new HierarchyBuilder(createCageGraph(solid), children);
  yield 0.05;
  yield* builder.createRoots(solid, manipulators);
  for (let level = 1; level < Math.min(levels, MOST_LEVELS); level++) {
    if (!(yield* builder.createLevel(level))) break;
  }
  return builder.finish();
}

class HierarchyBuilder {
  readonly #graph: CageGraph;
  readonly #children: number;
  readonly #vertex: number[] = [];
  readonly #parent: number[] = [];
  readonly #childGroup: number[] = [];
  readonly #cells: Uint32Array[] = []; // per level
  readonly #levelOf: Uint8Array; // of a vertex; 255 when it is no manipulator
  readonly #groupLevel: number[] = [];
  readonly #groupStart: number[] = [0];
  readonly #rows: Uint32Array[] = [];
  #levelStart = 0; // nodes of the last level begin here
  readonly #sampler: CellSampler;
  readonly #grower: RegionGrower;

  constructor(graph: CageGraph, children: number) {
    this.#graph = graph;
    this.#children = children;
    this.#levelOf = new Uint8Array(graph.vertexCount).fill(255);
    this.#sampler = new CellSampler(graph);
    this.#grower = new RegionGrower(graph);
  }

  *createRoots(solid: Solid, manipulators: number): Generator<number, void> {
    const { vertexCount } = this.#graph;
    const points = new FarthestPoints(this.#graph);
    points.add(endOf(this.#graph));
    for (let v = points.farthest(); v !== NONE; v = points.farthest()) {
      if (points.chosen.length >= manipulators && points.hasAllParts) break;
      points.add(v);
      yield 0.05 + 0.2 * Math.min(1, points.chosen.length / manipulators);
    }
    for (const v of missingManipulators(solid, points.chosen)) points.add(v);
    for (const v of points.chosen) this.#addNode(v, NONE, 0);
    this.#cells.push(points.nearest);
    this.#closeGroup(0);
    this.#rows.push(Uint32Array.from({ length: vertexCount }, (_, v) => v));
  }

  /** False when there was nothing left to add. */
  *createLevel(level: number): Generator<number, boolean> {
    const above = this.#cells[level - 1];
    const firstNode = this.#levelStart,
      endNode = this.#vertex.length;
    const lists = listByLabel(above, endNode);
    const cellOf = (node: number) => lists.vertex.subarray(lists.start[node], lists.start[node + 1]);
    const target = new Uint32Array(above.length).fill(NONE);
    // Half of what is left for every level: most of the work is in the first ones.
    const share = (part: number) => 1 - 0.75 * 0.5 ** (level - 1) * (1 - 0.5 * part);
    const passed = (node: number) => (node - firstNode) / (endNode - firstNode);
    for (let node = firstNode; node < endNode; node++) {
      if (node % BATCH === 0) yield share(0.5 * passed(node));
      const cell = cellOf(node);
      const sites = this.#sampler.sample(cell, above, node, this.#levelOf, this.#children);
      if (sites.length === 0) continue;
      this.#sampler.split(cell, above, node, sites, this.#vertex.length, target);
      this.#childGroup[node] = this.#groupLevel.length;
      for (const v of sites) this.#addNode(v, node, level);
      this.#closeGroup(level);
    }
    if (this.#vertex.length === endNode) return false;
    this.#levelStart = endNode;
    this.#cells.push(target);
    const radius = new Float64Array(above.length);
    findRadii(this.#graph, above, Uint32Array.from(this.#vertex), radius);
    yield share(0.6);
    for (let node = firstNode; node < endNode; node++) {
      if (node % BATCH === 0) yield share(0.6 + 0.4 * passed(node));
      if (this.#childGroup[node] === NONE) continue;
      const region = this.#grower.grow(cellOf(node), radius);
      this.#rows.push(region.filter((v) => this.#levelOf[v] >= level));
    }
    return true;
  }

  finish(): Hierarchy {
    const { vertexCount } = this.#graph;
    const groupCount = this.#groupLevel.length;
    const rowStart = new Uint32Array(groupCount + 1);
    for (let g = 0; g < groupCount; g++) rowStart[g + 1] = rowStart[g] + this.#rows[g].length;
    const row = new Uint32Array(rowStart[groupCount]);
    for (let g = 0; g < groupCount; g++) row.set(this.#rows[g], rowStart[g]);
    const cell = new Uint32Array(this.#cells.length * vertexCount);
    for (let level = 0; level < this.#cells.length; level++)
      cell.set(this.#cells[level], level * vertexCount);
    return {
      vertexCount,
      levels: this.#cells.length,
      nodeCount: this.#vertex.length,
      vertex: Uint32Array.from(this.#vertex),
      parent: Uint32Array.from(this.#parent),
      childGroup: Uint32Array.from(this.#childGroup),
      cell,
      groupCount,
      groupLevel: Uint32Array.from(this.#groupLevel),
      groupStart: Uint32Array.from(this.#groupStart),
      rowStart,
      row,
    };
  }

  #addNode(vertex: number, parent: number, level: number): void {
    this.#vertex.push(vertex);
    this.#parent.push(parent);
    this.#childGroup.push(NONE);
    this.#levelOf[vertex] = level;
  }

  #closeGroup(level: number): void {
    this.#groupLevel.push(level);
    this.#groupStart.push(this.#vertex.length);
  }
}
