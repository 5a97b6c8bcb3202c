import { sinTurns } from '../algebra/trigonometry.ts';
import { checkNumbers, checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { gridTriangles } from '../shapes/grid-triangles.ts';
import { createRandom } from '../shapes/random.ts';
import { checkCount, checkOption, checkSeed } from '../shapes/shape.ts';
import { ClothLayers } from './cloth-layers.ts';
import { checkObstacle, findDepth, type Obstacle } from './obstacle.ts';

export interface ClothBodyOptions {
  /** Cells of the grid. Default: 48 and 32. */
  columns?: number;
  rows?: number;
  /** Their size. Default: 0.02. */
  cell?: number;
  /** The first corner. Default: 0, 0, 0. */
  origin?: readonly [number, number, number];
  /** Unit vectors along columns and along rows. Default: x and z. */
  across?: readonly [number, number, number];
  along?: readonly [number, number, number];
  /** Points that stay where they are. Default: none. */
  isHeld?: (column: number, row: number) => boolean;
  /** Default: 0, −9.81, 0. */
  gravity?: readonly [number, number, number];
  /** How fast the air moves, on the whole. Default: 0, 0, 0. */
  wind?: readonly [number, number, number];
  /** Share of the wind that comes and goes, along it and to either side. Default: 0.4. */
  gusts?: number;
  /** Acceleration of cloth that stands across a wind of speed 1; it grows with the square of that. Default: 4. */
  air?: number;
  /** Compliance of distances along edges and diagonals, for points of mass 1. Default: 1e-8. */
  stretch?: number;
  /** The same of distances over two cells, which resist bending: the larger, the softer. Default: 3e-7. */
  softness?: number;
  /** How fast speed is lost, per second. Default: 0.4. */
  damping?: number;
  /** How far points stay away from obstacles. Default: half a cell. */
  thickness?: number;
  /** How far layers of it stay away from each other; 0: they pass through each other. Default: 0. */
  layers?: number;
  /** Parts into which a step is cut. Default: 12. */
  substeps?: number;
  /** Of the small unevenness without which flat cloth would stay flat. Default: 1. */
  seed?: number;
}

const FRICTION = 0.5;

/**
 * A rectangle of cloth by extended position based dynamics: distances along edges, diagonals and over two cells, once
 * in each part of a step, to and fro. Air presses on it where it does not move along. Bit-equal on every
 * platform.
 */
export class ClothBody {
  readonly columns: number;
  readonly rows: number;
  /** Three numbers per point, row after row. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Two per cell. */
  readonly triangles: Uint32Array;
  readonly wind: [number, number, number];
  /** Compliance of bending; may be written between steps. */
  softness: number;
  /** Seconds since the beginning. */
  time = 0;

  readonly #gravity: readonly number[];
  readonly #gusts: number;
  readonly #air: number;
  readonly #damping: number;
  readonly #thickness: number;
  readonly #layers: ClothLayers | undefined;
  readonly #substeps: number;
  readonly #obstacles: Obstacle[] = [];
  readonly #last: Float64Array;
  readonly #weight: Float64Array; // 0: held
  readonly #ends: Uint32Array; // two points of each distance
  readonly #length: Float64Array;
  readonly #stretch: number;
  readonly #bends: number; // the first distance that bends
  readonly #normal = new Float64Array(3);

  constructor(options: ClothBodyOptions = {}) {
    checkObject('options', options);
    const { columns = 48, rows = 32, cell = 0.02, seed = 1, isHeld = () => false } = options;
    const { gravity = [0, -9.81, 0], wind = [0, 0, 0], gusts = 0.4, air = 4, damping = 0.4 } = options;
    const { stretch = 1e-8, softness = 3e-7, substeps = 12, thickness = cell / 2, layers = 0 } = options;
    const { origin = [0, 0, 0], across = [1, 0, 0], along = [0, 0, 1] } = options;
    checkCount('columns', columns, 1, 4096);
    checkCount('rows', rows, 1, 4096);
    checkOption('cell', cell, 1e-9, 1e9);
    checkSeed(seed);
    for (const [name, value] of Object.entries({ gravity, wind, origin, across, along })) {
      checkNumbers(name, value, 3);
    }
    checkOption('gusts', gusts, 0, 10);
    checkOption('air', air, 0, 1e6);
    checkOption('damping', damping, 0, 1e6);
    checkOption('stretch', stretch, 0, 1e6);
    checkOption('softness', softness, 0, 1e6);
    checkOption('thickness', thickness, 0, 1e9);
    checkOption('layers', layers, 0, 1e9);
    checkCount('substeps', substeps, 1, 1000);
    if (typeof isHeld !== 'function') {
      throw new InputError('bad-option', `isHeld must be a function, not ${describe(isHeld)}`);
    }
    this.columns = columns;
    this.rows = rows;
    this.wind = [wind[0], wind[1], wind[2]];
    this.softness = softness;
    this.#gravity = [...gravity];
    this.#gusts = gusts;
    this.#air = air;
    this.#damping = damping;
    this.#stretch = stretch;
    this.#thickness = thickness;
    this.#substeps = substeps;
    const count = (columns + 1) * (rows + 1);
    this.#layers = layers > 0 ? new ClothLayers(columns + 1, count, layers) : undefined;
    this.positions = new Float64Array(3 * count);
    this.velocities = new Float64Array(3 * count);
    this.#weight = new Float64Array(count);
    const random = createRandom(seed);
    for (let r = 0, p = 0; r <= rows; r++) {
      for (let c = 0; c <= columns; c++, p++) {
        const lift = UNEVEN * cell * (2 * random() - 1);
        for (let x = 0; x < 3; x++) {
          const [y, z] = [(x + 1) % 3, (x + 2) % 3];
          const up = along[y] * across[z] - along[z] * across[y];
          this.positions[3 * p + x] = origin[x] + cell * (c * across[x] + r * along[x]) + lift * up;
        }
        this.#weight[p] = isHeld(c, r) ? 0 : 1;
      }
    }
    this.#last = this.positions.slice();
    this.triangles = gridTriangles(columns, rows);
    const { ends, bends } = listDistances(columns, rows);
    this.#ends = ends;
    this.#bends = bends;
    this.#length = Float64Array.from({ length: ends.length / 2 }, (_, k) =>
      this.#distance(ends[2 * k], ends[2 * k + 1]),
    );
  }

  /** Points stay out of it from now on. It may be moved between steps. */
  addObstacle(obstacle: Obstacle): void {
    checkObstacle(obstacle);
    this.#obstacles.push(obstacle);
  }

  step(seconds: number): void {
    checkOption('seconds', seconds, 1e-9, 1);
    checkNumbers('wind', this.wind, 3);
    checkOption('softness', this.softness, 0, 1e6);
    const dt = seconds / this.#substeps;
    const { positions, velocities } = this;
    const last = this.#last;
    for (let k = 0; k < this.#substeps; k++) {
      this.time += dt;
      this.#blow(dt);
      last.set(positions);
      const keep = 1 / (1 + this.#damping * dt);
      for (let p = 0, o = 0; o < positions.length; p++, o += 3) {
        if (this.#weight[p] === 0) continue;
        for (let x = 0; x < 3; x++) {
          positions[o + x] += dt * (velocities[o + x] * keep + this.#gravity[x] * dt);
        }
      }
      this.#satisfy(dt, k % 2 === 1);
      this.#layers?.push(positions, this.#weight);
      for (const obstacle of this.#obstacles) this.#leave(obstacle);
      for (let o = 0; o < positions.length; o++) velocities[o] = (positions[o] - last[o]) / dt;
    }
  }

  /**
   * Air pushes along the normal, with the square of its speed in that direction; as if at the end of the step, so that
   * it never pushes cloth faster than it blows.
   */
  #blow(dt: number): void {
    const { columns, rows, velocities, positions } = this;
    const [wx, wy, wz] = this.wind;
    const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
    const n = this.#normal;
    for (let r = 0, p = 0; r <= rows; r++) {
      for (let c = 0; c <= columns; c++, p++) {
        if (this.#weight[p] === 0) continue;
        const o = 3 * p;
        this.#findNormal(c, r, p);
        const x = positions[o],
          y = positions[o + 1],
          z = positions[o + 2];
        const gust = 1 + this.#gusts * sinTurns(0.37 * this.time + 0.11 * (x + y));
        const side =
          speed *
          this.#gusts *
          (0.6 * sinTurns(0.9 * this.time - 0.45 * x + 0.2 * y) +
            0.4 * sinTurns(2.3 * this.time - 0.9 * x - 0.3 * y + 0.35 * z));
        // Sideways is across the wind, on the level.
        const level = Math.sqrt(wx * wx + wz * wz) || 1;
        const rx = wx * gust - (side * wz) / level - velocities[o],
          ry = wy * gust - velocities[o + 1],
          rz = wz * gust + (side * wx) / level - velocities[o + 2];
        const across = rx * n[0] + ry * n[1] + rz * n[2];
        const pull = this.#air * Math.abs(across) * dt;
        const gain = (across * pull) / (1 + pull);
        const drag = this.#air * SKIN * Math.sqrt(rx * rx + ry * ry + rz * rz) * dt;
        velocities[o] += gain * n[0] + drag * rx;
        velocities[o + 1] += gain * n[1] + drag * ry;
        velocities[o + 2] += gain * n[2] + drag * rz;
      }
    }
  }

  #findNormal(c: number, r: number, p: number): void {
    const { columns, rows, positions } = this;
    const w = 3 * (c > 0 ? p - 1 : p),
      e = 3 * (c < columns ? p + 1 : p),
      s = 3 * (r > 0 ? p - columns - 1 : p),
      t = 3 * (r < rows ? p + columns + 1 : p);
    const ax = positions[e] - positions[w],
      ay = positions[e + 1] - positions[w + 1],
      az = positions[e + 2] - positions[w + 2];
    const bx = positions[t] - positions[s],
      by = positions[t + 1] - positions[s + 1],
      bz = positions[t + 2] - positions[s + 2];
    const x = by * az - bz * ay,
      y = bz * ax - bx * az,
      z = bx * ay - by * ax;
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    this.#normal[0] = x / length;
    this.#normal[1] = y / length;
    this.#normal[2] = z / length;
  }

  /** Every distance once, in turn from either end of the list. */
  #satisfy(dt: number, isBackwards: boolean): void {
    const { positions } = this;
    const ends = this.#ends,
      weight = this.#weight,
      lengths = this.#length;
    const stretch = this.#stretch / (dt * dt),
      bend = this.softness / (dt * dt);
    const count = lengths.length;
    for (let i = 0; i < count; i++) {
      const k = isBackwards ? count - 1 - i : i;
      const p = ends[2 * k],
        q = ends[2 * k + 1];
      const both = weight[p] + weight[q];
      if (both === 0) continue;
      const a = 3 * p,
        b = 3 * q;
      const x = positions[b] - positions[a],
        y = positions[b + 1] - positions[a + 1],
        z = positions[b + 2] - positions[a + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length === 0) continue;
      const pull = (length - lengths[k]) / (both + (k < this.#bends ? stretch : bend)) / length;
      const u = weight[p] * pull,
        v = weight[q] * pull;
      positions[a] += u * x;
      positions[a + 1] += u * y;
      positions[a + 2] += u * z;
      positions[b] -= v * x;
      positions[b + 1] -= v * y;
      positions[b + 2] -= v * z;
    }
  }

  /** Out of it; what slides along it is held back by as much as it was pressed in. */
  #leave(obstacle: Obstacle): void {
    const { positions } = this;
    const last = this.#last,
      n = this.#normal;
    const friction = obstacle.friction ?? FRICTION;
    for (let p = 0, o = 0; o < positions.length; p++, o += 3) {
      if (this.#weight[p] === 0) continue;
      const depth = findDepth(obstacle, positions[o], positions[o + 1], positions[o + 2], this.#thickness, n);
      if (depth === 0) continue;
      for (let x = 0; x < 3; x++) positions[o + x] += depth * n[x];
      const dx = positions[o] - last[o],
        dy = positions[o + 1] - last[o + 1],
        dz = positions[o + 2] - last[o + 2];
      const out = dx * n[0] + dy * n[1] + dz * n[2];
      const sx = dx - out * n[0],
        sy = dy - out * n[1],
        sz = dz - out * n[2];
      const slid = Math.sqrt(sx * sx + sy * sy + sz * sz);
      const held = slid > 0 ? Math.min(1, (friction * depth) / slid) : 0;
      positions[o] -= held * sx;
      positions[o + 1] -= held * sy;
      positions[o + 2] -= held * sz;
    }
  }

  #distance(p: number, q: number): number {
    const { positions } = this;
    let sum = 0;
    for (let x = 0; x < 3; x++) sum += (positions[3 * p + x] - positions[3 * q + x]) ** 2;
    return Math.sqrt(sum);
  }
}

const UNEVEN = 0.01; // of a cell
const SKIN = 0.02; // how much air takes cloth along that it passes, beside what it pushes

/** Edges and diagonals first, then those over two cells. */
function listDistances(columns: number, rows: number): { ends: Uint32Array; bends: number } {
  const ends: number[] = [];
  let bends = 0;
  for (const [dc, dr] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [-1, 1],
    [2, 0],
    [0, 2],
  ]) {
    if (dc === 2) bends = ends.length / 2;
    for (let r = 0; r + dr <= rows; r++) {
      for (let c = Math.max(0, -dc); c + dc <= columns && c <= columns; c++) {
        ends.push(r * (columns + 1) + c, (r + dr) * (columns + 1) + c + dc);
      }
    }
  }
  return { ends: Uint32Array.from(ends), bends };
}
