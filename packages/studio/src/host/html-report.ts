import { chooseShownFrames, shownFramesLimit } from '../../../cli/src/html/choose-shown-frames.ts';
import { packPayload } from '../../../cli/src/html/pack-payload.ts';
import type {
  ReportData,
  ReportFrame,
  ReportMesh,
  ReportPose,
  ReportRegionPair,
  ReportRegionRef,
  ReportShownFrame,
} from '../../../cli/src/html/report-data.ts';
import { REPORT_SCRIPT, REPORT_STYLE, reportDocument } from '../../../cli/src/html/report-document.ts';
import type { StageMesh } from '../scenes/scene.ts';
import type { ReportedFrame } from './report.ts';
import { type Show, timeOf } from './show.ts';

interface RegionCount {
  readonly a: ReportRegionRef;
  readonly b: ReportRegionRef;
  frames: number;
  pairs: number;
  readonly firstFrame: number;
  lastFrame: number;
}

/** The page of `pliant check --html`, made here: the same writer, with every picture as positions. */
export class HtmlReport {
  readonly #show: Show;
  readonly #meshes: ReportMesh[];
  readonly #reported: ReportedFrame[] = [];
  readonly #frames: ReportFrame[] = [];
  readonly #pairs: Uint32Array[] = [];
  readonly #hits: Uint32Array;
  readonly #regionPairs = new Map<string, RegionCount>();
  #milliseconds = 0;

  constructor(show: Show) {
    this.#show = show;
    this.#meshes = show.stage.meshes.map((mesh, m) => reportMesh(mesh, m, show.firstTriangle[m]));
    this.#hits = new Uint32Array(show.firstTriangle.at(-1)!);
  }

  add(frame: ReportedFrame, pairs: Uint32Array, milliseconds: number): void {
    const { stage } = this.#show;
    const number = this.#frames.length;
    const clip = stage.clips[frame.clip].name ?? '';
    const time = timeOf(stage, frame.clip, frame.index);
    this.#frames.push({ index: frame.index, clip, time, count: pairs.length / 2 });
    this.#reported.push(frame);
    this.#pairs.push(pairs);
    this.#milliseconds += milliseconds;
    for (const triangle of new Set(pairs)) this.#hits[triangle]++;
    for (let k = 0; k < pairs.length; k += 2) this.#countRegions(pairs[k], pairs[k + 1], number);
  }

  /** `isHere`: the only frame is the one the bodies stand in. */
  async finish(isHere: boolean): Promise<string> {
    const { stage } = this.#show;
    const frames = this.#frames;
    const data: ReportData = {
      title: `${stage.files[0]} – contacts`,
      files: stage.files,
      state: 'complete',
      settings: [
        { label: 'Frames per second', value: String(stage.fps) },
        { label: 'Looked at', value: stage.self ? 'within and between meshes' : 'between meshes' },
        { label: 'Written by', value: 'Pliant Studio' },
      ],
      timings: [
        {
          label: 'Queries',
          value: `${(this.#milliseconds / Math.max(1, frames.length)).toFixed(2)} ms per frame`,
        },
      ],
      clips: [...new Set(frames.map(({ clip }) => clip))],
      meshes: this.#meshes,
      frames,
      shown: await this.#pictures(isHere),
      regionPairs: [...this.#regionPairs.values()].map(({ lastFrame, ...pair }): ReportRegionPair => pair),
      hits: this.#hits,
    };
    const [payload, script, style] = await Promise.all([
      gzipBase64(packPayload(data)),
      contentHash(REPORT_SCRIPT),
      contentHash(REPORT_STYLE),
    ]);
    return reportDocument(data, payload, { script, style });
  }

  async #pictures(isHere: boolean): Promise<ReportShownFrame[]> {
    const { pliant } = this.#show;
    const shown: ReportShownFrame[] = [];
    for (const frame of chooseShownFrames(this.#frames, shownFramesLimit(this.#meshes, true))) {
      const { clip, index } = this.#reported[frame];
      if (!isHere) {
        await this.#show.goTo(clip, index);
        pliant.cast.pose();
      }
      const poses = pliant.cast.bodies.map((body): ReportPose => {
        return { world: IDENTITY, positions: sourcePositions(body.getPositions(), body.mesh.weldedVertex) };
      });
      shown.push({ frame, pairs: this.#pairs[frame], truncated: false, poses });
    }
    return shown;
  }

  #countRegions(i: number, j: number, number: number): void {
    const a = this.#regionOf(i),
      b = this.#regionOf(j);
    const [low, high] = a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]) ? [a, b] : [b, a];
    const key = `${low} ${high}`;
    let found = this.#regionPairs.get(key);
    if (found === undefined) {
      found = { a: low, b: high, frames: 0, pairs: 0, firstFrame: number, lastFrame: -1 };
      this.#regionPairs.set(key, found);
    }
    found.pairs++;
    if (found.lastFrame !== number) found.frames++;
    found.lastFrame = number;
  }

  #regionOf(triangle: number): ReportRegionRef {
    const { firstTriangle } = this.#show;
    let mesh = 0;
    while (triangle >= firstTriangle[mesh + 1]) mesh++;
    return [mesh, this.#meshes[mesh].regions.ofTriangle[triangle - firstTriangle[mesh]]];
  }
}

const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

function reportMesh(
  { name, node, mesh, sourceTriangles, regions }: StageMesh,
  m: number,
  firstTriangle: number,
): ReportMesh {
  return {
    name,
    node: node ?? m,
    firstTriangle,
    triangleCount: mesh.triangleCount,
    positions: sourcePositions(mesh.positions, mesh.weldedVertex),
    triangles: sourceTriangles,
    regions: regions ?? { names: [name], ofTriangle: new Uint16Array(mesh.triangleCount) },
  };
}

function sourcePositions(points: Float64Array, weldedVertex: Uint32Array): Float32Array {
  const positions = new Float32Array(3 * weldedVertex.length);
  for (let v = 0; v < weldedVertex.length; v++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = points[3 * weldedVertex[v] + axis];
  }
  return positions;
}

async function gzipBase64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return base64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Pages without a secure context cannot compute hashes: the report then allows inline script and style as such. */
async function contentHash(text: string): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) return 'unsafe-inline';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${base64(new Uint8Array(digest))}`;
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let k = 0; k < bytes.length; k += 0x8000)
    text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
}
