import type { FrameResult } from '../frames/frame-checker.ts';
import type { PlannedFrame } from '../frames/frame-plan.ts';
import type { Scene } from '../scene/scene.ts';
import type { OutputFile } from './output-file.ts';

export type CheckState = 'complete' | 'truncated' | 'cancelled';

/** Which part of the frames a file holds, and of what: `pliant merge` puts those with one key together. */
export interface ShardMark {
  readonly index: number;
  readonly count: number;
  readonly firstFrame: number;
  readonly frames: number; // of all shards
  readonly key: string;
}

/** The head of the file: everything that is known before the first frame. */
export interface CheckHead {
  readonly version: 1;
  readonly files: readonly string[];
  readonly meshes: readonly CheckMesh[];
  readonly method: string;
  readonly shard?: ShardMark;
}

export interface CheckMesh {
  readonly name: string;
  readonly node: number | null;
  readonly vertices: number;
  readonly triangles: number;
  readonly firstTriangle: number;
}

/** Written line by line, a frame each; the text depends on nothing but files and options. */
export class CheckJson {
  readonly #file: OutputFile;
  #frames = 0;

  constructor(file: OutputFile) {
    this.#file = file;
  }

  async begin(head: CheckHead): Promise<void> {
    await this.#file.write(`${JSON.stringify(head).slice(0, -1)},"frames":[`);
  }

  async addLine(frame: string): Promise<void> {
    await this.#file.write(`${this.#frames++ > 0 ? ',' : ''}\n${frame}`);
  }

  async end(total: number, state: CheckState): Promise<void> {
    await this.#file.write(`\n],"total":${total},"state":"${state}"}\n`);
  }
}

export function checkMeshes(scene: Scene): CheckMesh[] {
  return scene.meshes.map(({ name, node, positions, triangles, firstTriangleInFile }) => ({
    name,
    node,
    vertices: positions.length / 3,
    triangles: triangles.length / 3,
    firstTriangle: firstTriangleInFile,
  }));
}

/** `{"index":3,"clip":"Walk","time":0.1,"count":1,"pairs":[[5,9]]}`. Ids of a second file count from 0 again. */
export function frameLine(frame: PlannedFrame, result: FrameResult, secondFileStart: number): string {
  const { index, clip, time } = frame;
  const { pairs, times, count, collapsed } = result;
  const pieces: string[] = [];
  for (let k = 0; k < pairs.length; k += 2) pieces.push(`[${pairs[k]},${pairs[k + 1] - secondFileStart}]`);
  const head = `{"index":${index},"clip":${JSON.stringify(clip)},"time":${JSON.stringify(time)},"count":${count}`;
  const timeList = times ? `,"times":[${times.join(',')}]` : '';
  const meshList = collapsed.length > 0 ? `,"collapsed":[${collapsed.join(',')}]` : '';
  return `${head},"pairs":[${pieces.join(',')}]${timeList}${meshList}}`;
}

/** What is subtracted from the second id of a pair: nothing, unless two files are held against each other. */
export function secondFileStart({ parts, meshes }: Scene): number {
  return parts.length < 2 ? 0 : meshes.find(({ part }) => part === 1)!.firstTriangle;
}
