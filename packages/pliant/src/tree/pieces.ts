import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Triangles that share two vertices with triangle t: neighbour[start[t] … start[t + 1]). */
export interface EdgeNeighbours {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
}

/** A range of a list of triangles. */
export interface Piece {
  readonly from: number;
  readonly count: number;
}

/** Finds what is connected through edges. */
export class PieceFinder {
  readonly neighbours: EdgeNeighbours;
  /** Triangles of the last `find`, piece by piece. */
  readonly list: Uint32Array;
  readonly #seen: Uint32Array;
  #stamp = 0;

  constructor(mesh: TriangleMesh) {
    this.neighbours = listEdgeNeighbours(mesh);
    this.list = new Uint32Array(mesh.triangleCount);
    this.#seen = new Uint32Array(mesh.triangleCount);
  }

  /** Among triangles of a range of `order` with this label; no others have it. */
  find(order: Uint32Array, first: number, count: number, labels: ArrayLike<number>, label: number): Piece[] {
    const { list, neighbours } = this;
    const seen = this.#seen,
      stamp = ++this.#stamp;
    const pieces: Piece[] = [];
    let end = 0;
    const take = (t: number) => {
      if (labels[t] !== label || seen[t] === stamp) return;
      seen[t] = stamp;
      list[end++] = t;
    };
    for (let s = first; s < first + count; s++) {
      const from = end;
      take(order[s]);
      for (let k = from; k < end; k++) {
        for (let e = neighbours.start[list[k]]; e < neighbours.start[list[k] + 1]; e++) {
          take(neighbours.neighbour[e]);
        }
      }
      if (end > from) pieces.push({ from, count: end - from });
    }
    return pieces;
  }
}

/** The first of the largest ones. */
export function largestOf(pieces: readonly Piece[]): Piece {
  return pieces.reduce((most, piece) => (piece.count > most.count ? piece : most));
}

function listEdgeNeighbours({ triangles, triangleCount, adjacency }: TriangleMesh): EdgeNeighbours {
  const start = new Uint32Array(triangleCount + 1);
  const list: number[] = [];
  for (let t = 0; t < triangleCount; t++) {
    start[t] = list.length;
    for (let k = 0; k < 3; k++) {
      const u = triangles[3 * t + k],
        v = triangles[3 * t + ((k + 1) % 3)];
      if (u === v) continue;
      for (let e = adjacency.start[u]; e < adjacency.start[u + 1]; e++) {
        const other = adjacency.list[e];
        const o = 3 * other;
        if (other !== t && (triangles[o] === v || triangles[o + 1] === v || triangles[o + 2] === v))
          list.push(other);
      }
    }
  }
  start[triangleCount] = list.length;
  return { start, neighbour: Uint32Array.from(list) };
}
