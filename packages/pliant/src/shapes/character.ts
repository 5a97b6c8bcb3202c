import { checkObject, describe } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type Lens, marchTetrahedra, type Triangles } from './marching-tetrahedra.ts';
import { type PartGroup, PartSurface } from './part-surface.ts';
import { createRandom } from './random.ts';
import { remesh } from './remesh.ts';
import { checkOption, checkSeed } from './shape.ts';
import { applyInverseBind, createSkeleton, type JointPlan, poseSkeleton, Rig } from './skeleton.ts';
import { type CharacterSkin, computeSkin, keepFour } from './skin-weights.ts';
import { subdivide } from './subdivide.ts';

/**
 * A skinned figure with a walk: one smooth closed surface that does not touch itself at rest. Faces +z, up is +y,
 * its left is +x, its feet stand on y = 0. Bit-equal on every platform for equal options.
 */
export interface Character {
  readonly name: string;
  readonly mesh: TriangleMesh;
  /** For `engine.createSkinnedBody`. Weights are smooth, stay near their joint and add up to 1. */
  readonly skin: CharacterSkin;
  readonly jointNames: readonly string[];
  readonly parents: Int32Array; // −1 for the root; parents come first
  readonly bind: Float64Array; // joint world matrices at rest, row-major 3×4 each
  readonly height: number;
  readonly walkDuration: number; // seconds per cycle, two steps
  readonly stride: number; // metres per cycle: at this speed standing feet do not slide
  /**
   * The pose of a skinned body at `time` of the walk on the spot: joint world × inverse bind, row-major 3×4 per
   * joint. Allocates nothing when `out` is given.
   */
  walk(time: number, out?: Float64Array): Float64Array;
  /** World matrices of the joints for one rotation per joint, relative to its parent: quaternions x, y, z, w. */
  pose(rotations: Float64Array, out?: Float64Array): Float64Array;
}

export interface CharacterOptions {
  /** About how many, up to a million; each figure has a smallest number. Coarse ones have no fingers or claws. */
  triangles?: number;
  /** Another seed is another individual: it differs in build and gait. Default: none, the figure as designed. */
  seed?: number;
}

/** What a character is made of. */
export interface CharacterPlan {
  readonly name: string;
  readonly joints: readonly JointPlan[];
  readonly groups: readonly PartGroup[];
  readonly cell: number; // of the grid on which the surface is first found; half the thinnest part …
  readonly lenses?: readonly Lens[]; // … that is in none of these
  readonly walkDuration: number;
  readonly stride: number;
  /** The function that sets a rig to a phase of the walk. */
  createWalk(rig: Rig, build: Build): (phase: number) => void;
}

/** How an individual differs from the figure as designed: factors of its size, its pace and its swing. */
export interface Build {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly pace: number;
  readonly swing: number;
}

/** Checks the options, makes the surface and its weights, and scales both to the build. */
export function createCharacter(
  createPlan: (triangles: number) => CharacterPlan,
  options: CharacterOptions,
  usual: number,
  fewest: number,
): Character {
  checkObject('options', options);
  const { seed } = options;
  const triangles = Math.max(options.triangles ?? usual, fewest);
  checkOption('triangles', options.triangles ?? usual, 1, MOST_TRIANGLES);
  if (seed !== undefined) checkSeed(seed);
  const plan = createPlan(triangles);
  const build = createBuild(seed);
  const { shape, skin } = createSurface(plan, triangles);
  for (let o = 0; o < shape.positions.length; o += 3) {
    shape.positions[o] *= build.x;
    shape.positions[o + 1] *= build.y;
    shape.positions[o + 2] *= build.z;
  }
  return assemble(plan, build, shape, skin);
}

const MOST_TRIANGLES = 1_000_000;
const MOST_REMESHED = 32_000; // beyond, triangles are cut into four and their corners put on the surface

function createBuild(seed: number | undefined): Build {
  if (seed === undefined) return { x: 1, y: 1, z: 1, pace: 1, swing: 1 };
  const random = createRandom(seed);
  const about = (most: number) => 1 + most * (2 * random() - 1);
  return { y: about(0.06), x: about(0.08), z: about(0.07), pace: about(0.08), swing: about(0.15) };
}

function createSurface(plan: CharacterPlan, triangles: number): { shape: Triangles; skin: CharacterSkin } {
  const surface = new PartSurface(plan.groups);
  const names = plan.joints.map(([name]) => name);
  let levels = 0,
    wished = triangles;
  for (; wished > MOST_REMESHED; wished /= 4) levels++;
  let shape = remesh(surface, marchTetrahedra(surface, plan.cell, plan.lenses), wished);
  let skin = computeSkin(surface, shape, names);
  const scratch = new Float64Array(4);
  for (let level = 0; level < levels; level++) {
    const finer = subdivide(shape);
    skin = subdivideSkin(skin, finer.midpointEnds);
    for (let o = shape.positions.length; o < finer.positions.length; o += 3) {
      surface.project(finer.positions, o, 2, scratch);
    }
    shape = finer;
  }
  return { shape, skin };
}

/**
 * The same character with every triangle cut into four, `levels` times; the surface stays as it is. Weights are
 * averaged over an edge; of more than four influences the four largest are kept, lowered by the fifth so that
 * nothing jumps, and scaled to add up to 1.
 */
export function subdivideCharacter(character: Character, levels: number): Character {
  checkObject('character', character);
  checkOption('levels', levels, 0, 6);
  if (!Number.isInteger(levels))
    throw new InputError('bad-option', `levels must be an integer, not ${levels}`);
  let { mesh, skin } = character as { mesh: Triangles; skin: CharacterSkin };
  for (let level = 0; level < levels; level++) {
    const finer = subdivide(mesh);
    skin = subdivideSkin(skin, finer.midpointEnds);
    mesh = finer;
  }
  const { positions, triangles } = mesh;
  return { ...character, mesh: createTriangleMesh({ positions, triangles, name: character.name }), skin };
}

function assemble(plan: CharacterPlan, build: Build, shape: Triangles, skin: CharacterSkin): Character {
  const { name, joints } = plan;
  const { positions, triangles } = shape;
  const skeleton = createSkeleton(
    joints.map(([joint, parent, x, y, z]) => [joint, parent, build.x * x, build.y * y, build.z * z]),
  );
  const rig = new Rig(skeleton);
  const setPhase = plan.createWalk(rig, build);
  const walkDuration = plan.walkDuration / build.pace;
  const jointCount = skeleton.names.length;
  let height = 0;
  for (let o = 1; o < positions.length; o += 3) height = Math.max(height, positions[o]);
  return {
    name,
    mesh: createTriangleMesh({ positions, triangles, name }),
    skin,
    jointNames: skeleton.names,
    parents: skeleton.parents,
    bind: skeleton.bind,
    height,
    walkDuration,
    stride: plan.stride * build.z,
    walk(time, out = new Float64Array(12 * jointCount)) {
      if (!Number.isFinite(time)) throw new InputError('not-finite', `${name}: time is ${describe(time)}`);
      checkOut(name, out, 12 * jointCount);
      setPhase(time / walkDuration);
      out.set(rig.world);
      applyInverseBind(skeleton, out);
      return out;
    },
    pose(rotations, out = new Float64Array(12 * jointCount)) {
      checkOut(name, out, 12 * jointCount);
      return poseSkeleton(skeleton, rotations, out);
    },
  };
}

function checkOut(name: string, out: Float64Array, length: number): void {
  if (!(out instanceof Float64Array))
    throw new InputError('wrong-type', `${name}: out must be a Float64Array`);
  if (out.length === length) return;
  throw new InputError('wrong-length', `${name}: out has ${out.length} numbers, expected ${length}`);
}

/** Adds the weights of midpoints. */
function subdivideSkin(skin: CharacterSkin, ends: Uint32Array): CharacterSkin {
  const added = ends.length / 2;
  const joints = new Uint16Array(skin.joints.length + 4 * added);
  const weights = new Float64Array(joints.length);
  joints.set(skin.joints);
  weights.set(skin.weights);
  const row = new Float64Array(Math.max(5, skin.jointCount));
  for (let i = 0; i < added; i++) {
    row.fill(0);
    for (const end of [ends[2 * i], ends[2 * i + 1]]) {
      for (let k = 4 * end; k < 4 * end + 4; k++) row[skin.joints[k]] += skin.weights[k] / 2;
    }
    keepFour(row, 0, joints, weights, skin.joints.length + 4 * i);
  }
  return { ...skin, joints, weights };
}
