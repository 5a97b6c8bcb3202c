import { embedInTetrahedra, type TetrahedralMesh } from 'pliant';
import type { StoredSolid } from 'pliant/io';
import { createLatticeAsync, type LatticeReport } from 'pliant/solid';
import { plural } from '../output/text.ts';
import type { ModesWork } from './elastic-modes.ts';
import type { ModesSource } from './modes-source.ts';
import { openTetrahedra } from './modes-source.ts';
import { naming } from './named-errors.ts';

/** What is elastic: the tetrahedra of the file, of another one, or a lattice. */
export interface Solid {
  readonly mesh: TetrahedralMesh;
  readonly path: string; // of the file that is at fault for bad tetrahedra
  readonly fill?: Float64Array; // what each tetrahedron counts
  readonly embedding?: StoredSolid['embedding']; // undefined: the surface's vertices are those of the tetrahedra
  readonly lattice?: LatticeReport;
  /** Tetrahedra of each part that no vertex connects to others, largest first. */
  readonly parts: readonly number[];
  readonly notes: readonly string[];
}

/** Of a tetrahedron that the solid hardly enters: less would make the stiffness nearly singular. */
const LEAST_FILL = 1e-3;

export async function openSolid({ source, settings, progress, signal, pool }: ModesWork): Promise<Solid> {
  const { tetrahedra, vertices, cellSize } = settings;
  if (tetrahedra !== undefined) return embedIn(source, tetrahedra);
  if (source.tetrahedra !== undefined && vertices === undefined && cellSize === undefined) {
    const mesh = source.tetrahedra;
    return { mesh, path: source.path, parts: partsOf(mesh), notes: [] };
  }
  const onProgress = (share: number) => progress.update('lattice', share);
  onProgress(0);
  const options = cellSize === undefined ? { vertices } : { cellSize };
  const lattice = await naming(source.path, () =>
    createLatticeAsync(source.surface, { ...options, onProgress, signal, pool }),
  );
  const { report, embedding, tetrahedra: mesh } = lattice;
  return {
    mesh,
    path: source.path,
    fill: lattice.fill.map((share) => Math.max(share, LEAST_FILL)),
    embedding: plainEmbedding(embedding),
    lattice: report,
    parts: partsOf(mesh),
    notes: [
      ...report.repairs.map((text) => `repaired: ${text}`),
      ...report.warnings.filter((text) => !text.includes('falls into')), // told with what becomes of the parts
    ],
  };
}

async function embedIn(source: ModesSource, path: string): Promise<Solid> {
  const mesh = await openTetrahedra(path);
  const embedding = await naming(path, () => embedInTetrahedra(source.surface, mesh));
  const { outside } = embedding;
  const notes =
    outside > 0
      ? [`${plural(outside, 'vertex', 'vertices')} outside the tetrahedra, carried by the nearest`]
      : [];
  return {
    mesh,
    path,
    embedding: plainEmbedding(embedding),
    parts: partsOf(mesh),
    notes,
  };
}

function plainEmbedding(embedding: ReturnType<typeof embedInTetrahedra>): StoredSolid['embedding'] {
  const { controls, weights } = embedding;
  return { controls: Uint32Array.from(controls), weights: Float64Array.from(weights) };
}

/** Tetrahedra that share a vertex belong together. */
function partsOf({ tetrahedra, vertexCount }: TetrahedralMesh): number[] {
  const parent = Uint32Array.from({ length: vertexCount }, (_, v) => v);
  const find = (v: number) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let k = 0; k < tetrahedra.length; k++) {
    const a = find(tetrahedra[k]),
      b = find(tetrahedra[k - (k % 4)]);
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  const sizes = new Map<number, number>();
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const root = find(tetrahedra[k]);
    sizes.set(root, (sizes.get(root) ?? 0) + 1);
  }
  return [...sizes.values()].sort((a, b) => b - a);
}
