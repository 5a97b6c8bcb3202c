import type { Engine } from 'pliant';
import type { Character } from 'pliant/shapes';
import type { Cast, Stage } from './scene.ts';

/** Somebody who walks round on a circle. */
export interface Walker {
  readonly character: Character;
  readonly name: string;
  readonly tone: number;
  readonly x: number; // centre of the circle
  readonly z: number;
  readonly radius: number;
  readonly cycles: number; // of the walk per lap: a whole number, so that the lap closes
  readonly start: number; // where on the circle, in turns
  readonly isBackwards: boolean; // clockwise, seen from above
}

const FPS = 60;

/** Feet hardly slide: the lap is about as long as the strides. */
export function cyclesFor({ stride }: Character, radius: number): number {
  return Math.max(1, Math.round((2 * Math.PI * radius) / stride));
}

/** Walkers who all come round in the same time. Nobody gives way. */
export function createWalkStage(
  engine: Engine,
  walkers: readonly Walker[],
  options: Pick<Stage, 'self' | 'outlook' | 'follows' | 'margin'> & { name: string; lap: number },
): Stage {
  const { name, lap, ...look } = options;
  const frameCount = Math.round(lap * FPS);
  const joints = walkers.map(({ character }) => new Float64Array(12 * character.jointNames.length));
  const place = new Float64Array(12);
  const regions = new Map<Character, Stage['meshes'][number]['regions']>();
  for (const { character } of walkers) {
    if (!regions.has(character)) regions.set(character, jointRegions(character));
  }
  return {
    files: [name],
    meshes: walkers.map(({ character, name: who, tone }) => ({
      name: who,
      node: null,
      mesh: character.mesh,
      sourceTriangles: character.mesh.triangles,
      tone,
      regions: regions.get(character),
    })),
    clips: [{ name: null, frameCount }],
    fps: FPS,
    ...look,
    notes: [],
    createCast: (): Cast => {
      const bodies = walkers.map(({ character }) => engine.createSkinnedBody(character.mesh, character.skin));
      return {
        bodies,
        pose: () => {
          for (let k = 0; k < bodies.length; k++) bodies[k].setPose(joints[k]);
        },
      };
    },
    goTo: (_, frame) => {
      walkers.forEach((walker, k) => {
        const share = frame / frameCount; // of the lap
        walker.character.walk(share * walker.cycles * walker.character.walkDuration, joints[k]);
        placeOnCircle(walker, share, place);
        for (let o = 0; o < joints[k].length; o += 12) transform(place, joints[k], o);
      });
    },
  };
}

/** Stands on the circle, facing along it. Characters face +z. */
function placeOnCircle(walker: Walker, share: number, out: Float64Array): void {
  const { radius, x, z, start, isBackwards } = walker;
  const turn = isBackwards ? -1 : 1;
  const angle = 2 * Math.PI * (start + turn * share);
  const c = Math.cos(angle),
    s = Math.sin(angle);
  const fx = -turn * s,
    fz = turn * c; // the way ahead; left is up × ahead
  out.set([fz, 0, fx, x + radius * c, 0, 1, 0, 0, -fx, 0, fz, z + radius * s]);
}

/** joints[o…] becomes matrix × joints[o…]; rows of 3×4 matrices. */
function transform(m: Float64Array, joints: Float64Array, o: number): void {
  for (let column = 0; column < 4; column++) {
    const x = joints[o + column],
      y = joints[o + 4 + column],
      z = joints[o + 8 + column],
      w = column === 3 ? 1 : 0;
    joints[o + column] = m[0] * x + m[1] * y + m[2] * z + m[3] * w;
    joints[o + 4 + column] = m[4] * x + m[5] * y + m[6] * z + m[7] * w;
    joints[o + 8 + column] = m[8] * x + m[9] * y + m[10] * z + m[11] * w;
  }
}

/** Every triangle belongs to the joint that moves it most: as reports name parts of a body. */
function jointRegions({ mesh, skin, jointNames }: Character): {
  names: readonly string[];
  ofTriangle: Uint16Array;
} {
  const { influences, joints, weights } = skin;
  const ofTriangle = new Uint16Array(mesh.triangleCount);
  const sums = new Float64Array(jointNames.length);
  for (let t = 0; t < ofTriangle.length; t++) {
    sums.fill(0);
    for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
      const v = mesh.sourceVertex[mesh.triangles[corner]];
      for (let k = v * influences; k < (v + 1) * influences; k++) sums[joints[k]] += weights[k];
    }
    ofTriangle[t] = sums.indexOf(Math.max(...sums));
  }
  return { names: jointNames, ofTriangle };
}
