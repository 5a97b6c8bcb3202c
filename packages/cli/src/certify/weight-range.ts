import type { GaugeKind } from 'pliant/cull';
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

/** Without clips to tell: as far as four targets at 1. */
const USUAL_REACH = 2;
/** Four equal weights have twice the length of one. */
const FEW = 2;
/** A little more than what is asked for, so that the farthest pose is within. */
const MARGIN = 1.001;

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

/** 0 when the clips do not use the weights. */
export function suggestReach(range: WeightRange, gauge: GaugeKind): number {
  const largest = gauge === 'box' ? range.largestWeight : range.largestNorm;
  const usual = gauge === 'box' ? 1 : USUAL_REACH;
  return MARGIN * (range.hasClips ? largest : Math.max(largest, usual));
}

/**
 * Morph weights are never negative, unless a clip says so. With few of them in use at a time their length is little
 * more than the largest, and one-sided proofs are the strongest, and the quickest to prepare; else, or when nothing
 * is known, those for all weights up to the largest.
 */
export function suggestGauge(range: WeightRange, isClipped: boolean): GaugeKind {
  const { hasNegative, hasClips, largestNorm, largestWeight } = range;
  if (hasNegative || isClipped) return 'ball';
  return hasClips && largestNorm <= FEW * largestWeight ? 'one-sided' : 'box';
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
