import { createTriangleMesh, type TetrahedralMesh } from '../../../packages/pliant/src/index.ts';
import { createBumpyBall } from '../../../packages/pliant/src/shapes/bumpy-ball.ts';
import {
  type ComputeModesOptions,
  computeModes,
  reduceSystem,
  type VibrationModes,
} from '../../../packages/pliant/src/simulate/modes/index.ts';
import { createLattice } from '../../../packages/pliant/src/solid/index.ts';
import {
  BEAM,
  BEAM_MATERIAL,
  beamSurface,
  beamTheory,
  bendingFrequencies,
  verticesUpTo,
} from '../../../packages/pliant/test/simulate/modes/beam.ts';
import { createBox } from '../../../packages/pliant/test/simulate/modes/boxes.ts';
import { type Bench, type BenchOptions, type BenchOutcome, isWanted } from '../bench.ts';
import { type CaseResult, createRow, createTime, notCompared, type Row } from '../result.ts';
import { timeOfAsync } from '../stopwatch.ts';

/** See the issue this bench answers. */
const TARGETS = { milliseconds: 60_000, beamPercent: 2, latticePercent: 5 };
const LEAST_FILL = 1e-3; // of a tetrahedron that the solid hardly enters
const RESIDUAL = 1e-6;
const ORTHONORMAL = 1e-10;

const CASES = ['lattice-10k', 'cantilever', 'cantilever-lattice'] as const;

/** Vibration modes of tetrahedra: how long they take, and how near they come to the theory of beams. */
export const modal: Bench = {
  name: 'modal',
  summary: 'vibration modes of tetrahedra: times by part, and the error of a cantilever by refinement',
  cases: CASES,
  async run(options) {
    const rows: Row[] = [],
      notes: string[] = [];
    for (const [name, run] of [
      ['lattice-10k', runLattice],
      ['cantilever', runCantilever],
      ['cantilever-lattice', runLatticeBeam],
    ] as const) {
      if (!isWanted(name, options)) continue;
      const outcome = await run(options);
      rows.push(...outcome.rows);
      notes.push(...outcome.notes.map((note) => `${name}: ${note}`));
    }
    return { rows, notes };
  },
};

async function runLattice({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const surface = createTriangleMesh(createBumpyBall({ triangles: quick ? 1500 : 15_000 }).source);
  const { tetrahedra: mesh, fill } = createLattice(surface, { vertices: quick ? 1000 : 10_000 });
  log(`lattice-10k: ${mesh.vertexCount} vertices, ${mesh.tetrahedronCount} tetrahedra`);
  const material = { young: 1e6, poisson: 0.4, density: 1000 };
  const weights = fill.map((share) => Math.max(share, LEAST_FILL));
  const { modes, ms } = await measure(mesh, { material, weights, count: quick ? 10 : 30 });
  const of: CaseResult = {
    name: 'lattice-10k',
    isJudged: !quick,
    pairs: null,
    answersAgree: notCompared(isSound(modes)),
  };
  const { assembly, ordering, factorisation, eigenpairs } = modes.times;
  // The parts were taken from the clock on the wall; on a busy machine the total is processor time.
  const share = ms / (assembly + ordering + factorisation + eigenpairs);
  return {
    rows: [
      createRow(of, {
        metric: 'modes-ms',
        better: 'lower',
        value: ms,
        unit: 'ms',
        target: TARGETS.milliseconds,
      }),
      createTime(of, 'assembly-ms', share * assembly),
      createTime(of, 'ordering-ms', share * ordering),
      createTime(of, 'factorisation-ms', share * factorisation),
      createTime(of, 'eigenpairs-ms', share * eigenpairs),
      createRow(of, {
        metric: 'largest-residual',
        better: 'lower',
        value: Math.max(...modes.residuals),
        unit: '',
      }),
    ],
    notes: [
      `${surface.triangleCount} triangles in ${mesh.vertexCount} vertices and ${mesh.tetrahedronCount} tetrahedra, ` +
        `${modes.modeCount} modes, ` +
        `${modes.rigidModes} rigid; ${modes.frequencies[0].toFixed(2)} to ${modes.frequencies.at(-1)!.toFixed(2)} Hz`,
    ],
  };
}

const LAYERS = [2, 4, 8, 12];
const CELLS = [24, 32, 48];

/** The worst of the first five bending frequencies against Timoshenko's, by layers of cells across the beam. */
async function runCantilever({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const theory = beamTheory();
  const rows: Row[] = [],
    notes: string[] = [`theory: ${describe(theory)}`];
  for (const layers of quick ? LAYERS.slice(0, 2) : LAYERS) {
    const { length, width, height } = BEAM;
    const mesh = createBox({ cells: [8 * layers, layers, layers], size: [length, width, height] });
    log(`cantilever: ${layers} layers, ${mesh.vertexCount} vertices`);
    const { modes, ms } = await measure(mesh, {
      material: BEAM_MATERIAL,
      count: 8,
      fixed: verticesUpTo(mesh, 0),
    });
    const of: CaseResult = {
      name: 'cantilever',
      isJudged: !quick,
      pairs: null,
      answersAgree: notCompared(isSound(modes)),
    };
    const target = layers === LAYERS.at(-1) ? TARGETS.beamPercent : undefined;
    rows.push(...beamRows(of, `${layers}-layers`, mesh, modes, ms, target));
    notes.push(
      `${layers} layers, ${mesh.vertexCount} vertices: ${describe(bendingFrequencies(mesh, modes))}`,
    );
  }
  return { rows, notes };
}

/** The same in a lattice that ends where it likes; each tetrahedron counts as far as it is filled. */
async function runLatticeBeam({ quick, log }: BenchOptions): Promise<BenchOutcome> {
  const rows: Row[] = [],
    notes: string[] = [];
  const surface = createTriangleMesh(beamSurface());
  for (const cells of quick ? CELLS.slice(0, 1) : CELLS) {
    const side = BEAM.length / cells;
    const { tetrahedra: mesh, fill } = createLattice(surface, { cellSize: side, offset: [0, 0.37, 0.41] });
    log(`cantilever-lattice: ${cells} cells along the beam, ${mesh.vertexCount} vertices`);
    const weights = fill.map((share) => Math.max(share, LEAST_FILL));
    const fixed = verticesUpTo(mesh, side / 4); // a plane of vertices lies within rounding of the root
    const { modes, ms } = await measure(mesh, { material: BEAM_MATERIAL, count: 8, fixed, weights });
    const of: CaseResult = {
      name: 'cantilever-lattice',
      isJudged: !quick,
      pairs: null,
      answersAgree: notCompared(isSound(modes)),
    };
    const target = cells === CELLS.at(-1) ? TARGETS.latticePercent : undefined;
    rows.push(...beamRows(of, `${cells}-cells`, mesh, modes, ms, target));
    notes.push(`${cells} cells, ${mesh.vertexCount} vertices: ${describe(bendingFrequencies(mesh, modes))}`);
  }
  return { rows, notes };
}

function beamRows(
  of: CaseResult,
  what: string,
  mesh: TetrahedralMesh,
  modes: VibrationModes,
  ms: number,
  target: number | undefined,
): Row[] {
  const found = bendingFrequencies(mesh, modes);
  const worst = Math.max(...beamTheory().map((frequency, k) => 100 * Math.abs(found[k] / frequency - 1)));
  return [
    createRow(of, { metric: `error-${what}`, better: 'lower', value: worst, unit: '%', target }),
    createTime(of, `modes-ms-${what}`, ms),
  ];
}

async function measure(
  mesh: TetrahedralMesh,
  options: ComputeModesOptions,
): Promise<{ modes: VibrationModes; ms: number }> {
  let modes: VibrationModes | undefined;
  const ms = await timeOfAsync(async () => {
    modes = await computeModes(mesh, options);
  });
  return { modes: modes!, ms };
}

function isSound({ system, vectors, modeCount, residuals }: VibrationModes): boolean {
  const { mass } = reduceSystem(system, vectors, modeCount);
  const isOrthonormal = mass.every((x, i) => Math.abs(x - (i % (modeCount + 1) === 0 ? 1 : 0)) < ORTHONORMAL);
  return isOrthonormal && residuals.every((residual) => residual < RESIDUAL);
}

function describe(frequencies: readonly number[]): string {
  return `${frequencies.map((frequency) => frequency.toFixed(5)).join(', ')} Hz`;
}
