import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { openCertificates, type UsableCertificates } from '../certify/use-certificates.ts';
import { CommandError } from '../command-error.ts';
import { type CullingPlan, planCulling, preparesAny } from '../culling/plan-culling.ts';
import type { CheckOptions } from '../frames/check-options.ts';
import { FrameChecker, type FrameResult } from '../frames/frame-checker.ts';
import { FramePlan } from '../frames/frame-plan.ts';
import { type FrameRun, runFrames } from '../frames/run-frames.ts';
import { githubAnnotations, type JunitSuite, junitReport, junitSuite } from '../output/annotations.ts';
import {
  type CheckHead,
  CheckJson,
  type CheckState,
  checkMeshes,
  frameLine,
  secondFileStart,
} from '../output/check-json.ts';
import { refuseClashes } from '../output/clashes.ts';
import { CullingSummary } from '../output/culling-summary.ts';
import { OutputFile, type OutputKind } from '../output/output-file.ts';
import { Progress } from '../output/progress.ts';
import { ProofSummary } from '../output/proof-summary.ts';
import { RunSummary } from '../output/run-summary.ts';
import { type RunTiming, StatsJson } from '../output/stats-json.ts';
import { printNote, printOut } from '../output/streams.ts';
import { summaryText } from '../output/summary-text.ts';
import { grouped, plural } from '../output/text.ts';
import { ReportCollector } from '../report/report-collector.ts';
import { filesOf, findInputs, inputNames, withModes } from '../scene/inputs.ts';
import { openScene } from '../scene/open-scene.ts';
import { readBytes } from '../scene/read-file.ts';
import type { Scene } from '../scene/scene.ts';
import { AllowList } from '../verdict/allow-list.ts';
import { unusedPatterns } from '../verdict/name-rules.ts';
import { Verdict } from '../verdict/verdict.ts';
import type { CheckSettings } from './check-settings.ts';
import { Interruption } from './interruption.ts';
import { reportSettings, reportTimings } from './report-facts.ts';

/** Checks what `paths` mean together and returns the exit code. `onSuite` takes what JUnit XML would be written of. */
export async function check(
  paths: readonly string[],
  settings: CheckSettings,
  onSuite: OnSuite = (suite) => printOut(junitReport([suite])),
): Promise<number> {
  const begin = performance.now();
  const found = await findInputs(paths, settings.check.scope === 'between');
  const { modes, poses } = settings;
  const inputs = modes === undefined ? found : withModes(found, modes, poses);
  const scene = await openScene(inputs);
  const plan = new FramePlan(scene, settings.check);
  checkScope(scene, settings.check);
  const note = (text: string) => {
    if (!settings.quiet) printNote(text);
  };
  for (const text of scene.parts.flatMap((part) => part.notes)) note(text);
  for (const pattern of unusedPatterns(scene.meshes, settings.check.ignore)) {
    note(`"${pattern}" matches no name; \`pliant info\` lists them`);
  }
  await refuseTargets(scene, settings);
  const asked = settings.check.scope === 'between' ? false : settings.certificates;
  const certificates = await openCertificates(asked, scene, settings.stats !== undefined, note);
  const culling = await planProofs(scene, plan, settings, certificates);
  const run = await CheckRun.open(paths, scene, plan, settings, begin, { certificates, culling, onSuite });
  try {
    return await run.run(note);
  } finally {
    await run.discard();
  }
}

/** Before anything that takes long: results that would take the place of an input or of each other. */
function refuseTargets(scene: Scene, settings: CheckSettings): Promise<void> {
  const { allow, certificates, json, html, stats, writeAllow } = settings;
  const named = [allow, certificates].filter((path) => typeof path === 'string');
  return refuseClashes(
    [
      { option: '--json', path: json },
      { option: '--html', path: html },
      { option: '--stats', path: stats },
      { option: '--write-allow', path: writeAllow },
    ],
    [...scene.inputs.flatMap(filesOf), ...named],
  );
}

type OnSuite = (suite: JunitSuite) => unknown;

interface Means {
  readonly certificates: UsableCertificates | undefined; // stored
  readonly culling: CullingPlan | undefined; // to be prepared
  readonly onSuite: OnSuite;
}

function planProofs(
  scene: Scene,
  plan: FramePlan,
  { check, culling, cullingIsNamed, stats, threads }: CheckSettings,
  certificates: UsableCertificates | undefined,
): Promise<CullingPlan | undefined> {
  return planCulling(scene, {
    culling: check.scope === 'between' ? 'none' : culling,
    isExplained: cullingIsNamed || stats !== undefined,
    isMeasured: stats !== undefined,
    frames: plan.frameCount,
    threads: Math.max(1, Math.min(plan.frameCount, threads ?? availableParallelism())),
    continuous: check.continuous,
    method: check.method,
    stored: certificates?.kinds.map(({ mesh }) => mesh) ?? [],
  });
}

/** Everything that gets to see the frames of one run. */
class CheckRun {
  readonly #paths: readonly string[];
  readonly #files: readonly string[];
  readonly #scene: Scene;
  readonly #plan: FramePlan;
  readonly #settings: CheckSettings;
  readonly #begin: number;
  readonly #certificates: UsableCertificates | undefined;
  readonly #onSuite: OnSuite;
  readonly #proofs: ProofSummary | undefined;
  readonly #cullingPlan: CullingPlan | undefined;
  readonly #culling: CullingSummary | undefined;
  readonly #outputs: Readonly<Record<'json' | 'html' | 'stats' | 'writeAllow', OutputFile | undefined>>;
  readonly #summary: RunSummary;
  readonly #verdict: Verdict;
  readonly #collected: AllowList | undefined;
  readonly #report: ReportCollector | undefined;
  readonly #json: CheckJson | undefined;
  readonly #stats: StatsJson | undefined;
  readonly #secondStart: number;

  static async open(
    paths: readonly string[],
    scene: Scene,
    plan: FramePlan,
    settings: CheckSettings,
    begin: number,
    means: Means,
  ): Promise<CheckRun> {
    const { allow, json, html, stats, writeAllow } = settings;
    const allowed = allow === undefined ? undefined : await AllowList.read(allow, scene, checkMeshes(scene));
    const outputs: OutputFile[] = [];
    const open = async (path: string | undefined, kind: OutputKind) => {
      if (path === undefined) return undefined;
      const file = await OutputFile.open(path, kind);
      outputs.push(file);
      return file;
    };
    try {
      const files = {
        json: await open(json, 'json'),
        html: await open(html, 'other'),
        stats: await open(stats, 'json'),
        writeAllow: await open(writeAllow, 'json'),
      };
      return new CheckRun(paths, scene, plan, settings, begin, means, files, allowed);
    } catch (error) {
      for (const file of outputs) await file.discard();
      throw error;
    }
  }

  private constructor(
    paths: readonly string[],
    scene: Scene,
    plan: FramePlan,
    settings: CheckSettings,
    begin: number,
    { certificates, culling, onSuite }: Means,
    outputs: Readonly<Record<'json' | 'html' | 'stats' | 'writeAllow', OutputFile | undefined>>,
    allowed: AllowList | undefined,
  ) {
    this.#paths = paths;
    this.#files = inputNames(scene.inputs);
    this.#scene = scene;
    this.#plan = plan;
    this.#settings = settings;
    this.#begin = begin;
    this.#certificates = certificates;
    this.#onSuite = onSuite;
    this.#proofs = certificates && new ProofSummary(scene, certificates);
    this.#cullingPlan = culling;
    this.#culling = culling && new CullingSummary(scene, culling);
    this.#outputs = outputs;
    this.#summary = new RunSummary(scene);
    this.#collected = outputs.writeAllow && new AllowList(scene);
    this.#verdict = new Verdict({
      idCount: scene.triangleCount,
      minFrames: settings.minFrames,
      allowed,
      collect: this.#collected,
    });
    this.#report = outputs.html && new ReportCollector(scene);
    this.#json = outputs.json && new CheckJson(outputs.json);
    this.#stats = outputs.stats && new StatsJson(outputs.stats);
    this.#secondStart = secondFileStart(scene);
  }

  async run(note: (text: string) => void): Promise<number> {
    const interruption = new Interruption();
    const progress = new Progress(this.#plan.frameCount, 'frames', this.#settings.quiet);
    try {
      await this.#json?.begin(await this.#head());
      await this.#stats?.begin(this.#files);
      const loadSeconds = (performance.now() - this.#begin) / 1000;
      const start = performance.now();
      if (preparesAny(this.#cullingPlan)) note('preparing proofs first; --cull none does without');
      const { queue } = this.#settings;
      const received = { frames: 0, workers: '' };
      const showProgress = () => {
        const notes = [plural(this.#summary.contacts, 'contact'), received.workers];
        progress.update(
          Math.max(this.#summary.frames, received.frames),
          notes.filter((text) => text !== '').join(', '),
        );
      };
      const run: FrameRun = {
        scene: this.#scene,
        plan: this.#plan,
        options: this.#settings.check,
        certificates: this.#certificates,
        culling: this.#cullingPlan,
        onPrepared: (prepared) => {
          this.#culling?.setPrepared(prepared);
          if (this.#summary.frames === 0) progress.restart();
        },
        threads: this.#settings.threads ?? availableParallelism(),
        threadsAreWanted: this.#settings.threads !== undefined,
        signal: interruption.signal,
        onResult: async (result) => {
          await this.#take(result);
          showProgress();
        },
      };
      const threads = await (queue === undefined
        ? runFrames(run)
        : (await import('../queue/run-in-queue.ts')).runInQueue(
            {
              ...run,
              note,
              onProgress: (frames, workers) => {
                Object.assign(received, { frames, workers });
                showProgress();
              },
            },
            queue,
          ));
      progress.finish();
      const timing = { threads, loadSeconds, checkSeconds: (performance.now() - start) / 1000 };
      const state = this.#state(interruption);
      await this.#finish(state, timing);
      for (const text of this.#summary.notes(this.#settings.check.includeCollapsed === true)) note(text);
      for (const text of this.#proofs?.notes() ?? []) note(text);
      for (const text of this.#culling?.notes(this.#settings.cullingIsNamed) ?? []) note(text);
      note(timingText(this.#summary.frames, timing));
      if (interruption.exitCode > 0) return interruption.exitCode;
      return this.#verdict.total > 0 ? 1 : 0;
    } finally {
      progress.finish();
      interruption.dispose();
    }
  }

  async discard(): Promise<void> {
    for (const file of Object.values(this.#outputs)) await file?.discard();
  }

  async #take(result: FrameResult): Promise<void> {
    const frame = this.#plan.frame(result.frame);
    this.#summary.add(frame, result, this.#verdict.judge(frame, result));
    this.#proofs?.add(result.proofs);
    this.#culling?.add(result.proofs);
    this.#report?.add(frame, result);
    await this.#json?.addLine(frameLine(frame, result, this.#secondStart));
    await this.#stats?.add(frame, result);
  }

  #state(interruption: Interruption): CheckState {
    if (interruption.signal.aborted && this.#summary.frames < this.#plan.frameCount) return 'cancelled';
    return this.#summary.isTruncated ? 'truncated' : 'complete';
  }

  async #finish(state: CheckState, timing: RunTiming): Promise<void> {
    const { json, html, stats, writeAllow } = this.#outputs;
    await this.#json?.end(this.#summary.contacts, state);
    await this.#stats?.end(timing, this.#proofs, this.#culling);
    if (writeAllow) await this.#collected!.write(writeAllow, this.#files, checkMeshes(this.#scene));
    if (html) await html.write(await this.#renderReport(state, timing));
    for (const file of [html, stats, writeAllow, json]) await file?.commit();
    await this.#print(state);
  }

  async #renderReport(state: CheckState, timing: RunTiming): Promise<string> {
    const { check } = this.#settings;
    const checker = await FrameChecker.create(this.#scene, this.#plan, check);
    try {
      const proofs = this.#culling?.facts(this.#settings.cullingIsNamed);
      const settings = reportSettings(this.#settings, this.#certificates?.path, proofs);
      const timings = reportTimings(this.#summary.frames, timing);
      const data = await this.#report!.finish(checker, this.#plan, this.#files, state, settings, timings);
      const { renderHtmlReport } = await import('../html/render-html-report.ts');
      return renderHtmlReport(data);
    } finally {
      checker.dispose();
    }
  }

  async #print(state: CheckState): Promise<void> {
    const { format, json, quiet, allow, minFrames } = this.#settings;
    const summary = this.#summary;
    if (format === 'github') return printOut(githubAnnotations(this.#paths[0], summary));
    if (format === 'junit') return void (await this.#onSuite(junitSuite(this.#files, summary, state)));
    if (quiet || json === '-') return;
    const isFiltered = allow !== undefined || minFrames > 1;
    const verdict = { state, counted: this.#verdict.total, known: this.#verdict.known, isFiltered };
    await printOut(summaryText(this.#files, this.#scene, summary, verdict));
  }

  async #head(): Promise<CheckHead> {
    const { check } = this.#settings;
    const { allFrames: frames, firstFrame } = this.#plan;
    const head = {
      version: 1,
      files: this.#files,
      meshes: checkMeshes(this.#scene),
      method: check.method,
    } as const;
    if (check.shard === undefined) return head;
    return {
      ...head,
      shard: { ...check.shard, firstFrame, frames, key: await shardKey(this.#scene, check) },
    };
  }
}

/** Equal for runs whose frames belong together: of the bytes of all files and of every option that matters. */
async function shardKey(scene: Scene, { shard, ...options }: CheckOptions): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify({ ...options, shards: shard?.count }));
  for (const path of scene.inputs.flatMap(filesOf)) {
    const bytes = await readBytes(path);
    hash.update(`\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function checkScope({ parts, meshes }: Scene, { scope }: CheckOptions): void {
  if (scope !== 'between' || parts.length > 1) return;
  if (meshes.filter(({ triangles }) => triangles.length > 0).length > 1) return;
  throw new CommandError(`${parts[0].path}: --between needs two files, or a file with several meshes`);
}

function timingText(frames: number, { threads, loadSeconds, checkSeconds }: RunTiming): string {
  const rate = frames / Math.max(1e-9, checkSeconds);
  const speed = `${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))} frames/s`;
  const seconds = `${plural(frames, 'frame')} in ${checkSeconds.toFixed(2)} s`;
  return `${seconds} (${speed}, ${plural(threads, 'thread')}); opened in ${loadSeconds.toFixed(2)} s`;
}
