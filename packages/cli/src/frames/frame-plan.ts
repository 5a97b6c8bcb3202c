import { CommandError } from '../command-error.ts';
import type { PartMoment, Scene, ScenePart } from '../scene/scene.ts';

/** Which moments of a scene are looked at. */
export interface FrameOptions {
  readonly clips: readonly string[]; // names or numbers; none: all
  readonly fps: number;
  readonly frames?: readonly [first: number, last: number]; // of each clip
  readonly times?: readonly number[]; // seconds, instead of evenly spaced frames
  readonly continuous: boolean; // each frame is the step to the next one
  readonly shard?: { readonly index: number; readonly count: number };
}

export interface PlannedFrame {
  readonly index: number; // within its clip or sequence
  readonly clip: string | null;
  readonly time: number; // seconds
  readonly start: readonly PartMoment[]; // one per part of the scene
  readonly end: readonly PartMoment[] | undefined; // of a step
}

export interface PlannedClip {
  readonly name: string | null; // null: at rest, or a sequence
  readonly duration: number;
  readonly ofPart: readonly (number | undefined)[]; // the clip of that name in each part
  readonly firstIndex: number;
  readonly frameCount: number;
  readonly firstFrame: number; // among those of all clips
}

const MOST_FRAMES = 1e7;

/** All frames in order. Nothing is stored per frame: a frame is worked out when asked for. */
export class FramePlan {
  readonly clips: readonly PlannedClip[];
  readonly allFrames: number; // of all shards
  readonly firstFrame: number; // of this shard
  readonly frameCount: number; // of this shard
  readonly #options: FrameOptions;
  readonly #sequence: ScenePart['sequence'];

  constructor(scene: Scene, options: FrameOptions) {
    this.#options = options;
    this.#sequence = findSequence(scene, options);
    this.clips = planClips(scene, this.#sequence, options);
    const last = this.clips.at(-1)!;
    this.allFrames = last.firstFrame + last.frameCount;
    const { index = 0, count = 1 } = options.shard ?? {};
    this.firstFrame = Math.floor((index * this.allFrames) / count);
    this.frameCount = Math.floor(((index + 1) * this.allFrames) / count) - this.firstFrame;
  }

  /** The clip that frame `k`, counted over all clips and shards, belongs to. */
  clipOf(k: number): PlannedClip {
    let low = 0,
      high = this.clips.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.clips[middle].firstFrame <= k) low = middle;
      else high = middle - 1;
    }
    return this.clips[low];
  }

  frame(k: number): PlannedFrame {
    const clip = this.clipOf(k);
    const index = clip.firstIndex + (k - clip.firstFrame);
    const isStep = this.#options.continuous;
    const next = isStep && this.#hasFrame(clip, index + 1) ? index + 1 : index;
    return {
      index,
      clip: clip.name,
      time: this.#timeOf(index),
      start: this.#moments(clip, index),
      end: isStep ? this.#moments(clip, next) : undefined,
    };
  }

  #hasFrame(clip: PlannedClip, index: number): boolean {
    return index < framesOf(clip.duration, this.#sequence, this.#options);
  }

  #timeOf(index: number): number {
    const { times, fps } = this.#options;
    return times?.[index] ?? this.#sequence?.times?.[index] ?? index / fps;
  }

  #moments({ ofPart }: PlannedClip, index: number): PartMoment[] {
    const time = this.#timeOf(index);
    return ofPart.map((clip) => (this.#sequence ? { frame: index } : { clip, time }));
  }
}

function planClips(scene: Scene, sequence: ScenePart['sequence'], options: FrameOptions): PlannedClip[] {
  const planned: PlannedClip[] = [];
  let firstFrame = 0;
  for (const { name, duration, ofPart } of chooseClips(scene, sequence, options)) {
    const poses = framesOf(duration, sequence, options);
    const all = options.continuous ? Math.max(1, poses - 1) : poses;
    const [first, last] = options.frames ?? [0, Number.POSITIVE_INFINITY];
    const frameCount = Math.max(0, Math.min(last, all - 1) - first + 1);
    if (frameCount > 0) planned.push({ name, duration, ofPart, firstIndex: first, frameCount, firstFrame });
    firstFrame += frameCount;
    if (firstFrame <= MOST_FRAMES) continue;
    const clip = name === null ? 'the sequence' : `clip "${name}" of ${duration} s`;
    throw new CommandError(
      `${scene.parts[0].path}: ${clip} makes over ${MOST_FRAMES} frames; choose some with --frames`,
    );
  }
  if (planned.length > 0) return planned;
  const [first, last] = options.frames!;
  throw new CommandError(`${scene.parts[0].path}: --frames ${first}-${last} is beyond the last frame`);
}

function framesOf(duration: number, sequence: ScenePart['sequence'], { times, fps }: FrameOptions): number {
  if (sequence) return sequence.frameCount;
  return times?.length ?? Math.floor(duration * fps + 1e-6) + 1;
}

function findSequence({ parts }: Scene, { clips, times }: FrameOptions): ScenePart['sequence'] {
  const found = parts.filter(({ sequence }) => sequence !== undefined);
  if (found.length === 0) return undefined;
  const [{ path, sequence }] = found;
  if (clips.length > 0)
    throw new CommandError(`${path}: --clip is for glTF clips; choose frames with --frames`);
  if (times) throw new CommandError(`${path}: --times is for glTF clips; choose frames with --frames`);
  for (const other of parts) {
    const count = other.sequence?.frameCount ?? sequence!.frameCount;
    if (count !== sequence!.frameCount) {
      throw new CommandError(`${other.path}: ${count} frames, but ${path} has ${sequence!.frameCount}`);
    }
    if (other.clips.length > 0) {
      throw new CommandError(`${other.path}: a file with clips cannot be checked against a sequence`);
    }
  }
  return sequence;
}

type ChosenClip = Pick<PlannedClip, 'name' | 'duration' | 'ofPart'>;

/** Those asked for, in that order; else all, in file order. A part that lacks a clip stays at rest in it. */
function chooseClips(scene: Scene, sequence: ScenePart['sequence'], options: FrameOptions): ChosenClip[] {
  const { parts } = scene;
  const all = listClips(parts);
  if (options.clips.length > 0)
    return options.clips.flatMap((wanted) => findClip(scene, all, wanted)).filter(isFirst);
  if (all.length > 0) return all;
  if (options.times && !sequence)
    throw new CommandError(`${parts[0].path}: there is no clip to sample with --times`);
  return [{ name: null, duration: 0, ofPart: parts.map(() => undefined) }];
}

function isFirst<Item>(item: Item, k: number, items: readonly Item[]): boolean {
  return items.indexOf(item) === k;
}

function listClips(parts: readonly ScenePart[]): ChosenClip[] {
  const listed: ChosenClip[] = [];
  parts.forEach((part, p) => {
    part.clips.forEach(({ name }, index) => {
      if (p > 0 && parts[0].clips.some((clip) => clip.name === name)) return; // plays with the first part's
      const ofPart = parts.map((other, o) => {
        if (o === p) return index;
        const found = other.clips.findIndex((clip) => clip.name === name);
        return found >= 0 ? found : undefined;
      });
      const durations = ofPart.map((clip, o) => (clip === undefined ? 0 : parts[o].clips[clip].duration));
      listed.push({ name, duration: Math.max(...durations), ofPart });
    });
  });
  return listed;
}

function findClip({ parts }: Scene, all: readonly ChosenClip[], wanted: string): ChosenClip[] {
  const named = all.filter(({ name }) => name === wanted);
  if (named.length > 0) return named;
  if (/^\d+$/.test(wanted) && Number(wanted) < all.length) return [all[Number(wanted)]];
  const names = all.map(({ name }) => name).slice(0, 12);
  const list = all.length === 0 ? 'it has none' : `it has ${names.join(', ')}${all.length > 12 ? ', …' : ''}`;
  throw new CommandError(`${parts[0].path}: there is no clip "${wanted}"; ${list}`);
}
