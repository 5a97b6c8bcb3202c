import { availableParallelism } from 'node:os';
import { createEngine, createTaskPool, type TaskPool } from 'pliant';
import { CertificateStore } from '../certify/certificate-store.ts';
import { type CertifyPlan, planModes, planScene } from '../certify/certify-jobs.ts';
import { type CertifyOutcome, certifyJson, certifyText } from '../certify/certify-report.ts';
import type { CertifySettings } from '../certify/certify-settings.ts';
import { CertificatePreparation, type MadeCertificate } from '../certify/prepare-certificates.ts';
import { besideInput, besideModel } from '../certify/use-certificates.ts';
import { CommandError } from '../command-error.ts';
import { refuseClashes } from '../output/clashes.ts';
import { OutputFile } from '../output/output-file.ts';
import { StageProgress } from '../output/stage-progress.ts';
import { printNote, printOut } from '../output/streams.ts';
import { plural } from '../output/text.ts';
import { filesOf, findInputs, inputNames } from '../scene/inputs.ts';
import { openScene } from '../scene/open-scene.ts';
import { Interruption } from './interruption.ts';

/** Runs `pliant certify`. What was done before Ctrl-C waits in a `.part` file for the next run. */
export async function certify(paths: readonly string[], settings: CertifySettings): Promise<number> {
  const { quiet, force } = settings;
  const source = await openSource(paths, settings);
  const store = await CertificateStore.open(await targetOf(source, settings), source.files);
  const interruption = new Interruption();
  const progress = new StageProgress(quiet);
  const engine = await createEngine();
  let json: OutputFile | undefined;
  let preparation: CertificatePreparation | undefined;
  let pool: TaskPool | undefined;
  const threads = settings.threads ?? availableParallelism();
  try {
    if (settings.json !== undefined) json = await OutputFile.open(settings.json, 'json');
    preparation = new CertificatePreparation({
      engine,
      jobs: source.plan.jobs,
      known: force ? [] : await store.readKnown(),
      progress,
      signal: interruption.signal,
      pool: async () => (threads > 1 ? (pool ??= await createTaskPool({ threads })) : undefined),
      onProgress: () => store.noteProgress(() => preparation!.records()),
    });
    const made = await preparation.run();
    progress.finish();
    const size = await store.save(made.map(({ record }) => record));
    await report({ ...source, ...source.plan, out: store.path, size, made }, settings, json);
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted || error !== interruption.signal.reason) throw error;
    progress.finish();
    const kept = preparation?.records() ?? [];
    await store.savePart(kept);
    if (!quiet) printNote(`${stoppedText(kept.length > 0, store)}`);
    return interruption.exitCode;
  } finally {
    progress.finish();
    interruption.dispose();
    pool?.dispose();
    engine.dispose();
    await json?.discard();
    await store.discard();
  }
}

function stoppedText(isKept: boolean, { path, partPath }: CertificateStore): string {
  if (path === '-' || !isKept) return 'stopped; nothing was written';
  return `stopped; the next run goes on from ${partPath}`;
}

interface CertifySource {
  readonly plan: CertifyPlan;
  readonly beside: string; // where the result goes, unless a place is named
  readonly paths: readonly string[];
  readonly files: readonly string[]; // base names
  readonly notes: readonly string[];
}

async function openSource(paths: readonly string[], settings: CertifySettings): Promise<CertifySource> {
  if (settings.modes !== undefined)
    return {
      ...(await planModes(paths, settings.modes, settings)),
      beside: besideModel(paths[0]),
      notes: [],
    };
  const inputs = await findInputs(paths, false);
  const [input] = inputs;
  if (input.kind === 'mesh') {
    throw new CommandError(
      `${paths[0]}: nothing here says how the mesh moves; name its frames or a point cache as well, or with --modes the file that \`pliant modes\` made`,
    );
  }
  const scene = await openScene(inputs);
  const plan = await planScene(scene, settings);
  if (plan.jobs.length === 0) {
    const reasons = plan.skipped.slice(0, 3).map(({ name, reason }) => `"${name}": ${reason}`);
    throw new CommandError(
      `${filesOf(input)[0]}: no mesh is moved by morph targets alone; ${reasons.join('; ')}${plan.skipped.length > 3 ? '; …' : ''}`,
    );
  }
  return {
    plan,
    beside: besideInput(input),
    paths: filesOf(input),
    files: inputNames(inputs),
    notes: scene.parts.flatMap(({ notes }) => notes),
  };
}

/** Beside the model, under its name; never in place of an input. */
async function targetOf(
  { paths: inputs, beside }: CertifySource,
  { out, json }: CertifySettings,
): Promise<string> {
  const target = out ?? beside;
  await refuseClashes(
    [
      { option: '-o', path: target },
      { option: '--json', path: json },
    ],
    inputs,
  );
  return target;
}

async function report(
  outcome: CertifyOutcome & { readonly notes: readonly string[] },
  { quiet, json: jsonPath }: CertifySettings,
  json: OutputFile | undefined,
): Promise<void> {
  if (json !== undefined) {
    await json.write(`${JSON.stringify(certifyJson(outcome), null, 1)}\n`);
    await json.commit();
  }
  if (quiet) return;
  for (const note of outcome.notes) printNote(note);
  if (outcome.out !== '-' && jsonPath !== '-') await printOut(certifyText(outcome));
  printNote(`${summaryOf(outcome.made)}`);
}

function summaryOf(made: readonly MadeCertificate[]): string {
  const fresh = made.filter(({ isReused }) => !isReused);
  const seconds = fresh.reduce((sum, certificate) => sum + certificate.seconds, 0);
  const reused = made.length - fresh.length;
  if (fresh.length === 0) return 'nothing has changed since the last run; --force prepares everything again';
  return `${plural(fresh.length, 'certificate')} in ${seconds.toFixed(1)} s${reused > 0 ? `, ${reused} as before` : ''}`;
}
