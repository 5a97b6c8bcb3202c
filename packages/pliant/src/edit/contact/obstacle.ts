import { checkNumbers, checkObject, describe, type NumberArray } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { DistanceField } from '../../solid/distance-field.ts';

/** What a shape cannot enter, in the coordinates of the surface that was given. */
export type ShapeObstacle = PlaneObstacle | SphereObstacle | CapsuleObstacle | BoxObstacle | MeshObstacle;

/** The side of a plane that its normal points to is free: n·x ≥ offset, n brought to length 1. */
export interface PlaneObstacle {
  readonly kind: 'plane';
  readonly normal: NumberArray;
  readonly offset: number;
}

export interface SphereObstacle {
  readonly kind: 'sphere';
  readonly centre: NumberArray;
  readonly radius: number;
}

/** All points within `radius` of the segment from a to b. */
export interface CapsuleObstacle {
  readonly kind: 'capsule';
  readonly a: NumberArray;
  readonly b: NumberArray;
  readonly radius: number;
}

/** A box around the origin with sides of twice `halfSize`, moved by `matrix`. */
export interface BoxObstacle {
  readonly kind: 'box';
  readonly halfSize: NumberArray;
  /** Rotation and translation, row-major 3×4. Default: none. */
  readonly matrix?: NumberArray;
}

/** A surface by its signed distances, see `createDistanceField`; moved by `matrix`. */
export interface MeshObstacle {
  readonly kind: 'mesh';
  readonly field: DistanceField;
  /** Rotation and translation, row-major 3×4. Default: none. */
  readonly matrix?: NumberArray;
}

/** Rotations may be off by this much. */
const ROTATION_TOLERANCE = 1e-6;

/** Errors name the obstacle: `obstacles[2].radius must be …`. */
export function checkObstacle(what: string, obstacle: ShapeObstacle): void {
  checkObject(what, obstacle);
  switch (obstacle.kind) {
    case 'plane': {
      checkNumbers(`${what}.normal`, obstacle.normal, 3);
      const [x, y, z] = obstacle.normal;
      if (!(Math.hypot(x, y, z) > 1e-150)) throw new InputError('bad-option', `${what}.normal is 0`);
      checkNumber(`${what}.offset`, obstacle.offset, -1e150);
      return;
    }
    case 'sphere':
      checkNumbers(`${what}.centre`, obstacle.centre, 3);
      checkNumber(`${what}.radius`, obstacle.radius, 0);
      return;
    case 'capsule':
      checkNumbers(`${what}.a`, obstacle.a, 3);
      checkNumbers(`${what}.b`, obstacle.b, 3);
      checkNumber(`${what}.radius`, obstacle.radius, 0);
      return;
    case 'box':
      checkNumbers(`${what}.halfSize`, obstacle.halfSize, 3);
      for (let k = 0; k < 3; k++) checkNumber(`${what}.halfSize[${k}]`, obstacle.halfSize[k], 0);
      checkMatrix(`${what}.matrix`, obstacle.matrix);
      return;
    case 'mesh':
      if (!(obstacle.field instanceof DistanceField)) {
        throw new InputError('wrong-type', `${what}.field must come from createDistanceField`);
      }
      checkMatrix(`${what}.matrix`, obstacle.matrix);
      return;
    default:
      throw new InputError(
        'bad-option',
        `${what}.kind must be plane, sphere, capsule, box or mesh, not ${describe((obstacle as { kind: unknown }).kind)}`,
      );
  }
}

function checkNumber(what: string, value: unknown, low: number): void {
  if (typeof value === 'number' && value >= low && value <= 1e150) return;
  const shown = typeof value === 'number' ? String(value) : describe(value);
  throw new InputError('bad-option', `${what} must be a number of at least ${low}, not ${shown}`);
}

function checkMatrix(what: string, matrix: unknown): void {
  if (matrix === undefined) return;
  checkNumbers(what, matrix, 12);
  const row = (i: number, j: number) =>
    matrix[4 * i] * matrix[4 * j] +
    matrix[4 * i + 1] * matrix[4 * j + 1] +
    matrix[4 * i + 2] * matrix[4 * j + 2];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      if (Math.abs(row(i, j) - (i === j ? 1 : 0)) <= ROTATION_TOLERANCE) continue;
      throw new InputError('bad-option', `${what} is not a rotation and a translation`);
    }
  }
}

/**
 * An obstacle in the coordinates of a cage, world = centre + scale · x. Signed distances, below 0 inside; the direction
 * out goes to `normal`, of length 1.
 */
export interface PlacedObstacle {
  distance(x: number, y: number, z: number, normal: Float64Array): number;
  /** Beyond this box, lo and hi, nothing is closer than `within`. */
  box(within: number, out: Float64Array): void;
}

export function placeObstacle(
  obstacle: ShapeObstacle,
  centre: readonly number[],
  scale: number,
): PlacedObstacle {
  const local = (point: NumberArray) => Float64Array.from(point, (x, k) => (x - centre[k]) / scale);
  switch (obstacle.kind) {
    case 'plane': {
      const length = Math.hypot(obstacle.normal[0], obstacle.normal[1], obstacle.normal[2]);
      const n = Float64Array.from(obstacle.normal, (x) => x / length);
      const height = n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2];
      return new PlacedPlane(n, (obstacle.offset - height) / scale);
    }
    case 'sphere': {
      const c = local(obstacle.centre);
      return new PlacedCapsule(c, c, obstacle.radius / scale);
    }
    case 'capsule':
      return new PlacedCapsule(local(obstacle.a), local(obstacle.b), obstacle.radius / scale);
    case 'box': {
      const half = Float64Array.from(obstacle.halfSize);
      return new PlacedRigid(new UnplacedBox(half), obstacle.matrix, centre, scale);
    }
    case 'mesh':
      return new PlacedRigid(new UnplacedField(obstacle.field), obstacle.matrix, centre, scale);
  }
}

class PlacedPlane implements PlacedObstacle {
  readonly #n: Float64Array;
  readonly #offset: number;

  constructor(n: Float64Array, offset: number) {
    this.#n = n;
    this.#offset = offset;
  }

  distance(x: number, y: number, z: number, normal: Float64Array): number {
    const n = this.#n;
    normal[0] = n[0];
    normal[1] = n[1];
    normal[2] = n[2];
    return n[0] * x + n[1] * y + n[2] * z - this.#offset;
  }

  box(_within: number, out: Float64Array): void {
    out.fill(-Infinity, 0, 3).fill(Infinity, 3, 6);
  }
}

/** A sphere is one of length 0. */
class PlacedCapsule implements PlacedObstacle {
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  readonly #radius: number;
  readonly #squared: number; // of the length

  constructor(a: Float64Array, b: Float64Array, radius: number) {
    this.#a = a;
    this.#b = b;
    this.#radius = radius;
    this.#squared = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2;
  }

  distance(x: number, y: number, z: number, normal: Float64Array): number {
    const a = this.#a,
      b = this.#b;
    const ux = b[0] - a[0],
      uy = b[1] - a[1],
      uz = b[2] - a[2];
    let dx = x - a[0],
      dy = y - a[1],
      dz = z - a[2];
    if (this.#squared > 0) {
      const along = Math.min(1, Math.max(0, (dx * ux + dy * uy + dz * uz) / this.#squared));
      dx -= along * ux;
      dy -= along * uy;
      dz -= along * uz;
    }
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (length > 0) {
      normal[0] = dx / length;
      normal[1] = dy / length;
      normal[2] = dz / length;
    } else writeAcross(ux, uy, uz, normal); // in the middle any way across leads out
    return length - this.#radius;
  }

  box(within: number, out: Float64Array): void {
    const reach = this.#radius + within;
    for (let k = 0; k < 3; k++) {
      out[k] = Math.min(this.#a[k], this.#b[k]) - reach;
      out[3 + k] = Math.max(this.#a[k], this.#b[k]) + reach;
    }
  }
}

/** A direction of length 1 that is perpendicular to u. */
function writeAcross(ux: number, uy: number, uz: number, out: Float64Array): void {
  const x = Math.abs(ux),
    y = Math.abs(uy),
    z = Math.abs(uz);
  out.fill(0);
  if (x === 0 && y === 0 && z === 0) out[1] = 1;
  else if (x <= y && x <= z) {
    const length = Math.hypot(uy, uz);
    out[1] = -uz / length;
    out[2] = uy / length;
  } else if (y <= z) {
    const length = Math.hypot(ux, uz);
    out[0] = uz / length;
    out[2] = -ux / length;
  } else {
    const length = Math.hypot(ux, uy);
    out[0] = -uy / length;
    out[1] = ux / length;
  }
}

/** In its own coordinates, before it is moved. */
interface Unplaced {
  readonly low: Float64Array;
  readonly high: Float64Array;
  distance(x: number, y: number, z: number, normal: Float64Array): number;
}

class UnplacedBox implements Unplaced {
  readonly low: Float64Array;
  readonly high: Float64Array;

  constructor(half: Float64Array) {
    this.high = half;
    this.low = half.map((x) => -x);
  }

  /** Outside by the nearest point, inside by the nearest side. */
  distance(x: number, y: number, z: number, normal: Float64Array): number {
    const [hx, hy, hz] = this.high;
    const dx = Math.abs(x) - hx,
      dy = Math.abs(y) - hy,
      dz = Math.abs(z) - hz;
    const ox = Math.max(dx, 0),
      oy = Math.max(dy, 0),
      oz = Math.max(dz, 0);
    const outside = Math.sqrt(ox * ox + oy * oy + oz * oz);
    if (outside > 0) {
      normal[0] = (x < 0 ? -ox : ox) / outside;
      normal[1] = (y < 0 ? -oy : oy) / outside;
      normal[2] = (z < 0 ? -oz : oz) / outside;
      return outside;
    }
    normal.fill(0);
    if (dx >= dy && dx >= dz) normal[0] = x < 0 ? -1 : 1;
    else if (dy >= dz) normal[1] = y < 0 ? -1 : 1;
    else normal[2] = z < 0 ? -1 : 1;
    return Math.max(dx, dy, dz);
  }
}

class UnplacedField implements Unplaced {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly #field: DistanceField;

  constructor(field: DistanceField) {
    this.#field = field;
    this.low = field.low;
    this.high = field.low.map((x, k) => x + (field.counts[k] - 1) * field.cell);
  }

  /** Beyond the grid, the distance at its border and that to it: never less than half of the true one. */
  distance(x: number, y: number, z: number, normal: Float64Array): number {
    const { low, high } = this;
    const distance = this.#field.at(x, y, z, normal);
    const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    if (length > 1e-12) for (let k = 0; k < 3; k++) normal[k] /= length;
    else {
      normal.fill(0);
      normal[1] = 1; // in the middle of something any way may lead out
    }
    const ox = Math.max(low[0] - x, x - high[0], 0),
      oy = Math.max(low[1] - y, y - high[1], 0),
      oz = Math.max(low[2] - z, z - high[2], 0);
    return distance + Math.sqrt(ox * ox + oy * oy + oz * oz);
  }
}

class PlacedRigid implements PlacedObstacle {
  readonly #shape: Unplaced;
  readonly #rotation: Float64Array; // row-major
  readonly #shift: Float64Array; // own coordinates = Rᵀ (scale · x − shift)
  readonly #scale: number;

  constructor(shape: Unplaced, matrix: NumberArray | undefined, centre: readonly number[], scale: number) {
    const m = matrix ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    this.#shape = shape;
    this.#scale = scale;
    this.#rotation = Float64Array.from([m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]);
    this.#shift = Float64Array.from([m[3] - centre[0], m[7] - centre[1], m[11] - centre[2]]);
  }

  distance(x: number, y: number, z: number, normal: Float64Array): number {
    const r = this.#rotation,
      shift = this.#shift,
      scale = this.#scale;
    const u = scale * x - shift[0],
      v = scale * y - shift[1],
      w = scale * z - shift[2];
    const distance = this.#shape.distance(
      r[0] * u + r[3] * v + r[6] * w,
      r[1] * u + r[4] * v + r[7] * w,
      r[2] * u + r[5] * v + r[8] * w,
      normal,
    );
    const a = normal[0],
      b = normal[1],
      c = normal[2];
    normal[0] = r[0] * a + r[1] * b + r[2] * c;
    normal[1] = r[3] * a + r[4] * b + r[5] * c;
    normal[2] = r[6] * a + r[7] * b + r[8] * c;
    return distance / scale;
  }

  box(within: number, out: Float64Array): void {
    const { low, high } = this.#shape;
    for (let k = 0; k < 3; k++) {
      let middle = this.#shift[k],
        reach = 0;
      for (let j = 0; j < 3; j++) {
        const r = this.#rotation[3 * k + j];
        middle += (r * (low[j] + high[j])) / 2;
        reach += (Math.abs(r) * (high[j] - low[j])) / 2;
      }
      out[k] = (middle - reach) / this.#scale - within;
      out[3 + k] = (middle + reach) / this.#scale + within;
    }
  }
}
