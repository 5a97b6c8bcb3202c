import type { Editor } from './editor.ts';

const NUDGE = 0.01; // of the size of the model
const TURN = 0.12; // radians

/** Keys of the editor. Fields keep theirs; the page's own keys rest meanwhile. */
export function listenToKeys(editor: Editor, isOpen: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (!isOpen() || document.querySelector('dialog[open]') || isTyping(event)) return;
    const find = event.ctrlKey || event.metaKey ? withControl : editor.isLooking ? looking : plain;
    const run = find(editor, event);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

function withControl(editor: Editor, { key, shiftKey }: KeyboardEvent): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case 'z':
      return () => editor.send({ type: shiftKey ? 'redo' : 'undo' });
    case 'y':
      return () => editor.send({ type: 'redo' });
    case 's':
      return () => editor.send({ type: 'save' });
    case 'a':
      return () => editor.gestures.chooseAll();
    default:
      return undefined;
  }
}

/** While a pose is looked at: frames, and what turns the picture. */
function looking(editor: Editor, event: KeyboardEvent): (() => void) | undefined {
  const { correct } = editor;
  switch (event.altKey ? '' : event.key.toLowerCase()) {
    case ',':
      return () => correct.go(correct.strip.find(-1));
    case '.':
      return () => correct.go(correct.strip.find(1));
    case 'n':
      return () => correct.go(correct.strip.find(event.shiftKey ? 'previous' : 'next'));
    case 'w':
      return () => correct.go(correct.strip.find('worst'));
    default:
      return /^(Arrow.*|[fox+=-])$/i.test(event.key) ? plain(editor, event) : undefined;
  }
}

function plain(editor: Editor, { key, shiftKey, altKey }: KeyboardEvent): (() => void) | undefined {
  if (altKey) return undefined;
  const { gestures, tools, view, panel } = editor;
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'ArrowLeft':
    case 'ArrowRight':
    case 'ArrowUp':
    case 'ArrowDown':
    case 'PageUp':
    case 'PageDown':
      return () => moveOrTurn(editor, key, shiftKey);
    case 'Delete':
    case 'Backspace':
      return () => gestures.remove();
    case 'Escape':
      return () => gestures.choose(undefined);
    case 'n':
      return () => gestures.chooseNext(shiftKey ? -1 : 1);
    case 'h':
      return () => editor.setTool('handle');
    case 'p':
      return () => editor.setTool('pin');
    case 'g':
      return () => editor.setTool('rigid');
    case 'l':
      return () => editor.setOutline(tools.outline === 'box' ? 'lasso' : 'box');
    case 'a':
      return () => tools.addAt(0, 0);
    case 'e':
      return () => editor.setTurning(view.gizmo.mode !== 'rotate');
    case 'k':
      return () => editor.send({ type: 'keep-pose' });
    case 'r':
      return () => editor.record();
    case 'o':
      return () => editor.pickFiles();
    case 'f':
      return () => editor.fit();
    case 'x':
      return () => panel.toggle('glass');
    case 'v':
      return () => panel.toggle('heat');
    case 'm':
      return () => panel.toggle('levels');
    case '+':
    case '=':
      return () => view.rig.turn(0, 0, 1 / 1.12);
    case '-':
      return () => view.rig.turn(0, 0, 1.12);
    default:
      return undefined;
  }
}

/** Arrows move what is chosen in the picture's plane, pages away and nearer; with nothing chosen they turn. */
function moveOrTurn({ gestures, view }: Editor, key: string, isFar: boolean): void {
  const [x, y, z] = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, 1],
    PageDown: [0, 0, -1],
  }[key]!;
  if (gestures.chosen.size === 0 && gestures.chosenObstacle === undefined) {
    if (z === 0) view.rig.turn(TURN * x, TURN * y);
    view.invalidate();
    return;
  }
  const [right, up, away] = view.axes;
  const way = right.multiplyScalar(x).addScaledVector(up, y).addScaledVector(away, z);
  gestures.nudge(way.multiplyScalar(NUDGE * (isFar ? 5 : 1) * view.size));
}

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('textarea, select, [contenteditable]')) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' || key === ' ';
  if (target.matches('.lil-slider')) return key.startsWith('Arrow');
  return target.matches('button, summary, a') && (key === ' ' || key === 'Enter');
}
