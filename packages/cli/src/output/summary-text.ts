import type { Scene } from '../scene/scene.ts';
import { coloursFor } from './colours.ts';
import type { ClipSummary, FrameMark, RunSummary } from './run-summary.ts';
import { grouped, plural, printable, sparkline, table } from './text.ts';

const MOST_CLIPS = 100; // lines
const MOST_MESH_PAIRS = 12;
const TIMELINE = 40; // characters

export interface VerdictText {
  readonly state: string;
  readonly counted: number; // contacts that fail the check
  readonly known: number;
  readonly isFiltered: boolean; // by --allow or --min-frames
}

/** The summary for people. */
export function summaryText(
  files: readonly string[],
  scene: Scene,
  summary: RunSummary,
  verdict: VerdictText,
): string {
  const { bold, dim, red, green } = coloursFor(process.stdout);
  const name = files.length > 3 ? `${files[0]} … ${files.at(-1)}` : files.join(' + ');
  const what = `${plural(scene.meshes.length, 'mesh', 'meshes')}, ${plural(scene.triangleCount, 'triangle')}`;
  const lines = [`${bold(printable(name, 100))}  ${dim(`${what}, ${plural(summary.frames, 'frame')}`)}`, ''];
  if (summary.contacts > 0) {
    lines.push(
      ...clipLines(summary, dim),
      '',
      ...worstLines(summary, dim),
      '',
      ...meshLines(summary, dim),
      '',
    );
  }
  if (summary.isTruncated) lines.push(dim(truncationText(summary)), '');
  lines.push(verdict.counted > 0 ? red(lastLine(summary, verdict)) : green(lastLine(summary, verdict)));
  return `${lines.join('\n')}\n`;
}

/** Which contacts are counted only, where a frame has more than are listed. */
export function truncationText({ contacts, listed }: RunSummary): string {
  const found = `${grouped(listed)} of ${grouped(contacts)} contacts are listed, the lowest of each frame`;
  return `${found}; counts are complete, but for those between meshes; --max-pairs lists more`;
}

function lastLine({ contacts, frames, clips }: RunSummary, verdict: VerdictText): string {
  const stopped = verdict.state === 'cancelled' ? `; stopped after ${plural(frames, 'frame')}` : '';
  if (contacts === 0) return `no contacts${stopped}`;
  const touching = clips.reduce((sum, clip) => sum + clip.touching, 0);
  const found = `${plural(contacts, 'contact')} in ${grouped(touching)} of ${plural(frames, 'frame')}`;
  if (!verdict.isFiltered) return `${found}${stopped}`;
  const known = verdict.known > 0 ? `, ${grouped(verdict.known)} known` : '';
  return `${found}${known}: ${verdict.counted === 0 ? 'none' : grouped(verdict.counted)} of them new or lasting${stopped}`;
}

function clipLines({ clips }: RunSummary, dim: (text: string) => string): string[] {
  const highest = Math.max(...clips.map(({ worst }) => worst?.count ?? 0));
  const rows = clips.slice(0, MOST_CLIPS).map((clip) => clipRow(clip, highest));
  const [heading, ...rest] = table(
    ['clip', '>frames', '>touching', '>contacts', '>worst', 'over time'],
    rows,
  );
  const more = clips.length > MOST_CLIPS ? [`… and ${plural(clips.length - MOST_CLIPS, 'clip')} more`] : [];
  return [dim(heading), ...rest, ...more];
}

function clipRow({ name, counts, touching, contacts, worst }: ClipSummary, highest: number): string[] {
  const line = sparkline(counts, TIMELINE, highest);
  const numbers = [counts.length, touching, contacts, worst?.count ?? 0].map(grouped);
  return [name === null ? '–' : printable(name, 28), ...numbers, line];
}

function worstLines({ worst }: RunSummary, dim: (text: string) => string): string[] {
  const rows = worst.map(({ index, clip, time, count }) => [
    grouped(count),
    String(index),
    clip === null ? '–' : printable(clip, 28),
    `${time.toFixed(3)} s`,
  ]);
  const [heading, ...rest] = table(['>contacts', '>in frame', 'of clip', '>at'], rows);
  return [dim(heading), ...rest];
}

function meshLines(summary: RunSummary, dim: (text: string) => string): string[] {
  const pairs = summary.meshPairs();
  const rows = pairs.slice(0, MOST_MESH_PAIRS).map(({ a, b, contacts }) => {
    return [grouped(contacts), printable(a), printable(b)];
  });
  const [heading, ...rest] = table(['>contacts', 'between', 'and'], rows);
  const more =
    pairs.length > MOST_MESH_PAIRS ? [`… and ${grouped(pairs.length - MOST_MESH_PAIRS)} more`] : [];
  return [dim(heading), ...rest, ...more];
}

/** `frame 17 (0.567 s): 94 contacts`. */
export function describeFrame({ index, time, count }: FrameMark): string {
  return `frame ${index} (${time.toFixed(3)} s): ${plural(count, 'contact')}`;
}
