import type { CullingPlan } from '../culling/plan-culling.ts';
import type { PreparedCulling } from '../culling/use-culling.ts';
import type { ProofShare } from '../frames/frame-checker.ts';
import type { ReportFact } from '../html/report-data.ts';
import type { Scene } from '../scene/scene.ts';
import { grouped, plural, printable } from './text.ts';

interface MeshCulling extends PreparedCulling {
  frames: number; // in which it was measured; a shape that stays the same is not asked about again
  free: number; // of them: proved free as a whole
  cleared: number; // sum of shares
}

const MOST_NAMES = 3;

/** Which proofs were prepared for a run, why those, and what they were good for. */
export class CullingSummary {
  readonly #scene: Scene;
  readonly #meshes: Map<number, MeshCulling>;

  constructor(scene: Scene, plan: CullingPlan) {
    this.#scene = scene;
    this.#meshes = new Map(
      plan.meshes.map(({ mesh, kind, reason }) => [
        mesh,
        { mesh, kind, reason, bytes: 0, seconds: 0, frames: 0, free: 0, cleared: 0 },
      ]),
    );
  }

  /** Every thread prepares its own; they are alike, and the first one is told of. */
  setPrepared(prepared: readonly PreparedCulling[]): void {
    for (const made of prepared) {
      const known = this.#meshes.get(made.mesh)!;
      if (known.seconds === 0) this.#meshes.set(made.mesh, { ...known, ...made });
    }
  }

  add(proofs: readonly ProofShare[]): void {
    for (const { mesh, cleared } of proofs) {
      const found = this.#meshes.get(mesh);
      if (found === undefined) continue; // its certificates are stored ones
      found.frames++;
      found.cleared += cleared;
      if (cleared === 1) found.free++;
    }
  }

  /** `withNone` also tells of meshes that have no proofs. */
  notes(withNone: boolean): string[] {
    return this.#groups(withNone).map(([{ kind, reason }, meshes]) => {
      const names = this.#namesOf(meshes);
      if (kind === 'none') return `no proofs for ${names}: ${reason}`;
      const bytes = meshes.reduce((sum, mesh) => sum + mesh.bytes, 0),
        seconds = meshes.reduce((sum, mesh) => sum + mesh.seconds, 0);
      const cost = `${grouped(bytes)} bytes, prepared in ${seconds.toFixed(2)} s`;
      return `${kind} proofs for ${names} (${cost}): ${reason}${shareText(meshes)}`;
    });
  }

  /** For the HTML report. */
  facts(withNone: boolean): ReportFact[] {
    return this.#groups(withNone).map(([{ kind, reason }, meshes]) => ({
      label: 'Proofs',
      value: `${kind} for ${this.#namesOf(meshes)}: ${reason}`,
    }));
  }

  toJson(): object[] {
    return [...this.#meshes.values()].map(
      ({ mesh, kind, reason, bytes, seconds, frames, free, cleared }) => ({
        mesh,
        name: this.#scene.meshes[mesh].name,
        node: this.#scene.meshes[mesh].node,
        kind,
        reason,
        bytes,
        prepareSeconds: Math.round(seconds * 1000) / 1000,
        frames,
        freeFrames: free,
        clearedNodes: frames > 0 ? Math.round((1e4 * cleared) / frames) / 1e4 : null,
      }),
    );
  }

  /** Meshes with the same proofs for the same reason. */
  #groups(withNone: boolean): [MeshCulling, MeshCulling[]][] {
    const groups = new Map<string, MeshCulling[]>();
    for (const mesh of this.#meshes.values()) {
      if (mesh.kind === 'none' && !withNone) continue;
      const key = `${mesh.kind}: ${mesh.reason}`;
      groups.set(key, [...(groups.get(key) ?? []), mesh]);
    }
    return [...groups.values()].map((meshes) => [meshes[0], meshes]);
  }

  #namesOf(meshes: readonly MeshCulling[]): string {
    const names = meshes
      .slice(0, MOST_NAMES)
      .map(({ mesh }) => `"${printable(this.#scene.meshes[mesh].name)}"`);
    const more = meshes.length - names.length;
    return more > 0 ? `${names.join(', ')} and ${plural(more, 'more', 'more')}` : names.join(', ');
  }
}

function shareText(meshes: readonly MeshCulling[]): string {
  const frames = meshes.reduce((sum, mesh) => sum + mesh.frames, 0);
  if (frames === 0) return '';
  const cleared = meshes.reduce((sum, mesh) => sum + mesh.cleared, 0);
  return `; ${((100 * cleared) / frames).toFixed(1)} % of the nodes cleared`;
}
