import { InputError, type TaskPool } from 'pliant';
import {
  createShape,
  type Handle,
  type Pin,
  type RegionHandle,
  restoreShape,
  type Shape,
  type ShapeOptions,
  type ShapeState,
  type StepReport,
} from 'pliant/edit';
import { changeClusters, rotationLevelOf } from './clusters.ts';
import {
  type Clusters,
  type ControlInfo,
  type ControlKind,
  DEFAULT_RESOLUTION,
  DEFAULT_SETTINGS,
  type Edit,
  type EditorSettings,
  type Move,
} from './edits.ts';
import { innerOf } from './inner-shape.ts';
import { cageSourceOf, type EditedModel } from './model.ts';
import { checkObstacle, type Obstacle, ObstacleMaker } from './obstacles.ts';
import { Recorder, type Recording, Replay } from './recording.ts';
import type { SavedControl, Snapshot } from './snapshot.ts';
import { UndoStack } from './undo.ts';

export type { Snapshot } from './snapshot.ts';

export interface SessionOptions {
  /** About how many vertices the cage has. Default: 6000. */
  resolution?: number;
  clusters?: Clusters;
  settings?: EditorSettings;
  obstacles?: readonly Obstacle[];
  pool?: TaskPool;
  signal?: AbortSignal;
  onProgress?: (share: number) => void;
}

interface Control extends SavedControl {
  readonly face: Handle | Pin | RegionHandle;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
/** Steps with hardly any movement after which nothing more is expected; and steps after which it is not waited for. */
const QUIET_STEPS = 12;
const MOST_STEPS = 900;
const STILL = 2e-5; // of the size

/**
 * A model that is being edited: its shape, what holds it, what it is pushed against, and how it came to be. All changes
 * go through `edit`, so that they can be taken back, recorded and replayed.
 */
export class EditorSession {
  readonly model: EditedModel;
  readonly resolution: number;
  readonly undoStack = new UndoStack<Snapshot>();
  recording: Recording<Snapshot> | undefined;
  /** Poses that were kept: positions of all vertices of the model. */
  poses: Float32Array[] = [];
  readonly #pool: TaskPool | undefined;
  readonly #maker = new ObstacleMaker();
  #shape: Shape;
  #clusters: Clusters;
  #controls: Control[] = [];
  #obstacles: readonly Obstacle[];
  #settings: EditorSettings;
  #nextId = 1;
  #recorder: Recorder<Snapshot> | undefined;
  #replay: Replay | undefined;
  #quiet = 0;
  #steps = 0; // since the last edit

  /** Prepares a shape: seconds. Errors as for `createShape`. */
  static async create(model: EditedModel, options: SessionOptions = {}): Promise<EditorSession> {
    const { resolution = DEFAULT_RESOLUTION, clusters = 'auto', signal, onProgress, pool } = options;
    const { settings = DEFAULT_SETTINGS, obstacles = [] } = options;
    const { maxLevel, damping, self } = settings;
    const maker = new ObstacleMaker();
    const shapeOptions: ShapeOptions = {
      cage: { vertices: resolution },
      rotationLevel: rotationLevelOf(clusters),
      contact: { self, obstacles: obstacles.map((obstacle) => maker.create(obstacle)) },
      maxLevel,
      damping,
      signal,
      onProgress,
      pool,
    };
    const shape = await createShape(cageSourceOf(model), shapeOptions);
    return new EditorSession(model, shape, { ...options, resolution, clusters, settings, obstacles });
  }

  /** From what `Shape.serialize` gave; controls are those of `snapshot`. */
  static async restore(
    model: EditedModel,
    stored: Uint8Array,
    snapshot: Omit<Snapshot, 'shape'> & { readonly shape?: ShapeState },
    options: Pick<SessionOptions, 'resolution' | 'clusters' | 'pool'> & { fileName?: string },
  ): Promise<EditorSession> {
    for (const obstacle of snapshot.obstacles) checkObstacle(obstacle);
    const maker = new ObstacleMaker();
    const obstacles = snapshot.obstacles.map((obstacle) => maker.create(obstacle));
    const { pool, fileName } = options;
    const shape = await restoreShape(stored, { obstacles, pool, fileName });
    try {
      if (3 * shape.cage.surfaceVertex.length !== model.positions.length) {
        const what = fileName ?? 'this project';
        throw new InputError('mismatch', `${what} is stale: its shape was made from another model`);
      }
      const session = new EditorSession(model, shape, { ...options, ...snapshot });
      session.restore({ ...snapshot, shape: snapshot.shape ?? shape.state });
      return session;
    } catch (error) {
      shape.dispose();
      throw error;
    }
  }

  private constructor(model: EditedModel, shape: Shape, options: SessionOptions) {
    this.model = model;
    this.#shape = shape;
    this.resolution = options.resolution ?? DEFAULT_RESOLUTION;
    this.#clusters = options.clusters ?? 'auto';
    this.#settings = options.settings ?? DEFAULT_SETTINGS;
    this.#obstacles = options.obstacles ?? [];
    this.#pool = options.pool;
  }

  get shape(): Shape {
    return this.#shape;
  }

  get settings(): EditorSettings {
    return this.#settings;
  }

  get obstacles(): readonly Obstacle[] {
    return this.#obstacles;
  }

  get clusters(): Clusters {
    return this.#clusters;
  }

  get isRecording(): boolean {
    return this.#recorder !== undefined;
  }

  get replay(): Replay | undefined {
    return this.#replay;
  }

  get controls(): ControlInfo[] {
    return this.#controls.map(({ id, kind, face, centre, matrix }) => {
      if (kind !== 'handle') {
        const { vertices } = face as Pin;
        return kind === 'pin' ? { id, kind, vertices } : { id, kind, vertices, centre, matrix };
      }
      const { vertex, target, held } = face as Handle;
      return { id, kind, vertices: [vertex], target: [...target], held: [...held] };
    });
  }

  /** False while steps still change something. */
  get isAtRest(): boolean {
    return this.#replay === undefined && (this.#quiet >= QUIET_STEPS || this.#steps >= MOST_STEPS);
  }

  /** What follows is one thing to take back, however many edits it takes. Ends a replay. */
  begin(what: string): void {
    this.#replay = undefined;
    this.undoStack.push(what, this.snapshot());
  }

  /** One edit that is taken back by itself. Nothing is left of one that is refused. */
  do(what: string, edit: Edit): number | undefined {
    this.#replay = undefined;
    const before = this.snapshot();
    const id = this.edit(edit);
    this.undoStack.push(what, before);
    return id;
  }

  /** Changes something. The id of a control that was added. Errors as for the library's own functions. */
  edit(edit: Edit): number | undefined {
    const id = this.#apply(edit);
    this.#recorder?.add(edit);
    return id;
  }

  /** One step; in a replay with the edits that come before it. */
  step(): StepReport {
    if (this.#replay) {
      for (const edit of this.#replay.take()) this.#apply(edit);
      if (this.#replay.isOver) this.#replay = undefined;
    }
    const report = this.#shape.step();
    this.#recorder?.step();
    if (this.#recorder?.isFull) this.stopRecording();
    const isStill =
      report.movement <= STILL * this.#shape.cage.scale && !innerOf(this.#shape).solver.oracle.isFading;
    this.#quiet = isStill ? this.#quiet + 1 : 0;
    this.#steps++;
    return report;
  }

  undo(): boolean {
    return this.#go(this.undoStack.undo(this.snapshot()));
  }

  redo(): boolean {
    return this.#go(this.undoStack.redo(this.snapshot()));
  }

  /** Back to the model's own shape; handles go, obstacles stay. Ends a recording. */
  reset(): void {
    this.begin('reset');
    this.stopRecording();
    this.#shape.reset();
    this.#controls = [];
    this.#stir();
  }

  startRecording(): void {
    this.#replay = undefined;
    this.#nextId = this.#firstFreeId();
    this.#recorder = new Recorder(this.#startOfRecording());
  }

  stopRecording(): void {
    if (this.#recorder) this.recording = this.#recorder.finish();
    this.#recorder = undefined;
  }

  /** Plays the recording with the steps to come. False when there is none. */
  startReplay(): boolean {
    if (this.#recorder) this.stopRecording();
    if (this.recording === undefined) return false;
    this.begin('replay');
    this.restore(this.recording.start);
    this.#replay = new Replay(this.recording);
    return true;
  }

  /** Plays all of a recording at once from where the session is; `after` is told each step that is done. */
  playThrough(recording: Pick<Recording<Snapshot>, 'steps' | 'edits'>, after: (step: number) => void): void {
    const replay = new Replay(recording);
    while (!replay.isOver) {
      for (const edit of replay.take()) this.#apply(edit);
      this.#shape.step();
      after(replay.step);
    }
  }

  stopReplay(): void {
    this.#replay = undefined;
  }

  keepPose(): void {
    this.poses.push(Float32Array.from(this.#shape.positions));
  }

  snapshot(): Snapshot {
    return {
      shape: this.#shape.state,
      controls: this.#controls.map(({ face: _, ...saved }) => saved),
      obstacles: this.#obstacles,
      settings: this.#settings,
    };
  }

  restore({ shape: state, controls, obstacles, settings }: Snapshot): void {
    this.#useSettings(settings);
    this.#useObstacles(obstacles);
    this.#shape.restore(state);
    this.#adopt(controls);
    this.#stir();
  }

  /** Other clusters from now on; the shape stays as it is. Takes a moment. */
  async setClusters(clusters: Clusters): Promise<void> {
    const next = await changeClusters(this.#shape, clusters, {
      obstacles: this.#obstacles.map((obstacle) => this.#maker.create(obstacle)),
      pool: this.#pool,
    });
    this.#shape.dispose();
    this.#shape = next;
    this.#clusters = clusters;
    this.#adopt(this.#controls);
    this.#stir();
  }

  dispose(): void {
    this.#shape.dispose();
  }

  #go(entry: { value: Snapshot } | undefined): boolean {
    if (entry === undefined) return false;
    this.#replay = undefined;
    // What is taken back is not part of what was done: a recording ends with it.
    this.stopRecording();
    this.restore({ ...entry.value, settings: this.#settings });
    return true;
  }

  /** Contacts are found anew, so that a recording that was stored starts the same. */
  #startOfRecording(): Snapshot {
    const now = this.snapshot();
    const { groups, v } = now.shape.pose;
    return { ...now, shape: { ...now.shape, contacts: undefined, pose: { groups, v } } };
  }

  #apply(edit: Edit): number | undefined {
    this.#stir();
    switch (edit.do) {
      case 'add-handle':
        return this.#add('handle', this.#shape.addHandle(edit.vertex));
      case 'add-region':
        return edit.kind === 'pin'
          ? this.#add('pin', this.#shape.pin(edit.vertices))
          : this.#add('rigid', this.#shape.addRegionHandle(edit.vertices));
      case 'move':
        for (const move of edit.moves) this.#move(move);
        return undefined;
      case 'remove':
        for (const id of edit.ids) this.#find(id).face.remove();
        this.#controls = this.#controls.filter(({ id }) => !edit.ids.includes(id));
        return undefined;
      case 'obstacles':
        for (const obstacle of edit.obstacles) checkObstacle(obstacle);
        this.#useObstacles(edit.obstacles);
        return undefined;
      case 'settings':
        this.#useSettings(edit.settings);
        return undefined;
    }
  }

  #add(kind: ControlKind, face: Handle | Pin | RegionHandle): number {
    const id = this.#nextId++;
    const region = kind === 'rigid' ? { centre: this.#centreOf(face as Pin), matrix: IDENTITY } : {};
    this.#controls.push({ id, kind, shapeId: face.id, face, ...region });
    return id;
  }

  #move(move: Move): void {
    const control = this.#find(move.id);
    if ('target' in move && control.kind === 'handle') (control.face as Handle).moveTo(move.target);
    else if ('matrix' in move && control.kind === 'rigid') {
      (control.face as RegionHandle).moveTo(move.matrix);
      this.#controls = this.#controls.map((other) =>
        other === control ? { ...other, matrix: [...move.matrix] } : other,
      );
    } else throw new InputError('mismatch', `a ${control.kind} cannot be moved like this`);
  }

  #find(id: number): Control {
    const found = this.#controls.find((control) => control.id === id);
    if (found) return found;
    throw new InputError('disposed', 'this handle has been removed');
  }

  /** Controls of a state that the shape has been brought to. */
  #adopt(saved: readonly SavedControl[]): void {
    const { handles, pins, regions } = this.#shape;
    const faces = new Map([...handles, ...pins, ...regions].map((face) => [face.id, face]));
    this.#controls = saved.map(({ id, kind, shapeId, centre, matrix }) => {
      const face = faces.get(shapeId);
      if (!face) throw new InputError('mismatch', `control ${id} of this state is not one of the shape`);
      return { id, kind, shapeId, face, centre, matrix };
    });
    this.#nextId = this.#firstFreeId();
  }

  /** A recording and its replays begin with the same one, so that what they add has the same ids. */
  #firstFreeId(): number {
    return 1 + Math.max(0, ...this.#controls.map(({ id }) => id));
  }

  #useSettings(settings: EditorSettings): void {
    const { maxLevel, damping, self } = settings;
    this.#shape.settings = { maxLevel, damping };
    if (self !== this.#settings.self) this.#useContact(self, this.#obstacles);
    this.#settings = settings;
  }

  #useObstacles(obstacles: readonly Obstacle[]): void {
    if (obstacles !== this.#obstacles) {
      this.#shape.setObstacles(obstacles.map((obstacle) => this.#maker.create(obstacle)));
    }
    this.#obstacles = obstacles;
  }

  #useContact(self: boolean, obstacles: readonly Obstacle[]): void {
    this.#shape.setContact({ self, obstacles: obstacles.map((obstacle) => this.#maker.create(obstacle)) });
  }

  #centreOf({ vertices }: Pin): number[] {
    const { positions } = this.#shape;
    return [0, 1, 2].map((a) => vertices.reduce((sum, v) => sum + positions[3 * v + a], 0) / vertices.length);
  }

  #stir(): void {
    this.#quiet = this.#steps = 0;
  }
}
