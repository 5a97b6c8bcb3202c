import { InputError, type TaskPool } from 'pliant';
import { readStored } from 'pliant/io';
import { findExample } from '../examples/examples.ts';
import {
  type AnimatedFile,
  firstChoice,
  type PoseChoice,
  readAgain,
  readAnimated,
} from './correct/animated-file.ts';
import { CORRECTION_PROJECT, readCorrection } from './correct/correction-project.ts';
import { Posing } from './correct/posing.ts';
import { prepareCorrection } from './correct/prepare-correction.ts';
import { readStoredFile } from './correct/stored-file.ts';
import { type EditedModel, readModel } from './model.ts';
import { readProject } from './project.ts';
import type { Command, TargetOptions } from './protocol.ts';
import { EditorSession } from './session.ts';
import type { StoredChanges, VisitStore } from './store.ts';

export type OpenCommand = Extract<
  Command,
  {
    type:
      | 'open-example'
      | 'open-files'
      | 'open-project'
      | 'open-last'
      | 'prepare'
      | 'choose-pose'
      | 'prepare-correction'
      | 'keep-correction'
      | 'leave-pose';
  }
>;

/** A session, or a pose that is looked at: one of them is there. */
export interface OpenedSession {
  readonly session?: EditorSession;
  readonly posing?: Posing;
  /** Where poses can be corrected: the file. */
  readonly file?: AnimatedFile;
  readonly example?: string;
  readonly isRestored?: boolean;
  /** What went wrong, and what is shown instead. */
  readonly problem?: { readonly title: string; readonly text: string };
}

/** What is shown until then. */
export type Before = Pick<OpenedSession, 'session' | 'posing' | 'file' | 'example'>;

export interface OpenWork {
  readonly pool: TaskPool | undefined;
  readonly store: VisitStore | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, share: number) => void;
  /** A file has been read whose poses can be corrected; its shape takes longer. */
  readonly onFile: (file: AnimatedFile | undefined) => void;
}

const PROJECT = /\.pliant-shape$/i;

/** A session for whatever was asked for. */
export async function openSession(
  command: OpenCommand,
  before: Before,
  work: OpenWork,
): Promise<OpenedSession> {
  switch (command.type) {
    case 'open-example':
      return openExample(command.example, command.resolution, work);
    case 'open-files': {
      const project = command.files.find(({ path }) => PROJECT.test(path));
      if (project) return openProject(project.bytes, project.path, work);
      work.onProgress('Reading', 0);
      const file = await readAnimated(command.files);
      const model = await readModel(command.files);
      work.signal.throwIfAborted();
      work.onFile(file);
      return openModel(model, file, command.resolution, work);
    }
    case 'open-project':
      return openProject(command.bytes, command.name, work);
    case 'open-last':
      return openLast(command.example, command.resolution, work);
    case 'prepare': {
      const { session, file } = before;
      if (session?.corrected) return correct(before, command.resolution, work);
      const { model, settings, obstacles, clusters } = session!;
      const options = { resolution: command.resolution, settings, obstacles, clusters, ...progress(work) };
      return { session: await EditorSession.create(model, options), example: before.example, file };
    }
    case 'choose-pose': {
      const { type: _, ...wanted } = command;
      const file = needFile(before);
      const choice = choiceOf(before) ?? firstChoice(file);
      const time = wanted.clip === undefined || wanted.clip === choice.clip ? choice.time : 0;
      return { posing: await Posing.create(file, { ...choice, time, ...defined(wanted) }), file };
    }
    case 'prepare-correction':
      return correct(before, command.resolution, work);
    case 'keep-correction': {
      const file = await readAgain(needFile(before), await writeCorrected(before, command));
      return { posing: await Posing.create(file, choiceOf(before)!), file };
    }
    case 'leave-pose': {
      const file = needFile(before);
      const model = await readModel([{ path: file.name, bytes: file.bytes }, ...file.siblings]);
      return openModel(model, file, undefined, work);
    }
  }
}

/** The file with the correction that is open. Errors: 'no-pose' when none is, and those of `writeGlb`. */
export async function writeCorrected(
  { session, posing, file }: Before,
  { name, ramp }: TargetOptions,
): Promise<Uint8Array> {
  const correction = session?.corrected?.correction ?? posing?.correction;
  if (!file || !correction) throw new InputError('no-pose', 'there is no correction yet: prepare one');
  return correction.writeGlb(file.bytes, { ...file.options, name: name.trim() || undefined, ramp });
}

export function choiceOf({ session, posing }: Before): PoseChoice | undefined {
  return posing?.choice ?? session?.corrected?.choice;
}

function needFile({ file }: Before): AnimatedFile {
  if (file) return file;
  throw new InputError(
    'no-pose',
    'what is open has no skin that a clip moves: open a .glb or .gltf that has',
  );
}

async function correct(
  before: Before,
  resolution: number | undefined,
  { pool, signal, onProgress }: OpenWork,
): Promise<OpenedSession> {
  const file = needFile(before);
  const choice = choiceOf(before);
  if (choice === undefined) throw new InputError('no-pose', 'which pose? Choose one first');
  onProgress('Preparing the pose', 0);
  const tell = (share: number) => onProgress('Preparing the pose', share);
  return { ...(await prepareCorrection(file, choice, { resolution, pool, signal, onProgress: tell })), file };
}

/** A file of which no shape can be made as a whole may still have poses to correct. */
async function openModel(
  model: EditedModel,
  file: AnimatedFile | undefined,
  resolution: number | undefined,
  work: OpenWork,
): Promise<OpenedSession> {
  try {
    return { session: await EditorSession.create(model, { resolution, ...progress(work) }), file };
  } catch (error) {
    if (file === undefined || work.signal.aborted || (error as Error)?.name !== 'InputError') throw error;
    const problem = {
      title: 'No shape can be made of this file as a whole',
      text: `Its poses can be corrected all the same. ${(error as Error).message}`,
    };
    return { posing: await Posing.create(file, firstChoice(file)), file, problem };
  }
}

async function openProject(
  bytes: Uint8Array,
  name: string,
  work: OpenWork,
  changes?: StoredChanges,
): Promise<OpenedSession> {
  const { pool, signal, onProgress } = work;
  const data = readStored(bytes, name);
  if (data.kind !== CORRECTION_PROJECT) {
    const session = await readProject(bytes, name, { pool, light: changes?.snapshot });
    return { session, file: await readStoredFile(data, name), isRestored: true };
  }
  const tell = (share: number) => onProgress('Preparing the pose', share);
  const { problem, ...opened } = await readCorrection(data, name, {
    pool,
    signal,
    onProgress: tell,
    changes,
  });
  return {
    ...opened,
    isRestored: true,
    ...(problem && { problem: { title: 'Not all of the project could be restored', text: problem } }),
  };
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
  let text: string | undefined;
  try {
    const visit = await work.store?.readVisit();
    if (visit) {
      work.onProgress('Opening what you had', 0);
      return await openProject(visit.project, 'the last project', work, visit.changes);
    }
  } catch (error) {
    if (work.signal.aborted) throw error;
    text = error instanceof Error ? error.message : String(error);
  }
  const opened = await openExample(example, resolution, work);
  return text === undefined
    ? opened
    : { ...opened, problem: { title: 'The last project could not be opened', text } };
}

function progress({ pool, signal, onProgress }: OpenWork) {
  return {
    pool,
    signal,
    onProgress: (share: number) =>
      onProgress(share < 0.25 ? 'Filling with tetrahedra' : 'Preparing functions', share),
  };
}

function defined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, x]) => x !== undefined)) as Partial<Value>;
}
