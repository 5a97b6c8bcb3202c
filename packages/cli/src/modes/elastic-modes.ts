import type { Modes, TaskPool } from 'pliant';
import type { StoredModes } from 'pliant/io';
import {
  computeModes,
  createElasticSystem,
  type ElasticSystem,
  modalDerivatives,
  nonlinearBasisAsync,
  polynomialModes,
  reduceSystem,
  surfaceModes,
  systemMass,
  type VibrationModes,
} from 'pliant/simulate';
import { CommandError } from '../command-error.ts';
import type { StageProgress } from '../output/stage-progress.ts';
import { grouped, plural } from '../output/text.ts';
import { selectFixed } from './fix-rules.ts';
import type { MadeModes } from './made-modes.ts';
import { type ModesSettings, refuseOptions } from './modes-settings.ts';
import type { ModesSource } from './modes-source.ts';
import { naming } from './named-errors.ts';
import { openSolid, type Solid } from './solid.ts';

/** What all ways to make modes of a solid are given. */
export interface ModesWork {
  readonly source: ModesSource;
  readonly settings: ModesSettings;
  readonly progress: StageProgress;
  readonly signal: AbortSignal;
  /** Where the long steps run: this thread stays free for Ctrl-C and for progress. */
  readonly pool: TaskPool;
}

const COUNT = 30;
const POLYNOMIALS = 24;
/** Linear modes that a nonlinear basis begins with, unless more are needed: they have 78 derivatives. */
const LINEAR = 12;

/** The slowest vibrations. */
export async function linearModes(work: ModesWork): Promise<MadeModes> {
  const solid = await openSolid(work);
  const { found, fixed } = await vibrations(work, solid, work.settings.count ?? COUNT);
  const { vectors, frequencies, eigenvalues, residuals } = found;
  return made(work, solid, found.system, fixed, vectors, {
    model: { origin: 'linear', frequencies, eigenvalues, residuals },
    rigidModes: found.rigidModes,
    notes: rigidNotes(solid, found.rigidModes, fixed.length > 0),
  });
}

/** The slowest vibrations and how they change when the body is deformed: for large deformations. */
export async function nonlinearModes(work: ModesWork): Promise<MadeModes> {
  const { settings, progress, signal, pool } = work;
  const count = settings.count ?? COUNT;
  let linear = Math.min(LINEAR, count);
  while (linear + (linear * (linear + 1)) / 2 < count) linear++;
  const solid = await openSolid(work);
  const { found, fixed } = await vibrations(work, solid, linear);
  const onProgress = (stage: string, share: number) =>
    progress.update(stage === 'derivatives' ? stage : 'factorisation', share);
  const derivatives = await naming(solid.path, () => modalDerivatives(found, { onProgress, signal, pool }));
  progress.update('basis', 0);
  const { vectors, singularValues, modeCount } = await nonlinearBasisAsync(found, derivatives, count, {
    onProgress: (_stage, share) => progress.update('basis', share),
    signal,
    pool,
  });
  const notes = [`from ${plural(linear, 'linear mode')} and ${plural(derivatives.count, 'derivative')}`];
  if (modeCount < count) notes.push(`only ${modeCount} of ${count} modes are independent`);
  return made(work, solid, found.system, fixed, vectors, {
    model: { origin: 'nonlinear', singularValues, ...rayleighQuotients(found.system, vectors, modeCount) },
    rigidModes: found.rigidModes,
    notes: [...notes, ...rigidNotes(solid, found.rigidModes, fixed.length > 0)],
  });
}

/** Quadratic polynomials of the rest position. */
export async function quadraticModes(work: ModesWork): Promise<MadeModes> {
  const { settings } = work;
  refuseOptions(settings.given, ['--fix'], 'polynomial modes: they move every vertex');
  const solid = await openSolid(work);
  const system = await assemble(work, solid, new Uint32Array(0));
  const found = await naming(solid.path, () => polynomialModes(solid.mesh.positions, systemMass(system)));
  const count = settings.count ?? Math.min(POLYNOMIALS, found.modeCount);
  if (count > found.modeCount) {
    throw new CommandError(`--count is ${count}, but there are ${found.modeCount} polynomial modes`);
  }
  const vectors = found.vectors.slice(0, 3 * count * solid.mesh.vertexCount);
  return made(work, solid, system, new Uint32Array(0), vectors, {
    model: { origin: 'polynomial', ...rayleighQuotients(system, vectors, count) },
    notes:
      solid.parts.length > 1
        ? [`the body falls into ${partsText(solid)}: all move by the same polynomials`]
        : [],
  });
}

/** Given modes of tetrahedra, whose frequencies can be told. */
export async function importedSolidModes(work: ModesWork, modes: Modes): Promise<MadeModes> {
  const solid = await openSolid(work);
  const system = await assemble(work, solid, new Uint32Array(0));
  const vectors = Float64Array.from(modes.displacements);
  return made(work, solid, system, new Uint32Array(0), vectors, {
    model: { origin: 'imported', ...rayleighQuotients(system, vectors, modes.count) },
    notes: [],
  });
}

async function vibrations(
  { source, settings, progress, signal, pool }: ModesWork,
  solid: Solid,
  count: number,
): Promise<{ found: VibrationModes; fixed: Uint32Array }> {
  const { mesh, fill: weights } = solid;
  const fixed = selectFixed(settings.fix, mesh.positions, source.surface.positions);
  const onProgress = (stage: string, share: number) => progress.update(stage, share);
  const { material } = settings;
  const found = await naming(solid.path, () =>
    computeModes(mesh, { count, material, fixed, weights, onProgress, signal, pool }),
  );
  return { found, fixed };
}

function assemble(
  { settings: { material }, progress, signal }: ModesWork,
  { mesh, fill: weights, path }: Solid,
  fixed: Uint32Array,
): Promise<ElasticSystem> {
  signal.throwIfAborted();
  progress.update('assembly', 0);
  return naming(path, () => createElasticSystem(mesh, { material, weights, fixed }));
}

/** ω² = uᵀKu / uᵀMu of each mode by itself. */
function rayleighQuotients(system: ElasticSystem, vectors: Float64Array, count: number) {
  const { stiffness, mass } = reduceSystem(system, vectors, count);
  const eigenvalues = Float64Array.from({ length: count }, (_, k) =>
    Math.max(0, stiffness[k * count + k] / mass[k * count + k]),
  );
  return { eigenvalues, frequencies: eigenvalues.map((value) => Math.sqrt(value) / (2 * Math.PI)) };
}

function made(
  { settings: { material } }: ModesWork,
  solid: Solid,
  system: ElasticSystem,
  fixed: Uint32Array,
  vectors: Float64Array,
  result: Pick<MadeModes, 'rigidModes' | 'notes'> & { readonly model: Omit<StoredModes, 'modes'> },
): MadeModes {
  const { mesh, fill, embedding, lattice } = solid;
  const { positions, tetrahedra } = mesh;
  const modes = embedding
    ? surfaceModes(vectors, { controlPositions: positions, influences: 4, ...embedding })
    : { count: vectors.length / positions.length, displacements: vectors };
  return {
    ...result,
    model: {
      ...result.model,
      modes,
      material,
      solid: {
        positions,
        tetrahedra,
        vectors,
        ...(fill && { fill }),
        ...(fixed.length > 0 && { fixed }),
        ...(embedding && { embedding }),
      },
    },
    solid,
    volume: lattice?.fillVolume ?? system.totalMass / material.density,
    fixed: fixed.length,
    notes: [...solid.notes, ...result.notes],
  };
}

/** What becomes of bodies in several parts, and of those that are held by too little. */
function rigidNotes(solid: Solid, rigidModes: number, isHeld: boolean): string[] {
  const { parts } = solid;
  const notes: string[] = [];
  if (parts.length > 1) {
    notes.push(
      `the body falls into ${partsText(solid)}: each has modes of its own; how parts move against each other ` +
        'without strain is left out, so they keep their places',
    );
  }
  if (isHeld && rigidModes > 0) {
    notes.push(`--fix does not hold everything: ${plural(rigidModes, 'motion')} without strain left out`);
  } else if (!isHeld && rigidModes > 6 * parts.length) {
    const more = rigidModes - 6 * parts.length;
    notes.push(
      `${plural(more, 'further motion')} without strain left out: tetrahedra hang together by hinges`,
    );
  }
  return notes;
}

function partsText({ parts }: Solid): string {
  const sizes = parts.slice(0, 5).map((size) => grouped(size));
  const more = parts.length > 5 ? ', …' : '';
  return `${parts.length} parts that nothing connects, of ${sizes.join(', ')}${more} tetrahedra`;
}
