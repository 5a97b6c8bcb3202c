import { createTaskPool, InputError, type TaskPool } from 'pliant';
import type { StepReport } from 'pliant/edit';
import { Autosave } from './autosave.ts';
import type { Edit } from './edits.ts';
import { exportShape } from './exports.ts';
import { measureFull } from './full-method.ts';
import { contactsOf, manipulatorsOf } from './marks.ts';
import { readModel } from './model.ts';
import { type OpenCommand, type OpenedSession, openSession } from './open-session.ts';
import { pickRegion, pickVertex } from './pick.ts';
import { Picture, type PictureBuffers } from './picture.ts';
import { placeObstacle } from './place-obstacle.ts';
import { writeProject } from './project.ts';
import type { Answer, Command } from './protocol.ts';
import { describeModel, describeState, figuresOf, MeshKeys, shownControls } from './replies.ts';
import type { EditorSession } from './session.ts';
import type { VisitStore } from './store.ts';

const BUFFERS = 3; // one is shown, one is on its way, one is written
const SHORTEST_STEP = 8; // milliseconds from one step to the next

interface Open {
  readonly session: EditorSession;
  readonly picture: Picture;
  readonly ticket: number;
  readonly example?: string;
}

export interface EditorHostOptions {
  /** Where projects are kept between visits. Default: nowhere. */
  store?: VisitStore;
  /** Workers for long preparations, at most so many. Default: none. */
  threads?: number;
}

/**
 * Owns the session: obeys commands, steps as long as something moves, and sends pictures as fast as they are taken.
 * Lives in a worker; nothing in here needs a page.
 */
export class EditorHost {
  readonly #reply: (answer: Answer) => void;
  readonly #autosave: Autosave | undefined;
  readonly #store: VisitStore | undefined;
  readonly #threads: number;
  readonly #keys = new MeshKeys();
  #pool: Promise<TaskPool | undefined> | undefined;
  #open: Open | undefined;
  #spare: PictureBuffers[] = [];
  #opening: AbortController | undefined;
  #ticket = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDirty = false; // something is to be shown
  #isBusy = false; // something takes longer than a step
  #steps: number[] = [];
  #report: StepReport | undefined;

  constructor(reply: (answer: Answer) => void, { store, threads = 0 }: EditorHostOptions = {}) {
    this.#reply = reply;
    this.#store = store;
    this.#threads = threads;
    const complain = (message: string) =>
      reply({ type: 'notice', title: 'This is not kept for the next visit', text: message });
    this.#autosave = store && new Autosave(store, complain);
  }

  /** Settled when the command has been obeyed; failures are answers. */
  async handle(command: Command): Promise<void> {
    try {
      await this.#obey(command);
    } catch (error) {
      if ((error as Error)?.name === 'AbortError') return;
      const message = error instanceof Error ? error.message : String(error);
      const isExpected = error instanceof Error && error.name === 'InputError';
      this.#reply({ type: 'failed', what: command.type, message: message.slice(0, 500), isExpected });
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#autosave?.stop();
    this.#opening?.abort();
    this.#open?.session.dispose();
    this.#open = undefined;
    void this.#pool?.then((pool) => pool?.dispose());
  }

  /** What is edited; undefined until something is open. */
  get session(): EditorSession | undefined {
    return this.#open?.session;
  }

  async #obey(command: Command): Promise<void> {
    switch (command.type) {
      case 'open-example':
      case 'open-files':
      case 'open-project':
      case 'open-last':
      case 'prepare':
        return this.#openFor(command);
      case 'cancel':
        this.#opening?.abort();
        return this.#reply({ type: 'cancelled' });
      case 'spare':
        if (command.ticket === this.#open?.ticket) this.#spare.push(command.buffers);
        return this.#wake();
      case 'measure-full':
        return this.#busy(async ({ session }) => {
          this.#reply({ type: 'full', times: await measureFull(session) });
        });
      case 'clusters':
        await this.#busy(({ session }) => session.setClusters(command.clusters));
        return this.#changed(true);
      case 'save': {
        const { session } = this.#need();
        const name = `${session.model.name}.pliant-shape`;
        return this.#reply({ type: 'files', files: [{ name, bytes: writeProject(session) }] });
      }
      case 'export':
        this.#reply({ type: 'files', files: exportShape(this.#need().session, command.format) });
        return this.#wake();
      case 'add-obstacle':
        return this.#addObstacle(command);
      default:
        this.#change(command);
    }
  }

  #change(command: Command): void {
    const { session } = this.#need();
    const once = (what: string, edit: Edit) => session.do(what, edit);
    const added = (id: number | undefined) => this.#reply({ type: 'added', what: 'control', id: id! });
    let isHeavy = false;
    switch (command.type) {
      case 'add-handle':
        added(once('add handle', { do: 'add-handle', vertex: command.vertex }));
        break;
      case 'add-handle-at': {
        const { origin, direction, within = Number.POSITIVE_INFINITY } = command;
        const hit = pickVertex(session.model, session.shape.positions, origin, direction);
        if (hit === undefined || hit.distance > within) {
          this.#reply({ type: 'missed' });
          return;
        }
        added(once('add handle', { do: 'add-handle', vertex: hit.vertex }));
        break;
      }
      case 'add-region': {
        const { kind, polygon, matrix, through } = command;
        const vertices = pickRegion(session.model, session.shape.positions, polygon, matrix, through);
        if (vertices.length === 0) {
          const text = 'There is nothing of the shape within this outline.';
          this.#reply({ type: 'notice', title: 'Nothing was chosen', text });
          return;
        }
        added(once(kind === 'pin' ? 'pin region' : 'rigid region', { do: 'add-region', kind, vertices }));
        break;
      }
      case 'begin':
        session.begin(command.what);
        break;
      case 'move':
        session.edit({ do: 'move', moves: command.moves });
        this.#moved(); // frames say where things are
        return;
      case 'remove':
        once('remove', { do: 'remove', ids: command.ids });
        break;
      case 'move-obstacle': {
        const obstacles = session.obstacles.map((obstacle) =>
          obstacle.id === command.id
            ? { ...obstacle, matrix: command.matrix, size: command.size ?? obstacle.size }
            : obstacle,
        );
        session.edit({ do: 'obstacles', obstacles });
        break;
      }
      case 'remove-obstacle': {
        const obstacles = session.obstacles.filter(({ id }) => id !== command.id);
        once('remove obstacle', { do: 'obstacles', obstacles });
        break;
      }
      case 'settings':
        session.edit({ do: 'settings', settings: command.settings });
        break;
      case 'undo':
        session.undo();
        break;
      case 'redo':
        session.redo();
        break;
      case 'reset':
        session.reset();
        break;
      case 'record':
        session.startRecording();
        break;
      case 'stop-recording':
        session.stopRecording();
        isHeavy = true;
        break;
      case 'replay':
        if (!session.startReplay()) throw new InputError('empty', 'nothing has been recorded yet');
        break;
      case 'stop-replay':
        session.stopReplay();
        break;
      case 'keep-pose':
        session.keepPose();
        isHeavy = true;
        break;
      case 'forget-poses':
        session.poses = [];
        isHeavy = true;
        break;
    }
    this.#changed(isHeavy);
  }

  async #addObstacle({ kind, files }: Extract<Command, { type: 'add-obstacle' }>): Promise<void> {
    const { session } = this.#need();
    const model = kind === 'mesh' ? await readModel(files ?? []) : undefined;
    const mesh = model && { positions: model.positions, triangles: model.triangles };
    const obstacle = placeObstacle(kind, session.shape.positions, session.obstacles, {
      mesh,
      name: model?.name,
    });
    session.do('add obstacle', { do: 'obstacles', obstacles: [...session.obstacles, obstacle] });
    this.#reply({ type: 'added', what: 'obstacle', id: obstacle.id });
    this.#changed(false);
  }

  async #openFor(command: OpenCommand): Promise<void> {
    if (command.type === 'prepare') this.#need();
    this.#opening?.abort();
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    this.#pool ??= this.#createPool();
    const pool = await this.#pool;
    const onProgress = (what: string, share: number) => {
      if (!signal.aborted) this.#reply({ type: 'progress', what, share });
    };
    try {
      const opened = await openSession(command, this.#open, { pool, store: this.#store, signal, onProgress });
      if (signal.aborted) opened.session.dispose();
      else this.#show(opened);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  #show({ session, example, isRestored = false, problem }: OpenedSession): void {
    this.#open?.session.dispose();
    const picture = new Picture(session.model, session.shape);
    const ticket = ++this.#ticket;
    this.#open = { session, picture, ticket, example };
    this.#spare = Array.from({ length: BUFFERS }, () => picture.createBuffers());
    this.#steps = [];
    this.#report = undefined;
    this.#keys.clear();
    const index = picture.index.slice();
    const drawn = { ticket, index, vertexCount: picture.vertexCount, example, isRestored };
    this.#reply({ type: 'opened', model: describeModel(session, drawn) });
    if (problem)
      this.#reply({ type: 'notice', title: 'The last project could not be opened', text: problem });
    this.#autosave?.use(session);
    this.#changed(false);
  }

  async #createPool(): Promise<TaskPool | undefined> {
    if (this.#threads === 0) return undefined;
    return createTaskPool({ threads: this.#threads }).catch(() => undefined); // then this thread does it, in slices
  }

  async #busy(work: (open: Open) => Promise<void>): Promise<void> {
    const open = this.#need();
    this.#isBusy = true;
    try {
      await work(open);
    } finally {
      this.#isBusy = false;
      this.#wake();
    }
  }

  #need(): Open {
    if (this.#open) return this.#open;
    throw new InputError('no-pose', 'nothing is open yet');
  }

  /** A command has changed something. */
  #changed(isHeavy: boolean): void {
    const { session, picture } = this.#need();
    picture.mark(session.controls);
    this.#reply({ type: 'state', state: describeState(session, this.#keys) });
    this.#moved(isHeavy);
  }

  #moved(isHeavy = false): void {
    this.#isDirty = true;
    this.#autosave?.note(isHeavy);
    this.#wake();
  }

  #wake(after = 0): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        this.#tick();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.#reply({ type: 'failed', what: 'step', message, isExpected: false });
      }
    }, after);
  }

  #tick(): void {
    if (this.#open === undefined || this.#isBusy) return;
    const { session } = this.#open;
    const start = performance.now();
    const wasReplaying = session.replay !== undefined;
    if (!session.isAtRest) {
      this.#report = session.step();
      this.#steps.push(this.#report.ms);
      this.#isDirty = true;
      if (wasReplaying && session.replay === undefined) this.#changed(false);
    }
    if (this.#isDirty && this.#spare.length > 0) this.#send();
    if (!session.isAtRest) this.#wake(Math.max(0, SHORTEST_STEP - (performance.now() - start)));
  }

  #send(): void {
    const { session, picture, ticket } = this.#open!;
    const buffers = this.#spare.pop()!;
    const { shape, replay } = session;
    picture.write(shape, buffers);
    this.#isDirty = false;
    const steps = this.#steps.splice(0);
    this.#reply({
      type: 'frame',
      frame: {
        ticket,
        buffers,
        manipulators: manipulatorsOf(shape),
        contacts: contactsOf(shape),
        controls: shownControls(session),
        steps,
        figures: figuresOf(this.#report),
        isAtRest: session.isAtRest,
        measured: session.isAtRest ? shape.measure() : undefined,
        replay: replay && [replay.step, replay.steps],
      },
    });
  }
}
