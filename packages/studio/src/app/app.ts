import type { EditorDoor, FirstModel } from '../editor/door.ts';
import { EDITOR } from '../editor/entry.ts';
import type { FrameResult, FrameWants, OpenedScene, Reply, SpareBuffers } from '../host/protocol.ts';
import { findScene, SCENES } from '../scenes/registry.ts';
import { type Control, type ControlValues, completeValues, type SourceFile } from '../scenes/scene.ts';
import { showAbout } from '../ui/about.ts';
import { Chart } from '../ui/chart.ts';
import { byId, setText } from '../ui/dom.ts';
import { Facts } from '../ui/facts.ts';
import { Gallery } from '../ui/gallery.ts';
import { showLegend } from '../ui/legend.ts';
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
import { SceneClient, type SceneListener, type Wish } from './scene-client.ts';
import { Sound } from './sound.ts';
import type { ThemeChoice } from './theme.ts';

/** Everything that happens on the page: what is asked of the host, and what is shown of its answers. */
export class App implements SceneListener {
  readonly player = new Player();
  readonly history = new History();
  readonly meter = new Meter();
  readonly notices = new Notices();
  readonly settings: Settings;
  readonly pairs: PairList;
  readonly #client: SceneClient;
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
  #result: FrameResult | undefined;
  #spare: SpareBuffers | undefined;
  #mustAsk = false; // the frame at hand lacks something that is wanted now
  #wishes = 0;
  #hasProgress = false; // of a frame that takes long
  #wantedReport: { kind: 'json' | 'html'; whole: boolean } | undefined; // as soon as the frame that is on its way is shown
  #isRecovering = false; // a worker has stopped, and its scene is being opened again
  #linkTimer = 0;
  framesShown = 0;
  /** Goes to the editor, which takes the place of scenes; and comes back from it. */
  editor: Pick<EditorDoor, 'open' | 'close'> | undefined;
  /** True while the editor is open. */
  isAway = false;

  constructor(connection: Connection, view: View | undefined, link: LinkState, theme: () => ThemeChoice) {
    this.#client = new SceneClient(connection, this);
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
    served?: string,
  ): void {
    this.beginWish();
    this.editor?.close();
    const scene = findScene(id);
    const wish = { scene: id, values: completeValues(scene, given), files, link, served };
    this.#gallery.mark(id, true);
    showProgress(files.length > 0 ? 'Opening' : `Building: ${scene.title}`);
    this.#giveUpReport();
    const { clip = 0, frame = 0 } = link ?? {};
    this.#client.open(wish, this.#kernels, { clip, frame, wants: this.#wants });
  }

  openEditor(first?: FirstModel): void {
    this.beginWish();
    this.#client.cancelOpening();
    this.#gallery.mark(EDITOR.id, false);
    void this.editor?.open(first);
  }

  openFiles(files: readonly SourceFile[], served?: string): void {
    const inspector = SCENES.find(({ takesFiles }) => takesFiles)!;
    this.openScene(inspector.id, {}, files, undefined, served);
  }

  /** The user wants something, which may have to be read first. Tells whether it is still the latest wish. */
  beginWish(): () => boolean {
    const wish = ++this.#wishes;
    return () => wish === this.#wishes;
  }

  /** An answer of the host. */
  take(reply: Reply): void {
    this.#client.take(reply);
  }

  /** The worker has stopped. What was shown is opened again, once. */
  lose(message: string): void {
    const wish = this.#shownWish;
    this.#client.forgetHost();
    showProgress(undefined);
    if (this.#isRecovering || wish === undefined) {
      this.notices.error('Something went wrong', message);
      return;
    }
    this.#isRecovering = true;
    this.notices.info('Something went wrong', `${message}. The scene is opened again.`, 12);
    this.player.toggle(false);
    this.openScene(wish.scene, wish.values, wish.files, wish.link, wish.served);
  }

  /** Once per picture of the screen. */
  tick(now: number): void {
    if (!this.#client.isBusy && this.#result) {
      this.player.advance(now);
      const isNew = this.player.frame !== this.#result.frame || this.player.clip !== this.#result.clip;
      if (isNew || this.#mustAsk) this.#ask();
    }
    this.#view?.render(now);
  }

  play(isPlaying = !this.player.isPlaying): void {
    this.player.toggle(isPlaying);
    this.#showPanel();
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
    if (this.#scene?.sound !== sound) return; // another scene was opened meanwhile
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
    download(await this.#view.screenshot(), `pliant-${this.#scene?.id}-${this.#result?.frame ?? 0}.png`);
  }

  report(kind: 'json' | 'html', whole: boolean): void {
    if (this.#result === undefined || this.#wantedReport) return;
    if (this.isOpening) {
      this.notices.info('A scene is being opened', 'Report it when it is shown.');
      return;
    }
    if (whole && this.player.isEndless)
      this.notices.info('A simulation has no end', 'This frame is reported.');
    this.#wantedReport = { kind, whole };
    this.player.toggle(false);
    showProgress(whole ? 'Checking every frame' : 'Writing');
    if (!this.#client.isBusy) this.#askReport(); // else with the frame that is on its way
  }

  async copyLink(): Promise<void> {
    this.#writeLink();
    if (await copyText(location.href)) this.notices.info('Link copied', 'It restores scene, frame and view.');
    else this.notices.info('Copy the address of this page', 'It restores scene, frame and view.');
  }

  get scene(): OpenedScene | undefined {
    return this.#scene;
  }

  get result(): FrameResult | undefined {
    return this.#result;
  }

  get isOpening(): boolean {
    return this.#client.opening !== undefined;
  }

  /** The address of the page follows what is seen, a moment later. */
  readonly linkSoon = (): void => this.#linkSoon();

  get #wants(): FrameWants {
    const { curves, boxes, culling } = this.settings.looks;
    return { curves, trace: boxes || culling };
  }

  /** The scene that is shown, as a request that would open it again. */
  get #shownWish(): Wish | undefined {
    if (this.#scene === undefined || this.#result === undefined) return undefined;
    const { clip, frame } = this.#result;
    const { id: scene, values } = this.#scene;
    const link = { values: {}, clip, frame, camera: this.#view?.pose };
    return { scene, values, files: this.#files, link, served: this.#served };
  }

  #ask(): void {
    const { clip, frame } = this.player;
    this.#mustAsk = false;
    this.#client.askFrame({ clip, frame, wants: this.#wants }, this.#scene!.values, this.#spare);
    this.#spare = undefined;
  }

  #askReport(): void {
    const { clip, frame } = this.#result!;
    this.#client.askReport({ ...this.#wantedReport!, clip, frame });
  }

  #giveUpReport(): void {
    if (this.#wantedReport) this.notices.info('The report was given up', 'Another scene is opened.');
    this.#wantedReport = undefined;
  }

  showScene(scene: OpenedScene, first: FrameResult, { files, link, served }: Wish): void {
    showProgress(undefined);
    this.#scene = scene;
    this.#files = files;
    this.#served = served;
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
    showAbout(files.length > 0 ? scene.files[0] : findScene(scene.id).title, scene);
    this.#view?.open(scene);
    this.player.clip = first.clip;
    this.player.load(scene.clips[first.clip].frameCount, scene.fps, first.frame);
    if (link?.paused) this.player.toggle(false);
    this.#chart.restyle(this.history);
    for (const note of scene.notes) this.notices.info(note);
    if (scene.kernels === 'ts' && this.#kernels === 'auto' && this.framesShown === 0) {
      const text = 'The slower TypeScript kernels are used; answers are the same.';
      this.notices.info('No WebAssembly here', text, 12);
    }
    this.#present(first);
    if (link?.camera && this.#view) this.#view.pose = link.camera;
    this.#mustAsk = this.#lacks(first); // other looks may have been chosen since it was asked for
    this.#linkSoon();
  }

  showFrame(result: FrameResult): void {
    const { positions, normals } = this.#result!;
    this.#present(result);
    this.#spare = { positions, normals };
    this.#isRecovering = false;
    if (this.#hasProgress) showProgress(undefined);
    this.#hasProgress = false;
    if (this.#wantedReport) this.#askReport();
  }

  showProgress(what: string, share: number): void {
    showProgress(what, share);
    this.#hasProgress = true;
  }

  /** Picture, numbers, lists and sound are always those of one frame: they change here, together. */
  #present(result: FrameResult): void {
    this.#result = result;
    this.#view?.showFrame(result, this.settings.looks);
    const { strikes } = result.facts ?? {};
    if (strikes) this.#sound.play(strikes, 1 / this.#scene!.fps);
    this.history.add(result.pliant.milliseconds, result.traditional.milliseconds);
    this.framesShown++;
    if (this.history.frames === 2) this.meter.restart(); // shaders have been made
    this.#showPanel();
  }

  #showPanel(): void {
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
    if (this.#scene === undefined) return;
    this.#scene = { ...this.#scene, values };
    if (clip !== undefined && clip !== this.player.clip) this.#chooseClip(clip);
    this.#mustAsk = true;
    this.#linkSoon();
  }

  #changeLooks(): void {
    const { looks } = this.settings;
    const { trace, curves } = this.#result ?? {};
    this.#mustAsk ||= this.#result !== undefined && this.#lacks(this.#result);
    this.#view?.setLooks(looks, trace !== undefined, curves !== undefined);
    this.showLegend();
    this.#linkSoon();
  }

  /** True where more of a frame is wanted than it brought. */
  #lacks({ curves, trace }: FrameResult): boolean {
    return (this.#wants.curves && !curves) || (this.#wants.trace && !trace);
  }

  showLegend(): void {
    showLegend(this.settings.looks, this.#scene, this.#result);
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

  saveReport(text: string, name: string): void {
    this.#wantedReport = undefined;
    this.#mustAsk = true; // the bodies stand elsewhere now
    showProgress(undefined);
    downloadText(text, name);
    this.notices.info(`Saved ${name}`);
  }

  fail(message: string, isExpected: boolean, wish: Wish | undefined): void {
    showProgress(undefined);
    this.#wantedReport = undefined;
    if (wish)
      this.#mustAsk = true; // what was asked before was dropped
    else if (this.#result) {
      this.player.toggle(false); // or the next picture would ask again
      this.player.seek(this.#result.frame);
      this.#mustAsk = false;
    }
    const what = wish && wish.files.length > 0 ? 'This cannot be shown' : 'This did not work';
    this.notices.error(isExpected ? what : 'Something went wrong', message);
    if (this.#scene) this.#gallery.mark(this.#scene.id, false);
    else if (wish && (wish.scene !== SCENES[0].id || wish.files.length > 0)) this.openScene(SCENES[0].id);
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
