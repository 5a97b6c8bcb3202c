import { SCENES } from '../../scenes/registry.ts';
import { create } from '../../ui/dom.ts';

type Keys = readonly (readonly [label: string, what: string])[];

/** What keys.ts does, as people read it. */
const SHAPE: Keys = [
  ['A', 'add a handle in the middle of the picture'],
  ['H', 'handles: click to add, drag to move'],
  ['P', 'outline what is pinned'],
  ['G', 'outline what moves as one'],
  ['L', 'outlines: box or lasso'],
  ['N', 'choose the next; with Shift the one before'],
  ['Ctrl+A', 'choose all'],
  ['Esc', 'choose nothing'],
  ['← → ↑ ↓', 'move what is chosen; else turn the picture'],
  ['PgUp PgDn', 'move it away, nearer'],
  ['Shift', 'with these: five times as far'],
  ['E', 'the gizmo turns, or moves'],
  ['Delete', 'remove what is chosen'],
  ['Ctrl+Z', 'undo'],
  ['Ctrl+Shift+Z', 'redo'],
  ['Ctrl+S', 'save the project'],
  ['R', 'record, or stop'],
  ['K', 'keep this pose'],
  ['F', 'all in the picture'],
  ['+ −', 'closer, farther'],
  ['X', 'see through'],
  ['V', 'functions as heat'],
  ['M', 'manipulators by level'],
  ['O', 'open a model or project'],
  ['T', 'light or dark'],
  [`1 … ${SCENES.length}`, 'scenes of the studio'],
];

const POSE: Keys = [
  [', .', 'one frame back, on'],
  ['N', 'next frame with contacts; with Shift the one before'],
  ['W', 'the frame in which most pairs touch'],
];

/** Keys of the editor in the page's help; while it is open they are shown instead of the page's own. */
export function createHelp(): HTMLElement {
  return create(
    'div',
    { className: 'editor-help' },
    create(
      'p',
      {},
      'Click a shape to take hold of it, and pull: it follows as rigidly as it can, and stops where it touches itself or something else. Handles that cannot go on wait.',
    ),
    listOf(SHAPE),
    create('h3', {}, 'While a pose is chosen to be corrected'),
    listOf(POSE),
  );
}

function listOf(keys: Keys): HTMLElement {
  return create(
    'dl',
    {},
    ...keys.flatMap(([label, what]) => [
      create('dt', {}, ...label.split(' ').map((key) => create('kbd', {}, key))),
      create('dd', {}, what),
    ]),
  );
}
