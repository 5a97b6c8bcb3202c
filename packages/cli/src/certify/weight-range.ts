import type { PartMoment, ScenePart } from '../scene/scene.ts';

/** Morph weights as the clips of a file use them. */
export interface WeightRange {
  readonly hasClips: boolean;
  readonly hasNegative: boolean;
  readonly largestWeight: number;
  readonly largestNorm: number;
  /** Sampled poses that differ from rest. */
  readonly poses: readonly Float64Array[];
}

const RATE = 30; // samples per second, as a check takes them
const MOST_SAMPLES = 2000; // of each clip

/** Looks at every clip once; of each mesh of the part, undefined for those without weights. */
export async function findWeightRanges(part: ScenePart): Promise<(WeightRange | undefined)[]> {
  const poses = part.meshes.map((): Float64Array[] => []);
  for (const moment of momentsOf(part)) {
    (await part.poses(moment)).forEach(({ weights }, m) => {
      if (weights?.some((weight) => weight !== 0)) poses[m].push(weights);
    });
  }
  return part.meshes.map(({ modes }, m) => modes && rangeOf(poses[m], part.clips.length > 0));
}

/** The rest of the file, then its clips in even steps. */
function* momentsOf({ clips }: ScenePart): Generator<PartMoment> {
  yield {};
  for (let clip = 0; clip < clips.length; clip++) {
    const { duration } = clips[clip];
    const steps = Math.min(MOST_SAMPLES, Math.max(1, Math.ceil(duration * RATE)));
    for (let k = 0; k <= steps; k++) yield { clip, time: (k * duration) / steps };
  }
}

function rangeOf(poses: readonly Float64Array[], hasClips: boolean): WeightRange {
  let largestWeight = 0,
    largestNorm = 0,
    hasNegative = false;
  for (const pose of poses) {
    let squares = 0;
    for (const weight of pose) {
      squares += weight * weight;
      largestWeight = Math.max(largestWeight, weight);
      hasNegative ||= weight < 0;
    }
    largestNorm = Math.max(largestNorm, Math.sqrt(squares));
  }
  return { hasClips, hasNegative, largestWeight, largestNorm, poses };
}

/** Poses far from each other and from rest, the farthest first. */
export function spreadOut(poses: readonly Float64Array[], count: number): Float64Array[] {
  const chosen: Float64Array[] = [];
  const distance = poses.map((pose) => normOf(pose));
  while (chosen.length < count) {
    let farthest = 0;
    for (let k = 1; k < poses.length; k++) if (distance[k] > distance[farthest]) farthest = k;
    if (!(distance[farthest] > 0)) return chosen;
    const pose = poses[farthest];
    chosen.push(pose);
    poses.forEach((other, k) => {
      distance[k] = Math.min(distance[k], normOf(other, pose));
    });
  }
  return chosen;
}

function normOf(a: Float64Array, b?: Float64Array): number {
  let squares = 0;
  for (let m = 0; m < a.length; m++) squares += (a[m] - (b?.[m] ?? 0)) ** 2;
  return Math.sqrt(squares);
}
