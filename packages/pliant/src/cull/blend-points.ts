import type { BlendHandles } from '../deform/handles.ts';
import type { KernelMemory } from '../kernels/memory.ts';
import type { ResidentMesh } from '../tree/resident-mesh.ts';

/**
 * Weights that add up to 1 within this need no phantom: what is missing moves a point by as little as rounding does,
 * and the margin of a proof covers both.
 */
export const SUM_TOLERANCE = 2 ** -46;

/**
 * What moves each point, read from kernel memory once: memory may grow while proofs are being prepared. A joint that
 * is listed twice counts once, with the sum of its weights. Where weights do not add up to 1, the phantom handle,
 * which sends everything to 0, has what is missing (BOUNDS §1).
 */
export interface BlendPoints {
  readonly rest: Float64Array; // 3 per point
  readonly corners: Uint32Array; // 3 points per slot
  readonly hasSkin: boolean;
  readonly phantom: number; // its handle: behind the joints
  readonly firstWeight: Uint32Array; // per point, and one more
  readonly handle: Uint32Array;
  readonly weight: Float64Array;
  readonly modeCount: number;
  readonly firstMode: Uint32Array; // per point, and one more
  readonly mode: Uint32Array;
  readonly displacement: Float64Array; // 3 per mode entry
  /** For the rounding margin of posed points. */
  readonly largestCoordinate: number;
  readonly largestWeightSum: number; // Σ|w|, the phantom's included
  readonly mostTerms: number; // of the sums that pose a point
  readonly largestDisplacement: Float64Array; // per mode
}

export function readBlendPoints(
  memory: KernelMemory,
  mesh: ResidentMesh,
  handles: BlendHandles,
): BlendPoints {
  const { pointCount, tree } = mesh;
  const restAddress = mesh.rest; // may allocate, so before the views are read
  const { f64, u32 } = memory;
  const rest = f64.slice(restAddress >>> 3, (restAddress >>> 3) + 3 * pointCount);
  const corners = u32.slice(mesh.corners >>> 2, (mesh.corners >>> 2) + 3 * tree.order.length);
  const skin = readWeights(memory, pointCount, handles);
  const modes = readModes(memory, pointCount, handles);
  return {
    rest,
    corners,
    ...skin,
    ...modes,
    modeCount: handles.modeCount,
    largestCoordinate: rest.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
    mostTerms: skin.mostWeights + modes.mostModes + 8,
  };
}

function readWeights(memory: KernelMemory, pointCount: number, { skinList, jointCount }: BlendHandles) {
  const { f64, u32 } = memory;
  const firstWeight = new Uint32Array(pointCount + 1);
  const handles: number[] = [],
    weights: number[] = [];
  let largestWeightSum = 1,
    mostWeights = 0;
  for (let p = 0; p < pointCount && skinList !== undefined; p++) {
    const { start, index, value } = skinList;
    const from = handles.length;
    const first = u32[(start >>> 2) + p],
      last = u32[(start >>> 2) + p + 1];
    let sum = 0,
      size = 0;
    for (let k = first; k < last; k++) {
      const handle = u32[(index >>> 2) + k],
        w = f64[(value >>> 3) + k];
      const known = handles.indexOf(handle, from);
      if (known < 0) {
        handles.push(handle);
        weights.push(w);
      } else weights[known] += w;
      sum += w;
      size += Math.abs(w);
    }
    const missing = 1 - sum;
    if (Math.abs(missing) > SUM_TOLERANCE) {
      handles.push(jointCount);
      weights.push(missing);
    }
    largestWeightSum = Math.max(largestWeightSum, size + Math.abs(missing));
    mostWeights = Math.max(mostWeights, last - first);
    firstWeight[p + 1] = handles.length;
  }
  return {
    hasSkin: skinList !== undefined,
    phantom: jointCount,
    firstWeight,
    handle: Uint32Array.from(handles),
    weight: Float64Array.from(weights),
    largestWeightSum,
    mostWeights,
  };
}

function readModes(memory: KernelMemory, pointCount: number, { modeList, modeCount }: BlendHandles) {
  const { f64, u32 } = memory;
  const largestDisplacement = new Float64Array(modeCount);
  if (modeList === undefined) {
    const [mode, displacement] = [new Uint32Array(0), new Float64Array(0)];
    const firstMode = new Uint32Array(pointCount + 1);
    return { firstMode, mode, displacement, largestDisplacement, mostModes: 0 };
  }
  const { start, index, value, entryCount } = modeList;
  const firstMode = u32.slice(start >>> 2, (start >>> 2) + pointCount + 1);
  const mode = u32.slice(index >>> 2, (index >>> 2) + entryCount);
  const displacement = f64.slice(value >>> 3, (value >>> 3) + 3 * entryCount);
  let mostModes = 0;
  for (let p = 0; p < pointCount; p++) mostModes = Math.max(mostModes, firstMode[p + 1] - firstMode[p]);
  for (let k = 0; k < 3 * entryCount; k++) {
    const m = mode[Math.floor(k / 3)];
    largestDisplacement[m] = Math.max(largestDisplacement[m], Math.abs(displacement[k]));
  }
  return { firstMode, mode, displacement, largestDisplacement, mostModes };
}
