import { readPicked } from '../app/dropped-files.ts';
import type { SourceFile } from '../scenes/scene.ts';
import { create } from '../ui/dom.ts';
import type { Notices } from '../ui/notices.ts';
import type { Editor } from './editor.ts';
import type { ExportFormat } from './engine/exports.ts';
import type { ObstacleKind } from './engine/obstacles.ts';
import { EXAMPLES } from './examples/examples.ts';

/** What every button, field and menu of the editor does. */
export function listenToButtons(editor: Editor, notices: Notices): void {
  const { get, side } = editor.layout;
  const { tools, view, gestures, send } = editor;
  const clicks: Record<string, () => void> = {
    'tool-handle': () => editor.setTool('handle'),
    'tool-pin': () => editor.setTool('pin'),
    'tool-rigid': () => editor.setTool('rigid'),
    box: () => editor.setOutline('box'),
    lasso: () => editor.setOutline('lasso'),
    through: () => press(get('through'), (tools.isThrough = !tools.isThrough)),
    more: () => press(get('more'), (tools.isMore = !tools.isMore)),
    turn: () => editor.setTurning(view.gizmo.mode !== 'rotate'),
    undo: () => send({ type: 'undo' }),
    redo: () => send({ type: 'redo' }),
    reset: () => send({ type: 'reset' }),
    tour: () => editor.tour.start(),
    add: () => tools.addAt(0, 0),
    remove: () => gestures.remove(),
    cancel: () => send({ type: 'cancel' }),
    open: () => editor.pickFiles(),
    save: () => send({ type: 'save' }),
    record: () => editor.record(),
    replay: () => send({ type: editor.state?.isReplaying ? 'stop-replay' : 'replay' }),
    keep: () => send({ type: 'keep-pose' }),
    png: () => void editor.screenshot(),
    measure: () => editor.measureFull(),
  };
  for (const [id, run] of Object.entries(clicks)) get(id).onclick = run;
  for (const button of side.querySelectorAll<HTMLButtonElement>('[data-export]')) {
    button.onclick = () => send({ type: 'export', format: button.dataset.export as ExportFormat });
  }
  for (const button of side.querySelectorAll<HTMLButtonElement>('[data-obstacle]')) {
    const kind = button.dataset.obstacle as ObstacleKind;
    button.onclick = () =>
      kind === 'mesh' ? get('mesh-file').click() : send({ type: 'add-obstacle', kind });
  }
  listExamples(editor);
  const listen = (id: string, take: (files: SourceFile[]) => void) => {
    const input = get<HTMLInputElement>(id);
    input.onchange = async () => {
      try {
        if (input.files?.length) take(await readPicked(input.files));
      } catch (error) {
        notices.error('This could not be read', (error as Error).message);
      }
      input.value = '';
    };
  };
  listen('file', (files) => editor.openFiles(files));
  listen('mesh-file', (files) => send({ type: 'add-obstacle', kind: 'mesh', files }));
}

export function press(button: HTMLElement, isPressed: boolean): void {
  button.setAttribute('aria-pressed', String(isPressed));
}

function listExamples(editor: Editor): void {
  const menu = editor.layout.get<HTMLSelectElement>('example');
  menu.replaceChildren(
    create('option', { value: '', textContent: 'your own', disabled: true }),
    ...EXAMPLES.map(({ id, title, summary }) =>
      create('option', { value: id, textContent: title, title: summary }),
    ),
  );
  menu.onchange = () => editor.openExample(menu.value);
}
