import type { Hierarchy } from './hierarchy.ts';

/** The functions that the manipulators of one group stand for. */
export interface BasisGroup {
  readonly id: number; // 0 is the global group
  readonly level: number;
  /** The node whose children they belong to; NONE for the global group. */
  readonly node: number;
  /** Vertices of the cage, ascending; the functions are zero everywhere else. */
  readonly rows: Uint32Array;
  readonly columns: number;
  /** rows × columns, row by row: 1 at a function's own manipulator. */
  readonly weights: Float32Array;
  /** Per column: its vertex of the cage. */
  readonly manipulators: Uint32Array;
}

export function createGroup(hierarchy: Hierarchy, id: number, weights: Float32Array): BasisGroup {
  const { groupLevel, groupStart, parent, vertex, rowStart, row } = hierarchy;
  const first = groupStart[id],
    end = groupStart[id + 1];
  return {
    id,
    level: groupLevel[id],
    node: parent[first],
    rows: row.subarray(rowStart[id], rowStart[id + 1]),
    columns: end - first,
    weights,
    manipulators: vertex.subarray(first, end),
  };
}
