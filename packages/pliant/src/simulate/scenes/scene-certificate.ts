import type { Engine } from '../../body/engine.ts';
import { prepareSubspaceCertificateAsync } from '../../cull/subspace/prepare-subspace.ts';
import type { SubspaceCertificate } from '../../cull/subspace/subspace-certificate.ts';
import type { TaskPool } from '../../long-work/task-pool.ts';
import type { LongWork } from '../long-work.ts';
import type { ReducedModel } from '../reduced/reduced-model.ts';

/** Of the surface of a model, for all bodies in the engine that have it. */
export async function prepareSceneCertificate(
  engine: Engine,
  { model, metric }: { readonly model: ReducedModel; readonly metric: Float64Array },
  { onProgress, signal, slice, pool }: LongWork & { pool?: TaskPool },
): Promise<SubspaceCertificate> {
  const body = engine.createModalBody(model.surface, model.surfaceModes);
  try {
    return await prepareSubspaceCertificateAsync(body, {
      metric,
      signal,
      slice,
      pool,
      onProgress: (share) => onProgress?.('certificate', share),
    });
  } catch (error) {
    body.dispose();
    throw error;
  }
}
