/*
 * The body-centred cubic lattice: corners and centres of unit cubes. Two neighbouring cubes share a face; their
 * centres and one edge of the face make a tetrahedron, four per face. A cube owns those of its three upper faces,
 * so tetrahedron 12 · cube + 4 · axis + edge has the corners (centre, next centre, q, next q), turned positively.
 * All have volume 1/12 and the dihedral angles 60° (four) and 90° (two).
 *
 * They are also what the planes x ± y, y ± z, z ± x = integer leave of space: six slabs of width 1 hold each.
 */

/** Volume of a tetrahedron in a lattice of unit cubes. */
export const TETRAHEDRON_VOLUME = 1 / 12;
export const TETRAHEDRA_PER_CUBE = 12;
export const SLABS = 6;

const NO_CORNER = 255;

export interface BccTables {
  /** 12 per tetrahedron: twice the coordinates of its corners, from the cube's low corner. */
  readonly corner: Int8Array;
  /** 16 per tetrahedron: λ_k = f[4k] + f[4k+1] x + f[4k+2] y + f[4k+3] z, from the cube's low corner. */
  readonly form: Float64Array;
  /** 6 per tetrahedron: the lower end of each slab, from that of the cube's low corner. */
  readonly slab: Int8Array;
  /** Across face k (opposite corner k) of tetrahedron t, at 4 t + k: steps to the neighbour's cube (3 each), … */
  readonly step: Int8Array;
  /** … its number among the twelve, … */
  readonly local: Uint8Array;
  /** … which of its faces it is, … */
  readonly face: Uint8Array;
  /** … and which of its corners is corner j of t (4 each; 255 at j = k). */
  readonly match: Uint8Array;
}

/** What is the same in every cube. Exact: all numbers are small multiples of 1/2. */
export function createBccTables(): BccTables {
  const corner = listCorners();
  return { corner, form: listForms(corner), slab: listSlabs(corner), ...findNeighbours(corner) };
}

function listCorners(): Int8Array {
  const corner = new Int8Array(12 * TETRAHEDRA_PER_CUBE);
  const around = [0, 0, 2, 0, 2, 2, 0, 2]; // the face's corners along the two other axes
  for (let axis = 0; axis < 3; axis++) {
    const e = (axis + 1) % 3,
      f = (axis + 2) % 3;
    for (let edge = 0; edge < 4; edge++) {
      const o = 12 * (4 * axis + edge);
      corner.fill(1, o, o + 6);
      corner[o + 3 + axis] = 3;
      for (let k = 0; k < 2; k++) {
        const q = o + 6 + 3 * k,
          turn = (edge + k) % 4;
        corner[q + axis] = 2;
        corner[q + e] = around[2 * turn];
        corner[q + f] = around[2 * turn + 1];
      }
    }
  }
  return corner;
}

function listForms(corner: Int8Array): Float64Array {
  const form = new Float64Array(16 * TETRAHEDRA_PER_CUBE);
  const point = (t: number, k: number) => [0, 1, 2].map((i) => corner[12 * t + 3 * k + i] / 2);
  for (let t = 0; t < TETRAHEDRA_PER_CUBE; t++) {
    for (let k = 0; k < 4; k++) {
      const [a, b, c] = [0, 1, 2, 3].filter((j) => j !== k).map((j) => point(t, j));
      const u = b.map((x, i) => x - a[i]),
        v = c.map((x, i) => x - a[i]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const dot = (p: readonly number[]) => n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
      const whole = dot(point(t, k)) - dot(a);
      form.set([-dot(a) / whole, n[0] / whole, n[1] / whole, n[2] / whole], 16 * t + 4 * k);
    }
  }
  return form;
}

function listSlabs(corner: Int8Array): Int8Array {
  const slab = new Int8Array(SLABS * TETRAHEDRA_PER_CUBE).fill(127);
  for (let o = 0; o < corner.length; o += 3) {
    const x = corner[o],
      y = corner[o + 1],
      z = corner[o + 2];
    const at = SLABS * Math.trunc(o / 12);
    [x + y, y + z, z + x, x - y, y - z, z - x].forEach((twice, i) => {
      slab[at + i] = Math.min(slab[at + i], twice / 2);
    });
  }
  return slab;
}

function findNeighbours(corner: Int8Array): Pick<BccTables, 'step' | 'local' | 'face' | 'match'> {
  const faces = 4 * TETRAHEDRA_PER_CUBE;
  const step = new Int8Array(3 * faces),
    local = new Uint8Array(faces),
    face = new Uint8Array(faces),
    match = new Uint8Array(4 * faces).fill(NO_CORNER);
  for (let t = 0; t < TETRAHEDRA_PER_CUBE; t++) {
    for (let n = 0; n < 27 * TETRAHEDRA_PER_CUBE; n++) {
      const s = n % TETRAHEDRA_PER_CUBE,
        cube = Math.trunc(n / TETRAHEDRA_PER_CUBE);
      const by = [(cube % 3) - 1, (Math.trunc(cube / 3) % 3) - 1, Math.trunc(cube / 9) - 1];
      const matches = [0, 1, 2, 3].map((j) =>
        [0, 1, 2, 3].findIndex((k) =>
          by.every((d, i) => corner[12 * t + 3 * j + i] === corner[12 * s + 3 * k + i] + 2 * d),
        ),
      );
      if (matches.filter((k) => k >= 0).length !== 3) continue;
      const at = 4 * t + matches.indexOf(-1);
      step.set(by, 3 * at);
      local[at] = s;
      face[at] = [0, 1, 2, 3].findIndex((k) => !matches.includes(k));
      for (let j = 0; j < 4; j++) if (matches[j] >= 0) match[4 * at + j] = matches[j];
    }
  }
  return { step, local, face, match };
}

/** A box of unit cubes with its low corner at 0; all coordinates here are in cubes. */
export class BccGrid {
  readonly tables = createBccTables();
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  /** The low corner of the cube last asked for. */
  readonly base = new Int32Array(3);

  constructor(nx: number, ny: number, nz: number) {
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
  }

  get cubeCount(): number {
    return this.nx * this.ny * this.nz;
  }

  cubeAt(i: number, j: number, k: number): number {
    return i + this.nx * (j + this.ny * k);
  }

  setBase(cube: number): void {
    const row = Math.trunc(cube / this.nx);
    this.base[0] = cube - row * this.nx;
    this.base[2] = Math.trunc(row / this.ny);
    this.base[1] = row - this.base[2] * this.ny;
  }

  /** The tetrahedron that holds the point; the point must lie at least a cube inside. */
  locate(x: number, y: number, z: number): number {
    const i = Math.floor(x),
      j = Math.floor(y),
      k = Math.floor(z);
    const u = x - i - 0.5,
      v = y - j - 0.5,
      w = z - k - 0.5;
    const size = Math.max(Math.abs(u), Math.abs(v), Math.abs(w));
    if (Math.abs(u) === size) return this.#cell(0, u < 0 ? i - 1 : i, j, k, v, w);
    if (Math.abs(v) === size) return this.#cell(1, i, v < 0 ? j - 1 : j, k, w, u);
    return this.#cell(2, i, j, w < 0 ? k - 1 : k, u, v);
  }

  #cell(axis: number, i: number, j: number, k: number, e: number, f: number): number {
    const edge = Math.abs(f) > Math.abs(e) ? (f < 0 ? 0 : 2) : e > 0 ? 1 : 3;
    return TETRAHEDRA_PER_CUBE * this.cubeAt(i, j, k) + 4 * axis + edge;
  }

  /** The four barycentric coordinates of a point in any tetrahedron. */
  setCoordinates(tetrahedron: number, x: number, y: number, z: number, out: Float64Array): void {
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    const { form } = this.tables;
    this.setBase(cube);
    const u = x - this.base[0],
      v = y - this.base[1],
      w = z - this.base[2];
    for (let k = 0, o = 16 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube); k < 4; k++, o += 4) {
      out[k] = form[o] + form[o + 1] * u + form[o + 2] * v + form[o + 3] * w;
    }
  }

  /** The tetrahedron across a face; −1 outside the grid. */
  neighbour(tetrahedron: number, face: number): number {
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    const at = 4 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube) + face;
    const { step, local } = this.tables;
    this.setBase(cube);
    const i = this.base[0] + step[3 * at],
      j = this.base[1] + step[3 * at + 1],
      k = this.base[2] + step[3 * at + 2];
    if (i < 0 || j < 0 || k < 0 || i >= this.nx || j >= this.ny || k >= this.nz) return -1;
    return TETRAHEDRA_PER_CUBE * this.cubeAt(i, j, k) + local[at];
  }

  setCorner(tetrahedron: number, corner: number, out: Float64Array): void {
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    const o = 12 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube) + 3 * corner;
    this.setBase(cube);
    for (let k = 0; k < 3; k++) out[k] = this.base[k] + this.tables.corner[o + k] / 2;
  }

  /** The middle of a face, or of the tetrahedron when `face` is −1. */
  setMiddle(tetrahedron: number, face: number, out: Float64Array): void {
    const cube = Math.trunc(tetrahedron / TETRAHEDRA_PER_CUBE);
    const o = 12 * (tetrahedron - TETRAHEDRA_PER_CUBE * cube);
    const corners = this.tables.corner;
    const share = face < 0 ? 1 / 8 : 1 / 6;
    this.setBase(cube);
    for (let k = 0; k < 3; k++) {
      let sum = corners[o + k] + corners[o + 3 + k] + corners[o + 6 + k] + corners[o + 9 + k];
      if (face >= 0) sum -= corners[o + 3 * face + k];
      out[k] = this.base[k] + sum * share;
    }
  }
}
