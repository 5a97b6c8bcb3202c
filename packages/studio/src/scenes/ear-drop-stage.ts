import type { TriangleMesh } from 'pliant';
import { BodyDrop } from 'pliant/simulate';
import { CertifiedCasts, formatTime } from './certified-cast.ts';
import { CertifiedWay, wayRows } from './certified-way.ts';
import type { PreparedDrop } from './drop-model.ts';
import type { FactRow, SceneRequest, Stage } from './scene.ts';
import { wayOf } from './way-controls.ts';

const FPS = 60;
const SUBSTEPS = 8;
const SPACING = 0.75; // of rows and columns, in sizes
const FALL = 0;

/**
 * Clip 0: all fall. Clip 1: they stand in rows and show the way to the limit of the certificate, from rest to the
 * amplitude that was asked for.
 */
export function createEarDropStage(
  { engine, values: given }: SceneRequest,
  { drop: prepared, certificate }: PreparedDrop,
  count: number,
): Stage {
  const { model } = prepared;
  const create = () =>
    new BodyDrop(engine, prepared, certificate, { bodies: count, seed: 1, substeps: SUBSTEPS });
  const way = new CertifiedWay(certificate);
  const poses = Array.from({ length: count }, () => new Float64Array(model.modeCount));
  const places = Array.from({ length: count }, () => new Float64Array(12));
  const shared = {
    engine,
    mesh: model.surface,
    modes: model.surfaceModes,
    certificate,
    poses,
    places,
  };
  let drop = create();
  let at = 0; // the frame of the fall
  let clip = FALL;
  let values = given;
  let stepTime = Number.NaN;

  const fallTo = (frame: number) => {
    if (frame < at) {
      drop.dispose();
      drop = create();
      at = 0;
    }
    for (const collider of drop.scene.colliders) {
      const own = collider.certificates.length > 0;
      if (own !== values.certificate) collider.setCertificates(own ? [] : [certificate.forBody(collider)]);
    }
    const start = performance.now();
    const before = at;
    for (; at < frame; at++) drop.step(1 / FPS);
    if (at > before) stepTime = (performance.now() - start) / (at - before);
    drop.scene.bodies.forEach((body, k) => {
      poses[k].set(body.q);
      body.getWorldMatrix(places[k]);
    });
  };
  const side = Math.ceil(Math.sqrt(count));
  const spacing = SPACING * model.size;
  const height = -lowest(model.surface);
  const middle = middleOf(drop);
  const standInRows = () => {
    for (let k = 0; k < count; k++) {
      way.place(wayOf(values), (Number(values.amplitude) * (k + 1)) / count, poses[k]);
      const x = middle[0] + spacing * ((k % side) - (side - 1) / 2),
        z = middle[1] + spacing * (Math.floor(k / side) - (side - 1) / 2);
      places[k].set([1, 0, 0, x, 0, 1, 0, height, 0, 0, 1, z]);
    }
  };
  const rows = (): FactRow[] =>
    clip === FALL
      ? [
          [
            'Step of the simulation',
            formatTime(stepTime),
            `1/${FPS} s in ${SUBSTEPS} parts, each with all queries`,
          ],
        ]
      : wayRows(way, values);
  const casts = new CertifiedCasts(shared, values.certificate === true, rows);
  return {
    ...casts.stageParts((next) => {
      values = next;
    }),
    files: ['ear-drop'],
    meshes: poses.map((_, k) => ({
      name: `rabbit ${k + 1}`,
      node: null,
      mesh: model.surface,
      sourceTriangles: model.surface.triangles,
      tone: 0,
    })),
    clips: [
      { name: 'fall', frameCount: Number.POSITIVE_INFINITY },
      { name: 'to the limit', frameCount: 1 },
    ],
    fps: FPS,
    outlook: [0.45, 0.25, 1],
    corners: boxAround(middle, (spacing * side) / 2, 1.6 * model.size),
    isEntered: true,
    goTo: (wanted, frame) => {
      clip = wanted;
      if (clip === FALL) fallTo(frame);
      else standInRows();
    },
    dispose: () => drop.dispose(),
  };
}

/** Where bodies are on average, on the floor: x and z. */
function middleOf({ scene }: BodyDrop): [number, number] {
  let x = 0,
    z = 0;
  for (const { frame } of scene.bodies) {
    x += frame.position[0] / scene.bodies.length;
    z += frame.position[2] / scene.bodies.length;
  }
  return [x, z];
}

/** Corners of a box on the floor. */
function boxAround([x, z]: readonly [number, number], half: number, height: number): number[] {
  const sides = [-half, half];
  return sides.flatMap((dx) => sides.flatMap((dz) => [x + dx, 0, z + dz, x + dx, height, z + dz]));
}

/** The height of the lowest point at rest. */
function lowest({ positions }: TriangleMesh): number {
  let y = Infinity;
  for (let o = 1; o < positions.length; o += 3) y = Math.min(y, positions[o]);
  return y;
}
