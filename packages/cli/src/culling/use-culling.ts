import type { Certificate, TriangleMesh } from 'pliant';
import type { CullingKind } from 'pliant/cull';
import { shareCertificate } from '../certify/use-certificates.ts';
import type { Actor } from '../scene/stage.ts';
import type { CullingPlan } from './plan-culling.ts';

/** What became of a plan for a mesh. */
export interface PreparedCulling {
  readonly mesh: number; // in the scene
  readonly kind: CullingKind;
  readonly reason: string;
  readonly bytes: number;
  readonly seconds: number;
}

/** Prepares the proofs of a plan and gives them to the bodies. Stops with the reason of `signal` when that aborts. */
export async function useCulling(
  { meshes, use }: CullingPlan,
  actors: readonly Actor[],
  signal: AbortSignal | undefined,
): Promise<PreparedCulling[]> {
  const { prepareCertificatesAsync } = await import('pliant/cull');
  const prepared: PreparedCulling[] = [];
  const known = new Map<TriangleMesh, { certificates: readonly Certificate[]; reason: string }>();
  for (const { mesh, kind, gauge, reach } of meshes) {
    const actor = actors.find(({ index }) => index === mesh);
    if (kind === 'none' || actor === undefined) continue;
    const begin = performance.now();
    const { body } = actor;
    const twin = known.get(body.mesh);
    const shared = twin?.certificates.map((certificate) => shareCertificate(certificate, body));
    if (twin && shared && shared.length > 0 && shared.every((found) => found !== undefined)) {
      body.setCertificates(shared, twin.reason);
      prepared.push({ mesh, kind, reason: twin.reason, bytes: 0, seconds: 0 });
      continue;
    }
    const made = await prepareCertificatesAsync(body, {
      ...use,
      subspace: { gauge, reach },
      signal,
      slice: 50,
    });
    body.setCertificates(made.certificates, made.reason);
    known.set(body.mesh, made);
    const seconds = (performance.now() - begin) / 1000;
    prepared.push({ mesh, kind: made.kind, reason: made.reason, bytes: made.bytes, seconds });
  }
  return prepared;
}
