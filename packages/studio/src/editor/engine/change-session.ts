import { InputError } from 'pliant';
import type { Edit } from './edits.ts';
import { pickRegion, pickVertex } from './pick.ts';
import type { Answer, Command } from './protocol.ts';
import type { EditorSession } from './session.ts';

/** What a command has changed: where things are, what there is, or more than is kept of every change. */
export type Change = 'moved' | 'changed' | 'heavy';

/** Obeys a command that changes a session. Undefined: nothing has changed. */
export function changeSession(
  session: EditorSession,
  command: Command,
  reply: (answer: Answer) => void,
): Change | undefined {
  const once = (what: string, edit: Edit) => session.do(what, edit);
  const added = (id: number | undefined) => reply({ type: 'added', what: 'control', id: id! });
  switch (command.type) {
    case 'add-handle':
      added(once('add handle', { do: 'add-handle', vertex: command.vertex }));
      break;
    case 'add-handle-at': {
      const { origin, direction, within = Number.POSITIVE_INFINITY } = command;
      const hit = pickVertex(session.model, session.positions, origin, direction);
      if (hit === undefined || hit.distance > within) {
        reply({ type: 'missed' });
        return undefined;
      }
      added(once('add handle', { do: 'add-handle', vertex: hit.vertex }));
      break;
    }
    case 'add-region': {
      const { kind, polygon, matrix, through } = command;
      const vertices = pickRegion(session.model, session.positions, polygon, matrix, through);
      if (vertices.length === 0) {
        const text = 'There is nothing of the shape within this outline.';
        reply({ type: 'notice', title: 'Nothing was chosen', text });
        return undefined;
      }
      added(once(kind === 'pin' ? 'pin region' : 'rigid region', { do: 'add-region', kind, vertices }));
      break;
    }
    case 'begin':
      session.begin(command.what);
      break;
    case 'move':
      session.edit({ do: 'move', moves: command.moves });
      return 'moved'; // frames say where things are
    case 'remove':
      once('remove', { do: 'remove', ids: command.ids });
      break;
    case 'move-obstacle': {
      const obstacles = session.obstacles.map((obstacle) =>
        obstacle.id === command.id
          ? { ...obstacle, matrix: command.matrix, size: command.size ?? obstacle.size }
          : obstacle,
      );
      session.edit({ do: 'obstacles', obstacles });
      break;
    }
    case 'remove-obstacle': {
      const obstacles = session.obstacles.filter(({ id }) => id !== command.id);
      once('remove obstacle', { do: 'obstacles', obstacles });
      break;
    }
    case 'settings':
      session.edit({ do: 'settings', settings: command.settings });
      break;
    case 'undo':
      session.undo();
      break;
    case 'redo':
      session.redo();
      break;
    case 'reset':
      session.reset();
      break;
    case 'record':
      session.startRecording();
      break;
    case 'stop-recording':
      session.stopRecording();
      return 'heavy';
    case 'replay':
      if (!session.startReplay()) throw new InputError('empty', 'nothing has been recorded yet');
      break;
    case 'stop-replay':
      session.stopReplay();
      break;
    case 'keep-pose':
      session.keepPose();
      return 'heavy';
    case 'forget-poses':
      session.poses = [];
      return 'heavy';
  }
  return 'changed';
}
