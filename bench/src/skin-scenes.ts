import { cosTurns, sinTurns } from '../../packages/pliant/src/algebra/trigonometry.ts';
import type { Body, Engine } from '../../packages/pliant/src/index.ts';
import { type Character, subdivideCharacter } from '../../packages/pliant/src/shapes/character.ts';
import { createDwarf } from '../../packages/pliant/src/shapes/dwarf.ts';
import { createMan } from '../../packages/pliant/src/shapes/man.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import { hashPoses } from './hash.ts';

/** Walking characters and where they are in every frame. */
export interface SkinScene {
  readonly name: SkinSceneName;
  readonly note: string;
  /** Bodies of one character share its mesh. */
  readonly bodies: readonly SkinnedWalker[];
  readonly frames: readonly SkinFrame[];
  readonly triangles: number; // of all bodies
  /** Of all joint and world matrices. */
  readonly hash: string;
}

export interface SkinnedWalker {
  readonly name: string;
  readonly character: Character;
}

/** One array per body: its joint matrices (world × inverse bind) and its world matrix, row-major 3×4. */
export interface SkinFrame {
  readonly joints: readonly Float64Array[];
  readonly worlds: readonly Float64Array[];
}

export interface SkinSceneOptions {
  /** About how many triangles each character has; dwarfs of the last two scenes are subdivided to about as many. */
  triangles?: number;
  /** Default: 60, the crowd 24. */
  frames?: number;
}

export type SkinSceneName = (typeof SKIN_SCENES)[number];
export const SKIN_SCENES = ['meeting', 'through', 'crowd', 'dwarfs-apart', 'dwarfs-interfering'] as const;

/**
 * What findCollisions counts at the usual size: how many of the frames have contact, and how many pairs those have.
 * Fewer or more triangles leave the poses as they are; pairs grow like the square root of the count (`meeting` with
 * 7k, 25k and 50k triangles each: 16, 47 and 67 in the median; none below 5000, where hands are mittens).
 */
export const MEASURED: Record<SkinSceneName, MeasuredContacts> = {
  meeting: { hash: 'ab22e659', triangles: 27_852, frames: 60, touching: 22, median: 28, total: 630 },
  through: { hash: '46dc02b0', triangles: 27_852, frames: 60, touching: 49, median: 266, total: 22_293 },
  crowd: { hash: 'aa139f17', triangles: 664_450, frames: 24, touching: 10, median: 260, total: 2366 },
  'dwarfs-apart': { hash: '5f4ea1af', triangles: 214_784, frames: 60, touching: 0, median: 0, total: 0 },
  'dwarfs-interfering': {
    hash: 'ef247dcc',
    triangles: 214_784,
    frames: 60,
    touching: 37,
    median: 318,
    total: 11_247,
  },
};

export interface MeasuredContacts {
  readonly hash: string; // of the scene
  readonly triangles: number; // of all bodies
  readonly frames: number;
  readonly touching: number; // frames with contact
  readonly median: number; // pairs of those
  readonly total: number; // pairs of all frames
}

/** All numbers come from the options and fixed seeds: equal options, equal bits. */
export function createSkinScene(name: SkinSceneName, options: SkinSceneOptions = {}): SkinScene {
  const { cast, late, place, note, triangles, frames } = SCENES[name];
  const { triangles: perCharacter = triangles, frames: frameCount = frames } = options;
  const bodies = cast(perCharacter);
  const scene = Array.from({ length: frameCount }, (_, k): SkinFrame => {
    const cycles = k / FRAMES_PER_CYCLE;
    const moment = { progress: (k + 0.5) / frameCount, cycles };
    return {
      joints: bodies.map(({ character }, b) => character.walk((cycles + late(b)) * character.walkDuration)),
      worlds: bodies.map((_, b) => place(moment, b)),
    };
  });
  return {
    name,
    note,
    bodies,
    frames: scene,
    triangles: bodies.reduce((sum, { character }) => sum + character.mesh.triangleCount, 0),
    hash: hashPoses(scene.flatMap(({ joints, worlds }) => [...joints, ...worlds])),
  };
}

/** One skinned body per walker. */
export function createSceneBodies(engine: Engine, { bodies }: SkinScene): Body[] {
  return bodies.map(({ name, character: { mesh, skin } }) => engine.createSkinnedBody(mesh, skin, { name }));
}

export function setSceneFrame(bodies: readonly Body[], { frames }: SkinScene, frame: number): void {
  const { joints, worlds } = frames[frame];
  for (const [b, body] of bodies.entries()) {
    body.setPose(joints[b]);
    body.setWorldMatrix(worlds[b]);
  }
}

const FRAMES_PER_CYCLE = 33; // of the walk; all keep step

interface SceneRecipe {
  readonly note: string;
  readonly triangles: number; // per character
  readonly frames: number;
  readonly cast: (triangles: number) => SkinnedWalker[];
  /** By which part of a cycle a body is ahead of the first. */
  readonly late: (body: number) => number;
  /** World matrix of a body. */
  readonly place: (moment: Moment, body: number) => Float64Array;
}

interface Moment {
  readonly progress: number; // from 0 to 1 over the scene
  readonly cycles: number; // walked
}

const SCENES: Record<SkinSceneName, SceneRecipe> = {
  meeting: {
    note: 'two men walk side by side and out of step, so that their inner arms swing together and their hands brush',
    triangles: 14_000,
    frames: 60,
    cast: twoMen,
    late: (body) => 0.5 * body,
    place: ({ cycles }, body) => {
      const apart = 0.7905 - 0.0125 * (1 - cosTurns(cycles - 0.5)); // hands are closest in the middle of the cycle
      return placeAt((body - 0.5) * apart, 0, body === 0 ? 0.01 : -0.01);
    },
  },
  through: {
    note: 'two men walk towards and through each other',
    triangles: 14_000,
    frames: 60,
    cast: twoMen,
    late: (body) => 0.37 * body,
    place: ({ progress }, body) => {
      const z = 0.3 * (2 * progress - 1);
      return body === 0 ? placeAt(-0.04, z, 0) : placeAt(0.04, -z, 0.5);
    },
  },
  crowd: {
    note: '50 men and dwarfs in five lanes, neighbouring lanes in opposite directions',
    triangles: 13_400,
    frames: 24,
    cast: crowd,
    late: (body) => createRandom(500 + body)(),
    place: placeInLane,
  },
  'dwarfs-apart': {
    note: 'two subdivided dwarfs walk side by side at some distance',
    triangles: 106_000,
    frames: 60,
    cast: twoDwarfs,
    late: (body) => 0.37 * body,
    place: ({ progress }, body) => placeAt((body - 0.5) * (1.5 + 0.2 * sinTurns(progress)), 0, 0),
  },
  'dwarfs-interfering': {
    note: 'two subdivided dwarfs walk side by side, so close that their arms go into each other',
    triangles: 106_000,
    frames: 60,
    cast: twoDwarfs,
    late: (body) => 0.37 * body,
    place: ({ progress }, body) => placeAt((body - 0.5) * (0.83 + 0.02 * sinTurns(progress)), 0, 0),
  },
};

function twoMen(triangles: number): SkinnedWalker[] {
  return [1, 2].map((seed) => ({ name: `man ${seed}`, character: createMan({ triangles, seed }) }));
}

/** The dwarf as it is, cut into four until there are about as many triangles. */
function twoDwarfs(triangles: number): SkinnedWalker[] {
  const dwarf = createDwarf();
  let levels = 0;
  while (dwarf.mesh.triangleCount * 4 ** levels < 0.7 * triangles) levels++;
  const character = subdivideCharacter(dwarf, levels);
  return [
    { name: 'dwarf 1', character },
    { name: 'dwarf 2', character },
  ];
}

const LANES = 5;
const ROWS = 10;
const LANE_WIDTH = 0.86;
const ROW_LENGTH = 1.5;

/** Two men and two dwarfs, again and again. */
function crowd(triangles: number): SkinnedWalker[] {
  const kinds = [
    createMan({ triangles, seed: 1 }),
    createDwarf({ triangles, seed: 2 }),
    createMan({ triangles, seed: 3 }),
    createDwarf({ triangles, seed: 4 }),
  ];
  return Array.from({ length: LANES * ROWS }, (_, b) => {
    const character = kinds[(b + Math.trunc(b / ROWS)) % kinds.length];
    return { name: `${character.name} ${b + 1}`, character };
  });
}

/** Everybody keeps the distance to those in front; who leaves a lane enters it again at the other end. */
function placeInLane({ progress }: Moment, body: number): Float64Array {
  const lane = Math.trunc(body / ROWS),
    row = body % ROWS;
  const random = createRandom(100 + body);
  const sideways = 0.16 * (random() - 0.5),
    ahead = 0.7 * (random() - 0.5);
  const direction = lane % 2 === 0 ? 1 : -1;
  const track = ROWS * ROW_LENGTH;
  const along = row * ROW_LENGTH + ahead + direction * WALKED * progress;
  const z = along - track * Math.floor(along / track) - track / 2;
  return placeAt((lane - (LANES - 1) / 2) * LANE_WIDTH + sideways, z, direction > 0 ? 0 : 0.5);
}

const WALKED = 3; // metres, over the scene

/** Turned about the vertical, in turns, and shifted. */
function placeAt(x: number, z: number, turns: number): Float64Array {
  const c = cosTurns(turns),
    s = sinTurns(turns);
  return new Float64Array([c, 0, s, x, 0, 1, 0, 0, -s, 0, c, z]);
}
