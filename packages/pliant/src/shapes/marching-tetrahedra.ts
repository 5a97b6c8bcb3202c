import type { PartSurface, Point } from './part-surface.ts';

export interface Triangles {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

/** Draws the grid together around a point, where something is too small for it. */
export interface Lens {
  readonly centre: Point;
  readonly radius: number;
  readonly strength: number; // below 1; in the middle the grid is finer by 1 / (1 − strength)
}

/**
 * The surface on a grid of cubes of six tetrahedra each. Its level set on tetrahedra is always closed and
 * manifold, whatever the values; the shapes of its triangles are for `remesh` to mend.
 */
export function marchTetrahedra(surface: PartSurface, cell: number, lenses: readonly Lens[] = []): Triangles {
  const grid = sampleGrid(surface, cell, lenses);
  const { size, value } = grid;
  const step = [1, size[0], size[0] * size[1]];
  const corner = CORNERS.map(
    (bits) => (bits & 1) * step[0] + ((bits >> 1) & 1) * step[1] + (bits >> 2) * step[2],
  );
  const output = new Output(grid, corner);
  for (let k = 0; k + 1 < size[2]; k++) {
    for (let j = 0; j + 1 < size[1]; j++) {
      for (let i = 0; i + 1 < size[0]; i++) {
        const at = i + j * step[1] + k * step[2];
        let inside = 0;
        for (let c = 0; c < 8; c++) if (value[at + corner[c]] < 0) inside |= 1 << c;
        if (inside !== 0 && inside !== 255) for (const tet of TETRAHEDRA) output.add(at, tet, inside);
      }
    }
  }
  return output.finish();
}

interface Grid {
  readonly low: readonly number[];
  readonly cell: number;
  readonly lenses: readonly Lens[];
  readonly size: readonly [number, number, number];
  readonly value: Float64Array;
}

const BLOCK = 4;
const LAST = BLOCK - 1;

/** Values at the corners; blocks far from the surface get that of their middle. */
function sampleGrid(surface: PartSurface, cell: number, lenses: readonly Lens[]): Grid {
  const bounds = surface.bounds.slice();
  for (const { centre, radius } of lenses) {
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], centre[k] - radius); // lenses must not draw in the border
      bounds[3 + k] = Math.max(bounds[3 + k], centre[k] + radius);
    }
  }
  const low = [0, 1, 2].map((k) => bounds[k] - 2.37 * cell); // no grid plane at x = 0 or y = 0
  const size = [0, 1, 2].map((k) => BLOCK * Math.ceil(((bounds[3 + k] - low[k]) / cell + 3) / BLOCK)) as [
    number,
    number,
    number,
  ];
  const value = new Float64Array(size[0] * size[1] * size[2]);
  const at = new Float64Array(4);
  const point = new Float64Array(3),
    centre = new Float64Array(3);
  const lookAt = (i: number, j: number, k: number) => {
    point[0] = low[0] + i * cell;
    point[1] = low[1] + j * cell;
    point[2] = low[2] + k * cell;
    for (const lens of lenses) look(lens, point);
  };
  /** From the middle of a block to its furthest corner, with room for values that change faster than distances. */
  const reachOf = (i: number, j: number, k: number) => {
    let most = 0;
    for (let c = 0; c < 8; c++) {
      lookAt(i + LAST * (c & 1), j + LAST * ((c >> 1) & 1), k + LAST * (c >> 2));
      const x = point[0] - centre[0],
        y = point[1] - centre[1],
        z = point[2] - centre[2];
      most = Math.max(most, x * x + y * y + z * z);
    }
    return 1.4 * Math.sqrt(most);
  };
  for (let k = 0; k < size[2]; k += BLOCK) {
    for (let j = 0; j < size[1]; j += BLOCK) {
      for (let i = 0; i < size[0]; i += BLOCK) {
        lookAt(i + LAST / 2, j + LAST / 2, k + LAST / 2);
        centre.set(point);
        surface.evaluate(point[0], point[1], point[2], at);
        const isNear = Math.abs(at[0]) < reachOf(i, j, k);
        for (let b = 0; b < BLOCK ** 3; b++) {
          const x = i + (b % BLOCK),
            y = j + (Math.trunc(b / BLOCK) % BLOCK),
            z = k + Math.trunc(b / BLOCK ** 2);
          if (isNear) {
            lookAt(x, y, z);
            surface.evaluate(point[0], point[1], point[2], at);
          }
          value[x + size[0] * (y + size[1] * z)] = awayFromZero(at[0], 1e-3 * cell);
        }
      }
    }
  }
  return { low, cell, lenses, size, value };
}

/** Moves a point towards the centre of the lens. The order of points on a line through the centre stays. */
function look({ centre, radius, strength }: Lens, p: Float64Array): void {
  const x = p[0] - centre[0],
    y = p[1] - centre[1],
    z = p[2] - centre[2];
  const t = (x * x + y * y + z * z) / (radius * radius);
  if (t >= 1) return;
  const pull = strength * (1 - t * t) * (1 - t * t); // almost the same in the inner half
  p[0] -= pull * x;
  p[1] -= pull * y;
  p[2] -= pull * z;
}

/** So that no vertex of the result falls on a corner of the grid. */
function awayFromZero(value: number, margin: number): number {
  return value < 0 ? Math.min(value, -margin) : Math.max(value, margin);
}

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7]; // bits: x, y, z

/** Paths from corner 0 to corner 7 along the axes; the last number tells the orientation. */
const TETRAHEDRA = [
  [0, 1, 3, 7, 0],
  [0, 2, 6, 7, 0],
  [0, 4, 5, 7, 0],
  [0, 1, 5, 7, 1],
  [0, 2, 3, 7, 1],
  [0, 4, 6, 7, 1],
] as const;

/** Even orders of four, by which corner comes first. */
const EVEN = [
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [2, 0, 1, 3],
  [3, 0, 2, 1],
] as const;
/** Even orders of four whose first two are the given pair: at [4 · a + b], a < b. */
const EVEN_PAIR: Record<number, readonly [number, number, number, number]> = {
  1: [0, 1, 2, 3],
  2: [0, 2, 3, 1],
  3: [0, 3, 1, 2],
  6: [1, 2, 0, 3],
  7: [1, 3, 2, 0],
  11: [2, 3, 0, 1],
};

class Output {
  readonly #grid: Grid;
  readonly #corner: readonly number[];
  readonly #positions: number[] = [];
  readonly #triangles: number[] = [];
  readonly #vertexOfEdge = new Map<number, number>();
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);

  constructor(grid: Grid, corner: readonly number[]) {
    this.#grid = grid;
    this.#corner = corner;
  }

  add(at: number, tet: (typeof TETRAHEDRA)[number], inside: number): void {
    const flip = tet[4] === 1;
    const isIn = [0, 1, 2, 3].map((c) => (inside >> tet[c]) & 1);
    const count = isIn[0] + isIn[1] + isIn[2] + isIn[3];
    if (count === 0 || count === 4) return;
    const vertex = (a: number, b: number) => this.#vertex(at, tet[a], tet[b]);
    if (count === 2) {
      const a = isIn.indexOf(1),
        b = isIn.lastIndexOf(1);
      const [i, j, k, l] = EVEN_PAIR[4 * a + b];
      const ik = vertex(i, k),
        il = vertex(i, l),
        jl = vertex(j, l),
        jk = vertex(j, k);
      this.#push(ik, il, jl, flip);
      this.#push(ik, jl, jk, flip);
    } else {
      const [i, j, k, l] = EVEN[isIn.indexOf(count === 1 ? 1 : 0)];
      this.#push(vertex(i, j), vertex(i, k), vertex(i, l), flip !== (count === 3));
    }
  }

  finish(): Triangles {
    return { positions: Float64Array.from(this.#positions), triangles: Uint32Array.from(this.#triangles) };
  }

  #push(a: number, b: number, c: number, flip: boolean): void {
    if (flip) this.#triangles.push(a, c, b);
    else this.#triangles.push(a, b, c);
  }

  /** On the edge between two corners of the cube at `at`. */
  #vertex(at: number, a: number, b: number): number {
    const from = Math.min(a, b),
      to = Math.max(a, b); // paths only add bits, so `from` is the lower corner
    const p = at + this.#corner[from];
    const key = 8 * p + (to - from);
    const known = this.#vertexOfEdge.get(key);
    if (known !== undefined) return known;
    const { value } = this.#grid;
    const q = at + this.#corner[to];
    const t = value[p] / (value[p] - value[q]);
    this.#place(p, this.#from);
    this.#place(q, this.#to);
    for (let k = 0; k < 3; k++) this.#positions.push(this.#from[k] + t * (this.#to[k] - this.#from[k]));
    const vertex = this.#positions.length / 3 - 1;
    this.#vertexOfEdge.set(key, vertex);
    return vertex;
  }
  #place(p: number, out: Float64Array): void {
    const { low, cell, lenses, size } = this.#grid;
    out[0] = low[0] + cell * (p % size[0]);
    out[1] = low[1] + cell * (Math.trunc(p / size[0]) % size[1]);
    out[2] = low[2] + cell * Math.trunc(p / (size[0] * size[1]));
    for (const lens of lenses) look(lens, out);
  }
}
