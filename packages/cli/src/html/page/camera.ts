import type { Vec3 } from './model.ts';

const HALF_HEIGHT = Math.tan((32 / 2) * (Math.PI / 180)); // of the picture at distance 1
const STEEPEST = 1.5; // radians; straight down would lose the sense of up
const FLIGHT = 450; // milliseconds
const FIT_MARGIN = 1.1; // 1 would touch the border

interface Stand {
  target: Vec3;
  distance: number;
  yaw: number; // around y, 0 looks from +z
  pitch: number; // upwards
}

/** Looks at a target from a distance, y up. Moves at once, or flies there while it is being asked for pictures. */
export class Camera {
  #now: Stand = { target: [0, 0, 0], distance: 4, yaw: 0.5, pitch: 0.2 };
  #flight: { from: Stand; to: Stand; start: number } | undefined;
  #smallest = 0.01;
  #largest = 100;
  aspect = 1;

  get distance(): number {
    return this.#now.distance;
  }

  get target(): Vec3 {
    return this.#now.target;
  }

  get isFlying(): boolean {
    return this.#flight !== undefined;
  }

  /** Of the picture, at distance 1. */
  get height(): number {
    return 2 * HALF_HEIGHT;
  }

  /** Unit vector from the target to the eye. */
  get direction(): Vec3 {
    return directionOf(this.#now);
  }

  get eye(): Vec3 {
    const d = this.direction,
      { target, distance } = this.#now;
    return [target[0] + distance * d[0], target[1] + distance * d[1], target[2] + distance * d[2]];
  }

  /** What is on the screen: right, up and towards the viewer. */
  get axes(): [right: Vec3, up: Vec3, back: Vec3] {
    return axesOf(this.#now);
  }

  /** How far one may zoom, from the model's size. */
  setScale(radius: number): void {
    this.#smallest = radius * 0.01;
    this.#largest = radius * 40;
  }

  turn(yaw: number, pitch: number): void {
    this.#land();
    this.#now.yaw += yaw;
    this.#now.pitch = clamp(this.#now.pitch + pitch, -STEEPEST, STEEPEST);
  }

  /** By fractions of the picture's height. */
  move(right: number, up: number): void {
    this.#land();
    const [r, u] = this.axes;
    const size = 2 * HALF_HEIGHT * this.#now.distance;
    this.#now.target = this.#now.target.map((c, k) => c + size * (right * r[k] + up * u[k])) as Vec3;
  }

  /** Towards a place on the screen, in −1…1 from the centre. */
  zoom(factor: number, x = 0, y = 0): void {
    const before = this.#now.distance;
    const after = clamp(before * factor, this.#smallest, this.#largest);
    const share = (1 - after / before) / 2;
    this.move(x * share * this.aspect, y * share);
    this.#now.distance = after;
  }

  /**
   * Where all points are in the picture, with a margin, seen from the same side. `covered`: the part of the
   * picture's height, from its top, that something else hides.
   */
  fit(points: Float32Array, covered: number, direction: Vec3 = this.direction): Stand {
    const stand = { ...standFrom(direction), target: [0, 0, 0] as Vec3, distance: 1 };
    const axes = axesOf(stand);
    const low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    forEachPoint(points, axes, (place) => {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], place[k]);
        high[k] = Math.max(high[k], place[k]);
      }
    });
    if (!(low[0] <= high[0])) return this.#now;
    const centre = low.map((value, k) => (value + high[k]) / 2);
    let distance = this.#smallest;
    forEachPoint(points, axes, ([x, y, z]) => {
      const wide = (FIT_MARGIN * Math.abs(x - centre[0])) / (HALF_HEIGHT * this.aspect);
      const tall = (FIT_MARGIN * Math.abs(y - centre[1])) / HALF_HEIGHT;
      const near = z - centre[2];
      const inHeight = (tall + Math.max(near, near * (1 - 2 * covered))) / (1 - covered);
      distance = Math.max(distance, wide + near, inHeight);
    });
    centre[1] += distance * HALF_HEIGHT * covered; // look a little higher: the model moves down
    const target = [0, 1, 2].map((k) => axes.reduce((sum, axis, i) => sum + centre[i] * axis[k], 0)) as Vec3;
    return { ...stand, target, distance };
  }

  lookAt(target: Vec3, distance: number, direction: Vec3): Stand {
    return { ...standFrom(direction), target, distance: clamp(distance, this.#smallest, this.#largest) };
  }

  jump(to: Stand): void {
    this.#flight = undefined;
    this.#now = { ...to };
  }

  fly(to: Stand): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.jump(to);
      return;
    }
    const turns = Math.round((this.#now.yaw - to.yaw) / (2 * Math.PI)); // the short way round
    this.#flight = {
      from: { ...this.#now },
      to: { ...to, yaw: to.yaw + 2 * Math.PI * turns },
      start: performance.now(),
    };
  }

  /** Moves on along the flight. */
  advance(now: number): void {
    if (!this.#flight) return;
    const { from, to, start } = this.#flight;
    const share = Math.min(1, Math.max(0, now - start) / FLIGHT);
    const s = share * share * (3 - 2 * share);
    this.#now = {
      target: from.target.map((value, k) => value + s * (to.target[k] - value)) as Vec3,
      distance: from.distance * (to.distance / from.distance) ** s,
      yaw: from.yaw + s * (to.yaw - from.yaw),
      pitch: from.pitch + s * (to.pitch - from.pitch),
    };
    if (share === 1) this.#flight = undefined;
  }

  /** World to clip space, column-major. `radius`: of everything that may be seen, around `centre`. */
  matrix(centre: Vec3, radius: number): Float32Array {
    const [r, u, b] = this.axes;
    const eye = this.eye;
    const depth = dot(eye, b) - dot(centre, b);
    const far = Math.max(depth + radius, this.#now.distance * 2);
    const near = Math.max(depth - radius, far / 4000, this.#now.distance * 0.01);
    const sy = 1 / HALF_HEIGHT,
      sx = sy / this.aspect;
    const sz = (far + near) / (near - far),
      tz = (2 * far * near) / (near - far);
    const x = -dot(r, eye),
      y = -dot(u, eye),
      z = -dot(b, eye);
    return Float32Array.of(
      ...[sx * r[0], sy * u[0], sz * b[0], -b[0]],
      ...[sx * r[1], sy * u[1], sz * b[1], -b[1]],
      ...[sx * r[2], sy * u[2], sz * b[2], -b[2]],
      ...[sx * x, sy * y, sz * z + tz, -z],
    );
  }

  /** From the eye through a place on the screen, in −1…1 from the centre. */
  ray(x: number, y: number): Vec3 {
    const [r, u, b] = this.axes;
    const right = x * HALF_HEIGHT * this.aspect,
      up = y * HALF_HEIGHT;
    return [0, 1, 2].map((k) => right * r[k] + up * u[k] - b[k]) as Vec3;
  }

  #land(): void {
    this.#flight = undefined;
  }
}

function directionOf({ yaw, pitch }: Pick<Stand, 'yaw' | 'pitch'>): Vec3 {
  const level = Math.cos(pitch);
  return [level * Math.sin(yaw), Math.sin(pitch), level * Math.cos(yaw)];
}

function standFrom([x, y, z]: Vec3): Pick<Stand, 'yaw' | 'pitch'> {
  return { yaw: Math.atan2(x, z), pitch: clamp(Math.asin(clamp(y, -1, 1)), -STEEPEST, STEEPEST) };
}

function axesOf(stand: Stand): [Vec3, Vec3, Vec3] {
  const back = directionOf(stand);
  const right: Vec3 = [Math.cos(stand.yaw), 0, -Math.sin(stand.yaw)];
  const up: Vec3 = [
    back[1] * right[2] - back[2] * right[1],
    back[2] * right[0] - back[0] * right[2],
    back[0] * right[1] - back[1] * right[0],
  ];
  return [right, up, back];
}

function forEachPoint(points: Float32Array, axes: readonly Vec3[], visit: (place: Vec3) => void): void {
  const place: Vec3 = [0, 0, 0];
  for (let p = 0; p < points.length; p += 3) {
    for (let k = 0; k < 3; k++) {
      const axis = axes[k];
      place[k] = axis[0] * points[p] + axis[1] * points[p + 1] + axis[2] * points[p + 2];
    }
    visit(place);
  }
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
