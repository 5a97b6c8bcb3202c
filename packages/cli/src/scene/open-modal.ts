import { createTriangleMesh } from 'pliant';
import { gunzip, isGzip, readModes, readNpy, type StoredModes } from 'pliant/io';
import { CommandError } from '../command-error.ts';
import { naming } from '../modes/named-errors.ts';
import { regionsOf } from './mesh-part.ts';
import { readSurface } from './open-mesh.ts';
import { readBytes } from './read-file.ts';
import { IDENTITY_MATRIX, type ScenePart } from './scene.ts';

/** A mesh file that is moved by the modes stored for it: a frame for each pose of a motion. */
export async function openModal(
  path: string,
  modesPath: string,
  posesPath: string | undefined,
): Promise<ScenePart> {
  const { name, positions, triangles, groups } = await readSurface(path);
  const surface = await naming(path, () => createTriangleMesh({ positions, triangles }));
  const stored = readModes(await readBytes(modesPath), modesPath, surface);
  const { modes } = stored;
  const names = stored.names ?? Array.from({ length: modes.count }, (_, m) => `mode ${m}`);
  const poses =
    posesPath === undefined ? recordedPoses(stored, modesPath) : await readPoses(posesPath, stored);
  return {
    path,
    meshes: [
      {
        name,
        node: null,
        kind: 'modal',
        positions,
        triangles,
        attributes: [],
        regions: regionsOf(name, triangles, groups),
        modes: { ...modes, names },
      },
    ],
    clips: [],
    sequence: { frameCount: poses.length / modes.count, times: undefined },
    notes: [],
    poses: async ({ frame = 0 }) => [
      {
        world: Float64Array.from(IDENTITY_MATRIX),
        weights: poses.slice(frame * modes.count, (frame + 1) * modes.count),
      },
    ],
  };
}

function recordedPoses({ poses }: StoredModes, modesPath: string): Float64Array {
  if (poses !== undefined && poses.length > 0) return poses;
  const advice = 'give them with --poses, as a NumPy array of frames × modes';
  throw new CommandError(
    `${modesPath}: no motion is recorded with these modes, so there are no poses to check; ${advice}`,
  );
}

async function readPoses(path: string, { modes: { count } }: StoredModes): Promise<Float64Array> {
  const packed = await readBytes(path);
  const { shape, values } = readNpy(isGzip(packed) ? await gunzip(packed, path) : packed, path);
  const [frames, width] = shape.length === 1 ? [1, shape[0]] : shape;
  if (shape.length > 2 || width !== count) {
    throw new CommandError(`${path}: the array is ${shape.join(' × ')}; poses are frames × ${count} modes`);
  }
  if (frames === 0) throw new CommandError(`${path}: there are no poses in this file`);
  return values;
}
