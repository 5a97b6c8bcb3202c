import { basename, dirname, extname, join, resolve } from 'node:path';
import { createEngine, type Engine } from 'pliant';
import { createCorrection } from 'pliant/edit';
import { type GltfScene, type ReadGltfOptions, readGltf } from 'pliant/gltf';
import { Interruption } from '../command/interruption.ts';
import { CommandError } from '../command-error.ts';
import { refuseClashes } from '../output/clashes.ts';
import { OutputFile, type OutputKind } from '../output/output-file.ts';
import { StageProgress } from '../output/stage-progress.ts';
import { printNote, printOut } from '../output/streams.ts';
import { printable } from '../output/text.ts';
import { openModel } from '../scene/open-gltf.ts';
import type { CorrectSettings } from './correct-command.ts';
import {
  type CorrectedMesh,
  type CorrectOutcome,
  correctJson,
  correctText,
  leftover,
} from './correct-report.ts';
import { countContacts } from './frame-contacts.ts';

/** Runs `pliant correct`. Stopped or failed, it writes nothing. */
export async function correct(path: string, settings: CorrectSettings): Promise<number> {
  const interruption = new Interruption();
  const progress = new StageProgress(settings.quiet);
  const engine = await createEngine();
  const outputs: OutputFile[] = [];
  try {
    const model = await openModel(path);
    const out = await targetOf(path, model.bytes, settings);
    const open = async (target: string, kind?: OutputKind) => {
      outputs.push(await OutputFile.open(target, kind));
      return outputs.at(-1)!;
    };
    const file = await open(out); // before the work, so that it is not in vain
    const json = settings.json === undefined ? undefined : await open(settings.json, 'json');
    const job: Job = { path, settings, engine, progress, signal: interruption.signal, ...model };
    const { bytes, outcome: found, notes } = await correctMeshes(job);
    const isWritten = found.meshes.some(({ target }) => target !== null);
    const outcome = { ...found, out: isWritten ? out : undefined };
    progress.finish();
    if (isWritten) {
      await file.write(bytes);
      await file.commit();
    }
    await json?.write(`${JSON.stringify(correctJson(outcome), null, 1)}\n`);
    await json?.commit();
    if (!settings.quiet) {
      for (const note of notes) printNote(note);
      if (out !== '-' && settings.json !== '-') await printOut(correctText(outcome));
    }
    return leftover(outcome) > 0 ? 1 : 0;
  } catch (error) {
    if (!interruption.signal.aborted || error !== interruption.signal.reason) throw error;
    progress.finish();
    if (!settings.quiet) printNote('stopped; nothing was written');
    return interruption.exitCode;
  } finally {
    progress.finish();
    engine.dispose();
    for (const file of outputs) await file.discard();
    interruption.dispose();
  }
}

interface Job {
  readonly path: string;
  readonly settings: CorrectSettings;
  readonly engine: Engine;
  readonly progress: StageProgress;
  readonly signal: AbortSignal;
  readonly bytes: Uint8Array;
  readonly options: ReadGltfOptions;
  readonly scene: GltfScene;
}

/** One mesh after the other: each adds its morph target to what the one before has made. */
async function correctMeshes(
  job: Job,
): Promise<{ bytes: Uint8Array; outcome: Omit<CorrectOutcome, 'out'>; notes: string[] }> {
  const { path, settings, engine, progress, signal, options, scene: first } = job;
  const { time } = settings;
  const clip = findClip(first, path, settings.clip);
  const { duration } = first.clips[clip];
  if (time > duration) {
    throw new CommandError(`${path}: the clip lasts ${duration} s, so there is nothing at ${time} s`);
  }
  const chosen = findMeshes(first, path, settings.meshes);
  const before = await countContacts(engine, first, path, clip, time);
  const notes: string[] = [];
  const meshes: CorrectedMesh[] = [];
  let { bytes, scene } = job;
  for (const m of chosen) {
    if (before.within[m] === 0) continue;
    const name = nameOf(first, m);
    progress.announce(`"${printable(name)}"`);
    const tell = (share: number) => progress.update(`"${printable(name)}"`, share);
    const correction = await createCorrection(scene, clip, time, {
      mesh: m,
      engine,
      signal,
      shape: 'needed',
      cage: settings.vertices === undefined ? undefined : { vertices: settings.vertices },
      ramp: settings.ramp,
      onProgress: (share) => tell(0.7 * share),
    });
    try {
      const { before: found } = correction;
      if (found.pairs === found.atBind) continue;
      const report = await correction.resolve({ signal, onProgress: (share) => tell(0.7 + 0.3 * share) });
      const isBetter = report.after.pairs < found.pairs;
      const target = isBetter ? correction.toMorphTarget().name : null;
      if (isBetter) {
        bytes = await correction.writeGlb(bytes, options);
        scene = await readGltf(bytes, path, options);
      }
      notes.push(...correction.notes.map((note) => `"${printable(name)}": ${note}`));
      meshes.push({
        name,
        node: first.meshes[m].node,
        before: before.within[m],
        after: 0, // until the file has been checked
        atBind: report.after.atBind,
        moved: isBetter ? report.moved : 0,
        furthest: isBetter ? report.furthest : 0,
        target,
      });
    } finally {
      correction.dispose();
    }
  }
  const after = await countContacts(engine, scene, path, clip, time);
  const places = new Map(first.meshes.map(({ node }, m) => [node, m]));
  const outcome = {
    file: path,
    clip: first.clips[clip].name || String(clip),
    time,
    meshes: meshes.map((mesh) => ({ ...mesh, after: after.within[places.get(mesh.node)!] })),
    between: after.between,
  };
  return { bytes, outcome, notes };
}

function findClip({ clips }: GltfScene, path: string, wanted: string | undefined): number {
  const names = clips.map(({ name }, index) => name || String(index));
  if (names.length === 0) throw new CommandError(`${path}: there are no clips in this file`);
  if (wanted === undefined && names.length === 1) return 0;
  const index = wanted === undefined ? -1 : names.indexOf(wanted);
  if (index >= 0) return index;
  const list =
    names
      .slice(0, 8)
      .map((name) => printable(name))
      .join(', ') + (names.length > 8 ? ', …' : '');
  throw new CommandError(
    wanted === undefined
      ? `${path}: which clip? --clip names one of ${list}`
      : `${path}: there is no clip "${printable(wanted)}", only ${list}`,
  );
}

/** Meshes with a skin, or those of them that are named. */
function findMeshes(scene: GltfScene, path: string, wanted: readonly string[]): number[] {
  const skinned = scene.meshes.flatMap(({ skin, triangles }, m) => (skin && triangles.length > 0 ? [m] : []));
  if (skinned.length === 0) {
    throw new CommandError(
      `${path}: no mesh of the scene has a skin; only what a skin brings together is corrected`,
    );
  }
  if (wanted.length === 0) return skinned;
  for (const name of wanted) {
    const named = scene.meshes.flatMap((mesh, m) => (isNamed(scene, m, name) ? [mesh] : []));
    if (named.length === 0) throw new CommandError(`${path}: no node or mesh is called "${printable(name)}"`);
    if (!named.some(({ skin }) => skin)) throw new CommandError(`${path}: "${printable(name)}" has no skin`);
  }
  return skinned.filter((m) => wanted.some((name) => isNamed(scene, m, name)));
}

function isNamed(scene: GltfScene, m: number, name: string): boolean {
  return [nameOf(scene, m), scene.meshes[m].name].includes(name);
}

function nameOf({ meshes }: GltfScene, m: number): string {
  return meshes[m].nodeName || meshes[m].name || `node ${meshes[m].node}`;
}

/** Beside the model; never in place of it, and of the same kind: a .gltf stays one, with its files beside it. */
async function targetOf(path: string, bytes: Uint8Array, { out, json }: CorrectSettings): Promise<string> {
  const isGlb = bytes[0] === 0x67 && bytes[1] === 0x6c; // gl; JSON begins otherwise
  const kind = isGlb ? '.glb' : '.gltf';
  const plain = path.replace(/\.gz$/i, '');
  const target = out ?? join(dirname(plain), `${basename(plain, extname(plain))}.corrected${kind}`);
  await refuseClashes(
    [
      { option: '-o', path: target, isModel: true },
      { option: '--json', path: json },
    ],
    [path],
  );
  if (target === '-') return target;
  if (/\.(glb|gltf)$/i.test(target) && extname(target).toLowerCase() !== kind) {
    throw new CommandError(`${target}: ${basename(path)} is a ${kind}, and so is the result: name it so`);
  }
  const isElsewhere = resolve(dirname(target)) !== resolve(dirname(path));
  if (!isGlb && isElsewhere && hasFiles(bytes)) {
    throw new CommandError(
      `${target}: ${basename(path)} uses files of its folder; write the result there, too`,
    );
  }
  return target;
}

/** Whether a .gltf that has been read names other files. */
function hasFiles(bytes: Uint8Array): boolean {
  const { buffers = [], images = [] } = JSON.parse(new TextDecoder().decode(bytes));
  return [...buffers, ...images].some(({ uri }) => typeof uri === 'string' && !/^data:/i.test(uri));
}
