import type { Editor } from './editor.ts';
import type { TourStep } from './ui/tour.ts';

/** Two minutes through the editor. What has been done before counts as done, but for looking around. */
export function tourOf(editor: Editor): TourStep[] {
  const controls = (kind: string) =>
    editor.frame?.controls.filter((control) => control.kind === kind).length ?? 0;
  const eye = () =>
    editor.view.camera.position
      .toArray()
      .map((x) => x.toFixed(3))
      .join();
  let firstEye = '';
  return [
    {
      title: 'Look around',
      text: 'Drag beside the shape to turn it, use the wheel or two fingers to come closer. F shows all of it.',
      about: '#edit-view',
      begin: () => {
        firstEye = eye();
      },
      isDone: () => eye() !== firstEye,
    },
    {
      title: 'Take hold',
      text: 'Click the shape where it should stay, say at its foot, then at two more places: each click adds a handle. A adds one in the middle of the picture.',
      about: '#edit-tool-handle',
      isDone: () => controls('handle') >= 3,
    },
    {
      title: 'Pull until it touches',
      text: 'Drag a handle freely, or by the arrows of the gizmo, until two parts meet. Contacts turn red; a handle that cannot go on waits, and a line leads to where you want it.',
      about: '#edit-view',
      isDone: () => (editor.frame?.figures?.pushing ?? 0) > 0,
    },
    {
      title: 'Take it back',
      text: 'Undo, and redo if you like: every gesture is one step.',
      about: '#edit-undo',
      isDone: () => editor.state?.redoes !== undefined,
    },
    {
      title: 'Pin a region',
      text: 'Choose Pin and draw a box around what should stay. Rigid does the same for what should move as one.',
      about: '#edit-tool-pin',
      isDone: () => controls('pin') > 0,
    },
    {
      title: 'Push against something',
      text: 'Add a sphere, and move it into the shape with the gizmo or the arrow keys.',
      about: '[data-obstacle="sphere"]',
      isDone: () => (editor.state?.obstacles.length ?? 0) > 0,
    },
    {
      title: 'See what it does',
      text: 'Manipulators by level and functions as heat show where the shape has got finer. A step takes milliseconds; measure the full method to compare.',
      about: '#edit-measure',
      isDone: () => editor.full !== undefined,
    },
    {
      title: 'Keep it',
      text: 'Export the shape as OBJ, GLB or morph target, keep poses for a sequence, or save the project. What you have done is there again when you come back to this page.',
      about: '[data-export], #edit-save',
    },
  ];
}
