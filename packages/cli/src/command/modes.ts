import { createTaskPool, type TaskPool } from 'pliant';
import { writeModes, writeNpy } from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { linearModes, type ModesWork, nonlinearModes, quadraticModes } from '../modes/elastic-modes.ts';
import { importedModes, morphModes, recordedModes } from '../modes/given-modes.ts';
import type { MadeModes } from '../modes/made-modes.ts';
import { modesJson, modesText } from '../modes/modes-report.ts';
import type { ModesKind, ModesSettings } from '../modes/modes-settings.ts';
import { type ModesSource, openModesSource } from '../modes/modes-source.ts';
import { refuseClashes } from '../output/clashes.ts';
import { OutputFile } from '../output/output-file.ts';
import { StageProgress } from '../output/stage-progress.ts';
import { printNote, printOut } from '../output/streams.ts';
import { Interruption } from './interruption.ts';

/** Runs `pliant modes`: computes modes, or takes given ones, and stores them. Stopped or failed, it writes nothing. */
export async function modes(paths: readonly string[], settings: ModesSettings): Promise<number> {
  const interruption = new Interruption();
  const progress = new StageProgress(settings.quiet);
  let pool: TaskPool | undefined;
  const outputs = new Map<'out' | 'npy' | 'json', OutputFile>();
  try {
    const source = await openModesSource(paths, settings.mesh);
    const { out, npy, json, tetrahedra, importPath } = settings;
    const targets = [
      { option: '-o', path: out },
      { option: '--npy', path: npy },
      { option: '--json', path: json },
    ];
    const later = [tetrahedra, importPath].filter((path) => path !== undefined);
    await refuseClashes(targets, [...source.paths, ...later]);
    for (const name of ['out', 'npy', 'json'] as const) {
      const path = settings[name];
      if (path !== undefined)
        outputs.set(name, await OutputFile.open(path, name === 'json' ? 'json' : 'other'));
    }
    const { signal } = interruption;
    pool = await createTaskPool({ threads: 1 });
    const made = await makeModes({ source, settings, progress, signal, pool });
    progress.update('writing', 0);
    await pause();
    signal.throwIfAborted();
    await write(outputs, source, made, settings);
    progress.finish();
    if (!settings.quiet) await report(source, made, settings, progress);
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted || error !== interruption.signal.reason) throw error;
    progress.finish();
    if (!settings.quiet) printNote('stopped; nothing was written');
    return interruption.exitCode;
  } finally {
    progress.finish();
    pool?.dispose();
    for (const file of outputs.values()) await file.discard();
    interruption.dispose();
  }
}

const MAKERS: Readonly<Record<ModesKind, (work: ModesWork) => MadeModes | Promise<MadeModes>>> = {
  linear: linearModes,
  nonlinear: nonlinearModes,
  polynomial: quadraticModes,
  morph: morphModes,
  sequence: recordedModes,
};

async function makeModes(work: ModesWork): Promise<MadeModes> {
  const { source, settings } = work;
  if (settings.importPath !== undefined) return importedModes(work, settings.importPath);
  const kind = settings.kind ?? (source.frames ? 'sequence' : 'linear');
  if (source.frames && kind !== 'sequence') {
    throw new CommandError(
      `${source.path}: ${kind} modes are made of one mesh; frames have modes of kind sequence`,
    );
  }
  return MAKERS[kind](work);
}

async function write(
  outputs: ReadonlyMap<'out' | 'npy' | 'json', OutputFile>,
  source: ModesSource,
  made: MadeModes,
  settings: ModesSettings,
): Promise<void> {
  const { modes: found } = made.model;
  const model = { ...made.model, details: detailsOf(source, made, settings) };
  await outputs.get('out')!.write(writeModes(model, source.surface));
  const shape = [found.count, source.surface.sourceVertexCount, 3];
  await outputs.get('npy')?.write(writeNpy(shape, found.displacements));
  await outputs.get('json')?.write(`${JSON.stringify(modesJson(source, made), null, 1)}\n`);
  for (const file of outputs.values()) await file.commit();
}

/** What `pliant info` shows of how the modes were made. */
function detailsOf(
  { files }: ModesSource,
  { solid, rigidModes, volume }: MadeModes,
  settings: ModesSettings,
): Record<string, unknown> {
  return {
    files: files.length > 2 ? [files[0], files.at(-1)] : files,
    ...(solid?.lattice && { cellSize: solid.lattice.cellSize }),
    ...(volume !== undefined && { volume }),
    ...(solid && { parts: solid.parts.length }),
    ...(rigidModes !== undefined && { rigidModes }),
    ...(settings.fix.length > 0 && { fix: settings.fix.map(({ text }) => text) }),
  };
}

async function report(
  source: ModesSource,
  made: MadeModes,
  { out, npy, json }: ModesSettings,
  progress: StageProgress,
): Promise<void> {
  for (const note of source.notes) printNote(note);
  if (![out, npy, json].includes('-')) await printOut(modesText(source, made));
  printNote(`${progress.times()}`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
