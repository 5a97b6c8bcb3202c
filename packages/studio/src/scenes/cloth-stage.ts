import { createTriangleMesh, type TriangleMesh } from 'pliant';
import { createBumpyBall } from 'pliant/shapes';
import { ClothBody, ClothSurface } from 'pliant/simulate';
import { formatTime } from './certified-cast.ts';
import { EnergyCast, prepareEnergy } from './energy-cast.ts';
import type { ClothDetail } from './flag.ts';
import type { FactRow, SceneRequest, Stage } from './scene.ts';

const FPS = 60;
const PROP_TONE = 7;

/** What is simulated, and what stands beside it. */
interface ClothScene {
  readonly name: string;
  readonly body: ClothBody;
  readonly prop: TriangleMesh;
  readonly place: Float64Array; // of the prop, 3×4
  readonly corners: readonly number[];
  readonly outlook: readonly [number, number, number];
  /** Before a step: moves the prop. */
  prepare(time: number): void;
  /** Compliance of bending at stiffness 1. */
  readonly softness: number;
  /** The wind as a vector. */
  wind(speed: number): readonly [number, number, number];
}

/** A coarse cloth that is simulated moves a finer one; queries are told its vertices and nothing else. */
export async function createClothStage(request: SceneRequest, [cells, factor]: ClothDetail): Promise<Stage> {
  const { engine } = request;
  let { values } = request;
  const start = values.cloth === 'flag' ? () => createFlag(cells) : () => createOnBall(cells);
  let scene = start();
  const { columns, rows } = scene.body;
  const fine = new ClothSurface(scene.body, factor);
  const createMesh = () =>
    createTriangleMesh({ positions: fine.positions.slice(), triangles: fine.triangles });
  const key = JSON.stringify(['cloth', columns, rows, factor, values.cloth]);
  const lease = values.certificate ? await prepareEnergy(request, key, createMesh) : undefined;
  const prepared = lease?.value;
  const mesh = prepared?.certificate.body.mesh ?? createMesh();
  const place = scene.place.slice();
  const { prop, corners, outlook, name } = scene;
  let at = 0;
  const times = { step: Number.NaN, carry: Number.NaN };

  const goTo = (_: number, frame: number) => {
    if (frame < at) {
      scene = start();
      at = 0;
    }
    const { body } = scene;
    const speed = Number(values.wind);
    body.softness = scene.softness / Number(values.stiffness);
    Object.assign(body.wind, scene.wind(speed));
    const before = performance.now();
    for (; at < frame; at++) {
      scene.prepare(body.time);
      body.step(1 / FPS);
    }
    const moved = performance.now();
    fine.follow(body);
    place.set(scene.place);
    times.step = moved - before;
    times.carry = performance.now() - moved;
  };
  const rowsOf = (): FactRow[] => [
    ['Simulation', formatTime(times.step), `Of ${(columns + 1) * (rows + 1)} points`],
    ...(factor > 1
      ? [['Carried to the surface', formatTime(times.carry), `${factor} cells for each`] as const]
      : []),
  ];
  const use = () => ({ certificate: values.certificate === true, levels: values.levels === true });
  const props = [{ mesh: prop, place, tone: PROP_TONE }];
  return {
    files: [name],
    meshes: [
      { name, node: null, mesh, sourceTriangles: fine.triangles, tone: 0 },
      {
        name: values.cloth === 'flag' ? 'pole' : 'ball',
        node: null,
        mesh: prop,
        sourceTriangles: prop.triangles,
        tone: PROP_TONE,
      },
    ],
    clips: [{ name: null, frameCount: Number.POSITIVE_INFINITY }],
    fps: FPS,
    self: true,
    outlook,
    corners,
    isEntered: true,
    notes: [],
    createCast: (isTraditional = false) =>
      new EnergyCast({ engine, mesh, prepared, pose: fine.positions, props }, isTraditional, use, rowsOf),
    setValues: (next) => {
      values = next;
    },
    goTo,
    dispose: () => lease?.release(),
  };
}

const FLAG_WIDE = 1.6; // metres
const POLE = 2.4;

/** Held along a pole; the wind blows along x. */
function createFlag(cells: number): ClothScene {
  const rows = Math.round(0.7 * cells);
  const cell = FLAG_WIDE / cells;
  const body = new ClothBody({
    columns: cells,
    rows,
    cell,
    origin: [0.035, POLE - 0.05, 0],
    across: [1, 0, 0],
    along: [0, -1, 0],
    isHeld: (column) => column === 0,
    gusts: 0.75,
    substeps: 14,
  });
  return {
    name: 'flag',
    body,
    prop: createPole(POLE, 0.025),
    place: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
    corners: [-0.2, 0, -0.3, FLAG_WIDE, 0, 0.3, -0.2, POLE, -0.3, FLAG_WIDE + 0.1, POLE, 0.3],
    outlook: [-0.25, 0.12, 1],
    prepare: () => {},
    wind: (speed) => [speed, 0, 0],
    softness: 2e-5,
  };
}

const RADIUS = 0.5;
const CLOTH_WIDE = 2.4;

/** Falls on a ball that moves to and fro; of the wind it gets a tenth. */
function createOnBall(cells: number): ClothScene {
  const side = Math.round(Math.sqrt(0.7) * cells); // as many as a flag has
  const body = new ClothBody({
    columns: side,
    rows: side,
    cell: CLOTH_WIDE / side,
    origin: [-CLOTH_WIDE / 2, 2 * RADIUS + 0.5, -CLOTH_WIDE / 2],
    air: 1.5,
    gusts: 0.3,
    substeps: 14,
    thickness: 0.012,
  });
  const ball = { kind: 'ball' as const, centre: [0, RADIUS, 0], radius: RADIUS, friction: 0.6 };
  body.addObstacle(ball);
  body.addObstacle({ kind: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.6 });
  const place = Float64Array.of(1, 0, 0, 0, 0, 1, 0, RADIUS, 0, 0, 1, 0);
  return {
    name: 'cloth',
    body,
    prop: createBall(RADIUS - 0.004),
    place,
    corners: [-1.1, 0, -1, 1.1, 0, -1, -1.1, 0, 1, 1.1, 0, 1, -1.1, 1.5, 0.6, 1.1, 1.5, 0.6],
    outlook: [0.4, 0.35, 1],
    prepare: (time) => {
      const since = Math.max(0, time - 1.2);
      ball.centre[0] = place[3] = 0.3 * Math.sin(1.1 * since);
      ball.centre[2] = place[11] = 0.2 * Math.sin(0.7 * since);
    },
    wind: (speed) => [0.1 * speed, 0, 0.03 * speed],
    softness: 6e-7,
  };
}

/** An upright cylinder on the floor, closed. */
function createPole(height: number, radius: number): TriangleMesh {
  const sides = 16,
    rings = 12;
  const positions: number[] = [0, 0, 0, 0, height, 0];
  const triangles: number[] = [];
  const id = (ring: number, side: number) => 2 + ring * sides + (side % sides);
  for (let ring = 0; ring <= rings; ring++) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides;
      positions.push(radius * Math.cos(angle), (height * ring) / rings, radius * Math.sin(angle));
      const [a, b] = [id(ring, side), id(ring, side + 1)];
      if (ring < rings)
        triangles.push(a, id(ring + 1, side), b, b, id(ring + 1, side), id(ring + 1, side + 1));
      if (ring === 0) triangles.push(0, a, b);
      if (ring === rings) triangles.push(1, b, a);
    }
  }
  return createTriangleMesh({
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
  });
}

function createBall(radius: number): TriangleMesh {
  const { source } = createBumpyBall({ triangles: 2000, amplitude: 0 });
  const positions = source.positions.slice();
  for (let o = 0; o < positions.length; o += 3) {
    const [x, y, z] = positions.subarray(o, o + 3);
    const scale = radius / Math.sqrt(x * x + y * y + z * z);
    for (let c = 0; c < 3; c++) positions[o + c] *= scale;
  }
  return createTriangleMesh({ positions, triangles: source.triangles });
}
