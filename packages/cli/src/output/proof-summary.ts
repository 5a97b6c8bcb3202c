import { basename } from 'node:path';
import type { UsableCertificates } from '../certify/use-certificates.ts';
import type { ProofShare } from '../frames/frame-checker.ts';
import type { Scene } from '../scene/scene.ts';
import { grouped, plural, printable } from './text.ts';

interface MeshProofs {
  readonly mesh: number; // in the scene
  readonly name: string;
  readonly node: number | null;
  readonly kinds: readonly string[];
  frames: number; // in which it was asked about; a shape that stays the same is not asked about again
  free: number; // of them: proved free as a whole
  cleared: number; // sum of shares
}

/** What the certificates of a run were good for. */
export class ProofSummary {
  readonly #path: string;
  readonly #meshes: Map<number, MeshProofs>;

  constructor({ meshes }: Scene, { path, kinds }: UsableCertificates) {
    this.#path = path;
    this.#meshes = new Map(
      kinds.map(({ mesh, kinds: ofMesh }) => {
        const { name, node } = meshes[mesh];
        return [mesh, { mesh, name, node, kinds: ofMesh, frames: 0, free: 0, cleared: 0 }];
      }),
    );
  }

  add(proofs: readonly ProofShare[]): void {
    for (const { mesh, cleared } of proofs) {
      const found = this.#meshes.get(mesh);
      if (found === undefined) continue; // its certificates were prepared in this run
      found.frames++;
      found.cleared += cleared;
      if (cleared === 1) found.free++;
    }
  }

  notes(): string[] {
    return [...this.#meshes.values()].map(({ name, frames, free, cleared }) => {
      const what = `certificate of "${printable(name)}" in ${this.#path}`;
      if (frames === 0) return `${what} used`;
      const share = `${((100 * cleared) / frames).toFixed(1)} % of the nodes cleared`;
      return `${what} used: ${share} in ${plural(frames, 'shape')}, all of them in ${grouped(free)}`;
    });
  }

  toJson(): object {
    const meshes = [...this.#meshes.values()].map(({ mesh, name, node, kinds, frames, free, cleared }) => ({
      mesh,
      name,
      node,
      kinds,
      frames,
      freeFrames: free,
      clearedNodes: frames > 0 ? Math.round((1e4 * cleared) / frames) / 1e4 : null,
    }));
    return { file: basename(this.#path), meshes };
  }
}
