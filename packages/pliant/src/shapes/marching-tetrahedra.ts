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
const LARGE = 16;

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
  const length = (k: number) => LARGE * Math.ceil(((bounds[3 + k] - low[k]) / cell + 3) / LARGE);
  const size = [length(0), length(1), length(2)] as const;
  const grid = { low, cell, lenses, size, value: new Float64Array(size[0] * size[1] * size[2]) };
  const sampler = new Sampler(surface, grid);
  for (let k = 0; k < size[2]; k += LARGE) {
    for (let j = 0; j < size[1]; j += LARGE) {
      for (let i = 0; i < size[0]; i += LARGE) sampler.fill(i, j, k, LARGE);
    }
  }
  return grid;
}

class Sampler {
  readonly #surface: PartSurface;
  readonly #grid: Grid;
  readonly #at = new Float64Array(4);
  readonly #point = new Float64Array(3);
  readonly #middle = new Float64Array(3);

  constructor(surface: PartSurface, grid: Grid) {
    this.#surface = surface;
    this.#grid = grid;
  }

  /** A block of `width` corners each way: as one, as eight halves or corner by corner. */
  fill(i: number, j: number, k: number, width: number): void {
    const { size, value, cell } = this.#grid;
    const far = this.#valueIfFar(i, j, k, width - 1);
    const half = width / 2;
    if (far === 0 && width > BLOCK) {
      for (let c = 0; c < 8; c++) {
        this.fill(i + half * (c & 1), j + half * ((c >> 1) & 1), k + half * (c >> 2), half);
      }
      return;
    }
    for (let z = k; z < k + width; z++) {
      for (let y = j; y < j + width; y++) {
        const row = size[0] * (y + size[1] * z);
        if (far !== 0) value.fill(far, row + i, row + i + width);
        else {
          for (let x = i; x < i + width; x++)
            value[row + x] = awayFromZero(this.#evaluate(x, y, z), 1e-3 * cell);
        }
      }
    }
  }

  /** The value in the middle when the whole block is on one side of the surface, else 0. */
  #valueIfFar(i: number, j: number, k: number, last: number): number {
    const point = this.#point,
      middle = this.#middle;
    const value = this.#evaluate(i + last / 2, j + last / 2, k + last / 2);
    middle.set(point);
    let most = 0;
    for (let c = 0; c < 8; c++) {
      lookAt(this.#grid, i + last * (c & 1), j + last * ((c >> 1) & 1), k + last * (c >> 2), point);
      const x = point[0] - middle[0],
        y = point[1] - middle[1],
        z = point[2] - middle[2];
      most = Math.max(most, x * x + y * y + z * z);
    }
    return Math.abs(value) < SAFETY * Math.sqrt(most) ? 0 : value;
  }

  #evaluate(i: number, j: number, k: number): number {
    const point = this.#point;
    lookAt(this.#grid, i, j, k, point);
    this.#surface.evaluate(point[0], point[1], point[2], this.#at);
    return this.#at[0];
  }
}

const SAFETY = 1.4; // values may change a little faster than distances, and blocks under a lens are bent

/** Where a corner of the grid is. */
function lookAt({ low, cell, lenses }: Grid, i: number, j: number, k: number, out: Float64Array): void {
  out[0] = low[0] + i * cell;
  out[1] = low[1] + j * cell;
  out[2] = low[2] + k * cell;
  for (const lens of lenses) look(lens, out);
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
    const { size } = this.#grid;
    const y = Math.trunc(p / size[0]) % size[1],
      z = Math.trunc(p / (size[0] * size[1]));
    lookAt(this.#grid, p % size[0], y, z, out);
  }
}
