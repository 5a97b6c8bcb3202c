import { Engine } from '../../body/engine.ts';
import type { GltfScene } from '../../gltf/gltf-scene.ts';
import { chooseKernels } from '../../kernels/choose-kernels.ts';
import { checkLongWork, runInSlices, type SliceOptions } from '../../long-work/in-slices.ts';
import type { PoolOption } from '../../long-work/task-pool.ts';
import { checkMade } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { CageOptions } from '../cage.ts';
import type { Pin } from '../controls.ts';
import type { Shape } from '../shape.ts';
import type { ShapeContactOptions } from '../shape-options.ts';
import { Correction } from './correction.ts';
import { createPosedShape } from './create-posed-shape.ts';
import { Crossings, sizeOf } from './crossings.ts';
import { easeAway } from './ease-away.ts';
import { checkPositive, checkTime, findClip, findMesh } from './find-pose.ts';
import { poseSkin, type SkinPose, surfaceOf } from './skin-pose.ts';
import { weldValues } from './weld-values.ts';

export interface CorrectionOptions extends SliceOptions, PoolOption {
  /** Which of `scene.meshes`; it must have a skin. Default: the only one that has. */
  mesh?: number;
  /** Where it lives. Default: an engine of its own, which is disposed of with it. */
  engine?: Engine;
  /** 'needed': a shape is made only when parts touch that no easing of folds takes apart. Default: 'always'. */
  shape?: 'always' | 'needed';
  /** How the cage around the bind pose is made. Default: about 10,000 vertices. */
  cage?: CageOptions;
  /** How the shape keeps apart; lengths are in world units. */
  contact?: ShapeContactOptions;
  /** What is farther from contacts than this share of the surface's size is held. Default: 0.15. */
  reach?: number;
  /** Seconds over which the weight goes from 0 to 1, and back. Default: 0.1. */
  ramp?: number;
  /** Of the morph target. Default: of clip and time. */
  name?: string;
}

const REACH = 0.15;
const RAMP = 0.1;
/** At least this share of the vertices is held. */
const LEAST_HELD = 0.1;

/**
 * A correction of the contacts that a skinned mesh has with itself at a time of a clip, by index or name. Folds of the
 * surface are eased at once; the rest is for `resolve`, and for handles on `shape`. The cage of that shape is made around
 * the bind pose and carried along, so that parts which overlap in the pose are not glued together.
 *
 * Errors: 'unsupported' without a skin, 'index-out-of-range' for clips and meshes that do not exist, 'out-of-range' for
 * times outside of the clip, 'bad-option'.
 */
export async function createCorrection(
  scene: GltfScene,
  clip: number | string,
  time: number,
  options: CorrectionOptions = {},
): Promise<Correction> {
  checkLongWork(options);
  checkMade('scene', scene, 'readGltf', 'meshes', 'nodes', 'clips');
  const mesh = findMesh(scene, options.mesh);
  const { index, name } = findClip(scene, clip);
  checkTime(scene, index, time);
  const { ramp = RAMP, reach = REACH } = options;
  checkPositive('ramp', ramp);
  checkPositive('reach', reach);
  const surface = surfaceOf(scene.meshes[mesh]);
  const engine = options.engine ?? new Engine(await chooseKernels());
  let crossings: Crossings | undefined, shape: Shape | undefined;
  try {
    crossings = new Crossings(engine, surface);
    const pose = poseSkin(scene, mesh, index, time);
    const notes: string[] = [];
    const fixed = findFixed(surface, pose, notes);
    const posed = weldValues(surface, pose.positions, 3);
    const size = sizeOf(posed);
    const eased = posed.slice();
    const { signal, slice } = options;
    let left = crossings.find(posed);
    if (left.length > 0) {
      const steps = easeAway(crossings, eased, { foldsOnly: true, fixed, size });
      await runInSlices(steps, { signal, slice }, () => {});
      left = crossings.findWithMargin(eased, size);
    }
    if (options.shape !== 'needed' || left.length > 0) {
      shape = await tryShape(engine, surface, eased, pose, options, notes);
    }
    const hold = shape && holdFar(shape, surface, eased, left, reach * size);
    return new Correction({
      engine,
      ownsEngine: options.engine === undefined,
      scene,
      mesh,
      clip: index,
      time,
      ramp,
      name: options.name ?? `corrective ${name} ${Number(time.toFixed(4))}`,
      surface,
      crossings,
      pose,
      posed,
      eased,
      fixed,
      size,
      shape,
      hold,
      notes,
    });
  } catch (error) {
    shape?.dispose();
    crossings?.dispose();
    if (options.engine === undefined) engine.dispose();
    throw error;
  }
}

/** A surface that no cage can carry has its contacts eased only. */
async function tryShape(
  engine: Engine,
  surface: TriangleMesh,
  eased: Float64Array,
  pose: SkinPose,
  options: CorrectionOptions,
  notes: string[],
): Promise<Shape | undefined> {
  try {
    const blends = weldValues(surface, pose.blends, 12);
    return await createPosedShape(engine, surface, eased, blends, options);
  } catch (error) {
    if (!(error instanceof InputError) || error.code === 'bad-option') throw error;
    notes.push(`no shape could be made, so that contacts are only eased: ${error.message}`);
    return undefined;
  }
}

/** Vertices that stay, as no displacement before the skin is one after it. */
function findFixed(surface: TriangleMesh, { singular }: SkinPose, notes: string[]): Uint8Array {
  const fixed = new Uint8Array(surface.vertexCount);
  for (const v of singular) fixed[surface.weldedVertex[v]] = 1;
  if (singular.length > 0) {
    const few = singular.slice(0, 5).join(', ');
    notes.push(
      `the skin flattens ${singular.length} vertices, which stay where they are: ${few}${singular.length > 5 ? ', …' : ''}`,
    );
  }
  return fixed;
}

/** Springs on all that is far from what crosses, or at least on what is farthest. */
function holdFar(
  shape: Shape,
  { triangles, sourceVertex, vertexCount }: TriangleMesh,
  p: Float64Array,
  crossing: readonly number[],
  reach: number,
): Pin | undefined {
  if (crossing.length === 0) return undefined;
  const hit = [...new Set(crossing.flatMap((t) => [...triangles.subarray(3 * t, 3 * t + 3)]))];
  const distance = new Float64Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    let squared = Infinity;
    for (const w of hit) {
      const x = p[3 * v] - p[3 * w],
        y = p[3 * v + 1] - p[3 * w + 1],
        z = p[3 * v + 2] - p[3 * w + 2];
      squared = Math.min(squared, x * x + y * y + z * z);
    }
    distance[v] = Math.sqrt(squared);
  }
  const sorted = distance.slice().sort();
  const from = Math.min(reach, sorted[Math.floor((1 - LEAST_HELD) * (vertexCount - 1))]);
  const far: number[] = [];
  for (let v = 0; v < vertexCount; v++) if (distance[v] >= from && distance[v] > 0) far.push(sourceVertex[v]);
  return far.length > 0 ? shape.pin(far) : undefined;
}
