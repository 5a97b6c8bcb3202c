import { InputError, type TaskPool } from 'pliant';
import {
  type CorrectionReport,
  createShape,
  restoreShape,
  type Shape,
  type ShapeOptions,
  type ShapeState,
  type StepReport,
} from 'pliant/edit';
import { changeClusters, rotationLevelOf } from './clusters.ts';
import type { CorrectedPose } from './correct/prepare-correction.ts';
import {
  type Clusters,
  type ControlInfo,
  DEFAULT_RESOLUTION,
  DEFAULT_SETTINGS,
  type Edit,
  type EditorSettings,
} from './edits.ts';
import { innerOf } from './inner-shape.ts';
import { cageSourceOf, type EditedModel } from './model.ts';
import { checkObstacle, type Obstacle, shapeObstacleOf } from './obstacles.ts';
import { Recorder, type Recording, Replay } from './recording.ts';
import { SessionControls } from './session-controls.ts';
import type { Snapshot } from './snapshot.ts';
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
  /** What it is a correction of; undefined for a shape of its own. */
  readonly corrected: CorrectedPose | undefined;
  /** How a correction was when it had been prepared. */
  readonly first: Snapshot | undefined;
  readonly undoStack = new UndoStack<Snapshot>();
  recording: Recording<Snapshot> | undefined;
  /** Poses that were kept: positions of all vertices of the model. */
  poses: Float32Array[] = [];
  /** What was found when a shape at rest was measured, until the next step. */
  measured: { depth: number; crossingPairs: number } | undefined;
  readonly #pool: TaskPool | undefined;
  readonly #controls: SessionControls;
  #shape: Shape;
  #clusters: Clusters;
  #obstacles: readonly Obstacle[];
  #settings: EditorSettings;
  #recorder: Recorder<Snapshot> | undefined;
  #replay: Replay | undefined;
  #quiet = 0;
  #steps = 0; // since the last edit

  /** Prepares a shape: seconds. Errors as for `createShape`. */
  static async create(model: EditedModel, options: SessionOptions = {}): Promise<EditorSession> {
    const { resolution = DEFAULT_RESOLUTION, clusters = 'auto', signal, onProgress, pool } = options;
    const { settings = DEFAULT_SETTINGS, obstacles = [] } = options;
    const { maxLevel, damping, self } = settings;
    const shapeOptions: ShapeOptions = {
      cage: { vertices: resolution },
      rotationLevel: rotationLevelOf(clusters),
      contact: { self, obstacles: obstacles.map(shapeObstacleOf) },
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
    const obstacles = snapshot.obstacles.map(shapeObstacleOf);
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

  /** A pose whose contacts are to go. It rests until something is done. */
  static correct(
    corrected: CorrectedPose,
    model: EditedModel,
    options: Pick<SessionOptions, 'resolution' | 'pool'>,
  ): EditorSession {
    return new EditorSession(model, corrected.correction.shape!, options, corrected);
  }

  private constructor(model: EditedModel, shape: Shape, options: SessionOptions, corrected?: CorrectedPose) {
    this.model = model;
    this.corrected = corrected;
    this.#shape = shape;
    this.#controls = new SessionControls(shape, corrected && (() => this.positions));
    this.resolution = options.resolution ?? DEFAULT_RESOLUTION;
    this.#clusters = options.clusters ?? 'auto';
    this.#settings = options.settings ?? DEFAULT_SETTINGS;
    this.#obstacles = options.obstacles ?? [];
    this.#pool = options.pool;
    if (corrected === undefined) return;
    if (corrected.correction.hold) this.#controls.takeHold(corrected.correction.hold);
    this.first = this.snapshot();
    this.#rest();
  }

  get shape(): Shape {
    return this.#shape;
  }

  /** Three numbers per vertex of the model: of a correction, as they will be in its file. */
  get positions(): Float64Array {
    return this.corrected?.correction.positions ?? this.#shape.positions;
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
    return this.#controls.infos;
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
    this.measured = undefined;
    const report = this.#shape.step();
    this.#recorder?.step();
    if (this.#recorder?.isFull) this.stopRecording();
    const isStill =
      report.movement <= STILL * this.#shape.cage.scale && !innerOf(this.#shape).solver.oracle.isFading;
    this.#quiet = isStill ? this.#quiet + 1 : 0;
    this.#steps++;
    return report;
  }

  /** Lets a correction come apart, which can be taken back. Stopped by the signal it keeps what it has done. */
  async resolve(options: {
    signal?: AbortSignal;
    onProgress?: (share: number) => void;
  }): Promise<CorrectionReport> {
    if (this.corrected === undefined) throw new InputError('unsupported', 'this shape is not a correction');
    this.begin('resolve');
    try {
      return await this.corrected.correction.resolve(options);
    } finally {
      this.#rest();
    }
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
    if (this.first) {
      this.restore({ ...this.first, obstacles: this.#obstacles, settings: this.#settings });
      return;
    }
    this.measured = undefined;
    this.#shape.reset();
    this.#controls.adopt(this.#shape, []);
    this.#stir();
  }

  /** Errors: 'unsupported' for a correction, of which only the result is kept. */
  startRecording(): void {
    this.#refuse('recorded');
    this.#replay = undefined;
    this.#controls.renumber();
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
    this.#refuse('kept in poses');
    this.poses.push(Float32Array.from(this.positions));
  }

  snapshot(): Snapshot {
    const { shape = this.#shape.state, eased } = this.corrected?.correction.state ?? {};
    return {
      shape,
      controls: this.#controls.save(),
      obstacles: this.#obstacles,
      settings: this.#settings,
      ...(eased && { eased }),
    };
  }

  restore({ shape: state, controls, obstacles, settings, eased }: Snapshot): void {
    this.measured = undefined;
    this.#useSettings(settings);
    this.#useObstacles(obstacles);
    if (this.corrected && eased) this.corrected.correction.restore({ shape: state, eased });
    else this.#shape.restore(state);
    this.#controls.adopt(this.#shape, controls);
    if (this.corrected) this.#rest();
    else this.#stir();
  }

  /** Other clusters from now on; the shape stays as it is. Takes a moment. */
  async setClusters(clusters: Clusters): Promise<void> {
    this.#refuse('given other clusters');
    const next = await changeClusters(this.#shape, clusters, {
      obstacles: this.#obstacles.map(shapeObstacleOf),
      pool: this.#pool,
    });
    this.#shape.dispose();
    this.measured = undefined;
    this.#shape = next;
    this.#clusters = clusters;
    this.#controls.adopt(next, this.#controls.save());
    this.#stir();
  }

  dispose(): void {
    if (this.corrected) this.corrected.correction.dispose();
    else this.#shape.dispose();
  }

  #refuse(what: string): void {
    if (this.corrected) throw new InputError('unsupported', `a correction cannot be ${what}`);
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
        return this.#controls.addHandle(edit.vertex);
      case 'add-region':
        return edit.kind === 'pin'
          ? this.#controls.addPin(edit.vertices)
          : this.#controls.addRegion(edit.vertices);
      case 'move':
        for (const move of edit.moves) this.#controls.move(move);
        return undefined;
      case 'remove':
        this.#controls.remove(edit.ids);
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

  #useSettings(settings: EditorSettings): void {
    const { maxLevel, damping, self } = settings;
    this.#shape.settings = { maxLevel, damping };
    if (self !== this.#settings.self) {
      this.#shape.setContact({ self, obstacles: this.#obstacles.map(shapeObstacleOf) });
    }
    this.#settings = settings;
  }

  #useObstacles(obstacles: readonly Obstacle[]): void {
    if (obstacles !== this.#obstacles) {
      this.#shape.setObstacles(obstacles.map(shapeObstacleOf));
    }
    this.#obstacles = obstacles;
  }

  #stir(): void {
    this.#quiet = this.#steps = 0;
  }

  /** Nothing moves until something is done. */
  #rest(): void {
    this.#quiet = QUIET_STEPS;
  }
}
