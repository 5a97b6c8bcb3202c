import { create, setText } from '../../ui/dom.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { press } from '../buttons.ts';
import type { EditorState, OpenedModel } from '../engine/protocol.ts';
import type { Layout } from './layout.ts';

const TITLES = { shape: 'shape editor', pose: 'choose a pose', correction: 'correct a pose' } as const;

/** What is open, in the page's head and in the panel. */
export function showAbout(layout: Layout, model: OpenedModel): void {
  const { name, triangles, cageVertices, tetrahedra, levels, kind } = model;
  const cage = `, cage of ${formatCount(cageVertices)} vertices and ${plural(tetrahedra, 'tetrahedron', 'tetrahedra')}, ${plural(levels, 'level')}`;
  setText(layout.get('about'), `${plural(triangles, 'triangle')}${tetrahedra > 0 ? cage : ''}`);
  const title = document.getElementById('about')!;
  title.replaceChildren(create('strong', {}, name), ` · ${TITLES[kind]} · ${plural(triangles, 'triangle')}`);
  document.title = `${name} – Pliant Studio`;
}

/** What can be taken back, recorded and replayed. */
export function showSession({ get }: Layout, state: EditorState): void {
  get<HTMLButtonElement>('undo').disabled = state.undoes === undefined;
  get<HTMLButtonElement>('redo').disabled = state.redoes === undefined;
  get('undo').title = `Undo ${state.undoes ?? ''} (Ctrl+Z)`;
  get('redo').title = `Redo ${state.redoes ?? ''} (Ctrl+Shift+Z)`;
  press(get('record'), state.isRecording);
  setText(get('record'), state.isRecording ? 'Stop' : 'Record');
  get<HTMLButtonElement>('replay').disabled = state.recordedSteps === undefined && !state.isRecording;
  setText(get('replay'), state.isReplaying ? 'Stop replay' : 'Replay');
  const facts = [
    state.isRecording ? 'recording' : '',
    state.recordedSteps === undefined ? '' : `recording of ${plural(state.recordedSteps, 'step')}`,
    state.poses === 0 ? '' : `${plural(state.poses, 'pose')} kept`,
  ];
  setText(get('session'), facts.filter((fact) => fact !== '').join(', '));
}
