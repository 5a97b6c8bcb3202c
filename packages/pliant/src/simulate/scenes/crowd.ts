import { cosTurns, sinTurns } from '../../algebra/trigonometry.ts';
import { createBrain } from '../../shapes/brain.ts';
import { createRandom } from '../../shapes/random.ts';
import type { Obstacle } from '../obstacle.ts';
import {
  createSoftBody,
  createSoftScene,
  createSoftShape,
  readSceneOptions,
  type SoftBody,
  type SoftScene,
  type SoftSceneOptions,
} from './soft-scene.ts';

const SPACING = 2.7; // between neighbours at the start; brains are about 2 wide
const UP = 3.5; // speeds of a hop
const ASIDE = 1.2;
const PAUSE = 1; // seconds between hops, at least

/**
 * Soft brains that hop about on a floor between four walls and bump into each other. Defaults: 50 of about 5000
 * vertices and 65 nodes.
 */
export function createCrowdScene(options: SoftSceneOptions = {}): SoftScene {
  const checked = readSceneOptions(options, { count: 50, triangles: 10_000, nodes: 65 });
  const { count, triangles, seed, room } = checked;
  const brain = createBrain({ triangles, seed });
  const shape = createSoftShape(brain, checked, { stiffness: 600, poissonRatio: 0.4 });
  const contactRadius = 0.75 * shape.model.spacing;
  const random = createRandom(seed);
  const columns = Math.ceil(Math.sqrt(count));
  const walls = createWalls((columns * room * SPACING) / 2);
  const bodies = Array.from({ length: count }, (_, i) => {
    const body = createSoftBody(shape, startOf(i, columns, room * SPACING, random), {
      damping: 0.4,
      iterations: 6,
      contactRadius,
    });
    for (const wall of walls) body.elastic.addObstacle(wall);
    return body;
  });
  const nextHop = bodies.map(() => PAUSE * random());
  return createSoftScene('crowd', bodies, checked, (time) => {
    for (let i = 0; i < count; i++) {
      if (time < nextHop[i]) continue;
      nextHop[i] += PAUSE * (1 + random());
      hop(bodies[i], random());
    }
  });
}

/** The floor, then the walls. */
function createWalls(reach: number): Obstacle[] {
  const sides = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  const walls = sides.map((normal): Obstacle => ({ kind: 'plane', normal, offset: -reach, friction: 0 }));
  return [{ kind: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 }, ...walls];
}

/** Rows and columns, a little out of line, just above the floor. */
function startOf(i: number, columns: number, spacing: number, random: () => number): number[] {
  const x = spacing * ((i % columns) - (columns - 1) / 2) + 0.3 * (random() - 0.5),
    z = spacing * (Math.floor(i / columns) - (columns - 1) / 2) + 0.3 * (random() - 0.5);
  return [1, 0, 0, x, 0, 1, 0, 1, 0, 0, 1, z];
}

function hop({ elastic }: SoftBody, direction: number): void {
  const { velocities: v } = elastic;
  for (let o = 0; o < v.length; o += 3) {
    v[o] += ASIDE * cosTurns(direction);
    v[o + 1] += UP;
    v[o + 2] += ASIDE * sinTurns(direction);
  }
}
