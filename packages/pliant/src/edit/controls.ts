import { checkArray, checkNumbers, describe, type NumberArray } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { checkReach, checkRotation } from './check-targets.ts';
import type { SoftRows } from './reduced/reduced-system.ts';
import { type Cage, NO_VERTEX } from './types.ts';

/** Springs of a pinned vertex, and of one in a region that is moved, in units of the shape's own stiffness. */
const PIN_STIFFNESS = 1;
const REGION_STIFFNESS = 10;
/** A handle that goes by less than this share of its speed rests. */
const STILL = 1e-3;
/** What counts as coming nearer to a goal, of the same: less is sliding around something that is in the way. */
const PROGRESS = 0.05;
/** How fast what counts as recent follows: about as many steps back as this is small. */
const RECENT = 0.2;

/** A vertex of the surface that goes where it is told. */
export interface Handle {
  readonly id: number;
  /** Of the surface that was given. */
  readonly vertex: number;
  /** Where it was told to go, in the coordinates of that surface. */
  readonly target: readonly number[];
  /** Where the next step will put it: it moves by a limited way per step, and is pushed out of obstacles. */
  readonly held: readonly number[];
  moveTo(target: NumberArray): void;
  remove(): void;
}

/** Vertices that stay where they were when it was made, held by springs. */
export interface Pin {
  readonly id: number;
  readonly vertices: readonly number[];
  remove(): void;
}

/** Vertices that move together as if they were rigid, held by stiff springs. */
export interface RegionHandle extends Pin {
  /** Rotation and translation, row-major 3×4, of where the vertices were when it was made. */
  moveTo(matrix: NumberArray): void;
}

/** A handle, a pin or a region as a value. In coordinates of the cage. */
export interface ControlState {
  readonly id: number;
  readonly kind: 'handle' | 'pin' | 'region';
  readonly vertices: readonly number[]; // as given
  readonly origin: readonly number[]; // where they were when it was made
  readonly goal: readonly number[];
  readonly held: readonly number[];
}

interface Control {
  id: number;
  kind: 'handle' | 'pin' | 'region';
  vertices: number[];
  surface: number[]; // vertices of the cage's surface
  origin: Float64Array;
  goal: Float64Array;
  held: Float64Array;
  good: Float64Array; // where it was held when nothing was deep in anything, some steps ago
  isBlocked: boolean; // it has had to go back, and waits for another goal
  nearest: number; // how near to the goal a handle has been; of all, Infinity when the goal is new
  /** What the user holds. */
  face: Handle | Pin | RegionHandle;
}

/** Handles, pins and regions of a shape, and the rows they make. */
export class Controls {
  /** What `setRows` of a solver wants to know: up to date after `collectRows`. */
  hard = new Uint32Array(0);
  soft: SoftRows = { vertices: new Uint32Array(0), stiffness: new Float64Array(0) };
  targets = new Float64Array(0);
  softTargets = new Float64Array(0);
  /** Whether something came nearer to its goal than ever when targets were last moved. */
  hasProgress = false;
  readonly #cage: Cage;
  readonly #positions: () => Float64Array; // of the surface, now
  #list: Control[] = [];
  #nextId = 1;
  #hasNewRows = true;

  constructor(cage: Cage, positions: () => Float64Array) {
    this.#cage = cage;
    this.#positions = positions;
  }

  get handles(): Handle[] {
    return this.#ofKind<Handle>('handle');
  }

  get pins(): Pin[] {
    return this.#ofKind<Pin>('pin');
  }

  get regions(): RegionHandle[] {
    return this.#ofKind<RegionHandle>('region');
  }

  addHandle(vertex: number): Handle {
    const surface = this.#surfaceVertex('a handle', vertex);
    const other = this.#list.find((c) => c.kind === 'handle' && c.surface[0] === surface);
    if (other) {
      throw new InputError(
        'mismatch',
        `vertex ${vertex} has a handle already${other.vertices[0] === vertex ? '' : ` at ${other.vertices[0]}, which is in the same place`}`,
      );
    }
    return this.#add('handle', [vertex], [surface]).face as Handle;
  }

  addPin(vertices: NumberArray): Pin {
    return this.#add('pin', ...this.#surfaceVertices('a pin', vertices)).face as Pin;
  }

  addRegion(vertices: NumberArray): RegionHandle {
    return this.#add('region', ...this.#surfaceVertices('a region', vertices)).face as RegionHandle;
  }

  /** Brings the rows up to date; true when some came or went since the last time. */
  collectRows(): boolean {
    if (!this.#hasNewRows) return false;
    this.#hasNewRows = false;
    const handles = this.#list.filter(({ kind }) => kind === 'handle');
    const others = this.#list.filter(({ kind }) => kind !== 'handle');
    this.hard = Uint32Array.from(handles, ({ surface }) => surface[0]);
    this.soft = {
      vertices: Uint32Array.from(others.flatMap(({ surface }) => surface)),
      stiffness: Float64Array.from(
        others.flatMap(({ surface, kind }) =>
          surface.map(() => (kind === 'pin' ? PIN_STIFFNESS : REGION_STIFFNESS)),
        ),
      ),
    };
    this.targets = new Float64Array(3 * this.hard.length);
    this.softTargets = new Float64Array(3 * this.soft.vertices.length);
    return true;
  }

  /**
   * Moves all targets: on towards their goals, back to where they were when all was well, or not at all. `pushOut` may
   * then move targets of handles. True when one has moved.
   */
  advance(
    direction: 'on' | 'wait' | 'back',
    speed: number,
    pushOut: (vertex: number, target: Float64Array) => void,
  ): boolean {
    let hasMoved = false,
      hard = 0,
      soft = 0;
    this.hasProgress = false;
    for (const control of this.#list) {
      const { held, kind } = control;
      if (kind === 'handle') {
        const target = this.targets.subarray(3 * hard, 3 * hard + 3);
        target.set(held);
        this.#move(control, direction, speed);
        pushOut(control.surface[0], held);
        if (distance(target, held) > STILL * speed) hasMoved = true; // what is pushed back has not moved
        const left = distance(control.goal, held);
        if (left < control.nearest - PROGRESS * speed) {
          control.nearest = left;
          this.hasProgress = true;
        }
        target.set(held);
        hard++;
      } else {
        if (this.#move(control, direction, speed)) hasMoved = this.hasProgress = true;
        if (control.nearest === Infinity) this.hasProgress = true;
        control.nearest = 0;
        this.softTargets.set(held, 3 * soft);
        soft += control.surface.length;
      }
    }
    return hasMoved;
  }

  #move(control: Control, direction: 'on' | 'wait' | 'back', speed: number): boolean {
    const { goal, held, good } = control;
    let hasMoved = false;
    if (direction === 'on') {
      for (let k = 0; k < good.length; k++) good[k] += RECENT * (held[k] - good[k]);
      if (control.isBlocked) return false;
      for (let o = 0; o < goal.length; o += 3) if (approach(held, goal, o, speed)) hasMoved = true;
    } else if (direction === 'back') {
      for (let o = 0; o < goal.length; o += 3) if (approach(held, good, o, speed)) hasMoved = true;
      control.isBlocked = hasMoved || control.isBlocked;
    }
    return hasMoved;
  }

  /** Where everything is held, to go back to. */
  saveHeld(): Float64Array[] {
    return this.#list.map(({ held }) => held.slice());
  }

  /** Nothing when handles came or went since. */
  restoreHeld(saved: readonly Float64Array[]): void {
    if (saved.some((held, k) => held.length !== this.#list[k]?.held.length)) return;
    saved.forEach((held, k) => {
      this.#list[k].held.set(held);
    });
  }

  save(): ControlState[] {
    return this.#list.map(({ id, kind, vertices, origin, goal, held }) => ({
      id,
      kind,
      vertices: [...vertices],
      origin: [...origin],
      goal: [...goal],
      held: [...held],
    }));
  }

  /** Handles that are still there go back to what they were; others are made or removed. */
  restore(states: readonly ControlState[]): void {
    this.#list = states.map((state) => {
      for (const points of [state.origin, state.goal, state.held]) {
        checkNumbers('a place of a handle', points, 3 * state.vertices.length);
      }
      const surface = state.vertices.map((vertex) => this.#surfaceVertex('a handle', vertex));
      const control =
        this.#list.find(({ id, kind }) => id === state.id && kind === state.kind) ??
        this.#create(state.kind, [...state.vertices], surface, state.id);
      control.origin = Float64Array.from(state.origin);
      control.goal = Float64Array.from(state.goal);
      control.held = Float64Array.from(state.held);
      control.good = control.held.slice();
      control.isBlocked = false;
      control.nearest = distance(control.goal, control.held);
      this.#nextId = Math.max(this.#nextId, state.id + 1);
      return control;
    });
    this.#hasNewRows = true;
  }

  #ofKind<T>(kind: Control['kind']): T[] {
    return this.#list.filter((control) => control.kind === kind).map(({ face }) => face as T);
  }

  #add(kind: Control['kind'], vertices: number[], surface: number[]): Control {
    const control = this.#create(kind, vertices, surface, this.#nextId++);
    this.#list.push(control);
    this.#hasNewRows = true;
    return control;
  }

  #create(kind: Control['kind'], vertices: number[], surface: number[], id: number): Control {
    const positions = this.#positions();
    const origin = new Float64Array(3 * surface.length);
    surface.forEach((v, k) => {
      origin.set(positions.subarray(3 * v, 3 * v + 3), 3 * k);
    });
    const control = {
      id,
      kind,
      vertices,
      surface,
      origin,
      goal: origin.slice(),
      held: origin.slice(),
      good: origin.slice(),
      isBlocked: false,
      nearest: 0,
    };
    return Object.assign(control, { face: this.#createFace(control) });
  }

  #createFace(control: Omit<Control, 'face'>): Handle | Pin | RegionHandle {
    const { id, kind, vertices } = control;
    const remove = () => {
      if (!this.#list.some((other) => other.id === id)) return;
      this.#list = this.#list.filter((other) => other.id !== id);
      this.#hasNewRows = true;
    };
    const world = (p: Float64Array) => this.#toWorld(p);
    if (kind === 'handle') {
      return {
        id,
        vertex: vertices[0],
        get target() {
          return world(control.goal);
        },
        get held() {
          return world(control.held);
        },
        moveTo: (target) => this.#moveHandle(control, target),
        remove,
      };
    }
    if (kind === 'pin') return { id, vertices, remove };
    return { id, vertices, remove, moveTo: (matrix) => this.#moveRegion(control, matrix) };
  }

  #moveHandle(control: Omit<Control, 'face'>, target: NumberArray): void {
    const { id, goal } = control;
    this.#checkPresent(id);
    checkNumbers('target', target, 3);
    const { centre, scale } = this.#cage;
    const next = Float64Array.from(target, (x, k) => (x - centre[k]) / scale);
    checkReach(next);
    goal.set(next);
    control.isBlocked = false;
    control.nearest = Infinity;
  }

  #moveRegion(control: Omit<Control, 'face'>, matrix: NumberArray): void {
    const { id, origin, goal } = control;
    this.#checkPresent(id);
    checkNumbers('matrix', matrix, 12);
    checkRotation(matrix);
    const { centre, scale } = this.#cage;
    const next = new Float64Array(goal.length);
    for (let o = 0; o < goal.length; o += 3) {
      for (let a = 0; a < 3; a++) {
        let x = matrix[4 * a + 3];
        for (let b = 0; b < 3; b++) x += matrix[4 * a + b] * (centre[b] + scale * origin[o + b]);
        next[o + a] = (x - centre[a]) / scale;
      }
    }
    checkReach(next);
    goal.set(next);
    control.isBlocked = false;
    control.nearest = Infinity;
  }

  #toWorld(point: Float64Array): number[] {
    const { centre, scale } = this.#cage;
    return Array.from(point, (x, k) => centre[k] + scale * x);
  }

  #checkPresent(id: number): void {
    if (this.#list.some((control) => control.id === id)) return;
    throw new InputError('disposed', 'this handle has been removed');
  }

  #surfaceVertices(what: string, vertices: NumberArray): [number[], number[]] {
    checkArray('vertices', vertices);
    if (vertices.length === 0) throw new InputError('empty', `${what} needs at least one vertex`);
    const given = Array.from(vertices);
    const surface = given.map((vertex) => this.#surfaceVertex(what, vertex));
    const first = new Map<number, number>(); // vertices in one place are one
    surface.forEach((v, k) => {
      if (!first.has(v)) first.set(v, given[k]);
    });
    return [[...first.values()], [...first.keys()]];
  }

  #surfaceVertex(what: string, vertex: number): number {
    const { surfaceVertex } = this.#cage;
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < surfaceVertex.length)) {
      const shown = typeof vertex === 'number' ? String(vertex) : describe(vertex);
      throw new InputError(
        'index-out-of-range',
        `${what} cannot be at vertex ${shown}: there are ${surfaceVertex.length}`,
      );
    }
    if (surfaceVertex[vertex] !== NO_VERTEX) return surfaceVertex[vertex];
    throw new InputError('mismatch', `${what} cannot be at vertex ${vertex}: it is inside of the solid`);
  }
}

/** Moves a point towards a goal; false when it was there. */
function approach(held: Float64Array, goal: Float64Array, o: number, speed: number): boolean {
  const x = goal[o] - held[o],
    y = goal[o + 1] - held[o + 1],
    z = goal[o + 2] - held[o + 2];
  const way = Math.sqrt(x * x + y * y + z * z);
  if (way === 0) return false;
  if (way <= speed) held.set(goal.subarray(o, o + 3), o);
  else {
    held[o] += (x / way) * speed;
    held[o + 1] += (y / way) * speed;
    held[o + 2] += (z / way) * speed;
  }
  return true;
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
