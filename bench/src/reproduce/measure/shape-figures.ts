import { createEnergy } from '../../../../packages/pliant/src/edit/arap/energy.ts';
import {
  createCage,
  createShape,
  createShapeBasis,
  type Shape,
} from '../../../../packages/pliant/src/edit/index.ts';
import { createWasmKernels } from '../../../../packages/pliant/src/kernels/wasm-kernels.ts';
import type { BenchOptions, BenchOutcome } from '../../bench.ts';
import { type CaseResult, createRow, createTime, notCompared } from '../../result.ts';
import { SHAPE_SCENES, type ShapeScene } from '../../shape-scenes.ts';
import { timeOf, timeOfAsync } from '../../stopwatch.ts';

const OCTOPUS_VERTICES = 20_000;
/** Global functions and those that some contacts would add. */
const FUNCTIONS = 150;
const STEPS = 60;
const QUICK_STEPS = 15;

/** Li and Barbič, figure 5: all functions computed anew, as each change of contacts would ask for, and a step of ours. */
export async function measureFunctionsAnew({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const name = 'functions-anew';
  const scene = sceneOf('octopus-85k');
  const mesh = scene.createMesh(quick);
  const vertices = quick ? OCTOPUS_VERTICES / 10 : OCTOPUS_VERTICES;
  const cage = createCage(mesh, { vertices });
  const { laplacian } = createEnergy(await createWasmKernels(), cage);
  log(`${name}: ${cage.tetrahedra.vertexCount} vertices`);
  const anew = await timeOfAsync(async () => {
    const basis = await createShapeBasis(cage, laplacian, {
      manipulators: FUNCTIONS,
      levels: 1,
      prepared: 0,
      slice: 1000,
    });
    basis.dispose();
  });
  const shape = await createShape(mesh, {
    ...scene.options,
    cage: { vertices },
    hierarchy: { manipulators: scene.manipulators },
  });
  const move = scene.begin(shape, mesh);
  const steps = quick ? QUICK_STEPS : STEPS;
  const times: number[] = [];
  for (let k = 1; k <= steps; k++) {
    move(Math.min(1, k / (0.7 * steps)));
    times.push(timeOf(() => void shape.step()));
  }
  const isSound = shape.positions.every(Number.isFinite);
  shape.dispose();
  const of: CaseResult = { name, isJudged: !quick, pairs: null, answersAgree: notCompared(isSound) };
  const longest = Math.max(...times);
  return {
    rows: [
      createTime(of, 'anew-ms', anew),
      createTime(of, 'step-max-ms', longest),
      createRow(of, { metric: 'ratio', better: 'higher', value: anew / longest, unit: 'x' }),
    ],
    notes: [],
  };
}

const COUNTS = [10, 20, 50, 100, 200];
const QUICK_COUNTS = [10, 20, 50];
const MOST = 400; // what the others are compared with
const QUICK_MOST = 100;
const SETTLE_STEPS = 400;

/** Li and Barbič, figure 7: arms bent by few global functions, against many; nothing touches, nothing local comes in. */
export async function measureManipulators({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const name = 'manipulators';
  const scene = sceneOf('figure-10k');
  const mesh = scene.createMesh(quick);
  const bend = async (manipulators: number): Promise<Float64Array> => {
    log(`${name}: ${manipulators}`);
    const cage = { vertices: quick ? scene.cageVertices / 10 : scene.cageVertices };
    const shape: Shape = await createShape(mesh, {
      cage,
      hierarchy: { manipulators },
      contact: false,
      maxLevel: 0,
    });
    const move = scene.begin(shape, mesh);
    for (let k = 1; k <= 20; k++) {
      move((0.5 * k) / 20); // half of the way: hands do not meet yet
      shape.step();
    }
    shape.settle({ steps: SETTLE_STEPS });
    const positions = shape.positions.slice();
    shape.dispose();
    return positions;
  };
  const counts = quick ? QUICK_COUNTS : COUNTS;
  const best = await bend(quick ? QUICK_MOST : MOST);
  const diagonal = diagonalOf(mesh.positions);
  const deviations: number[] = [];
  for (const count of counts) deviations.push((100 * largestDistance(await bend(count), best)) / diagonal);
  const of: CaseResult = {
    name,
    isJudged: !quick,
    pairs: null,
    answersAgree: notCompared(best.every(Number.isFinite)),
  };
  return {
    rows: counts.map((count, k) =>
      createRow(of, { metric: `deviation-${count}`, better: 'lower', value: deviations[k], unit: '%' }),
    ),
    notes: [],
    series: [{ case: name, name: 'deviation', unit: '%', x: [...counts], y: deviations }],
  };
}

function sceneOf(name: string): ShapeScene {
  return SHAPE_SCENES.find((scene) => scene.name === name)!;
}

function largestDistance(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (let o = 0; o < a.length; o += 3) {
    most = Math.max(most, Math.hypot(a[o] - b[o], a[o + 1] - b[o + 1], a[o + 2] - b[o + 2]));
  }
  return most;
}

function diagonalOf(positions: ArrayLike<number>): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let o = 0; o < positions.length; o++) {
    low[o % 3] = Math.min(low[o % 3], positions[o]);
    high[o % 3] = Math.max(high[o % 3], positions[o]);
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
