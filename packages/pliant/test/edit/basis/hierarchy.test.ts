import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CageGraph, createCageGraph } from '../../../src/edit/basis/cage-graph.ts';
import { NONE } from '../../../src/edit/basis/farthest-points.ts';
import { type Hierarchy, type HierarchyOptions, hierarchySteps } from '../../../src/edit/basis/hierarchy.ts';
import { RegionGrower } from '../../../src/edit/basis/local-region.ts';
import { findRadii } from '../../../src/edit/basis/region-radii.ts';
import type { Cage } from '../../../src/edit/types.ts';
import { runSteps } from '../../../src/long-work/in-slices.ts';
import { blockCage, cages } from './cages.ts';

const RUNS = process.env.PLIANT_FULL ? 500 : 40;

const sizes: fc.Arbitrary<HierarchyOptions> = fc.record({
  manipulators: fc.integer({ min: 4, max: 12 }),
  children: fc.integer({ min: 2, max: 5 }),
});
const build = (cage: Cage, options: HierarchyOptions) => runSteps(hierarchySteps(cage, options), {});

/** All distances from one vertex, without a heap; only through vertices that `isIn` lets pass. */
function distancesFrom(
  graph: CageGraph,
  from: number,
  isIn: (v: number) => boolean = () => true,
): Float64Array {
  const distance = new Float64Array(graph.vertexCount).fill(Infinity);
  distance[from] = 0;
  let isChanging = true;
  while (isChanging) {
    isChanging = false;
    for (let u = 0; u < graph.vertexCount; u++) {
      if (distance[u] === Infinity || !isIn(u)) continue;
      for (let k = graph.start[u]; k < graph.start[u + 1]; k++) {
        const w = graph.neighbour[k];
        if (!isIn(w) || distance[u] + graph.length[k] >= distance[w]) continue;
        distance[w] = distance[u] + graph.length[k];
        isChanging = true;
      }
    }
  }
  return distance;
}

/** The level at which each vertex becomes a manipulator; Infinity when never. */
function levelOfVertices({
  vertexCount,
  vertex,
  groupStart,
  groupLevel,
  groupCount,
}: Hierarchy): Float64Array {
  const level = new Float64Array(vertexCount).fill(Infinity);
  for (let g = 0; g < groupCount; g++) {
    for (let node = groupStart[g]; node < groupStart[g + 1]; node++) level[vertex[node]] = groupLevel[g];
  }
  return level;
}

const cellAt = ({ cell, vertexCount }: Hierarchy, level: number) =>
  cell.subarray(level * vertexCount, (level + 1) * vertexCount);
const membersOf = (cell: Uint32Array, node: number) =>
  Array.from(cell.keys()).filter((v) => cell[v] === node);

describe('a hierarchy', () => {
  test('makes every vertex a manipulator, once, in groups of children', () => {
    fc.assert(
      fc.property(cages(), sizes, (cage, options) => {
        const h = build(cage, options);
        expect(Array.from(h.vertex).sort((a, b) => a - b)).toEqual(
          Array.from({ length: h.vertexCount }, (_, v) => v),
        );
        for (let g = 1; g < h.groupCount; g++) {
          const nodes = Array.from(
            { length: h.groupStart[g + 1] - h.groupStart[g] },
            (_, k) => h.groupStart[g] + k,
          );
          expect(nodes.length).toBeLessThanOrEqual(options.children!);
          for (const node of nodes) expect(h.parent[node]).toBe(h.parent[nodes[0]]);
          expect(h.childGroup[h.parent[nodes[0]]]).toBe(g);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('has cells that split those above, each around its own manipulator', () => {
    fc.assert(
      fc.property(cages(), sizes, (cage, options) => {
        const h = build(cage, options);
        const levelOf = levelOfVertices(h);
        for (let level = 0; level < h.levels; level++) {
          const cell = cellAt(h, level);
          for (let v = 0; v < h.vertexCount; v++) {
            if (level === 0) expect(cell[v]).not.toBe(NONE);
            else if (cell[v] !== NONE) expect(h.parent[cell[v]]).toBe(cellAt(h, level - 1)[v]);
            else {
              // Nothing was left to split: all of the cell above are manipulators.
              const above = cellAt(h, level - 1)[v];
              const rest = above === NONE ? [] : membersOf(cellAt(h, level - 1), above);
              for (const w of rest) expect(levelOf[w]).toBeLessThan(level);
            }
          }
          for (let node = 0; node < h.nodeCount; node++) {
            if (levelOf[h.vertex[node]] === level) expect(cell[h.vertex[node]]).toBe(node);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('takes the farthest vertex each time, and gives vertices to the nearest', () => {
    fc.assert(
      fc.property(cages(), sizes, (cage, options) => {
        const h = build(cage, options);
        const graph = createCageGraph(cage);
        const levelOf = levelOfVertices(h);
        for (let g = 1; g < h.groupCount; g++) {
          const level = h.groupLevel[g],
            above = cellAt(h, level - 1),
            own = h.parent[h.groupStart[g]];
          const members = membersOf(above, own);
          const isMember = (v: number) => above[v] === own;
          const far = new Float64Array(h.vertexCount).fill(Infinity);
          const spread = (from: number, isIn?: (v: number) => boolean) =>
            distancesFrom(graph, from, isIn).forEach((d, v) => {
              far[v] = Math.min(far[v], d);
            });
          for (let v = 0; v < h.vertexCount; v++) if (!isMember(v) || levelOf[v] < level) spread(v);
          const sites = Array.from(h.vertex.subarray(h.groupStart[g], h.groupStart[g + 1]));
          for (const site of sites) {
            const most = Math.max(...members.map((v) => far[v]));
            expect(site).toBe(members.find((v) => far[v] === most));
            spread(site, isMember);
          }
          const distances = sites.map((site) => distancesFrom(graph, site, isMember));
          for (const v of members) {
            const least = Math.min(...distances.map((d) => d[v]));
            expect(cellAt(h, level)[v]).toBe(h.groupStart[g] + distances.findIndex((d) => d[v] === least));
          }
        }
      }),
      { numRuns: RUNS / 2 },
    );
  });

  test('has the regions that balls around the vertices of a cell cover', () => {
    fc.assert(
      fc.property(cages(), sizes, (cage, options) => {
        const h = build(cage, options);
        const graph = createCageGraph(cage);
        const distance = Array.from({ length: h.vertexCount }, (_, v) => distancesFrom(graph, v));
        const levelOf = levelOfVertices(h);
        for (let g = 1; g < h.groupCount; g++) {
          const level = h.groupLevel[g],
            above = cellAt(h, level - 1),
            own = h.parent[h.groupStart[g]];
          const outside = Array.from(h.vertex).filter((m) => levelOf[m] <= level && above[m] !== own);
          const members = membersOf(above, own);
          const radius = members.map((u) => Math.min(Infinity, ...outside.map((m) => distance[u][m])));
          const region = Array.from({ length: h.vertexCount }, (_, w) => w).filter((w) =>
            members.some((u, k) => distance[u][w] < radius[k]),
          );
          for (const v of members) expect(region).toContain(v);
          const rows = Array.from(h.row.subarray(h.rowStart[g], h.rowStart[g + 1]));
          expect(rows).toEqual(region.filter((w) => levelOf[w] >= level));
          // Of its own level it holds its own manipulators only: functions vanish at all others.
          expect(rows.filter((w) => levelOf[w] === level).sort()).toEqual(
            Array.from(h.vertex.subarray(h.groupStart[g], h.groupStart[g + 1])).sort(),
          );
        }
      }),
      { numRuns: RUNS / 2 },
    );
  });

  test('would hold manipulators of others if the balls were larger', () => {
    const cage = blockCage(6, 5, 4);
    const h = build(cage, { manipulators: 5, children: 4 });
    const graph = createCageGraph(cage);
    const grower = new RegionGrower(graph);
    const sources = h.vertex.subarray(
      0,
      h.groupStart.find((_, g) => h.groupLevel[g] === 2),
    );
    const radius = new Float64Array(h.vertexCount);
    findRadii(graph, cellAt(h, 0), sources, radius);
    for (let node = 0; node < 5; node++) {
      const members = Uint32Array.from(membersOf(cellAt(h, 0), node));
      const strangers = (region: Uint32Array) =>
        region.filter((v) => sources.includes(v) && cellAt(h, 0)[v] !== node).length;
      expect(strangers(grower.grow(members, radius))).toBe(0);
      expect(
        strangers(
          grower.grow(
            members,
            radius.map((r) => 1.01 * r),
          ),
        ),
      ).toBeGreaterThan(0);
    }
  });

  test('is the same each time, and ends at the level it is told to', () => {
    const cage = blockCage(6, 4, 3);
    expect(build(cage, {})).toEqual(build(cage, {}));
    const short = build(cage, { manipulators: 5, children: 3, levels: 2 });
    expect(short.levels).toBe(2);
    expect(short.nodeCount).toBe(5 + 15);
    expect(build(cage, { manipulators: 5, levels: 1 }).groupCount).toBe(1);
  });

  test('yields shares that rise', () => {
    const shares: number[] = [];
    runSteps(hierarchySteps(blockCage(6, 5, 4), { manipulators: 6 }), {
      onProgress: (share) => shares.push(share),
    });
    for (let k = 1; k < shares.length; k++) expect(shares[k]).toBeGreaterThanOrEqual(shares[k - 1]);
    expect(shares[shares.length - 1]).toBeLessThanOrEqual(1);
  });
});

test('radii are those of the nearest manipulator of another cell', () => {
  fc.assert(
    fc.property(
      cages(false),
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(6), { minLength: 17, maxLength: 17 }),
      (cage, picks, labels) => {
        const graph = createCageGraph(cage);
        const { vertexCount } = graph;
        const cell = Uint32Array.from({ length: vertexCount }, (_, v) => {
          const label = labels[(v * 7) % labels.length];
          return label === 6 ? NONE : label;
        });
        const sources = Uint32Array.from(new Set(picks.map((p) => p % vertexCount)));
        const radius = new Float64Array(vertexCount);
        findRadii(graph, cell, sources, radius);
        const distances = Array.from(sources, (m) => distancesFrom(graph, m));
        for (let v = 0; v < vertexCount; v++) {
          if (cell[v] === NONE) continue;
          const others = distances.filter((_, k) => cell[sources[k]] !== cell[v]).map((d) => d[v]);
          expect(radius[v]).toBe(Math.min(Infinity, ...others));
        }
      },
    ),
    { numRuns: 5 * RUNS },
  );
});

test('paths are as long forwards as backwards', () => {
  fc.assert(
    fc.property(cages(), fc.nat(), fc.nat(), (cage, a, b) => {
      const graph = createCageGraph(cage);
      const u = a % graph.vertexCount,
        v = b % graph.vertexCount;
      expect(distancesFrom(graph, u)[v]).toBe(distancesFrom(graph, v)[u]);
    }),
    { numRuns: 3 * RUNS },
  );
});
