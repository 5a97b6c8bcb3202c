import './app/language.ts'; // before what needs one

import { App } from './app/app.ts';
import { connect } from './app/connection.ts';
import { readDrop, readPicked, readServed } from './app/dropped-files.ts';
import { keysOf } from './app/keys.ts';
import { parseLink } from './app/link.ts';
import { ThemeChoice } from './app/theme.ts';
import { EditorDoor } from './editor/door.ts';
import { EDITOR } from './editor/entry.ts';
import { SCENES } from './scenes/registry.ts';
import type { SourceFile } from './scenes/scene.ts';
import { byId } from './ui/dom.ts';
import { showHints } from './ui/hints.ts';
import { Shortcuts } from './ui/shortcuts.ts';
import { View } from './view/view.ts';

/** Undefined where there is no WebGL 2; the page then says so and shows everything else. */
function createView(onMove: () => void): View | undefined {
  const canvas = byId<HTMLCanvasElement>('view');
  const trial = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: false });
  trial?.getExtension('WEBGL_lose_context')?.loseContext();
  if (trial !== null) {
    try {
      return new View(canvas, onMove);
    } catch {
      // said below
    }
  }
  canvas.hidden = true;
  byId('no-view').hidden = false;
  byId('no-view-text').textContent =
    'This browser offers no WebGL 2. Queries, times and pairs work all the same; update the graphics driver, or allow hardware acceleration, to see the picture.';
  return undefined;
}

async function start(): Promise<void> {
  const link = parseLink(location.hash);
  let app: App | undefined;
  let isInline = false;
  const sayInline = () => {
    isInline = true;
    app?.notices.info('No workers here', 'Queries run between two pictures, so the page may stutter.', 12);
  };
  const connection = await connect({
    take: (reply) => app?.meter.add(() => app?.take(reply)),
    goInline: sayInline,
    lose: (message) => app?.lose(message),
  });
  const view = createView(() => app?.linkSoon());
  const theme: ThemeChoice = new ThemeChoice(link.theme, () => app?.restyle());
  app = new App(connection, view, link, () => theme);
  const door = new EditorDoor(app, () => theme.current);
  app.editor = door;
  view?.setTheme(theme.current);
  listen(app, theme, door);
  app.resize();
  app.showLegend();
  showHints();
  if (isInline) sayInline();
  await openFirst(app, link);
  const tick = (now: number) => {
    app.meter.add(() => (door.isOpen ? door.tick(now) : app.tick(now)));
    app.meter.close();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  Object.assign(globalThis, { pliantStudio: app }); // for tests and the curious
}

async function openFirst(app: App, link: ReturnType<typeof parseLink>): Promise<void> {
  const resolution = Number(link.values.resolution) || undefined;
  if (link.open === 'served') {
    try {
      const base = new URL('.', location.href.replace(/#.*/, '')).href;
      const isWanted = app.beginWish();
      const files = await readServed(base);
      if (!isWanted()) return;
      if (link.scene === EDITOR.id) app.openEditor({ files, resolution });
      else app.openFiles(files, 'served');
      return;
    } catch (error) {
      app.notices.error('The file could not be read', String((error as Error).message));
    }
  }
  if (link.scene === EDITOR.id) {
    app.openEditor({ example: link.values.example, resolution });
    return;
  }
  const known = SCENES.some(({ id }) => id === link.scene);
  if (link.scene !== undefined && !known) {
    app.notices.info(`There is no scene "${link.scene.slice(0, 40)}"`, 'Here is the first one instead.');
  }
  app.openScene(
    known ? link.scene! : SCENES[0].id,
    link.values,
    [],
    known || link.scene === undefined ? link : undefined,
  );
}

function listen(app: App, theme: ThemeChoice, door: EditorDoor): void {
  const files = byId<HTMLInputElement>('file-input'),
    folder = byId<HTMLInputElement>('folder-input');
  const take = async (read: Promise<SourceFile[]>) => {
    const isWanted = app.beginWish();
    try {
      const found = await read;
      if (!isWanted()) return; // something else was chosen while they were read
      if (door.isOpen) door.takeFiles(found);
      else app.openFiles(found);
    } catch (error) {
      if (isWanted()) app.notices.error('This could not be read', (error as Error).message);
    }
  };
  for (const input of [files, folder]) {
    input.onchange = () => {
      if (input.files?.length) void take(readPicked(input.files));
      input.value = '';
    };
  }
  const shortcuts = new Shortcuts(
    keysOf(app, {
      toggleTheme: () => theme.toggle(),
      showHelp: () => shortcuts.showHelp(),
      openFiles: () => files.click(),
    }),
  );
  shortcuts.isResting = () => door.isOpen;
  const clicks: Record<string, () => void> = {
    'open-files': () => files.click(),
    'open-folder': () => folder.click(),
    'export-png': () => void app.screenshot(),
    'export-json': () => app.report('json', false),
    'export-json-all': () => app.report('json', true),
    'export-html': () => app.report('html', true),
    'copy-link': () => void app.copyLink(),
    theme: () => theme.toggle(),
  };
  for (const [id, run] of Object.entries(clicks)) {
    byId(id).addEventListener('click', () => {
      closeMenus();
      run();
    });
  }
  addEventListener('hashchange', () => location.reload()); // another link was pasted
  document.querySelector<HTMLAnchorElement>('.skip')!.onclick = (event) => {
    event.preventDefault();
    byId('view').focus();
  };
  document.addEventListener('click', ({ target }) => closeMenus((target as Element).closest('.menu')));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeMenus());
  listenToDrops((transfer) => void take(readDrop(transfer)));
  new ResizeObserver(() => app.resize()).observe(byId('stage'));
}

function closeMenus(except: Element | null = null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
    if (menu !== except) menu.open = false;
  }
}

function listenToDrops(onDrop: (transfer: DataTransfer) => void): void {
  let depth = 0; // enter and leave also come from everything inside
  const show = () => document.body.classList.toggle('is-dragging', depth > 0);
  const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (holdsFiles(event)) depth++;
    show();
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    show();
  });
  addEventListener('dragover', (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    show();
    if (event.dataTransfer) onDrop(event.dataTransfer);
  });
}

void start();
