import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readObj, readPc2 } from '../../packages/pliant/src/io/index.ts';
import { createTriangleMesh, type TriangleMesh } from '../../packages/pliant/src/mesh/triangle-mesh.ts';
import { createBumpyBall } from '../../packages/pliant/src/shapes/bumpy-ball.ts';
import { createCloth } from '../../packages/pliant/src/shapes/cloth.ts';
import type { Shape } from '../../packages/pliant/src/shapes/shape.ts';
import { createSpring } from '../../packages/pliant/src/shapes/spring.ts';
import { createTorusKnot } from '../../packages/pliant/src/shapes/torus-knot.ts';
import { hashPoses } from './hash.ts';

/**
 * A mesh and the poses it goes through. Poses are rounded to float32, because that is what three-mesh-bvh can
 * hold: all contenders then see the same numbers.
 */
export interface Track {
  readonly name: CaseName;
  readonly mesh: TriangleMesh;
  /** Three numbers per source vertex. */
  readonly poses: readonly Float64Array[];
  /** Of all poses. */
  readonly hash: string;
  /** What it is when nobody has changed the scene; undefined for other lengths or scales than the usual. */
  readonly storedHash: string | undefined;
  /** No contact at rest, contact in some of the frames. */
  readonly isClean: boolean;
  readonly note: string;
}

export interface TrackOptions {
  /** Share of the triangles. Recorded sequences keep all of theirs and give up frames instead. Default: 1. */
  scale?: number;
  /** Default: 24, spread over one period of the motion. */
  frames?: number;
  /** Frames at 60 per second from the middle of the motion on, instead of spread over the period. */
  consecutive?: boolean;
}

export type CaseName = (typeof CASES)[number];
export const CASES = ['spring-16k', 'ball-15k', 'torus-knot-100k', 'cloth-51k', 'kick'] as const;

export const FRAMES = 24;
export const QUICK_FRAMES = 8;
export const QUICK_SCALE = 0.1;
const PERIOD = 2; // seconds
const RATE = 60; // frames per second

/** Undefined when the case is recorded data that is not here; throws when PLIANT_DATA promised it. */
export function createTrack(name: CaseName, options: TrackOptions = {}): Track | undefined {
  return name === 'kick' ? readKick(options) : createShapeTrack(name, options);
}

interface Scene {
  readonly create: (scale: number) => Shape;
  readonly note: string;
}

// Amplitudes are those at which the shapes' own pages promise contact in 20 to 35 % of the frames.
const SCENES: Record<Exclude<CaseName, 'kick'>, Scene> = {
  'spring-16k': {
    create: (scale) => createSpring({ triangles: 16_000 * scale, amplitude: 1, period: PERIOD }),
    note: 'double-helix spring, compressed and bent (amplitude 1)',
  },
  'ball-15k': {
    create: (scale) => createBumpyBall({ triangles: 15_000 * scale, amplitude: 1, period: PERIOD }),
    note: 'bumpy ball whose poles are pressed in until they meet (amplitude 1)',
  },
  'torus-knot-100k': {
    create: (scale) => createTorusKnot({ triangles: 100_000 * scale, amplitude: 1, period: PERIOD }),
    note: 'torus knot with a travelling squeeze (amplitude 1)',
  },
  'cloth-51k': {
    create: (scale) => createCloth({ triangles: 51_200 * scale, amplitude: 1.5, period: PERIOD }),
    note: 'cloth with travelling waves whose crests overturn (amplitude 1.5)',
  },
};

/** Of the usual tracks, spread over the period: at full size, and in quick runs. */
const STORED: Record<CaseName, readonly [full: string, quick: string]> = {
  'spring-16k': ['84bbe10b', '6c58db84'],
  'ball-15k': ['444dd85b', '7bb2d778'],
  'torus-knot-100k': ['721d2018', '543c0b95'],
  'cloth-51k': ['b00b05c5', '485b3fbb'],
  kick: ['841039c2', '28448118'],
};

function createShapeTrack(name: Exclude<CaseName, 'kick'>, options: TrackOptions): Track {
  const { scale = 1, frames = FRAMES, consecutive = false } = options;
  const { create, note } = SCENES[name];
  const shape = create(scale);
  const mesh = createTriangleMesh(shape.source);
  const poses = Array.from({ length: frames }, (_, k) => {
    const pose = new Float64Array(shape.source.positions.length);
    // Half a frame off, so that no frame is the rest shape, where cloth is flat.
    const time = consecutive ? PERIOD / 2 + (k - frames / 2) / RATE : ((k + 0.5) / frames) * PERIOD;
    shape.deform(time, pose);
    return roundToFloat32(pose);
  });
  return { name, mesh, poses, ...hashesOf(name, poses, options), isClean: true, note };
}

const KICK_FRAMES = 5; // of a quick run

function readKick({ scale = 1, frames = FRAMES, consecutive = false }: TrackOptions): Track | undefined {
  const folder = dataFolder();
  if (folder === undefined) return undefined;
  const obj = join(folder, 'sequences/kick_unfixed.obj'),
    pc2 = join(folder, 'sequences/kick_unfixed.pc2');
  if (!existsSync(obj) || !existsSync(pc2)) {
    if (process.env.PLIANT_DATA === undefined) return undefined;
    throw new Error(`PLIANT_DATA is set, but ${obj} or ${pc2} is missing`);
  }
  const mesh = createTriangleMesh(readObj(readFileSync(obj), obj));
  const cache = readPc2(readFileSync(pc2), pc2);
  const most = scale < 1 ? KICK_FRAMES : cache.frameCount;
  const count = Math.min(frames, most);
  const first = (cache.frameCount - count) >> 1;
  const poses = Array.from({ length: count }, (_, k) => {
    const frame = consecutive ? first + k : Math.floor(((k + 0.5) / count) * cache.frameCount);
    return cache.frame(frame, new Float64Array(3 * cache.pointCount));
  });
  const note = 'recorded character; touches itself in every frame';
  const hashes = hashesOf('kick', poses, { scale, frames, consecutive });
  return { name: 'kick', mesh, poses, ...hashes, isClean: false, note };
}

/** PLIANT_DATA, or the folder beside the repository; from bench/src as well as from bench/dist. */
function dataFolder(): string | undefined {
  const { PLIANT_DATA } = process.env;
  if (PLIANT_DATA !== undefined && PLIANT_DATA !== '') return PLIANT_DATA;
  const beside = join(dirname(fileURLToPath(import.meta.url)), '../../../shared/data');
  return [beside, '../shared/data', '../../shared/data'].find((folder) => existsSync(folder));
}

function hashesOf(
  name: CaseName,
  poses: readonly Float64Array[],
  { scale = 1, frames = FRAMES, consecutive = false }: TrackOptions,
): { hash: string; storedHash: string | undefined } {
  const [full, quick] = STORED[name];
  const isFull = scale === 1 && frames === FRAMES,
    isQuick = scale === QUICK_SCALE && frames === QUICK_FRAMES;
  const storedHash = consecutive ? undefined : isFull ? full : isQuick ? quick : undefined;
  return { hash: hashPoses(poses), storedHash };
}

function roundToFloat32(pose: Float64Array): Float64Array {
  for (let i = 0; i < pose.length; i++) pose[i] = Math.fround(pose[i]);
  return pose;
}
