import type { UsableCertificates } from '../certify/use-certificates.ts';
import type { CullingPlan } from '../culling/plan-culling.ts';
import type { PreparedCulling } from '../culling/use-culling.ts';
import type { PartInput } from '../scene/inputs.ts';
import type { CheckOptions } from './check-options.ts';
import type { FrameResult } from './frame-checker.ts';

/** What a worker is started with: it opens the scene itself. */
export interface WorkerStart {
  readonly inputs: readonly PartInput[];
  readonly options: CheckOptions;
  readonly certificates: UsableCertificates | undefined;
  readonly culling: CullingPlan | undefined;
}

/** Frames to check, in order. */
export interface WorkerTask {
  readonly first: number;
  readonly count: number;
}

export type WorkerAnswer =
  | { readonly kind: 'ready'; readonly prepared: readonly PreparedCulling[] }
  | { readonly kind: 'result'; readonly result: FrameResult }
  | { readonly kind: 'error'; readonly message: string; readonly isExpected: boolean };
