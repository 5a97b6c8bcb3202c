import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEnergy } from '../../../packages/pliant/src/edit/arap/energy.ts';
import { FullShape } from '../../../packages/pliant/src/edit/arap/full-shape.ts';
import { createJumpOperator } from '../../../packages/pliant/src/edit/basis/jump-operator.ts';
import {
  createShape,
  restoreShape,
  type Shape,
  type StepReport,
} from '../../../packages/pliant/src/edit/index.ts';
import type { ContactRow } from '../../../packages/pliant/src/edit/types.ts';
import { createWasmKernels } from '../../../packages/pliant/src/kernels/wasm-kernels.ts';
import type { TriangleMesh } from '../../../packages/pliant/src/mesh/triangle-mesh.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted, roundsOf } from '../bench.ts';
import { projectContacts, smoothnessOf } from '../contact-projection.ts';
import { type ProjectionPoint, plotProjection } from '../projection-plot.ts';
import { type CaseResult, createRatio, createRow, createTime, notCompared, type Row } from '../result.ts';
import { compareRotations } from '../rotation-methods.ts';
import { SHAPE_SCENES, type ShapeScene } from '../shape-scenes.ts';
import { timeOf, timeOfAsync } from '../stopwatch.ts';

const STEPS = 100;
const SAMPLES = 10;
const SETTLE_STEPS = 150;
/** The deepest that anything may be after settling, of the diagonal of its box. */
const DEPTH_PERCENT = 0.03;
const PREPARATION_SECONDS = 88; // of the 85k class
const LEVELS = 'levels';
const PROJECTION = 'projection';
const ROTATIONS = 'rotations';

/** Editing with contact in the reduced space, against the full space with the same contacts. */
export const shapes: Bench = {
  name: 'shapes',
  summary: 'editing shapes in contact: steps against the full space, preparation, penetration by level',
  cases: [...SHAPE_SCENES.map(({ name }) => name), LEVELS, PROJECTION, ROTATIONS],
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const scene of SHAPE_SCENES) {
      if (!isWanted(scene.name, options)) continue;
      const outcome = await runScene(scene, options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes.map((note) => `${scene.name}: ${note}`));
    }
    if (isWanted(LEVELS, options)) rows.push(...(await runLevels(options)));
    if (isWanted(PROJECTION, options)) {
      const outcome = await runProjection(options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes);
    }
    if (isWanted(ROTATIONS, options)) rows.push(...(await runRotations(options)));
    return { rows, notes };
  },
};

/** A state of a drag, for the full space to start from. */
interface Sample {
  readonly controls: Float64Array;
  readonly contacts: ContactRow[];
  readonly targets: number[];
  readonly detect: number;
}

async function runScene(scene: ShapeScene, options: BenchOptions): Promise<BenchOutcome> {
  const { quick, log } = options;
  const mesh = scene.createMesh(quick);
  const { shape: first, seconds } = await prepare(scene, mesh, quick);
  const { vertexCount } = first.cage.tetrahedra;
  log(`${scene.name}: ${vertexCount} vertices of the cage, prepared in ${seconds.toFixed(1)} s`);
  const stored = first.serialize();
  first.dispose();
  const drags: Drag[] = [];
  for (let round = 0; round < roundsOf(options); round++) {
    drags.at(-1)?.shape.dispose();
    // As it was before the first step: nothing that a drag has computed helps the next one.
    const contact = scene.options.contact || {};
    drags.push(runDrag(scene, mesh, await restoreShape(stored, { obstacles: contact.obstacles }), options));
  }
  // The same steps each time: what other programs add to one of them they do not add to all.
  const times = drags[0].times.map((_, k) => Math.min(...drags.map((drag) => drag.times[k])));
  const { shape, reports, samples } = drags.at(-1)!;
  const last = shape.settle({ steps: quick ? 20 : SETTLE_STEPS });
  const { depth, crossingPairs } = shape.measure();
  const percent = (100 * depth) / diagonalOf(mesh);
  const full = await measureFull(shape, samples, log);
  const isSame = drags.every((drag) =>
    drag.reports.every(({ columns }, k) => columns === reports[k].columns),
  );
  const isSound = isSame && shape.positions.every(Number.isFinite);
  const of: CaseResult = {
    name: scene.name,
    isJudged: !quick,
    pairs: null,
    answersAgree: notCompared(isSound),
  };
  const rows = [
    ...ratioRows(of, scene, times, full),
    ...tableRows(
      of,
      drags.map((drag) => drag.reports),
    ),
    createRow(of, {
      metric: 'preparation-s',
      better: 'lower',
      value: seconds,
      unit: 's',
      target: scene.name.includes('85k') ? PREPARATION_SECONDS : undefined,
    }),
    createRow(of, {
      metric: 'settled-depth',
      better: 'lower',
      value: percent,
      unit: '%',
      target: DEPTH_PERCENT,
    }),
  ];
  const notes = [
    `${mesh.triangleCount} triangles, ${vertexCount} vertices of the cage, ${shape.basis.levels} levels; ` +
      `${samples.length} states; after settling ${crossingPairs} crossing pairs, last movement ` +
      `${(last.movement / shape.cage.scale).toExponential(1)} of the size`,
  ];
  shape.dispose();
  return { rows, notes };
}

interface Drag {
  readonly shape: Shape;
  readonly times: number[];
  readonly reports: StepReport[];
  readonly samples: Sample[];
}

function runDrag(scene: ShapeScene, mesh: TriangleMesh, shape: Shape, { quick, frames }: BenchOptions): Drag {
  const move = scene.begin(shape, mesh);
  const steps = frames ?? (quick ? 20 : STEPS);
  const drag: Drag = { shape, times: [], reports: [], samples: [] };
  for (let k = 1; k <= steps; k++) {
    move(Math.min(1, k / (0.7 * steps)));
    drag.times.push(timeOf(() => void drag.reports.push(shape.step())));
    if (k % Math.max(1, Math.floor(steps / SAMPLES)) === 0) {
      drag.samples.push(sample(shape, drag.reports.at(-1)!));
    }
  }
  return drag;
}

async function prepare(
  { cageVertices, manipulators, options }: ShapeScene,
  mesh: TriangleMesh,
  quick: boolean,
  more = {},
): Promise<{ shape: Shape; seconds: number }> {
  let shape: Shape | undefined;
  const ms = await timeOfAsync(async () => {
    shape = await createShape(mesh, {
      ...options,
      cage: { vertices: quick ? cageVertices / 10 : cageVertices },
      hierarchy: { manipulators },
      slice: 1000,
      ...more,
    });
  });
  return { shape: shape!, seconds: ms / 1000 };
}

function sample({ solver, cage, handles }: Shape, { times }: StepReport): Sample {
  const contacts = (solver.rows?.toArray() ?? []).filter((_, k) => solver.lambda[k] < 0);
  const targets = handles.flatMap(({ held }) => held.map((x, a) => (x - cage.centre[a]) / cage.scale));
  return { controls: solver.controls.slice(), contacts, targets, detect: times.detect };
}

interface FullTimes {
  readonly refactor: number[];
  readonly schur: number[];
}

/** One iteration of the full space from each state, with the contacts that push there. */
async function measureFull(
  shape: Shape,
  samples: readonly Sample[],
  log: (line: string) => void,
): Promise<FullTimes> {
  const { cage, handles } = shape;
  const energy = createEnergy(await createWasmKernels(), cage);
  const points = handles.map(({ vertex }) => ({ vertices: [cage.surfaceVertex[vertex]], weights: [1] }));
  const times: Record<'refactor' | 'schur', number[]> = { refactor: [], schur: [] };
  for (const method of ['refactor', 'schur'] as const) {
    const full = new FullShape(cage, energy, { method });
    await full.setHandles(points);
    for (const { controls, contacts, targets, detect } of samples) {
      full.positions.set(controls);
      full.setTargets(targets);
      const ms = await timeOfAsync(async () => {
        await full.setContacts(contacts);
        full.step();
      });
      times[method].push(detect + ms);
    }
    full.dispose();
    log(`  full space, ${method}: ${times[method].map((ms) => ms.toFixed(0)).join(' ')} ms`);
  }
  energy.dispose();
  return times;
}

function ratioRows(
  of: CaseResult,
  { target, paper }: ShapeScene,
  times: readonly number[],
  { refactor, schur }: FullTimes,
): Row[] {
  const longest = Math.max(...times),
    average = mean(times);
  const ratio = (metric: string, slow: number, fast: number, goal?: number, printed?: number) =>
    createRow(of, { metric, better: 'higher', value: slow / fast, unit: 'x', target: goal, paper: printed });
  return [
    createRow(of, {
      metric: 'step-max-ms',
      better: 'lower',
      value: longest,
      unit: 'ms',
      target: target.milliseconds,
    }),
    createTime(of, 'step-mean-ms', average),
    createTime(of, 'full-refactor-max-ms', Math.max(...refactor)),
    createTime(of, 'full-refactor-mean-ms', mean(refactor)),
    createTime(of, 'full-schur-max-ms', Math.max(...schur)),
    createTime(of, 'full-schur-mean-ms', mean(schur)),
    ratio('refactor-ratio-max', Math.max(...refactor), longest, target.maximum, paper.maximum),
    ratio('refactor-ratio-mean', mean(refactor), average, target.average, paper.average),
    ratio('schur-ratio-max', Math.max(...schur), longest, target.schur),
    createRatio(of, 'schur-ratio-mean', mean(schur), average),
  ];
}

/** As table 1 of the paper: sizes, and where the time goes. */
function tableRows(of: CaseResult, rounds: readonly (readonly StepReport[])[]): Row[] {
  const reports = rounds[0];
  const row = (metric: string, value: number) => createRow(of, { metric, better: 'lower', value, unit: '' });
  const stages = ['detect', 'basis', 'local', 'solve', 'place'] as const;
  const stageTimes = (stage: (typeof stages)[number]) =>
    reports.map((_, k) => Math.min(...rounds.map((round) => round[k].times[stage])));
  return [
    row('columns-min', Math.min(...reports.map(({ columns }) => columns))),
    row('columns-max', Math.max(...reports.map(({ columns }) => columns))),
    row('contacts-max', Math.max(...reports.map(({ contacts }) => contacts))),
    row('pushing-max', Math.max(...reports.map(({ pushing }) => pushing))),
    ...stages.flatMap((stage) => [
      createTime(of, `${stage}-mean-ms`, mean(stageTimes(stage))),
      createTime(of, `${stage}-max-ms`, Math.max(...stageTimes(stage))),
    ]),
  ];
}

/** Figure 4: how deep a shape is in itself after settling, by the deepest level that contacts bring in. */
async function runLevels({ quick, log }: BenchOptions): Promise<Row[]> {
  const scene = SHAPE_SCENES[0];
  const mesh = scene.createMesh(quick);
  const of: CaseResult = { name: LEVELS, isJudged: !quick, pairs: null, answersAgree: notCompared() };
  const rows: Row[] = [];
  let isWarm = false;
  for (const maxLevel of [3, 0, 1, 2, 3]) {
    const { shape } = await prepare(scene, mesh, quick, { maxLevel });
    const move = scene.begin(shape, mesh);
    const steps = quick ? 20 : STEPS;
    const times: number[] = [];
    let deepest = 0;
    for (let k = 1; k <= steps; k++) {
      move(Math.min(1, k / (0.7 * steps)));
      times.push(
        timeOf(() => {
          deepest = Math.max(deepest, shape.step().depth);
        }),
      );
    }
    if (!isWarm) {
      isWarm = true; // the first drag is only there so that the times of the others compare
      shape.dispose();
      continue;
    }
    shape.settle({ steps: quick ? 20 : SETTLE_STEPS });
    const { depth, crossingPairs } = shape.measure();
    const value = (100 * depth) / diagonalOf(mesh),
      during = (100 * deepest) / diagonalOf(mesh);
    log(`levels: ${maxLevel}: depth ${value.toFixed(4)} %, ${crossingPairs} crossing pairs`);
    const target = maxLevel === 3 ? DEPTH_PERCENT : undefined;
    rows.push(
      createRow(of, { metric: `depth-level-${maxLevel}`, better: 'lower', value, unit: '%', target }),
    );
    rows.push(
      createRow(of, {
        metric: `crossing-pairs-level-${maxLevel}`,
        better: 'lower',
        value: crossingPairs,
        unit: '',
      }),
    );
    rows.push(
      createRow(of, { metric: `drag-depth-level-${maxLevel}`, better: 'lower', value: during, unit: '%' }),
      createTime(of, `step-mean-ms-level-${maxLevel}`, mean(times)),
    );
    shape.dispose();
  }
  return rows;
}

/** Figure 2: contacts in the solve against contacts that are projected out afterwards. */
async function runProjection({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const scene = SHAPE_SCENES[0];
  const mesh = scene.createMesh(quick);
  const { shape: ours } = await prepare(scene, mesh, quick);
  const { shape: other } = await prepare(scene, mesh, quick);
  const operator = createJumpOperator(ours.cage);
  const moves = [ours, other].map((shape) => scene.begin(shape, mesh));
  const diagonal = diagonalOf(mesh);
  const points: ProjectionPoint[] = [];
  const samples = quick ? 4 : 12,
    steps = quick ? 5 : 12;
  for (let k = 1; k <= samples; k++) {
    for (const move of moves) move(k / samples);
    for (let step = 0; step < steps; step++) ours.step();
    other.setContact(false);
    for (let step = 0; step < steps; step++) other.step();
    const { state } = other;
    other.setContact({});
    projectContacts(other);
    points.push({
      share: k / samples,
      smoothness: [ours, other].map(({ solver }) => smoothnessOf(operator, solver.controls)) as [
        number,
        number,
      ],
      depth: [ours, other].map((shape) => (100 * shape.measure().depth) / diagonal) as [number, number],
    });
    other.restore({ ...state, contacts: undefined });
    const { smoothness, depth } = points.at(-1)!;
    log(`projection: ${k}/${samples}: smoothness ${smoothness.join(' ')}, depth ${depth.join(' ')} %`);
  }
  ours.dispose();
  other.dispose();
  const of: CaseResult = { name: PROJECTION, isJudged: !quick, pairs: null, answersAgree: notCompared() };
  const worst = points.at(-1)!;
  const figure = (metric: string, value: number, unit: string) =>
    createRow(of, { metric, better: 'lower', value, unit });
  return {
    rows: [
      figure('smoothness-ours', worst.smoothness[0], ''),
      figure('smoothness-projected', worst.smoothness[1], ''),
      figure('depth-ours', worst.depth[0], '%'),
      figure('depth-projected', worst.depth[1], '%'),
    ],
    notes: [keepPlot(plotProjection(points))],
  };
}

/** What shared rotations cost in exactness, and cubature in comparison. */
async function runRotations({ quick }: BenchOptions): Promise<Row[]> {
  const { createMesh, cageVertices, manipulators } = SHAPE_SCENES[0];
  const vertices = quick ? cageVertices / 10 : cageVertices;
  const figures = await compareRotations(createMesh(quick), vertices, manipulators, quick ? 2 : 10);
  const of: CaseResult = { name: ROTATIONS, isJudged: !quick, pairs: null, answersAgree: notCompared() };
  return figures.flatMap(({ name, deviation, milliseconds }) => [
    createRow(of, { metric: `${name}-deviation`, better: 'lower', value: deviation, unit: '%' }),
    createTime(of, `${name}-ms`, milliseconds),
  ]);
}

function keepPlot(plot: string): string {
  const folder = process.env.PLIANT_OUT;
  if (folder === undefined || folder === '') return 'projection: set PLIANT_OUT to a folder to keep the plot';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'shapes-projection.svg'), plot);
  return `projection: written ${join(folder, 'shapes-projection.svg')}`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function diagonalOf({ positions }: TriangleMesh): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
