import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Move } from './engine/edits.ts';
import type { Command, EditorFrame, EditorState, ShownControl, ShownObstacle } from './engine/protocol.ts';
import { type EditorView, placeOf } from './view/editor-view.ts';
import { matrixOf, numbersOf } from './view/obstacle-meshes.ts';

/** What is chosen, and how it is moved: by the gizmo, freely, or by keys. Moves are sent once per picture. */
export class Gestures {
  readonly chosen = new Set<number>();
  chosenObstacle: number | undefined;
  readonly #view: EditorView;
  readonly #send: (command: Command) => void;
  readonly #changed: () => void;
  #controls: readonly ShownControl[] = [];
  #obstacles: readonly ShownObstacle[] = [];
  /** Places and matrices that were sent, or will be, until frames show them. */
  readonly #moved = new Map<number, { place: Vector3; matrix?: Matrix4 }>();
  readonly #unsent = new Set<number>();
  #obstacleMatrix: Matrix4 | undefined; // of the chosen one, while it is moved
  #isObstacleUnsent = false;
  #start:
    | { controls: Map<number, { place: Vector3; matrix?: Matrix4 }>; held: Matrix4; obstacle?: Matrix4 }
    | undefined;

  constructor(view: EditorView, send: (command: Command) => void, changed: () => void) {
    this.#view = view;
    this.#send = send;
    this.#changed = changed;
    view.gizmo.addEventListener('mouseDown', () => this.begin('drag'));
    view.gizmo.addEventListener('objectChange', () => this.#followGizmo());
    view.gizmo.addEventListener('mouseUp', () => this.end());
  }

  /** Where a control is drawn: where it has been put by hand, else where the worker says. */
  readonly placeOf = (control: ShownControl): Vector3 =>
    this.#moved.get(control.id)?.place ?? placeOf(control);

  takeFrame({ controls }: EditorFrame): void {
    // What was just added may be chosen before a frame shows it.
    for (const { id } of this.#controls) {
      if (!controls.some((control) => control.id === id)) this.chosen.delete(id);
    }
    this.#controls = controls;
    if (this.#start === undefined && this.#unsent.size === 0) this.#moved.clear();
    if (this.#start === undefined) this.placeGizmo();
  }

  takeState({ obstacles }: EditorState): void {
    this.#obstacles = obstacles;
    if (!obstacles.some(({ id }) => id === this.chosenObstacle)) this.chosenObstacle = undefined;
    if (this.#start === undefined) {
      this.#obstacleMatrix = undefined;
      this.placeGizmo();
    }
  }

  get controls(): readonly ShownControl[] {
    return this.#controls;
  }

  forget(): void {
    this.chosen.clear();
    this.chosenObstacle = undefined;
    this.#controls = this.#obstacles = [];
    this.#moved.clear();
    this.#unsent.clear();
    this.#start = undefined;
    this.placeGizmo();
  }

  choose(id: number | undefined, isMore = false): void {
    if (!isMore) this.chosen.clear();
    this.chosenObstacle = undefined;
    if (id !== undefined) {
      if (isMore && this.chosen.has(id)) this.chosen.delete(id);
      else this.chosen.add(id);
    }
    this.#show();
  }

  chooseAll(): void {
    for (const { id, kind } of this.#controls) if (kind !== 'pin') this.chosen.add(id);
    this.chosenObstacle = undefined;
    this.#show();
  }

  chooseObstacle(id: number | undefined): void {
    this.chosen.clear();
    this.chosenObstacle = id;
    this.#show();
  }

  /** The next or the one before, in the order in which they were added. */
  chooseNext(by: number): void {
    const ids = this.#controls.map(({ id }) => id);
    if (ids.length === 0) return;
    const at = ids.indexOf([...this.chosen].at(-1) ?? -1);
    this.choose(ids[(at + by + ids.length) % ids.length]);
  }

  /** A gesture begins: it is taken back as one. */
  begin(what: string): void {
    const controls = new Map(
      this.#movable.map((control) => [
        control.id,
        { place: this.placeOf(control).clone(), matrix: control.matrix && matrixOf(control.matrix) },
      ]),
    );
    this.#view.held.updateMatrix();
    const obstacle = this.#obstacles.find(({ id }) => id === this.chosenObstacle);
    this.#start = {
      controls,
      held: this.#view.held.matrix.clone(),
      obstacle: obstacle && matrixOf(obstacle.matrix),
    };
    this.#send({ type: 'begin', what: obstacle ? 'move obstacle' : what });
  }

  /** Everything chosen goes along by the same way, from where it was when the gesture began. */
  shift(by: Vector3): void {
    if (this.#start === undefined) return;
    this.#apply(new Matrix4().makeTranslation(by));
    this.placeGizmo();
  }

  end(): void {
    this.flush();
    this.#start = undefined;
  }

  /** A single step, by a key. */
  nudge(by: Vector3): void {
    if (this.chosen.size === 0 && this.chosenObstacle === undefined) return;
    this.begin('nudge');
    this.shift(by);
    this.end();
  }

  remove(): void {
    if (this.chosenObstacle !== undefined) this.#send({ type: 'remove-obstacle', id: this.chosenObstacle });
    else if (this.chosen.size > 0) this.#send({ type: 'remove', ids: [...this.chosen] });
    this.choose(undefined);
  }

  /** Sends what was moved since the last time. */
  flush(): void {
    if (this.#unsent.size > 0) {
      const moves = [...this.#unsent].map((id): Move => {
        const { place, matrix } = this.#moved.get(id)!;
        return matrix ? { id, matrix: numbersOf(matrix) } : { id, target: place.toArray() };
      });
      this.#unsent.clear();
      this.#send({ type: 'move', moves });
    }
    if (this.#isObstacleUnsent && this.chosenObstacle !== undefined && this.#obstacleMatrix) {
      this.#isObstacleUnsent = false;
      this.#send({ type: 'move-obstacle', id: this.chosenObstacle, matrix: numbersOf(this.#obstacleMatrix) });
    }
  }

  /** The gizmo stands in the middle of what is chosen. */
  placeGizmo(): void {
    const obstacle = this.#obstacles.find(({ id }) => id === this.chosenObstacle);
    if (obstacle) {
      const [place, turn] = [new Vector3(), new Quaternion()];
      (this.#obstacleMatrix ?? matrixOf(obstacle.matrix)).decompose(place, turn, new Vector3());
      this.#view.holdAt(place, turn);
      return;
    }
    const places = this.#movable.map(this.placeOf);
    if (places.length === 0) {
      this.#view.holdAt(undefined);
      return;
    }
    const middle = places.reduce((sum, place) => sum.add(place), new Vector3());
    this.#view.holdAt(middle.divideScalar(places.length));
  }

  get #movable(): ShownControl[] {
    return this.#controls.filter(({ id, kind }) => kind !== 'pin' && this.chosen.has(id));
  }

  #followGizmo(): void {
    if (this.#start === undefined) return;
    this.#view.held.updateMatrix();
    this.#apply(this.#view.held.matrix.clone().multiply(this.#start.held.clone().invert()));
  }

  /** Moves what is chosen by a rotation and translation of space. */
  #apply(motion: Matrix4): void {
    const { controls, obstacle } = this.#start!;
    for (const [id, { place, matrix }] of controls) {
      const next = place.clone().applyMatrix4(motion);
      this.#moved.set(id, { place: next, matrix: matrix && motion.clone().multiply(matrix) });
      this.#unsent.add(id);
    }
    if (obstacle && this.chosenObstacle !== undefined) {
      this.#obstacleMatrix = motion.clone().multiply(obstacle);
      this.#isObstacleUnsent = true;
      this.#view.placeObstacle(this.chosenObstacle, this.#obstacleMatrix);
    }
    this.#view.showControls(this.#controls, this.placeOf);
  }

  #show(): void {
    this.#view.showChosen(this.chosen);
    this.placeGizmo();
    this.#changed();
  }
}
