import { InputError } from 'pliant';
import type { Handle, Pin, RegionHandle, Shape } from 'pliant/edit';
import type { ControlInfo, Move } from './edits.ts';
import type { SavedControl } from './snapshot.ts';

/** A control, and what the shape has handed out for it. */
type Control = SavedControl &
  (
    | { readonly kind: 'handle'; readonly face: Handle }
    | { readonly kind: 'pin'; readonly face: Pin }
    | { readonly kind: 'rigid'; readonly face: RegionHandle; centre: readonly number[]; matrix: number[] }
  );

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Where vertices are seen, three numbers each; they may be beside where the shape has them. */
export type Seen = () => Float64Array;

/** Handles, pins and regions of a session, by ids that last when the shape's own do not. Places are those that are seen. */
export class SessionControls {
  #shape: Shape;
  readonly #seen: Seen | undefined;
  #controls: Control[] = [];
  #nextId = 1;

  constructor(shape: Shape, seen?: Seen) {
    this.#shape = shape;
    this.#seen = seen;
  }

  get infos(): ControlInfo[] {
    const seen = this.#controls.some(({ kind }) => kind === 'handle') ? this.#seen?.() : undefined;
    return this.#controls.map((control) => {
      const { id, kind } = control;
      if (control.kind === 'handle') {
        const { vertex, target, held } = control.face;
        const beside = this.#besideOf(vertex, seen);
        const place = (at: readonly number[]) => at.map((x, a) => x + beside[a]);
        return { id, kind, vertices: [vertex], target: place(target), held: place(held) };
      }
      const { vertices } = control.face;
      if (control.kind === 'pin') return { id, kind, vertices, ...(control.isHold && { isHold: true }) };
      return { id, kind, vertices, centre: control.centre, matrix: control.matrix };
    });
  }

  save(): SavedControl[] {
    return this.#controls.map(({ face: _, ...saved }) => saved);
  }

  addHandle(vertex: number): number {
    const face = this.#shape.addHandle(vertex);
    return this.#add({ id: this.#nextId, kind: 'handle', shapeId: face.id, face });
  }

  addPin(vertices: readonly number[]): number {
    const face = this.#shape.pin(vertices);
    return this.#add({ id: this.#nextId, kind: 'pin', shapeId: face.id, face });
  }

  /** A pin that the shape has already, of what is far from contacts. */
  takeHold(face: Pin): number {
    return this.#add({ id: this.#nextId, kind: 'pin', shapeId: face.id, isHold: true, face });
  }

  addRegion(vertices: readonly number[]): number {
    const face = this.#shape.addRegionHandle(vertices);
    const centre = this.#centreOf(vertices);
    return this.#add({
      id: this.#nextId,
      kind: 'rigid',
      shapeId: face.id,
      face,
      centre,
      matrix: [...IDENTITY],
    });
  }

  move(move: Move): void {
    const control = this.#find(move.id);
    if ('target' in move && control.kind === 'handle') {
      const beside = this.#besideOf(control.face.vertex, this.#seen?.());
      control.face.moveTo(move.target.map((x, a) => x - beside[a]));
    } else if ('matrix' in move && control.kind === 'rigid') {
      control.face.moveTo(move.matrix);
      control.matrix = [...move.matrix];
    } else throw new InputError('mismatch', `a ${control.kind} cannot be moved like this`);
  }

  remove(ids: readonly number[]): void {
    const gone = ids.map((id) => this.#find(id)); // all are there before one goes
    for (const { face } of gone) face.remove();
    this.#controls = this.#controls.filter((control) => !gone.includes(control));
  }

  /** Those of a state that the shape, perhaps another one from now on, has been brought to. */
  adopt(shape: Shape, saved: readonly SavedControl[]): void {
    this.#shape = shape;
    const { handles, pins, regions } = shape;
    const faces = new Map([...handles, ...pins, ...regions].map((face) => [face.id, face]));
    this.#controls = saved.map((control) => {
      const face = faces.get(control.shapeId);
      if (face) return { ...control, face } as Control;
      throw new InputError('mismatch', `control ${control.id} of this state is not one of the shape`);
    });
    this.renumber();
  }

  /** A recording and its replays begin with the same next id, so that what they add has the same ids. */
  renumber(): void {
    this.#nextId = 1 + Math.max(0, ...this.#controls.map(({ id }) => id));
  }

  #add(control: Control): number {
    this.#controls.push(control);
    return this.#nextId++;
  }

  #find(id: number): Control {
    const found = this.#controls.find((control) => control.id === id);
    if (found) return found;
    throw new InputError('disposed', 'this handle has been removed');
  }

  /** From where the shape has a vertex to where it is seen. */
  #besideOf(vertex: number, seen: Float64Array | undefined): number[] {
    const { positions } = this.#shape;
    return [0, 1, 2].map((a) => (seen ? seen[3 * vertex + a] - positions[3 * vertex + a] : 0));
  }

  #centreOf(vertices: readonly number[]): number[] {
    const positions = this.#seen?.() ?? this.#shape.positions;
    return [0, 1, 2].map((a) => vertices.reduce((sum, v) => sum + positions[3 * v + a], 0) / vertices.length);
  }
}
