import type { TaskPool } from 'pliant';
import { findExample } from '../examples/examples.ts';
import type { EditedModel } from './model.ts';
import { readModel } from './model.ts';
import { readProject } from './project.ts';
import type { Command } from './protocol.ts';
import { EditorSession } from './session.ts';
import type { VisitStore } from './store.ts';

export type OpenCommand = Extract<
  Command,
  { type: 'open-example' | 'open-files' | 'open-project' | 'open-last' | 'prepare' }
>;

export interface OpenedSession {
  readonly session: EditorSession;
  readonly example?: string;
  readonly isRestored?: boolean;
  /** What went wrong with what was kept, where an example is shown instead. */
  readonly problem?: string;
}

export interface OpenWork {
  readonly pool: TaskPool | undefined;
  readonly store: VisitStore | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, share: number) => void;
}

const PROJECT = /\.pliant-shape$/i;

/** A session for whatever was asked for. `before` is the one that is shown until then. */
export async function openSession(
  command: OpenCommand,
  before: { readonly session: EditorSession; readonly example?: string } | undefined,
  work: OpenWork,
): Promise<OpenedSession> {
  switch (command.type) {
    case 'open-example':
      return openExample(command.example, command.resolution, work);
    case 'open-files': {
      const project = command.files.find(({ path }) => PROJECT.test(path));
      if (project) return { session: await readProject(project.bytes, project.path, work), isRestored: true };
      work.onProgress('Reading', 0);
      return { session: await create(await readModel(command.files), command.resolution, work) };
    }
    case 'open-project':
      return { session: await readProject(command.bytes, command.name, work), isRestored: true };
    case 'open-last':
      return openLast(command.example, command.resolution, work);
    case 'prepare': {
      const { model, settings, obstacles, clusters } = before!.session;
      const options = { resolution: command.resolution, settings, obstacles, clusters, ...progress(work) };
      return { session: await EditorSession.create(model, options), example: before!.example };
    }
  }
}

async function openExample(
  id: string,
  resolution: number | undefined,
  work: OpenWork,
): Promise<OpenedSession> {
  const example = findExample(id);
  work.onProgress(`Building: ${example.title}`, 0);
  const { model, obstacles } = await example.create();
  work.signal.throwIfAborted();
  const session = await EditorSession.create(model, {
    resolution: resolution ?? example.resolution,
    obstacles,
    ...progress(work),
  });
  return { session, example: id };
}

/** What was kept may be damaged or of another version: then the page starts with the example, and says why. */
async function openLast(
  example: string,
  resolution: number | undefined,
  work: OpenWork,
): Promise<OpenedSession> {
  let problem: string | undefined;
  try {
    const visit = await work.store?.readVisit();
    if (visit) {
      work.onProgress('Opening what you had', 0);
      const { pool } = work;
      const light = visit.changes?.snapshot;
      const session = await readProject(visit.project, 'the last project', { pool, light });
      return { session, isRestored: true };
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return { ...(await openExample(example, resolution, work)), problem };
}

async function create(
  model: EditedModel,
  resolution: number | undefined,
  work: OpenWork,
): Promise<EditorSession> {
  return EditorSession.create(model, { resolution, ...progress(work) });
}

function progress({ pool, signal, onProgress }: OpenWork) {
  return {
    pool,
    signal,
    onProgress: (share: number) =>
      onProgress(share < 0.25 ? 'Filling with tetrahedra' : 'Preparing functions', share),
  };
}
