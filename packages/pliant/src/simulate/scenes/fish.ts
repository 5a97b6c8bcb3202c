import { cosTurns, sinTurns } from '../../algebra/trigonometry.ts';
import { createFish } from '../../shapes/fish.ts';
import { createRandom } from '../../shapes/random.ts';
import {
  createSoftBody,
  createSoftScene,
  createSoftShape,
  readSceneOptions,
  type SoftBody,
  type SoftScene,
  type SoftSceneOptions,
} from './soft-scene.ts';

interface Track {
  readonly centre: readonly number[];
  readonly radius: number;
  readonly pace: number; // turns per second, negative for the other way round
  readonly start: number; // in turns
  readonly climb: number; // how far it goes up and down
  readonly beat: number; // tail strokes per second
}

const TAU = 2 * Math.PI;
const URGE = 7; // how strongly a fish follows its track, as an angular frequency
const STROKE = 0.16; // sideways way of the tail

/**
 * Fish that swim round in a tank, each on a circle of its own, beating with the tail; where tracks cross they bump
 * into each other. Defaults: 24 of about 8000 vertices and 96 nodes.
 */
export function createFishScene(options: SoftSceneOptions = {}): SoftScene {
  const checked = readSceneOptions(options, { count: 24, triangles: 16_000, nodes: 96 });
  const { count, triangles, seed, room } = checked;
  const shape = createSoftShape(createFish({ triangles, seed }), checked, { stiffness: 400 });
  const tracks = createTracks(count, seed, room);
  const frame = new Float64Array(12);
  const contactRadius = 0.75 * shape.model.spacing;
  const bodies = tracks.map((track) => {
    setFrame(track, 0, frame);
    return createSoftBody(shape, frame, { gravity: [0, 0, 0], damping: 0.5, iterations: 6, contactRadius });
  });
  return createSoftScene('fish', bodies, checked, (time) => {
    for (let i = 0; i < count; i++) {
      setFrame(tracks[i], time, frame);
      swim(bodies[i], tracks[i], time, frame);
    }
  });
}

/** With the usual room close enough to one another that they meet: some fish always do. */
function createTracks(count: number, seed: number, room: number): Track[] {
  const random = createRandom(seed);
  let reach = 1;
  while (reach * reach * reach < 1.2 * count) reach *= 1.05;
  const across = () => room * reach * (2 * random() - 1);
  return Array.from({ length: count }, () => ({
    centre: [across(), 0.6 * across(), across()],
    radius: 1.2 + 0.8 * random(),
    pace: (random() < 0.5 ? -1 : 1) * (0.08 + 0.06 * random()),
    start: random(),
    climb: 0.3 * random(),
    beat: 1 + 0.5 * random(),
  }));
}

/** The matrix that puts a straight fish on its track: its nose along the way, its back up. */
function setFrame({ centre, radius, pace, start, climb }: Track, time: number, out: Float64Array): void {
  const turns = start + pace * time;
  const c = cosTurns(turns),
    s = sinTurns(turns);
  const side = pace < 0 ? -1 : 1;
  const fx = -side * s,
    fz = side * c; // forwards; up is y, sideways their cross product
  out.set([fx, 0, -fz, centre[0] + radius * c, 0, 1, 0, centre[1] + climb * sinTurns(2 * turns)]);
  out.set([fz, 0, fx, centre[2] + radius * s], 8);
}

/** Pulls every node to where it would be on a fish that beats its tail, and to the speed along the track. */
function swim({ elastic }: SoftBody, track: Track, time: number, m: Float64Array): void {
  const { positions: p, masses } = elastic.model;
  const { displacements: u, velocities: v } = elastic;
  const speed = TAU * track.radius * Math.abs(track.pace);
  for (let node = 0, o = 0; node < masses.length; node++, o += 3) {
    const tail = Math.max(0, 0.6 - p[o]);
    const z = p[o + 2] + STROKE * tail * tail * sinTurns(track.beat * time + 0.35 * p[o]);
    const k = URGE * URGE * masses[node],
      d = 1.4 * URGE * masses[node];
    const x = m[0] * p[o] + m[2] * z + m[3],
      y = p[o + 1] + m[7],
      w = m[8] * p[o] + m[10] * z + m[11];
    elastic.applyForce(
      node,
      k * (x - p[o] - u[o]) + d * (speed * m[0] - v[o]),
      k * (y - p[o + 1] - u[o + 1]) - d * v[o + 1],
      k * (w - p[o + 2] - u[o + 2]) + d * (speed * m[8] - v[o + 2]),
    );
  }
}
