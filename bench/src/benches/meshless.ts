import type { MeshlessPose } from '../../../packages/pliant/src/deform/meshless.ts';
import type { Body, Engine } from '../../../packages/pliant/src/index.ts';
import type { HandleBoxes } from '../../../packages/pliant/src/refit/handle-boxes.ts';
import {
  createCrowdScene,
  createFishScene,
  createHangingScene,
  type SoftScene,
} from '../../../packages/pliant/src/simulate/index.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { type BodyTargets, measureBodies } from '../body-rows.ts';
import { BodyStage, type BodyTrack } from '../moving-bodies.ts';
import { type CaseResult, createRatio, createTime, type Row } from '../result.ts';
import { timeOf } from '../stopwatch.ts';

const FRAMES = 150;
const QUICK_FRAMES = 6;
/** Steps per recorded frame, and before the first: things have to get going. */
const STEP = 1 / 60;
const LEAD = 30;
/** So that bodies bump into each other instead of going through. */
const SUBSTEPS = 4;

interface SoftCase {
  readonly name: string;
  readonly create: (scale: number) => SoftScene;
  readonly targets: BodyTargets;
  readonly refitTarget?: number;
}

/** The other rows of Table 2 of the paper: vertices of each body, its nodes, and whether contacts are large. */
const TABLE: readonly SoftCase[] = (
  [
    ['3k', 115, 5.2, 3.0],
    ['3k', 550, 4.9, 3.2],
    ['45k', 550, 23.7, 15.4],
  ] as const
).flatMap(([size, nodes, small, large]) =>
  [false, true].map((isLarge) => ({
    name: `hanging-${size}-${nodes}${isLarge ? '-large' : ''}`,
    create: (scale) =>
      createHangingScene({
        triangles: scaled(size === '3k' ? 5_714 : 91_364, scale),
        nodes,
        swing: 0.1,
        ...(isLarge ? {} : { substeps: 3 }),
      }),
    targets: { paper: isLarge ? large : small },
  })),
);

const CASES: readonly SoftCase[] = [
  {
    name: 'hanging-8k', // vertices of each body
    create: (scale) => createHangingScene({ triangles: scaled(15_000, scale), swing: 0.1, substeps: 3 }),
    targets: { versusDepthFirst: 4, versusFastest: 0.95 },
  },
  {
    name: 'hanging-45k', // as in Table 2 of the paper
    create: (scale) => createHangingScene({ triangles: scaled(91_364, scale), swing: 0.1, substeps: 3 }),
    targets: { versusDepthFirst: 4, versusFastest: 0.95, paper: 27 },
    refitTarget: 70,
  },
  {
    name: 'hanging-45k-large', // … whose large contacts these are
    create: (scale) => createHangingScene({ triangles: scaled(91_364, scale), swing: 0.1 }),
    targets: { versusDepthFirst: 4, versusFastest: 0.95, paper: 18 },
  },
  {
    name: 'fish-24',
    create: (scale) =>
      createFishScene({ count: 24, triangles: scaled(16_000, scale), room: 1.5, substeps: SUBSTEPS }),
    targets: { versusDepthFirst: 8, versusFastest: 0.95, paper: 12 },
  },
  {
    name: 'soft-crowd',
    create: (scale) => createCrowdScene({ triangles: scaled(16_000, scale), room: 1.2, substeps: SUBSTEPS }),
    targets: { versusDepthFirst: 24, versusFastest: 0.95 },
  },
  ...TABLE,
];

/** The shapes need some triangles to keep their form. */
function scaled(triangles: number, scale: number): number {
  return Math.max(4_600, Math.round(triangles * scale));
}

/** Soft bodies carried by the nodes of a simulation, as in Steinemann, Otaduy and Gross 2007. */
export const meshless: Bench = {
  name: 'meshless',
  summary: 'soft bodies: whole frames and the refit stage against depth-first and batch',
  cases: CASES.map(({ name }) => name),
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const one of CASES) {
      if (!isWanted(one.name, options)) continue;
      const outcome = await runCase(one, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes);
    }
    return { rows, notes };
  },
};

async function runCase(one: SoftCase, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, frames = quick ? QUICK_FRAMES : FRAMES, log } = options;
  log(`${one.name}: simulating`);
  const track = recordScene(one.create(quick ? 0.1 : 1), frames);
  const { rows, notes } = await measureBodies(one.name, track, 'all', one.targets, options);
  const result: CaseResult = {
    name: one.name,
    isJudged: !quick,
    pairs: rows[0].pairs,
    answersAgree: rows[0].answersAgree,
  };
  log(`${one.name}: refit stage`);
  const { all, some } = await measureRefit(track, roundsOf(options));
  rows.push(
    createRatio(result, 'refit-speedup-vs-all', all, some, one.refitTarget),
    createTime(result, 'refit-ms', some),
    createTime(result, 'refit-ms-all', all),
  );
  return { rows, notes };
}

/** The poses of every frame, copied. */
function recordScene(scene: SoftScene, frames: number): BodyTrack {
  for (let k = 0; k < LEAD; k++) scene.step(STEP);
  const poses: MeshlessPose[][] = [];
  for (let frame = 0; frame < frames; frame++) {
    scene.step(STEP);
    poses.push(
      scene.bodies.map(({ pose }) => ({
        displacements: Float64Array.from(pose.displacements),
        gradients: Float64Array.from(pose.gradients),
      })),
    );
  }
  return {
    triangleCount: scene.bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0),
    frames,
    createBodies: (engine: Engine) =>
      scene.bodies.map(({ mesh, meshless: data }) => engine.createMeshlessBody(mesh, data)),
    pose(bodies: readonly Body[], frame: number) {
      for (let i = 0; i < bodies.length; i++) bodies[i].setPose(poses[frame][i]);
    },
  };
}

/**
 * The refit stage alone, milliseconds per frame: every vertex and every box bottom-up, or just the boxes and vertices
 * that the on-demand query of this frame asks for after that of the frame before. Copying the pose is left out on both
 * sides.
 */
async function measureRefit(track: BodyTrack, rounds: number): Promise<{ all: number; some: number }> {
  const stage = await BodyStage.create(track);
  try {
    const { bodies } = stage;
    const { kernels } = bodies[0].engine;
    const boxes = bodies.map(({ tree }) => kernels.memory.allocate(48 * tree.nodeCount));
    const query = stage.createContender('on-demand', 'all');
    let all = 0,
      some = 0;
    for (let frame = 1; frame < track.frames; frame++) {
      query.run(frame - 1);
      query.run(frame);
      const asked = bodies.map((body) => askedNodes(body));
      all += bestOf(rounds, () => {
        track.pose(bodies, frame);
        return () => bodies.forEach((body, i) => void refitAll(body, boxes[i]));
      });
      some += bestOf(rounds, () => {
        query.run(frame - 1);
        track.pose(bodies, frame);
        return () => bodies.forEach((body, i) => void refitSome(body, asked[i]));
      });
    }
    const share = 1 / (track.frames - 1);
    return { all: all * share, some: some * share };
  } finally {
    stage.dispose();
  }
}

/** The best of several runs, each after a preparation that does not count. */
function bestOf(rounds: number, prepare: () => () => void): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) best = Math.min(best, timeOf(prepare()));
  return best;
}

function refitAll(body: Body, boxes: number): void {
  const { resident, deformer, engine } = body;
  deformer.ensureAll(0);
  const { link, corners, tree } = resident;
  engine.kernels.refitBoxes(tree.nodeCount, link, corners, deformer.address(0), boxes, 0);
}

function refitSome(body: Body, nodes: readonly number[]): void {
  const bounds = body.getWorldBounds(false);
  bounds.begin(false);
  for (const node of nodes) bounds.ensure(node);
}

/** Nodes whose box the last query computed. */
function askedNodes(body: Body): number[] {
  const bounds = body.getWorldBounds(false) as HandleBoxes;
  const nodes: number[] = [];
  for (let node = 0; node < body.tree.nodeCount; node++) if (bounds.isFresh(node)) nodes.push(node);
  return nodes;
}
