import { download } from '../app/downloads.ts';
import type { Meter } from '../app/meter.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { setText } from '../ui/dom.ts';
import type { Notices } from '../ui/notices.ts';
import type { Theme } from '../view/palette.ts';
import { listenToButtons, press } from './buttons.ts';
import { connectEditor, type EditorConnection } from './connection.ts';
import { CorrectPanel } from './correct/correct-panel.ts';
import type { FullTimes } from './engine/full-method.ts';
import type { Answer, Command, EditorFrame, EditorState, OpenedModel } from './engine/protocol.ts';
import { EXAMPLES } from './examples/examples.ts';
import { Gestures } from './gestures.ts';
import { listenToKeys } from './keys.ts';
import { PointerTools, type Tool } from './pointer-tools.ts';
import { tourOf } from './tour-steps.ts';
import { createLayout } from './ui/layout.ts';
import { itemsOfControls, PickList, SizeFields } from './ui/lists.ts';
import { Panel } from './ui/panel.ts';
import { Readout } from './ui/readout.ts';
import { showAbout, showSession } from './ui/session.ts';
import { Tour } from './ui/tour.ts';
import { EditorView } from './view/editor-view.ts';

const SLOW = 150; // milliseconds between updates of numbers and lists

export interface EditorOptions {
  readonly notices: Notices;
  readonly meter: Meter;
  readonly theme: () => Theme;
}

/** The shape editor on the page: what is asked of the worker, and what is shown of its answers. */
export class Editor {
  readonly gestures: Gestures;
  readonly tools: PointerTools;
  readonly panel: Panel;
  readonly view: EditorView;
  readonly tour: Tour;
  readonly correct: CorrectPanel;
  readonly layout = createLayout();
  /** Pictures that were shown, and what they were about; for tests and the curious. */
  framesShown = 0;
  model: OpenedModel | undefined;
  frame: EditorFrame | undefined;
  state: EditorState | undefined;
  isOpening = false;
  readonly #connection: EditorConnection;
  readonly #notices: Notices;
  readonly #meter: Meter;
  readonly #theme: () => Theme;
  readonly #readout: Readout;
  readonly #controls: PickList;
  readonly #obstacles: PickList;
  readonly #sizes: SizeFields;
  #waiting: EditorFrame | undefined; // shown with the next picture
  readonly #late: EditorFrame[] = []; // not shown; given back with the next picture, lest the worker floods the page
  #lastSlow = 0;
  #isOpen = false;
  #request = 0; // how often something was to be opened

  static async create(options: EditorOptions): Promise<Editor> {
    let editor: Editor | undefined;
    const take = (answer: Answer) => options.meter.add(() => editor?.take(answer));
    const say = () =>
      options.notices.info('No workers here', 'The page may stutter while a shape moves.', 12);
    const connection = await connectEditor(take, say);
    editor = new Editor(connection, options);
    return editor;
  }

  private constructor(connection: EditorConnection, { notices, meter, theme }: EditorOptions) {
    this.#connection = connection;
    this.#notices = notices;
    this.#meter = meter;
    this.#theme = theme;
    const { stage, get } = this.layout;
    this.panel = new Panel(get('settings'), {
      prepare: (resolution) => this.prepare(resolution),
      settings: (settings) => this.send({ type: 'settings', settings }),
      clusters: (clusters) => this.send({ type: 'clusters', clusters }),
      looks: (looks) => {
        this.view.setLooks(looks);
        this.gestures.placeGizmo();
        this.#showLooks();
      },
    });
    this.view = new EditorView(get<HTMLCanvasElement>('view'), this.panel.looks);
    this.gestures = new Gestures(this.view, this.send, () => this.#showLists());
    this.tools = new PointerTools(stage, this.view, this.gestures, this.send);
    this.#readout = new Readout(this.layout);
    this.tour = new Tour(stage, tourOf(this));
    this.#controls = new PickList(get('controls'), {
      choose: (id, isMore) => this.gestures.choose(id, isMore || this.tools.isMore),
      remove: (id) => this.send({ type: 'remove', ids: [id] }),
    });
    this.#obstacles = new PickList(get('obstacles'), {
      choose: (id) => this.gestures.chooseObstacle(id),
      remove: (id) => this.send({ type: 'remove-obstacle', id }),
    });
    this.#sizes = new SizeFields(get('size'), (size) => this.#resizeObstacle(size));
    this.correct = new CorrectPanel(this.layout, {
      send: this.send,
      begin: (command, what) => this.#beginOpening(command, what),
    });
    listenToButtons(this, notices);
    listenToKeys(this, () => this.#isOpen);
    new ResizeObserver(() => this.resize()).observe(stage);
    new MutationObserver(() => this.restyle()).observe(document.documentElement, {
      attributeFilter: ['data-theme'],
    });
    this.#showLooks();
    this.restyle();
  }

  readonly send = (command: Command): void =>
    this.#connection.send({ ...command, request: this.#request, model: this.model?.ticket });

  /** Shows the editor with something: files, an example, or what was there before. */
  open(what: { files?: readonly SourceFile[]; example?: string; resolution?: number } = {}): void {
    this.#isOpen = true;
    this.resize();
    const { files, example, resolution } = what;
    const isKnown = EXAMPLES.some(({ id }) => id === example);
    if (example !== undefined && !isKnown) {
      this.#notices.info(`There is no example "${example.slice(0, 40)}"`, 'Here is the first one instead.');
    }
    if (files) this.openFiles(files, resolution);
    else if (example !== undefined) this.openExample(isKnown ? example : EXAMPLES[0].id, resolution);
    else if (this.model === undefined && !this.isOpening) {
      this.#beginOpening({ type: 'open-last', example: EXAMPLES[0].id, resolution });
    } else this.#describe();
  }

  close(): void {
    this.#isOpen = false;
  }

  openExample(example: string, resolution?: number): void {
    this.#beginOpening({ type: 'open-example', example, resolution });
  }

  openFiles(files: readonly SourceFile[], resolution?: number): void {
    this.#beginOpening({ type: 'open-files', files, resolution });
  }

  prepare(resolution: number): void {
    if (this.model && resolution !== this.model.resolution) {
      this.#beginOpening({ type: 'prepare', resolution });
    }
  }

  /** A pose is looked at, or has no shape: there is nothing to take hold of. */
  get isLooking(): boolean {
    return this.model?.kind === 'pose' || this.model?.correction?.hasShape === false;
  }

  setTool(tool: Tool): void {
    this.tools.tool = tool;
    for (const other of ['handle', 'pin', 'rigid']) press(this.layout.get(`tool-${other}`), other === tool);
    this.layout.get('outline').hidden = tool === 'handle';
    this.layout.get('view').classList.toggle('is-outlining', tool !== 'handle');
  }

  setOutline(outline: 'box' | 'lasso'): void {
    this.tools.outline = outline;
    for (const other of ['box', 'lasso']) press(this.layout.get(other), other === outline);
  }

  setTurning(isTurning: boolean): void {
    this.view.gizmo.setMode(isTurning ? 'rotate' : 'translate');
    press(this.layout.get('turn'), isTurning);
    this.view.invalidate();
  }

  record(): void {
    this.send({ type: this.state?.isRecording ? 'stop-recording' : 'record' });
  }

  get full(): FullTimes | undefined {
    return this.#readout.full;
  }

  measureFull(): void {
    this.#readout.beginMeasuring();
    this.send({ type: 'measure-full' });
  }

  pickFiles(): void {
    this.layout.get('file').click();
  }

  /** Once per picture of the screen. */
  tick(now: number): void {
    this.gestures.flush();
    if (this.#waiting) this.#showFrame(this.#waiting);
    for (const frame of this.#late.splice(0)) this.#giveBack(frame);
    this.view.render(now);
    this.correct.strip.draw();
    if (now - this.#lastSlow > SLOW) {
      this.#lastSlow = now;
      this.tour.tick(now);
      this.#readout.show(this.frame, this.view.size, this.#meter.high);
    }
  }

  take(answer: Answer): void {
    const isLate = 'request' in answer && answer.request !== undefined && answer.request < this.#request;
    if (isLate && answer.type !== 'opened') return; // something else is being opened by now
    switch (answer.type) {
      case 'progress':
        this.#showProgress(answer.what, answer.share);
        break;
      case 'opened':
        this.#showModel(answer.model);
        if (!isLate) this.#endOpening();
        break;
      case 'frame':
        if (answer.frame.ticket !== this.model?.ticket) return;
        if (this.#waiting) this.#late.push(this.#waiting); // never shown: a newer one is there
        this.#waiting = withEarlier(answer.frame, this.#waiting);
        break;
      case 'state':
        this.#showState(answer.state);
        break;
      case 'full':
        this.#readout.showFull(answer.times);
        break;
      case 'files':
        for (const { name, bytes } of answer.files)
          download(new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
        this.#notices.info(`Saved ${answer.files.map(({ name }) => name).join(' and ')}`);
        break;
      case 'added':
        if (answer.what === 'obstacle') this.gestures.chooseObstacle(answer.id);
        else this.gestures.choose(answer.id, this.tools.isMore);
        break;
      case 'missed':
        this.tools.takeMiss();
        break;
      case 'resolved':
        this.#endOpening();
        this.correct.take(answer);
        break;
      case 'file':
      case 'scanned':
      case 'scan-ended':
        this.correct.take(answer);
        break;
      case 'cancelled':
        this.#endOpening();
        break;
      case 'notice':
        this.#notices.info(answer.title, answer.text, 10);
        break;
      case 'failed':
        this.#fail(answer);
        break;
    }
  }

  fit(): void {
    this.view.fit();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.layout.stage;
    if (clientWidth === 0) return; // hidden
    this.view.resize(clientWidth, clientHeight);
    this.#readout.chart.resize();
    this.correct.strip.invalidate();
  }

  restyle(): void {
    this.view.setTheme(this.#theme());
    this.#readout.chart.restyle();
    this.correct.strip.invalidate();
  }

  async screenshot(): Promise<void> {
    download(await this.view.screenshot(), `pliant-${this.model?.name ?? 'shape'}.png`);
  }

  #beginOpening(command: Command, what = 'Opening'): void {
    this.isOpening = true;
    this.#request++;
    this.#notices.clearErrors();
    this.#showProgress(what, undefined);
    this.send(command);
  }

  #endOpening(): void {
    this.isOpening = false;
    this.layout.get('progress').hidden = true;
    if (this.model) this.panel.showModel(this.model);
  }

  #showProgress(what: string, share: number | undefined): void {
    const { get } = this.layout;
    if (!this.isOpening) return;
    get('progress').hidden = false;
    setText(get('progress-text'), what);
    const bar = get<HTMLProgressElement>('progress-bar');
    if (share === undefined) bar.removeAttribute('value');
    else bar.value = share;
  }

  #showModel(model: OpenedModel): void {
    const before = this.model;
    this.model = model;
    this.frame = this.#waiting = undefined;
    this.panel.showModel(model);
    document.body.dataset.editing = model.kind;
    this.tools.isResting = this.isLooking;
    this.layout.tools.inert = this.isLooking;
    this.gestures.forget();
    this.view.open(model, isSamePose(before, model));
    this.correct.showModel(model);
    this.#readout.clear();
    this.#meter.restart();
    this.layout.get<HTMLSelectElement>('example').value = model.example ?? '';
    this.#describe();
    for (const note of model.notes) this.#notices.info(note);
  }

  #describe(): void {
    if (this.model === undefined) return;
    showAbout(this.layout, this.model);
  }

  #showFrame(frame: EditorFrame): void {
    this.#waiting = undefined;
    this.gestures.takeFrame(frame);
    const spare = this.view.show(frame, this.gestures.placeOf);
    if (spare) this.send({ type: 'spare', ticket: frame.ticket, buffers: spare });
    this.view.showChosen(this.gestures.chosen);
    this.#readout.chart.add(frame.steps);
    this.correct.showFrame(frame);
    const isOther = this.frame?.controls.length !== frame.controls.length;
    this.frame = frame;
    this.framesShown++;
    if (this.framesShown === 3) this.#meter.restart(); // shaders have been made
    if (isOther) this.#showLists();
  }

  #giveBack({ ticket, buffers }: EditorFrame): void {
    this.send({ type: 'spare', ticket, buffers });
  }

  #showState(state: EditorState): void {
    this.state = state;
    this.panel.showState(state);
    this.gestures.takeState(state);
    this.correct.showState(state);
    this.view.showObstacles(state, this.gestures.chosenObstacle);
    showSession(this.layout, state);
    this.#showLists();
  }

  #showLists(): void {
    const { get } = this.layout;
    const controls = this.frame?.controls ?? [];
    const { chosen, chosenObstacle } = this.gestures;
    this.#controls.show(itemsOfControls(controls), chosen);
    get('no-controls').hidden = controls.length > 0;
    const obstacles = this.state?.obstacles ?? [];
    const items = obstacles.map(({ id, name }) => ({ id, text: name, kind: 'obstacle' }));
    this.#obstacles.show(items, new Set(chosenObstacle === undefined ? [] : [chosenObstacle]));
    this.#sizes.show(obstacles.find(({ id }) => id === chosenObstacle));
    if (this.state) this.view.showObstacles({ obstacles, meshes: [] }, chosenObstacle);
    get<HTMLButtonElement>('remove').disabled = chosen.size === 0 && chosenObstacle === undefined;
  }

  #showLooks(): void {
    const { get } = this.layout;
    get('legend-contact').hidden = !this.panel.looks.contacts;
    get('legend-levels').hidden = !this.panel.looks.levels;
    get('legend-heat').hidden = !this.panel.looks.heat;
  }

  #fail({ what, message, isExpected }: Answer & { type: 'failed' }): void {
    const isOpening = /^(open|prepare$)/.test(what);
    if (isOpening || what === 'worker' || /pose|correct|resolve/.test(what)) this.#endOpening();
    const title = isOpening ? 'This cannot be opened' : 'This did not work';
    this.#notices.error(isExpected ? title : 'Something went wrong', message);
    this.#readout.endMeasuring();
    if (isOpening && this.model === undefined) this.openExample(EXAMPLES[0].id);
  }

  #resizeObstacle(size: number[]): void {
    const obstacle = this.state?.obstacles.find(({ id }) => id === this.gestures.chosenObstacle);
    if (!obstacle) return;
    this.send({ type: 'begin', what: 'size' });
    this.send({ type: 'move-obstacle', id: obstacle.id, matrix: obstacle.matrix, size });
  }
}

/** Whether the picture can be looked at from where it was. */
function isSamePose(before: OpenedModel | undefined, { name, pose }: OpenedModel): boolean {
  return (
    before?.pose !== undefined &&
    before.name === name &&
    before.pose.mesh === pose?.mesh &&
    before.pose.clip === pose.clip
  );
}

/** A picture that was not shown leaves its step times to the next. */
function withEarlier(frame: EditorFrame, earlier: EditorFrame | undefined): EditorFrame {
  return earlier ? { ...frame, steps: [...earlier.steps, ...frame.steps] } : frame;
}
