import { createTriangleMesh } from 'pliant';
import { createTentacleRig } from 'pliant/shapes';
import { formatTime } from './certified-cast.ts';
import { EnergyCast, prepareEnergy } from './energy-cast.ts';
import type { FactRow, SceneRequest, Stage } from './scene.ts';
import { SquishyMotion } from './squishy-motion.ts';

const FPS = 60;
const HEIGHT = 1; // it falls, in radii of the ball
const SEED = 1;
/** The more tentacles, the shorter: they stand closer. */
const LENGTHS: Readonly<Record<string, number>> = { 42: 1, 92: 0.8, 252: 0.55 };

/** A coarse simulation moves a surface of any resolution; queries are told its vertices and nothing else. */
export async function createSquishyStage(request: SceneRequest): Promise<Stage> {
  const { engine } = request;
  let { values } = request;
  const tentacles = Number(values.tentacles);
  const length = LENGTHS[tentacles];
  const triangles = Number(values.triangles);
  request.onProgress?.('Making the ball', 0);
  const rig = createTentacleRig({ triangles, tentacles, length });
  const createMesh = () => createTriangleMesh(rig.source);
  const key = JSON.stringify(['ball', triangles, tentacles]);
  const lease = values.certificate ? await prepareEnergy(request, key, createMesh) : undefined;
  const prepared = lease?.value;
  const mesh = prepared?.certificate.body.mesh ?? createMesh();
  const pose = new Float64Array(rig.source.positions.length);
  const start = () => new SquishyMotion(rig, { height: HEIGHT, seed: SEED });
  let motion = start();
  let at = 0;
  const times = { step: Number.NaN, carry: Number.NaN };

  const goTo = (_: number, frame: number) => {
    if (frame < at) {
      motion = start();
      at = 0;
    }
    motion.stiffness = Number(values.stiffness);
    const before = performance.now();
    for (; at < frame; at++) motion.step();
    const moved = performance.now();
    rig.place(motion.ball, motion.joints, pose);
    times.step = moved - before;
    times.carry = performance.now() - moved;
  };
  const rows = (): FactRow[] => [
    ['Simulation', formatTime(times.step), `Of ${rig.tentacles * rig.joints} points`],
    ['Carried to the surface', formatTime(times.carry), `${mesh.vertexCount.toLocaleString('en')} vertices`],
  ];
  const use = () => ({ certificate: values.certificate === true, levels: values.levels === true });
  const reach = 1 + length;
  return {
    files: ['squishy-ball'],
    meshes: [{ name: 'ball', node: null, mesh, sourceTriangles: rig.source.triangles, tone: 0 }],
    clips: [{ name: null, frameCount: Number.POSITIVE_INFINITY }],
    fps: FPS,
    self: true,
    outlook: [0.35, 0.3, 1],
    corners: [-reach, 0, -reach, reach, 0, -reach, -reach, 0, reach, reach, 0, reach, 0, 2 * reach, 0],
    isEntered: true,
    notes: [],
    createCast: (isTraditional = false) =>
      new EnergyCast({ engine, mesh, prepared, pose }, isTraditional, use, rows),
    setValues: (next) => {
      values = next;
    },
    goTo,
    dispose: () => lease?.release(),
  };
}
