import { DRAGON_JOINTS, type DragonBuild, dragonGroups } from './dragon-parts.ts';
import { marchTetrahedra } from './marching-tetrahedra.ts';
import { createMeshedShape } from './meshed-shape.ts';
import { PartSurface } from './part-surface.ts';
import { createRandom } from './random.ts';
import { remesh } from './remesh.ts';
import type { MotionOptions, Shape } from './shape.ts';
import { applyInverseBind, createSkeleton, Rig } from './skeleton.ts';
import { type CharacterSkin, computeSkin } from './skin-weights.ts';

export interface DragonOptions extends MotionOptions {
  /** About how many triangles; at least some 20000. Default: 77000. */
  triangles?: number;
  /** Lengths of spikes, horns and wings. Default: 1. */
  seed?: number;
}

/**
 * A crouching dragon: spikes from its neck over the back to its tail, which lies round its left side close to the
 * legs; horns, an open mouth and half folded wings. Closed, about 1 high and 1.2 long; it faces +z, y points up and it
 * stands on y = 0. Motion: it curls up, the neck towards the left, the tail to the legs and the wings to the flanks.
 * At amplitude 1 it touches itself in about 30 % of the frames, up to 0.7 in none.
 */
export function createDragon(options: DragonOptions = {}): Shape {
  const skeleton = createSkeleton(
    DRAGON_JOINTS.map(([name, parent, x, y, z]) => [name, parent, SIZE * x, SIZE * y, SIZE * z]),
  );
  const rig = new Rig(skeleton);
  const matrices = rig.world.slice();
  let skin: CharacterSkin;
  const mesh = (triangles: number, seed: number) => {
    const surface = new PartSurface(dragonGroups(createBuild(seed)));
    const plan = remesh(surface, marchTetrahedra(surface, CELL), Math.max(triangles, FEWEST));
    skin = computeSkin(surface, plan, skeleton.names);
    return { positions: plan.positions.map((x) => SIZE * x), triangles: plan.triangles };
  };
  const move = (out: Float64Array, depth: number) => {
    curl(rig, depth);
    matrices.set(rig.world);
    applyInverseBind(skeleton, matrices);
    applySkin(skin, matrices, out);
  };
  return createMeshedShape({ name: 'dragon', triangles: 77_000, mesh, move }, options);
}

const SIZE = 0.5; // of a unit of the plan
const CELL = 0.02; // finds every spike and fills no gap
const FEWEST = 20_000; // triangles that still show all parts

function createBuild(seed: number): DragonBuild {
  const random = createRandom(seed);
  const around = (value: number, spread: number) => value + spread * (2 * random() - 1);
  return {
    horn: around(1, 0.15),
    wing: around(1, 0.02),
    belly: around(1, 0.06),
    spike: () => around(1, 0.15),
  };
}

/** Degrees at depth 1: nod, turn, tilt. */
const CURL: readonly [joint: string, nod: number, turn: number, tilt: number][] = [
  ['neck1', -6, 6, 0],
  ['neck2', -8, 8, 0],
  ['neck3', 6, 10, 0],
  ['head', 10, 12, 0],
  ['tail1', 0, -1, 0],
  ['tail2', 0, -1.5, 0],
  ['tail3', 0, -1, 0],
  ['tail4', 0, -1, 0],
  ['tail5', 0, -1, 0],
  ['tail6', 0, -2, 0],
  ['wingL', 0, 0, -8],
  ['wingR', 0, 0, 8],
];

function curl(rig: Rig, depth: number): void {
  rig.turn(0, 0, 0, 0);
  for (const [name, nod, turn, tilt] of CURL) {
    rig.turn(rig.joint(name), depth * nod, depth * turn, depth * tilt);
  }
}

/** Linear blend skinning, in place. */
function applySkin({ joints, weights }: CharacterSkin, matrices: Float64Array, p: Float64Array): void {
  for (let o = 0, first = 0; o < p.length; o += 3, first += 4) {
    const x = p[o],
      y = p[o + 1],
      z = p[o + 2];
    for (let row = 0; row < 3; row++) {
      let sum = 0;
      for (let k = first; k < first + 4; k++) {
        const m = 12 * joints[k] + 4 * row;
        sum += weights[k] * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
      }
      p[o + row] = sum;
    }
  }
}
