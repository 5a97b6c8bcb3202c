import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Body, createEngine } from '../../packages/pliant/src/index.ts';
import { readObj, readPc2 } from '../../packages/pliant/src/io/index.ts';
import { createTriangleMesh, type TriangleMesh } from '../../packages/pliant/src/mesh/triangle-mesh.ts';
import { createBumpyBall } from '../../packages/pliant/src/shapes/bumpy-ball.ts';
import type { Character } from '../../packages/pliant/src/shapes/character.ts';
import { createCloth } from '../../packages/pliant/src/shapes/cloth.ts';
import { createCreature } from '../../packages/pliant/src/shapes/creature.ts';
import { createDragon } from '../../packages/pliant/src/shapes/dragon.ts';
import { createMan } from '../../packages/pliant/src/shapes/man.ts';
import { createRabbit } from '../../packages/pliant/src/shapes/rabbit.ts';
import { createRandom } from '../../packages/pliant/src/shapes/random.ts';
import type { Shape } from '../../packages/pliant/src/shapes/shape.ts';
import { createSpring } from '../../packages/pliant/src/shapes/spring.ts';
import { createTentacleBall } from '../../packages/pliant/src/shapes/tentacle-ball.ts';
import { ClothBody, type ClothBodyOptions } from '../../packages/pliant/src/simulate/cloth-body.ts';
import { readCharacterScene } from './character-scenes.ts';
import { createSnake } from './energy-snake.ts';
import type { EnergyTrack } from './energy-tracks.ts';

export interface SceneOptions {
  /** Share of the triangles. Default: 1. */
  scale?: number;
  frames?: number;
}

/** Undefined when it is recorded data that is not here. */
export type SceneMaker = (
  options: SceneOptions,
) => EnergyTrack | undefined | Promise<EnergyTrack | undefined>;

const FRAMES = 48;
const PERIOD = 2; // seconds
const RATE = 30; // frames per second of a scripted motion

/** A shape's own motion, once from rest to rest and on; `bodies` of them are at different times. */
const shape =
  (triangles: number, create: (triangles: number) => Shape, bodies = 1): SceneMaker =>
  ({ scale = 1, frames = FRAMES }) => {
    const { source, deform } = create(triangles * scale);
    return {
      mesh: createTriangleMesh(source),
      frames: Array.from({ length: frames }, (_, frame) =>
        Array.from({ length: bodies }, (_, k) => {
          const out = new Float64Array(source.positions.length);
          // Spread over the period when there are few, so that the largest deformation is among them.
          const rate = Math.min(RATE, frames / PERIOD);
          deform((frame + 0.5) / rate + (PERIOD * k) / bodies, out);
          return out;
        }),
      ),
    };
  };

interface ClothPlan {
  readonly cloth: (scale: number) => ClothBodyOptions;
  /** A ball below it, at a time. */
  readonly ball?: { readonly radius: number; centre(time: number): [number, number, number] };
  /** Seconds that pass before the first frame. */
  readonly from: number;
}

/** Cloth that is simulated. */
const cloth =
  ({ cloth: optionsOf, ball, from }: ClothPlan): SceneMaker =>
  ({ scale = 1, frames = FRAMES }) => {
    const simulated = new ClothBody(optionsOf(Math.sqrt(scale)));
    const obstacle = ball && { kind: 'ball' as const, radius: ball.radius, centre: ball.centre(0) };
    if (obstacle) simulated.addObstacle(obstacle);
    const { positions, triangles } = simulated;
    const step = (count: number) => {
      for (let k = 0; k < count; k++) {
        if (obstacle) obstacle.centre = ball!.centre(simulated.time);
        simulated.step(1 / CLOTH_RATE);
      }
      return positions.slice();
    };
    const mesh = createTriangleMesh({ positions: positions.slice(), triangles });
    step(CLOTH_RATE * from);
    return { mesh, frames: Array.from({ length: frames }, () => [step(2)]) };
  };

const CLOTH_RATE = 60; // steps per second, two for each frame

/** The walk of a character, whose vertices alone are known. */
const walk =
  (triangles: number, create: (options: { triangles: number }) => Character): SceneMaker =>
  async ({ scale = 1, frames = FRAMES }) => {
    const character = create({ triangles: triangles * scale });
    const engine = await createEngine();
    const body = engine.createSkinnedBody(character.mesh, character.skin);
    const poses = Array.from({ length: frames }, (_, k) => {
      body.setPose(character.walk(k / RATE));
      return [body.getLocalPositions()];
    });
    engine.dispose();
    return { mesh: unwelded(character.mesh), frames: poses };
  };

const CESIUM_FRAMES = 60;

/** The walk of CesiumMan, as `check` sees it. */
const cesiumMan: SceneMaker = async ({ frames = CESIUM_FRAMES }) => {
  const scene = await readCharacterScene('CesiumMan', { frames });
  if (scene === undefined) return undefined;
  const engine = await createEngine();
  const bodies: Body[] = scene.createBodies(engine);
  const poses = Array.from({ length: scene.frames }, (_, frame) => {
    scene.pose(bodies, frame);
    return [bodies[0].getLocalPositions()];
  });
  const mesh = unwelded(bodies[0].mesh);
  engine.dispose();
  return { mesh, frames: poses };
};

/** Welded vertices as the only ones. */
function unwelded({ positions, triangles }: TriangleMesh): TriangleMesh {
  return createTriangleMesh({ positions, triangles });
}

/** Recorded frames of one after the other. */
const recorded =
  (name: string): SceneMaker =>
  ({ frames = FRAMES }) => {
    const folder = join(process.env.PLIANT_DATA ?? resolve('../shared/data'), 'sequences');
    const obj = join(folder, `${name}.obj`),
      pc2 = join(folder, `${name}.pc2`);
    if (!existsSync(obj) || !existsSync(pc2)) return undefined;
    const mesh = createTriangleMesh(readObj(readFileSync(obj), obj));
    const cache = readPc2(readFileSync(pc2), pc2);
    const count = Math.min(frames, cache.frameCount),
      first = (cache.frameCount - count) >> 1;
    return {
      mesh,
      frames: Array.from({ length: count }, (_, k) => [
        cache.frame(first + k, new Float64Array(3 * cache.pointCount)),
      ]),
    };
  };

/** A ball whose rest shape is rough: `noise` of an edge everywhere, and spikes of so many edges on every 30th vertex. */
function createRoughBall(triangles: number, noise: number, spike: number): Shape {
  const ball = createBumpyBall({ triangles, bump: 0.02, period: PERIOD });
  const random = createRandom(3);
  const edge = Math.sqrt((4 * Math.PI * 2.3) / triangles);
  const factor = Float64Array.from(
    { length: ball.source.positions.length / 3 },
    (_, v) => 1 + edge * (noise * (2 * random() - 1) + (v % SPIKED === 0 ? spike : 0)),
  );
  const roughen = (out: Float64Array) => {
    for (let o = 0; o < out.length; o++) out[o] *= factor[Math.floor(o / 3)];
    return out;
  };
  const { positions, ...rest } = ball.source;
  return {
    source: { ...rest, positions: roughen(positions.slice()) },
    deform: (time, out) => {
      ball.deform(time, out);
      roughen(out);
    },
  };
}

const SPIKED = 30;

/** A ball that collapses: every part of it is thrown inwards by another amount, until nothing is smooth any more. */
function createCrumple(triangles: number): Shape {
  const ball = createBumpyBall({ triangles, amplitude: 0, period: PERIOD });
  const { positions } = ball.source;
  const random = createRandom(11);
  const waves = Array.from({ length: 40 }, () => ({
    k: [0, 1, 2].map(() => 30 * (2 * random() - 1)),
    phase: 7 * random(),
    axis: Math.floor(3 * random()),
  }));
  return {
    source: ball.source,
    deform: (time, out) => {
      const depth = (1 - Math.cos((2 * Math.PI * time) / PERIOD)) / 2;
      for (let o = 0; o < out.length; o += 3) {
        for (let c = 0; c < 3; c++) out[o + c] = positions[o + c] * (1 - 0.7 * depth);
        for (const { k, phase, axis } of waves) {
          const turn = k[0] * positions[o] + k[1] * positions[o + 1] + k[2] * positions[o + 2] + phase;
          out[o + axis] += 0.035 * depth * Math.sin(turn + 2 * time);
        }
      }
    },
  };
}

const FLAG: ClothPlan = {
  cloth: (scale) => ({
    columns: Math.round(96 * scale),
    rows: Math.round(70 * scale),
    cell: 0.02 / scale,
    along: [0, -1, 0],
    isHeld: (column) => column === 0,
    wind: [7, 0, 0],
    gusts: 0.8,
    softness: 3e-8,
    layers: 0.02 / scale,
  }),
  from: 1,
};

const ON_BALL: ClothPlan = {
  cloth: (scale) => ({
    columns: Math.round(100 * scale),
    rows: Math.round(100 * scale),
    cell: 0.02 / scale,
    origin: [-1, 0.62, -1],
    air: 1,
    softness: 1e-7,
    layers: 0.02 / scale,
  }),
  ball: { radius: 0.6, centre: (time) => [0.15 * Math.sin(2 * time), 0, 0.15 * Math.sin(3 * time)] },
  from: 0.2,
};

export const ENERGY_SCENES = {
  'flowing-cloth-51k': shape(51_200, (triangles) =>
    createCloth({ triangles, motion: 'fold', amplitude: 0.9, period: PERIOD }),
  ),
  'waves-51k': shape(51_200, (triangles) => createCloth({ triangles, amplitude: 1.5, period: PERIOD })),
  'dragon-77k': shape(77_000, (triangles) => createDragon({ triangles, period: PERIOD })),
  'spring-16k': shape(16_000, (triangles) => createSpring({ triangles, amplitude: 0.77, period: PERIOD })),
  'bodies-16': shape(15_000, (triangles) => createRabbit({ triangles, period: PERIOD }), 16),
  'flag-13k': cloth(FLAG),
  'ball-smooth-54k': shape(54_000, (triangles) => createRoughBall(triangles, 0, 0)),
  'ball-noisy-54k': shape(54_000, (triangles) => createRoughBall(triangles, 0.3, 0)),
  'ball-spiky-54k': shape(54_000, (triangles) => createRoughBall(triangles, 0.3, 3)),
  'cloth-on-ball-20k': cloth(ON_BALL),
  'snake-18k': shape(18_000, (triangles) => createSnake(triangles, PERIOD)),
  'dancer-14k': walk(14_000, createMan),
  'cat-41k': walk(41_000, createCreature),
  'crumple-25k': shape(25_000, createCrumple),
  kick: recorded('kick_unfixed'),
  tshirt: recorded('tshirt_iter0'),
  'cesium-man': cesiumMan,
  'tentacle-ball-1m': shape(1_000_000, (triangles) =>
    createTentacleBall({ triangles, tentacles: 812, length: 0.5, amplitude: 0.75, period: PERIOD }),
  ),
} satisfies Record<string, SceneMaker>;

export type EnergySceneName = keyof typeof ENERGY_SCENES;
