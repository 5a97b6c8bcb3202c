import type { CullingKind, CullingSubject, CullingUse, GaugeKind } from 'pliant/cull';
import { findWeightRanges, suggestGauge, suggestReach, type WeightRange } from '../certify/weight-range.ts';
import { CommandError, describeError, isExpected } from '../command-error.ts';
import { plural } from '../output/text.ts';
import type { Scene, SceneMesh } from '../scene/scene.ts';

/** What --cull can be; the library's names, and auto. */
export const CULLINGS = [
  'auto',
  'none',
  'blend',
  'subspace',
  'reduced-energy',
  'energy',
] as const satisfies readonly ('auto' | CullingKind)[];
export type Culling = (typeof CULLINGS)[number];

/** Proofs that are prepared when the meshes are there. Plain data: workers get it too. */
export interface CullingPlan {
  readonly meshes: readonly PlannedCulling[];
  readonly use: CullingUse;
  /** Finds out how much they prove in each frame, which takes a little time. */
  readonly isMeasured: boolean;
}

export interface PlannedCulling {
  readonly mesh: number; // in the scene
  readonly kind: CullingKind;
  readonly reason: string;
  readonly gauge?: GaugeKind; // of subspace certificates
  readonly reach?: number;
}

export interface CullingRequest {
  readonly culling: Culling;
  /** Somebody wants to know why, even if nothing is prepared. */
  readonly isExplained: boolean;
  readonly isMeasured: boolean;
  readonly frames: number;
  readonly threads: number; // each prepares its own
  readonly continuous: boolean;
  readonly method: string;
  /** Meshes whose certificates are stored. */
  readonly stored: readonly number[];
}

/** With fewer frames nothing is ever worth preparing: the least number of queries of the library's rule. */
export const LEAST_FRAMES = 5_000;

/** Which proofs are prepared for a run, decided on counts. Undefined: none, and nobody asked why. */
export async function planCulling(scene: Scene, request: CullingRequest): Promise<CullingPlan | undefined> {
  const { culling, isExplained, isMeasured, frames, threads, continuous, stored } = request;
  if (culling === 'none') return undefined;
  if (culling === 'auto' && !isExplained && frames < LEAST_FRAMES) return undefined;
  const queries = Math.ceil(frames / threads);
  const use: CullingUse = { kind: culling, queries, continuous };
  const choose = await createChooser(request, use);
  const meshes = scene.meshes.flatMap((mesh, index): PlannedCulling[] => {
    if (mesh.triangles.length === 0 || stored.includes(index)) return [];
    return [{ mesh: index, ...choose({ triangles: mesh.triangles.length / 3, movedBy: movementOf(mesh) }) }];
  });
  if (culling !== 'auto' && stored.length === 0 && meshes.every(({ kind }) => kind === 'none')) {
    throw new CommandError(`--cull ${culling}: ${meshes[0]?.reason ?? 'there are no triangles'}`);
  }
  return { meshes: await withRadii(scene, meshes), use, isMeasured };
}

/** True when a body has to be prepared for. */
export function preparesAny(plan: CullingPlan | undefined): plan is CullingPlan {
  return plan?.meshes.some(({ kind }) => kind !== 'none') === true;
}

async function createChooser(
  { culling, frames, threads, method }: CullingRequest,
  use: CullingUse,
): Promise<(subject: CullingSubject) => { kind: CullingKind; reason: string }> {
  const { chooseCertificate } = await import('pliant/cull'); // large, and seldom needed
  const run = `${plural(frames, 'frame')}${threads > 1 ? ` in ${threads} threads` : ''}`;
  return (subject) => {
    if (culling === 'auto' && (method === 'depth-first' || method === 'brute-force')) {
      return { kind: 'none', reason: `${method} was asked for` };
    }
    try {
      const { kind, reason } = chooseCertificate(subject, use);
      const isFew = kind === 'none' && reason.startsWith('preparing');
      return { kind, reason: isFew ? `${reason}, and there are ${run}` : reason };
    } catch (error) {
      if (!isExpected(error)) throw error;
      return { kind: 'none', reason: describeError(error) };
    }
  };
}

function movementOf({ kind }: SceneMesh): CullingSubject['movedBy'] {
  if (kind === 'rigid') return 'matrix';
  if (kind === 'modal') return 'modes';
  return kind === 'skinned' ? 'handles' : 'vertices';
}

/** Subspace certificates need to know how far the weights go: as far as in the clips, as with `pliant certify`. */
async function withRadii(scene: Scene, meshes: readonly PlannedCulling[]): Promise<PlannedCulling[]> {
  if (!meshes.some(({ kind }) => kind === 'subspace')) return [...meshes];
  const ranges = await Promise.all(scene.parts.map(findWeightRanges));
  return meshes.map((planned) => {
    const { part, indexInPart } = scene.meshes[planned.mesh];
    const range = ranges[part][indexInPart];
    return planned.kind === 'subspace' && range ? { ...planned, ...radiiFor(range) } : planned;
  });
}

function radiiFor(range: WeightRange): Pick<PlannedCulling, 'gauge' | 'reach'> {
  const gauge = suggestGauge(range, false);
  const reach = suggestReach(range, gauge);
  return reach > 0 ? { gauge, reach } : { gauge };
}
