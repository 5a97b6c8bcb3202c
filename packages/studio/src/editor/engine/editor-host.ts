import { createTaskPool, InputError, type TaskPool } from 'pliant';
import type { StepReport } from 'pliant/edit';
import { addObstacle } from './add-obstacle.ts';
import { Autosave } from './autosave.ts';
import { changeSession } from './change-session.ts';
import { type AnimatedFile, correctedName, showFile } from './correct/animated-file.ts';
import { correctionNow, describePosing } from './correct/describe.ts';
import type { Posing } from './correct/posing.ts';
import { scanFrames } from './correct/scan.ts';
import { exportShape } from './exports.ts';
import { frameOf, poseFrameOf } from './frames.ts';
import { measureFull } from './full-method.ts';
import { keepableOf } from './keepable.ts';
import {
  type Before,
  type OpenCommand,
  type OpenedSession,
  openSession,
  writeCorrected,
} from './open-session.ts';
import { Picture, type PictureBuffers } from './picture.ts';
import type { Answer, Command, SentCommand } from './protocol.ts';
import { describeModel, describeState, MeshKeys } from './replies.ts';
import type { EditorSession } from './session.ts';
import type { VisitStore } from './store.ts';

const BUFFERS = 3; // one is shown, one is on its way, one is written
const SHORTEST_STEP = 8; // milliseconds from one step to the next
const BETWEEN_PICTURES = 60; // milliseconds, while contacts are resolved

/** Commands that are answered whichever model they were given for: the page waits for them, or they name their own. */
const FOR_ANY_MODEL =
  /^(open|cancel|choose|leave|prepare|keep-correction|scan|stop-scan|resolve|spare|measure|save|export)/;

/** A session, or a pose that is looked at. */
interface Open {
  readonly session?: EditorSession;
  readonly posing?: Posing;
  readonly picture: Picture;
  readonly ticket: number;
  readonly example?: string;
}

type WithSession = Open & { readonly session: EditorSession };

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
  #file: AnimatedFile | undefined; // whose poses can be corrected
  #read: AnimatedFile | undefined; // the same of what is being opened
  #shelf: Before | undefined; // the shape that was left for its poses
  #scanning: AbortController | undefined;
  #isResolving = false;
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
  async handle(command: SentCommand): Promise<void> {
    try {
      await this.#obey(command);
    } catch (error) {
      if ((error as Error)?.name === 'AbortError') return;
      const message = error instanceof Error ? error.message : String(error);
      const isExpected = error instanceof Error && error.name === 'InputError';
      const { type: what, request } = command;
      this.#reply({ type: 'failed', what, message: message.slice(0, 500), isExpected, request });
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#autosave?.stop();
    this.#opening?.abort();
    this.#scanning?.abort();
    for (const part of [this.#open?.session, this.#open?.posing, this.#shelf?.session]) part?.dispose();
    this.#open = this.#shelf = undefined;
    void this.#pool?.then((pool) => pool?.dispose());
  }

  /** What is edited; undefined until something is open. */
  get session(): EditorSession | undefined {
    return this.#open?.session;
  }

  async #obey(command: SentCommand): Promise<void> {
    const { request, model = this.#open?.ticket } = command;
    if (model !== this.#open?.ticket && !FOR_ANY_MODEL.test(command.type)) return; // that model is gone
    switch (command.type) {
      case 'open-example':
      case 'open-files':
      case 'open-project':
      case 'open-last':
      case 'prepare':
      case 'prepare-correction':
      case 'keep-correction':
        return this.#openFor(command);
      case 'choose-pose':
        return this.#choosePose(command);
      case 'leave-pose':
        if (this.#shelf === undefined) return this.#openFor(command);
        this.#opening?.abort();
        return this.#show({ ...this.#shelf, file: this.#file }, true, request);
      case 'cancel':
        this.#opening?.abort();
        if (this.#open) this.#offer(this.#file);
        if (this.#open) this.#read = undefined; // else its poses are all there is
        return this.#reply({ type: 'cancelled', request });
      case 'scan':
        return this.#scan();
      case 'stop-scan':
        return this.#scanning?.abort();
      case 'resolve':
        return this.#resolve();
      case 'save-corrected': {
        const bytes = await writeCorrected(this.#before, command);
        return this.#reply({ type: 'files', files: [{ name: correctedName(this.#file!), bytes }] });
      }
      case 'spare':
        if (command.ticket === this.#open?.ticket) this.#spare.push(command.buffers);
        return this.#wake();
      case 'measure-full':
        return this.#busy(async ({ session }) => {
          const times = await measureFull(session);
          this.#reply({ type: 'full', times: session === this.#open?.session ? times : undefined });
        });
      case 'clusters':
        await this.#busy(({ session }) => session.setClusters(command.clusters));
        return this.#changed(true);
      case 'save': {
        if (this.#open === undefined) this.#need();
        const name = `${(this.#open!.session ?? this.#open!.posing)!.model.name}.pliant-shape`;
        const bytes = keepableOf(this.#before).write();
        return this.#reply({ type: 'files', files: [{ name, bytes }] });
      }
      case 'export':
        this.#reply({ type: 'files', files: exportShape(this.#need().session, command.format) });
        return this.#wake();
      case 'add-obstacle': {
        const id = await addObstacle(this.#need().session, command);
        this.#reply({ type: 'added', what: 'obstacle', id });
        return this.#changed(false);
      }
      default:
        this.#change(command);
    }
  }

  #change(command: Command): void {
    const { session } = this.#need();
    if (this.#isResolving) {
      throw new InputError('unsupported', 'contacts are being resolved: wait, or cancel that first');
    }
    const change = changeSession(session, command, this.#reply);
    if (change === 'moved') this.#moved();
    else if (change) this.#changed(change === 'heavy');
  }

  async #openFor(command: OpenCommand & Pick<SentCommand, 'request'>): Promise<void> {
    const { request } = command;
    if (command.type === 'prepare' && !this.#open?.posing) this.#need();
    this.#scanning?.abort();
    this.#opening?.abort();
    const before = command.type === 'choose-pose' && this.#read ? { file: this.#read } : this.#before;
    const isSameFile = /pose|correction/.test(command.type) && before.file === this.#file;
    this.#read = undefined;
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    this.#pool ??= this.#createPool();
    const pool = await this.#pool;
    const onProgress = (what: string, share: number) => {
      if (!signal.aborted) this.#reply({ type: 'progress', what, share, request });
    };
    const onFile = (file: AnimatedFile | undefined) => {
      if (!signal.aborted) this.#offer((this.#read = file));
    };
    const work = { pool, store: this.#store, signal, onProgress, onFile };
    try {
      const opened = await openSession(command, before, work);
      if (signal.aborted) (opened.session ?? opened.posing)!.dispose();
      else this.#show(opened, isSameFile, request);
    } catch (error) {
      if (signal.aborted) return;
      this.#offer(this.#file); // what was open still is
      this.#read = undefined;
      throw error;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  #show(opened: OpenedSession, isSameFile: boolean, request: number | undefined): void {
    const { session, posing, file, example, isRestored = false, problem } = opened;
    this.#putAway(opened, isSameFile);
    const picture = session ? new Picture(session.model, session.shape) : new Picture(posing!.model);
    const ticket = ++this.#ticket;
    this.#open = { session, posing, picture, ticket, example };
    this.#file = file;
    this.#read = undefined;
    this.#spare = Array.from({ length: BUFFERS }, () => picture.createBuffers());
    this.#steps = [];
    this.#report = undefined;
    this.#keys.clear();
    const drawn = { ticket, index: picture.index.slice(), vertexCount: picture.vertexCount, isRestored };
    this.#offer(file);
    const model = session ? describeModel(session, { ...drawn, example }) : describePosing(posing!, drawn);
    this.#reply({ type: 'opened', model, request });
    if (problem) this.#reply({ type: 'notice', ...problem });
    // A pose that is only looked at does not take the place of a shape that was edited.
    const isKept = session || posing!.correction || this.#shelf?.session?.undoStack.undoes === undefined;
    this.#autosave?.use(isKept ? keepableOf(this.#before) : undefined);
    if (session) this.#changed(false);
    else this.#moved();
    if (posing && !posing.correction) void this.#scan();
  }

  /** What was open before goes; a shape is kept while poses of its file are looked at. */
  #putAway({ session, posing }: OpenedSession, isSameFile: boolean): void {
    this.#scanning?.abort();
    const before = this.#open;
    if (before === undefined) return;
    const isPose = posing !== undefined || session?.corrected !== undefined;
    if (isPose && before.session && !before.session.corrected && isSameFile) {
      this.#shelf = { session: before.session, example: before.example };
      return;
    }
    if (before.session !== session) (before.session ?? before.posing)!.dispose();
    if (isPose && isSameFile) return;
    if (this.#shelf?.session !== session) this.#shelf?.session?.dispose();
    this.#shelf = undefined;
  }

  /** Another time of the clip that is looked at is there at once; other clips and meshes take a moment. */
  async #choosePose(command: Extract<SentCommand, { type: 'choose-pose' }>): Promise<void> {
    const { mesh, clip, time } = command;
    const { posing } = this.#open ?? {};
    const isSame =
      posing !== undefined &&
      posing.correction === undefined &&
      (mesh ?? posing.choice.mesh) === posing.choice.mesh &&
      (clip ?? posing.choice.clip) === posing.choice.clip;
    if (isSame && time !== undefined) {
      posing.time = time;
      return this.#moved();
    }
    return this.#openFor(command);
  }

  async #scan(): Promise<void> {
    const { posing, ticket } = this.#open ?? {};
    if (posing === undefined) throw new InputError('no-pose', 'which pose? Choose one first');
    this.#scanning?.abort();
    const scanning = (this.#scanning = new AbortController());
    try {
      await scanFrames(posing, scanning.signal, (frames) =>
        this.#reply({ type: 'scanned', ticket: ticket!, frames }),
      );
    } finally {
      this.#reply({ type: 'scan-ended', ticket: ticket! });
    }
  }

  async #resolve(): Promise<void> {
    const { session, posing } = this.#open ?? {};
    const correction = session?.corrected?.correction ?? posing?.correction;
    if (correction === undefined) throw new InputError('no-pose', 'there is no correction yet: prepare one');
    if (this.#isResolving) return;
    this.#opening?.abort();
    const { signal } = (this.#opening = new AbortController());
    this.#isBusy = this.#isResolving = true;
    let shownAt = 0;
    const onProgress = (share: number) => {
      if (signal.aborted || performance.now() - shownAt < BETWEEN_PICTURES) return;
      this.#reply({ type: 'progress', what: 'Resolving contacts', share });
      if (this.#spare.length > 0) this.#send();
      shownAt = performance.now();
    };
    try {
      await (session ?? correction).resolve({ signal, onProgress });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isBusy = this.#isResolving = false;
    }
    const isStillOpen = session === this.#open?.session && posing === this.#open?.posing;
    if (!isStillOpen) return;
    this.#reply({ type: 'resolved', corrected: correctionNow(correction) });
    if (session) this.#changed(false);
    else this.#moved();
  }

  /** What was open when a command came. */
  get #before(): Before {
    const { session, posing, example } = this.#open ?? {};
    return { session, posing, example, file: this.#file };
  }

  #offer(file: AnimatedFile | undefined): void {
    this.#reply({ type: 'file', file: file && showFile(file) });
  }

  async #createPool(): Promise<TaskPool | undefined> {
    if (this.#threads === 0) return undefined;
    return createTaskPool({ threads: this.#threads }).catch(() => undefined); // then this thread does it, in slices
  }

  async #busy(work: (open: WithSession) => Promise<void>): Promise<void> {
    const open = this.#need();
    this.#isBusy = true;
    try {
      await work(open);
    } finally {
      this.#isBusy = false;
      this.#wake();
    }
  }

  #need(): WithSession {
    if (this.#open?.session) return this.#open as WithSession;
    if (this.#open) throw new InputError('no-pose', 'a pose cannot be shaped before it is prepared');
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
    if (session === undefined) {
      if (this.#isDirty && this.#spare.length > 0) this.#send();
      return;
    }
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
    const { session, posing, picture, ticket } = this.#open!;
    const buffers = this.#spare.pop()!;
    this.#isDirty = false;
    const steps = this.#steps.splice(0);
    const frame = session
      ? frameOf(session, picture, buffers, this.#report)
      : poseFrameOf(posing!, picture, buffers);
    this.#reply({ type: 'frame', frame: { ...frame, ticket, steps } });
  }
}
