import type { FrameResult } from '../frames/frame-checker.ts';
import type { PlannedFrame } from '../frames/frame-plan.ts';
import type { Scene } from '../scene/scene.ts';
import { plural } from './text.ts';

export interface FrameMark {
  readonly index: number;
  readonly clip: string | null;
  readonly time: number;
  readonly count: number;
}

export interface ClipSummary {
  readonly name: string | null;
  readonly counts: number[]; // contacts of each frame
  touching: number; // frames with contacts
  contacts: number;
  counted: number; // contacts that fail the check
  milliseconds: number;
  worst: FrameMark | undefined;
  readonly pairs: Map<number, number>; // mesh a · meshes + mesh b -> contacts, over the clip
}

/** A mesh, or a joint of it, that is flattened or shrunk to a point. */
interface Collapse {
  readonly mesh: number;
  readonly joint: number | undefined;
  frames: number;
  readonly first: PlannedFrame;
}

const WORST = 5;

/** What people want to know about a run, gathered frame by frame in little memory. */
export class RunSummary {
  readonly clips: ClipSummary[] = [];
  readonly worst: FrameMark[] = [];
  frames = 0;
  contacts = 0;
  listed = 0; // contacts, of `contacts`
  readonly #scene: Scene;
  readonly #collapsed = new Map<string, Collapse>(); // by what is collapsed

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  add(frame: PlannedFrame, result: FrameResult, counted: number): void {
    const { index, clip: name, time } = frame;
    const { count, pairs, collapsed, singularJoints, milliseconds } = result;
    const clip = this.#clip(name);
    const mark = { index, clip: name, time, count };
    this.frames++;
    this.contacts += count;
    this.listed += pairs.length / 2;
    clip.counts.push(count);
    clip.contacts += count;
    clip.counted += counted;
    clip.milliseconds += milliseconds;
    if (count > 0) clip.touching++;
    if (count > 0 && count > (clip.worst?.count ?? 0)) clip.worst = mark;
    if (count > 0) this.#rank(mark);
    this.#countMeshes(clip.pairs, pairs);
    for (const mesh of collapsed) this.#countCollapsed({ mesh }, frame);
    for (const joint of singularJoints) this.#countCollapsed(joint, frame);
  }

  /** True when --max-pairs left contacts out of the lists. */
  get isTruncated(): boolean {
    return this.listed < this.contacts;
  }

  /** Contacts by the names of the two meshes, most first. */
  meshPairs(clips: readonly ClipSummary[] = this.clips): { a: string; b: string; contacts: number }[] {
    const { meshes } = this.#scene;
    const sums = new Map<number, number>();
    for (const { pairs } of clips) {
      for (const [key, count] of pairs) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    return [...sums]
      .sort(([s, m], [t, n]) => n - m || s - t)
      .map(([key, contacts]) => {
        const [a, b] = [Math.floor(key / meshes.length), key % meshes.length];
        return { a: meshes[a].name, b: a === b ? 'itself' : meshes[b].name, contacts };
      });
  }

  /** A line for each mesh and joint that was flattened or shrunk to a point in some frame. */
  notes(includesCollapsed: boolean): string[] {
    return [...this.#collapsed.values()].map(({ mesh, joint, frames, first: { index, clip } }) => {
      const { name, skin } = this.#scene.meshes[mesh];
      const where = clip === null ? `frame ${index}` : `frame ${index} of ${clip}`;
      const when = `in ${plural(frames, 'frame')}, first in ${where}`;
      if (joint !== undefined) {
        return `"${name}": joint "${skin!.jointNames[joint]}" has a singular matrix ${when}: what it moves is flat or a point there`;
      }
      const outcome = includesCollapsed ? '' : '; left out there (--include-collapsed looks at it)';
      return `"${name}" is flattened or shrunk to a point ${when}${outcome}`;
    });
  }

  #countCollapsed({ mesh, joint }: { mesh: number; joint?: number }, frame: PlannedFrame): void {
    const key = `${mesh} ${joint ?? ''}`;
    const known = this.#collapsed.get(key);
    if (known === undefined) this.#collapsed.set(key, { mesh, joint, frames: 1, first: frame });
    else known.frames++;
  }

  #clip(name: string | null): ClipSummary {
    const last = this.clips.at(-1);
    if (last?.name === name) return last;
    const clip: ClipSummary = {
      name,
      counts: [],
      touching: 0,
      contacts: 0,
      counted: 0,
      milliseconds: 0,
      worst: undefined,
      pairs: new Map(),
    };
    this.clips.push(clip);
    return clip;
  }

  #rank(mark: FrameMark): void {
    if (this.worst.length === WORST && mark.count <= this.worst[WORST - 1].count) return;
    this.worst.push(mark);
    this.worst.sort((a, b) => b.count - a.count); // stable: the earlier frame first
    this.worst.length = Math.min(this.worst.length, WORST);
  }

  #countMeshes(sums: Map<number, number>, pairs: Uint32Array): void {
    const { meshes } = this.#scene;
    let a = 0;
    let count = 0;
    let key = -1;
    for (let k = 0; k < pairs.length; k += 2) {
      while (pairs[k] >= endOf(meshes[a])) a++; // pairs are sorted by their first id
      const next = a * meshes.length + meshIndexOf(meshes, pairs[k + 1], a);
      if (next !== key && count > 0) {
        sums.set(key, (sums.get(key) ?? 0) + count);
        count = 0;
      }
      key = next;
      count++;
    }
    if (count > 0) sums.set(key, (sums.get(key) ?? 0) + count);
  }
}

function endOf({ firstTriangle, triangles }: Scene['meshes'][number]): number {
  return firstTriangle + triangles.length / 3;
}

/** The mesh of a triangle, which is `from` or a later one. */
export function meshIndexOf(meshes: Scene['meshes'], triangle: number, from = 0): number {
  if (triangle < endOf(meshes[from])) return from;
  let low = from,
    high = meshes.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (triangle < endOf(meshes[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
