import type { App } from '../app/app.ts';
import { SCENES } from '../scenes/registry.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { byId } from '../ui/dom.ts';
import { showProgress } from '../ui/notices.ts';
import type { Theme } from '../view/palette.ts';
import type { Editor } from './editor.ts';
import { EDITOR } from './entry.ts';

export interface FirstModel {
  readonly files?: readonly SourceFile[];
  readonly example?: string;
  readonly resolution?: number;
}

/** The way into the editor and out of it. Its script is loaded when somebody goes in. */
export class EditorDoor {
  readonly #app: App;
  readonly #theme: () => Theme;
  #editor: Promise<Editor> | undefined;
  #ready: Editor | undefined;
  #isOpen = false;

  constructor(app: App, theme: () => Theme) {
    this.#app = app;
    this.#theme = theme;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(first: FirstModel = {}): Promise<void> {
    this.#enter(true);
    history.replaceState(null, '', `#scene=${EDITOR.id}`);
    try {
      this.#editor ??= this.#load();
      const editor = await this.#editor;
      this.#ready = editor;
      if (!this.#isOpen) return;
      editor.layout.stage.append(byId('notices'));
      editor.open(first);
    } catch (error) {
      this.#editor = undefined;
      this.close();
      if (this.#app.scene === undefined) this.#app.openScene(SCENES[0].id);
      const text = 'It needs WebGL 2: allow hardware acceleration, or update the graphics driver.';
      this.#app.notices.error('The editor cannot be shown', `${text} (${(error as Error).message})`);
    }
  }

  takeFiles(files: readonly SourceFile[]): void {
    void this.open({ files });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#enter(false);
    byId('stage').append(byId('notices'));
    this.#ready?.close();
    this.#app.resize();
  }

  /** Once per picture of the screen. */
  tick(now: number): void {
    this.#ready?.tick(now);
  }

  #enter(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#app.isAway = isOpen;
    this.#app.meter.restart();
    document.body.classList.toggle('is-editing', isOpen);
    if (isOpen) showProgress(undefined);
  }

  async #load(): Promise<Editor> {
    const { Editor } = await import('./editor.ts');
    const { notices, meter } = this.#app;
    const editor = await Editor.create({ notices, meter, theme: this.#theme });
    Object.assign(globalThis, { pliantEditor: editor }); // for tests and the curious
    return editor;
  }
}
