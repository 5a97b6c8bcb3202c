import type { EditorDoor, FirstModel } from '../editor/door.ts';
import { EDITOR } from '../editor/entry.ts';
import type { FrameResult, OpenedScene, Reply, SpareBuffers } from '../host/protocol.ts';
import { findScene, SCENES } from '../scenes/registry.ts';
import { type Control, type ControlValues, completeValues, type SourceFile } from '../scenes/scene.ts';
import { Chart } from '../ui/chart.ts';
import { byId, create, setText } from '../ui/dom.ts';
import { Facts } from '../ui/facts.ts';
import { plural } from '../ui/format.ts';
import { Gallery } from '../ui/gallery.ts';
import { Notices, showProgress } from '../ui/notices.ts';
import { PairList } from '../ui/pair-list.ts';
import { Settings } from '../ui/settings.ts';
import { Stats } from '../ui/stats.ts';
import { Transport } from '../ui/transport.ts';
import type { View } from '../view/view.ts';
import type { Connection } from './connection.ts';
import { copyText, download, downloadText } from './downloads.ts';
import { History } from './history.ts';
import { formatLink, type LinkState } from './link.ts';
import { linkOf, looksOf } from './looks.ts';
import { Meter } from './meter.ts';
import { Player } from './player.ts';
import { Sound } from './sound.ts';
import type { ThemeChoice } from './theme.ts';

const SLOW = 150; // milliseconds between updates of numbers and lists while playing

interface Wish {
  readonly scene: string;
  readonly values: ControlValues;
  readonly files: readonly SourceFile[];
  readonly link?: LinkState; // where to go in it
}

/** Everything that happens on the page: what is asked of the host, and what is shown of its answers. */
export class App {
  readonly player = new Player();
  readonly history = new History();
  readonly meter = new Meter();
  readonly notices = new Notices();
  readonly settings: Settings;
  readonly pairs: PairList;
  readonly #connection: Connection;
  readonly #view: View | undefined; // none without WebGL
  readonly #gallery: Gallery;
  readonly #stats = new Stats();
  readonly #chart = new Chart();
  readonly #facts = new Facts();
  readonly #sound = new Sound();
  readonly #transport: Transport;
  readonly #kernels: 'auto' | 'ts';
  readonly #theme: () => ThemeChoice;
  #scene: OpenedScene | undefined;
  #files: readonly SourceFile[] = [];
  #served: string | undefined; // kept in links: the files come from the command
  #opening: Wish | undefined;
  #ticket = 0; // of the last scene that was asked for
  #result: FrameResult | undefined;
  #spare: SpareBuffers | undefined;
  #isBusy = false;
  #mustAsk = false; // the frame at hand lacks something that is wanted now
  #lastSlow = 0;
  #linkTimer = 0;
  framesShown = 0;
  /** Goes to the editor, which takes the place of scenes; and comes back from it. */
  editor: Pick<EditorDoor, 'open' | 'close'> | undefined;
  /** True while the editor is open. */
  isAway = false;

  constructor(connection: Connection, view: View | undefined, link: LinkState, theme: () => ThemeChoice) {
    this.#connection = connection;
    this.#view = view;
    this.#theme = theme;
    this.#kernels = link.kernels ?? 'auto';
    this.#gallery = new Gallery(SCENES, EDITOR, (id) =>
      id === EDITOR.id ? this.openEditor() : this.openScene(id),
    );
    this.settings = new Settings(looksOf(link), () => this.#changeLooks(), {
      build: (values) => this.openScene(this.#scene!.id, values, this.#files),
      adjust: (values, control) => this.#adjust(values, control),
      start: () => void this.start(),
    });
    this.pairs = new PairList((pair) => this.#pick(pair));
    this.#transport = new Transport({
      play: () => this.play(),
      step: (by) => this.step(by),
      seek: (frame) => this.seek(frame),
      restart: () => this.restart(),
      chooseClip: (clip) => this.#chooseClip(clip),
      setSpeed: (speed) => this.player.setSpeed(speed),
    });
  }

  /** A scene with its own data, or files in the inspector. `link` says where to go in it. */
  openScene(
    id: string,
    given: Readonly<Record<string, string | number | boolean>> = {},
    files: readonly SourceFile[] = [],
    link?: LinkState,
  ): void {
    this.editor?.close();
    const scene = findScene(id);
    this.#opening = { scene: id, values: completeValues(scene, given), files, link };
    this.#gallery.mark(id, true);
    showProgress(files.length > 0 ? 'Opening' : `Building: ${scene.title}`);
    const ticket = ++this.#ticket;
    this.#connection.send({ type: 'open', ...this.#opening, kernels: this.#kernels, ticket });
    this.#isBusy = true;
  }

  openEditor(first?: FirstModel): void {
    this.#gallery.mark(EDITOR.id, false);
    void this.editor?.open(first);
  }

  openFiles(files: readonly SourceFile[], served?: string): void {
    this.#served = served;
    const inspector = SCENES.find(({ takesFiles }) => takesFiles)!;
    this.openScene(inspector.id, {}, files);
  }

  take(reply: Reply): void {
    if (reply.type === 'opened') {
      if (reply.ticket === this.#ticket) this.#showScene(reply.scene); // else another one is wanted by now
    } else if (reply.type === 'frame') this.#showFrame(reply.result);
    else if (reply.type === 'progress') showProgress(reply.what, reply.done / reply.total);
    else if (reply.type === 'report') this.#saveReport(reply.text, reply.name);
    else this.#fail(reply.message, reply.isExpected);
  }

  /** Once per picture of the screen. */
  tick(now: number): void {
    if (!this.#isBusy && this.#scene && this.#result) {
      this.player.advance(now);
      const isNew = this.player.frame !== this.#result.frame || this.player.clip !== this.#result.clip;
      if (isNew || this.#mustAsk) this.#ask();
    }
    this.#view?.render(now);
    if (now - this.#lastSlow > SLOW) {
      this.#lastSlow = now;
      this.#showNumbers();
    }
  }

  play(isPlaying = !this.player.isPlaying): void {
    this.player.toggle(isPlaying);
    this.#showNumbers();
    this.#linkSoon();
  }

  step(by: number): void {
    if (by < 0 && this.player.isEndless) return;
    this.player.toggle(false);
    this.player.seek(this.player.frame + by);
    this.#linkSoon();
  }

  seek(frame: number): void {
    this.player.seek(frame);
    this.#linkSoon();
  }

  restart(): void {
    this.player.seek(0);
    this.#mustAsk = true;
    this.#linkSoon();
  }

  /** From the beginning, with sound where the scene has one. Called by a click: browsers ask for that. */
  async start(): Promise<void> {
    const { sound } = this.#scene ?? {};
    try {
      if (sound) await this.#sound.open(sound);
    } catch (error) {
      this.notices.info('No sound', (error as Error).message, 12);
    }
    this.restart();
    this.play(true);
  }

  get isSounding(): boolean {
    return this.#sound.isOpen;
  }

  fit(): void {
    this.#view?.pick(undefined, false);
    this.pairs.forget();
    this.#view?.fit();
  }

  turn(sideways: number, upwards: number, closer = 1): void {
    this.#view?.turn(sideways, upwards, closer);
  }

  resize(): void {
    const { clientWidth, clientHeight } = byId('stage');
    this.#view?.resize(clientWidth, clientHeight);
    this.#chart.resize();
  }

  restyle(): void {
    this.#view?.setTheme(this.#theme().current);
    this.#chart.restyle(this.history);
    this.#facts.restyle(this.#theme().current);
    this.#linkSoon();
  }

  async screenshot(): Promise<void> {
    if (this.#view === undefined) return this.notices.info('There is no picture to save');
    download(await this.#view.screenshot(), `pliant-${this.#scene?.id}-${this.player.frame}.png`);
  }

  report(kind: 'json' | 'html', whole: boolean): void {
    if (this.#result === undefined) return;
    const { clip, frame } = this.#result;
    if (whole && this.player.isEndless)
      this.notices.info('A simulation has no end', 'This frame is reported.');
    this.#isBusy = true;
    this.player.toggle(false);
    showProgress(whole ? 'Checking every frame' : 'Writing');
    this.#connection.send({ type: 'report', kind, clip, frame, whole });
  }

  async copyLink(): Promise<void> {
    this.#writeLink();
    if (await copyText(location.href)) this.notices.info('Link copied', 'It restores scene, frame and view.');
    else this.notices.info('Copy the address of this page', 'It restores scene, frame and view.');
  }

  /** The address of the page follows what is seen, a moment later. */
  readonly linkSoon = (): void => this.#linkSoon();

  get scene(): OpenedScene | undefined {
    return this.#scene;
  }

  get result(): FrameResult | undefined {
    return this.#result;
  }

  get isOpening(): boolean {
    return this.#opening !== undefined;
  }

  #ask(): void {
    const { curves, boxes, culling } = this.settings.looks;
    const { clip, frame } = this.player;
    const wants = { curves, trace: boxes || culling };
    this.#isBusy = true;
    this.#mustAsk = false;
    const { values } = this.#scene!;
    this.#connection.send({ type: 'frame', clip, frame, wants, values, spare: this.#spare });
    this.#spare = undefined;
  }

  #showScene(scene: OpenedScene): void {
    const { files, link } = this.#opening!;
    this.#opening = undefined;
    showProgress(undefined);
    this.#scene = scene;
    this.#files = files;
    this.#result = undefined;
    this.#spare = undefined;
    this.history.clear();
    this.notices.clearErrors();
    this.#gallery.mark(scene.id, false);
    this.settings.open(files.length > 0 ? [] : findScene(scene.id).controls, scene.values);
    this.pairs.open(scene);
    this.#transport.open(scene);
    this.#facts.open(scene, this.#theme().current);
    this.#sound.close();
    this.#describe(scene);
    this.#view?.open(scene);
    const clip = Math.min(link?.clip ?? 0, scene.clips.length - 1);
    this.player.clip = clip;
    this.player.load(scene.clips[clip].frameCount, scene.fps, link?.frame ?? 0);
    if (link?.paused) this.player.toggle(false);
    this.#chart.restyle(this.history);
    for (const note of scene.notes) this.notices.info(note);
    if (scene.kernels === 'ts' && this.#kernels === 'auto' && this.framesShown === 0) {
      const text = 'The slower TypeScript kernels are used; answers are the same.';
      this.notices.info('No WebAssembly here', text, 12);
    }
    this.#camera = link?.camera;
    this.#ask();
  }

  #camera: readonly number[] | undefined; // to be taken up with the first picture

  #showFrame(result: FrameResult): void {
    this.#isBusy = false;
    if (this.#opening) return; // of the scene before
    const before = this.#result;
    this.#result = result;
    this.#view?.showFrame(result, this.settings.looks);
    if (before) this.#spare = { positions: before.positions, normals: before.normals };
    else if (this.#camera && this.#view) this.#view.pose = this.#camera;
    const { strikes } = result.facts ?? {};
    if (strikes) this.#sound.play(strikes, 1 / this.#scene!.fps);
    this.history.add(result.pliant.milliseconds, result.traditional.milliseconds);
    this.framesShown++;
    if (this.history.frames === 2) this.meter.restart(); // shaders have been made
    if (!this.player.isPlaying || before === undefined) this.#showNumbers();
    if (before === undefined) this.#linkSoon();
  }

  #showNumbers(): void {
    if (this.#result === undefined) return;
    const { frame, time } = this.#result;
    this.#stats.show(this.#result, this.history, this.#scene!.meshes.length > 1);
    this.#facts.show(this.#result.facts);
    this.#chart.show(this.history);
    this.pairs.show(this.#result, this.player.isPlaying);
    this.#transport.show(this.player, frame, time);
    this.showLegend();
    const { high } = this.meter;
    setText(byId('main-thread'), high === undefined ? '' : `main thread ${high.toFixed(1)} ms`);
  }

  /** A live control was moved. */
  #adjust(values: ControlValues, { clip }: Control): void {
    if (this.#scene === undefined || this.#opening) return;
    this.#scene = { ...this.#scene, values };
    if (clip !== undefined && clip !== this.player.clip) this.#chooseClip(clip);
    this.#mustAsk = true;
    this.#linkSoon();
  }

  #changeLooks(): void {
    const { looks } = this.settings;
    const { trace, curves } = this.#result ?? {};
    this.#mustAsk ||= (looks.curves && !curves) || ((looks.boxes || looks.culling) && !trace);
    this.#view?.setLooks(looks, trace !== undefined, curves !== undefined);
    this.showLegend();
    this.#linkSoon();
  }

  showLegend(): void {
    const { contacts, culling, boxes } = this.settings.looks;
    const { boxesLeftOut = 0 } = this.#result?.trace ?? {};
    byId('legend-boxes').hidden = !boxes || boxesLeftOut === 0;
    setText(byId('legend-boxes'), `${plural(boxesLeftOut, 'smaller box', 'smaller boxes')} not drawn`);
    byId('legend-contacts').hidden = !contacts;
    byId('legend-levels').hidden = !(culling || boxes);
    byId('legend-rest').hidden = !culling;
    const tones = this.#result?.facts?.legend ?? this.#scene?.legend ?? [];
    byId('legend').hidden = !(contacts || culling || boxes || tones.length > 0);
  }

  #chooseClip(clip: number): void {
    this.player.clip = clip;
    this.player.load(this.#scene!.clips[clip].frameCount, this.#scene!.fps);
    this.#mustAsk = true;
    this.#linkSoon();
  }

  #pick(pair: readonly [number, number]): void {
    this.play(false);
    this.#view?.pick(pair, true);
  }

  #saveReport(text: string, name: string): void {
    this.#isBusy = false;
    this.#mustAsk = true; // the bodies stand elsewhere now
    showProgress(undefined);
    downloadText(text, name);
    this.notices.info(`Saved ${name}`);
  }

  #fail(message: string, isExpected: boolean): void {
    this.#isBusy = false;
    showProgress(undefined);
    const wish = this.#opening;
    this.#opening = undefined;
    const what = wish && wish.files.length > 0 ? 'This cannot be shown' : 'This did not work';
    this.notices.error(isExpected ? what : 'Something went wrong', message);
    if (this.#scene) this.#gallery.mark(this.#scene.id, false);
    else if (wish && (wish.scene !== SCENES[0].id || wish.files.length > 0)) this.openScene(SCENES[0].id);
  }

  #describe({ id, files, meshes, kernels }: OpenedScene): void {
    const triangles = meshes.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
    const what = this.#files.length > 0 ? files[0] : findScene(id).title;
    const facts = [
      plural(meshes.length, 'body', 'bodies'),
      plural(triangles, 'triangle'),
      `${kernels} kernels`,
    ];
    byId('about').replaceChildren(create('strong', {}, what), ` · ${facts.join(' · ')}`);
    document.title = `${what} – Pliant Studio`;
  }

  #linkSoon(): void {
    clearTimeout(this.#linkTimer);
    this.#linkTimer = window.setTimeout(() => this.#writeLink(), 300);
  }

  #writeLink(): void {
    if (this.#scene === undefined || this.isAway) return;
    const { isPlaying, clip, frame } = this.player;
    const link = formatLink({
      scene: this.#scene.id,
      values: this.#files.length > 0 ? {} : this.#scene.values,
      open: this.#files.length > 0 ? this.#served : undefined,
      clip,
      frame: isPlaying ? undefined : frame,
      paused: !isPlaying,
      ...linkOf(this.settings.looks),
      theme: this.#theme().chosen,
      camera: this.#view?.pose,
      kernels: this.#kernels === 'ts' ? 'ts' : undefined,
    });
    history.replaceState(null, '', link);
  }
}
