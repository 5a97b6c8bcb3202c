import { BodyDrop } from 'pliant/simulate';
import { CertifiedCasts, formatTime } from './certified-cast.ts';
import { CertifiedWay, wayRows } from './certified-way.ts';
import type { PreparedDrop } from './drop-model.ts';
import type { FactRow, SceneRequest, Stage } from './scene.ts';
import { type Way, wayOf } from './way-controls.ts';

const FPS = 60;
const PER_WAY = 90; // frames out of rest and back
const MOST_WAYS = 9;
const HOVER = 0.12; // above the floor, in sizes
const [DRIVEN, FALL, LIMIT] = [0, 1, 2];

/** Clip 0: driven along one mode after the other. Clip 1: it falls. Clip 2: the way to the limit of its certificate. */
export function createDragonStage(
  { engine, values: given }: SceneRequest,
  { drop: prepared, certificate }: PreparedDrop,
): Stage {
  const { model } = prepared;
  const { surface, size } = model;
  const create = () => new BodyDrop(engine, prepared, certificate, { bodies: 1, seed: 1, substeps: 16 });
  const way = new CertifiedWay(certificate);
  const ways: Way[] = [
    'nearest',
    ...Array.from({ length: Math.min(MOST_WAYS - 1, model.modeCount) }, (_, m) => m),
  ];
  const pose = new Float64Array(model.modeCount);
  const place = new Float64Array(12);
  let lowest = Infinity;
  for (let o = 1; o < surface.positions.length; o += 3) lowest = Math.min(lowest, surface.positions[o]);
  const shared = {
    engine,
    mesh: surface,
    modes: model.surfaceModes,
    certificate,
    poses: [pose],
    places: [place],
  };
  let drop = create();
  let at = 0; // the frame of the fall
  let clip = DRIVEN;
  let driven: Way = 'nearest';
  let values = given;
  let stepTime = Number.NaN;

  const fallTo = (frame: number) => {
    if (frame < at) {
      drop.dispose();
      drop = create();
      at = 0;
    }
    const start = performance.now();
    const before = at;
    for (; at < frame; at++) drop.step(1 / FPS);
    if (at > before) stepTime = (performance.now() - start) / (at - before);
    pose.set(drop.scene.bodies[0].q);
    drop.scene.bodies[0].getWorldMatrix(place);
  };
  const stand = () => place.set([1, 0, 0, 0, 0, 1, 0, HOVER * size - lowest, 0, 0, 1, 0]);
  const rows = (): FactRow[] => {
    if (clip === FALL) return [['Step of the simulation', formatTime(stepTime)]];
    if (clip === LIMIT) return wayRows(way, values);
    return [['Driven along', driven === 'nearest' ? 'the nearest contact' : `mode ${driven + 1}`]];
  };
  const casts = new CertifiedCasts(shared, values.certificate === true, rows);
  return {
    ...casts.stageParts((next) => {
      values = next;
    }),
    files: ['dragon'],
    meshes: [{ name: 'dragon', node: null, mesh: surface, sourceTriangles: surface.triangles, tone: 0 }],
    clips: [
      { name: 'driven', frameCount: PER_WAY * ways.length },
      { name: 'fall', frameCount: Number.POSITIVE_INFINITY },
      { name: 'to the limit', frameCount: 1 },
    ],
    fps: FPS,
    outlook: [0.8, 0.3, 1],
    corners: [0, 0, 0, 0, size, 0],
    goTo: (wanted, frame) => {
      clip = wanted;
      if (clip === FALL) return fallTo(frame);
      stand();
      if (clip === LIMIT) return way.place(wayOf(values), Number(values.amplitude), pose);
      driven = ways[Math.floor(frame / PER_WAY) % ways.length];
      const phase = (frame % PER_WAY) / PER_WAY;
      way.place(driven, Number(values.drive) * Math.sin(2 * Math.PI * phase), pose);
    },
    dispose: () => drop.dispose(),
  };
}
