import type { SubspaceCertificate } from 'pliant/cull';
import type { DropModel } from 'pliant/simulate';
import { type Lease, Prepared } from './prepared.ts';
import type { SceneRequest } from './scene.ts';

/** A soft body that is ready to fall, with its certificate. */
export interface PreparedDrop {
  readonly drop: DropModel;
  readonly certificate: SubspaceCertificate;
}

export interface DropDetail {
  readonly triangles: number;
  readonly latticeVertices: number;
  readonly modeCount: number;
}

const drops = new Prepared<PreparedDrop>(({ certificate }) => certificate.body.dispose());

export function prepareDrop(
  request: SceneRequest,
  shape: 'rabbit' | 'dragon',
  detail: DropDetail,
): Promise<Lease<PreparedDrop>> {
  const key = JSON.stringify([shape, detail]);
  return drops.lease(request.engine, key, () => createDrop(request, shape, detail));
}

async function createDrop(
  { engine, onProgress, signal }: SceneRequest,
  shape: 'rabbit' | 'dragon',
  detail: DropDetail,
): Promise<PreparedDrop> {
  const [{ createDropModel, rehearseDrop }, { prepareSubspaceCertificateAsync }] = await Promise.all([
    import('pliant/simulate'),
    import('pliant/cull'),
  ]);
  const tell = (stage: string, share: number) => onProgress?.(nameOf(stage), share);
  const drop = await createDropModel({ shape, ...detail, onProgress: tell, signal });
  const { model } = drop;
  const metric = await rehearseDrop(engine, drop, { onProgress: tell, signal, slice: 30 });
  const body = engine.createModalBody(model.surface, model.surfaceModes);
  try {
    const certificate = await prepareSubspaceCertificateAsync(body, {
      metric,
      signal,
      slice: 30,
      onProgress: (share) => tell('certificate', share),
    });
    return { drop, certificate };
  } catch (error) {
    body.dispose();
    throw error;
  }
}

/** Stages of the preparation as people read them. */
export function nameOf(stage: string): string {
  if (stage === 'lattice') return 'Filling the body with tetrahedra';
  if (stage === 'rehearsal') return 'Looking how it falls';
  if (stage === 'certificate') return 'Preparing the certificate';
  if (stage === 'elasticity') return 'Preparing the motion';
  return 'Finding the modes';
}
