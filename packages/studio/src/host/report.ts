import { giveWay } from '../scenes/give-way.ts';
import { globalPairs } from './contender.ts';
import { HtmlReport } from './html-report.ts';
import type { Request } from './protocol.ts';
import { type FrameWork, type Show, timeOf } from './show.ts';

/** A frame that a report is about. */
export interface ReportedFrame {
  readonly clip: number;
  readonly index: number;
}

const MOST_FRAMES = 5_000;
const TURN = 40; // milliseconds before others get a turn on this thread

/** The current frame or all frames, as `pliant check` would report them. */
export async function createReport(
  show: Show,
  { kind, clip, frame, whole }: Request & { type: 'report' },
  { onProgress, signal }: FrameWork,
): Promise<{ text: string; name: string }> {
  const { stage } = show;
  const isEndless = stage.clips.some(({ frameCount }) => frameCount === Number.POSITIVE_INFINITY);
  const frames = whole && !isEndless ? allFrames(show) : [{ clip, index: frame }];
  const name = stage.files[0].replace(/\.[^.]*$/, '') || 'scene';
  const html = kind === 'html' ? new HtmlReport(show) : undefined;
  const lines: string[] = [];
  let total = 0;
  let turn = performance.now();
  for (const [k, reported] of frames.entries()) {
    await show.goTo(reported.clip, reported.index, { onProgress, signal });
    const { milliseconds } = show.pliant.run();
    const pairs = globalPairs(show.pliant.report, show.firstTriangle);
    total += pairs.length / 2;
    if (html) html.add(reported, pairs, milliseconds);
    else lines.push(frameLine(show, reported, pairs));
    if (performance.now() - turn < TURN) continue;
    onProgress?.('Checking every frame', (k + 1) / frames.length);
    await giveWay(signal);
    turn = performance.now();
  }
  const text = html ? await html.finish(isEndless) : jsonText(show, lines, total);
  return { text, name: `${name}-contacts.${kind}` };
}

function allFrames({ stage }: Show): ReportedFrame[] {
  const frames = stage.clips.flatMap(({ frameCount }, clip) =>
    Array.from({ length: frameCount }, (_, index) => ({ clip, index })),
  );
  return frames.slice(0, MOST_FRAMES);
}

/** The text of `pliant check --json`: the same bytes for the same frames of the same file. */
function jsonText({ stage, firstTriangle }: Show, lines: readonly string[], total: number): string {
  const meshes = stage.meshes.map(({ name, node, mesh }, m) => ({
    name,
    node,
    vertices: mesh.sourceVertexCount,
    triangles: mesh.triangleCount,
    firstTriangle: firstTriangle[m],
  }));
  const head = JSON.stringify({ version: 1, files: stage.files, meshes, method: 'auto' });
  return `${head.slice(0, -1)},"frames":[\n${lines.join(',\n')}\n],"total":${total},"state":"complete"}\n`;
}

function frameLine({ stage }: Show, { clip, index }: ReportedFrame, pairs: Uint32Array): string {
  const list: string[] = [];
  for (let k = 0; k < pairs.length; k += 2) list.push(`[${pairs[k]},${pairs[k + 1]}]`);
  const name = JSON.stringify(stage.clips[clip].name);
  const time = JSON.stringify(timeOf(stage, clip, index));
  return `{"index":${index},"clip":${name},"time":${time},"count":${list.length},"pairs":[${list.join(',')}]}`;
}
