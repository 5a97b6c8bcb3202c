import type { Modes, TriangleMesh } from 'pliant';
import { gunzip, isGzip, npyModes, readNpy } from 'pliant/io';
import { sequenceModes, vertexMasses } from 'pliant/simulate';
import { CommandError } from '../command-error.ts';
import { readBytes } from '../scene/read-file.ts';
import { importedSolidModes, type ModesWork } from './elastic-modes.ts';
import type { MadeModes } from './made-modes.ts';
import { refuseOptions } from './modes-settings.ts';
import { naming } from './named-errors.ts';

const LATTICE = ['--vertices', '--cell-size', '--tetrahedra', '--fix'];
const MATERIAL = ['--young', '--poisson', '--density'];
const COUNT = 30;
const MOST_NUMBERS = 2 ** 28; // of all frames together: 2 GB, and as much again while they are worked on

/** Morph targets as they are. */
export function morphModes({ source, settings }: ModesWork): MadeModes {
  refuseOptions(
    settings.given,
    [...LATTICE, ...MATERIAL, '--count'],
    'morph targets: they are stored as they are',
  );
  const { morphs, path } = source;
  if (morphs === undefined || morphs.count === 0) {
    throw new CommandError(`${path}: there are no morph targets in this mesh`);
  }
  const { count, displacements, names } = morphs;
  const still = listStill(morphs);
  return {
    model: {
      origin: 'morph-targets',
      modes: { count, displacements: Float64Array.from(displacements) },
      ...(names.length === count && { names: [...names] }),
    },
    notes: still.length > 0 ? [`targets that move nothing: ${still.join(', ')}`] : [],
  };
}

/** The directions in which a recorded motion extends most, by area. */
export async function recordedModes({ source, settings, progress, signal }: ModesWork): Promise<MadeModes> {
  refuseOptions(settings.given, [...LATTICE, ...MATERIAL], 'the modes of a recorded motion');
  const { frames, path, surface } = source;
  if (frames === undefined) {
    throw new CommandError(
      `${path}: --kind sequence needs frames: a folder of meshes, or a mesh and its .pc2`,
    );
  }
  if (frames.count * 3 * surface.sourceVertexCount > MOST_NUMBERS) {
    throw new CommandError(
      `${path}: ${frames.count} frames of ${surface.sourceVertexCount} vertices are too many`,
    );
  }
  const read: Float64Array[] = [];
  for (let k = 0; k < frames.count; k++) {
    signal.throwIfAborted();
    progress.update('frames', k / frames.count);
    read.push(await frames.read(k));
  }
  progress.update('principal modes', 0);
  await new Promise((resolve) => setImmediate(resolve)); // the last chance to stop
  signal.throwIfAborted();
  const count = settings.count ?? COUNT;
  const { vectors, singularValues, weights, modeCount } = await naming(path, () =>
    sequenceModes(vertexMasses(vertexAreas(surface)), read, { rest: sourcePositions(surface), count }),
  );
  const notes =
    modeCount < count && settings.count !== undefined
      ? [`the motion goes in ${modeCount} directions only`]
      : [];
  return {
    model: {
      origin: 'sequence',
      modes: { count: modeCount, displacements: vectors },
      singularValues,
      poses: weights,
    },
    notes,
  };
}

/** A mode matrix from elsewhere. */
export async function importedModes(work: ModesWork, path: string): Promise<MadeModes> {
  const { source, settings } = work;
  refuseOptions(settings.given, [...LATTICE, '--count'], 'imported modes: they are stored as they are');
  const packed = await readBytes(path);
  const bytes = isGzip(packed) ? await gunzip(packed, path) : packed;
  const file = readNpy(bytes, path);
  const modes = await naming(path, () => npyModes(file, source.surface.sourceVertexCount));
  if (modes.count === 0) throw new CommandError(`${path}: there are no modes in this file`);
  const [still] = listStill(modes);
  if (still !== undefined) throw new CommandError(`${path}: mode ${still} moves nothing`);
  if (source.tetrahedra !== undefined) return importedSolidModes(work, modes);
  refuseOptions(settings.given, MATERIAL, 'imported modes of a surface');
  return { model: { origin: 'imported', modes }, notes: [] };
}

/** Modes without any displacement. */
function listStill({ count, displacements }: Modes): number[] {
  const size = displacements.length / count;
  const still: number[] = [];
  for (let m = 0; m < count; m++) {
    let o = m * size;
    while (o < (m + 1) * size && displacements[o] === 0) o++;
    if (o === (m + 1) * size) still.push(m);
  }
  return still;
}

/** A third of the triangles around each source vertex; those that were welded share it. */
function vertexAreas({ positions: p, triangles, weldedVertex, vertexCount }: TriangleMesh): Float64Array {
  const area = new Float64Array(vertexCount),
    sources = new Uint32Array(vertexCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const third = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 6;
    for (let k = 0; k < 3; k++) area[triangles[t + k]] += third;
  }
  for (const v of weldedVertex) sources[v]++;
  return Float64Array.from(weldedVertex, (v) => area[v] / sources[v]);
}

function sourcePositions({ positions, weldedVertex }: TriangleMesh): Float64Array {
  const out = new Float64Array(3 * weldedVertex.length);
  weldedVertex.forEach((v, s) => {
    out.set(positions.subarray(3 * v, 3 * v + 3), 3 * s);
  });
  return out;
}
